//! Places for ledgers of each kind that is stored, so that the same tests run on all of them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hashline_core::Document;
use hashline_core::shown::{CutLines, History};
use hashline_core::text::{Changes, Excerpt};
use hashline_workspace::ledger::{DiskLedger, Ledger, LedgerLimits, ShownLines, StateNote};

#[cfg(feature = "redis")]
use crate::redis_server::{self, Database};
#[cfg(feature = "redis")]
use hashline_workspace::ledger::RedisLedger;

/// Where a ledger is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    Disk,
    Redis,
}

impl Store {
    /// Returns the stores that can be tested here.
    pub(crate) fn all() -> Vec<Self> {
        let stores = [Self::Disk, Self::Redis].into_iter();
        stores.filter(|store| store.is_here()).collect()
    }

    #[cfg(feature = "redis")]
    fn is_here(self) -> bool {
        self == Self::Disk || redis_server::is_installed()
    }

    #[cfg(not(feature = "redis"))]
    fn is_here(self) -> bool {
        static NOTED: std::sync::Once = std::sync::Once::new();
        NOTED.call_once(|| {
            note("the ledger on Redis is not tested: that needs the feature `redis`");
        });
        self == Self::Disk
    }
}

/// A ledger that other processes can open too.
pub(crate) enum StoredLedger {
    Disk(DiskLedger),
    #[cfg(feature = "redis")]
    Redis(Box<RedisLedger>),
}

impl StoredLedger {
    fn ledger(&self) -> &dyn Ledger {
        match self {
            Self::Disk(ledger) => ledger,
            #[cfg(feature = "redis")]
            Self::Redis(ledger) => &**ledger,
        }
    }

    pub(crate) fn take_notes(&self) -> Vec<StateNote> {
        match self {
            Self::Disk(ledger) => ledger.take_notes(),
            #[cfg(feature = "redis")]
            Self::Redis(ledger) => ledger.take_notes(),
        }
    }

    pub(crate) fn check_writable(&self) -> Result<u64, StateNote> {
        match self {
            Self::Disk(ledger) => ledger.check_writable(),
            #[cfg(feature = "redis")]
            Self::Redis(ledger) => ledger.check_writable(),
        }
    }
}

impl Ledger for StoredLedger {
    fn history(&self, file: &Path) -> History {
        self.ledger().history(file)
    }

    fn showed(&self, file: &Path, document: &Document, showing: &ShownLines<'_>) {
        self.ledger().showed(file, document, showing);
    }

    fn showed_excerpt(&self, file: &Path, excerpt: &Excerpt, showing: &ShownLines<'_>) {
        self.ledger().showed_excerpt(file, excerpt, showing);
    }

    fn wrote(
        &self,
        file: &Path,
        session: Option<&str>,
        before: &Document,
        after: &Document,
        changes: &Changes,
    ) {
        self.ledger().wrote(file, session, before, after, changes);
    }

    fn noticed(&self, file: &Path, document: &Document) -> bool {
        self.ledger().noticed(file, document)
    }

    fn moved(&self, from: &Path, to: &Path) {
        self.ledger().moved(from, to);
    }

    fn partly_shown(&self) -> CutLines {
        self.ledger().partly_shown()
    }
}

/// A place of its own for a ledger, and a clock that goes when it is told to.
pub(crate) struct Lab {
    place: Place,
    seconds: Arc<AtomicU64>,
}

enum Place {
    Disk(tempfile::TempDir),
    #[cfg(feature = "redis")]
    Redis(Database),
}

impl Lab {
    pub(crate) fn new(store: Store) -> Self {
        let place = match store {
            Store::Disk => Place::Disk(tempfile::tempdir().expect("a folder")),
            #[cfg(feature = "redis")]
            Store::Redis => Place::Redis(redis_server::shared_by_tests().database()),
            #[cfg(not(feature = "redis"))]
            Store::Redis => unreachable!("it is not here"),
        };
        Self {
            place,
            seconds: Arc::new(AtomicU64::new(1_000_000_000)),
        }
    }

    /// A ledger on disk.
    pub(crate) fn on_disk() -> Self {
        Self::new(Store::Disk)
    }

