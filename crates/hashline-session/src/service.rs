//! A workspace with everything around it, and its callers.

use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use hashline_core::dialect::Dialect;
use hashline_core::disk::DiskError;
use hashline_core::found::Found;
use hashline_core::scheme::Scheme;
use hashline_core::state_note::StateNote;
use hashline_core::text::LineSpan;
use hashline_core::totals::{Totals, Work};
use hashline_wire::request::Limits as RequestLimits;
use hashline_workspace::config::{Config, ConfigOverrides, UserConfig, user_file};
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::ledger::{ShownBy, ShownLines, state_dir};
use hashline_workspace::search::{Audience, Query};
use hashline_workspace::{CancelToken, ConflictChoice, Pending, Recovered, Workspace};

use crate::kept::Kept;

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
    pub(crate) config: Config,
    pub(crate) kept: Kept,
}

/// One caller.
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    pub(crate) service: &'a Service,
    pub(crate) name: Option<&'a str>,
}

impl Service {
    /// Opens the roots and reads the configuration.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened; `bad_config` if a configuration cannot be used.
    pub fn open(start: &Start) -> Result<Self, DiskError> {
        let allowed = UserConfig::read(start.user_file.as_deref(), &start.given)?;
        let (workspace, config) = allowed.open(&start.roots)?;
        let workspace = match &start.base {
            Some(base) => workspace.based(base.clone()),
            None => workspace,
        };
        Ok(Self {
            workspace,
            kept: Kept::open(&config, start.state.clone()),
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
        self.kept.counters.totals()
    }

    /// Returns what could not be written down or counted since this was last asked.
    #[must_use]
    pub fn take_notes(&self) -> Vec<StateNote> {
        self.kept.take_notes()
    }

    /// Tries whether what is shown can be written down; returns how many bytes of the record are taken. Nothing if it is not kept on
    /// disk.
    ///
    /// # Errors
    ///
    /// What would keep anything from being written down.
    pub fn try_ledger(&self) -> Option<Result<u64, StateNote>> {
        Some(self.kept.on_disk()?.try_out())
    }

    /// Tells what there is to recover, root by root; looks only.
    ///
    /// # Errors
    ///
    /// If a root cannot be looked at.
    pub fn pending(&self) -> Result<Vec<Pending>, DiskError> {
        self.workspace.pending()
    }

    /// Settles what dead processes left, root by root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` where somebody changed the files since and `settle` does not say what to do.
    pub fn recover(&self, settle: Option<ConflictChoice>) -> Result<Vec<Recovered>, DiskError> {
        self.counted(Work::Recover, || self.workspace.recover(settle))
    }

    /// Takes journals that were put aside as ours after all, and settles them.
    ///
    /// # Errors
    ///
    /// As [`Service::recover`].
    pub fn trust(&self) -> Result<Vec<Recovered>, DiskError> {
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
    ) -> Result<T, DiskError> {
        let started = Instant::now();
        let outcome = act();
        let event = CountedEvent::of(work, &outcome, started.elapsed());
        self.kept.counters.record(&event);
        outcome
    }
}

impl<'a> Session<'a> {
    /// Returns the service this is a caller of.
    #[must_use]
    pub fn service(&self) -> &'a Service {
        self.service
    }

    /// Searches files for lines, and writes down which of them are shown.
    ///
    /// # Errors
    ///
    /// As [`Workspace::search`].
    pub fn search(&self, query: &Query, dialect: Dialect) -> Result<Found, DiskError> {
        self.search_watched(query, dialect, &AtomicUsize::new(0))
    }

    /// Does the same and counts the files as they are searched, for somebody who watches.
    ///
    /// # Errors
    ///
    /// As [`Workspace::search`].
    pub fn search_watched(
        &self,
        query: &Query,
        dialect: Dialect,
        seen: &AtomicUsize,
    ) -> Result<Found, DiskError> {
        self.search_unless(query, dialect, seen, None)
    }

    /// Does the same for a caller who may take it back.
    ///
    /// # Errors
    ///
    /// As [`Workspace::search`].
    pub fn search_unless(
        &self,
        query: &Query,
        dialect: Dialect,
        seen: &AtomicUsize,
        stop: Option<&CancelToken>,
    ) -> Result<Found, DiskError> {
        let audience = self.audience(dialect, seen);
        self.search_for(query, &audience, stop)
    }

    /// Searches for somebody who is shown no line of what is found, only names and counts: nothing is written down.
    ///
    /// # Errors
    ///
    /// As [`Workspace::search`].
    pub fn count_watched(
        &self,
        query: &Query,
        dialect: Dialect,
        seen: &AtomicUsize,
    ) -> Result<Found, DiskError> {
        let audience = Audience {
            ledger: None,
            ..self.audience(dialect, seen)
        };
        self.search_for(query, &audience, None)
    }

    fn audience<'s>(&'s self, dialect: Dialect, seen: &'s AtomicUsize) -> Audience<'s> {
        Audience {
            scheme: dialect.scheme,
            session: self.name,
            ledger: Some(self.service.kept.ledger()),
            seen: Some(seen),
        }
    }

    fn search_for(
        &self,
        query: &Query,
        audience: &Audience<'_>,
        stop: Option<&CancelToken>,
    ) -> Result<Found, DiskError> {
        let workspace = &self.service.workspace;
        let search = || workspace.search(query, audience, stop);
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
