//! The ledger and the counters: on disk, on Redis or off, as the options and the configuration say.

use std::path::PathBuf;

use hashline_workspace::config::Config;
use hashline_workspace::counters::Counters;
use hashline_workspace::ledger::{DiskLedger, Ledger, MemoryLedger, StateNote};
#[cfg(feature = "redis")]
use hashline_workspace::ledger::{FleetOptions, RedisHealth, RedisLedger};

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
    /// A ledger that several machines share.
    #[cfg(feature = "redis")]
    Redis(Box<RedisLedger>),
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

    /// Keeps the ledger on Redis instead, unless the configuration turns the ledger off.
    #[cfg(feature = "redis")]
    pub(crate) fn with_fleet(mut self, config: &Config, fleet: Option<&FleetOptions>) -> Self {
        if let Some(fleet) = fleet.filter(|_| config.ledger_on) {
            let ledger = RedisLedger::new(fleet, config.ledger_bounds);
            self.ledger = Store::Redis(Box::new(ledger));
        }
        self
    }

    pub(crate) fn ledger(&self) -> &dyn Ledger {
        match &self.ledger {
            Store::Disk(ledger) => ledger,
            Store::Memory(ledger) => ledger,
            #[cfg(feature = "redis")]
            Store::Redis(ledger) => &**ledger,
        }
    }

    /// Returns the ledger on disk; `None` if the ledger is kept elsewhere.
    pub(crate) fn on_disk(&self) -> Option<&DiskLedger> {
        match &self.ledger {
            Store::Disk(ledger) => Some(ledger),
            Store::Memory(_) => None,
            #[cfg(feature = "redis")]
            Store::Redis(_) => None,
        }
    }

    /// Checks whether the ledger can be written, and returns its size in bytes; `None` if the ledger is kept in memory.
    pub(crate) fn try_ledger(&self) -> Option<Result<u64, StateNote>> {
        match &self.ledger {
            Store::Disk(ledger) => Some(ledger.check_writable()),
            Store::Memory(_) => None,
            #[cfg(feature = "redis")]
            Store::Redis(ledger) => Some(ledger.check_writable()),
        }
    }

    /// Returns how the connections to Redis fare; `None` if the ledger is not kept there.
    #[cfg(feature = "redis")]
    pub(crate) fn redis_health(&self) -> Option<RedisHealth> {
        match &self.ledger {
            Store::Redis(ledger) => Some(ledger.health()),
            Store::Disk(_) | Store::Memory(_) => None,
        }
    }

    /// Returns notes about what could not be written to the ledger since the last call. Of the notes of the counters, only those about the folder of
    /// both are among them.
    pub(crate) fn take_notes(&self) -> Vec<StateNote> {
        let mut notes = match &self.ledger {
            Store::Disk(ledger) => ledger.take_notes(),
            Store::Memory(_) => return Vec::new(),
            #[cfg(feature = "redis")]
            Store::Redis(ledger) => return ledger.take_notes(),
        };
        for note in self.counters.take_notes() {
            let is_of_both = matches!(note, StateNote::NotPrivate { .. });
            if is_of_both && !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}
