//! Configuration: what the person who starts the program decides, and what the files themselves may narrow.
//!
//! Three sources, each over the one before: our defaults, the user's file, what is given at the start. Together they are what the
//! person [`UserConfig`]. Then the `hashline.toml` of each root is heard. It comes with the files, perhaps from a stranger, so it can
//! only narrow; a key in it that would widen is an error, not ignored, so that nobody believes in what does not hold.
//!
//! ```no_run
//! use hashline_workspace::config::{UserConfig, ConfigOverrides, ConfigKey, user_file};
//!
//! # fn main() -> Result<(), hashline_workspace::DiskError> {
//! let given = ConfigOverrides::default().with(ConfigKey::Landing, "strict")?;
//! let allowed = UserConfig::read(user_file().as_deref(), &given)?;
//! let (workspace, config) = allowed.open(&["/home/me/project".into()])?;
//! # let _ = (workspace, config);
//! # Ok(())
//! # }
//! ```

mod field;
mod file;
mod given;
mod hook;
mod key;
mod literal;
mod narrow;
mod nearest;
mod sources;
mod value;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hashline_core::bad_config::{ConfigFault, ConfigSource, NotForRoots, Widens};
use hashline_core::dialect::Dialect;
use hashline_core::disk::DiskError;
use hashline_core::policy::{Context, Landing, Policy, Profile, RepairPolicy, TextModel};
use hashline_core::search::Search;

pub use given::ConfigOverrides;
pub use hook::{HookAction, HookConfig, ReadRewrite};
pub use key::ConfigKey;
pub use narrow::RootRule;
pub use sources::{ROOT_FILE, user_file};
pub use value::{ConfigValue, ValueType};

use crate::ledger::{LedgerLimits, state_dir};
use crate::root::Root;
use crate::system::{Native, System};
use crate::workspace::{Settings, Workspace};
use file::{Sheet, bad};

/// Everything that can be set, settled.
#[derive(Clone, Debug)]
pub struct Config {
    /// The dialect; nothing: as the shape of a request says.
    pub dialect: Option<Dialect>,
    /// Whether a dialect is to be taken by its own definition to the letter.
    pub profile: Profile,
    /// How an anchor becomes a place.
    pub landing: Landing,
    /// When new text may be corrected.
    pub repair: RepairPolicy,
    /// How many lines are shown around a place.
    pub context: Context,
    /// What a workspace opens with.
    pub settings: Settings,
    /// Whether counters are kept.
    pub stats: bool,
    /// The folders that may be touched when nobody names others.
    pub roots: Vec<PathBuf>,
    /// Whether what was shown is remembered on disk.
    pub ledger_on: bool,
    /// How much of it.
    pub ledger_bounds: LedgerLimits,
    /// How many matching lines a search looks for, unless it says otherwise.
    pub search_matches: usize,
    /// How many lines a search shows around a match, unless it says otherwise.
    pub search_context: Context,
    /// What is done when an agent goes past us.
    pub hook: HookConfig,
}

/// What the person allows: the user's file and what was given at the start.
#[derive(Clone, Debug, Default)]
pub struct UserConfig {
    config: Config,
    /// What was given at the start: in matters of taste it goes before the file of a root.
    given: BTreeSet<ConfigKey>,
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
            search_matches: Search::DEFAULT_MATCHES,
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
            text: if seed {
                TextModel::Seed
            } else {
                TextModel::Bytes
            },
            max_bytes: usize::try_from(self.settings.limits.file).unwrap_or(usize::MAX),
            context: self.context,
            ..Policy::new(dialect)
        }
    }
}

impl UserConfig {
    /// Reads the user's file, if there is one, and adds what was given at the start.
    ///
    /// # Errors
    ///
    /// `bad_config` if the file cannot be read or understood.
    pub fn read(user_file: Option<&Path>, given: &ConfigOverrides) -> Result<Self, DiskError> {
        let mut config = Config::default();
        config.settings.protection.paths = sources::own_places(user_file);
        config.settings.lock_files = state_dir().map(|state| state.join("locks"));
        if let Some(text) = user_file.map(sources::read_user).transpose()?.flatten() {
            let sheet = file::parse(ConfigSource::User, &text)?;
            for (key, (value, _)) in sheet.values {
                config.set(key, value);
            }
        }
        for (key, value) in &given.values {
            config.set(*key, value.clone());
        }
        Ok(Self {
            config,
            given: given.values.keys().copied().collect(),
        })
    }

    /// Returns the roots the person named in the user's file or at the start.
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

    /// Returns what holds for some roots together: the strictest that any of their files says. In matters of taste the first speaks.
    ///
    /// # Errors
    ///
    /// `bad_config` if a root's file cannot be used or would widen what is allowed.
    pub fn narrowed<S: System>(&self, system: &S, roots: &[Root<S>]) -> Result<Config, DiskError> {
        let mut config = self.config.clone();
        let mut settled = self.given.clone();
        for (index, root) in roots.iter().enumerate() {
            let path = match index {
                0 => ROOT_FILE.to_owned(),
                _ => root.path().join(ROOT_FILE).to_string_lossy().into_owned(),
            };
            let source = ConfigSource::Root(path);
            if let Some(text) = sources::read_root(system, root, &source)? {
                self.narrow(&mut config, &mut settled, file::parse(source, &text)?)?;
            }
        }
        Ok(config)
    }

    fn narrow(
        &self,
        config: &mut Config,
        settled: &mut BTreeSet<ConfigKey>,
        sheet: Sheet,
    ) -> Result<(), DiskError> {
        for (key, (asked, spot)) in sheet.values {
            let refused = |why| Err(bad(sheet.source.clone(), Some(spot), why));
            let may = key.root_may();
            if may == RootRule::Nothing {
                return refused(ConfigFault::NotForRoots(NotForRoots { key: key.name() }));
            }
            if may == RootRule::Choose && !settled.insert(key) {
                continue;
            }
            let allowed = self.config.get(key);
            let narrowed = may.narrowed(key.takes(), &allowed, config.get(key), asked.clone());
            let Some(value) = narrowed else {
                return refused(ConfigFault::Widens(Widens {
                    key: key.name(),
                    asked: asked.to_string(),
                    allowed: allowed.to_string(),
                }));
            };
            config.set(key, value);
        }
        Ok(())
    }
}
