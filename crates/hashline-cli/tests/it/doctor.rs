//! The doctor, with the real program: what is dead is not called healthy, and what mends it can be typed as it stands.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::Value;

use crate::stage::{HASHLINE, Stage, ran};

/// One finding: how bad, what, and what mends it.
type Found = (String, String, String);

/// Runs the doctor where no agent is installed; returns what it finds about something.
fn found(stage: &Stage, about: &str, args: &[&str], variables: &[(&str, &str)]) -> Vec<Found> {
    let programs = Path::new(HASHLINE).parent().unwrap();
    let mut command = stage.command(HASHLINE);
    command.env("PATH", programs);
    command.envs(variables.iter().copied());
    let told = ran(command
        .args(["doctor", "--json"])
        .args(args)
        .output()
        .unwrap());
    let object = told.json();
    let findings = object["findings"].as_array().unwrap().iter();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    findings
        .filter(|finding| finding["about"] == about)
        .map(|found| {
            (
                text(found, "level"),
                text(found, "text"),
                text(found, "fix"),
            )
        })
        .collect()
}

fn check(found: &[Found], level: &str, part: &str) {
    let is = |found: &&Found| found.0 == level && found.1.contains(part);
    assert!(found.iter().any(|one| is(&one)), "{part}: {found:?}");
}

#[test]
fn a_ledger_that_is_dead_is_a_problem() {
    type Break = fn(&Path);
    let breaks: [(Break, &str, &str); 4] = [
        (
            |ledger| {
                fs::remove_dir_all(ledger).unwrap();
                fs::write(ledger, "").unwrap();
            },
            "not a folder",
            "mv ",
        ),
        (
            |ledger| {
                let mode = fs::Permissions::from_mode(0o777);
                fs::set_permissions(ledger, mode).unwrap();
            },
            "can be written by others",
            "chmod go-w ",
        ),
        (
            |ledger| {
                let total = ledger.join("total");
                fs::remove_file(&total).unwrap();
                fs::create_dir(&total).unwrap();
            },
            "failed",
            "chmod -R u+rwX ",
        ),
        (
            |ledger| {
                let aside = ledger.with_extension("aside");
                fs::rename(ledger, &aside).unwrap();
                symlink(aside, ledger).unwrap();
            },
            "is a link",
            "mv ",
        ),
    ];
    for (breaking, part, fix) in breaks {
        let stage = Stage::new(&[("a.txt", "one\n")]);
        stage.run(&["read", "a.txt"]).done();
        check(&found(&stage, "ledger", &[], &[]), "ok", "on, ");
        breaking(&stage.home().join("state/hashline/ledger-2"));
        let dead = found(&stage, "ledger", &[], &[]);
        check(&dead, "problem", part);
        assert!(dead[0].2.starts_with(fix), "{dead:?}");
    }
}

#[test]
fn a_state_directory_that_cannot_be_made_is_a_problem() {
    let stage = Stage::new(&[]);
    let about = "state directory";
    check(&found(&stage, about, &[], &[]), "ok", "does not exist yet");
    assert!(!stage.home().join("state").exists(), "it is only looked at");
    let nowhere = [("XDG_STATE_HOME", "/proc/nowhere")];
    let unmade = found(&stage, about, &[], &nowhere);
    check(&unmade, "problem", "cannot be created");
    fs::create_dir(stage.home().join("state")).unwrap();
    symlink("elsewhere", stage.home().join("state/hashline")).unwrap();
    check(
        &found(&stage, about, &[], &[]),
        "problem",
        "is not a folder",
    );
    assert_eq!(found(&stage, "ledger", &[], &[]), [], "nothing is kept");
}

#[test]
fn a_broken_configuration_of_the_user_is_one_finding_among_all() {
    let stage = Stage::new(&[(".git/HEAD", "")]);
    stage.run(&["setup", "claude"]).done();
    let config = stage.home().join("config/hashline/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "nativ = \"off\"\n").unwrap();
    check(
        &found(&stage, "configuration", &[], &[]),
        "problem",
        "nativ",
    );
    check(&found(&stage, "project", &[], &[]), "ok", "root ");
    check(&found(&stage, "recovery", &[], &[]), "ok", "nothing");
    check(&found(&stage, "ledger", &[], &[]), "ok", "on, ");
    check(&found(&stage, "Claude Code", &[], &[]), "ok", "set up");
    let switches = found(&stage, "switches", &[], &[]);
    check(&switches, "warning", "until the configuration is fixed");
    let tried = found(&stage, "Claude Code", &["--simulate"], &[]);
    check(&tried, "problem", "is not tried");
}

