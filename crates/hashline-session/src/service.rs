//! A workspace with its configuration, ledger and counters (`Service`), and its callers (`Session`).

use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use hashline_core::dialect::Dialect;
use hashline_core::scheme::{Scheme, sha256};
use hashline_core::text::LineSpan;
use hashline_wire::Refusal;
use hashline_wire::agent::Agent;
use hashline_wire::answer::Notice;
use hashline_wire::page::PageSize;
use hashline_wire::request::Limits as RequestLimits;
use hashline_workspace::config::{Config, ConfigOverrides, UserConfig, user_file};
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::counters::totals::{Totals, Work};
#[cfg(feature = "redis")]
use hashline_workspace::ledger::{FleetOptions, RedisHealth};
use hashline_workspace::ledger::{ShownBy, ShownLines, StateNote, state_dir};
use hashline_workspace::search::found::Found;
use hashline_workspace::search::{Audience, Query};
use hashline_workspace::{
    CancelToken, ConflictChoice, DiskError, Pending, Recovered, Root, ScanLimits, Workspace,
};

use crate::state::State;
use crate::words::{counter_notice, read_refusal, state_notice};

/// How a service is opened. Only the person who starts the program sets these options, never a request.
#[derive(Clone, Debug, Default)]
pub struct ServiceOptions {
    /// The folders whose files may be read and changed.
    pub roots: Vec<PathBuf>,
    /// The real path of the folder that relative paths start from; `None`: the first root.
    pub base: Option<PathBuf>,
    /// A path under which callers know the first root, which need not exist here: absolute paths below it name files below the root.
    pub alias: Option<PathBuf>,
    /// Settings from the command line or from a client that override the configuration files.
    pub overrides: ConfigOverrides,
    /// The path of the user's configuration file, if there is one.
    pub user_file: Option<PathBuf>,
    /// The user's configuration, if it was read already; otherwise [`Service::open`] reads it.
    pub config: Option<UserConfig>,
    /// The state directory, for the ledger (the record of which lines were shown) and the counters; `None`: the ledger is kept in memory only.
    pub state: Option<PathBuf>,
    /// The Redis that has the ledger, for a workspace that several machines share; `None`: the ledger is in the state directory.
    #[cfg(feature = "redis")]
    pub fleet: Option<FleetOptions>,
}

impl ServiceOptions {
    /// Returns options without the user's configuration and with a ledger in memory only.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// Returns the usual options: with the user's configuration file and state directory.
    #[must_use]
    pub fn from_env() -> Self {
        Self {
            user_file: user_file(),
            state: state_dir(),
            ..Self::default()
        }
    }

    /// Reads the user's configuration, for a caller that needs it before the roots are opened.
    ///
    /// # Errors
    ///
    /// `bad_config` if the user's configuration is invalid.
    pub fn read_config(&self) -> Result<UserConfig, Refusal> {
        UserConfig::read(self.user_file.as_deref(), &self.overrides)
            .map_err(|error| read_refusal(&error))
    }
}

/// A workspace with its configuration, its ledger (the record of which lines were shown) and its counters.
#[derive(Debug)]
pub struct Service {
    pub(crate) workspace: Workspace,
    /// The folder that relative paths start from, if it is not the first root.
    pub(crate) base: Option<PathBuf>,
    pub(crate) config: Config,
    pub(crate) state: State,
}

/// One caller of a service; anchors are resolved by the lines that this caller was shown.
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    pub(crate) service: &'a Service,
    pub(crate) name: Option<&'a str>,
}

/// Options of a search that are not part of the query.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchOptions<'a> {
    /// A counter of the files that were searched so far, for progress messages.
    pub progress: Option<&'a AtomicUsize>,
    /// Cancels the search.
    pub cancel: Option<&'a CancelToken>,
    /// Whether the caller is shown only file names and counts, so that no line is recorded as shown.
    pub counts_only: bool,
}

