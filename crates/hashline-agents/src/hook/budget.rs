//! What work may take: so much processor time, and a limit on the clock for work that only waits.
//!
//! On a busy machine a little work takes long, which is no fault of the work: so it is processor time that is counted. All threads of the
//! process count, since what another thread alone has used cannot be asked for without unsafe code; a process that does much else at the
//! same time should give more. Where the system does not tell, the clock counts.

use std::time::{Duration, Instant};

/// It is not looked at the clock more often than that.
const SHORTEST: Duration = Duration::from_millis(1);

/// What work may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Processor time, of the whole process.
    pub(crate) work: Duration,
    /// Time on the clock, whether it works or waits: for a processor, a disk, a lock.
    pub(crate) wall: Duration,
}

/// A budget that is being spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spending {
    budget: Budget,
    since: Instant,
    /// What the process had used before, if the system tells.
    used: Option<Duration>,
}

impl Budget {
    /// Begins to count.
    #[must_use]
    pub(crate) fn begin(self) -> Spending {
        Spending {
            budget: self,
            since: Instant::now(),
            used: processor_time(),
        }
    }
}

impl Spending {
    /// Returns how long to wait before asking again: earlier it cannot be spent, as long as one thread works. Nothing if it is spent.
    #[must_use]
    pub(crate) fn left(&self) -> Option<Duration> {
        let elapsed = self.since.elapsed();
        let worked = match (self.used, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => elapsed,
        };
        let work = self.budget.work.checked_sub(worked)?;
        let wall = self.budget.wall.checked_sub(elapsed)?;
        let left = work.min(wall);
        (!left.is_zero()).then(|| left.max(SHORTEST))
    }
}

/// Returns the processor time that this process has used.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn processor_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn processor_time() -> Option<Duration> {
    None
}