#[test]
fn every_switch_in_force_is_shown_and_judged_with() {
    let stage = Stage::new(&[(".git/HEAD", "")]);
    stage.run(&["setup", "claude"]).done();
    let about = "switches";
    let tried = |variables: &[(&str, &str)]| {
        found(&stage, "Claude Code", &["claude", "--simulate"], variables)
    };
    let quick = ("HASHLINE_HOOK_TIME", "600000");
    check(&found(&stage, about, &[], &[]), "ok", "none");
    check(&tried(&[quick]), "ok", "hashline hook` refuses");
    let off = ("HASHLINE_HOOK", "OFF");
    check(
        &found(&stage, about, &[], &[off]),
        "warning",
        "HASHLINE_HOOK",
    );
    check(&tried(&[quick, off]), "warning", "HASHLINE_HOOK=off allows");
    let config = stage.home().join("config/hashline/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "[hook]\nnative = \"off\"\nread = \"off\"\n").unwrap();
    stage.write("hashline.toml", "[hook]\nshell = \"advise\"\n");
    let switches = found(&stage, about, &[], &[]);
    for said in ["native = \"off\"", "read = \"off\"", "shell = \"advise\""] {
        check(&switches, "warning", said);
    }
    check(
        &tried(&[quick]),
        "warning",
        "`hook.native = \"off\"` allows",
    );
    symlink("nowhere", stage.path(".hashline-off")).unwrap();
    check(&found(&stage, about, &[], &[]), "warning", ".hashline-off");
    check(&tried(&[quick]), "warning", "/.hashline-off allows");
}

#[test]
fn what_mends_something_is_one_command_of_whole_words() {
    let stage = Stage::new(&[(".git/HEAD", "")]);
    let state = stage.home().join("my state");
    fs::create_dir(&state).unwrap();
    fs::write(state.join("hashline"), "not a folder").unwrap();
    let variable = [("XDG_STATE_HOME", state.to_str().unwrap())];
    let told = found(&stage, "state directory", &[], &variable);
    check(&told, "problem", "is not a folder");
    stage.sh(&told[0].2).done();
    let told = found(&stage, "state directory", &[], &variable);
    check(&told, "ok", "does not exist yet");
}

#[test]
fn without_a_name_on_the_path_this_program_is_called_by_its_own() {
    let stage = Stage::new(&[(".git/HEAD", "")]);
    let told = found(&stage, "Claude Code", &["claude"], &[("PATH", "/nowhere")]);
    check(&told, "problem", "is not set up");
    let fix = told.iter().find(|found| found.1.contains("is not set up"));
    let program = Path::new(HASHLINE).canonicalize().unwrap();
    let fix = &fix.unwrap().2;
    assert!(fix.starts_with(program.to_str().unwrap()), "{fix}");
    stage.sh(fix).done();
    check(&found(&stage, "Claude Code", &[], &[]), "ok", "set up");
}

#[test]
fn a_strangers_command_is_not_started() {
    let stage = Stage::new(&[(".git/HEAD", "")]);
    let trace = stage.home().join("started");
    let script = format!("touch {}; exec cat", trace.display());
    let server =
        serde_json::json!({"mcpServers": {"hl": {"command": "/bin/sh", "args": ["-c", script]}}});
    stage.write(".mcp.json", server.to_string());
    let told = found(&stage, "Claude Code", &["--simulate"], &[]);
    check(&told, "problem", "which is not hashline");
    assert!(!trace.exists(), "{told:?}");
    assert!(
        told.iter().all(|found| !found.2.contains("touch")),
        "{told:?}"
    );
}

#[test]
fn a_hook_whose_program_is_gone_is_a_problem_of_its_file_alone() {
    let gone = "/opt/gone/hashline";
    for agent in ["claude", "gemini", "codex"] {
        let stage = Stage::new(&[(".git/HEAD", "")]);
        stage.run(&["setup", agent]).done();
        let (file, from, to) = match agent {
            "claude" => (".claude/settings.json", "\"hashline\"", format!("{gone:?}")),
            "gemini" => (
                ".gemini/settings.json",
                "hashline hook",
                format!("{gone} hook"),
            ),
            _ => (".codex/hooks.json", "hashline hook", format!("{gone} hook")),
        };
        let text = stage.text(file);
        assert!(text.contains(from), "{text}");
        stage.write(file, text.replace(from, &to));
        let about = match agent {
            "claude" => "Claude Code",
            "gemini" => "Gemini CLI",
            _ => "Codex",
        };
        let told = found(&stage, about, &[agent], &[]);
        check(
            &told,
            "problem",
            &format!("{file} calls `{gone}`, which does not exist"),
        );
        assert_eq!(
            told.iter().filter(|found| found.0 == "problem").count(),
            1,
            "{told:?}"
        );
        let told = told.iter().find(|found| found.0 == "problem").unwrap();
        stage.sh(&told.2).done();
        let told = found(&stage, about, &[agent], &[]);
        assert!(told.iter().all(|found| found.0 != "problem"), "{told:?}");
    }
}

