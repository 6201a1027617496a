//! How far the file of a root may go. It comes with the files, perhaps from a stranger: it can narrow what the person allowed, never
//! widen it.

use std::fmt;

use super::value::{ConfigValue, ValueType};

/// What the file of a root may do to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootRule {
    /// Set it as it likes: it is a matter of taste. What was given at the start goes before it.
    Choose,
    /// Lower it.
    Lower,
    /// Move it towards the strict end of its words.
    Stricter,
    /// Turn it off.
    TurnOff,
    /// Add to it.
    Add,
    /// Nothing: only the person sets it.
    Nothing,
}

impl fmt::Display for RootRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Choose => "set it",
            Self::Lower => "lower it",
            Self::Stricter => "make it stricter",
            Self::TurnOff => "turn it off",
            Self::Add => "add to it",
            Self::Nothing => "nothing",
        })
    }
}

impl RootRule {
    /// Returns what a root's wish makes of what holds `so_far`; nothing if it goes beyond what the person allowed.
    pub(super) fn narrowed(
        self,
        takes: ValueType,
        allowed: &ConfigValue,
        so_far: ConfigValue,
        asked: ConfigValue,
    ) -> Option<ConfigValue> {
        let strictest = |asked_is_within: bool, asked_is_stricter: bool| {
            let chosen = if asked_is_stricter {
                asked.clone()
            } else {
                so_far.clone()
            };
            asked_is_within.then_some(chosen)
        };
        match self {
            Self::Choose => Some(asked),
            Self::Lower => {
                let amount = |value: &ConfigValue| match value {
                    ConfigValue::Count(count) => u128::from(*count),
                    ConfigValue::Size(bytes) => u128::from(*bytes),
                    ConfigValue::Time(time) => time.as_nanos(),
                    _ => u128::MAX,
                };
                let asked = amount(&asked);
                strictest(asked <= amount(allowed), asked < amount(&so_far))
            }
            Self::Stricter => {
                let rank = |value: &ConfigValue| match (takes, value) {
                    (ValueType::OneOf(words), ConfigValue::Choice(word)) => {
                        words.iter().position(|known| known == word)
                    }
                    _ => None,
                };
                let asked = rank(&asked);
                strictest(asked >= rank(allowed), asked > rank(&so_far))
            }
            Self::TurnOff => {
                let off = asked == ConfigValue::Switch(false);
                strictest(off || asked == *allowed, off)
            }
            Self::Add => Some(joined(so_far, asked)),
            Self::Nothing => None,
        }
    }
}

fn joined(so_far: ConfigValue, asked: ConfigValue) -> ConfigValue {
    match (so_far, asked) {
        (ConfigValue::Names(mut names), ConfigValue::Names(more)) => {
            for name in more {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            ConfigValue::Names(names)
        }
        (so_far, _) => so_far,
    }
}
