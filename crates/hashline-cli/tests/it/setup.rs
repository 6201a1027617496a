//! Setting up agents and looking at them, with the real program and a home of its own.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::stage::{HASHLINE, Ran, Stage, ran};

const AGENTS: [&str; 5] = ["claude", "codex", "opencode", "gemini", "pi"];

/// Lists the files below a folder, those of the stage itself left out.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let entry = entry.unwrap();
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => found.push(
                    entry
                        .path()
                        .strip_prefix(folder)
                        .unwrap()
                        .display()
                        .to_string(),
                ),
            }
        }
    }
    found.sort();
    found
}

/// Runs the doctor where no agent is installed.
fn doctor(stage: &Stage, args: &[&str]) -> Ran {
    let programs = Path::new(HASHLINE).parent().unwrap();
    let mut command = stage.command(HASHLINE);
    ran(command
        .arg("doctor")
        .args(args)
        .env("PATH", programs)
        .output()
        .unwrap())
}

#[test]
fn a_dry_run_shows_what_would_be_written_and_writes_nothing() {
    for agent in AGENTS {
        for scope in ["--project", "--user"] {
            let stage = Stage::new(&[]);
            let told = stage.run(&["setup", agent, scope, "--dry-run"]);
            assert!(told.out.starts_with("--- /dev/null\n+++ "), "{told:?}");
            assert!(told.err.contains("Nothing was written"), "{told:?}");
            assert_eq!(told.code, Some(0));
            assert_eq!(files(&stage.home()), Vec::<String>::new());
        }
    }
}

#[test]
fn what_is_set_up_is_set_up_once_and_goes_without_a_trace() {
    for agent in AGENTS {
        for scope in ["--project", "--user"] {
            let stage = Stage::new(&[("AGENTS.md", "# Rules"), (".mcp.json", "{}")]);
            let before = files(&stage.home());
            let first = stage.run(&["setup", agent, scope, "--json"]).json();
            assert_eq!(
                (&first["ok"], &first["written"]),
                (&true.into(), &true.into()),
                "{first}"
            );
            let again = stage.run(&["setup", agent, scope]);
            assert!(again.out.contains("already set up"), "{again:?}");
            let looked = doctor(&stage, &[agent]);
            assert_eq!(looked.code, Some(0), "{looked:?}");
            assert!(looked.out.contains("✓ set up "), "{looked:?}");
            let gone = stage
                .run(&["setup", agent, scope, "--uninstall", "--json"])
                .json();
            assert_eq!(gone["written"], true, "{gone}");
            assert_eq!(files(&stage.home()), before, "{agent} {scope}");
            assert_eq!(stage.text("AGENTS.md"), "# Rules");
            assert_eq!(stage.text(".mcp.json"), "{}");
            assert_eq!(doctor(&stage, &[agent]).code, Some(2));
        }
    }
}

#[test]
fn the_project_is_the_root_wherever_in_it_one_stands() {
    let stage = Stage::new(&[(".git/HEAD", ""), ("a/b/c.txt", "x\n")]);
    let told = stage.sh("cd a/b && hashline setup claude --json");
    assert_eq!(
        told.json()["files"][0]["path"],
        stage
            .path(".mcp.json")
            .canonicalize()
            .unwrap()
            .to_str()
            .unwrap()
    );
}

#[test]
fn roots_of_the_configuration_do_not_move_the_project() {
    let stage = Stage::new(&[(".git/HEAD", "")]);
    let other = stage.home().join("other");
    fs::create_dir(&other).unwrap();
    let config = stage.home().join("config/hashline");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), format!("roots = [{other:?}]\n")).unwrap();
    stage.run(&["setup", "opencode"]).done();
    let looked = doctor(&stage, &["opencode"]);
    assert!(looked.out.contains("set up in this project"), "{looked:?}");
    assert_eq!(files(&other), Vec::<String>::new());
    assert!(stage.path(".opencode/plugins/hashline.js").exists());
    let other = other.to_str().unwrap();
    stage.run(&["setup", "opencode", "--root", other]).done();
    assert!(stage.home().join("other/AGENTS.md").exists());
}

