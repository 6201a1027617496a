//! What is counted about the calls and tasks of a workspace, for `GET /metrics` and `hashline stats --gate`.
//!
//! A workspace has one [`WorkspaceMetrics`], which lives as long as the workspace is served. It has numbers only. The values of labels are `&'static str`,
//! so by their type they are names of our own: no task, path or text of a caller can become one, and the number of series is bounded.

mod saved;
mod table;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hashline_core::Code;
use hashline_core::files::FilesEdited;
use hashline_core::policy::Mode;

pub(crate) use table::{ALL, Kind, Metric, Scope, WORKSPACE};
pub(crate) use table::{
    BUILD, MEMORY, RUNNING_CALLS, START_TIME, TASK_REPORTS, TASK_RETRIES, TASK_ROUNDS, TASK_TIME,
    TASK_TOKENS_IN, TASK_TOKENS_OUT, WORKSPACES,
};

use crate::api::metrics::table::{
    ANCHORED_LINES, ANCHORED_READS, CALL_TIME, CALLS, CUT_READS, MOVED_LINES, REFUSALS, REPAIRS,
    STATE_FAILURES, TAG_COLLISIONS,
};
use crate::api::reply::{Reply, Verdict};
use crate::api::telemetry::ReportedTasks;
use crate::sample::Sample;

/// The metrics of one workspace.
#[derive(Debug, Default)]
pub(crate) struct WorkspaceMetrics {
    series: Mutex<Series>,
    /// What was added to the counters in the state directory so far.
    saved: Mutex<BTreeMap<String, u64>>,
    reported: Mutex<ReportedTasks>,
}

/// For each metric, by its name, the number of each combination of label values.
type Series = BTreeMap<&'static str, BTreeMap<Vec<&'static str>, Number>>;

/// The number of one series.
#[derive(Clone, Debug)]
enum Number {
    Count(u64),
    Histogram(Histogram),
}

/// How many values there were up to each bound of its metric, and their sum.
#[derive(Clone, Debug, Default)]
struct Histogram {
    /// For each bound, the values above the bound before it; then those above the last one.
    counts: Vec<u64>,
    sum: f64,
}

/// Whether `edit-file` is on for the task of a call or a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arm {
    /// It is on.
    On,
    /// It is off: the task writes whole files.
    Off,
}

impl Arm {
    /// Returns the arm of a task for which `edit-file` is on or off.
    pub(crate) fn of(is_on: bool) -> Self {
        if is_on { Self::On } else { Self::Off }
    }

    /// Returns the value of the label.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::On => "edit-file",
            Self::Off => "write-file",
        }
    }
}

impl WorkspaceMetrics {
    /// Counts a call that is finished.
    pub(crate) fn record(&self, route: &'static str, arm: Arm, took: Duration, reply: &Reply) {
        let mut series = self.series();
        // A series that begins with its first event is no growth to Prometheus: what alerts ask for begins with 0.
        for result in ["success", "stale", "error"] {
            add(&mut series, &CALLS, &[route, result, arm.name()], 0);
        }
        add(&mut series, &REFUSALS, &[route, Code::Internal.as_str()], 0);
        let result = result(reply);
        add(&mut series, &CALLS, &[route, result, arm.name()], 1);
        if let Some(code) = code(reply.verdict) {
            add(&mut series, &REFUSALS, &[route, code], 1);
        }
        if !matches!(reply.verdict, Verdict::Denied(..)) {
            observe(&mut series, &CALL_TIME, &[route], took.as_secs_f64());
        }
        if let Some(Ok(edited)) = &reply.outcome {
            record_edited(&mut series, route, edited);
        }
        if reply.anchored > 0 {
            add(&mut series, &ANCHORED_READS, &[route], 1);
            let cut = u64::from(reply.cut_by_anchors);
            add(&mut series, &CUT_READS, &[route], cut);
            add(
                &mut series,
                &ANCHORED_LINES,
                &[route],
                count(reply.anchored),
            );
            let collisions = count(reply.tag_collisions);
            add(&mut series, &TAG_COLLISIONS, &[route], collisions);
        }
        add(
            &mut series,
            &STATE_FAILURES,
            &[],
            count(reply.state_failures),
        );
    }

    /// Returns whether a task was not reported yet, as far as is remembered, and remembers it.
    pub(crate) fn is_new_task(&self, task: &str) -> bool {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.add(task)
    }

