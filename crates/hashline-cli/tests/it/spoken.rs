//! One dialect for all that an agent has of us: server, hook, instructions, and the commands that a refusal names.

use std::fs;

use serde_json::{Value, json};

use crate::stage::{HASHLINE, Stage, ran};

const DIALECTS: [&str; 6] = ["omp", "push", "cowboy", "openagent", "pi", "lean"];

fn stage() -> Stage {
    Stage::new(&[(".git/HEAD", ""), ("a.txt", "one\ntwo\nthree\n")])
}

fn value(stage: &Stage, file: &str) -> Value {
    serde_json::from_str(&stage.text(file)).unwrap()
}

/// Returns what the doctor says is wrong with an agent, with what mends it.
fn problems(stage: &Stage, args: &[&str]) -> Vec<(String, String)> {
    let programs = std::path::Path::new(HASHLINE).parent().unwrap();
    let mut command = stage.command(HASHLINE);
    command.env("PATH", programs).args(["doctor", "--json"]);
    let told = ran(command.args(args).output().unwrap()).json();
    let findings = told["findings"].as_array().unwrap().iter();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    findings
        .filter(|finding| finding["level"] == "problem")
        .map(|finding| (text(finding, "text"), text(finding, "fix")))
        .collect()
}

/// Returns the lines that the hook puts into what Claude Code reads.
fn read_by_hook(stage: &Stage, args: &[&str]) -> String {
    let file = stage.root().join("a.txt");
    let said = json!({
        "hook_event_name": "PostToolUse", "session_id": "s", "cwd": stage.root(), "tool_name": "Read",
        "tool_input": {"file_path": file},
        "tool_response": {"type": "text", "file": {
            "filePath": file, "content": stage.text("a.txt"), "numLines": 4, "startLine": 1, "totalLines": 4,
        }},
    });
    let shown = stage.feed(args, said.to_string().as_bytes()).json();
    let file = &shown["hookSpecificOutput"]["updatedToolOutput"]["file"];
    file["content"].as_str().unwrap().to_owned()
}

#[test]
fn the_hook_of_a_setup_shows_the_anchors_that_its_server_takes() {
    for dialect in DIALECTS {
        let stage = stage();
        stage.run(&["setup", "claude", "--dialect", dialect]).done();
        let settings = value(&stage, ".claude/settings.json");
        for event in [
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "SessionStart",
        ] {
            let args = &settings["hooks"][event][0]["hooks"][0]["args"];
            assert_eq!(*args, json!(["hook", "--dialect", dialect]), "{event}");
        }
        let by_hook = read_by_hook(&stage, &["hook", "--dialect", dialect]);
        let by_program = stage.run(&["read", "--dialect", dialect, "a.txt"]).done();
        let pairs: Vec<_> = by_hook.lines().zip(by_program.lines()).collect();
        assert_eq!(pairs.len(), 3, "{by_hook}");
        for (by_hook, by_program) in pairs {
            assert!(by_program.ends_with(by_hook), "{by_hook}: {by_program}");
        }
        let wrong = problems(&stage, &["claude", "--simulate"]);
        assert_eq!(wrong, [], "{dialect}");
        let same = stage.run(&["setup", "claude"]).done();
        assert!(same.contains("nothing to change"), "{same}");
    }
}

#[test]
fn the_line_of_a_hook_names_the_dialect_too() {
    let stage = stage();
    stage.run(&["setup", "codex", "--dialect", "push"]).done();
    let hooks = value(&stage, ".codex/hooks.json");
    let line = &hooks["hooks"]["PreToolUse"][0]["hooks"][0]["command"];
    assert_eq!(line, "hashline hook --dialect push");
    stage.run(&["setup", "gemini", "--dialect", "push"]).done();
    let settings = value(&stage, ".gemini/settings.json");
    let line = &settings["hooks"]["BeforeTool"][0]["hooks"][0]["command"];
    assert_eq!(line, "hashline hook --dialect push; exit 0");
    for agent in ["codex", "gemini"] {
        assert_eq!(problems(&stage, &[agent, "--simulate"]), [], "{agent}");
        // Another one takes its place, also without a receipt.
        fs::remove_dir_all(stage.home().join("state")).unwrap();
        stage.run(&["setup", agent, "--dialect", "lean"]).done();
        assert_eq!(problems(&stage, &[agent, "--simulate"]), [], "{agent}");
    }
    let settings = stage.text(".gemini/settings.json");
    assert!(!settings.contains("push"), "{settings}");
}