impl Service {
    /// Opens the roots and reads the configuration.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened; `bad_config` if a configuration file is invalid.
    pub fn open(options: &ServiceOptions) -> Result<Self, Refusal> {
        let user = match &options.config {
            Some(user) => user,
            None => &options.read_config()?,
        };
        let opened = user.open(&options.roots);
        let (workspace, config) = opened.map_err(|error| read_refusal(&error))?;
        let workspace = match &options.base {
            Some(base) => workspace.based(base.clone()),
            None => workspace,
        };
        let workspace = match &options.alias {
            Some(alias) => workspace.known_as(alias.clone()),
            None => workspace,
        };
        let state = State::open(&config, options.state.clone());
        #[cfg(feature = "redis")]
        let state = state.with_fleet(&config, options.fleet.as_ref());
        Ok(Self {
            workspace,
            base: options.base.clone(),
            state,
            config,
        })
    }

    /// Returns a session for one caller. A session without a name may use the lines shown to any session of this user.
    #[must_use]
    pub fn session<'a>(&'a self, name: Option<&'a str>) -> Session<'a> {
        let service = self;
        Session { service, name }
    }

    /// Returns the configuration of the service.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the real paths of the roots.
    #[must_use]
    pub fn roots(&self) -> Vec<PathBuf> {
        let roots = self.workspace.roots().iter();
        roots.map(|root| root.path().to_path_buf()).collect()
    }