#[test]
fn a_server_that_is_gone_is_not_blamed_on_the_hooks() {
    let stage = Stage::new(&[(".git/HEAD", "")]);
    stage.run(&["setup", "claude"]).done();
    let text = stage.text(".mcp.json");
    stage.write(
        ".mcp.json",
        text.replace("\"hashline\"", "\"/opt/gone/hashline\""),
    );
    let told = found(&stage, "Claude Code", &["claude"], &[]);
    check(
        &told,
        "problem",
        ".mcp.json calls `/opt/gone/hashline`, which does not exist",
    );
    assert!(
        told.iter().all(|found| !found.1.contains("settings.json")),
        "{told:?}"
    );
}

#[test]
fn what_mends_a_project_names_it_where_one_stands_elsewhere() {
    let stage = Stage::new(&[(".git/HEAD", "")]);
    let project = stage.home().join("my project");
    fs::create_dir_all(project.join(".git")).unwrap();
    let root = project.to_str().unwrap();
    let told = found(&stage, "Claude Code", &["claude", "--root", root], &[]);
    let fix = told.iter().find(|found| found.1.contains("is not set up"));
    let fix = fix.unwrap().2.clone();
    let real = project.canonicalize().unwrap();
    assert_eq!(
        fix,
        format!("hashline setup claude --root '{}'", real.display())
    );
    stage.sh(&fix).done();
    assert!(project.join(".mcp.json").exists());
    let told = found(&stage, "Claude Code", &["claude", "--root", root], &[]);
    check(&told, "ok", "set up");
}

#[test]
fn what_is_no_regular_file_is_refused_at_once_and_told() {
    for (agent, about, file) in [
        ("codex", "Codex", ".codex/config.toml"),
        ("codex", "Codex", ".codex/hooks.json"),
        ("gemini", "Gemini CLI", ".gemini/settings.json"),
        ("claude", "Claude Code", ".mcp.json"),
        ("opencode", "OpenCode", ".opencode/plugins/hashline.js"),
    ] {
        for device in [false, true] {
            let stage = Stage::new(&[(".git/HEAD", "")]);
            let path = stage.path(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match device {
                true => symlink("/dev/zero", &path).unwrap(),
                false => _ = stage.sh(&format!("mkfifo {file}")).done(),
            }
            for args in [
                &["doctor"][..],
                &["doctor", agent],
                &["doctor", agent, "--simulate"],
            ] {
                let told = stage.sh(&format!("timeout 20 hashline {}", args.join(" ")));
                assert_eq!(told.code, Some(2), "{told:?}");
            }
            check(
                &found(&stage, about, &[agent], &[]),
                "problem",
                "is not a regular file",
            );
            let told = stage.sh(&format!("timeout 20 hashline setup {agent} --json"));
            assert_eq!(told.json()["code"], "not_a_file", "{told:?}");
        }
    }
}

#[test]
fn what_a_person_decided_is_not_waited_for_either() {
    for (agent, about, file) in [
        ("codex", "Codex", ".codex/config.toml"),
        ("gemini", "Gemini CLI", ".gemini/settings.json"),
        ("gemini", "Gemini CLI", ".gemini/trustedFolders.json"),
        ("claude", "Claude Code", ".claude.json"),
    ] {
        let stage = Stage::new(&[(".git/HEAD", "")]);
        stage.run(&["setup", agent]).done();
        let path = stage.home().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let made = format!("mkfifo {}", path.display());
        stage.sh(&made).done();
        let told = stage.sh(&format!("timeout 20 hashline doctor {agent}"));
        assert_eq!(told.code, Some(2), "{told:?}");
        let told = found(&stage, about, &[agent], &[]);
        check(&told, "problem", &format!("{file} is not a regular file"));
    }
}

#[test]
fn a_switch_is_turned_back_in_the_file_that_says_it() {
    let stage = Stage::new(&[
        (".git/HEAD", ""),
        ("hashline.toml", "hook.native = \"off\"\n"),
    ]);
    let config = stage.home().join("config/hashline/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "[hook]\nnative = \"advise\"\nshell = \"off\"\n").unwrap();
    let told = found(&stage, "switches", &[], &[]);
    let fix = |part: &str| {
        told.iter()
            .find(|found| found.1.contains(part))
            .unwrap()
            .2
            .clone()
    };
    let root_file = stage.root().canonicalize().unwrap().join("hashline.toml");
    let native = format!("set `hook.native = \"refuse\"` in {}", root_file.display());
    assert_eq!(fix("hook.native"), native);
    let shell = format!("set `hook.shell = \"refuse\"` in {}", config.display());
    assert_eq!(fix("hook.shell"), shell);
}
