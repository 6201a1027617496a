//! Fields of a client's object: there, or not; never in the wrong form.

use std::path::PathBuf;

use serde_json::Value;

/// Returns a text that is not empty.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// Returns the first of some texts that is there.
pub(super) fn first_text<'a>(object: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| text(object, name))
}

/// Returns a text of one's own.
pub(super) fn owned(object: &Value, name: &str) -> Option<String> {
    text(object, name).map(str::to_owned)
}

/// Returns a path.
pub(super) fn path(object: &Value, name: &str) -> Option<PathBuf> {
    text(object, name).map(PathBuf::from)
}

/// Returns a number of a line, as people count: there is none before the first.
pub(super) fn line(object: &Value, name: &str) -> Option<usize> {
    let number = object.get(name)?.as_u64()?;
    usize::try_from(number.max(1)).ok()
}
