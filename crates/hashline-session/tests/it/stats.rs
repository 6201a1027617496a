//! The counters, as the readers of `stats` see them.

use std::collections::BTreeMap;
use std::time::Duration;

use hashline_session::words::{stats_answer, stats_table};
use hashline_workspace::counters::totals::{Tally, Totals, Work};

fn counts(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
    pairs
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect()
}

fn json(totals: &Totals) -> String {
    serde_json::to_string(&stats_answer(totals)).expect("it is JSON")
}

#[test]
fn totals_for_a_person_and_a_program() {
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
    let texts = [stats_table(&totals), json(&totals)];
    insta::assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn nothing_counted_is_said_as_well() {
    let totals = Totals::default();
    assert_eq!(stats_table(&totals), "nothing counted yet");
    assert_eq!(json(&totals), r#"{"ok":true,"works":{}}"#);
}
