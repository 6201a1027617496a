//! The fuzz target for requests: any bytes, read in every dialect and done on a small tree of files, must give an answer.

use std::collections::BTreeMap;

use hashline_core::dialect::Dialect;
use hashline_core::files::edit_files;
use hashline_core::{Document, Policy};
use hashline_wire::answer::common;
use hashline_wire::render::{human, model};
use hashline_wire::request::{Limits, parse_read};
use hashline_wire::{AnswerOptions, Outcome, ParseOptions, Profile, Refusal, answer, parse};

/// Reads anything as a request, does it, and renders the answer for every reader.
///
/// # Panics
///
/// If a refusal does not begin with the fact that nothing was written, or its code is not `bad_request` for what is not JSON.
pub fn request(data: &[u8]) {
    let files = BTreeMap::from([
        ("a.txt".to_owned(), Document::new("one\ntwo\nthree\n")),
        ("b.txt".to_owned(), Document::new("\u{feff}x\r\n\r\ny")),
    ]);
    let dialects = std::iter::once(None).chain(Dialect::ALL.map(Some));
    for dialect in dialects {
        for (profile, policy) in [
            (Profile::Default, Policy::new as fn(_) -> _),
            (Profile::Seed, hashline_reference::seed_policy),
        ] {
            let options = ParseOptions {
                dialect,
                path: Some("a.txt"),
                profile,
                ..ParseOptions::default()
            };
            let mut answer_options = AnswerOptions::new(dialect.unwrap_or_default());
            let outcome: Outcome =
                parse(data, &options)
                    .map_err(Refusal::from)
                    .and_then(|parsed| {
                        answer_options = AnswerOptions::from(&parsed);
                        edit_files(parsed.request, &files, &policy(parsed.dialect))
                            .map_err(|error| Refusal::of_files(error, &answer_options))
                    });
            check(&answer_options, &outcome, data);
        }
        let read = parse_read(data, dialect.unwrap_or_default(), &Limits::default());
        assert!(read.is_err() || serde_json::from_slice::<serde_json::Value>(data).is_ok());
    }
}

fn check(answer_options: &AnswerOptions, outcome: &Outcome, data: &[u8]) {
    let text = model::answer(answer_options, outcome);
    let object = serde_json::to_value(common(answer_options, outcome)).expect("it is JSON");
    assert_eq!(object["ok"], outcome.is_ok());
    assert!(
        outcome
            .as_ref()
            .err()
            .is_none_or(|refusal| !human::refusal(refusal).is_empty())
    );
    let own = serde_json::to_value(answer(answer_options, outcome)).expect("it is JSON");
    assert!(own.is_object());
    if let Err(refusal) = outcome {
        assert!(text.starts_with(model::NOTHING_WRITTEN), "{text}");
        let is_json = serde_json::from_slice::<serde_json::Value>(data).is_ok();
        assert!(
            is_json || ["bad_request", "too_large", "too_many"].contains(&refusal.code().as_str())
        );
    }
}
