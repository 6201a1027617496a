//! For any file and any edits, the program, its JSON answer and the library say and do the same.

use hashline_core::Policy;
use hashline_core::files::edit_files;
use hashline_core::scheme::Scheme;
use hashline_core::{Document, render};
use hashline_wire::{AnswerOptions, Outcome, ParseOptions, Refusal, answer, parse};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::stage::Stage;

/// Lines that repeat, blank ones, odd letters; any ending, or none at the end.
fn file() -> impl Strategy<Value = String> {
    let line = prop_oneof!["[ab]{0,2}", Just("}".to_owned()), "\\PC{0,8}"];
    let ending = prop_oneof![Just("\n"), Just("\r\n")];
    let lines = prop::collection::vec((line, ending), 0..12);
    (lines, any::<bool>()).prop_map(|(lines, ends)| {
        let mut text: String = lines
            .iter()
            .map(|(line, ending)| format!("{line}{ending}"))
            .collect();
        if !ends && text.ends_with('\n') {
            text.pop();
        }
        text
    })
}

/// Edits that name lines by their place; some name none.
fn edits() -> impl Strategy<Value = Vec<(usize, u8, String)>> {
    prop::collection::vec((0..14_usize, 0..6_u8, "\\PC{0,6}"), 1..4)
}

fn request(anchors: &[String], edits: &[(usize, u8, String)]) -> Value {
    let edits = edits.iter().map(|(at, kind, text)| {
        let anchor = anchors
            .get(*at)
            .cloned()
            .unwrap_or_else(|| format!("{}:00", at + 1));
        match kind {
            0 | 1 => json!({"op": "replace", "at": anchor, "lines": [text]}),
            2 => json!({"op": "delete", "at": anchor}),
            3 => json!({"op": "insert_after", "at": anchor, "lines": [text, ""]}),
            4 => json!({"op": "append", "lines": [text]}),
            _ => json!({"op": "substitute", "old": "a", "new": text}),
        }
    });
    json!({"path": "file.txt", "edits": edits.collect::<Vec<_>>()})
}

/// What the library does with a request on a file that nobody was shown anything of.
fn by_library(text: &str, request: &[u8]) -> (Value, String) {
    let files = std::collections::BTreeMap::from([("file.txt".to_owned(), Document::new(text))]);
    let parsed = match parse(request, &ParseOptions::default()) {
        Ok(parsed) => parsed,
        Err(bad) => {
            let terms = AnswerOptions::from(&bad);
            return (
                serde_json::to_value(answer::common(&terms, &Err(bad.into()))).expect("it is JSON"),
                text.to_owned(),
            );
        }
    };
    let terms = AnswerOptions::from(&parsed);
    let outcome: Outcome = edit_files(parsed.request, &files, &Policy::new(parsed.dialect))
        .map_err(|error| Refusal::of_files(error, &terms));
    let after = match &outcome {
        Ok(edited) => match edited.files.first() {
            Some(file) => String::from_utf8_lossy(file.edited.document.bytes()).into_owned(),
            None => text.to_owned(),
        },
        Err(_) => text.to_owned(),
    };
    (
        serde_json::to_value(answer::common(&terms, &outcome)).expect("it is JSON"),
        after,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_program_the_object_and_the_library_agree(text in file(), edits in edits()) {
        let document = Document::new(text.as_str());
        let lines = render::anchored(&document, document.all(), Scheme::Omp);
        let anchors: Vec<String> = lines.map(|line| line.anchor()).collect();
        let request = request(&anchors, &edits).to_string();
        let (answer, after) = by_library(&text, request.as_bytes());

        // Nothing was shown to anybody: as in the library.
        let stage = Stage::new(&[("file.txt", &text)]);
        let dry = stage.feed(&["apply", "--json", "--dry-run", "--emit", "window", "--set", "ledger.on=false"], request.as_bytes());
        prop_assert_eq!(stage.text("file.txt"), text.clone());
        prop_assert_eq!(&dry.json()["ok"], &answer["ok"]);
        let told = stage.feed(&["apply", "--json", "--set", "ledger.on=false"], request.as_bytes());
        prop_assert_eq!(told.json(), answer.clone());
        prop_assert_eq!(stage.text("file.txt"), after.clone());

        // In words the same happens.
        let stage = Stage::new(&[("file.txt", &text)]);
        let words = stage.feed(&["apply", "--set", "ledger.on=false"], request.as_bytes());
        prop_assert_eq!(stage.text("file.txt"), after.clone());
        prop_assert_eq!(words.code, told.code);

        // What is read is what there is, and stripped it is the text again.
        if !after.contains('\r') {
            let read = stage.run(&["read", "file.txt"]).done();
            let plain = stage.feed(&["strip"], read.as_bytes()).done();
            let ended = if after.is_empty() || after.ends_with('\n') { after } else { after + "\n" };
            prop_assert_eq!(plain, ended);
        }
    }
}
