//! What changed in a file since a revision that was recorded, by line numbers: the record holds no text.

use crate::diff;
use crate::shown::History;
use crate::text::{Change, Document, LineSpan, RevPrefix, Revision};

/// What is known about the changes of a file since a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// The file.
    pub path: String,
    /// The revision, as it was asked for.
    pub rev: RevPrefix,
    /// The file as it is now.
    pub document: Document,
    /// What is known.
    pub known: Known,
}

/// What is known about a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// What changed, in order; nothing if the file has these very lines.
    Changes(Changed),
    /// It was never shown, and is not the current one.
    Nothing,
    /// It was shown, but the file was too long for its lines to be recorded.
    TooLong,
}

/// The lines that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The whole revision.
    pub from: Revision,
    /// Which lines went, and which stand in their place.
    pub changes: Vec<Change>,
}

impl Since {
    /// Compares what was recorded of a revision with a file as it is.
    #[must_use]
    pub fn new(path: &str, history: &History, rev: &RevPrefix, document: &Document) -> Self {
        let known = match history
            .recorded()
            .iter()
            .rev()
            .find(|one| rev.matches(one.revision))
        {
            _ if rev.matches(document.revision()) => Known::Changes(Changed {
                from: document.revision(),
                changes: Vec::new(),
            }),
            None => Known::Nothing,
            Some(recorded) => match recorded.fingerprints() {
                None => Known::TooLong,
                Some(before) => Known::Changes(Changed {
                    from: recorded.revision,
                    changes: diff::changes_of(before, document.fingerprints()),
                }),
            },
        };
        Self {
            path: path.to_owned(),
            rev: rev.clone(),
            document: document.clone(),
            known,
        }
    }

    /// Returns the lines that came.
    #[must_use]
    pub fn came(&self) -> Vec<LineSpan> {
        match &self.known {
            Known::Changes(changed) => changed.changes.iter().map(|change| change.new).collect(),
            Known::Nothing | Known::TooLong => Vec::new(),
        }
    }
}
