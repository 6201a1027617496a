//! Which part of a configuration a key is about.

use std::path::PathBuf;
use std::time::Duration;

use hashline_core::dialect::Dialect;
use hashline_core::policy::{Context, Landing, Profile, RepairPolicy};

use super::Config;
use super::hook::{Objection, ReadRewrite};
use super::key::Key;
use super::value::Value;
use crate::commit::Durability;
use crate::workspace::{HardLinks, InPlace};

const DAY: u64 = 24 * 60 * 60;

impl Config {
    /// Returns what a key is set to.
    #[must_use]
    pub fn get(&self, key: Key) -> Value {
        let limits = &self.settings.limits;
        let protection = &self.settings.protection;
        let size = |bytes: usize| Value::Size(bytes as u64);
        let count = |number: usize| Value::Count(number as u64);
        match key {
            Key::Dialect => Value::Choice(self.dialect.map_or("auto", Dialect::name)),
            Key::Profile => Value::Choice(match self.profile {
                Profile::Default => "default",
                Profile::Seed => "seed",
            }),
            Key::Landing => Value::Choice(match self.landing {
                Landing::Shown => "shown",
                Landing::Strict => "strict",
                Landing::Seed => "seed",
            }),
            Key::Repair => Value::Choice(match self.repair {
                RepairPolicy::Proven => "proven",
                RepairPolicy::Seed => "seed",
                RepairPolicy::Off => "off",
            }),
            Key::Context => count(self.context.lines()),
            Key::Durability => Value::Choice(match self.settings.durability {
                Durability::Full => "full",
                Durability::Fast => "fast",
            }),
            Key::HardLinks => Value::Choice(match self.settings.hard_links {
                HardLinks::Refuse => "refuse",
                HardLinks::Break => "break",
            }),
            Key::InPlace => Value::Switch(self.settings.in_place != InPlace::Never),
            Key::Stats => Value::Switch(self.stats),
            Key::Roots => {
                let roots = self.roots.iter();
                Value::Names(
                    roots
                        .map(|root| root.to_string_lossy().into_owned())
                        .collect(),
                )
            }
            Key::ProtectedAdd => Value::Names(protection.also.clone()),
            Key::ProtectedUnlock => Value::Names(protection.unlocked.clone()),
            Key::LedgerOn => Value::Switch(self.ledger_on),
            Key::LedgerBytes => Value::Size(self.ledger_bounds.bytes),
            Key::LedgerDays => Value::Count(self.ledger_bounds.age.as_secs() / DAY),
            Key::SearchMatches => count(self.search_matches),
            Key::SearchContext => count(self.search_context.lines()),
            Key::HookNative => Value::Choice(self.hook.native.name()),
            Key::HookRead => Value::Choice(self.hook.read.name()),
            Key::HookShell => Value::Choice(self.hook.shell.name()),
            Key::LimitFile => Value::Size(limits.file),
            Key::LimitTotal => Value::Size(limits.total),
            Key::LimitLine => size(limits.line),
            Key::LimitFiles => count(limits.files),
            Key::LimitEdits => count(limits.edits),
            Key::LimitBody => size(limits.body),
            Key::LimitJsonDepth => count(limits.json_depth),
            Key::LimitPattern => size(limits.pattern),
            Key::LimitCompiledPattern => size(limits.compiled_pattern),
            Key::LimitSearchedLine => size(limits.searched_line),
            Key::LimitLockWait => Value::Time(limits.lock_wait),
            Key::LimitReaderWait => Value::Time(limits.reader_wait),
            Key::LimitRequestTime => Value::Time(limits.request_time),
        }
    }

    /// Sets a key. A value of another kind than the key takes changes nothing: [`super::Takes`] lets none through.
    pub(super) fn set(&mut self, key: Key, value: Value) {
        match value {
            Value::Switch(on) => self.set_switch(key, on),
            Value::Count(amount) | Value::Size(amount) => self.set_amount(key, amount),
            Value::Time(time) => self.set_time(key, time),
            Value::Choice(word) => self.set_choice(key, word),
            Value::Names(names) => self.set_names(key, names),
        }
    }

