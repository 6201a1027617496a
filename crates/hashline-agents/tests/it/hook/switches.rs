//! What turns the hook off, wholly or in parts.

use serde_json::{Value, json};

use super::stage::Stage;

fn edit() -> Value {
    json!({
        "hook_event_name": "PreToolUse", "cwd": "$ROOT/src", "tool_name": "Edit",
        "tool_input": {"file_path": "$ROOT/a.txt", "old_string": "two", "new_string": "deux"},
    })
}

fn shell() -> Value {
    json!({
        "hook_event_name": "PreToolUse", "cwd": "$ROOT/src", "tool_name": "Bash",
        "tool_input": {"command": "cat 'b c.txt'"},
    })
}

fn is_refused(stage: &Stage, said: &Value) -> bool {
    let out = stage.hear(said).out.unwrap_or_default();
    out["hookSpecificOutput"]["permissionDecision"] == "deny"
}

#[test]
fn without_a_switch_both_are_refused() {
    let stage = Stage::new();
    assert!(is_refused(&stage, &edit()) && is_refused(&stage, &shell()));
}

#[test]
fn the_person_turns_it_off() {
    let mut stage = Stage::new();
    stage.around.off = true;
    assert!(!is_refused(&stage, &edit()) && !is_refused(&stage, &shell()));
}

#[test]
fn a_file_turns_it_off_where_it_lies_and_below_up_to_the_root() {
    for (place, off) in [
        (".hashline-off", true),
        ("src/.hashline-off", true),
        ("src/deep/.hashline-off", false),
        ("other/.hashline-off", false),
        ("../.hashline-off", false),
    ] {
        let stage = Stage::new();
        stage.write(place, b"");
        assert_eq!(!is_refused(&stage, &edit()), off, "{place}");
    }
}

#[test]
fn settings_turn_off_one_thing_each() {
    let native = Stage::new().with("hook.native=off");
    assert!(!is_refused(&native, &edit()) && is_refused(&native, &shell()));
    let shells = Stage::new().with("hook.shell=off");
    assert!(is_refused(&shells, &edit()) && !is_refused(&shells, &shell()));
}

#[test]
fn the_file_of_a_root_sets_them_too() {
    let stage = Stage::new();
    stage.write("hashline.toml", b"[hook]\nnative = \"off\"\n");
    assert!(!is_refused(&stage, &edit()) && is_refused(&stage, &shell()));
}

#[test]
fn a_configuration_that_cannot_be_used_stops_nobody_and_is_told() {
    let stage = Stage::new();
    stage.write("hashline.toml", b"[hook]\nnative = \"sometimes\"\n");
    let answer = stage.hear(&edit());
    assert!(!is_refused(&stage, &edit()));
    let told = answer.err.unwrap();
    assert!(told.contains("allowed this call"), "{told}");
    assert!(
        told.contains("hashline.toml, line 2") && told.contains("`hook.native`"),
        "{told}"
    );
    assert_eq!(answer.out.unwrap()["systemMessage"], told);
}
