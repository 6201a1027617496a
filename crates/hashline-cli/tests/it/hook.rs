//! `hashline hook` as an agent runs it: the agent's JSON in, its answer out, and no exit code that stops it by mistake.

use serde_json::{Value, json};

use crate::stage::{Ran, Stage};

fn stage() -> Stage {
    let stage = Stage::new(&[("a.txt", "one\ntwo\nthree\n")]);
    stage.write(".git/HEAD", "ref\n");
    stage
}

/// Runs the hook with what an agent says; `$ROOT` stands for the project.
fn hook(stage: &Stage, said: &Value) -> Ran {
    let root = stage.root();
    let said = said.to_string().replace("$ROOT", root.to_str().unwrap());
    stage.feed(&["hook"], said.as_bytes())
}

fn edit() -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "$ROOT", "tool_name": "Edit",
        "tool_input": {"file_path": "$ROOT/a.txt", "old_string": "two", "new_string": "deux"},
    })
}

#[test]
fn an_edit_is_refused_in_the_agents_own_way() {
    let refused = hook(&stage(), &edit());
    assert_eq!((refused.code, refused.err.as_str()), (Some(0), ""));
    let output = &refused.json()["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "deny");
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.starts_with("Nothing was written. Edit a.txt"),
        "{reason}"
    );
}

#[test]
fn in_a_plugin_our_tools_have_longer_names() {
    let stage = stage();
    let said = edit()
        .to_string()
        .replace("$ROOT", stage.root().to_str().unwrap());
    let refused = stage.sh(&format!(
        "echo '{said}' | CLAUDE_PLUGIN_ROOT=/p hashline hook"
    ));
    assert!(
        refused.out.contains("`mcp__plugin_hashline_hl__read`"),
        "{refused:?}"
    );
}

#[test]
fn an_agent_that_knows_only_exit_codes_gets_one() {
    let said = json!({"agent_action_name": "pre_run_command", "tool_info": {"command_line": "cat a.txt", "cwd": "$ROOT"}});
    let refused = hook(&stage(), &said);
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
    assert!(
        refused.err.contains("hashline read --header a.txt"),
        "{refused:?}"
    );
}

#[test]
fn anchors_that_were_put_into_a_read_land() {
    let stage = stage();
    stage.write("a.txt", "one\ntwo\nthree\nfour\n");
    let said = json!({
        "hook_event_name": "PostToolUse", "session_id": "s", "cwd": "$ROOT", "tool_name": "Read",
        "tool_input": {"file_path": "$ROOT/a.txt"},
        "tool_response": {"type": "text", "file": {
            "filePath": "$ROOT/a.txt", "content": "one\ntwo\nthree\nfour\n", "numLines": 5, "startLine": 1, "totalLines": 5,
        }},
    });
    let shown = hook(&stage, &said).json();
    let output = &shown["hookSpecificOutput"];
    let file = &output["updatedToolOutput"]["file"];
    assert_eq!(file["content"], "60|one\nf4|two\nf8|three\ndd|four\n");
    let context = output["additionalContext"].as_str().unwrap();
    let rev = context.split_once("rev ").unwrap().1.get(..8).unwrap();
    stage.write("a.txt", "new\nnew\nnew\nnew\none\ntwo\nthree\nfour\n");
    let request = json!({"path": "a.txt", "rev": rev, "edits": [{"set_line": {"anchor": "2:f4", "new_text": "deux"}}]});
    stage
        .feed(&["apply", "--session", "s"], request.to_string().as_bytes())
        .done();
    assert_eq!(
        stage.text("a.txt"),
        "new\nnew\nnew\nnew\none\ndeux\nthree\nfour\n"
    );
    let again =
        json!({"path": "a.txt", "edits": [{"set_line": {"anchor": "3:f8", "new_text": "trois"}}]});
    let of_another = stage.feed(&["apply", "--session", "t"], again.to_string().as_bytes());
    assert_eq!(
        of_another.code,
        Some(1),
        "another session was shown nothing: {of_another:?}"
    );
    stage
        .feed(&["apply", "--session", "s"], again.to_string().as_bytes())
        .done();
}

#[test]
fn it_is_turned_off_by_the_environment_and_by_a_file() {
    let stage = stage();
    let said = edit()
        .to_string()
        .replace("$ROOT", stage.root().to_str().unwrap());
    for word in ["off", "OFF"] {
        let off = stage.sh(&format!(
            "echo '{said}' | HASHLINE_HOOK={word} hashline hook"
        ));
        assert_eq!(
            (off.code, off.out.as_str(), off.err.as_str()),
            (Some(0), "", "")
        );
    }
    stage.write(".hashline-off", "");
    assert_eq!(hook(&stage, &edit()).out, "");
}

