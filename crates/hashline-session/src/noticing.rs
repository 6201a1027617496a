//! Noticing what others do to files: for a surface that is told when an agent's own tools have run.

use hashline_core::disk::DiskError;
use hashline_workspace::ScanLimits;

use crate::service::Service;

impl Service {
    /// Tells whether an edit may write a file, by where it is and what it is.
    ///
    /// # Errors
    ///
    /// Says why it may not.
    pub fn may_write(&self, path: &str) -> Result<(), DiskError> {
        self.workspace.may_write(path)
    }

    /// Notes which bytes a file has now, if anything was ever shown of it or written to it; tells whether that was news.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn noticed(&self, path: &str) -> Result<bool, DiskError> {
        self.workspace.notice(self.kept.ledger(), path)
    }

    /// Looks for files of which something was shown and that somebody else changed since, and notes which bytes they have now. Returns
    /// how many there were. Where nothing is remembered on disk there is nothing to look for.
    pub fn notice_changes(&self, effort: &ScanLimits) -> usize {
        let ledger = self.kept.on_disk();
        ledger.map_or(0, |ledger| self.workspace.notice_changes(ledger, effort))
    }
}
