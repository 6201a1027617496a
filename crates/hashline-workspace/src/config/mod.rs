//! Configuration: the settings of the user, which the `hashline.toml` of a root may make stricter.
//!
//! There are three sources, each overriding the one before: the defaults, the user's file, and the command line. Together they are a [`UserConfig`].
//! Then the `hashline.toml` of each root is read. That file comes with the project, perhaps from a stranger, so it can only allow less than the user
//! does. A key in it that would allow more is an error, so that nobody relies on a setting that has no effect.
//!
//! Every key is a row of the table in `keys.rs`.
//!
//! ```no_run
//! use hashline_core::policy::Landing;
//! use hashline_workspace::config::{ConfigKey, ConfigOverrides, UserConfig, user_file};
//!
//! # fn main() -> Result<(), hashline_workspace::DiskError> {
//! let overrides = ConfigOverrides::default().with(ConfigKey::LANDING, Landing::Strict);
//! let user = UserConfig::read(user_file().as_deref(), &overrides)?;
//! let (workspace, config) = user.open(&["/home/me/project".into()])?;
//! # let _ = (workspace, config);
//! # Ok(())
//! # }
//! ```

pub mod bad_config;
mod file;
mod keys;
mod sources;
mod value;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::config::bad_config::{ConfigFault, ConfigSource};
use crate::error::DiskError;
use hashline_core::dialect::Dialect;
use hashline_core::policy::{Context, Landing, Policy, Profile, RepairPolicy};
use hashline_reference::engine_for;

pub use keys::{ConfigKey, RootRule};
pub use sources::{ROOT_FILE, user_file};
pub use value::{ConfigValue, ValueType};

use crate::ledger::{LedgerLimits, state_dir};
use crate::root::Root;
use crate::search::Most;
use crate::system::{Native, System};
use crate::workspace::{Settings, Workspace};
use file::{ConfigValues, bad};
use keys::{bad_value, word};
use value::Literal;

/// All settings with their values.
#[derive(Clone, Debug)]
pub struct Config {
    /// The dialect of requests; `None` to detect it from the shape of each request.
    pub dialect: Option<Dialect>,
    /// Whether a dialect behaves exactly like its original tool (`seed`).
    pub profile: Profile,
    /// How an anchor in a request is resolved to a line of the file.
    pub landing: Landing,
    /// When the new text of an edit may be corrected.
    pub repair: RepairPolicy,
    /// How many lines of context an answer shows around a change.
    pub context: Context,
    /// The settings of the workspace.
    pub settings: Settings,
    /// Whether counters for `hashline stats` are kept.
    pub stats: bool,
    /// The roots (folders that may be edited), if the command line names none.
    pub roots: Vec<PathBuf>,
    /// Whether the lines that were shown are recorded on disk, in the ledger.
    pub ledger_on: bool,
    /// The size and age limits of the ledger.
    pub ledger_bounds: LedgerLimits,
    /// How many matching lines a search shows, unless the search sets it.
    pub search_matches: usize,
    /// How many lines of context a search shows around a match, unless the search sets it.
    pub search_context: Context,
    /// How many bytes an answer to a model has at most; `None`: as many as its client hands on whole.
    pub page: Option<usize>,
    /// What `hashline hook` does when an agent uses its own tools instead of hashline.
    pub hook: HookConfig,
}

/// What `hashline hook` does when an agent uses its own tools or its shell instead of hashline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookConfig {
    /// What the hook does when the agent edits a file with its own edit tool.
    pub native: HookAction,
    /// What the hook does when the agent reads a file with its own read tool.
    pub read: ReadRewrite,
    /// What the hook does when the agent runs a shell command that shows or changes a file.
    pub shell: HookAction,
}

/// What the hook does with a tool call that bypasses hashline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HookAction {
    /// The call is allowed.
    Off,
    /// Allow the call, and suggest the equivalent hashline call.
    Advise,
    /// Refuse the call, and suggest the equivalent hashline call.
    #[default]
    Refuse,
}

/// What the hook does with the lines that an agent's own read tool shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadRewrite {
    /// The lines stay as they are.
    Off,
    /// The lines get anchors, if the agent lets hooks rewrite the output of its tools.
    #[default]
    Anchors,
}

/// Values that are set when the program is started, such as on the command line. They override the user's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigOverrides {
    values: BTreeMap<ConfigKey, ConfigValue>,
}

/// The user's configuration: the defaults, the user's file and the overrides. One value can open workspaces over different roots.
#[derive(Clone, Debug, Default)]
pub struct UserConfig {
    config: Config,
    /// The keys that were overridden at start: a root's `hashline.toml` may not change them, even if it may usually set them.
    overridden: BTreeSet<ConfigKey>,
}

impl Default for Config {
    fn default() -> Self {
        let policy = Policy::default();
        Self {
            dialect: None,
            profile: Profile::default(),
            landing: policy.landing,
            repair: policy.repair,
            context: policy.context,
            settings: Settings::default(),
            stats: true,
            roots: Vec::new(),
            ledger_on: true,
            ledger_bounds: LedgerLimits::default(),
            search_matches: Most::default().matches,
            search_context: Context::new(0),
            page: None,
            hook: HookConfig::default(),
        }
    }
}

impl Config {
    /// Returns the policy (landing, repair, context, engine) for requests in a dialect.
    #[must_use]
    pub fn policy(&self, dialect: Dialect) -> Policy<'static> {
        let seed = self.profile == Profile::Seed
            && (self.landing, self.repair) == (Landing::Seed, RepairPolicy::Seed);
        Policy {
            landing: self.landing,
            repair: self.repair,
            // Seed 000's engine knows no other landing and no other repairs: who narrowed those gets ours.
            engine: seed.then(|| engine_for(dialect)).flatten(),
            max_bytes: usize::try_from(self.settings.limits.file).unwrap_or(usize::MAX),
            context: self.context,
            ..Policy::new(dialect)
        }
    }
}

