//! The edits of a request, and how their anchors and texts are parsed.
//!
//! Each text is split into lines, and copied anchors and diff markers are removed from it. The file is not read yet: which lines the
//! anchors mean is checked later.

use hashline_core::anchor::{Anchor, BadAnchor};
use hashline_core::candidates::strip_copied_marks;
use hashline_core::edit::EditNo;
use hashline_core::error::EngineRefusal;
use hashline_core::scheme::Scheme;
use hashline_core::{Proof, Repair, Rule};

/// One edit that names its lines by anchors such as `12:a3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceEdit {
    /// Replaces one line by a text.
    SetLine {
        /// The anchor of the line.
        anchor: String,
        /// The new text; if it is empty, the line is deleted.
        new_text: String,
    },
    /// Replaces a range of lines by a text.
    ReplaceLines {
        /// The anchor of the first line.
        start_anchor: String,
        /// The anchor of the last line (inclusive); `None` or an empty string means only the first line.
        end_anchor: Option<String>,
        /// The new text; if it is empty, the lines are deleted.
        new_text: String,
    },
    /// Inserts a text after a line.
    InsertAfter {
        /// The anchor of the line.
        anchor: String,
        /// The text to insert.
        text: String,
    },
    /// A substitution that a caller passed as an anchored edit; refused with the original tool's message, because substitutions belong in
    /// [`FileEdit::replace`].
    Replace,
}

/// A text to find in the file and the text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextReplacement {
    /// The text to find in the file.
    pub old_text: String,
    /// The text that replaces each found text.
    pub new_text: String,
    /// Whether every occurrence is replaced; otherwise a text that occurs more than once is refused.
    pub all: bool,
}

/// One edit of a request for a whole file. An edit with both parts is applied as an anchored edit and later as a substitution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    /// The number of the edit in the request, by which the answer names it.
    pub no: EditNo,
    /// The part that names lines by anchors.
    pub anchored: Option<ReferenceEdit>,
    /// The part that replaces a text.
    pub replace: Option<TextReplacement>,
}

/// A parsed edit: the anchors of its lines, and its new lines.
pub(super) struct Claimed {
    pub(super) target: ClaimedLines,
    pub(super) text: NewText,
}

/// The new lines of an edit, and the corrections that were made to them.
pub(super) struct NewText {
    pub(super) no: EditNo,
    pub(super) lines: Vec<String>,
    pub(super) repairs: Vec<Repair>,
}

impl NewText {
    pub(super) fn new(no: EditNo, lines: Vec<String>) -> Self {
        Self {
            no,
            lines,
            repairs: Vec::new(),
        }
    }

    /// Replaces the lines by the corrected ones, if there are any, and notes the correction.
    pub(super) fn correct(&mut self, rule: Rule, corrected: Option<Vec<String>>) {
        if let Some(after) = corrected.filter(|after| *after != self.lines) {
            let before = std::mem::replace(&mut self.lines, after);
            self.note(rule, before);
        }
    }

    /// Notes a correction that changed `before` into the lines as they are now.
    pub(super) fn note(&mut self, rule: Rule, before: Vec<String>) {
        self.repairs.push(Repair {
            rule,
            edit: self.no,
            before,
            after: self.lines.clone(),
            proof: Proof::Definition,
        });
    }
}

/// The anchors of an edit: of one line, of a range, or of the line to insert after.
pub(super) enum ClaimedLines {
    Single(Anchor),
    Range(Anchor, Anchor),
    Insert(Anchor),
}

impl ReferenceEdit {
    /// Returns the anchors of this edit as they were sent.
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

/// Parses an anchor, such as `5:aa`.
///
/// # Errors
///
/// A message for the caller if the text is not an anchor or its line number is 0.
pub fn parse_ref(text: &str) -> Result<Anchor, String> {
    Scheme::Omp.parse(text).map_err(|bad| match bad {
        BadAnchor::LineZero => format!("Line number must be >= 1, got 0 in \"{text}\"."),
        BadAnchor::Malformed { .. } | BadAnchor::NumberMissing { .. } | BadAnchor::SeveralLines => {
            format!(
                "Invalid line reference \"{text}\". Expected format \"LINE:HASH\" (e.g. \"5:aa\")."
            )
        }
    })
}

/// Parses the anchors and the new text of one edit.
pub(super) fn read(no: EditNo, edit: &ReferenceEdit) -> Result<Claimed, EngineRefusal> {
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
    let mut text = NewText::new(no, to_lines(text));
    if let Some((rule, lines)) = strip_copied_marks(&text.lines) {
        text.correct(rule, Some(lines));
    }
    Ok(Claimed { target, text })
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

#[cfg(test)]
mod tests {
    use super::{ClaimedLines, EditNo, ReferenceEdit, parse_ref, read, to_lines};

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
            let claim = read(EditNo::from_index(0), &edit).ok();
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
        let claim = read(EditNo::from_index(0), &edit).ok();
        assert_eq!(
            claim.map(|claim| claim.text.lines),
            Some(vec!["+1".to_owned(), "+x".to_owned()])
        );
    }
}
