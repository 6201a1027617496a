//! The hook and the mode of the client: hashline does nothing that the client's own edit tool may not do now.

use serde_json::{Value, json};

use super::stage::Stage;

fn said(mode: &str, tool: &str, input: &Value) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "$ROOT", "permission_mode": mode,
        "tool_name": tool, "tool_input": input,
    })
}

/// Returns what the hook decides; `none` if it leaves the decision to the client.
fn decided(stage: &Stage, said: &Value) -> (String, String) {
    let out = stage.hear(said).out.unwrap_or_default();
    let answer = &out["hookSpecificOutput"];
    let text = |key: &str| answer[key].as_str().unwrap_or("none").to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

#[test]
fn our_edits_are_refused_allowed_or_left_to_the_client_as_its_mode_says() {
    let edit = edit("a.txt");
    let write = json!({"path": "a.txt", "content": "x"});
    let tools = [
        ("mcp__hl__edit", &edit),
        ("mcp__hl__write", &write),
        ("mcp__plugin_hashline_hl__edit", &edit),
        ("mcp__plugin_hashline_hl__write", &write),
    ];
    // Also where the hook says nothing about the client's own tools.
    for stage in [
        Stage::new(),
        Stage::new().with("hook.native=off").with("hook.shell=off"),
    ] {
        for (tool, input) in tools {
            for (mode, expected) in [
                ("plan", "deny"),
                ("default", "none"),
                ("dontAsk", "none"),
                ("acceptEdits", "allow"),
                // Nothing is asked in this mode, except what a rule of the user says.
                ("bypassPermissions", "none"),
            ] {
                let (decision, reason) = decided(&stage, &said(mode, tool, input));
                assert_eq!(decision, expected, "{tool} in {mode}");
                if expected == "deny" {
                    assert!(reason.starts_with("Nothing was written: this is plan mode"));
                }
            }
        }
    }
}

/// Returns the ways in which a request can change a file.
fn requests(path: &str) -> Vec<(&'static str, Value)> {
    let append = json!([{"op": "append", "lines": ["x"]}]);
    let entry = json!({"path": path, "edits": append});
    let moved = json!([{"op": "move", "to_path": path}]);
    let add = json!({"op": "add_file", "path": path, "content": "x"});
    vec![
        ("edit", edit(path)),
        ("edit", entry.clone()),
        ("edit", json!({"file_path": path, "edits": append})),
        ("edit", json!({"files": [edit("src/b c.txt"), entry]})),
        (
            "edit",
            json!({"path": "src/b c.txt", "rev": "00000000", "edits": moved}),
        ),
        ("edit", json!({"patch": [add]})),
        ("write", json!({"path": path, "content": "x"})),
        (
            "write",
            json!({"path": path, "content": "x", "rev": "00000000"}),
        ),
    ]
}

fn edit(path: &str) -> Value {
    json!({"path": path, "rev": "00000000", "edits": [{"op": "append", "lines": ["x"]}]})
}

#[test]
fn where_edits_are_accepted_they_are_only_in_ordinary_files_below_the_working_directory() {
    let stage = Stage::new().with("protected.unlock=.vscode,.claude,.bashrc");
    stage.write("../elsewhere/a.txt", b"one\n");
    stage.write("src/.hidden/a.txt", b"one\n");
    #[cfg(unix)]
    for (target, link) in [
        ("../elsewhere", "out"),
        ("/etc/hosts", "hosts"),
        (".git", "dot"),
    ] {
        std::os::unix::fs::symlink(target, stage.root().join(link)).unwrap();
    }
    let decisions = |cwd: &str, path: &str| -> Vec<String> {
        let requests = requests(&stage.filled(path)).into_iter();
        requests
            .map(|(tool, input)| {
                let mut said = said("acceptEdits", &format!("mcp__hl__{tool}"), &input);
                said["cwd"] = cwd.into();
                decided(&stage, &said).0
            })
            .collect()
    };
    for path in [
        "a.txt",
        "new.txt",
        "$ROOT/a.txt",
        "src/.hidden/a.txt",
        "src/new/b.txt",
    ] {
        let all = decisions("$ROOT", path);
        assert!(all.iter().all(|one| one == "allow"), "{path}: {all:?}");
    }
    let guarded = [
        "/etc/passwd",
        "$ROOT/../elsewhere/a.txt",
        "../elsewhere/a.txt",
        "out/a.txt",
        "hosts",
        "dot/config",
        ".bashrc",
        ".zshrc",
        "home/.profile",
        ".gitconfig",
        ".gitmodules",
        ".ripgreprc",
        ".mcp.json",
        ".claude.json",
        ".claude/settings.json",
        ".git/config",
        ".vscode/settings.json",
        ".VSCode/settings.json",
        ".idea/a.xml",
        "src/.husky/pre-commit",
        "",
    ];
    for path in guarded {
        let all = decisions("$ROOT", path);
        assert!(all.iter().all(|one| one == "none"), "{path}: {all:?}");
    }
    // The command that was run last may have left the folder that is open.
    let below = decisions("$ROOT/src", "$ROOT/src/b.txt");
    assert!(
        below.iter().all(|one| one == "none" || one == "allow") && below[0] == "allow",
        "{below:?}"
    );
    let above = decisions("$ROOT/src", "$ROOT/a.txt");
    assert!(above.iter().all(|one| one == "none"), "{above:?}");
}

#[test]
fn what_our_server_would_refuse_is_not_allowed() {
    let stage = Stage::new();
    for input in [
        json!({}),
        json!({"path": "a.txt"}),
        json!({"path": 1, "edits": []}),
        json!([]),
    ] {
        for tool in ["mcp__hl__edit", "mcp__hl__write"] {
            let (decision, _) = decided(&stage, &said("acceptEdits", tool, &input));
            assert_eq!(decision, "none", "{input}");
        }
    }
}

#[test]
fn in_plan_mode_no_command_of_ours_writes() {
    let stage = Stage::new().with("hook.shell=off");
    for (command, refused) in [
        ("hashline apply --input r.json", true),
        ("echo '{}' | /opt/bin/hashline apply a.txt", true),
        ("sh -c \"hashline --root . apply\"", true),
        ("hashline recover", true),
        ("hashline recover --finish-new", true),
        ("hashline setup claude", true),
        ("hashline mcp <calls.json", true),
        ("hashline man man", true),
        // As a shell reads it.
        ("hashline ap''ply", true),
        ("ha\"sh\"line a\\pply --input r.json", true),
        ("{hashline,apply}", true),
        ("h=hashline; $h apply", true),
        ("export h=/opt/bin/hashline && a=apply && \"$h\" $a", true),
        ("h=hash; h2=${h}line; $h2 apply", true),
        ("c='hashline apply'; $c --input r.json", true),
        ("c='hashline apply'; eval \"$c\"", true),
        ("bash -c \"$(echo hashline apply)\"", true),
        ("for c in verify apply; do hashline $c; done", true),
        ("$(which hashline) apply", true),
        ("/opt/bin/hashlin? apply", true),
        ("hashline $1", true),
        ("f() { hashline \"$@\"; }; f apply", true),
        ("alias h=hashline; h apply", true),
        (
            "sudo -u me env A=1 hashline --root . --set page=9000 --json apply",
            true,
        ),
        ("ls *.json | xargs -n1 hashline apply --input", true),
        (
            "find . -name '*.json' -exec hashline apply --input {} ';'",
            true,
        ),
        (
            "python3 -c \"import subprocess; subprocess.run(['hashline', 'apply'])\"",
            true,
        ),
        ("hashline apply 'unclosed", true),
        ("hashline read a.txt", false),
        ("hashline --root apply read a.txt", false),
        ("h=hashline; $h read apply", false),
        ("hashline search apply", false),
        ("hashline search word", false),
        ("grep -rn 'hashline apply' docs", false),
        ("echo hashline apply", false),
        ("rg -l hashline && make setup", false),
        ("x=1; $x read", false),
        ("cargo test", false),
    ] {
        let input = json!({"command": command});
        let (decision, _) = decided(&stage, &said("plan", "Bash", &input));
        assert_eq!(decision == "deny", refused, "{command}");
        let (decision, _) = decided(&stage, &said("default", "Bash", &input));
        assert_eq!(decision, "none", "{command}");
    }
}
