//! Tags off: from text known to be annotated back to plain lines.

use crate::scheme::Scheme;

/// Removes one anchor from the start of each line of annotated text, never more than one. Lines without one stay as they are.
#[must_use]
pub fn strip(annotated: &str, scheme: Scheme) -> String {
    let lines = annotated
        .split('\n')
        .map(|line| scheme.read_shown(line).map_or(line, |(_, text)| text));
    lines.collect::<Vec<_>>().join("\n")
}
