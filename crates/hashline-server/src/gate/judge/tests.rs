//! Numbers in, verdicts out.

use super::{Verdict, judge};
use crate::sample::{Sample, samples};

/// What is counted of one of the two ways of editing.
#[derive(Clone, Copy)]
struct Side {
    success: u32,
    stale: u32,
    error: u32,
    tasks: u32,
    retries: u32,
    /// How many calls took up to 4 ms, and how many of the others up to 8 ms.
    quick: u32,
    slow: u32,
}

/// Enough of everything, so that one number at a time can be changed.
const PLENTY: Side = Side {
    success: 900,
    stale: 50,
    error: 50,
    tasks: 100,
    retries: 100,
    quick: 1000,
    slow: 0,
};
/// As many calls, of which 80 % succeed, and retries.
const BASE: Side = Side {
    success: 800,
    stale: 100,
    error: 100,
    retries: 125,
    ..PLENTY
};

/// Returns the samples of a server.
fn counted(edit: Side, write: Side, reads: u32, cut: u32) -> Vec<Sample> {
    let mut text = format!(
        "hashline_anchored_reads_total {reads}\nhashline_reads_cut_by_anchors_total {cut}\n"
    );
    for (name, side) in [("edit-file", edit), ("write-file", write)] {
        let calls = [
            ("success", side.success),
            ("stale", side.stale),
            ("error", side.error),
            ("denied", 5000),
            ("dry_run", 5000),
        ];
        for (result, count) in calls {
            text.push_str(&format!(
                "hashline_calls_total{{route=\"{name}\",result=\"{result}\"}} {count}\n"
            ));
        }
        let (quick, all) = (side.quick, side.quick + side.slow);
        for (bound, count) in [
            ("0.002", 0),
            ("0.004", quick),
            ("0.008", all),
            ("+Inf", all),
        ] {
            text.push_str(&format!(
                "hashline_call_seconds_bucket{{route=\"{name}\",le=\"{bound}\"}} {count}\n"
            ));
        }
        let (tasks, retries) = (side.tasks, side.retries);
        text.push_str(&format!(
            "hashline_task_retries_count{{arm=\"{name}\"}} {tasks}\n"
        ));
        text.push_str(&format!(
            "hashline_task_retries_sum{{arm=\"{name}\"}} {retries}\n"
        ));
    }
    samples(&text)
}

/// Returns the verdict of a gate by its place.
fn verdict(edit: Side, write: Side, reads: u32, cut: u32, gate: usize) -> Option<Verdict> {
    let report = judge(&counted(edit, write, reads, cut));
    report.gates.get(gate).map(|gate| gate.verdict)
}

