//! What each reply adds to the numbers.

use std::time::Duration;

use hashline_core::Code;
use hashline_core::policy::Mode;
use hashline_session::{Service, ServiceOptions};

use super::{ALL, Arm, WorkspaceMetrics};
use crate::api::reply::Reply;
use crate::gate::{GateOptions, GateSource, judge};
use crate::sample::samples;

/// Returns the lines of all samples that are not 0, but for the histogram's.
fn counted(metrics: &WorkspaceMetrics) -> Vec<String> {
    let all = ALL.iter().flat_map(|metric| metrics.samples(metric));
    let counts =
        all.filter(|one| one.value > 0.0 && !one.name.starts_with("hashline_call_seconds"));
    counts.map(|one| one.to_string()).collect()
}

fn done() -> Reply {
    Reply::done(&serde_json::json!({"ok": true}))
}

fn refused(code: Code) -> Reply {
    Reply::refused(code, &serde_json::json!({"ok": false}))
}

#[test]
fn every_reply_has_one_result_and_a_refusal_its_code() {
    let dry_run = |mut reply: Reply| {
        reply.mode = Mode::DryRun;
        reply
    };
    for (reply, result, code) in [
        (done(), "success", None),
        (Reply::not_modified(String::new()), "success", None),
        (refused(Code::Stale), "stale", Some("stale")),
        (refused(Code::StaleFile), "stale", Some("stale_file")),
        (refused(Code::UnknownRev), "stale", Some("unknown_rev")),
        (refused(Code::Overlap), "error", Some("overlap")),
        (Reply::failed(), "error", Some("internal")),
        (Reply::stopping(), "denied", Some("stopping")),
        (Reply::disabled(&()), "denied", Some("edit_disabled")),
        (dry_run(done()), "dry_run", None),
        (dry_run(refused(Code::Stale)), "dry_run", Some("stale")),
    ] {
        let metrics = WorkspaceMetrics::default();
        metrics.record("edit-file", Arm::Off, Duration::from_millis(1), &reply);
        let mut expected = vec![format!(
            "hashline_calls_total{{arm=\"write-file\",result=\"{result}\",route=\"edit-file\"}} 1"
        )];
        expected.extend(code.map(|code| {
            format!("hashline_refusals_total{{code=\"{code}\",route=\"edit-file\"}} 1")
        }));
        assert_eq!(counted(&metrics), expected);
    }
}

#[test]
fn a_read_counts_its_lines_with_anchors_and_what_they_cost() {
    let metrics = WorkspaceMetrics::default();
    for (anchored, cut_by_anchors, tag_collisions) in [(0, false, 0), (10, true, 0), (7, false, 2)]
    {
        let mut reply = done();
        reply.anchored = anchored;
        reply.cut_by_anchors = cut_by_anchors;
        reply.tag_collisions = tag_collisions;
        reply.state_failures = 1;
        metrics.record("read-file", Arm::On, Duration::ZERO, &reply);
    }
    let expected = [
        "hashline_calls_total{arm=\"edit-file\",result=\"success\",route=\"read-file\"} 3",
        "hashline_anchored_reads_total{route=\"read-file\"} 2",
        "hashline_reads_cut_by_anchors_total{route=\"read-file\"} 1",
        "hashline_anchored_lines_total{route=\"read-file\"} 17",
        "hashline_tag_collisions_total{route=\"read-file\"} 2",
        "hashline_state_failures_total 3",
    ];
    assert_eq!(counted(&metrics), expected);
}

#[test]
fn a_histogram_counts_each_value_up_to_its_bound_and_calls_that_were_carried_out_only() {
    let metrics = WorkspaceMetrics::default();
    for micros in [0, 100, 101, 40_000_000] {
        metrics.record("read", Arm::On, Duration::from_micros(micros), &done());
    }
    metrics.record("read", Arm::On, Duration::ZERO, &Reply::stopping());
    let time = metrics.samples(&super::table::CALL_TIME);
    let at = |bound: &str| {
        let found = time.iter().find(|one| one.label("le") == bound);
        found.map(|one| one.value)
    };
    assert_eq!(at("0.0001"), Some(2.0));
    assert_eq!(at("0.00025"), Some(3.0));
    assert_eq!((at("30"), at("+Inf")), (Some(3.0), Some(4.0)));
    let last: Vec<String> = time
        .iter()
        .rev()
        .take(2)
        .rev()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        last,
        [
            "hashline_call_seconds_sum{route=\"read\"} 40.000201",
            "hashline_call_seconds_count{route=\"read\"} 4",
        ]
    );
}

#[test]
fn what_alerts_ask_for_begins_with_zero() {
    let metrics = WorkspaceMetrics::default();
    metrics.record("edit", Arm::On, Duration::ZERO, &done());
    let all = ALL.iter().flat_map(|metric| metrics.samples(metric));
    let zero = all.filter(|one| one.value == 0.0 && !one.name.contains("seconds"));
    let zero: Vec<String> = zero.map(|one| one.series()).collect();
    assert_eq!(
        zero,
        [
            "hashline_calls_total{arm=\"edit-file\",result=\"error\",route=\"edit\"}",
            "hashline_calls_total{arm=\"edit-file\",result=\"stale\",route=\"edit\"}",
            "hashline_refusals_total{code=\"internal\",route=\"edit\"}",
            "hashline_state_failures_total",
        ]
    );
}

#[test]
fn all_that_is_written_is_read_back() {
    let metrics = WorkspaceMetrics::default();
    metrics.record("read-file", Arm::On, Duration::from_micros(12_345), &done());
    metrics.observe(&super::TASK_TIME, &["edit-file", "success"], 0.1 + 0.2);
    for metric in ALL {
        let written = metrics.samples(metric);
        let text: String = written.iter().map(|sample| format!("{sample}\n")).collect();
        assert_eq!(samples(&text), written, "{text}");
    }
}

#[test]
fn what_servers_counted_is_added_up_in_the_counters_and_judged_alike() -> Result<(), std::io::Error>
{
    let (root, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let service = Service::open(&ServiceOptions {
        roots: vec![root.path().to_path_buf()],
        state: Some(state.path().join("state")),
        ..ServiceOptions::default()
    });
    let Ok(service) = service else {
        panic!("{service:?}");
    };
    let count = |metrics: &WorkspaceMetrics| {
        metrics.record("edit-file", Arm::On, Duration::from_millis(3), &done());
        metrics.record(
            "write-file",
            Arm::Off,
            Duration::from_millis(3),
            &refused(Code::Overlap),
        );
        metrics.record("search", Arm::On, Duration::from_millis(3), &done());
        metrics.observe(&super::TASK_RETRIES, &["edit-file", "success"], 2.0);
    };
    let [one, other] = [(); 2].map(|()| WorkspaceMetrics::default());
    count(&one);
    one.save(&service);
    one.save(&service);
    count(&one);
    one.save(&service);
    let saved = || GateSource::Saved(service.series()).read(&GateOptions::default());
    let samples = saved().unwrap_or_default();
    let live = ALL.iter().flat_map(|metric| one.samples(metric));
    let live: Vec<_> = live.collect();
    assert_eq!(judge(&samples), judge(&live));
    assert!(
        samples
            .iter()
            .all(|sample| sample.label("route") != "search"),
        "{samples:?}"
    );
    // Another server, with numbers of its own.
    count(&other);
    other.save(&service);
    let retries = saved().unwrap_or_default();
    let mut retries = retries
        .iter()
        .filter(|one| one.name == "hashline_task_retries_sum");
    assert_eq!(retries.next().map(|one| one.value), Some(6.0));
    Ok(())
}
