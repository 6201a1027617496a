//! A workspace with its configuration, ledger and counters, and its callers.

use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use hashline_core::dialect::Dialect;
use hashline_core::scheme::Scheme;
use hashline_core::text::LineSpan;
use hashline_wire::Refusal;
use hashline_wire::answer::Notice;
use hashline_wire::request::Limits as RequestLimits;
use hashline_workspace::config::{Config, ConfigOverrides, UserConfig, user_file};
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::counters::totals::{Totals, Work};
use hashline_workspace::ledger::{ShownBy, ShownLines, StateNote, state_dir};
use hashline_workspace::search::found::Found;
use hashline_workspace::search::{Audience, Query};
use hashline_workspace::{
    CancelToken, ConflictChoice, DiskError, Pending, Recovered, ScanLimits, Workspace,
};

use crate::state::State;
use crate::words::{read_refusal, state_notice};

/// How a service is opened. Only the person who starts the program sets this, never a request.
#[derive(Clone, Debug, Default)]
pub struct ServiceOptions {
    /// The folders that may be read and changed.
    pub roots: Vec<PathBuf>,
    /// The real path of the folder that relative paths start from; `None`: the first root.
    pub base: Option<PathBuf>,
    /// What the command line or a client's settings override in the configuration.
    pub overrides: ConfigOverrides,
    /// The file of the user's configuration.
    pub user_file: Option<PathBuf>,
    /// The user's configuration, if it was read already. Otherwise [`Service::open`] reads it.
    pub config: Option<UserConfig>,
    /// Where the record of what was shown is kept; `None`: only in memory.
    pub state: Option<PathBuf>,
}

impl ServiceOptions {
    /// Returns options without the user's configuration, and with a record of what was shown in memory only.
    #[must_use]
    pub fn alone() -> Self {
        Self::default()
    }

    /// Returns the usual options: with the user's configuration and state directory.
    #[must_use]
    pub fn of_user() -> Self {
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
    /// `bad_config` if it cannot be used.
    pub fn read_config(&self) -> Result<UserConfig, Refusal> {
        UserConfig::read(self.user_file.as_deref(), &self.overrides)
            .map_err(|error| read_refusal(&error))
    }
}

/// A workspace, its configuration, the record of what was shown, and the counters.
#[derive(Debug)]
pub struct Service {
    pub(crate) workspace: Workspace,
    /// The folder that relative paths start from, if it is not the first root.
    pub(crate) base: Option<PathBuf>,
    pub(crate) config: Config,
    pub(crate) state: State,
}

/// One caller.
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    pub(crate) service: &'a Service,
    pub(crate) name: Option<&'a str>,
}

/// How a search is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchOptions<'a> {
    /// Counts the files as they are searched.
    pub progress: Option<&'a AtomicUsize>,
    /// Cancels the search.
    pub cancel: Option<&'a CancelToken>,
    /// Whether the caller is shown only names of files and counts: then no line is recorded as shown.
    pub counts_only: bool,
}

impl Service {
    /// Opens the roots and reads the configuration.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened; `bad_config` if a configuration cannot be used.
    pub fn open(start: &ServiceOptions) -> Result<Self, Refusal> {
        let user = match &start.config {
            Some(user) => user,
            None => &start.read_config()?,
        };
        let opened = user.open(&start.roots);
        let (workspace, config) = opened.map_err(|error| read_refusal(&error))?;
        let workspace = match &start.base {
            Some(base) => workspace.based(base.clone()),
            None => workspace,
        };
        Ok(Self {
            workspace,
            base: start.base.clone(),
            state: State::open(&config, start.state.clone()),
            config,
        })
    }

    /// Returns a caller. One without a name shares what any session of this user was shown.
    #[must_use]
    pub fn session<'a>(&'a self, name: Option<&'a str>) -> Session<'a> {
        let service = self;
        Session { service, name }
    }

    /// Returns what is set.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the roots, by their real paths.
    #[must_use]
    pub fn roots(&self) -> Vec<PathBuf> {
        let roots = self.workspace.roots().iter();
        roots.map(|root| root.path().to_path_buf()).collect()
    }

    /// Returns what was counted so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.state.counters.totals()
    }

    /// Returns what could not be recorded or counted since the last call.
    #[must_use]
    pub fn take_notices(&self) -> Vec<Notice> {
        let notes = self.state.take_notes();
        notes.iter().map(state_notice).collect()
    }

    /// Checks whether the ledger can be written, and returns how many bytes it has; `None` if it is not kept on disk.
    ///
    /// # Errors
    ///
    /// What keeps it from being written.
    pub fn try_ledger(&self) -> Option<Result<u64, StateNote>> {
        Some(self.state.on_disk()?.check_writable())
    }

    /// Returns what there is to recover, root by root, without changing anything.
    ///
    /// # Errors
    ///
    /// If a root cannot be looked at.
    pub fn pending(&self) -> Result<Vec<Pending>, Refusal> {
        let pending = self.workspace.pending();
        pending.map_err(|error| read_refusal(&error))
    }

    /// Undoes or finishes what dead processes left, root by root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` where the files were changed since and `settle` does not say what to do.
    pub fn recover(&self, settle: Option<ConflictChoice>) -> Result<Vec<Recovered>, Refusal> {
        self.counted(Work::Recover, || self.workspace.recover(settle))
    }

    /// Uses journals that were put aside as foreign, and undoes or finishes them.
    ///
    /// # Errors
    ///
    /// As [`Service::recover`].
    pub fn trust(&self) -> Result<Vec<Recovered>, Refusal> {
        self.counted(Work::Recover, || self.workspace.trust())
    }

    /// Checks whether an edit may write a file, by its path and kind.
    ///
    /// # Errors
    ///
    /// Why it may not.
    pub fn may_write(&self, path: &str) -> Result<(), Refusal> {
        let may = self.workspace.may_write(path);
        may.map_err(|error| read_refusal(&error))
    }

    /// Records the current revision of a file that was shown or written before; returns whether it is new.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn noticed(&self, path: &str) -> Result<bool, Refusal> {
        let noticed = self.workspace.notice(self.state.ledger(), path);
        noticed.map_err(|error| read_refusal(&error))
    }

    /// Looks for files that were shown and that other programs changed since, records their current revisions and returns how many there
    /// are. Without a ledger on disk there are none.
    pub fn notice_changes(&self, effort: &ScanLimits) -> usize {
        let ledger = self.state.on_disk();
        ledger.map_or(0, |ledger| self.workspace.notice_changes(ledger, effort))
    }

    /// Returns the limits of a request.
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

    /// Counts an operation on the workspace, and words its failure.
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
    /// Returns the service this is a caller of.
    #[must_use]
    pub fn service(&self) -> &'a Service {
        self.service
    }

    /// Searches files for lines, and records which of them are shown.
    ///
    /// # Errors
    ///
    /// As [`Workspace::search`].
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

    /// Returns the record of lines shown to this caller.
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
            tags,
            by,
        }
    }
}
