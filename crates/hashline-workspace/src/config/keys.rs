//! The table of configuration keys. To add a key, add its field to [`Config`] and its row to [`KEYS`].

use std::path::PathBuf;
use std::time::Duration;

use crate::config::bad_config::ConfigFault;
use hashline_core::dialect::Dialect;
use hashline_core::policy::{Context, Landing, Profile, RepairPolicy};

use super::value::ValueType::{Count, Globs, Names, OneOf, Paths, Size, Switch, Time, Unlockable};
use super::value::{ConfigValue, ValueType};
use super::{Config, HookAction, ReadRewrite};
use crate::commit::Durability;
use crate::encoding::EncodingRules;
use crate::search::Most;
use crate::workspace::{HardLinks, InPlace};
use Field::{
    Bytes, Days, DialectName, Encodings, Flag, Lines, NameList, Number, Overwrite, Page, PathList,
    Wait, Word,
};
use RootRule::{Add, Choose, Narrow, Nothing};

/// A key of the configuration, as the index of its row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfigKey(usize);

/// Whether and how a root's `hashline.toml` may set a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootRule {
    /// The file may set the key to any value; the command line overrides it.
    Choose,
    /// The file may only lower the value, turn the setting off, or make it stricter.
    Narrow,
    /// The file may only add items to the list.
    Add,
    /// The file may not set the key: only the user does.
    Nothing,
}

/// A row of the table: the key's name, the values it accepts, whether a root's file may set it, the field of [`Config`] that it sets, and its help
/// text.
struct Row(&'static str, ValueType, RootRule, Accessor, &'static str);

/// Returns the field of [`Config`] that a key sets. The same function is used for reading and writing, so that the two cannot differ.
type Accessor = for<'a> fn(&'a mut Config) -> Field<'a>;

