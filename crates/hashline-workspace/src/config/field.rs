//! Which part of a configuration a key is about.

use std::path::PathBuf;
use std::time::Duration;

use hashline_core::dialect::Dialect;
use hashline_core::policy::{Context, Landing, Profile, RepairPolicy};

use super::Config;
use super::hook::{HookAction, ReadRewrite};
use super::key::ConfigKey;
use super::value::ConfigValue;
use crate::commit::Durability;
use crate::workspace::{HardLinks, InPlace};

const DAY: u64 = 24 * 60 * 60;

impl Config {
    /// Returns what a key is set to.
    #[must_use]
    pub fn get(&self, key: ConfigKey) -> ConfigValue {
        let limits = &self.settings.limits;
        let protection = &self.settings.protection;
        let size = |bytes: usize| ConfigValue::Size(bytes as u64);
        let count = |number: usize| ConfigValue::Count(number as u64);
        match key {
            ConfigKey::Dialect => ConfigValue::Choice(self.dialect.map_or("auto", Dialect::name)),
            ConfigKey::Profile => ConfigValue::Choice(match self.profile {
                Profile::Default => "default",
                Profile::Seed => "seed",
            }),
            ConfigKey::Landing => ConfigValue::Choice(match self.landing {
                Landing::Shown => "shown",
                Landing::Strict => "strict",
                Landing::Seed => "seed",
            }),
            ConfigKey::Repair => ConfigValue::Choice(match self.repair {
                RepairPolicy::Proven => "proven",
                RepairPolicy::Seed => "seed",
                RepairPolicy::Off => "off",
            }),
            ConfigKey::Context => count(self.context.lines()),
            ConfigKey::Durability => ConfigValue::Choice(match self.settings.durability {
                Durability::Full => "full",
                Durability::Fast => "fast",
            }),
            ConfigKey::HardLinks => ConfigValue::Choice(match self.settings.hard_links {
                HardLinks::Refuse => "refuse",
                HardLinks::Break => "break",
            }),
            ConfigKey::InPlace => ConfigValue::Switch(self.settings.in_place != InPlace::Never),
            ConfigKey::Stats => ConfigValue::Switch(self.stats),
            ConfigKey::Roots => {
                let roots = self.roots.iter();
                ConfigValue::Names(
                    roots
                        .map(|root| root.to_string_lossy().into_owned())
                        .collect(),
                )
            }
            ConfigKey::ProtectedAdd => ConfigValue::Names(protection.added.clone()),
            ConfigKey::ProtectedUnlock => ConfigValue::Names(protection.unlocked.clone()),
            ConfigKey::LedgerOn => ConfigValue::Switch(self.ledger_on),
            ConfigKey::LedgerBytes => ConfigValue::Size(self.ledger_bounds.bytes),
            ConfigKey::LedgerDays => ConfigValue::Count(self.ledger_bounds.age.as_secs() / DAY),
            ConfigKey::SearchMatches => count(self.search_matches),
            ConfigKey::SearchContext => count(self.search_context.lines()),
            ConfigKey::HookNative => ConfigValue::Choice(self.hook.native.name()),
            ConfigKey::HookRead => ConfigValue::Choice(self.hook.read.name()),
            ConfigKey::HookShell => ConfigValue::Choice(self.hook.shell.name()),
            ConfigKey::LimitFile => ConfigValue::Size(limits.file),
            ConfigKey::LimitTotal => ConfigValue::Size(limits.total),
            ConfigKey::LimitLine => size(limits.line),
            ConfigKey::LimitFiles => count(limits.files),
            ConfigKey::LimitEdits => count(limits.edits),
            ConfigKey::LimitBody => size(limits.body),
            ConfigKey::LimitJsonDepth => count(limits.json_depth),
            ConfigKey::LimitPattern => size(limits.pattern),
            ConfigKey::LimitCompiledPattern => size(limits.compiled_pattern),
            ConfigKey::LimitSearchedLine => size(limits.searched_line),
            ConfigKey::LimitLockWait => ConfigValue::Time(limits.lock_wait),
            ConfigKey::LimitReaderWait => ConfigValue::Time(limits.reader_wait),
            ConfigKey::LimitRequestTime => ConfigValue::Time(limits.request_time),
        }
    }

