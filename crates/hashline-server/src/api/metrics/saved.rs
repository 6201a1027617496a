//! Adds the numbers that `hashline stats --gate` needs to the counters in the state directory, so that they outlive the server.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use hashline_session::Service;

use crate::api::metrics::{ALL, Scope, WorkspaceMetrics};
use crate::gate::NEEDED;

impl WorkspaceMetrics {
    /// Adds what was counted since the last call to the counters of a workspace's service.
    pub(crate) fn save(&self, service: &Service) {
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = self.gate_counts();
        // Also those that are still 0: an empty bucket bounds the values of the next one.
        let more = counts.iter().filter_map(|(series, &count)| {
            let before = saved.get(series).copied();
            let more = count.saturating_sub(before.unwrap_or_default());
            (more > 0 || before.is_none()).then(|| (series.clone(), more))
        });
        let more: Vec<(String, u64)> = more.collect();
        if !more.is_empty() {
            service.count_series(&more);
            *saved = counts;
        }
    }

    /// Returns the numbers that the gate needs, by their series. All of them are whole.
    fn gate_counts(&self) -> BTreeMap<String, u64> {
        let metrics = ALL.iter().filter(|metric| metric.scope == Scope::Workspace);
        let samples = metrics.flat_map(|metric| self.samples(metric));
        let needed = samples.filter(|sample| NEEDED.iter().any(|needed| needed.has(sample)));
        needed
            .map(|sample| (sample.series(), whole(sample.value)))
            .collect()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is a count"
)]
fn whole(value: f64) -> u64 {
    value as u64
}
