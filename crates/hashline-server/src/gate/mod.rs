//! Seed 001's four gates: whether `edit-file` is so much better than `write-file` that it should be on for all tasks.
//!
//! [`GateSource`] reads the numbers: from a running server, from a Prometheus server that scrapes it, or from what servers left in the counters of the
//! state directory. [`judge`] compares them. All sources give the same [`Sample`]s, so they are judged the same way.

mod fetch;
mod judge;
mod source;

pub use judge::{Gate, GateReport, Unit, Verdict, judge};
pub use source::{GateError, GateOptions, GateSource};

use crate::sample::Sample;

/// The route of edits by anchors.
const EDIT: &str = "edit-file";
/// The route of whole files.
const WRITE: &str = "write-file";

/// Samples that the gates are judged by.
#[derive(Debug)]
pub(crate) struct Needed {
    name: &'static str,
    /// The routes whose samples are needed; empty if the metric is not about routes.
    routes: &'static [&'static str],
}

/// All samples that the gates are judged by.
pub(crate) const NEEDED: &[Needed] = &[
    Needed {
        name: "hashline_calls_total",
        routes: &[EDIT, WRITE],
    },
    Needed {
        name: "hashline_call_seconds_bucket",
        routes: &[EDIT, WRITE],
    },
    Needed {
        name: "hashline_anchored_reads_total",
        routes: &[],
    },
    Needed {
        name: "hashline_reads_cut_by_anchors_total",
        routes: &[],
    },
    Needed {
        name: "hashline_task_retries_sum",
        routes: &[],
    },
    Needed {
        name: "hashline_task_retries_count",
        routes: &[],
    },
];

impl Needed {
    /// Returns whether a sample is one of these.
    pub(crate) fn has(&self, sample: &Sample) -> bool {
        let is_route = |route: &&str| *route == sample.label("route");
        sample.name == self.name && (self.routes.is_empty() || self.routes.iter().any(is_route))
    }
}
