//! The edits as they were sent, and how they are parsed.
//!
//! Parsing reads the references and splits each text into lines, removing copied prefixes and diff markers. The file is not looked at
//! yet: references are still claims.

use hashline_core::anchor::{Anchor, BadAnchor};
use hashline_core::candidates::strip_copied_marks;
use hashline_core::error::EngineRefusal;
use hashline_core::scheme::Scheme;

/// One edit that names its lines by reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceEdit {
    /// One line becomes a text.
    SetLine {
        /// The line.
        anchor: String,
        /// What it becomes; an empty text deletes it.
        new_text: String,
    },
    /// A range of lines becomes a text.
    ReplaceLines {
        /// The first line.
        start_anchor: String,
        /// The last line; none, or an empty text, is the first line.
        end_anchor: Option<String>,
        /// What they become; an empty text deletes them.
        new_text: String,
    },
    /// A text is put after a line.
    InsertAfter {
        /// The line.
        anchor: String,
        /// What comes after it.
        text: String,
    },
    /// A substitution, which is refused here: it is [`FileEdit::replace`].
    Replace,
}

/// A text to be found in the file and replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextReplacement {
    /// The text to find.
    pub old_text: String,
    /// What it becomes.
    pub new_text: String,
    /// Whether it may occur more than once, and is then replaced everywhere.
    pub all: bool,
}

/// One edit of a request for a whole file. One that is both takes part in both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEdit {
    /// The part that names lines by reference.
    pub anchored: Option<ReferenceEdit>,
    /// The part that names text.
    pub replace: Option<TextReplacement>,
}

/// An edit that was read: the lines it claims and the lines it brings.
pub(super) struct Claimed {
    pub(super) target: ClaimedLines,
    pub(super) lines: Vec<String>,
}

/// The lines an edit claims.
pub(super) enum ClaimedLines {
    Single(Anchor),
    Range(Anchor, Anchor),
    Insert(Anchor),
}

impl ReferenceEdit {
    /// Returns the references of this edit as they were sent.
    pub(super) fn anchors(&self) -> Vec<&str> {
        match self {
            Self::SetLine { anchor, .. } | Self::InsertAfter { anchor, .. } => vec![anchor],
            Self::ReplaceLines {
                start_anchor,
                end_anchor,
                ..
            } => std::iter::once(start_anchor.as_str())
                .chain(end_anchor.as_deref())
                .collect(),
            Self::Replace => vec![],
        }
    }
}

/// Reads a reference to a line.
///
/// # Errors
///
/// A text that names no line, or line 0, gives the message that says so.
pub fn parse_ref(text: &str) -> Result<Anchor, String> {
    Scheme::Omp.parse(text).map_err(|bad| match bad {
        BadAnchor::LineZero => format!("Line number must be >= 1, got 0 in \"{text}\"."),
        BadAnchor::Malformed { .. } | BadAnchor::NumberMissing { .. } => format!(
            "Invalid line reference \"{text}\". Expected format \"LINE:HASH\" (e.g. \"5:aa\")."
        ),
    })
}

/// Reads one edit.
pub(super) fn read(edit: &ReferenceEdit) -> Result<Claimed, EngineRefusal> {
    let (target, text) = match edit {
        ReferenceEdit::SetLine { anchor, new_text } => {
            (ClaimedLines::Single(reference(anchor)?), new_text)
        }
        ReferenceEdit::ReplaceLines {
            start_anchor,
            end_anchor,
            new_text,
        } => (read_range(start_anchor, end_anchor.as_deref())?, new_text),
        ReferenceEdit::InsertAfter { anchor, text } => {
            (ClaimedLines::Insert(reference(anchor)?), text)
        }
        ReferenceEdit::Replace => {
            let message =
                "replace edits are applied separately; do not pass them to applyHashlineEdits";
            return Err(EngineRefusal::BadRequest(message.to_owned()));
        }
    };
    Ok(Claimed {
        target,
        lines: without_copied_marks(to_lines(text)),
    })
}

fn read_range(start: &str, end: Option<&str>) -> Result<ClaimedLines, EngineRefusal> {
    let start = reference(start)?;
    let Some(end) = end.filter(|end| !end.is_empty()) else {
        return Ok(ClaimedLines::Single(start));
    };
    let end = reference(end)?;
    Ok(if start.line == end.line {
        ClaimedLines::Single(start)
    } else {
        ClaimedLines::Range(start, end)
    })
}

fn reference(text: &str) -> Result<Anchor, EngineRefusal> {
    parse_ref(text).map_err(EngineRefusal::BadRequest)
}

fn to_lines(text: &str) -> Vec<String> {
    if text.is_empty() {
        Vec::new()
    } else {
        text.split('\n').map(str::to_owned).collect()
    }
}

fn without_copied_marks(lines: Vec<String>) -> Vec<String> {
    strip_copied_marks(&lines).unwrap_or(lines)
}

#[cfg(test)]
mod tests {
    use super::{ClaimedLines, ReferenceEdit, parse_ref, read, to_lines};

    #[test]
    fn a_reference_that_cannot_be_read_is_named_in_the_message() {
        for text in ["", "5", ":ab", "5:a!", "+5:ab"] {
            let message = format!(
                "Invalid line reference \"{text}\". Expected format \"LINE:HASH\" (e.g. \"5:aa\")."
            );
            assert_eq!(parse_ref(text), Err(message));
        }
        let zero = "Line number must be >= 1, got 0 in \"00:ab\".";
        assert_eq!(parse_ref("00:ab"), Err(zero.to_owned()));
    }

    #[test]
    fn an_empty_text_is_no_lines() {
        assert!(to_lines("").is_empty());
        assert_eq!(to_lines("x\n"), ["x", ""]);
    }

    #[test]
    fn a_range_of_one_line_is_a_single() {
        for end in [None, Some(""), Some("3:zz")] {
            let edit = ReferenceEdit::ReplaceLines {
                start_anchor: "3:ab".to_owned(),
                end_anchor: end.map(str::to_owned),
                new_text: String::new(),
            };
            let claim = read(&edit).ok();
            assert!(
                claim.is_some_and(|claim| matches!(claim.target, ClaimedLines::Single(_))),
                "{end:?}"
            );
        }
    }

    #[test]
    fn copied_prefixes_go_before_plus_markers() {
        let edit = ReferenceEdit::SetLine {
            anchor: "1:ab".to_owned(),
            new_text: "+1\n2:ab|+x".to_owned(),
        };
        let claim = read(&edit).ok();
        assert_eq!(
            claim.map(|claim| claim.lines),
            Some(vec!["+1".to_owned(), "+x".to_owned()])
        );
    }
}
