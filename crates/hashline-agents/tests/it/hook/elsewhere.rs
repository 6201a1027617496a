//! Where files are: a client that went to another folder, several roots, links.

use std::fs;
use std::path::PathBuf;

use hashline_agents::hook::HookAnswer;
use serde_json::{Value, json};

use super::stage::Stage;

/// A project that was opened, and a folder beside it with a repository of its own.
fn stage() -> Stage {
    let stage = Stage::new().opened();
    stage.write("../q/q.txt", b"q\n");
    stage.write("../q/.git/HEAD", b"ref\n");
    stage
}

fn before(cwd: &str, tool: &str, input: &Value) -> Value {
    json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": cwd, "tool_name": tool, "tool_input": input})
}

fn edit(cwd: &str, path: &str) -> Value {
    before(
        cwd,
        "Edit",
        &json!({"file_path": path, "old_string": "a", "new_string": "b"}),
    )
}

fn shell(cwd: &str, command: &str) -> Value {
    before(cwd, "Bash", &json!({ "command": command }))
}

/// Returns why something is refused; nothing if it passes in silence.
fn reason(answer: HookAnswer) -> Option<String> {
    assert_eq!(answer.err, None);
    let out = answer.out?;
    let reason = &out["hookSpecificOutput"]["permissionDecisionReason"];
    Some(
        reason
            .as_str()
            .unwrap_or_else(|| panic!("{out}"))
            .to_owned(),
    )
}

#[test]
fn what_lies_outside_of_the_project_passes_wherever_the_client_went() {
    let stage = stage();
    for said in [
        before(
            "$ROOT/../q",
            "Write",
            &json!({"file_path": "$ROOT/../q/new.txt", "content": "x"}),
        ),
        edit("$ROOT/../q", "$ROOT/../q/q.txt"),
        edit("$ROOT/../q", "q.txt"),
        shell("$ROOT/../q", "cat q.txt"),
        shell("$ROOT/../q", "echo x > q.txt"),
        shell("$ROOT/../q", "cat $f *.txt"),
        shell("$ROOT/../q", "git apply p.diff"),
        shell("/tmp", "cat /tmp/out.txt; make > build.txt"),
    ] {
        assert_eq!(reason(stage.hear(&said)), None, "{said}");
    }
}

