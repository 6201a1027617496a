//! Parses a configuration file into keys and values, or returns the position of the error and the key that was probably meant.

use std::collections::BTreeMap;

use crate::config::bad_config::{BadConfig, ConfigFault, ConfigSource, Spot};
use crate::error::{DiskError, DiskFault};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{ConfigKey, bad_value};
use super::value::{ConfigValue, Literal};

/// How similar an unknown name and a key must be for the key to be suggested, from 0 to 1.
const SIMILARITY: f64 = 0.6;
/// The longest unknown name, in bytes, that is compared with the keys. Comparing takes longer for long names, and the file may come from a stranger.
const LONGEST_COMPARED: usize = 128;

/// The values that a file sets, and their positions. The keys are sorted in the order in which they take effect.
pub(super) type ConfigValues = BTreeMap<ConfigKey, (ConfigValue, Spot)>;

/// Parses a configuration file, and checks that each key exists and accepts its value.
pub(super) fn parse(source: &ConfigSource, text: &str) -> Result<ConfigValues, DiskError> {
    let mut values = BTreeMap::new();
    let parsed = DeTable::parse(text)
        .map_err(|error| {
            let start = error.span().map(|span| spot(text, span.start));
            (start, ConfigFault::NotToml(error.message().to_owned()))
        })
        .and_then(|table| take(text, "", table.get_ref(), &mut values));
    match parsed {
        Ok(()) => Ok(values),
        Err((spot, why)) => Err(bad(source.clone(), spot, why)),
    }
}

/// Makes the error for a configuration that cannot be used.
pub(super) fn bad(source: ConfigSource, spot: Option<Spot>, why: ConfigFault) -> DiskError {
    DiskFault::BadConfig(Box::new(BadConfig { source, spot, why })).into()
}

/// Makes the error for a key that does not exist, with a suggestion.
pub(super) fn unknown(key: &str) -> ConfigFault {
    ConfigFault::UnknownKey {
        key: key.escape_debug().to_string(),
        nearest: nearest(key).map(str::to_owned),
    }
}

type Misplaced = (Option<Spot>, ConfigFault);

/// Reads the values of a TOML table and of the tables in it; `outer` is the name of the table, empty at the top.
fn take(
    text: &str,
    outer: &str,
    table: &DeTable<'_>,
    values: &mut ConfigValues,
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
    let literal = Literal::from_toml(value.get_ref());
    let at = spot(text, value.span().start);
    let read = key.takes().read(&literal);
    read.ok_or_else(|| (Some(at), bad_value(key, literal.quoted())))
}

fn is_table(name: &str) -> bool {
    ConfigKey::all().any(|key| {
        key.name()
            .split_once('.')
            .is_some_and(|(table, _)| table == name)
    })
}

/// Returns the line and column of a byte offset.
fn spot(text: &str, at: usize) -> Spot {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    Spot {
        line: before.matches('\n').count() + 1,
        column: before[start..].chars().count() + 1,
    }
}

/// Returns the key or table name most similar to an unknown name, compared with and without the table's name.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    if name.len() > LONGEST_COMPARED {
        return None;
    }
    let folded = name.to_lowercase().replace('-', "_");
    let tables = ConfigKey::all().filter_map(|key| Some(key.name().split_once('.')?.0));
    let known = ConfigKey::all().map(ConfigKey::name).chain(tables);
    let other = known.filter(|known| *known != name);
    let all = other.map(|known| (similarity(&folded, known), known));
    let (alike, known) = all.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (alike >= SIMILARITY).then_some(known)
}

fn similarity(name: &str, known: &str) -> f64 {
    let own = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let whole = strsim::normalized_damerau_levenshtein(name, known);
    // A key in the wrong table, or in none, is a little less alike than one with a slip in its letters.
    let in_another_table = strsim::normalized_damerau_levenshtein(&own(name), &own(known)) - 0.05;
    whole.max(in_another_table)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_lead_to_the_key_that_was_meant() {
        let cases = [
            ("landin", Some("landing")),
            ("limit.file", Some("limits.file")),
            ("limit", Some("limits")),
            ("limits", None),
            ("dialekt", Some("dialect")),
            ("hard-links", Some("hard_links")),
            ("lock_wait", Some("limits.lock_wait")),
            ("limits.json-depth", Some("limits.json_depth")),
            ("protected.unlocked", Some("protected.unlock")),
            ("colour", None),
            ("", None),
        ];
        for (name, meant) in cases {
            assert_eq!(nearest(name), meant, "{name}");
        }
    }

    #[test]
    fn a_name_that_goes_on_for_ever_is_compared_with_nothing() {
        let table = |length| format!("{}.lock_wait", "x".repeat(length));
        assert_eq!(nearest(&table(100)), Some("limits.lock_wait"));
        assert_eq!(nearest(&table(120)), None);
    }
}
