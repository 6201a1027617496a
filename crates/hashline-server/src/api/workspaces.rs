//! The workspaces of a server: folders that one token each gives access to, with their own settings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use hashline_core::dialect::Dialect;
use hashline_session::{Service, ServiceOptions};
use hashline_wire::Refusal;
use hashline_workspace::config::ConfigOverrides;
use hashline_workspace::ledger::state_dir;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::api::metrics::WorkspaceMetrics;
use crate::api::rollout::Rollout;
use crate::api::ui::Watchers;
use crate::front::{Caller, TokenDigest, Tokens};

/// How many calls run at once, over all workspaces, if the options do not say; further calls wait.
const RUNNING_CALLS: usize = 64;

/// How a server is opened.
#[derive(Clone, Debug, Default)]
pub struct ApiOptions {
    /// The workspaces.
    pub workspaces: Vec<WorkspaceOptions>,
    /// The token of the person who runs the server, for what is about all workspaces. The token of the only workspace counts as this too.
    pub operator: Option<TokenDigest>,
    /// The user's configuration file, if there is one.
    pub user_file: Option<PathBuf>,
    /// How many calls run at once; `None`: the usual number.
    pub running: Option<usize>,
    /// Whether the page for people who watch is served.
    pub ui: Ui,
}

/// Whether a server shows the page for people who watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ui {
    /// It does not: the paths of the page do not exist.
    #[default]
    Off,
    /// It does.
    On,
}

/// How a workspace is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceOptions {
    /// The name of the workspace: a `sandbox_id` in a request must be the same.
    pub name: String,
    /// The folder whose files may be read and changed.
    pub root: PathBuf,
    /// The path under which callers know the folder, such as `/workspace`.
    pub alias: Option<PathBuf>,
    /// The digest of the token that gives access.
    pub token: TokenDigest,
    /// Settings that override the user's configuration.
    pub set: ConfigOverrides,
    /// For which tasks `edit-file` is on.
    pub edit_file: Rollout,
    /// How many characters `read-file` shows at most.
    pub read_chars: usize,
}

impl WorkspaceOptions {
    /// The most characters that `read-file` shows if nothing else is set, as in seed 001.
    pub const READ_CHARS: usize = 24_000;

    /// Returns the options of a workspace with the usual settings.
    #[must_use]
    pub fn new(name: &str, root: PathBuf, token: TokenDigest) -> Self {
        Self {
            name: name.to_owned(),
            root,
            alias: None,
            token,
            set: ConfigOverrides::default(),
            edit_file: Rollout::default(),
            read_chars: Self::READ_CHARS,
        }
    }
}

/// Why workspaces cannot be served.
#[derive(Debug)]
pub enum ApiError {
    /// A name is empty, too long, or has other characters than letters, digits, `.`, `_` and `-`.
    BadName(String),
    /// Two workspaces have the same name.
    SameName(String),
    /// Two workspaces, or a workspace and the operator, have the same token.
    SameToken(String),
    /// A workspace cannot be opened.
    Workspace(String, Box<Refusal>),
}

/// A workspace that is served.
#[derive(Debug)]
pub struct ServedWorkspace {
    pub(crate) options: WorkspaceOptions,
    pub(crate) service: Service,
    pub(crate) dialect: Option<Dialect>,
    /// Who has its token.
    caller: Caller,
    /// What is counted about it. It stays the same if the workspace is opened anew with other settings.
    pub(crate) metrics: Arc<WorkspaceMetrics>,
}

/// A server of the JSON API, without its connections.
#[derive(Clone, Debug)]
pub struct ApiServer(pub(crate) Arc<Shared>);

/// What all calls of a server share.
#[derive(Debug)]
pub(crate) struct Shared {
    options: ApiOptions,
    tokens: Tokens,
    workspaces: RwLock<Workspaces>,
    /// A semaphore with one permit for each call that may run at the same time.
    pub(crate) running: Arc<Semaphore>,
    /// When the server was opened.
    pub(crate) started: SystemTime,
    /// The token that is cancelled when the server shuts down.
    pub(crate) shutdown: CancellationToken,
    /// The people who watch calls as they come.
    pub(crate) watchers: Watchers,
}

/// The workspaces by their names.
type Workspaces = Arc<BTreeMap<String, Arc<ServedWorkspace>>>;

impl ApiServer {
    /// Opens all workspaces.
    ///
    /// # Errors
    ///
    /// The first workspace that cannot be served.
    pub fn open(mut options: ApiOptions) -> Result<Self, ApiError> {
        let running = options.running.unwrap_or(RUNNING_CALLS).max(1);
        let workspaces = std::mem::take(&mut options.workspaces);
        let server = Self(Arc::new(Shared {
            options,
            tokens: Tokens::default(),
            workspaces: RwLock::default(),
            running: Arc::new(Semaphore::new(running)),
            started: SystemTime::now(),
            shutdown: CancellationToken::new(),
            watchers: Watchers::default(),
        }));
        server.replace(workspaces)?;
        Ok(server)
    }

