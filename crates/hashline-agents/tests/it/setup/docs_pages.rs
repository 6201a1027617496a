//! The page of each agent quotes what the program really said.

use std::path::Path;

/// Returns what stands between fences of a kind.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```{kind}\n");
    let parts = page.split(fence.as_str()).skip(1);
    parts
        .map(|part| part.split("\n```").next().unwrap())
        .collect()
}

#[test]
fn what_a_page_quotes_stands_in_the_transcript() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents");
    for agent in ["claude", "codex", "opencode", "gemini", "pi"] {
        let page = std::fs::read_to_string(docs.join(format!("{agent}.md"))).unwrap();
        let transcript = docs.join(format!("transcripts/{agent}.md"));
        let transcript = std::fs::read_to_string(transcript).unwrap();
        let (_, looks) = page.split_once("## What it looks like").unwrap();
        let quoted = blocks(looks, "text");
        assert!(!quoted.is_empty(), "{agent} quotes nothing");
        for quote in quoted {
            assert!(transcript.contains(quote), "{agent} was not told: {quote}");
        }
    }
}
