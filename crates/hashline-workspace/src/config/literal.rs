//! What somebody wrote as a value, before it is known whether the key takes it.

use std::borrow::Cow;

use toml::de::DeValue;

use super::value::ValueType;

/// A value as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A whole number that is not negative.
    Whole(u64),
    /// `true` or `false`.
    Switch(bool),
    /// A list.
    List(Vec<Self>),
    /// Something no key takes, by its kind.
    Other(&'static str),
}

impl<'a> Literal<'a> {
    /// Takes a value from a TOML file.
    pub(super) fn of(value: &'a DeValue<'_>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(Cow::Borrowed(text)),
            DeValue::Boolean(on) => Self::Switch(*on),
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix())
                .map_or(
                    Self::Other("a number that is negative or too large"),
                    Self::Whole,
                ),
            DeValue::Array(items) => {
                Self::List(items.iter().map(|item| Self::of(item.get_ref())).collect())
            }
            DeValue::Float(_) => Self::Other("a number with a point"),
            DeValue::Datetime(_) => Self::Other("a date"),
            DeValue::Table(_) => Self::Other("a table"),
        }
    }

    /// Takes a value from a command line, where all is text; names stand between commas.
    pub(super) fn of_word(word: &'a str, takes: ValueType) -> Self {
        let text = || Self::Text(Cow::Borrowed(word));
        match takes {
            ValueType::Switch => word.parse().map_or_else(|_| text(), Self::Switch),
            ValueType::Count { .. } | ValueType::Size => {
                word.parse().map_or_else(|_| text(), Self::Whole)
            }
            ValueType::Time | ValueType::OneOf(_) => text(),
            ValueType::Names | ValueType::Unlockable | ValueType::Paths => {
                let names = word.split(',').filter(|name| !name.is_empty());
                Self::List(names.map(|name| Self::Text(Cow::Borrowed(name))).collect())
            }
        }
    }

    /// Returns it as it can be quoted in a message.
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
