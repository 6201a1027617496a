//! Judges the four gates by their numbers.

use serde::Serialize;

use crate::gate::{EDIT, WRITE};
use crate::sample::Sample;

/// How many finished edits and writes each it takes to compare their success and their time.
const LEAST_CALLS: f64 = 200.0;
/// How many tasks with `edit-file` and without it each it takes to compare their retries.
const LEAST_TASKS: f64 = 30.0;
/// How many reads with anchors it takes.
const LEAST_READS: f64 = 200.0;
/// By how many percentage points more edits must succeed than writes.
const SUCCESS_BAR: f64 = 10.0;
/// How many percent fewer retries a task must need.
const RETRIES_BAR: f64 = -20.0;
/// How many reads may be cut because of their anchors.
const CUT_BAR: f64 = 0.0;
/// How many times as long as a write an edit must not take.
const TIME_BAR: f64 = 2.0;
/// What rounding may cost a number that is exactly at its bar.
const ROUNDING: f64 = 1e-9;

/// The four gates, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateReport {
    /// Whether all gates pass.
    pub pass: bool,
    /// The gates.
    pub gates: Vec<Gate>,
}

/// One gate, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gate {
    /// Its stable name.
    pub name: &'static str,
    /// The number of `edit-file`, or of tasks for which it is on; `None` if there is none yet.
    pub edit: Option<f64>,
    /// The number of `write-file`, or of tasks for which `edit-file` is off.
    pub write: Option<f64>,
    /// How the two compare; what it is measured in depends on the gate.
    pub difference: Option<f64>,
    /// What `edit` and `write` are measured in.
    pub unit: Unit,
    /// The value of `difference` that decides.
    pub bar: f64,
    /// Whether the gate passes.
    pub verdict: Verdict,
    /// How much data there is of each, and how much it takes, if it is too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// What the numbers of a gate are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Percent of the calls; the difference is in percentage points.
    Percent,
    /// Retries per task; the difference is in percent of the tasks without `edit-file`.
    RetriesPerTask,
    /// Reads.
    Reads,
    /// Seconds; the difference is how many times as long.
    Seconds,
}

/// Whether a gate passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It passes.
    Pass,
    /// It does not.
    FallsShort,
    /// There is too few data to tell.
    TooFewData,
}

/// Judges the gates by samples, over all workspaces and servers that these are about.
#[must_use]
pub fn judge(samples: &[Sample]) -> GateReport {
    let numbers = Numbers(samples);
    let gates = vec![
        success(&numbers),
        retries(&numbers),
        cut_reads(&numbers),
        time(&numbers),
    ];
    GateReport {
        pass: gates.iter().all(|gate| gate.verdict == Verdict::Pass),
        gates,
    }
}

/// Apply success at least 10 points above that of write-file.
fn success(numbers: &Numbers<'_>) -> Gate {
    let rate = |route| {
        let all = numbers.finished(route);
        let done = numbers.calls(route, "success");
        (all > 0.0).then(|| 100.0 * done / all)
    };
    let (edit, write) = (rate(EDIT), rate(WRITE));
    let difference = edit.zip(write).map(|(edit, write)| edit - write);
    let found = (numbers.finished(EDIT), numbers.finished(WRITE));
    Gate::of("apply_success", Unit::Percent, (edit, write), difference)
        .at_least(SUCCESS_BAR)
        .unless_fewer(LEAST_CALLS, found, "calls")
}

/// Retries per task at least 20 % fewer.
fn retries(numbers: &Numbers<'_>) -> Gate {
    let tasks = |arm| numbers.sum("hashline_task_retries_count", &[("arm", arm)]);
    let mean = |arm| {
        let retries = numbers.sum("hashline_task_retries_sum", &[("arm", arm)]);
        (tasks(arm) > 0.0).then(|| retries / tasks(arm))
    };
    let (edit, write) = (mean(EDIT), mean(WRITE));
    let percent = |(edit, write): (f64, f64)| match write {
        0.0 if edit == 0.0 => 0.0,
        _ => 100.0 * (edit - write) / write,
    };
    let difference = edit.zip(write).map(percent);
    Gate::of(
        "retries_per_task",
        Unit::RetriesPerTask,
        (edit, write),
        difference,
    )
    .at_most(RETRIES_BAR)
    .unless_fewer(LEAST_TASKS, (tasks(EDIT), tasks(WRITE)), "tasks")
}

/// No read cut that would not have been without its anchors.
fn cut_reads(numbers: &Numbers<'_>) -> Gate {
    let reads = numbers.sum("hashline_anchored_reads_total", &[]);
    let cut = numbers.sum("hashline_reads_cut_by_anchors_total", &[]);
    // What is counted is the difference itself: reads without anchors that are cut would be cut with them, too.
    let both = (Some(cut), Some(0.0));
    let gate = Gate::of("reads_cut_by_anchors", Unit::Reads, both, Some(cut)).at_most(CUT_BAR);
    if reads < LEAST_READS {
        gate.missing(format!("{} more reads with anchors", LEAST_READS - reads))
    } else {
        gate
    }
}

