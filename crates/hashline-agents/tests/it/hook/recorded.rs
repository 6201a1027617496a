//! What clients really say, and what they are answered. A new case is a line in `tests/data`; the answers are snapshots.

use serde_json::{Value, json};

use super::stage::Stage;

/// The files of cases, one for each client: a name, what is said, a key of the configuration if one is set, and
/// whether the folder was opened.
const CASES: [(&str, &str); 6] = [
    ("claude", include_str!("../../data/hook/claude.jsonl")),
    ("codex", include_str!("../../data/hook/codex.jsonl")),
    ("gemini", include_str!("../../data/hook/gemini.jsonl")),
    ("cursor", include_str!("../../data/hook/cursor.jsonl")),
    ("windsurf", include_str!("../../data/hook/windsurf.jsonl")),
    ("copilot", include_str!("../../data/hook/copilot.jsonl")),
];

#[test]
fn every_client_is_answered_in_its_own_way() {
    for (client, cases) in CASES {
        let mut told = String::new();
        for case in cases.lines().filter(|line| !line.is_empty()) {
            let case: Value = serde_json::from_str(case).unwrap();
            let stage = match client {
                // These say which folder was opened, by the environment.
                "claude" | "gemini" if case["opened"] != false => Stage::new().opened(),
                _ => Stage::new(),
            };
            let stage = match case["set"].as_str() {
                Some(pair) => stage.with(pair),
                None => stage,
            };
            let answer = stage.hear(&case["said"]);
            let told_here = json!({"out": answer.out, "err": answer.err, "blocks": answer.blocks});
            let text = serde_json::to_string_pretty(&told_here).unwrap();
            let name = case["name"].as_str().unwrap();
            told.push_str(&format!("== {name}\n{}\n\n", stage.emptied(&text)));
        }
        insta::assert_snapshot!(client, told);
    }
}
