//! What is remembered on disk of what was shown, if anything is.

use std::path::PathBuf;

use hashline_core::state_note::StateNote;
use hashline_workspace::config::Config;
use hashline_workspace::counters::Counters;
use hashline_workspace::ledger::{DiskLedger, Ledger, MemoryLedger};

/// The record of what was shown, and the counters.
#[derive(Debug)]
pub(crate) struct Kept {
    ledger: Record,
    pub(crate) counters: Counters,
}

#[derive(Debug)]
enum Record {
    Disk(DiskLedger),
    /// Until the program ends.
    Memory(MemoryLedger),
}

impl Kept {
    /// Opens what the configuration allows below a state directory; without one, or where it is turned off, nothing outlives the
    /// program.
    pub(crate) fn open(config: &Config, state: Option<PathBuf>) -> Self {
        let ledger = match state.clone().filter(|_| config.ledger_on) {
            Some(state) => Record::Disk(DiskLedger::new(state, config.ledger_bounds)),
            None => Record::Memory(MemoryLedger::default()),
        };
        let counters = state.filter(|_| config.stats);
        Self {
            ledger,
            counters: counters.map_or_else(Counters::off, Counters::new),
        }
    }

    pub(crate) fn ledger(&self) -> &dyn Ledger {
        match &self.ledger {
            Record::Disk(ledger) => ledger,
            Record::Memory(ledger) => ledger,
        }
    }

    /// Returns the record on disk, if there is one.
    pub(crate) fn on_disk(&self) -> Option<&DiskLedger> {
        match &self.ledger {
            Record::Disk(ledger) => Some(ledger),
            Record::Memory(_) => None,
        }
    }

    /// Returns what could not be kept since this was last asked.
    pub(crate) fn take_notes(&self) -> Vec<StateNote> {
        let mut notes = match &self.ledger {
            Record::Disk(ledger) => ledger.take_notes(),
            Record::Memory(_) => Vec::new(),
        };
        for note in self.counters.take_notes() {
            // Both lie in one folder: what is wrong with it is said once.
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}