#[test]
fn what_cannot_be_meant_is_refused_in_plain_words() {
    let stage = Stage::new(&[]);
    let told = stage.run(&["setup", "claude", "--root", "../nope"]);
    assert_eq!(told.code, Some(2));
    assert!(told.err.contains("no such folder"), "{told:?}");
    for command in ["", " "] {
        let told = stage.run(&["setup", "claude", "--command", command]);
        assert_eq!(told.code, Some(2));
        assert!(told.err.contains("--command names no program"), "{told:?}");
    }
    assert_eq!(files(&stage.home()), Vec::<String>::new());
    let told = stage.run(&["setup", "claude", "--command", "/no/such"]);
    assert!(!told.err.contains("is not this program"), "{told:?}");
    assert!(told.err.contains("the files name /no/such"), "{told:?}");
}

#[test]
fn a_program_that_is_not_on_the_path_is_named_by_its_path_and_that_is_said() {
    let stage = Stage::new(&[]);
    let mut command = stage.command(HASHLINE);
    let told = ran(command
        .args(["setup", "claude"])
        .env("PATH", "/usr/bin:/bin")
        .output()
        .unwrap());
    let out = told.done();
    assert!(out.contains("To do: Put `hashline` on your PATH"), "{out}");
    let program = fs::canonicalize(HASHLINE).unwrap();
    let rule = format!("Bash({} read:*)", program.display());
    let settings = stage.text(".claude/settings.json");
    assert!(settings.contains(&rule), "{settings}");
}

