//! Conditions on the version of a file, as HTTP has them: `If-Match` and `If-None-Match` with the SHA-256 of the file in quotes.

use http::HeaderMap;
use http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};

/// The conditions of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    /// The versions of which the file must have one.
    pub(crate) matching: Option<Versions>,
    /// The versions of which the file must have none.
    pub(crate) none_matching: Option<Versions>,
}

/// Versions that a condition names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Versions {
    /// `*`: any version, so the file must exist, or must not.
    Any,
    /// These.
    Listed(Vec<String>),
}

impl Conditions {
    /// Parses the conditions of a request.
    ///
    /// # Errors
    ///
    /// The name of the header that is not a list of versions.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, HeaderName> {
        Ok(Self {
            matching: versions(headers, IF_MATCH, Weak::Differs)?,
            none_matching: versions(headers, IF_NONE_MATCH, Weak::Same)?,
        })
    }

    /// Returns whether the caller has this version of the file already.
    pub(crate) fn has(&self, version: &str) -> bool {
        let known = self.none_matching.as_ref();
        known.is_some_and(|known| known.name(version))
    }
}

impl Versions {
    /// Returns whether a version is among these.
    pub(crate) fn name(&self, version: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(listed) => listed.iter().any(|one| one.eq_ignore_ascii_case(version)),
        }
    }
}

/// Whether a weak version (`W/"..."`) is the same as the strong one. Our versions are strong, but a proxy that compresses may weaken them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weak {
    Same,
    Differs,
}

fn versions(
    headers: &HeaderMap,
    name: HeaderName,
    weak: Weak,
) -> Result<Option<Versions>, HeaderName> {
    let mut listed = Vec::new();
    let mut is_given = false;
    for value in headers.get_all(&name) {
        is_given = true;
        let value = value.to_str().map_err(|_| name.clone())?.trim();
        if value == "*" {
            return Ok(Some(Versions::Any));
        }
        for one in value.split(',').map(str::trim) {
            let (strong, is_weak) = match one.strip_prefix("W/") {
                Some(strong) => (strong, true),
                None => (one, false),
            };
            let inner = strong
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'));
            let version = inner
                .filter(|inner| !inner.contains('"'))
                .ok_or_else(|| name.clone())?;
            if !is_weak || weak == Weak::Same {
                listed.push(version.to_owned());
            }
        }
    }
    Ok(is_given.then_some(Versions::Listed(listed)))
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use http::header::{HeaderValue, IF_MATCH, IF_NONE_MATCH};

    use super::{Conditions, Versions};

    fn parsed(name: http::HeaderName, values: &[&'static str]) -> Option<Conditions> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(&name, HeaderValue::from_static(value));
        }
        Conditions::of(&headers).ok()
    }

    #[test]
    fn versions_are_lists_of_quoted_texts_or_a_star() {
        let listed = |all: &[&str]| {
            let all = all.iter().map(|&one| one.to_owned());
            Some(Versions::Listed(all.collect()))
        };
        for (values, expected) in [
            (&["\"a\""][..], Some(listed(&["a"]))),
            (&["\"a\", \"b\"", "\"c\""], Some(listed(&["a", "b", "c"]))),
            (&["*"], Some(Some(Versions::Any))),
            (&["W/\"a\""], Some(listed(&[]))),
            (&[], Some(None)),
            (&["a"], None),
            (&["\"a"], None),
            (&["\"a\" \"b\""], None),
            (&[""], None),
        ] {
            let found = parsed(IF_MATCH, values).map(|conditions| conditions.matching);
            assert_eq!(found, expected, "{values:?}");
        }
    }

    #[test]
    fn a_weak_version_is_known_but_never_required() {
        let known = parsed(IF_NONE_MATCH, &["W/\"A1\""]);
        assert!(known.is_some_and(|known| known.has("a1")));
    }
}
