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
    let edit = json!({"path": "a.txt", "rev": "00000000", "edits": []});
    let tools = [
        "mcp__hl__edit",
        "mcp__hl__write",
        "mcp__plugin_hashline_hl__edit",
        "mcp__plugin_hashline_hl__write",
    ];
    // Also where the hook says nothing about the client's own tools.
    for stage in [
        Stage::new(),
        Stage::new().with("hook.native=off").with("hook.shell=off"),
    ] {
        for tool in tools {
            for (mode, expected) in [
                ("plan", "deny"),
                ("default", "none"),
                ("dontAsk", "none"),
                ("acceptEdits", "allow"),
                ("bypassPermissions", "allow"),
            ] {
                let (decision, reason) = decided(&stage, &said(mode, tool, &edit));
                assert_eq!(decision, expected, "{tool} in {mode}");
                if expected == "deny" {
                    assert!(reason.starts_with("Nothing was written: this is plan mode"));
                }
            }
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
        ("hashline read a.txt", false),
        ("hashline search word", false),
        ("cargo test", false),
    ] {
        let input = json!({"command": command});
        let (decision, _) = decided(&stage, &said("plan", "Bash", &input));
        assert_eq!(decision == "deny", refused, "{command}");
        let (decision, _) = decided(&stage, &said("default", "Bash", &input));
        assert_eq!(decision, "none", "{command}");
    }
}
