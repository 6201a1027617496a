//! The metrics of the service, as a table: name, kind, labels, meaning. `docs/telemetry.md` has the same table, and a test compares them.

/// One metric.
#[derive(Debug)]
pub(crate) struct Metric {
    /// The name, as Prometheus knows it.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// The names of its labels. The series of a workspace also have the label `workspace`.
    pub(crate) labels: &'static [&'static str],
    /// What it counts, in one sentence.
    pub(crate) help: &'static str,
    pub(crate) scope: Scope,
}

/// What kind of metric it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A number that only grows.
    Counter,
    /// A number that changes both ways.
    Gauge,
    /// How many values are at most each of these bounds, and their sum.
    Histogram(&'static [f64]),
}

/// What a metric is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// One workspace; its token and the operator's see it.
    Workspace,
    /// The whole server; only the operator's token sees it.
    Server,
}

/// The label of all series that are about one workspace.
pub(crate) const WORKSPACE: &str = "workspace";

/// Bounds of seconds, for calls: from 0.1 ms to 30 s, close enough together for a quantile.
const CALL_SECONDS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0015, 0.002, 0.003, 0.004, 0.006, 0.008, 0.012, 0.016, 0.025,
    0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];
/// Bounds of small numbers per task, such as retries.
const TASK_NUMBERS: &[f64] = &[
    0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0, 100.0, 300.0,
];
/// Bounds of tokens per task.
const TASK_TOKENS: &[f64] = &[1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7];
/// Bounds of seconds, for tasks.
const TASK_SECONDS: &[f64] = &[
    1.0, 3.0, 10.0, 30.0, 60.0, 90.0, 180.0, 300.0, 600.0, 1800.0, 3600.0, 14400.0,
];

/// Declares the metrics, one row each, and the list of all of them.
macro_rules! metrics {
    ($($name:ident $scope:ident $text:literal $kind:expr, [$($label:literal),*], $help:literal;)*) => {
        $(
            #[doc = $help]
            pub(crate) const $name: Metric = Metric {
                name: $text,
                kind: $kind,
                labels: &[$($label),*],
                help: $help,
                scope: Scope::$scope,
            };
        )*

        /// All metrics, in the order in which they are shown.
        pub(crate) const ALL: &[&Metric] = &[$(&$name),*];
    };
}

metrics! {
    CALLS Workspace "hashline_calls_total" Kind::Counter, ["route", "result", "arm"],
        "Calls that were finished.";
    REFUSALS Workspace "hashline_refusals_total" Kind::Counter, ["route", "code"],
        "Calls that were refused, by error code.";
    CALL_TIME Workspace "hashline_call_seconds" Kind::Histogram(CALL_SECONDS), ["route"],
        "Time of calls that were carried out, waiting included.";
    REPAIRS Workspace "hashline_repairs_total" Kind::Counter, ["route", "rule"],
        "Corrections of new text, by rule.";
    MOVED_LINES Workspace "hashline_moved_lines_total" Kind::Counter, ["route"],
        "Lines that edits named and that had moved since they were shown.";
    ANCHORED_READS Workspace "hashline_anchored_reads_total" Kind::Counter, ["route"],
        "Reads that showed lines with anchors, as seed 001 reads.";
    CUT_READS Workspace "hashline_reads_cut_by_anchors_total" Kind::Counter, ["route"],
        "Reads that were cut and would not have been without their anchors.";
    ANCHORED_LINES Workspace "hashline_anchored_lines_total" Kind::Counter, ["route"],
        "Lines that these reads showed with anchors.";
    TAG_COLLISIONS Workspace "hashline_tag_collisions_total" Kind::Counter, ["route"],
        "Of these lines, those with the tag of another line of the same answer whose text is different.";
    STATE_FAILURES Workspace "hashline_state_failures_total" Kind::Counter, [],
        "Notices that shown lines could not be recorded or looked up.";
    TASK_REPORTS Workspace "hashline_task_reports_total" Kind::Counter, ["arm", "outcome"],
        "Tasks that were reported.";
    TASK_ROUNDS Workspace "hashline_task_rounds" Kind::Histogram(TASK_NUMBERS), ["arm", "outcome"],
        "Rounds of each task.";
    TASK_RETRIES Workspace "hashline_task_retries" Kind::Histogram(TASK_NUMBERS), ["arm", "outcome"],
        "Retries of each task.";
    TASK_TOKENS_IN Workspace "hashline_task_tokens_in" Kind::Histogram(TASK_TOKENS), ["arm", "outcome"],
        "Tokens that the model of each task read.";
    TASK_TOKENS_OUT Workspace "hashline_task_tokens_out" Kind::Histogram(TASK_TOKENS), ["arm", "outcome"],
        "Tokens that the model of each task wrote.";
    TASK_TIME Workspace "hashline_task_seconds" Kind::Histogram(TASK_SECONDS), ["arm", "outcome"],
        "Time of each task.";
    BUILD Server "hashline_build_info" Kind::Gauge, ["version"],
        "The version of the server; the value is always 1.";
    START_TIME Server "process_start_time_seconds" Kind::Gauge, [],
        "When the server started, in seconds since 1970.";
    MEMORY Server "process_resident_memory_bytes" Kind::Gauge, [],
        "Memory that the server uses now (Linux only).";
    WORKSPACES Server "hashline_workspaces" Kind::Gauge, [],
        "Workspaces that are served.";
    RUNNING_CALLS Server "hashline_running_calls" Kind::Gauge, [],
        "Calls that are being carried out now.";
}

impl Kind {
    /// Returns the name of the kind in the text format.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram(_) => "histogram",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ALL, Kind, Scope, WORKSPACE};

    #[test]
    fn the_page_about_telemetry_has_every_metric_and_no_other() {
        let page = include_str!("../../../../../docs/telemetry.md");
        let rows = page
            .lines()
            .filter(|line| line.starts_with("| `hashline_") || line.starts_with("| `process_"));
        let rows: Vec<&str> = rows.collect();
        let expected: Vec<String> = ALL
            .iter()
            .map(|metric| {
                let own = (metric.scope == Scope::Workspace).then_some(&WORKSPACE);
                let labels: Vec<String> = own
                    .into_iter()
                    .chain(metric.labels)
                    .map(|label| format!("`{label}`"))
                    .collect();
                let (name, kind, help) = (metric.name, metric.kind.name(), metric.help);
                format!("| `{name}` | {kind} | {} | {help} |", labels.join(", "))
            })
            .collect();
        assert_eq!(
            rows,
            expected,
            "docs/telemetry.md:\n{}",
            expected.join("\n")
        );
    }

    #[test]
    fn names_follow_the_rules_of_prometheus() {
        let mut names = BTreeSet::new();
        for metric in ALL {
            let is_counter = metric.kind == Kind::Counter;
            assert_eq!(metric.name.ends_with("_total"), is_counter, "{metric:?}");
            assert!(names.insert(metric.name), "{metric:?} is there twice");
            if let Kind::Histogram(bounds) = metric.kind {
                assert!(bounds.is_sorted_by(|one, next| one < next), "{metric:?}");
            }
        }
    }
}
