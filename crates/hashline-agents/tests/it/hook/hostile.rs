//! Nothing that comes in stops a client for a reason of our own, and nothing breaks.

use hashline_agents::hook::{HookOptions, MAX_INPUT, answer};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::stage::Stage;

fn passes(input: &[u8]) -> bool {
    let answer = answer(input, &HookOptions::default());
    !answer.blocks && answer.out.is_none() && answer.err.is_some()
}

#[test]
fn what_is_no_event_passes_and_is_told() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for input in [
        "",
        " \n\t",
        "{",
        "null",
        "[]",
        "7",
        "\"PreToolUse\"",
        "{}",
        "\u{0}",
        "nonsense",
        r#"{"hook_event_name":"Dance"}"#,
        r#"{"hook_event_name":7}"#,
        r#"{"agent_action_name":"dance"}"#,
        r#"{"toolName":"edit"}"#,
        r#"{"hook_event_name":"PreToolUse"} trailing"#,
        &deep,
    ] {
        assert!(passes(input.as_bytes()), "{input:.60}");
    }
    assert!(passes(b"\xff\xfe"));
    assert!(passes(&vec![b' '; MAX_INPUT + 1]));
}

#[test]
fn an_event_that_concerns_nobody_passes_in_silence() {
    for event in ["Stop", "UserPromptSubmit", "SessionEnd", "PostToolBatch"] {
        let said = json!({"hook_event_name": event, "cwd": "$ROOT", "tool_name": "Edit", "tool_input": {"file_path": "$ROOT/a.txt"}});
        let answer = Stage::new().hear(&said);
        assert_eq!(
            (answer.out, answer.err, answer.blocks),
            (None, None, false),
            "{event}"
        );
    }
}

#[test]
fn a_path_that_looks_like_an_option_is_still_a_path() {
    let stage = Stage::new();
    stage.write("-x y", b"one\n");
    let said = json!({
        "hook_event_name": "PreToolUse", "cwd": "$ROOT", "tool_name": "Edit", "tool_input": {"file_path": "$ROOT/-x y"},
    });
    let refused = stage.hear(&said).out.unwrap().to_string();
    assert!(
        refused.contains("`hashline read --header './-x y'`"),
        "{refused}"
    );
}

#[test]
fn a_command_that_cannot_be_judged_passes_and_is_told() {
    let said = json!({
        "hook_event_name": "PreToolUse", "cwd": "$ROOT", "tool_name": "Bash", "tool_input": {"command": "echo \"open"},
    });
    let answer = Stage::new().hear(&said);
    assert_eq!(answer.out, None);
    assert!(answer.err.unwrap().contains("not-shell"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop::sample::select(WORDS.to_vec()).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(FIELDS.to_vec()), inner, 0..6)
                .prop_map(|fields| fields
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect()),
        ]
    })
}

const WORDS: [&str; 16] = [
    "PreToolUse",
    "PostToolUse",
    "BeforeTool",
    "AfterTool",
    "preToolUse",
    "SessionStart",
    "Edit",
    "Write",
    "Read",
    "Bash",
    "pre_write_code",
    "text",
    "/nowhere/a.txt",
    "../../..",
    "$ROOT",
    "$ROOT/a.txt",
];
const FIELDS: [&str; 20] = [
    "hook_event_name",
    "agent_action_name",
    "toolName",
    "toolArgs",
    "toolResult",
    "tool_name",
    "tool_input",
    "tool_response",
    "file",
    "content",
    "startLine",
    "file_path",
    "command",
    "cwd",
    "conversation_id",
    "workspace_roots",
    "tool_info",
    "type",
    "llmContent",
    "session_id",
];

/// Replaces what lies at one place of a value.
fn spoiled(value: &Value, place: usize, by: &Value) -> Value {
    let mut left = place;
    spoil(value, &mut left, by)
}

fn spoil(value: &Value, left: &mut usize, by: &Value) -> Value {
    if *left == 0 {
        *left = usize::MAX;
        return by.clone();
    }
    *left -= 1;
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), spoil(value, left, by)))
            .collect(),
        Value::Array(items) => items.iter().map(|item| spoil(item, left, by)).collect(),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_pass(input in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(!answer(&input, &HookOptions::default()).blocks);
    }

    #[test]
    fn any_object_of_a_client_that_is_nowhere_passes(said in any_json()) {
        let answer = answer(said.to_string().as_bytes(), &HookOptions::default());
        let out = answer.out.unwrap_or_default().to_string();
        prop_assert!(!answer.blocks && !out.contains("deny"), "{out}");
    }
}

/// Whatever is said of a project that is there, nobody is told `allow`, and only what names a tool of ours is refused.
#[test]
fn any_object_is_answered_and_none_is_allowed() {
    let stage = Stage::new();
    let mut runner = TestRunner::new(ProptestConfig::with_cases(512));
    let refused = std::cell::Cell::new(0);
    let told = runner.run(&(any_json(), any_call()), |(said, call)| {
        let mut said = said;
        if let (Value::Object(said), Value::Object(call)) = (&mut said, call) {
            said.extend(call);
        }
        let answer = stage.hear(&said);
        let out = answer.out.unwrap_or_default().to_string();
        prop_assert!(!out.contains("allow"), "{said}: {out}");
        refused.set(refused.get() + usize::from(out.contains("deny") || answer.blocks));
        Ok(())
    });
    told.unwrap();
    assert!(refused.get() > 0, "the project was never reached");
}

/// Part of a call about a file that is there.
fn any_call() -> impl Strategy<Value = Value> {
    let events = ["PreToolUse", "BeforeTool", "preToolUse", "Stop"];
    let tools = ["Edit", "Write", "Bash", "replace", "Shell", "Read", "x"];
    let (events, tools) = (events.to_vec(), tools.to_vec());
    let parts = (prop::sample::select(events), prop::sample::select(tools));
    parts.prop_map(|(event, tool)| {
        json!({
            "hook_event_name": event, "cwd": "$ROOT", "tool_name": tool,
            "tool_input": {"file_path": "$ROOT/a.txt", "command": "cat a.txt"},
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_a_client_really_says_may_be_spoiled_anywhere(which in any::<prop::sample::Index>(), place in 0_usize..24, by in any_json()) {
        let cases: Vec<&str> = include_str!("../../data/hook/claude.jsonl").lines().chain(include_str!("../../data/hook/gemini.jsonl").lines()).collect();
        let case: Value = serde_json::from_str(cases[which.index(cases.len())]).unwrap();
        let stage = Stage::new();
        let answer = stage.hear(&spoiled(&case["said"], place, &by));
        prop_assert!(!answer.blocks);
    }
}