    /// Sets a key. A value of another kind than the key takes changes nothing: [`super::ValueType`] lets none through.
    pub(super) fn set(&mut self, key: ConfigKey, value: ConfigValue) {
        match value {
            ConfigValue::Switch(on) => self.set_switch(key, on),
            ConfigValue::Count(amount) | ConfigValue::Size(amount) => self.set_amount(key, amount),
            ConfigValue::Time(time) => self.set_time(key, time),
            ConfigValue::Choice(word) => self.set_choice(key, word),
            ConfigValue::Names(names) => self.set_names(key, names),
        }
    }

    fn set_switch(&mut self, key: ConfigKey, on: bool) {
        match key {
            ConfigKey::InPlace => {
                self.settings.in_place = if on {
                    InPlace::WhenNeeded
                } else {
                    InPlace::Never
                };
            }
            ConfigKey::Stats => self.stats = on,
            ConfigKey::LedgerOn => self.ledger_on = on,
            _ => {}
        }
    }

    fn set_amount(&mut self, key: ConfigKey, amount: u64) {
        let limits = &mut self.settings.limits;
        let number = usize::try_from(amount).unwrap_or(usize::MAX);
        match key {
            ConfigKey::Context => self.context = Context::new(number),
            ConfigKey::LedgerBytes => self.ledger_bounds.bytes = amount,
            ConfigKey::LedgerDays => {
                self.ledger_bounds.age = Duration::from_secs(amount.saturating_mul(DAY));
            }
            ConfigKey::SearchMatches => self.search_matches = number,
            ConfigKey::SearchContext => self.search_context = Context::new(number),
            ConfigKey::LimitFile => limits.file = amount,
            ConfigKey::LimitTotal => limits.total = amount,
            ConfigKey::LimitLine => limits.line = number,
            ConfigKey::LimitFiles => limits.files = number,
            ConfigKey::LimitEdits => limits.edits = number,
            ConfigKey::LimitBody => limits.body = number,
            ConfigKey::LimitJsonDepth => limits.json_depth = number,
            ConfigKey::LimitPattern => limits.pattern = number,
            ConfigKey::LimitCompiledPattern => limits.compiled_pattern = number,
            ConfigKey::LimitSearchedLine => limits.searched_line = number,
            _ => {}
        }
    }

    fn set_time(&mut self, key: ConfigKey, time: Duration) {
        let limits = &mut self.settings.limits;
        match key {
            ConfigKey::LimitLockWait => limits.lock_wait = time,
            ConfigKey::LimitReaderWait => limits.reader_wait = time,
            ConfigKey::LimitRequestTime => limits.request_time = time,
            _ => {}
        }
    }

    fn set_choice(&mut self, key: ConfigKey, word: &str) {
        match (key, word) {
            (ConfigKey::Dialect, name) => self.dialect = Dialect::named(name),
            (ConfigKey::Profile, "seed") => {
                self.profile = Profile::Seed;
                (self.landing, self.repair) = (Landing::Seed, RepairPolicy::Seed);
            }
            (ConfigKey::Profile, _) => {
                self.profile = Profile::Default;
                (self.landing, self.repair) = (Landing::Shown, RepairPolicy::Proven);
            }
            (ConfigKey::Landing, "seed") => self.landing = Landing::Seed,
            (ConfigKey::Landing, "shown") => self.landing = Landing::Shown,
            (ConfigKey::Landing, _) => self.landing = Landing::Strict,
            (ConfigKey::Repair, "seed") => self.repair = RepairPolicy::Seed,
            (ConfigKey::Repair, "proven") => self.repair = RepairPolicy::Proven,
            (ConfigKey::Repair, _) => self.repair = RepairPolicy::Off,
            (ConfigKey::Durability, "fast") => self.settings.durability = Durability::Fast,
            (ConfigKey::Durability, _) => self.settings.durability = Durability::Full,
            (ConfigKey::HardLinks, "break") => self.settings.hard_links = HardLinks::Break,
            (ConfigKey::HardLinks, _) => self.settings.hard_links = HardLinks::Refuse,
            (ConfigKey::HookNative, word) => self.hook.native = HookAction::named(word),
            (ConfigKey::HookRead, word) => self.hook.read = ReadRewrite::named(word),
            (ConfigKey::HookShell, word) => self.hook.shell = HookAction::named(word),
            _ => {}
        }
    }

    fn set_names(&mut self, key: ConfigKey, names: Vec<String>) {
        match key {
            ConfigKey::Roots => self.roots = names.into_iter().map(PathBuf::from).collect(),
            ConfigKey::ProtectedAdd => self.settings.protection.added = names,
            ConfigKey::ProtectedUnlock => self.settings.protection.unlocked = names,
            _ => {}
        }
    }
}
