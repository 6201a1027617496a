//! How much the ledger keeps, for how long, and how long it waits for others.

use std::time::Duration;

/// Bounds of a ledger on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerLimits {
    /// The most bytes it takes, all files together.
    pub bytes: u64,
    /// For how long a showing counts.
    pub age: Duration,
    /// How long another process is waited for before something is forgotten rather than somebody kept waiting.
    pub wait: Duration,
}

impl LedgerLimits {
    /// How long another process is waited for before it is forgotten what we wrote: our own step would count as somebody else's, and
    /// anchors near it would be refused.
    pub(super) fn wait_to_write(&self) -> Duration {
        self.wait.saturating_mul(5)
    }
}

impl Default for LedgerLimits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            age: Duration::from_secs(30 * 24 * 60 * 60),
            wait: Duration::from_secs(2),
        }
    }
}