/// A reference to a field of [`Config`], by its type.
enum Field<'a> {
    Flag(&'a mut bool),
    /// A switch: if on, a file that cannot be replaced is overwritten in place.
    Overwrite(&'a mut InPlace),
    /// A number of items or of bytes, depending on the key.
    Number(&'a mut usize),
    /// A number of bytes, or 0 for the usual one.
    Page(&'a mut Option<usize>),
    Bytes(&'a mut u64),
    Lines(&'a mut Context),
    Wait(&'a mut Duration),
    Days(&'a mut Duration),
    Word(&'a mut dyn NamedChoice),
    DialectName(&'a mut Option<Dialect>),
    NameList(&'a mut Vec<String>),
    Encodings(&'a mut EncodingRules),
    PathList(&'a mut Vec<PathBuf>),
}

const CONTEXT: ValueType = Count(0, Context::MAX as u64);
const MATCHES: ValueType = Count(1, Most::MAX_MATCHES as u64);
const PAGE: ValueType = Count(0, 64 << 20);
/// A smaller page than this holds less than one line of most files and what to do next.
const LEAST_PAGE: usize = 4096;
const MANY: ValueType = Count(1, 1_000_000);
const AUTO: &str = "auto";
const DAY: u64 = 24 * 60 * 60;
/// The range of `limits.json_depth`: the JSON parser itself stops at a depth of 128.
const JSON_DEPTH: ValueType = Count(1, 127);

/// The keys in the order in which they take effect: `profile` comes before the keys that it sets.
#[rustfmt::skip] // One line for each row.
const KEYS: &[Row] = &[
    Row("dialect", OneOf(dialects), Choose, |c| DialectName(&mut c.dialect), "how anchors are written; `auto`: by the shape of the request, else omp"),
    Row("profile", OneOf(words::<Profile>), Nothing, |c| Word(&mut c.profile), "`seed` sets landing, repair and the text model to those of the dialect's original tool"),
    Row("landing", OneOf(words::<Landing>), Nothing, |c| Word(&mut c.landing), "how an anchor is resolved to a line"),
    Row("repair", OneOf(words::<RepairPolicy>), Narrow, |c| Word(&mut c.repair), "when new text may be corrected"),
    Row("context", CONTEXT, Choose, |c| Lines(&mut c.context), "lines of context around a change"),
    Row("durability", OneOf(words::<Durability>), Narrow, |c| Word(&mut c.settings.durability), "whether an answered commit survives a power cut"),
    Row("hard_links", OneOf(words::<HardLinks>), Narrow, |c| Word(&mut c.settings.hard_links), "what is done to a file with several hard links"),
    Row("in_place", Switch, Narrow, |c| Overwrite(&mut c.settings.in_place), "whether a file that cannot be replaced may be overwritten"),
    Row("stats", Switch, Narrow, |c| Flag(&mut c.stats), "whether counters are kept"),
    Row("roots", Paths, Nothing, |c| PathList(&mut c.roots), "the roots, if the command line names none"),
    Row("protected.add", Names, Add, |c| NameList(&mut c.settings.protection.added), "more names that no edit may write"),
    Row("protected.unlock", Unlockable, Nothing, |c| NameList(&mut c.settings.protection.unlocked), "protected names that edits may write"),
    Row("ledger.on", Switch, Nothing, |c| Flag(&mut c.ledger_on), "whether what was shown is remembered on disk"),
    Row("ledger.bytes", Size, Nothing, |c| Bytes(&mut c.ledger_bounds.bytes), "the largest size of the ledger"),
    Row("ledger.days", Count(1, 3650), Nothing, |c| Days(&mut c.ledger_bounds.age), "how many days what was shown is remembered"),
    Row("search.matches", MATCHES, Choose, |c| Number(&mut c.search_matches), "the most matching lines, unless a search sets it"),
    Row("search.context", CONTEXT, Choose, |c| Lines(&mut c.search_context), "lines of context around a match, unless a search sets it"),
    Row("page", PAGE, Nothing, |c| Page(&mut c.page), "the most bytes of an answer to a model; 0: as many as its client hands on whole"),
    Row("encodings", Globs, Add, |c| Encodings(&mut c.settings.encodings), "encodings of files that are not UTF-8, such as `*.txt=windows-1252`; the first glob that matches decides"),
    Row("hook.native", OneOf(words::<HookAction>), Choose, |c| Word(&mut c.hook.native), "what `hashline hook` does when an agent edits with its own tools"),
    Row("hook.read", OneOf(words::<ReadRewrite>), Choose, |c| Word(&mut c.hook.read), "whether `hashline hook` puts anchors into what an agent's own read tool shows"),
    Row("hook.shell", OneOf(words::<HookAction>), Choose, |c| Word(&mut c.hook.shell), "what `hashline hook` does when a shell command shows or changes files"),
    Row("limits.file", Size, Narrow, |c| Bytes(&mut c.settings.limits.file), "the largest file"),
    Row("limits.total", Size, Narrow, |c| Bytes(&mut c.settings.limits.total), "the most bytes of all files of a request"),
    Row("limits.line", Size, Narrow, |c| Number(&mut c.settings.limits.line), "the longest line"),
    Row("limits.files", MANY, Narrow, |c| Number(&mut c.settings.limits.files), "the most files in a request"),
    Row("limits.edits", MANY, Narrow, |c| Number(&mut c.settings.limits.edits), "the most edits in a request"),
    Row("limits.body", Size, Narrow, |c| Number(&mut c.settings.limits.body), "the longest request"),
    Row("limits.json_depth", JSON_DEPTH, Narrow, |c| Number(&mut c.settings.limits.json_depth), "the deepest nesting of a request"),
    Row("limits.pattern", Size, Narrow, |c| Number(&mut c.settings.limits.pattern), "the longest regular expression"),
    Row("limits.compiled_pattern", Size, Narrow, |c| Number(&mut c.settings.limits.compiled_pattern), "the most memory a regular expression may use"),
    Row("limits.searched_line", Size, Narrow, |c| Number(&mut c.settings.limits.searched_line), "how many bytes of a line are searched"),
    Row("limits.lock_wait", Time, Narrow, |c| Wait(&mut c.settings.limits.lock_wait), "how long an edit waits for a lock"),
    Row("limits.reader_wait", Time, Narrow, |c| Wait(&mut c.settings.limits.reader_wait), "how long a read waits for a lock before it reads without one"),
    Row("limits.request_time", Time, Narrow, |c| Wait(&mut c.settings.limits.request_time), "how long a request may take"),
];

impl ConfigKey {
    /// The key `profile`, which also sets `landing` and `repair`.
    pub const PROFILE: Self = Self(1);
    /// The key `landing`: how an anchor is resolved to a line.
    pub const LANDING: Self = Self(2);
    /// The key `repair`: when new text may be corrected.
    pub const REPAIR: Self = Self(3);
    /// The key `durability`: whether a commit survives a power cut.
    pub const DURABILITY: Self = Self(5);
    /// The key `roots`: the folders that may be edited.
    pub const ROOTS: Self = Self(9);

    /// Returns all keys, in the order in which they take effect.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KEYS.len()).map(Self)
    }

    /// Returns the key with this full name, such as `limits.file`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|key| key.name() == name)
    }

    /// Returns the full name of the key, such as `limits.file`.
    #[must_use]
    pub fn name(self) -> &'static str {
        KEYS[self.0].0
    }

    /// Returns the help text of the key, in a few words.
    #[must_use]
    pub fn help(self) -> &'static str {
        KEYS[self.0].4
    }

    /// Returns the type and range of the values that the key accepts.
    #[must_use]
    pub fn takes(self) -> ValueType {
        KEYS[self.0].1
    }

    /// Returns whether and how a root's `hashline.toml` may set the key.
    #[must_use]
    pub fn root_rule(self) -> RootRule {
        KEYS[self.0].2
    }
}

impl Config {
    /// Returns the value of a key.
    #[must_use]
    pub fn get(&self, key: ConfigKey) -> ConfigValue {
        // The accessors need `&mut`. A copy is simpler than a second accessor in every row.
        let mut copy = self.clone();
        let field = (KEYS[key.0].3)(&mut copy);
        match field {
            Flag(on) => ConfigValue::Switch(*on),
            Overwrite(in_place) => ConfigValue::Switch(*in_place != InPlace::Never),
            Number(number) if matches!(key.takes(), Size) => ConfigValue::Size(*number as u64),
            Number(number) => ConfigValue::Count(*number as u64),
            Page(bytes) => ConfigValue::Count(bytes.unwrap_or(0) as u64),
            Bytes(bytes) => ConfigValue::Size(*bytes),
            Lines(context) => ConfigValue::Count(context.lines() as u64),
            Wait(time) => ConfigValue::Time(*time),
            Days(time) => ConfigValue::Count(time.as_secs() / DAY),
            Word(choice) => ConfigValue::Choice(choice.word()),
            DialectName(dialect) => ConfigValue::Choice(dialect.map_or(AUTO, Dialect::name)),
            NameList(names) => ConfigValue::Names(names.clone()),
            Encodings(rules) => ConfigValue::Names(rules.written().to_vec()),
            PathList(paths) => {
                let paths = paths.iter().map(|path| path.to_string_lossy().into_owned());
                ConfigValue::Names(paths.collect())
            }
        }
    }

    /// Sets the value of a key; `profile` also sets `landing` and `repair`.
    ///
    /// # Errors
    ///
    /// If the key accepts another type of values.
    pub(super) fn set(&mut self, key: ConfigKey, value: &ConfigValue) -> Result<(), ConfigFault> {
        let set = (KEYS[key.0].3)(self).set(value.clone());
        set.ok_or_else(|| bad_value(key, value.to_string()))?;
        // A profile is a bundle. Keys that come later in the table can still change its parts.
        if key == ConfigKey::PROFILE {
            (self.landing, self.repair) = match self.profile {
                Profile::Default => (Landing::Shown, RepairPolicy::Proven),
                Profile::Seed => (Landing::Seed, RepairPolicy::Seed),
            };
        }
        Ok(())
    }
}

/// Makes the error for a value that a key does not accept.
pub(super) fn bad_value(key: ConfigKey, found: String) -> ConfigFault {
    let takes = match key.takes() {
        Unlockable => format!("{} (.git and .hashline never are)", key.takes()),
        takes => takes.to_string(),
    };
    let key = key.name();
    ConfigFault::BadValue { key, found, takes }
}

impl Field<'_> {
    /// Sets the field; returns `None` if the value has the wrong type.
    fn set(self, value: ConfigValue) -> Option<()> {
        let number = |amount| usize::try_from(amount).unwrap_or(usize::MAX);
        match (self, value) {
            (Flag(field), ConfigValue::Switch(on)) => *field = on,
            (Overwrite(field), ConfigValue::Switch(true)) => *field = InPlace::WhenNeeded,
            (Overwrite(field), ConfigValue::Switch(false)) => *field = InPlace::Never,
            (Number(field), ConfigValue::Count(amount) | ConfigValue::Size(amount)) => {
                *field = number(amount);
            }
            (Page(field), ConfigValue::Count(0)) => *field = None,
            (Page(field), ConfigValue::Count(bytes)) => {
                *field = Some(number(bytes).max(LEAST_PAGE));
            }
            (Bytes(field), ConfigValue::Size(bytes)) => *field = bytes,
            (Lines(field), ConfigValue::Count(lines)) => *field = Context::new(number(lines)),
            (Wait(field), ConfigValue::Time(time)) => *field = time,
            (Days(field), ConfigValue::Count(days)) => {
                *field = Duration::from_secs(days.saturating_mul(DAY));
            }
            (Word(field), ConfigValue::Choice(word)) => field.set(word)?,
            (DialectName(field), ConfigValue::Choice(AUTO)) => *field = None,
            (DialectName(field), ConfigValue::Choice(name)) => *field = Some(Dialect::named(name)?),
            (NameList(field), ConfigValue::Names(names)) => *field = names,
            (Encodings(field), ConfigValue::Names(rules)) => *field = EncodingRules::parse(rules)?,
            (PathList(field), ConfigValue::Names(names)) => {
                *field = names.into_iter().map(PathBuf::from).collect();
            }
            _ => return None,
        }
        Some(())
    }
}

/// An enum whose values have names in a configuration file.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// The names and their values, from the least to the most strict.
    const WORDS: ChoiceWords<Self>;
}

type ChoiceWords<T> = &'static [(&'static str, T)];

impl Choice for Profile {
    const WORDS: ChoiceWords<Self> = &[("seed", Self::Seed), ("default", Self::Default)];
}

impl Choice for Landing {
    const WORDS: ChoiceWords<Self> = &[
        ("seed", Self::Seed),
        ("shown", Self::Shown),
        ("strict", Self::Strict),
    ];
}

impl Choice for RepairPolicy {
    const WORDS: ChoiceWords<Self> = &[
        ("seed", Self::Seed),
        ("proven", Self::Proven),
        ("off", Self::Off),
    ];
}

impl Choice for Durability {
    const WORDS: ChoiceWords<Self> = &[("fast", Self::Fast), ("full", Self::Full)];
}

impl Choice for HardLinks {
    const WORDS: ChoiceWords<Self> = &[("break", Self::Break), ("refuse", Self::Refuse)];
}

impl Choice for HookAction {
    const WORDS: ChoiceWords<Self> = &[
        ("off", Self::Off),
        ("advise", Self::Advise),
        ("refuse", Self::Refuse),
    ];
}

impl Choice for ReadRewrite {
    const WORDS: ChoiceWords<Self> = &[("off", Self::Off), ("anchors", Self::Anchors)];
}

/// Returns the names of all values of an enum.
fn words<T: Choice>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(word, _)| *word).collect()
}

/// Returns the name of a value in a configuration file.
pub(super) fn word<T: Choice>(value: T) -> &'static str {
    let known = T::WORDS.iter().find(|(_, known)| *known == value);
    known.map_or("", |(word, _)| word)
}

fn dialects() -> Vec<&'static str> {
    let names = Dialect::ALL.map(Dialect::name);
    std::iter::once(AUTO).chain(names).collect()
}