/// The 99th percentile of edits below twice that of writes.
fn time(numbers: &Numbers<'_>) -> Gate {
    let (edit, write) = (numbers.quantile(EDIT, 0.99), numbers.quantile(WRITE, 0.99));
    let ratio = edit.zip(write).map(|(edit, write)| edit / write);
    let found = (numbers.timed(EDIT), numbers.timed(WRITE));
    Gate::of("p99_time", Unit::Seconds, (edit, write), ratio)
        .below(TIME_BAR)
        .unless_fewer(LEAST_CALLS, found, "calls")
}

impl Gate {
    fn of(
        name: &'static str,
        unit: Unit,
        (edit, write): (Option<f64>, Option<f64>),
        difference: Option<f64>,
    ) -> Self {
        let is_number = |difference: &f64| difference.is_finite();
        Self {
            name,
            edit,
            write,
            difference: difference.filter(is_number),
            unit,
            bar: 0.0,
            verdict: Verdict::FallsShort,
            missing: None,
        }
    }

    fn at_least(self, bar: f64) -> Self {
        self.judged(bar, |difference| difference >= bar - ROUNDING)
    }

    fn at_most(self, bar: f64) -> Self {
        self.judged(bar, |difference| difference <= bar + ROUNDING)
    }

    fn below(self, bar: f64) -> Self {
        self.judged(bar, |difference| difference < bar)
    }

    fn judged(self, bar: f64, passes: impl Fn(f64) -> bool) -> Self {
        let verdict = if self.difference.is_some_and(passes) {
            Verdict::Pass
        } else {
            Verdict::FallsShort
        };
        Self {
            bar,
            verdict,
            ..self
        }
    }

    /// Says so if there is too few data of one of both sides.
    fn unless_fewer(self, least: f64, (edit, write): (f64, f64), what: &str) -> Self {
        let needed = |found: f64| (least - found).max(0.0).ceil();
        match (needed(edit), needed(write)) {
            (0.0, 0.0) => self,
            (edit, 0.0) => self.missing(format!("{edit} more {what} of edit-file")),
            (0.0, write) => self.missing(format!("{write} more {what} of write-file")),
            (edit, write) => self.missing(format!(
                "{edit} more {what} of edit-file and {write} of write-file"
            )),
        }
    }

    fn missing(self, what: String) -> Self {
        Self {
            verdict: Verdict::TooFewData,
            missing: Some(what),
            ..self
        }
    }
}

/// Samples, added up as the gates need them.
struct Numbers<'s>(&'s [Sample]);

impl Numbers<'_> {
    /// Returns the sum of all samples with a name and some labels.
    fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let has_all = |sample: &&Sample| {
            let mut labels = labels.iter();
            sample.name == name && labels.all(|(label, value)| sample.label(label) == *value)
        };
        let values = self.0.iter().filter(has_all).map(|sample| sample.value);
        // Not `sum`, which begins with -0.
        values.fold(0.0, |sum, value| sum + value)
    }

    fn calls(&self, route: &str, result: &str) -> f64 {
        self.sum(
            "hashline_calls_total",
            &[("route", route), ("result", result)],
        )
    }

    /// Returns how many calls of a route tried to write: those for which the route is off and dry runs did not.
    fn finished(&self, route: &str) -> f64 {
        ["success", "stale", "error"]
            .map(|result| self.calls(route, result))
            .iter()
            .sum()
    }

    /// Returns how many calls up to each bound of time there are, the bounds in order.
    fn buckets(&self, route: &str) -> Vec<(f64, f64)> {
        let name = "hashline_call_seconds_bucket";
        let of_route = self
            .0
            .iter()
            .filter(|one| one.name == name && one.label("route") == route);
        let bounds = of_route.filter_map(|one| one.label("le").parse::<f64>().ok());
        let mut bounds: Vec<f64> = bounds.collect();
        bounds.sort_by(f64::total_cmp);
        bounds.dedup();
        let at = |bound: f64| {
            let of_bound = self
                .0
                .iter()
                .filter(|one| one.name == name && one.label("route") == route);
            let same = of_bound.filter(|one| one.label("le").parse() == Ok(bound));
            same.map(|one| one.value).sum()
        };
        bounds.into_iter().map(|bound| (bound, at(bound))).collect()
    }

    /// Returns how many calls of a route were timed.
    fn timed(&self, route: &str) -> f64 {
        self.buckets(route).last().map_or(0.0, |(_, count)| *count)
    }

    /// Returns a quantile of the time of a route as Prometheus computes it: values are spread evenly between two bounds, and those above the last
    /// bound count as that bound.
    fn quantile(&self, route: &str, quantile: f64) -> Option<f64> {
        let buckets = self.buckets(route);
        let rank = quantile * self.timed(route);
        let mut before = (0.0, 0.0);
        for (bound, count) in buckets {
            if count > 0.0 && count >= rank {
                let (lower, below) = before;
                if bound.is_infinite() {
                    return Some(lower);
                }
                return Some(lower + (bound - lower) * (rank - below) / (count - below));
            }
            before = (bound, count);
        }
        None
    }
}

#[cfg(test)]
mod tests;