    /// Returns whether a root is on a network file system, where locks may not keep other machines out.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.workspace.roots().iter().any(Root::is_remote)
    }

    /// Returns the SHA-256 of a file as it is now; `None` if it cannot be read.
    #[must_use]
    pub fn version(&self, path: &str) -> Option<String> {
        let document = self.workspace.read_bytes(path).ok()?;
        Some(sha256(document.file_bytes()))
    }

    /// Returns the counters of all operations so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.state.counters.totals()
    }

    /// Adds to the numbers of a server's metrics in the counters, each named by its series.
    pub fn count_series(&self, more: &[(String, u64)]) {
        self.state.counters.add_series(more);
    }

    /// Returns the numbers of servers' metrics in the counters.
    #[must_use]
    pub fn series(&self) -> Vec<(String, u64)> {
        self.state.counters.series()
    }

    /// Returns notices about what could not be written to the ledger since the last call. A request that was not counted is no news to its caller:
    /// see [`Service::take_counter_notices`].
    #[must_use]
    pub fn take_notices(&self) -> Vec<Notice> {
        let notes = self.state.take_notes();
        notes.iter().map(state_notice).collect()
    }

    /// Returns notices about what could not be written to the counters, or read from them, since the last call.
    #[must_use]
    pub fn take_counter_notices(&self) -> Vec<Notice> {
        let notes = self.state.counters.take_notes();
        notes.iter().map(counter_notice).collect()
    }

    /// Checks whether the ledger can be written, and returns its size in bytes; `None` if it is kept in memory only.
    ///
    /// # Errors
    ///
    /// The reason why the ledger cannot be written.
    pub fn try_ledger(&self) -> Option<Result<u64, StateNote>> {
        self.state.try_ledger()
    }

    /// Returns how the connections to Redis fare, for metrics; `None` if the ledger is not kept there.
    #[cfg(feature = "redis")]
    #[must_use]
    pub fn redis_health(&self) -> Option<RedisHealth> {
        self.state.redis_health()
    }

    /// Returns the interrupted commits that can be recovered, for each root, without changing anything.
    ///
    /// # Errors
    ///
    /// If a root cannot be read.
    pub fn pending(&self) -> Result<Vec<Pending>, Refusal> {
        let pending = self.workspace.pending();
        pending.map_err(|error| read_refusal(&error))
    }

    /// Undoes or finishes the commits that crashed processes left half done, for each root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` if a file was changed after the interrupted commit and `settle` is `None`.
    pub fn recover(&self, settle: Option<ConflictChoice>) -> Result<Vec<Recovered>, Refusal> {
        self.counted(Work::Recover, || self.workspace.recover(settle))
    }

    /// Undoes or finishes interrupted commits whose journals were put aside in `.hashline/foreign`, because they were written for another folder or
    /// owner.
    ///
    /// # Errors
    ///
    /// The errors of [`Service::recover`].
    pub fn trust(&self) -> Result<Vec<Recovered>, Refusal> {
        self.counted(Work::Recover, || self.workspace.trust())
    }

    /// Checks by the path and kind of a file whether an edit may write it.
    ///
    /// # Errors
    ///
    /// The reason why an edit may not write the file.
    pub fn may_write(&self, path: &str) -> Result<(), Refusal> {
        let may = self.workspace.may_write(path);
        may.map_err(|error| read_refusal(&error))
    }

    /// Records the current revision of a file that was shown or written before; returns whether that revision is new.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn noticed(&self, path: &str) -> Result<bool, Refusal> {
        let noticed = self.workspace.notice(self.state.ledger(), path);
        noticed.map_err(|error| read_refusal(&error))
    }

    /// Looks for files that were shown and then changed by other programs, records their current revisions and returns how many such files there are.
    /// Returns 0 if the ledger is not kept on disk.
    pub fn notice_changes(&self, effort: &ScanLimits) -> usize {
        let ledger = self.state.on_disk();
        ledger.map_or(0, |ledger| self.workspace.notice_changes(ledger, effort))
    }

    /// Returns how large an answer to a model may be: as configured, else what its agent hands on whole.
    #[must_use]
    pub fn page(&self, agent: Option<Agent>) -> PageSize {
        let usual = agent.map_or(PageSize::DEFAULT, Agent::page);
        let set = self.config.page;
        set.map_or(usual, |bytes| usual.with_bytes(bytes))
    }

    /// Returns the configured limits of a request: bytes, JSON depth, edits and files.
    #[must_use]
    pub fn request_limits(&self) -> RequestLimits {
        let most = &self.config.settings.limits;
        RequestLimits {
            bytes: most.body,
            depth: most.json_depth,
            edits: most.edits,
            files: most.files,
        }
    }

    /// Runs an operation on the workspace, counts it by its outcome, and converts an error into a refusal.
    pub(crate) fn counted<T>(
        &self,
        work: Work,
        act: impl FnOnce() -> Result<T, DiskError>,
    ) -> Result<T, Refusal> {
        // Refusals are counted too, by their code, so the outcome is looked at before it becomes words.
        let started = Instant::now();
        let outcome = act();
        let event = CountedEvent::of(work, &outcome, started.elapsed());
        self.state.counters.record(&event);
        outcome.map_err(|error| read_refusal(&error))
    }
}

impl<'a> Session<'a> {
    /// Returns the service that this session belongs to.
    #[must_use]
    pub fn service(&self) -> &'a Service {
        self.service
    }

    /// Searches files for lines, and records the lines that are shown.
    ///
    /// # Errors
    ///
    /// The errors of [`Workspace::search`], as refusals.
    pub fn search(
        &self,
        query: &Query,
        dialect: Dialect,
        options: &SearchOptions<'_>,
    ) -> Result<Found, Refusal> {
        let ledger = self.service.state.ledger();
        let audience = Audience {
            scheme: dialect.scheme,
            session: self.name,
            ledger: (!options.counts_only).then_some(ledger),
            seen: options.progress,
        };
        let workspace = &self.service.workspace;
        let search = || workspace.search(query, &audience, options.cancel);
        self.service.counted(Work::Search, search)
    }

    /// Returns the ledger entry for lines that are shown to this caller.
    pub(crate) fn shows<'s>(
        &'s self,
        scheme: Scheme,
        spans: &'s [LineSpan],
        tags: Option<&'s [u32]>,
        by: ShownBy,
    ) -> ShownLines<'s> {
        ShownLines {
            session: self.name,
            scheme,
            spans,
            cut: &[],
            tags,
            by,
        }
    }
}