#[test]
fn each_gate_passes_at_its_bar_and_falls_short_beyond_it() {
    use Verdict::{FallsShort, Pass, TooFewData};
    #[rustfmt::skip]
    let cases: &[(&str, Side, Side, u32, u32, usize, Verdict)] = &[
        ("90 % against 80 %", PLENTY, BASE, 500, 0, 0, Pass),
        ("one edit fewer", Side { success: 899, error: 51, ..PLENTY }, BASE, 500, 0, 0, FallsShort),
        ("one write more", PLENTY, Side { success: 801, error: 99, ..BASE }, 500, 0, 0, FallsShort),
        ("stale edits count, too", Side { success: 899, stale: 51, ..PLENTY }, BASE, 500, 0, 0, FallsShort),
        ("200 edits", Side { success: 190, stale: 5, error: 5, ..PLENTY }, BASE, 500, 0, 0, Pass),
        ("199 edits", Side { success: 189, stale: 5, error: 5, ..PLENTY }, BASE, 500, 0, 0, TooFewData),
        ("199 writes", PLENTY, Side { success: 99, stale: 50, error: 50, ..BASE }, 500, 0, 0, TooFewData),
        ("1.00 against 1.25 retries", PLENTY, BASE, 500, 0, 1, Pass),
        ("1.01 against 1.25", Side { retries: 101, ..PLENTY }, BASE, 500, 0, 1, FallsShort),
        ("none against none", Side { retries: 0, ..PLENTY }, Side { retries: 0, ..BASE }, 500, 0, 1, FallsShort),
        ("some against none", PLENTY, Side { retries: 0, ..BASE }, 500, 0, 1, FallsShort),
        ("30 tasks", Side { tasks: 30, retries: 0, ..PLENTY }, BASE, 500, 0, 1, Pass),
        ("29 tasks", Side { tasks: 29, retries: 0, ..PLENTY }, BASE, 500, 0, 1, TooFewData),
        ("no task without edit-file", PLENTY, Side { tasks: 0, retries: 0, ..BASE }, 500, 0, 1, TooFewData),
        ("no read is cut", PLENTY, BASE, 200, 0, 2, Pass),
        ("one of a million is", PLENTY, BASE, 1_000_000, 1, 2, FallsShort),
        ("199 reads", PLENTY, BASE, 199, 0, 2, TooFewData),
        ("the same time", PLENTY, BASE, 500, 0, 3, Pass),
        ("7.96 against 3.98 ms", Side { quick: 0, slow: 1000, ..PLENTY }, BASE, 500, 0, 3, FallsShort),
        ("a little less", Side { quick: 20, slow: 980, ..PLENTY }, BASE, 500, 0, 3, Pass),
        ("199 edits with a time", Side { quick: 199, ..PLENTY }, BASE, 500, 0, 3, TooFewData),
    ];
    for (what, edit, write, reads, cut, gate, expected) in cases {
        let found = verdict(*edit, *write, *reads, *cut, *gate);
        assert_eq!(found, Some(*expected), "{what}");
    }
}

#[test]
fn the_time_of_an_edit_must_be_below_twice_that_of_a_write() {
    let times = |edit: &str, write: &str| {
        let mut text = String::new();
        for (name, bound) in [("edit-file", edit), ("write-file", write)] {
            for (le, count) in [("0", 0), (bound, 1000), ("+Inf", 1000)] {
                text.push_str(&format!(
                    "hashline_call_seconds_bucket{{route=\"{name}\",le=\"{le}\"}} {count}\n"
                ));
            }
        }
        judge(&samples(&text)).gates[3].clone()
    };
    // All values are spread between 0 and the bound.
    let gate = times("0.01", "0.01");
    assert_eq!(gate.edit.map(|time| (time * 1e6).round()), Some(9900.0));
    assert_eq!(times("0.0199", "0.01").verdict, Verdict::Pass);
    assert_eq!(times("0.02", "0.01").verdict, Verdict::FallsShort);
}

#[test]
fn values_above_the_last_bound_count_as_that_bound() {
    let text = "hashline_call_seconds_bucket{route=\"edit-file\",le=\"30\"} 10\n\
         hashline_call_seconds_bucket{route=\"edit-file\",le=\"+Inf\"} 1000\n";
    assert_eq!(judge(&samples(text)).gates[3].edit, Some(30.0));
}

#[test]
fn numbers_of_all_workspaces_are_added_up_and_what_is_missing_is_named() {
    let two = "hashline_calls_total{route=\"edit-file\",result=\"success\",workspace=\"a\"} 60\n\
         hashline_calls_total{route=\"edit-file\",result=\"success\",workspace=\"b\"} 20\n\
         hashline_calls_total{route=\"edit-file\",result=\"error\",workspace=\"b\"} 20\n";
    let report = judge(&samples(two));
    assert!(!report.pass);
    let success = &report.gates[0];
    assert_eq!(
        (success.edit, success.write, success.difference),
        (Some(80.0), None, None)
    );
    let missing = "100 more calls of edit-file and 200 of write-file";
    assert_eq!(success.missing.as_deref(), Some(missing));
    assert!(judge(&counted(PLENTY, BASE, 500, 0)).pass);
}
