//! Values of configuration keys: how they are parsed, checked and printed.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use toml::de::DeValue;

use crate::encoding::EncodingRules;
use crate::protected_names::ProtectedName;

/// The value of a configuration key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigValue {
    /// A switch: on or off.
    Switch(bool),
    /// A number of items.
    Count(u64),
    /// A number of bytes.
    Size(u64),
    /// A duration.
    Time(Duration),
    /// One of a fixed set of words.
    Choice(&'static str),
    /// A list of names or paths.
    Names(Vec<String>),
}

/// The type and range of the values that a key accepts.
#[derive(Clone, Copy, Debug)]
pub enum ValueType {
    /// `true` or `false`.
    Switch,
    /// A whole number in this range, both ends included.
    Count(u64, u64),
    /// A number of bytes, at least 1: a whole number, or a text with a unit such as `64 MiB`.
    Size,
    /// A duration: a text with a unit, such as `10 s`.
    Time,
    /// One of the words that the function returns, sorted from the least to the most strict.
    OneOf(fn() -> Vec<&'static str>),
    /// A list of names of files or folders, without slashes.
    Names,
    /// A list of protected file names that the user may unlock for editing.
    Unlockable,
    /// A list of absolute paths.
    Paths,
    /// A list of globs, each with the name of an encoding.
    Globs,
}

/// Units of bytes, the largest first.
const SIZES: [(&str, u64); 4] = [
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("B", 1),
];
/// Units of time in milliseconds, the largest first.
const TIMES: [(&str, u64); 3] = [("min", 60_000), ("s", 1000), ("ms", 1)];
/// The longest duration that can be set, in milliseconds.
const LONGEST: u64 = 24 * 60 * 60 * 1000;

/// A value as it was written, before checking whether the key accepts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal<'a> {
    Text(Cow<'a, str>),
    /// A whole number that is not negative.
    Whole(u64),
    Switch(bool),
    List(Vec<Self>),
    /// A value that no key accepts, with a description of its type.
    Other(&'static str),
}

impl<'a> Literal<'a> {
    /// Converts a value from a TOML file.
    pub(super) fn from_toml(value: &'a DeValue<'_>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(Cow::Borrowed(text)),
            DeValue::Boolean(on) => Self::Switch(*on),
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix())
                .map_or(
                    Self::Other("a number that is negative or too large"),
                    Self::Whole,
                ),
            DeValue::Array(items) => {
                let items = items.iter().map(|item| Self::from_toml(item.get_ref()));
                Self::List(items.collect())
            }
            DeValue::Float(_) => Self::Other("a number with a point"),
            DeValue::Datetime(_) => Self::Other("a date"),
            DeValue::Table(_) => Self::Other("a table"),
        }
    }

    /// Converts a value from the command line, where everything is text and lists are separated by commas.
    pub(super) fn from_argument(word: &'a str, takes: ValueType) -> Self {
        let text = || Self::Text(Cow::Borrowed(word));
        match takes {
            ValueType::Switch => word.parse().map_or_else(|_| text(), Self::Switch),
            ValueType::Count(..) | ValueType::Size => {
                word.parse().map_or_else(|_| text(), Self::Whole)
            }
            ValueType::Time | ValueType::OneOf(_) => text(),
            ValueType::Names | ValueType::Unlockable | ValueType::Paths | ValueType::Globs => {
                let names = word.split(',').filter(|name| !name.is_empty());
                Self::List(names.map(|name| Self::Text(Cow::Borrowed(name))).collect())
            }
        }
    }

    /// Returns the value as it is quoted in an error message.
    pub(super) fn quoted(&self) -> String {
        match self {
            Self::Text(text) => format!("{text:?}"),
            Self::Whole(number) => number.to_string(),
            Self::Switch(on) => on.to_string(),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::quoted).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Other(kind) => (*kind).to_owned(),
        }
    }
}

impl ValueType {
    /// Checks and converts a written value; returns `None` if it has the wrong type or is out of range.
    pub(super) fn read(self, literal: &Literal<'_>) -> Option<ConfigValue> {
        match (self, literal) {
            (Self::Switch, Literal::Switch(on)) => Some(ConfigValue::Switch(*on)),
            (Self::Count(least, most), Literal::Whole(count)) => (least..=most)
                .contains(count)
                .then_some(ConfigValue::Count(*count)),
            (Self::Size, Literal::Whole(bytes)) => size(*bytes),
            (Self::Size, Literal::Text(text)) => with_unit(text, &SIZES).and_then(size),
            (Self::Time, Literal::Text(text)) => with_unit(text, &TIMES)
                .filter(|time| *time <= LONGEST)
                .map(|time| ConfigValue::Time(Duration::from_millis(time))),
            (Self::OneOf(words), Literal::Text(text)) => {
                let word = words().into_iter().find(|word| word == text)?;
                Some(ConfigValue::Choice(word))
            }
            (Self::Names | Self::Unlockable | Self::Paths | Self::Globs, Literal::List(items)) => {
                let names = items.iter().map(|item| self.read_name(item));
                names.collect::<Option<_>>().map(ConfigValue::Names)
            }
            _ => None,
        }
    }

    /// Returns a number for how much a value allows: the lower of two values is the stricter one.
    pub(super) fn width(self, value: &ConfigValue) -> u128 {
        match value {
            ConfigValue::Switch(on) => u128::from(*on),
            ConfigValue::Count(amount) | ConfigValue::Size(amount) => u128::from(*amount),
            ConfigValue::Time(time) => time.as_nanos(),
            ConfigValue::Choice(word) => match self {
                Self::OneOf(words) => words().iter().rev().position(|known| known == word),
                _ => None,
            }
            .map_or(u128::MAX, |position| position as u128),
            ConfigValue::Names(names) => names.len() as u128,
        }
    }

