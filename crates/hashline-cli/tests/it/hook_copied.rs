//! What a refusal of the hook tells an agent to do, copied out of its text and done: it works.

use serde_json::{Value, json};

use crate::stage::Stage;

const DIALECTS: [&str; 6] = ["omp", "push", "cowboy", "openagent", "pi", "lean"];

fn stage() -> Stage {
    let stage = Stage::new(&[("a.txt", "one\ntwo\nthree\n")]);
    stage.write(".git/HEAD", "ref\n");
    stage.write("../q/.git/HEAD", "ref\n");
    stage
}

/// Returns why something is refused that an agent does in a folder.
fn reason(stage: &Stage, cwd: &str, tool: &str, input: &Value) -> String {
    let said = json!({
        "hook_event_name": "PreToolUse", "cwd": stage.path(cwd), "tool_name": tool, "tool_input": input,
    });
    stage.write("said.json", said.to_string());
    let refused = stage.sh("CLAUDE_PROJECT_DIR=\"$PWD\" hashline hook < said.json");
    let reason = &refused.json()["hookSpecificOutput"]["permissionDecisionReason"];
    reason.as_str().unwrap().to_owned()
}

fn patch(body: &str) -> Value {
    json!({"command": format!("*** Begin Patch\n{body}*** End Patch\n")})
}

/// Returns the lines of a script in a text.
fn script(reason: &str) -> &str {
    let (_, script) = reason.split_once("hashline apply").unwrap();
    let begin = reason.len() - script.len() - "hashline apply".len();
    let end = reason.find("\nEOF\n").unwrap() + "\nEOF\n".len();
    &reason[begin..end]
}

/// Returns the object that follows some words.
fn object(reason: &str, words: &str) -> Value {
    let (_, rest) = reason
        .split_once(words)
        .unwrap_or_else(|| panic!("{words}: {reason}"));
    let mut objects = serde_json::Deserializer::from_str(rest).into_iter();
    objects.next().unwrap().unwrap()
}

/// Calls a tool of the server, which works in the folder of the project.
fn call(stage: &Stage, tool: &str, arguments: &Value) -> String {
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
        }}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}),
    ];
    let input = messages.map(|message| format!("{message}\n")).concat();
    let out = stage.feed(&["mcp"], input.as_bytes()).out;
    let answer: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_ne!(answer["result"]["isError"], true, "{answer}");
    answer["result"]["content"][0]["text"].to_string()
}

#[test]
fn a_file_is_made_as_the_refusal_says() {
    for (cwd, tool, input) in [
        (".", "Write", json!({"file_path": "n.txt", "content": "x"})),
        (
            ".",
            "Edit",
            json!({"file_path": "n.txt", "old_string": "", "new_string": "x"}),
        ),
        (".", "apply_patch", patch("*** Add File: n.txt\n+x\n")),
        (
            "../q",
            "Write",
            json!({"file_path": "../files/n.txt", "content": "x"}),
        ),
    ] {
        let stage = stage();
        let told = reason(&stage, cwd, tool, &input);
        call(&stage, "write", &object(&told, "`mcp__hl__write` "));
        assert_eq!(stage.text("n.txt"), "TEXT", "{told}");
    }
    for (cwd, command) in [
        (".", "echo hi > n.txt"),
        ("../q", "echo hi > ../files/n.txt"),
    ] {
        let stage = stage();
        let told = reason(&stage, cwd, "Bash", &json!({ "command": command }));
        stage.sh(&format!("cd {cwd} && {}", script(&told))).done();
        assert_eq!(stage.text("n.txt"), "TEXT", "{told}");
    }
}

#[test]
fn files_are_made_deleted_and_moved_in_every_dialect() {
    for dialect in DIALECTS {
        let stage = stage();
        stage.write("hashline.toml", format!("dialect = \"{dialect}\"\n"));
        for (body, path, left) in [
            ("*** Add File: n.txt\n+x\n", "n.txt", Some("TEXT")),
            (
                "*** Update File: a.txt\n*** Move to: m.txt\n",
                "m.txt",
                Some("one\ntwo\nthree\n"),
            ),
            ("*** Delete File: m.txt\n", "m.txt", None),
        ] {
            let told = reason(&stage, ".", "apply_patch", &patch(body));
            let request = object(&told, "`hashline apply` with ");
            stage
                .feed(&["apply"], request.to_string().as_bytes())
                .done();
            let text = left.map(|_| stage.text(path));
            assert_eq!(text.as_deref(), left, "{dialect}: {told}");
            assert_eq!(
                stage.path(path).exists(),
                left.is_some(),
                "{dialect}: {told}"
            );
        }
        let told = reason(
            &stage,
            ".",
            "apply_patch",
            &patch("*** Delete File: n.txt\n"),
        );
        let read = call(&stage, "read", &object(&told, "`mcp__hl__read` "));
        let rev = &read.split("rev ").nth(1).unwrap()[..8];
        let edit = object(&told, "`mcp__hl__edit` ").to_string();
        let edit: Value = serde_json::from_str(&edit.replace("REV", rev)).unwrap();
        call(&stage, "edit", &edit);
        assert!(!stage.path("n.txt").exists(), "{dialect}: {told}");
    }
}

#[test]
fn a_line_is_changed_as_the_refusal_says_in_every_dialect() {
    for dialect in DIALECTS {
        let stage = stage();
        stage.write("hashline.toml", format!("dialect = \"{dialect}\"\n"));
        let told = reason(
            &stage,
            ".",
            "Bash",
            &json!({"command": "sed -i s/two/x/ a.txt"}),
        );
        let read = told
            .split('`')
            .find(|part| part.starts_with("hashline read"));
        let shown = stage.sh(read.unwrap()).done();
        let rev = shown.split_once("rev ").unwrap().1.get(..8).unwrap();
        let second = shown.lines().nth(2).unwrap();
        let (anchor, _) = second.split_once(['|', '\t']).unwrap();
        let script = script(&told).replace("REV", rev).replace("ANCHOR", anchor);
        stage.sh(&script).done();
        assert_eq!(
            stage.text("a.txt"),
            "one\nTEXT\nthree\n",
            "{dialect}: {told}"
        );
    }
}

#[test]
fn a_file_is_read_as_the_refusal_says_wherever_the_agent_went() {
    for cwd in [".", "../q", ".."] {
        let stage = stage();
        let input = json!({"file_path": stage.path("a.txt"), "old_string": "a"});
        let told = reason(&stage, cwd, "Edit", &input);
        let shown = call(&stage, "read", &object(&told, "`mcp__hl__read` "));
        assert!(shown.contains("two"), "{shown}");
    }
}

#[test]
fn what_the_guard_says_to_run_instead_runs() {
    let stage = stage();
    stage.write("-dash.py", "x = 1\n");
    stage.write("my notes.md", "# Notes\n");
    for command in ["cat -- -dash.py", "cat 'my notes.md'", "head -2 a.txt"] {
        let told = stage.run(&["guard", "--json", command]).json();
        let shown = stage.sh(told["instead"].as_str().unwrap()).done();
        assert!(shown.contains("rev"), "{shown}");
    }
    let told = stage.run(&["guard", "--json", "cat \"$f\""]).json();
    assert_eq!(told["instead"], "hashline read --header PATH");
}