#[test]
fn files_of_the_project_are_ours_wherever_the_client_went() {
    let stage = stage();
    let root = stage.root();
    let root = root.to_str().unwrap();
    for cwd in ["$ROOT/../q", "$ROOT/src", "/tmp"] {
        let told = reason(stage.hear(&edit(cwd, "$ROOT/a.txt"))).unwrap();
        assert!(
            told.contains(&format!(r#"__read` {{"path":"{root}/a.txt"}}"#)),
            "{cwd}: {told}"
        );
        for command in [
            "sed -i s/a/b/ $ROOT/a.txt",
            "cat $ROOT/a.txt",
            "cat $ROOT/*.txt",
        ] {
            let refused = reason(stage.hear(&shell(cwd, command)));
            assert!(refused.is_some(), "{cwd}: {command}");
        }
    }
    let cursor = json!({
        "hook_event_name": "beforeShellExecution", "conversation_id": "c", "workspace_roots": ["$ROOT"], "cwd": "/tmp",
        "command": "cat /tmp/out.txt",
    });
    assert_eq!(Stage::new().hear(&cursor).out, Some(json!({})));
}

#[test]
fn a_tool_and_a_shell_may_work_in_different_folders() {
    let stage = stage();
    let root = stage.root();
    let root = root.to_str().unwrap();
    let told = reason(stage.hear(&shell("$ROOT/src", "cat 'b c.txt'"))).unwrap();
    assert!(
        told.contains("`hashline read --header 'b c.txt'`"),
        "{told}"
    );
    assert!(
        told.contains(&format!(r#"{{"path":"{root}/src/b c.txt"}}"#)),
        "{told}"
    );
    // From there the program would find another root.
    let told = reason(stage.hear(&shell("$ROOT/../q", "echo x > $ROOT/new.txt"))).unwrap();
    assert!(
        told.contains(&format!("hashline apply --root {root} <<")),
        "{told}"
    );
}

#[test]
fn lines_that_are_read_elsewhere_get_anchors_for_a_path_that_our_server_knows() {
    let stage = stage();
    let said = json!({
        "hook_event_name": "PostToolUse", "session_id": "s", "cwd": "$ROOT/../q", "tool_name": "Read",
        "tool_input": {"file_path": "$ROOT/a.txt"},
        "tool_response": {"type": "text", "file": {"content": "one\ntwo\nthree\n", "startLine": 1}},
    });
    let out = stage.hear(&said).out.unwrap();
    let context = out["hookSpecificOutput"]["additionalContext"].as_str();
    let path = stage.root().join("a.txt");
    assert!(
        context.unwrap().starts_with(path.to_str().unwrap()),
        "{context:?}"
    );
}

/// Every root that a workspace opens is guarded, by whatever it was named.
#[test]
fn all_roots_are_guarded() {
    let of_user = |roots: &[&str]| {
        let mut stage = Stage::new();
        stage.write("../q/q.txt", b"q\n");
        stage.write("sub/.git/HEAD", b"ref\n");
        let config = stage.filled(&format!("roots = {}\n", json!(roots)));
        // Nothing beside the user's file may be written, so it lies in a folder of its own.
        stage.write("../user/config.toml", config.as_bytes());
        stage.around.service.user_file = Some(stage.root().join("../user/config.toml"));
        stage
    };
    let named = |roots: &[&str]| {
        let mut stage = of_user(&[]);
        stage.around.service.user_file = None;
        let roots = roots.iter().map(|root| PathBuf::from(stage.filled(root)));
        stage.around.service.roots = roots.collect();
        stage
    };
    for two in [
        of_user(&["$ROOT", "$ROOT/../q"]),
        named(&["$ROOT", "$ROOT/../q"]),
    ] {
        for command in ["sed -i s/q/r/ ../q/q.txt", "cat ../q/q.txt", "cat a.txt"] {
            assert!(
                reason(two.hear(&shell("$ROOT", command))).is_some(),
                "{command}"
            );
        }
        assert!(reason(two.hear(&edit("$ROOT", "$ROOT/../q/q.txt"))).is_some());
        assert_eq!(
            reason(two.hear(&shell("$ROOT", "cp a.txt ../q/c.txt"))),
            None
        );
    }
    let one = of_user(&["$ROOT"]);
    assert!(reason(one.hear(&shell("$ROOT/sub", "cat ../a.txt"))).is_some());
    for command in ["cat $f", "cat q.txt", "echo x > *.txt", "git apply p"] {
        let answer = one.hear(&shell("$ROOT/../q", command));
        assert_eq!(reason(answer), None, "{command}");
    }
}

#[cfg(unix)]
#[test]
fn a_root_is_known_by_way_of_a_link_too() {
    let stage = Stage::new();
    let link = stage.root().join("../link");
    std::os::unix::fs::symlink(stage.root(), &link).unwrap();
    let link = fs::canonicalize(link.parent().unwrap())
        .unwrap()
        .join("link");
    let link = link.to_str().unwrap();
    for (cwd, path) in [
        (link, "$ROOT/a.txt".to_owned()),
        (link, format!("{link}/a.txt")),
        (link, "a.txt".to_owned()),
        ("$ROOT", format!("{link}/a.txt")),
    ] {
        assert!(
            reason(stage.hear(&edit(cwd, &path))).is_some(),
            "{cwd} {path}"
        );
    }
    for path in ["$ROOT/a.txt", &format!("{link}/a.txt"), "a.txt"] {
        let refused = reason(stage.hear(&shell(link, &format!("cat {path}"))));
        assert!(refused.is_some(), "{path}");
    }
}