    fn set_switch(&mut self, key: Key, on: bool) {
        match key {
            Key::InPlace => {
                self.settings.in_place = if on {
                    InPlace::WhenNeeded
                } else {
                    InPlace::Never
                };
            }
            Key::Stats => self.stats = on,
            Key::LedgerOn => self.ledger_on = on,
            _ => {}
        }
    }

    fn set_amount(&mut self, key: Key, amount: u64) {
        let limits = &mut self.settings.limits;
        let number = usize::try_from(amount).unwrap_or(usize::MAX);
        match key {
            Key::Context => self.context = Context::new(number),
            Key::LedgerBytes => self.ledger_bounds.bytes = amount,
            Key::LedgerDays => {
                self.ledger_bounds.age = Duration::from_secs(amount.saturating_mul(DAY));
            }
            Key::SearchMatches => self.search_matches = number,
            Key::SearchContext => self.search_context = Context::new(number),
            Key::LimitFile => limits.file = amount,
            Key::LimitTotal => limits.total = amount,
            Key::LimitLine => limits.line = number,
            Key::LimitFiles => limits.files = number,
            Key::LimitEdits => limits.edits = number,
            Key::LimitBody => limits.body = number,
            Key::LimitJsonDepth => limits.json_depth = number,
            Key::LimitPattern => limits.pattern = number,
            Key::LimitCompiledPattern => limits.compiled_pattern = number,
            Key::LimitSearchedLine => limits.searched_line = number,
            _ => {}
        }
    }

    fn set_time(&mut self, key: Key, time: Duration) {
        let limits = &mut self.settings.limits;
        match key {
            Key::LimitLockWait => limits.lock_wait = time,
            Key::LimitReaderWait => limits.reader_wait = time,
            Key::LimitRequestTime => limits.request_time = time,
            _ => {}
        }
    }

    fn set_choice(&mut self, key: Key, word: &str) {
        match (key, word) {
            (Key::Dialect, name) => self.dialect = Dialect::named(name),
            (Key::Profile, "seed") => {
                self.profile = Profile::Seed;
                (self.landing, self.repair) = (Landing::Seed, RepairPolicy::Seed);
            }
            (Key::Profile, _) => {
                self.profile = Profile::Default;
                (self.landing, self.repair) = (Landing::Shown, RepairPolicy::Proven);
            }
            (Key::Landing, "seed") => self.landing = Landing::Seed,
            (Key::Landing, "shown") => self.landing = Landing::Shown,
            (Key::Landing, _) => self.landing = Landing::Strict,
            (Key::Repair, "seed") => self.repair = RepairPolicy::Seed,
            (Key::Repair, "proven") => self.repair = RepairPolicy::Proven,
            (Key::Repair, _) => self.repair = RepairPolicy::Off,
            (Key::Durability, "fast") => self.settings.durability = Durability::Fast,
            (Key::Durability, _) => self.settings.durability = Durability::Full,
            (Key::HardLinks, "break") => self.settings.hard_links = HardLinks::Break,
            (Key::HardLinks, _) => self.settings.hard_links = HardLinks::Refuse,
            (Key::HookNative, word) => self.hook.native = Objection::named(word),
            (Key::HookRead, word) => self.hook.read = ReadRewrite::named(word),
            (Key::HookShell, word) => self.hook.shell = Objection::named(word),
            _ => {}
        }
    }

    fn set_names(&mut self, key: Key, names: Vec<String>) {
        match key {
            Key::Roots => self.roots = names.into_iter().map(PathBuf::from).collect(),
            Key::ProtectedAdd => self.settings.protection.also = names,
            Key::ProtectedUnlock => self.settings.protection.unlocked = names,
            _ => {}
        }
    }
}