    fn read_name(self, item: &Literal<'_>) -> Option<String> {
        let Literal::Text(name) = item else {
            return None;
        };
        let fits = match self {
            Self::Paths => Path::new(name.as_ref()).is_absolute() && !name.contains('\0'),
            Self::Globs => EncodingRules::parse(vec![name.to_string()]).is_some(),
            Self::Unlockable => ProtectedName::named(name).is_some(),
            _ => !name.is_empty() && !name.contains(['/', '\0']) && *name != "." && *name != "..",
        };
        fits.then(|| name.to_string())
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch => f.write_str("true or false"),
            Self::Count(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Size => f.write_str("a number of bytes from 1, such as 4096 or \"64 MiB\""),
            Self::Time => f.write_str("a time of at most a day, such as \"10 s\" or \"500 ms\""),
            Self::OneOf(words) => {
                let words: Vec<String> = words().iter().map(|word| format!("{word:?}")).collect();
                write!(f, "one of {}", words.join(", "))
            }
            Self::Names => f.write_str("a list of names without slashes"),
            Self::Unlockable => f.write_str("a list of protected names that can be unlocked"),
            Self::Paths => f.write_str("a list of absolute paths"),
            Self::Globs => {
                f.write_str("a list of globs with encodings, such as \"*.txt=windows-1252\"")
            }
        }
    }
}

impl ConfigValue {
    /// Returns a list with the names of both values, without duplicates.
    pub(super) fn joined(self, other: Self) -> Self {
        match (self, other) {
            (Self::Names(mut names), Self::Names(more)) => {
                for name in more {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                Self::Names(names)
            }
            (_, other) => other,
        }
    }
}

impl fmt::Display for ConfigValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(on) => write!(f, "{on}"),
            Self::Count(count) => write!(f, "{count}"),
            Self::Size(bytes) => write!(f, "\"{}\"", in_unit(*bytes, &SIZES)),
            Self::Time(time) => {
                let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                write!(f, "\"{}\"", in_unit(millis, &TIMES[1..]))
            }
            Self::Choice(word) => write!(f, "\"{word}\""),
            Self::Names(names) => write!(f, "{names:?}"),
        }
    }
}

fn size(bytes: u64) -> Option<ConfigValue> {
    (bytes > 0).then_some(ConfigValue::Size(bytes))
}

/// Parses a whole number with a unit, with or without a space in between.
fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit = unit.strip_prefix(' ').unwrap_or(unit);
    let (_, worth) = units.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*worth)
}

/// Formats a number in the largest unit that divides it.
fn in_unit(number: u64, units: &[(&str, u64)]) -> String {
    let fitting = units
        .iter()
        .find(|(_, worth)| number > 0 && number.is_multiple_of(*worth));
    let (unit, worth) = fitting.or(units.last()).copied().unwrap_or(("", 1));
    format!("{} {unit}", number / worth)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ConfigValue, Literal, ValueType};

    #[test]
    fn what_is_shown_is_read_again() {
        let values = [
            (ValueType::Switch, ConfigValue::Switch(false)),
            (ValueType::Count(0, 50), ConfigValue::Count(50)),
            (ValueType::Size, ConfigValue::Size(1)),
            (ValueType::Size, ConfigValue::Size(1 << 20)),
            (ValueType::Size, ConfigValue::Size((1 << 20) + 1)),
            (ValueType::Time, ConfigValue::Time(Duration::ZERO)),
            (
                ValueType::Time,
                ConfigValue::Time(Duration::from_millis(1500)),
            ),
            (ValueType::Time, ConfigValue::Time(Duration::from_secs(10))),
            (
                ValueType::OneOf(|| vec!["one", "two"]),
                ConfigValue::Choice("two"),
            ),
            (
                ValueType::Names,
                ConfigValue::Names(vec!["a b".to_owned(), "\"".to_owned()]),
            ),
        ];
        for (takes, value) in values {
            let shown = value.to_string();
            let read = toml::de::DeValue::parse(&shown).ok();
            let read = read.and_then(|read| takes.read(&Literal::from_toml(read.get_ref())));
            assert_eq!(read, Some(value), "{shown}");
        }
    }

    #[test]
    fn what_a_key_does_not_take_is_not_read() {
        let text = |text: &'static str| Literal::Text(text.into());
        let list = |name: &'static str| Literal::List(vec![text(name)]);
        let count = ValueType::Count(1, 50);
        let cases = [
            (ValueType::Switch, text("true")),
            (count, Literal::Whole(0)),
            (count, Literal::Whole(51)),
            (count, text("5")),
            (ValueType::Size, Literal::Whole(0)),
            (ValueType::Size, text("64 MB")),
            (ValueType::Size, text("64  MiB")),
            (ValueType::Size, text("-1 B")),
            (ValueType::Size, text("18014398509481985 KiB")),
            (ValueType::Time, Literal::Whole(10)),
            (ValueType::Time, text("10")),
            (ValueType::Time, text("1441 min")),
            (ValueType::OneOf(|| vec!["one"]), text("One")),
            (ValueType::Names, list("a/b")),
            (ValueType::Names, list("")),
            (ValueType::Names, list("..")),
            (ValueType::Names, text("a")),
            (ValueType::Unlockable, list(".git")),
            (ValueType::Unlockable, list("a")),
            (ValueType::Paths, list("a")),
        ];
        for (takes, literal) in cases {
            assert_eq!(takes.read(&literal), None, "{takes} {literal:?}");
        }
    }
}