    /// Adds to a counter.
    pub(crate) fn add(&self, metric: &'static Metric, labels: &[&'static str], by: u64) {
        add(&mut self.series(), metric, labels, by);
    }

    /// Adds a value to a histogram.
    pub(crate) fn observe(&self, metric: &'static Metric, labels: &[&'static str], value: f64) {
        observe(&mut self.series(), metric, labels, value);
    }

    /// Returns the samples of a metric, without the label of the workspace.
    pub(crate) fn samples(&self, metric: &Metric) -> Vec<Sample> {
        let series = self.series();
        let all = series.get(metric.name).into_iter().flatten();
        let samples = all.flat_map(|(values, number)| {
            let labels = metric.labels.iter().copied().zip(values.iter().copied());
            number.samples(metric, &labels.collect::<Vec<_>>())
        });
        samples.collect()
    }

    fn series(&self) -> MutexGuard<'_, Series> {
        self.series.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts what an edit or a write did.
fn record_edited(series: &mut Series, route: &'static str, edited: &FilesEdited) {
    for file in &edited.files {
        let report = &file.edited.report;
        for repair in &report.repairs {
            add(series, &REPAIRS, &[route, repair.rule.name()], 1);
        }
        let moved = report.moves.iter().map(|moved| moved.to.len());
        add(series, &MOVED_LINES, &[route], count(moved.sum()));
    }
}

/// Returns what a call came to, as the value of a label.
fn result(reply: &Reply) -> &'static str {
    match reply.verdict {
        Verdict::Denied(..) => "denied",
        _ if reply.mode == Mode::DryRun => "dry_run",
        Verdict::Done | Verdict::NotModified => "success",
        Verdict::Refused(code) if code.is_stale() => "stale",
        Verdict::Refused(_) => "error",
    }
}

/// Returns the code with which a call was refused.
fn code(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Done | Verdict::NotModified => None,
        Verdict::Refused(code) => Some(code.as_str()),
        Verdict::Denied(_, name) => Some(name),
    }
}

fn add(series: &mut Series, metric: &'static Metric, labels: &[&'static str], by: u64) {
    let all = series.entry(metric.name).or_default();
    let number = all.entry(labels.to_vec()).or_insert(Number::Count(0));
    if let Number::Count(count) = number {
        *count = count.saturating_add(by);
    }
}

fn observe(series: &mut Series, metric: &'static Metric, labels: &[&'static str], value: f64) {
    let Kind::Histogram(bounds) = metric.kind else {
        return;
    };
    let all = series.entry(metric.name).or_default();
    let number = all.entry(labels.to_vec()).or_insert_with(|| {
        Number::Histogram(Histogram {
            counts: vec![0; bounds.len() + 1],
            sum: 0.0,
        })
    });
    if let Number::Histogram(histogram) = number {
        let index = bounds.partition_point(|bound| *bound < value);
        histogram.counts[index] += 1;
        histogram.sum += value;
    }
}

impl Number {
    fn samples(&self, metric: &Metric, labels: &[(&str, &str)]) -> Vec<Sample> {
        let Kind::Histogram(bounds) = metric.kind else {
            let Self::Count(count) = self else {
                return Vec::new();
            };
            return vec![Sample::new(metric.name, labels.to_vec(), float(*count))];
        };
        let Self::Histogram(histogram) = self else {
            return Vec::new();
        };
        let bounds = bounds.iter().map(f64::to_string);
        let bounds = bounds.chain(["+Inf".to_owned()]);
        let mut total = 0;
        let mut samples = Vec::new();
        for (bound, count) in bounds.zip(&histogram.counts) {
            total += count;
            let labels = labels.iter().copied().chain([("le", bound.as_str())]);
            let name = format!("{}_bucket", metric.name);
            samples.push(Sample::new(name, labels, float(total)));
        }
        let of = |part: &str, value| {
            let name = format!("{}_{part}", metric.name);
            Sample::new(name, labels.to_vec(), value)
        };
        samples.extend([of("sum", histogram.sum), of("count", float(total))]);
        samples
    }
}

/// Returns a count as the number of a sample. Counts above 2^53 lose their last digits there, as in Prometheus itself.
#[expect(clippy::cast_precision_loss, reason = "Prometheus has no integers")]
fn float(count: u64) -> f64 {
    count as f64
}

fn count(number: usize) -> u64 {
    number as u64
}

#[cfg(test)]
mod tests;
