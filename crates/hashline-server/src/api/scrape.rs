//! `GET /metrics`: the metrics in the text format of Prometheus.
//!
//! The operator's token sees all workspaces and the server itself, the token of a workspace only the series of that workspace.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::api::metrics::{
    ALL, BUILD, MEMORY, Metric, RUNNING_CALLS, START_TIME, Scope, WORKSPACE, WORKSPACES,
};
use crate::api::workspaces::{ServedWorkspace, Shared};
use crate::front::Caller;
use crate::sample::Sample;

/// The media type of the text format.
pub(crate) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Returns the metrics that a caller may see.
pub(crate) fn text(shared: &Shared, caller: &Caller) -> String {
    let sees_all = shared.is_operator(caller);
    let workspaces = shared.workspaces();
    let is_visible = |one: &&Arc<ServedWorkspace>| sees_all || *caller.0 == *one.options.name;
    let visible: Vec<_> = workspaces.values().filter(is_visible).collect();
    let mut text = String::new();
    for metric in ALL {
        let samples = match metric.scope {
            Scope::Workspace => of_workspaces(metric, &visible),
            Scope::Server if sees_all => of_server(metric, shared),
            Scope::Server => Vec::new(),
        };
        write_family(&mut text, metric, &samples);
    }
    text
}

/// Writes a metric and its samples; nothing if it has none.
fn write_family(text: &mut String, metric: &Metric, samples: &[Sample]) {
    if samples.is_empty() {
        return;
    }
    let (name, help, kind) = (metric.name, metric.help, metric.kind.name());
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    for sample in samples {
        let _ = writeln!(text, "{sample}");
    }
}

fn of_workspaces(metric: &Metric, visible: &[&Arc<ServedWorkspace>]) -> Vec<Sample> {
    let samples = visible.iter().flat_map(|one| {
        let samples = one.metrics.samples(metric).into_iter();
        samples.map(|mut sample| {
            let name = one.options.name.clone();
            sample.labels.insert(WORKSPACE.to_owned(), name);
            sample
        })
    });
    samples.collect()
}

/// Returns the samples of a metric about the server, as they are now.
fn of_server(metric: &Metric, shared: &Shared) -> Vec<Sample> {
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    let one = |value| vec![Sample::new(metric.name, [], value)];
    match metric.name {
        name if name == BUILD.name => vec![Sample::new(name, version, 1.0)],
        name if name == START_TIME.name => one(seconds(shared.started)),
        name if name == MEMORY.name => resident_bytes().map(one).unwrap_or_default(),
        name if name == WORKSPACES.name => one(small(shared.workspaces().len())),
        name if name == RUNNING_CALLS.name => one(small(shared.running_calls())),
        _ => Vec::new(),
    }
}

fn seconds(time: SystemTime) -> f64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "it has far less than 53 bits")]
fn small(count: usize) -> f64 {
    count as f64
}

/// Returns how much memory this process uses; `None` where the system has no `/proc`.
fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0)
}
