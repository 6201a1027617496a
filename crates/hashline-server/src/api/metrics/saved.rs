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
        let new: Vec<(String, u64)> = counts
            .iter()
            .map(|(series, count)| {
                let before = saved.get(series).copied().unwrap_or_default();
                (series.clone(), count.saturating_sub(before))
            })
            .filter(|(_, more)| *more > 0)
            .collect();
        if !new.is_empty() {
            service.count_series(&new);
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