#[test]
fn a_hook_that_speaks_otherwise_than_the_server_is_a_problem() {
    for (agent, file, told) in [
        (
            "claude",
            ".claude/settings.json",
            r#", "--dialect", "lean""#,
        ),
        ("codex", ".codex/hooks.json", " --dialect lean"),
        ("gemini", ".gemini/settings.json", "hook --dialect lean"),
    ] {
        let stage = stage();
        stage.run(&["setup", agent, "--dialect", "lean"]).done();
        let text = stage.text(file);
        let without = match agent {
            "claude" => {
                let mut value: Value = serde_json::from_str(&text).unwrap();
                for groups in value["hooks"].as_object_mut().unwrap().values_mut() {
                    groups[0]["hooks"][0]["args"] = json!(["hook"]);
                }
                value.to_string()
            }
            "gemini" => text.replace(told, "hook"),
            _ => text.replace(told, ""),
        };
        assert_ne!(text, without);
        stage.write(file, without);
        for args in [&[agent][..], &[agent, "--simulate"]] {
            let wrong = problems(&stage, args);
            assert_eq!(wrong.len(), 1, "{wrong:?}");
            assert!(
                wrong[0].0.contains("uses the dialect omp, the server lean"),
                "{wrong:?}"
            );
        }
        stage.sh(&problems(&stage, &[agent])[0].1).done();
        assert_eq!(problems(&stage, &[agent, "--simulate"]), []);
    }
}

#[test]
fn commands_that_a_refusal_names_speak_as_the_server_does() {
    let stage = stage();
    let said = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": stage.root(), "tool_name": "Bash",
        "tool_input": {"command": "sed -i s/one/uno/ a.txt"},
    });
    let said = said.to_string();
    let refused = stage
        .feed(&["hook", "--dialect", "lean"], said.as_bytes())
        .out;
    for part in [
        "`hashline read --dialect lean --header a.txt`",
        "hashline apply --dialect lean <<'EOF'",
        r#"\"op\":\"replace\",\"at\":\"ANCHOR\""#,
    ] {
        let plain = refused.replace("\\\\\"", "\\\"");
        assert!(plain.contains(part), "{part}: {refused}");
    }
    // It goes before what is configured, and so it does for the server.
    stage.write("hashline.toml", "dialect = \"push\"\n");
    let refused = stage
        .feed(&["hook", "--dialect", "lean"], said.as_bytes())
        .out;
    assert!(refused.contains("apply --dialect lean"), "{refused}");
    let refused = stage.feed(&["hook"], said.as_bytes()).out;
    assert!(refused.contains("replace_line"), "{refused}");
    let wrong = stage.feed(&["hook", "--dialect", "nope"], said.as_bytes());
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(0), ""), "{wrong:?}");
}

#[test]
fn setup_heeds_the_dialect_that_is_configured() {
    let user_file = "config/hashline/config.toml";
    for in_project in [true, false] {
        for agent in ["claude", "codex", "gemini", "opencode"] {
            let stage = stage();
            match in_project {
                true => stage.write("hashline.toml", "dialect = \"lean\"\n"),
                false => {
                    let file = stage.home().join(user_file);
                    fs::create_dir_all(file.parent().unwrap()).unwrap();
                    fs::write(file, "dialect = \"lean\"\n").unwrap();
                }
            }
            let told = stage.run(&["setup", agent]).done();
            assert!(told.contains("lean"), "{told}");
            let instructions = match agent {
                "claude" => "CLAUDE.md",
                "gemini" => "GEMINI.md",
                _ => "AGENTS.md",
            };
            let taught = stage.run(&["prompt", "--agent", agent, "--dialect", "lean"]);
            assert!(
                stage.text(instructions).contains(taught.done().trim()),
                "{agent}"
            );
            // What was written does not hang on the configuration any more.
            stage.write("hashline.toml", "");
            let _ = fs::remove_file(stage.home().join(user_file));
            assert_eq!(problems(&stage, &[agent, "--simulate"]), [], "{agent}");
            let again = stage.run(&["setup", agent]).done();
            assert!(again.contains("nothing to change"), "{again}");
            stage.run(&["setup", agent, "--dialect", "push"]).done();
            assert_eq!(problems(&stage, &[agent, "--simulate"]), [], "{agent}");
        }
    }
}

#[test]
fn a_projects_dialect_is_not_what_a_person_speaks_everywhere() {
    let stage = stage();
    stage.write("hashline.toml", "dialect = \"lean\"\n");
    let told = stage.run(&["setup", "claude", "--user"]).done();
    assert!(!told.contains("lean"), "{told}");
    // pi speaks its own, whatever is configured.
    stage.run(&["setup", "pi"]).done();
    assert_eq!(problems(&stage, &["pi"]), []);
    assert!(
        !stage
            .text(".pi/extensions/hashline.ts")
            .contains("DIALECT = \"lean\"")
    );
}

#[test]
fn a_dialect_that_is_configured_later_is_a_problem_that_setup_mends() {
    let stage = stage();
    stage.run(&["setup", "claude"]).done();
    assert_eq!(problems(&stage, &["claude"]), []);
    stage.write("hashline.toml", "dialect = \"lean\"\n");
    let wrong = problems(&stage, &["claude"]);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].0.contains("instructions teach omp"), "{wrong:?}");
    stage.sh(&wrong[0].1).done();
    assert_eq!(problems(&stage, &["claude", "--simulate"]), []);
}
