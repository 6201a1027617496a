//! Values of keys: what may be written, and how it is shown again.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use super::literal::Literal;
use crate::protected_names::ProtectedName;

/// What a key is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigValue {
    /// On or off.
    Switch(bool),
    /// A number of things.
    Count(u64),
    /// A number of bytes.
    Size(u64),
    /// A stretch of time.
    Time(Duration),
    /// One of the words the key takes.
    Choice(&'static str),
    /// Several names.
    Names(Vec<String>),
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// `true` or `false`.
    Switch,
    /// A whole number in a range.
    Count {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A number of bytes, from 1: a whole number, or a text with a unit.
    Size,
    /// A stretch of time: a text with a unit.
    Time,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A list of names of files or folders.
    Names,
    /// A list of those protected names that can be unlocked.
    Unlockable,
    /// A list of absolute paths.
    Paths,
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
/// The longest time that can be set, in milliseconds.
const LONGEST: u64 = 24 * 60 * 60 * 1000;

impl ValueType {
    /// Reads what was written; nothing if the key does not take it.
    pub(super) fn read(self, literal: &Literal<'_>) -> Option<ConfigValue> {
        match (self, literal) {
            (Self::Switch, Literal::Switch(on)) => Some(ConfigValue::Switch(*on)),
            (Self::Count { least, most }, Literal::Whole(count)) => (least..=most)
                .contains(count)
                .then_some(ConfigValue::Count(*count)),
            (Self::Size, Literal::Whole(bytes)) => size(*bytes),
            (Self::Size, Literal::Text(text)) => with_unit(text, &SIZES).and_then(size),
            (Self::Time, Literal::Text(text)) => with_unit(text, &TIMES)
                .filter(|time| *time <= LONGEST)
                .map(|time| ConfigValue::Time(Duration::from_millis(time))),
            (Self::OneOf(words), Literal::Text(text)) => {
                let word = words.iter().find(|word| *word == text)?;
                Some(ConfigValue::Choice(word))
            }
            (Self::Names | Self::Unlockable | Self::Paths, Literal::List(items)) => {
                let names = items.iter().map(|item| self.read_name(item));
                names.collect::<Option<_>>().map(ConfigValue::Names)
            }
            _ => None,
        }
    }

    fn read_name(self, item: &Literal<'_>) -> Option<String> {
        let Literal::Text(name) = item else {
            return None;
        };
        let fits = match self {
            Self::Paths => Path::new(name.as_ref()).is_absolute() && !name.contains('\0'),
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
            Self::Count { least, most } => write!(f, "a whole number from {least} to {most}"),
            Self::Size => f.write_str("a number of bytes from 1, such as 4096 or \"64 MiB\""),
            Self::Time => f.write_str("a time of at most a day, such as \"10 s\" or \"500 ms\""),
            Self::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                write!(f, "one of {}", words.join(", "))
            }
            Self::Names => f.write_str("a list of names without slashes"),
            Self::Unlockable => f.write_str("a list of protected names that can be unlocked"),
            Self::Paths => f.write_str("a list of absolute paths"),
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

/// Reads a whole number and its unit, with or without a blank between.
fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit = unit.strip_prefix(' ').unwrap_or(unit);
    let (_, worth) = units.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*worth)
}

/// Writes a number in the largest unit that leaves no rest.
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

    use super::{ConfigValue, ValueType};
    use crate::config::literal::Literal;

    #[test]
    fn what_is_shown_is_read_again() {
        let values = [
            (ValueType::Switch, ConfigValue::Switch(false)),
            (
                ValueType::Count { least: 0, most: 50 },
                ConfigValue::Count(50),
            ),
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
                ValueType::OneOf(&["one", "two"]),
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
            let read = read.and_then(|read| takes.read(&Literal::of(read.get_ref())));
            assert_eq!(read, Some(value), "{shown}");
        }
    }

    #[test]
    fn what_a_key_does_not_take_is_not_read() {
        let text = |text: &'static str| Literal::Text(text.into());
        let list = |name: &'static str| Literal::List(vec![text(name)]);
        let count = ValueType::Count { least: 1, most: 50 };
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
            (ValueType::OneOf(&["one"]), text("One")),
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
