//! Noticing what others do to files: for a surface that is told when an agent's own tools have run.

use hashline_wire::Refusal;
use hashline_workspace::ScanLimits;

use crate::service::Service;
use crate::words::read_refusal;

impl Service {
    /// Tells whether an edit may write a file, by where it is and what it is.
    ///
    /// # Errors
    ///
    /// Says why it may not.
    pub fn may_write(&self, path: &str) -> Result<(), Refusal> {
        let may = self.workspace.may_write(path);
        may.map_err(|error| read_refusal(&error))
    }

    /// Notes which bytes a file has now, if anything was ever shown of it or written to it; tells whether that was news.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn noticed(&self, path: &str) -> Result<bool, Refusal> {
        let noticed = self.workspace.notice(self.state.ledger(), path);
        noticed.map_err(|error| read_refusal(&error))
    }

    /// Looks for files of which something was shown and that somebody else changed since, and notes which bytes they have now. Returns
    /// how many there were. Where nothing is remembered on disk there is nothing to look for.
    pub fn notice_changes(&self, effort: &ScanLimits) -> usize {
        let ledger = self.state.on_disk();
        ledger.map_or(0, |ledger| self.workspace.notice_changes(ledger, effort))
    }
}