    /// Returns a ledger as another process would open it.
    pub(crate) fn ledger(&self, bounds: LedgerLimits) -> StoredLedger {
        let seconds = Arc::clone(&self.seconds);
        let clock = move || -> SystemTime {
            UNIX_EPOCH + Duration::from_secs(seconds.load(Ordering::Relaxed))
        };
        match &self.place {
            Place::Disk(_) => {
                StoredLedger::Disk(DiskLedger::with_clock(self.state(), bounds, clock))
            }
            #[cfg(feature = "redis")]
            Place::Redis(database) => {
                let fleet = database.fleet("lab");
                StoredLedger::Redis(Box::new(RedisLedger::with_clock(&fleet, bounds, clock)))
            }
        }
    }

    /// Returns the address with which another process opens the same place.
    pub(crate) fn address(&self) -> String {
        match &self.place {
            Place::Disk(_) => self.state().display().to_string(),
            #[cfg(feature = "redis")]
            Place::Redis(database) => database.url.clone(),
        }
    }

    pub(crate) fn wait(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }

    /// The folder in which the state directory of the ledger on disk is made.
    pub(crate) fn dir(&self) -> PathBuf {
        match &self.place {
            Place::Disk(dir) => dir.path().to_path_buf(),
            #[cfg(feature = "redis")]
            Place::Redis(_) => unreachable!("it is not on disk"),
        }
    }

    /// The state directory of the ledger on disk.
    pub(crate) fn state(&self) -> PathBuf {
        self.dir().join("state/hashline")
    }

    /// The folder of the ledger on disk.
    pub(crate) fn folder(&self) -> PathBuf {
        self.state().join("ledger-2")
    }

    /// The logs of the ledger on disk.
    pub(crate) fn log_files(&self) -> Vec<PathBuf> {
        let listed = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let paths = listed.map(|entry| entry.path());
        let is_log = |path: &PathBuf| !path.ends_with("total") && !path.ends_with("secret");
        paths.filter(is_log).collect()
    }

    /// Returns how many logs there are.
    pub(crate) fn log_count(&self) -> usize {
        match &self.place {
            Place::Disk(_) => self.log_files().len(),
            #[cfg(feature = "redis")]
            Place::Redis(database) => database.logs().len(),
        }
    }

    /// Returns how many bytes all logs take.
    pub(crate) fn stored_bytes(&self) -> u64 {
        match &self.place {
            Place::Disk(_) => {
                let size = |path: PathBuf| fs::metadata(path).map_or(0, |facts| facts.len());
                self.log_files().into_iter().map(size).sum()
            }
            #[cfg(feature = "redis")]
            Place::Redis(database) => database.stored_bytes(),
        }
    }

    /// Returns the bytes of the only log.
    pub(crate) fn read_log(&self) -> Vec<u8> {
        assert_eq!(self.log_count(), 1);
        match &self.place {
            Place::Disk(_) => fs::read(&self.log_files()[0]).expect("read"),
            #[cfg(feature = "redis")]
            Place::Redis(database) => database.get(&database.logs()[0]),
        }
    }

    /// Damages the only log.
    pub(crate) fn write_log(&self, bytes: &[u8]) {
        match &self.place {
            Place::Disk(_) => fs::write(&self.log_files()[0], bytes).expect("written"),
            #[cfg(feature = "redis")]
            Place::Redis(database) => database.set(&database.logs()[0], bytes),
        }
    }
}

/// Opens the ledger at an address of a lab, with the usual clock and limits.
pub(crate) fn open(address: &str) -> StoredLedger {
    let limits = LedgerLimits::default();
    #[cfg(feature = "redis")]
    if address.starts_with("redis:") {
        let fleet = redis_server::fleet(&[address], "lab");
        return StoredLedger::Redis(Box::new(RedisLedger::new(&fleet, limits)));
    }
    StoredLedger::Disk(DiskLedger::new(address.into(), limits))
}

pub(crate) fn small(bytes: u64) -> LedgerLimits {
    LedgerLimits {
        bytes,
        ..LedgerLimits::default()
    }
}

/// Prints why something is not tested.
pub(crate) fn note(why: &str) {
    let _ = writeln!(io::stderr(), "note: {why}");
}