    /// Replaces the workspaces: new ones are opened, those that did not change stay open, and calls of those that are gone are finished. If one cannot be
    /// opened, all stay as they were.
    ///
    /// # Errors
    ///
    /// The first workspace that cannot be served.
    pub fn replace(&self, new: Vec<WorkspaceOptions>) -> Result<(), ApiError> {
        let shared = &self.0;
        refuse_unusable(&new, shared.options.operator.as_ref())?;
        let before = shared.workspaces();
        let mut workspaces = BTreeMap::new();
        for options in new {
            let name = options.name.clone();
            let kept = before.get(&name).filter(|one| one.options == options);
            let workspace = match kept {
                Some(kept) => Arc::clone(kept),
                None => {
                    let is_same = |one: &&Arc<ServedWorkspace>| one.options.token == options.token;
                    let caller = before.get(&name).filter(is_same);
                    let caller = caller.map(|one| one.caller.clone());
                    let caller = caller.unwrap_or_else(|| Caller(name.as_str().into()));
                    let metrics = before.get(&name).map(|one| Arc::clone(&one.metrics));
                    let opened = shared.open(options, caller, metrics.unwrap_or_default());
                    let failed = |refusal| ApiError::Workspace(name.clone(), Box::new(refusal));
                    Arc::new(opened.map_err(failed)?)
                }
            };
            workspaces.insert(name, workspace);
        }
        let tokens = tokens_of(&workspaces, shared.options.operator.as_ref());
        let mut current = shared
            .workspaces
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *current = Arc::new(workspaces);
        drop(current);
        shared.tokens.replace(tokens);
        // Whoever still has a token that is accepted connects again.
        shared.watchers.disconnect();
        // What was counted about those that are gone, too.
        save(&before);
        Ok(())
    }

    /// Adds what was counted since the last call to the counters in the state directory.
    pub(crate) fn save_metrics(&self) {
        save(&self.0.workspaces());
    }

    /// Returns the tokens that the front is to accept.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.0.tokens.clone()
    }

    /// Returns the most bytes that a request to any of the workspaces may have.
    #[must_use]
    pub fn body_bytes(&self) -> usize {
        let workspaces = self.0.workspaces();
        let limits = workspaces
            .values()
            .map(|one| one.service.request_limits().bytes);
        limits.max().unwrap_or_default()
    }

    /// Returns the workspaces whose locks cannot be proved to keep other servers out, because their folder is on a network file system.
    #[must_use]
    pub fn unproved(&self) -> Vec<String> {
        let workspaces = self.0.workspaces();
        let remote = workspaces.values().filter(|one| one.service.is_remote());
        remote.map(|one| one.options.name.clone()).collect()
    }

    /// Cancels all calls that have not begun to write, and ends the streams of events.
    pub(crate) fn shut_down(&self) {
        self.0.shutdown.cancel();
        self.0.watchers.disconnect();
    }
}

impl Shared {
    /// Returns the workspaces as they are now.
    pub(crate) fn workspaces(&self) -> Workspaces {
        let workspaces = self.workspaces.read();
        Arc::clone(&workspaces.unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the workspace that a caller's token gives access to. A caller whose request was admitted before the workspace was replaced by another one
    /// of the same name has no access to that one: it has a token of its own.
    pub(crate) fn workspace_of(&self, caller: &Caller) -> Option<Arc<ServedWorkspace>> {
        let workspaces = self.workspaces();
        let named = workspaces.get(&*caller.0);
        let is_same = |one: &&Arc<ServedWorkspace>| Arc::ptr_eq(&one.caller.0, &caller.0);
        named.filter(is_same).map(Arc::clone)
    }

    /// Returns whether the page for people who watch is served.
    pub(crate) fn ui(&self) -> Ui {
        self.options.ui
    }

    /// Returns whether a caller may see what is about all workspaces.
    pub(crate) fn is_operator(&self, caller: &Caller) -> bool {
        caller.0.is_empty() || (self.options.operator.is_none() && self.workspaces().len() == 1)
    }

    /// Returns how many calls are being carried out.
    pub(crate) fn running_calls(&self) -> usize {
        let most = self.options.running.unwrap_or(RUNNING_CALLS).max(1);
        most.saturating_sub(self.running.available_permits())
    }

    fn open(
        &self,
        options: WorkspaceOptions,
        caller: Caller,
        metrics: Arc<WorkspaceMetrics>,
    ) -> Result<ServedWorkspace, Refusal> {
        let service = Service::open(&ServiceOptions {
            roots: vec![options.root.clone()],
            alias: options.alias.clone(),
            overrides: options.set.clone(),
            user_file: self.options.user_file.clone(),
            state: state_dir(),
            ..ServiceOptions::default()
        })?;
        Ok(ServedWorkspace {
            dialect: service.config().dialect,
            caller,
            options,
            service,
            metrics,
        })
    }
}

fn save(workspaces: &Workspaces) {
    for one in workspaces.values() {
        one.metrics.save(&one.service);
    }
}

/// Returns whose each token is: a workspace's, by its name, or the operator's, who has the empty name.
fn tokens_of(
    workspaces: &BTreeMap<String, Arc<ServedWorkspace>>,
    operator: Option<&TokenDigest>,
) -> Vec<(TokenDigest, Caller)> {
    let operator = operator.map(|token| (token.clone(), Caller::default()));
    let workspaces = workspaces.values();
    let workspaces = workspaces.map(|one| (one.options.token.clone(), one.caller.clone()));
    operator.into_iter().chain(workspaces).collect()
}

/// Refuses workspaces that cannot be told apart, by their names or by their tokens.
fn refuse_unusable(
    workspaces: &[WorkspaceOptions],
    operator: Option<&TokenDigest>,
) -> Result<(), ApiError> {
    let mut tokens: BTreeSet<&TokenDigest> = operator.into_iter().collect();
    let mut names = BTreeSet::new();
    for one in workspaces {
        let name = &one.name;
        if !is_name(name) {
            return Err(ApiError::BadName(name.clone()));
        }
        if !names.insert(name) {
            return Err(ApiError::SameName(name.clone()));
        }
        if !tokens.insert(&one.token) {
            return Err(ApiError::SameToken(name.clone()));
        }
    }
    Ok(())
}

/// Returns whether a text can be the name of a workspace.
fn is_name(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=128).contains(&text.len()) && text.bytes().all(is_letter)
}
