//! What was asked for: the edits as sent, and how they are read.
//!
//! Reading parses the references and turns each text into lines, undoing copied prefixes and diff markers. It knows nothing of the
//! file: references are still claims.

use super::Fired;
use super::failure::Failure;
use super::line_ref::{LineRef, parse_ref};
use crate::repair::{copied_prefixes, plus_markers};

/// One edit that names its lines by reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
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
pub struct Substitution {
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
    pub anchored: Option<Edit>,
    /// The part that names text.
    pub replace: Option<Substitution>,
}

/// An edit that was read: the lines it claims and the lines it brings.
pub(super) struct Claim {
    pub(super) target: Target,
    pub(super) lines: Vec<String>,
}

/// The lines an edit claims.
pub(super) enum Target {
    Single(LineRef),
    Range(LineRef, LineRef),
    Insert(LineRef),
}

impl Edit {
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

/// Reads one edit.
pub(super) fn read(edit: &Edit, fired: &mut Fired) -> Result<Claim, Failure> {
    let (target, text) = match edit {
        Edit::SetLine { anchor, new_text } => (Target::Single(reference(anchor)?), new_text),
        Edit::ReplaceLines {
            start_anchor,
            end_anchor,
            new_text,
        } => (read_range(start_anchor, end_anchor.as_deref())?, new_text),
        Edit::InsertAfter { anchor, text } => (Target::Insert(reference(anchor)?), text),
        Edit::Replace => {
            let message =
                "replace edits are applied separately; do not pass them to applyHashlineEdits";
            return Err(Failure::Error(message.to_owned()));
        }
    };
    Ok(Claim {
        target,
        lines: without_copied_marks(to_lines(text), fired),
    })
}

fn read_range(start: &str, end: Option<&str>) -> Result<Target, Failure> {
    let start = reference(start)?;
    let Some(end) = end.filter(|end| !end.is_empty()) else {
        return Ok(Target::Single(start));
    };
    let end = reference(end)?;
    Ok(if start.line == end.line {
        Target::Single(start)
    } else {
        Target::Range(start, end)
    })
}

fn reference(text: &str) -> Result<LineRef, Failure> {
    parse_ref(text).map_err(Failure::Error)
}

fn to_lines(text: &str) -> Vec<String> {
    if text.is_empty() {
        Vec::new()
    } else {
        text.split('\n').map(str::to_owned).collect()
    }
}

fn without_copied_marks(lines: Vec<String>, fired: &mut Fired) -> Vec<String> {
    if let Some(stripped) = copied_prefixes::strip(&lines, copied_prefixes::omp_prefix) {
        fired.insert("prefix-strip");
        return stripped;
    }
    if let Some(stripped) = plus_markers::strip(&lines) {
        fired.insert("plus-strip");
        return stripped;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Edit, Target, read, to_lines};
    use crate::reference::Fired;

    #[test]
    fn an_empty_text_is_no_lines() {
        assert!(to_lines("").is_empty());
        assert_eq!(to_lines("x\n"), ["x", ""]);
    }

    #[test]
    fn a_range_of_one_line_is_a_single() {
        for end in [None, Some(""), Some("3:zz")] {
            let edit = Edit::ReplaceLines {
                start_anchor: "3:ab".to_owned(),
                end_anchor: end.map(str::to_owned),
                new_text: String::new(),
            };
            let claim = read(&edit, &mut Fired::new()).ok();
            assert!(
                claim.is_some_and(|claim| matches!(claim.target, Target::Single(_))),
                "{end:?}"
            );
        }
    }

    #[test]
    fn copied_prefixes_go_before_plus_markers() {
        let edit = Edit::SetLine {
            anchor: "1:ab".to_owned(),
            new_text: "+1\n2:ab|+x".to_owned(),
        };
        let mut fired = Fired::new();
        let claim = read(&edit, &mut fired).ok();
        assert_eq!(
            claim.map(|claim| claim.lines),
            Some(vec!["+1".to_owned(), "+x".to_owned()])
        );
        assert_eq!(fired, Fired::from(["prefix-strip"]));
    }
}
