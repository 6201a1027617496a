//! What is wrong with a configuration, in words: where, what, and who can mend it.

use hashline_core::bad_config::{BadConfig, ConfigFault, ConfigSource};

use super::disk;
use super::named::named;
use crate::error::shortened;

/// Says what is wrong, and where.
pub(super) fn happened(bad: &BadConfig) -> String {
    let mut place = source(&bad.source);
    if let Some(spot) = bad.spot {
        place.push_str(&format!(", line {}, column {}", spot.line, spot.column));
    }
    match &bad.why {
        ConfigFault::Unreadable(reason) => {
            format!("{place} cannot be used: {}", disk::happened(reason))
        }
        ConfigFault::NotToml(reason) => format!("{place}: this is not TOML: {reason}"),
        ConfigFault::UnknownKey(unknown) => {
            let key = shortened(&unknown.key);
            let nearest = unknown.nearest.as_ref();
            let meant = nearest.map(|nearest| format!(" (did you mean `{nearest}`?)"));
            format!(
                "{place}: there is no key `{key}`{}",
                meant.unwrap_or_default()
            )
        }
        ConfigFault::BadValue(bad) => format!(
            "{place}: `{}` takes {}, not {}",
            bad.key,
            bad.takes,
            shortened(&bad.found)
        ),
        ConfigFault::Widens(wide) => format!(
            "{place}: `{}` may only narrow what the person who starts the program allows; that is {}, and {} is asked for",
            wide.key,
            shortened(&wide.allowed),
            shortened(&wide.asked)
        ),
        ConfigFault::NotForRoots(key) => format!(
            "{place}: `{}` can be set only by the person who starts the program",
            key.key
        ),
    }
}

/// Says who mends it, and how.
pub(super) fn next(bad: &BadConfig) -> &'static str {
    match &bad.why {
        ConfigFault::Unreadable(_) => {
            "the person who starts the program puts a text file of at most 64 KiB there, or removes it"
        }
        ConfigFault::NotToml(_) | ConfigFault::UnknownKey(_) | ConfigFault::BadValue(_) => {
            "the person who starts the program corrects it; `docs/configuration.md` lists every key"
        }
        ConfigFault::Widens(_) | ConfigFault::NotForRoots(_) => {
            "remove the key there; the person who starts the program can set it in their own `config.toml` or on the command line"
        }
    }
}

fn source(source: &ConfigSource) -> String {
    match source {
        ConfigSource::Root(path) => named(&shortened(path)).into_owned(),
        ConfigSource::User => "the user's `config.toml`".to_owned(),
        ConfigSource::Start => "the command line".to_owned(),
    }
}
