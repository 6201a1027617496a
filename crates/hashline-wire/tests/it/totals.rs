//! What was counted, as the three readers of `stats` see it.

use std::collections::BTreeMap;
use std::time::Duration;

use hashline_core::totals::{Tally, Totals, Work};
use hashline_wire::render::totals::{to_model, to_person, to_program};

fn counts(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
    pairs
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect()
}

#[test]
fn totals_for_the_three_readers() {
    let read = Tally {
        done: 1200,
        refused: counts(&[("too_large", 3)]),
        time: Duration::from_millis(2406),
        ..Tally::default()
    };
    let apply = Tally {
        done: 90,
        refused: counts(&[("ambiguous", 2), ("io", 1), ("stale", 7)]),
        repairs: counts(&[("copied_anchors", 4), ("hyphens", 1)]),
        moved: 12,
        time: Duration::from_secs(1),
    };
    let totals = Totals {
        works: BTreeMap::from([(Work::Read, read), (Work::Apply, apply)]),
    };
    let texts = [
        to_person(&totals),
        to_model(&totals),
        to_program(&totals).to_string(),
    ];
    insta::assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn nothing_counted_is_said_as_well() {
    let totals = Totals::default();
    assert_eq!(to_person(&totals), "nothing was counted yet");
    assert_eq!(to_model(&totals), "Nothing was counted yet.");
    assert_eq!(to_program(&totals).to_string(), r#"{"ok":true,"works":{}}"#);
}