#[test]
fn the_command_and_the_dialect_get_into_every_file() {
    let stage = Stage::new(&[]);
    stage
        .run(&[
            "setup",
            "claude",
            "--command",
            "/opt/my tools/hashline",
            "--dialect",
            "lean",
        ])
        .done();
    let servers: Value = serde_json::from_str(&stage.text(".mcp.json")).unwrap();
    assert_eq!(
        servers["mcpServers"]["hl"]["args"],
        serde_json::json!(["mcp", "--dialect", "lean"])
    );
    assert_eq!(
        servers["mcpServers"]["hl"]["command"],
        "/opt/my tools/hashline"
    );
    stage
        .run(&["setup", "gemini", "--command", "/opt/my tools/hashline"])
        .done();
    let settings: Value = serde_json::from_str(&stage.text(".gemini/settings.json")).unwrap();
    let hook = &settings["hooks"]["BeforeTool"][0]["hooks"][0]["command"];
    assert_eq!(hook, "'/opt/my tools/hashline' hook; exit 0");
    // A command that is not there is a problem, and the doctor says what mends it.
    let looked = doctor(&stage, &["claude", "--json"]).json();
    let problems: Vec<&Value> = looked["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["level"] == "problem")
        .collect();
    assert_eq!(problems.len(), 1, "{looked}");
    assert_eq!(problems[0]["fix"], "hashline setup claude --force");
    stage.run(&["setup", "claude"]).done();
    assert_eq!(doctor(&stage, &["claude"]).code, Some(0));
}

#[test]
fn a_file_that_cannot_be_read_is_refused_and_nothing_is_written() {
    let stage = Stage::new(&[(".mcp.json", "{\n  oops\n}\n")]);
    let before = files(&stage.home());
    let refused = stage.run(&["setup", "claude", "--json"]);
    assert_eq!(refused.code, Some(2));
    let object = refused.json();
    assert_eq!(
        (&object["code"], &object["written"]),
        (&"bad_agent_file".into(), &false.into())
    );
    assert!(
        object["message"]
            .as_str()
            .unwrap()
            .contains("line 2, column 3"),
        "{object}"
    );
    assert_eq!(files(&stage.home()), before);
    let looked = doctor(&stage, &["claude"]);
    assert_eq!(looked.code, Some(2));
    assert!(looked.out.contains("cannot be parsed"), "{looked:?}");
}

#[test]
fn editors_get_a_snippet_that_is_marked_as_untried() {
    let stage = Stage::new(&[]);
    for editor in ["cursor", "vscode", "windsurf", "zed"] {
        let told = stage.run(&["setup", editor]).done();
        assert!(told.contains("from its documentation"), "{told}");
        let object = stage.run(&["setup", editor, "--json"]).json();
        assert_eq!(object["source"], "documentation");
        let told = stage.run(&["setup", editor, "--uninstall"]).done();
        assert!(told.contains("\nRemove `"), "{told}");
        assert!(!told.contains("Add to "), "{told}");
    }
    let told = stage.run(&["setup", "vscode", "--dialect", "lean"]).done();
    let prompt = "hashline prompt --agent tools --dialect lean";
    assert!(told.contains(prompt), "{told}");
    stage.sh(prompt).done();
    assert_eq!(files(&stage.home()), Vec::<String>::new());
}

#[test]
fn hooks_that_a_person_entered_are_named_when_the_rest_goes() {
    let own =
        "[[hooks.PreToolUse]]\nhooks = [{ type = \"command\", command = \"hashline hook\" }]\n";
    let stage = Stage::new(&[(".git/HEAD", ""), (".codex/config.toml", own)]);
    stage.run(&["setup", "codex"]).done();
    let told = stage.run(&["setup", "codex", "--uninstall"]).done();
    assert!(
        told.contains("To do: Remove the hooks that run hashline from ")
            && told.contains("config.toml: PreToolUse."),
        "{told}"
    );
    assert_eq!(stage.text(".codex/config.toml"), own);
    let told = stage
        .run(&["setup", "codex", "--uninstall", "--json"])
        .json();
    assert_eq!(told["by_hand"].as_array().unwrap().len(), 1, "{told}");
}

#[test]
fn the_doctor_reads_as_approved() {
    let stage = Stage::new(&[
        (".git/HEAD", ""),
        (".hashline-off", ""),
        ("hashline.toml", "context = 3\n"),
    ]);
    stage.run(&["setup", "codex"]).done();
    fs::write(stage.path(".codex/hooks.json"), "{\"hooks\": {}}").unwrap();
    let looked = doctor(&stage, &[]);
    assert_eq!(looked.code, Some(2));
    let home = stage.home().canonicalize().unwrap();
    insta::assert_snapshot!(
        looked
            .out
            .replace(home.to_str().unwrap(), "")
            .replace(env!("CARGO_PKG_VERSION"), "[VERSION]")
    );
}

#[test]
fn the_doctor_finds_what_is_wrong_with_state_and_configuration() {
    let stage = Stage::new(&[("hashline.toml", "contxt = 3\n")]);
    fs::create_dir(stage.home().join("state")).unwrap();
    fs::write(stage.home().join("state/hashline"), "no folder").unwrap();
    let looked = doctor(&stage, &["--json"]).json();
    assert_eq!(looked["ok"], false);
    let text = looked.to_string();
    assert!(
        text.contains("contxt") && text.contains("is not a folder"),
        "{text}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_it_asks_before_it_writes() {
    use std::io::Write;

    use crate::terminal::{seen, terminal};

    for (answer, written) in [("n\n", false), ("\n", false), ("y\n", true)] {
        let stage = Stage::new(&[]);
        let (mut screen, ours) = terminal();
        let mut command = stage.command(HASHLINE);
        command
            .args(["setup", "pi"])
            .env("NO_COLOR", "1")
            .stdin(ours.try_clone().unwrap())
            .stderr(ours.try_clone().unwrap());
        let mut child = command.stdout(ours).spawn().unwrap();
        drop(command);
        let asked = seen(&mut screen, |text| text.contains("[y/N]"));
        assert!(asked.contains("+++ "), "the diff comes first: {asked}");
        screen.write_all(answer.as_bytes()).unwrap();
        let rest = seen(&mut screen, |_| false);
        let code = child.wait().unwrap().code();
        assert_eq!(code, Some(if written { 0 } else { 2 }), "{rest}");
        assert_eq!(stage.path("AGENTS.md").exists(), written, "{rest}");
    }
}

#[test]
fn setups_that_are_started_at_once_all_land() {
    let named = "{\"context\": {\"fileName\": \"AGENTS.md\"}}\n";
    let stage = Stage::new(&[("AGENTS.md", "# Rules\n"), (".gemini/settings.json", named)]);
    std::os::unix::fs::symlink("AGENTS.md", stage.path("CLAUDE.md")).unwrap();
    let started = AGENTS.map(|agent| {
        let mut command = stage.command(HASHLINE);
        let command = command.args(["setup", agent, "--json"]);
        let quiet = command.stdout(std::process::Stdio::null());
        quiet.spawn().unwrap()
    });
    for mut child in started {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let text = stage.text("AGENTS.md");
    for agent in AGENTS {
        assert!(
            text.contains(&format!("<!-- /hashline:{agent} -->")),
            "{text}"
        );
    }
}

#[test]
fn a_home_is_no_project() {
    let stage = Stage::new(&[]);
    for args in [vec![], vec!["--uninstall"], vec!["--root", "."]] {
        let mut command = stage.command(HASHLINE);
        let command = command.arg("setup").arg("gemini").args(&args);
        let told = ran(command.current_dir(stage.home()).output().unwrap());
        assert_eq!(told.code, Some(2), "{told:?}");
        assert!(told.err.contains("--user"), "{told:?}");
        assert_eq!(files(&stage.home()), Vec::<String>::new());
    }
}
