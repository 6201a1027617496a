//! What was given at the start: on a command line, in a client's settings.

use std::collections::BTreeMap;

use hashline_core::bad_config::{ConfigFault, ConfigSource};
use hashline_core::disk::DiskError;

use super::file::{bad, bad_value, unknown};
use super::key::ConfigKey;
use super::literal::Literal;
use super::value::ConfigValue;

/// Values given by whoever starts the program. They go before the user's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfigOverrides {
    pub(super) values: BTreeMap<ConfigKey, ConfigValue>,
}

impl ConfigOverrides {
    /// Adds a value as a word says it: `64 MiB`, `strict`, `true`; names stand between commas.
    ///
    /// # Errors
    ///
    /// `bad_config` if the key does not take it.
    pub fn with(mut self, key: ConfigKey, word: &str) -> Result<Self, DiskError> {
        let literal = Literal::of_word(word, key.takes());
        let value = key.takes().read(&literal);
        let value = value.ok_or_else(|| wrong(bad_value(key, &literal)))?;
        self.values.insert(key, value);
        Ok(self)
    }

    /// Adds a value said as `key=value`.
    ///
    /// # Errors
    ///
    /// `bad_config` if there is no such key, or it does not take the value.
    pub fn with_pair(self, pair: &str) -> Result<Self, DiskError> {
        let (name, word) = pair.split_once('=').unwrap_or((pair, ""));
        let key = ConfigKey::named(name.trim()).ok_or_else(|| wrong(unknown(name.trim())))?;
        self.with(key, word.trim())
    }
}

fn wrong(why: ConfigFault) -> DiskError {
    bad(ConfigSource::Start, None, why)
}
