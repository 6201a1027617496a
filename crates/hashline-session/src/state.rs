//! The ledger and the counters, on disk or off as the configuration says.

use std::path::PathBuf;

use hashline_workspace::config::Config;
use hashline_workspace::counters::Counters;
use hashline_workspace::ledger::StateNote;
use hashline_workspace::ledger::{DiskLedger, Ledger, MemoryLedger};

/// The ledger (the record of which lines were shown) and the counters of a service.
#[derive(Debug)]
pub(crate) struct State {
    ledger: Store,
    pub(crate) counters: Counters,
}

#[derive(Debug)]
enum Store {
    Disk(DiskLedger),
    /// A ledger that is lost when the program ends.
    Memory(MemoryLedger),
}

impl State {
    /// Opens the ledger and the counters below a state directory. Without a state directory, or if the configuration turns the ledger off, the ledger
    /// is kept in memory only.
    pub(crate) fn open(config: &Config, state: Option<PathBuf>) -> Self {
        let ledger = match state.clone().filter(|_| config.ledger_on) {
            Some(state) => Store::Disk(DiskLedger::new(state, config.ledger_bounds)),
            None => Store::Memory(MemoryLedger::default()),
        };
        let counters = state.filter(|_| config.stats);
        Self {
            ledger,
            counters: counters.map_or_else(Counters::off, Counters::new),
        }
    }

    pub(crate) fn ledger(&self) -> &dyn Ledger {
        match &self.ledger {
            Store::Disk(ledger) => ledger,
            Store::Memory(ledger) => ledger,
        }
    }

    /// Returns the ledger on disk; `None` if the ledger is kept in memory.
    pub(crate) fn on_disk(&self) -> Option<&DiskLedger> {
        match &self.ledger {
            Store::Disk(ledger) => Some(ledger),
            Store::Memory(_) => None,
        }
    }

    /// Returns notes about what could not be written to the ledger since the last call. Of the notes of the counters, only those about the folder of
    /// both are among them.
    pub(crate) fn take_notes(&self) -> Vec<StateNote> {
        let Store::Disk(ledger) = &self.ledger else {
            return Vec::new();
        };
        let mut notes = ledger.take_notes();
        for note in self.counters.take_notes() {
            let is_of_both = matches!(note, StateNote::NotPrivate { .. });
            if is_of_both && !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}
