//! Configuration: what the user decides, and what the files of a root may narrow.
//!
//! There are three sources, each over the one before: the defaults, the user's file, the command line. Together they are a
//! [`UserConfig`]. Then the `hashline.toml` of each root is read. It comes with the files, perhaps from a stranger, so it can only
//! narrow. A key in it that would widen is an error, not ignored, so that nobody relies on a setting that does not hold.
//!
//! Every key is one row of the table in `keys.rs`.
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

/// Every setting, with its value.
#[derive(Clone, Debug)]
pub struct Config {
    /// The dialect; `None`: as the shape of a request says.
    pub dialect: Option<Dialect>,
    /// Whether a dialect behaves as its own definition says, to the letter.
    pub profile: Profile,
    /// How an anchor becomes a place.
    pub landing: Landing,
    /// When new text may be corrected.
    pub repair: RepairPolicy,
    /// How many lines are shown around a place.
    pub context: Context,
    /// The settings of the workspace.
    pub settings: Settings,
    /// Whether counters are kept.
    pub stats: bool,
    /// The roots, if the command line names none.
    pub roots: Vec<PathBuf>,
    /// Whether what was shown is remembered on disk.
    pub ledger_on: bool,
    /// How much of it, and for how long.
    pub ledger_bounds: LedgerLimits,
    /// How many matching lines a search looks for, unless it says otherwise.
    pub search_matches: usize,
    /// How many lines a search shows around a match, unless it says otherwise.
    pub search_context: Context,
    /// What `hashline hook` does when an agent does not use hashline.
    pub hook: HookConfig,
}

/// What `hashline hook` does when an agent uses its own tools or its shell instead of hashline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookConfig {
    /// The agent edits a file with a tool of its own.
    pub native: HookAction,
    /// The agent reads a file with a tool of its own.
    pub read: ReadRewrite,
    /// The agent runs a shell command that shows or changes a file.
    pub shell: HookAction,
}

/// What is done about a call that bypasses hashline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HookAction {
    /// It is allowed.
    Off,
    /// It is allowed, and the agent is told how to do it with hashline.
    Advise,
    /// It is refused, and the agent is told how to do it with hashline.
    #[default]
    Refuse,
}

/// What is done with the lines that an agent's own tool shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadRewrite {
    /// They stay as they are.
    Off,
    /// They get anchors, where the agent lets its answer be rewritten.
    #[default]
    Anchors,
}

/// Values that are set when the program is started, such as on the command line. They win over the user's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigOverrides {
    values: BTreeMap<ConfigKey, ConfigValue>,
}

/// What the user allows: the defaults, the user's file and the overrides. It can be kept, and opened over different roots.
#[derive(Clone, Debug, Default)]
pub struct UserConfig {
    config: Config,
    /// The keys that were overridden: the file of a root may not change them, even where it may choose.
    overridden: BTreeSet<ConfigKey>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            dialect: None,
            profile: Profile::default(),
            landing: Landing::Shown,
            repair: RepairPolicy::Proven,
            context: Context::default(),
            settings: Settings::default(),
            stats: true,
            roots: Vec::new(),
            ledger_on: true,
            ledger_bounds: LedgerLimits::default(),
            search_matches: Most::default().matches,
            search_context: Context::new(0),
            hook: HookConfig::default(),
        }
    }
}

impl Config {
    /// Returns the policy for a request in a dialect.
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
    /// Returns its word in a configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        word(self)
    }
}

impl ReadRewrite {
    /// Returns its word in a configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        word(self)
    }
}

impl ConfigOverrides {
    /// Adds a value. One of another type than the key takes is refused by [`UserConfig::read`].
    #[must_use]
    pub fn with(mut self, key: ConfigKey, value: impl Into<ConfigValue>) -> Self {
        self.values.insert(key, value.into());
        self
    }

    /// Adds a value written as `key=value`: `limits.file=64 MiB`, `landing=strict`, `stats=true`. Names are separated by commas.
    ///
    /// # Errors
    ///
    /// `bad_config` if there is no such key, or it does not take the value.
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
    /// Reads the user's file, if there is one, and applies the overrides.
    ///
    /// # Errors
    ///
    /// `bad_config` if the file cannot be read or understood.
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

    /// Returns the roots that the user's file or the overrides name.
    #[must_use]
    pub fn roots(&self) -> &[PathBuf] {
        &self.config.roots
    }

    /// Opens a workspace over some roots, narrowed by what their own files say.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened; `bad_config` if a root's file cannot be used or would widen what is allowed.
    pub fn open(&self, roots: &[PathBuf]) -> Result<(Workspace, Config), DiskError> {
        let opened = roots.iter().map(|root| Root::open(&Native, root));
        let opened = opened.collect::<Result<Vec<_>, _>>()?;
        let config = self.narrowed(&Native, &opened)?;
        let workspace = Workspace::over(Native, opened, config.settings.clone());
        Ok((workspace, config))
    }

    /// Returns the configuration for some roots together: the strictest that any of their files says. Where a file may choose, the
    /// first root's choice holds.
    ///
    /// # Errors
    ///
    /// `bad_config` if a root's file cannot be used or would widen what is allowed.
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