#[test]
fn settings_of_the_command_line_hold() {
    let stage = stage();
    let said = edit()
        .to_string()
        .replace("$ROOT", stage.root().to_str().unwrap());
    let passed = stage.feed(&["hook", "--set", "hook.native=off"], said.as_bytes());
    assert_eq!((passed.code, passed.out.as_str()), (Some(0), ""));
    let elsewhere = stage.feed(&["hook", "--root", "/usr"], said.as_bytes());
    assert_eq!(
        (elsewhere.code, elsewhere.out.as_str()),
        (Some(0), ""),
        "it lies outside of the root"
    );
}

#[test]
fn nothing_stops_an_agent_by_mistake() {
    let stage = stage();
    let huge = vec![b'x'; 9 << 20];
    let cases: [(&[&str], &[u8]); 9] = [
        (&["hook"], b""),
        (&["hook"], b"nonsense"),
        (&["hook"], br#"{"hook_event_name":"Dance"}"#),
        (&["hook"], &huge),
        (&["hook", "--bogus"], b"{}"),
        (&["hook", "--set", "hook.native=sometimes"], b"{}"),
        (&["hook", "--json", "--bogus"], b"{}"),
        (&["--root", "/", "hook", "--bogus"], b"{}"),
        (&["--json", "--root=/", "hook", "--bogus"], b"{}"),
    ];
    for (args, input) in cases {
        let ran = stage.feed(args, input);
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        assert!(
            ran.out.is_empty() && !ran.err.is_empty(),
            "{args:?}: {ran:?}"
        );
    }
}

/// A parser that goes over all of this again for each bracket that is not closed takes far longer than it is given.
#[test]
fn a_command_that_is_long_and_not_whole_keeps_nobody_waiting() {
    let stage = stage();
    let command = format!("{}{}", "( ".repeat(16), "{ cat a; }; ".repeat(5000));
    let said = json!({
        "hook_event_name": "PreToolUse", "cwd": stage.root(), "tool_name": "Bash", "tool_input": {"command": command},
    });
    stage.write("said.json", said.to_string());
    let passed = stage.sh("HASHLINE_HOOK_TIME=20 hashline hook < said.json");
    assert_eq!(passed.code, Some(0));
    assert!(!passed.out.contains("deny"), "{passed:?}");
    // On a slow machine all of the work is given up.
    let told = ["(not-shell)", "the hook took too long"];
    assert!(
        told.iter().any(|told| passed.err.contains(told)),
        "{passed:?}"
    );
}

/// A large file takes longer to read than this.
#[test]
fn work_that_takes_too_long_is_given_up_and_the_person_is_told() {
    let stage = stage();
    stage.write("large.txt", "a line of some length\n".repeat(2 << 20));
    let said = json!({
        "hook_event_name": "PostToolUse", "cwd": stage.root(), "tool_name": "Read",
        "tool_input": {"file_path": stage.path("large.txt")},
        "tool_response": {"type": "text", "file": {"content": "a line of some length", "startLine": 1}},
    });
    stage.write("said.json", said.to_string());
    let run = || {
        let passed = stage.sh("HASHLINE_HOOK_TIME=1 hashline hook < said.json");
        assert_eq!(passed.code, Some(0));
        let message = passed.json()["systemMessage"].clone();
        message
            .as_str()
            .is_some_and(|text| text.contains("too long"))
    };
    // On a busy machine the thread that checks the time may be scheduled too late, and the work is done in time.
    assert!((0..50).any(|_| run()), "no run was given up");
}

#[test]
fn the_command_it_suggests_for_a_path_with_a_dash_works() {
    let stage = Stage::new(&[(".git/HEAD", ""), ("-x y", "one\n")]);
    let said = json!({
        "hook_event_name": "PreToolUse", "cwd": stage.root(), "tool_name": "Edit",
        "tool_input": {"file_path": stage.path("-x y")},
    });
    let refused = stage.feed(&["hook"], said.to_string().as_bytes()).done();
    let command = refused
        .split('`')
        .find(|part| part.contains("read --header"));
    let shown = stage.sh(command.unwrap()).done();
    assert!(shown.contains("|one"), "{shown}");
}
