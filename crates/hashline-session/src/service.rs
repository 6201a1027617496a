//! A workspace with everything around it, and its callers.

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
use hashline_workspace::{CancelToken, ConflictChoice, DiskError, Pending, Recovered, Workspace};

use crate::state::State;
use crate::words::{read_refusal, state_notice};

/// What the person who starts the program says.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The folders that may be touched.
    pub roots: Vec<PathBuf>,
    /// The folder that relative paths begin from, by its real path; nothing: the first root.
    pub base: Option<PathBuf>,
    /// What was set on the command line, or by a client's settings.
    pub given: ConfigOverrides,
    /// The user's configuration.
    pub user_file: Option<PathBuf>,
    /// Where the record of what was shown is kept; nothing: only in memory.
    pub state: Option<PathBuf>,
}

impl Start {
    /// Returns the start of a program that reads no configuration of the user's and keeps nothing.
    #[must_use]
    pub fn alone() -> Self {
        Self::default()
    }

    /// Returns the usual start: with the user's configuration and state directory.
    #[must_use]
    pub fn of_user() -> Self {
        Self {
            user_file: user_file(),
            state: state_dir(),
            ..Self::default()
        }
    }
}

/// A workspace, its configuration, the record of what was shown, and the counters.
#[derive(Debug)]
pub struct Service {
    pub(crate) workspace: Workspace,
    /// The folder that relative paths begin from, if it is not the first root.
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
    /// What the caller is shown.
    pub lines: SearchLines,
}

/// What a caller is shown of the lines that a search finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchLines {
    /// The lines: they are recorded.
    #[default]
    Shown,
    /// Only names of files and counts: nothing is recorded.
    Counted,
}

impl Service {
    /// Opens the roots and reads the configuration.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened; `bad_config` if a configuration cannot be used.
    pub fn open(start: &Start) -> Result<Self, Refusal> {
        let allowed = UserConfig::read(start.user_file.as_deref(), &start.given);
        let (workspace, config) = allowed
            .and_then(|allowed| allowed.open(&start.roots))
            .map_err(|error| read_refusal(&error))?;
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

    /// Returns a caller; without a name it is shown to, and edits after, all sessions of this user.
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

    /// Tries whether what is shown can be written down; returns how many bytes of the record are taken. Nothing if it is not kept on
    /// disk.
    ///
    /// # Errors
    ///
    /// What would keep anything from being written down.
    pub fn try_ledger(&self) -> Option<Result<u64, StateNote>> {
        Some(self.state.on_disk()?.check_writable())
    }

    /// Tells what there is to recover, root by root; looks only.
    ///
    /// # Errors
    ///
    /// If a root cannot be looked at.
    pub fn pending(&self) -> Result<Vec<Pending>, Refusal> {
        let pending = self.workspace.pending();
        pending.map_err(|error| read_refusal(&error))
    }

    /// Settles what dead processes left, root by root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` where somebody changed the files since and `settle` does not say what to do.
    pub fn recover(&self, settle: Option<ConflictChoice>) -> Result<Vec<Recovered>, Refusal> {
        self.counted(Work::Recover, || self.workspace.recover(settle))
    }

    /// Takes journals that were put aside as ours after all, and settles them.
    ///
    /// # Errors
    ///
    /// As [`Service::recover`].
    pub fn trust(&self) -> Result<Vec<Recovered>, Refusal> {
        self.counted(Work::Recover, || self.workspace.trust())
    }

    /// Returns the bounds of a request.
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

    /// Does something and counts it.
    pub(crate) fn counted<T>(
        &self,
        work: Work,
        act: impl FnOnce() -> Result<T, DiskError>,
    ) -> Result<T, Refusal> {
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
            ledger: (options.lines == SearchLines::Shown).then_some(ledger),
            seen: options.progress,
        };
        let workspace = &self.service.workspace;
        let search = || workspace.search(query, &audience, options.cancel);
        self.service.counted(Work::Search, search)
    }

    /// Returns how lines shown to this caller are written down.
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