impl<T: Choice> From<T> for ConfigValue {
    fn from(value: T) -> Self {
        Self::Choice(word(value))
    }
}

/// A field of any type that implements [`Choice`], for use as a trait object.
trait NamedChoice {
    fn word(&self) -> &'static str;

    /// Sets the field to the value with this name; returns `None` if there is none.
    fn set(&mut self, word: &str) -> Option<()>;
}

impl<T: Choice> NamedChoice for T {
    fn word(&self) -> &'static str {
        word(*self)
    }

    fn set(&mut self, word: &str) -> Option<()> {
        let (_, value) = T::WORDS.iter().find(|(known, _)| *known == word)?;
        *self = *value;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Config, ConfigKey, Durability, HardLinks, HookAction, Landing, Profile};
    use super::{ReadRewrite, RepairPolicy, word};

    #[test]
    fn every_key_can_be_set_to_what_it_is_and_is_listed_once() {
        let mut config = Config::default();
        for key in ConfigKey::all() {
            let value = config.get(key);
            assert_eq!(config.set(key, &value), Ok(()), "{}", key.name());
            assert_eq!(config.get(key), value, "{}", key.name());
            assert_eq!(ConfigKey::named(key.name()), Some(key));
        }
    }

    #[test]
    fn the_named_keys_are_the_rows_of_these_names() {
        for (key, name) in [
            (ConfigKey::PROFILE, "profile"),
            (ConfigKey::LANDING, "landing"),
            (ConfigKey::REPAIR, "repair"),
            (ConfigKey::DURABILITY, "durability"),
            (ConfigKey::ROOTS, "roots"),
        ] {
            assert_eq!(key.name(), name);
        }
    }

    #[test]
    fn every_value_of_a_choice_has_a_word() {
        fn words_of<T: Choice>(values: &[T]) {
            assert_eq!(T::WORDS.len(), values.len());
            assert!(values.iter().all(|value| !word(*value).is_empty()));
        }
        words_of(&[Profile::Default, Profile::Seed]);
        words_of(&[Landing::Shown, Landing::Strict, Landing::Seed]);
        words_of(&[RepairPolicy::Proven, RepairPolicy::Seed, RepairPolicy::Off]);
        words_of(&[Durability::Full, Durability::Fast]);
        words_of(&[HardLinks::Refuse, HardLinks::Break]);
        words_of(&[HookAction::Off, HookAction::Advise, HookAction::Refuse]);
        words_of(&[ReadRewrite::Off, ReadRewrite::Anchors]);
    }
}
