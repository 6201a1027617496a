//! The key somebody most likely meant.

use super::key::ConfigKey;

/// How far a name may be from a key to be taken for it: so much of their letters in common, from 0 to 1.
const ALIKE: f64 = 0.6;

/// A longer name, in bytes, is no slip; comparing takes as long as the name is, and whoever wrote the file may be a stranger.
const LONGEST: usize = 128;

/// Returns the key or table that is most like a name, whole or without its table.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    if name.len() > LONGEST {
        return None;
    }
    let folded = name.to_lowercase().replace('-', "_");
    let tables = ConfigKey::all().filter_map(|key| Some(key.name().split_once('.')?.0));
    let known = ConfigKey::all().map(ConfigKey::name).chain(tables);
    let other = known.filter(|known| *known != name);
    let all = other.map(|known| (likeness(&folded, known), known));
    let (alike, known) = all.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (alike >= ALIKE).then_some(known)
}

fn likeness(name: &str, known: &str) -> f64 {
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