impl HookAction {
    /// Returns the name of the action in a configuration file.
    #[must_use]
    pub fn name(self) -> &'static str {
        word(self)
    }
}

impl ReadRewrite {
    /// Returns the value as it is written in a configuration file.
    #[must_use]
    pub fn name(self) -> &'static str {
        word(self)
    }
}

impl ConfigOverrides {
    /// Adds a value for a key. A value of the wrong type is refused later, by [`UserConfig::read`].
    #[must_use]
    pub fn with(mut self, key: ConfigKey, value: impl Into<ConfigValue>) -> Self {
        self.values.insert(key, value.into());
        self
    }

    /// Adds a value written as `key=value`: `limits.file=64 MiB`, `landing=strict`, `stats=true`. Lists are separated by commas.
    ///
    /// # Errors
    ///
    /// `bad_config` if the key does not exist, or does not accept the value.
    pub fn with_pair(self, pair: &str) -> Result<Self, DiskError> {
        let refused = |why| bad(ConfigSource::Start, None, why);
        let (name, word) = pair.split_once('=').unwrap_or((pair, ""));
        let name = name.trim();
        let key = ConfigKey::named(name).ok_or_else(|| refused(file::unknown(name)))?;
        let literal = Literal::from_argument(word.trim(), key.takes());
        let value = key.takes().read(&literal);
        let value = value.ok_or_else(|| refused(bad_value(key, literal.quoted())))?;
        Ok(self.with(key, value))
    }
}

impl UserConfig {
    /// Reads the user's configuration file, if there is one, and applies the overrides.
    ///
    /// # Errors
    ///
    /// `bad_config` if the file cannot be read or parsed, or a key does not accept its value.
    pub fn read(user_file: Option<&Path>, overrides: &ConfigOverrides) -> Result<Self, DiskError> {
        let mut config = Config::default();
        // A root may contain the user's own configuration, and an edit of that could allow everything else.
        config.settings.protection.paths = sources::own_places(user_file);
        config.settings.lock_files = state_dir().map(|state| state.join("locks"));
        if let Some(text) = user_file.map(sources::read_user).transpose()?.flatten() {
            for (key, (value, spot)) in file::parse(&ConfigSource::User, &text)? {
                let set = config.set(key, &value);
                set.map_err(|why| bad(ConfigSource::User, Some(spot), why))?;
            }
        }
        for (key, value) in &overrides.values {
            let set = config.set(*key, value);
            set.map_err(|why| bad(ConfigSource::Start, None, why))?;
        }
        Ok(Self {
            config,
            overridden: overrides.values.keys().copied().collect(),
        })
    }

    /// Returns the roots that the user's file or the overrides set.
    #[must_use]
    pub fn roots(&self) -> &[PathBuf] {
        &self.config.roots
    }

    /// Opens a workspace over some roots, with the user's configuration made stricter by the roots' own `hashline.toml` files.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened; `bad_config` if a root's file is invalid or would allow more than the user does.
    pub fn open(&self, roots: &[PathBuf]) -> Result<(Workspace, Config), DiskError> {
        let opened = roots.iter().map(|root| Root::open(&Native, root));
        let opened = opened.collect::<Result<Vec<_>, _>>()?;
        let config = self.narrowed(&Native, &opened)?;
        let workspace = Workspace::over(Native, opened, config.settings.clone());
        Ok((workspace, config))
    }

    /// Returns the configuration for several roots together: for each key the strictest value of all their files. For keys that a file may set
    /// freely, the first root that sets the key decides.
    ///
    /// # Errors
    ///
    /// `bad_config` if a root's file is invalid or would allow more than the user does.
    pub fn narrowed<S: System>(&self, system: &S, roots: &[Root<S>]) -> Result<Config, DiskError> {
        let mut config = self.config.clone();
        let mut chosen = self.overridden.clone();
        for (index, root) in roots.iter().enumerate() {
            let path = match index {
                0 => ROOT_FILE.to_owned(),
                _ => root.path().join(ROOT_FILE).to_string_lossy().into_owned(),
            };
            let source = ConfigSource::Root(path);
            if let Some(text) = sources::read_root(system, root, &source)? {
                let values = file::parse(&source, &text)?;
                self.narrow(&mut config, &mut chosen, &source, values)?;
            }
        }
        Ok(config)
    }

    fn narrow(
        &self,
        config: &mut Config,
        chosen: &mut BTreeSet<ConfigKey>,
        source: &ConfigSource,
        values: ConfigValues,
    ) -> Result<(), DiskError> {
        for (key, (asked, spot)) in values {
            let refused = |why| bad(source.clone(), Some(spot), why);
            let width = |value: &ConfigValue| key.takes().width(value);
            let so_far = config.get(key);
            let value = match key.root_rule() {
                RootRule::Nothing => return Err(refused(ConfigFault::NotForRoots(key.name()))),
                // Another root or the command line chose already.
                RootRule::Choose if !chosen.insert(key) => continue,
                RootRule::Choose => asked,
                RootRule::Add => so_far.joined(asked),
                RootRule::Narrow => {
                    let allowed = self.config.get(key);
                    if width(&asked) > width(&allowed) {
                        return Err(refused(ConfigFault::Widens {
                            key: key.name(),
                            asked: asked.to_string(),
                            allowed: allowed.to_string(),
                        }));
                    }
                    std::cmp::min_by_key(so_far, asked, width)
                }
            };
            config.set(key, &value).map_err(refused)?;
        }
        Ok(())
    }
}
