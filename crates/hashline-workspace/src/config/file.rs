//! A configuration file: text in, keys and values out, or the place of what is wrong.

use std::collections::BTreeMap;

use hashline_core::bad_config::{BadConfig, BadValue, ConfigFault, ConfigSource, Spot, UnknownKey};
use hashline_core::disk::DiskError;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::key::ConfigKey;
use super::literal::Literal;
use super::nearest::nearest;
use super::value::{ConfigValue, ValueType};

/// What a file sets, and where.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) source: ConfigSource,
    /// The keys in the order in which they take effect.
    pub(super) values: BTreeMap<ConfigKey, (ConfigValue, Spot)>,
}

/// Reads a file.
pub(super) fn parse(source: ConfigSource, text: &str) -> Result<Sheet, DiskError> {
    let mut values = BTreeMap::new();
    let parsed = DeTable::parse(text)
        .map_err(|error| {
            let start = error.span().map(|span| spot(text, span.start));
            (start, ConfigFault::NotToml(error.message().to_owned()))
        })
        .and_then(|table| take(text, "", table.get_ref(), &mut values));
    match parsed {
        Ok(()) => Ok(Sheet { source, values }),
        Err((spot, why)) => Err(bad(source, spot, why)),
    }
}

/// Says what is wrong with a configuration.
pub(super) fn bad(source: ConfigSource, spot: Option<Spot>, why: ConfigFault) -> DiskError {
    DiskError::BadConfig(Box::new(BadConfig { source, spot, why }))
}

/// Says that a key does not take a value.
pub(super) fn bad_value(key: ConfigKey, literal: &Literal<'_>) -> ConfigFault {
    let takes = match key.takes() {
        ValueType::Unlockable => format!("{} (.git and .hashline never are)", key.takes()),
        takes => takes.to_string(),
    };
    ConfigFault::BadValue(BadValue {
        key: key.name(),
        found: literal.quoted(),
        takes,
    })
}

/// Says that there is no such key.
pub(super) fn unknown(key: &str) -> ConfigFault {
    ConfigFault::UnknownKey(UnknownKey {
        key: key.escape_debug().to_string(),
        nearest: nearest(key).map(str::to_owned),
    })
}

type Misplaced = (Option<Spot>, ConfigFault);

/// Takes the values of a table and the tables in it.
fn take(
    text: &str,
    outer: &str,
    table: &DeTable<'_>,
    values: &mut BTreeMap<ConfigKey, (ConfigValue, Spot)>,
) -> Result<(), Misplaced> {
    for (name, value) in table {
        let at = spot(text, name.span().start);
        let full = if outer.is_empty() {
            name.get_ref().to_string()
        } else {
            format!("{outer}.{}", name.get_ref())
        };
        match (ConfigKey::named(&full), value.get_ref()) {
            (Some(key), _) => _ = values.insert(key, (read(text, key, value)?, at)),
            (None, DeValue::Table(inner)) if is_table(&full) => take(text, &full, inner, values)?,
            (None, _) => return Err((Some(at), unknown(&full))),
        }
    }
    Ok(())
}

fn read(
    text: &str,
    key: ConfigKey,
    value: &Spanned<DeValue<'_>>,
) -> Result<ConfigValue, Misplaced> {
    let literal = Literal::of(value.get_ref());
    let at = spot(text, value.span().start);
    let read = key.takes().read(&literal);
    read.ok_or_else(|| (Some(at), bad_value(key, &literal)))
}

fn is_table(name: &str) -> bool {
    ConfigKey::all().any(|key| {
        key.name()
            .split_once('.')
            .is_some_and(|(table, _)| table == name)
    })
}

/// Returns the place of a byte, as people count.
fn spot(text: &str, at: usize) -> Spot {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    Spot {
        line: before.matches('\n').count() + 1,
        column: before[start..].chars().count() + 1,
    }
}
