//! Two texts that differ in a known number of lines.

use anyhow::Result;

use crate::made_text;

/// Where the older text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The repository's own sources over and over: every line stands there many times, nearly.
    Repeated,
    /// The sources in cargo's registry, each once.
    Registry,
}

impl Source {
    pub(super) const ALL: [Self; 2] = [Self::Repeated, Self::Registry];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Repeated => "repeated",
            Self::Registry => "registry",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }

    /// Returns so many lines, if there are so many.
    pub(super) fn text(self, lines: usize) -> Result<Option<String>> {
        match self {
            Self::Repeated => made_text::code(lines).map(Some),
            Self::Registry => Ok(made_text::registry_code(lines)),
        }
    }
}

/// Returns the text with `changed` of its lines changed, evenly spread: three in five have another text, one in five is gone, and
/// before one in five stands a new line.
pub(super) fn change(before: &str, lines: usize, changed: usize) -> String {
    let apart = (lines / changed.max(1)).max(1);
    let mut after = String::with_capacity(before.len() + changed * 20);
    for (index, line) in before.split_inclusive('\n').enumerate() {
        let is_changed = index % apart == apart / 2;
        match (is_changed, (index / apart) % 5) {
            (true, 3) => {}
            (true, 4) => after.push_str(&format!("    new_line({index});\n{line}")),
            (true, _) => after.push_str(&format!("    changed({index});\n")),
            (false, _) => after.push_str(line),
        }
    }
    after
}
