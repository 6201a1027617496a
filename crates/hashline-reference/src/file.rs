//! Edits the text of a whole file as the original tool (seed 000) does.
//!
//! The byte order mark is removed and the line ends are normalised before the edits, and both are restored afterwards; then the answer is
//! written. This module opens no file.

use std::collections::HashSet;

use hashline_core::error::{EngineRefusal, TextNotFound};

use super::apply::{NoopEdit, ReferenceApplied, apply_each};
use super::display::{format_line, index_of};
use super::request::{FileEdit, parse_ref};
use super::substitute::{substitute, with_plain_line_ends};

/// How many lines the refusal shows if the edits changed nothing.
const SHOWN_LINES: usize = 5;

/// A file after its edits, with the answer to the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceEdited {
    /// The new text of the file, with its byte order mark and line ends.
    pub raw: String,
    /// The text of the answer to the caller, including the warnings.
    pub text: String,
    /// The number of the first line that was changed.
    pub first_changed_line: usize,
    /// What the edits with anchors did.
    pub applied: ReferenceApplied,
    /// The substitutions whose text is not in the file; they changed nothing.
    pub not_found: Vec<TextNotFound>,
}

/// Applies `edits` to the file `path` with the text `raw`: first all edits with anchors together, then the substitutions one by one.
///
/// # Errors
///
/// The errors of [`apply`](super::apply()); a text to replace that occurs more than once; edits that change nothing; a Jupyter notebook.
pub fn edit_file(
    path: &str,
    raw: &str,
    edits: &[FileEdit],
) -> Result<ReferenceEdited, EngineRefusal> {
    if path.ends_with(".ipynb") {
        let message =
            "Cannot edit Jupyter notebooks with the Edit tool. Use the NotebookEdit tool instead.";
        return Err(EngineRefusal::BadRequest(message.to_owned()));
    }
    let form = FileForm::of(raw);
    let before = with_plain_line_ends(form.body(raw));
    let applied = apply_each(
        &before,
        edits
            .iter()
            .filter_map(|edit| Some((edit.no, edit.anchored.as_ref()?))),
    )?;
    let substituted = substitute_all(&before, &applied.content, edits);
    let (after, not_found) = substituted.map_err(EngineRefusal::BadRequest)?;
    if after == *before {
        return Err(EngineRefusal::NothingChanged {
            message: nothing_changed(path, &before, edits, &applied.noop_edits),
            not_found,
        });
    }
    let first_changed_line = applied
        .first_changed_line
        .unwrap_or_else(|| first_difference(&before, &after));
    let text = answer(path, &applied.warnings);
    Ok(ReferenceEdited {
        raw: form.restore(&after),
        text,
        first_changed_line,
        applied,
        not_found,
    })
}

/// Returns the error message for an edit with wrong JSON keys; `index` is its position in the request, `keys` are in the order in which
/// they were sent.
#[must_use]
pub fn key_error(index: usize, keys: &[&str]) -> Option<String> {
    let has = |key: &str| keys.contains(&key);
    if (has("old_text") || has("new_text")) && !has("replace") {
        return Some(format!(
            "edits[{index}] contains 'old_text'/'new_text' at top level (replace mode). Use {{replace: {{old_text, new_text}}}} \
             for hashline content replace, or {{set_line}}, {{replace_lines}}, {{insert_after}}."
        ));
    }
    if has("diff") {
        return Some(format!(
            "edits[{index}] contains 'diff' field from patch mode. Hashline edits use: {{set_line}}, {{replace_lines}}, \
             {{insert_after}}, or {{replace}}."
        ));
    }
    let known = ["set_line", "replace_lines", "insert_after", "replace"]
        .into_iter()
        .any(has);
    (!known).then(|| {
        format!(
            "edits[{index}] must contain exactly one of: 'set_line', 'replace_lines', 'insert_after', or 'replace'. \
             Got keys: [{}].",
            keys.join(", ")
        )
    })
}

/// The byte order mark and the line ends of a file, which are restored after its edits.
struct FileForm {
    byte_order_mark: &'static str,
    line_end: &'static str,
}

impl FileForm {
    fn of(raw: &str) -> Self {
        let byte_order_mark = if raw.starts_with('\u{feff}') {
            "\u{feff}"
        } else {
            ""
        };
        let first_line = raw.split_once('\n').map_or("", |(line, _)| line);
        let line_end = if first_line.ends_with('\r') {
            "\r\n"
        } else {
            "\n"
        };
        Self {
            byte_order_mark,
            line_end,
        }
    }

    fn body<'a>(&self, raw: &'a str) -> &'a str {
        raw.strip_prefix(self.byte_order_mark).unwrap_or(raw)
    }

    fn restore(&self, body: &str) -> String {
        format!(
            "{}{}",
            self.byte_order_mark,
            body.replace('\n', self.line_end)
        )
    }
}

/// Returns the text after all substitutions, and those whose text does not occur: as in the original, they do not stop the others.
fn substitute_all(
    before: &str,
    content: &str,
    edits: &[FileEdit],
) -> Result<(String, Vec<TextNotFound>), String> {
    let mut content = content.to_owned();
    let mut not_found = Vec::new();
    for (edit, substitution) in edits
        .iter()
        .filter_map(|edit| Some((edit.no, edit.replace.as_ref()?)))
    {
        match substitute(&content, substitution)? {
            Some(replaced) => content = replaced,
            None => not_found.push(TextNotFound {
                edit,
                text: substitution.old_text.clone(),
                is_taken: before.contains(&*with_plain_line_ends(&substitution.old_text)),
            }),
        }
    }
    Ok((content, not_found))
}

fn answer(path: &str, warnings: &[String]) -> String {
    let mut text = format!("Updated {path}");
    if !warnings.is_empty() {
        text.push_str(&format!("\n\nWarnings:\n{}", warnings.join("\n")));
    }
    text
}

/// Returns the number of the first line, including its line end, that differs between the two texts.
fn first_difference(before: &str, after: &str) -> usize {
    let pairs = before
        .split_inclusive('\n')
        .zip(after.split_inclusive('\n'));
    pairs.take_while(|(old, new)| old == new).count() + 1
}

fn nothing_changed(
    path: &str,
    before: &str,
    edits: &[FileEdit],
    noop_edits: &[NoopEdit],
) -> String {
    let mut message = format!("No changes made to {path}. The edits produced identical content.");
    if noop_edits.is_empty() {
        message.push_str(&current_lines(before, edits));
        return message;
    }
    for NoopEdit {
        edit_index,
        loc,
        current_content,
        ..
    } in noop_edits
    {
        message.push_str(&format!(
            "\nEdit {edit_index}: replacement for {loc} is identical to current content:\n  {loc}| {current_content}"
        ));
    }
    message.push_str(
        "\nYour content must differ from what the file already contains. Re-read the file to see the current state.",
    );
    message
}

/// Returns the message part that shows the current lines that the edits name; empty if they name none.
fn current_lines(before: &str, edits: &[FileEdit]) -> String {
    let lines: Vec<&str> = before.split('\n').collect();
    let mut seen = HashSet::new();
    let anchors = edits
        .iter()
        .filter_map(|edit| edit.anchored.as_ref())
        .flat_map(|edit| edit.anchors());
    let named = anchors
        .filter_map(|anchor| parse_ref(anchor).ok())
        .filter_map(|reference| {
            let index = index_of(reference.line, lines.len())?;
            seen.insert(index)
                .then(|| format_line(reference.line, lines[index]))
        });
    let shown: Vec<String> = named.take(SHOWN_LINES).collect();
    if shown.is_empty() {
        return String::new();
    }
    format!(
        "\nThe file currently contains these lines:\n{}\nYour edits were normalized back to the original content \
         (whitespace-only differences are preserved as-is). Ensure your replacement changes actual code, not just formatting.",
        shown.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::{edit_file, key_error};
    use hashline_core::edit::EditNo;
    use hashline_core::error::EngineRefusal;

    use crate::{FileEdit, ReferenceEdit, TextReplacement, hash};

    fn set(line: &str, new_text: &str) -> FileEdit {
        let anchored = ReferenceEdit::SetLine {
            anchor: format!("1:{}", hash(line)),
            new_text: new_text.to_owned(),
        };
        FileEdit {
            no: EditNo::from_index(0),
            anchored: Some(anchored),
            replace: None,
        }
    }

    fn replace(old: &str, new: &str) -> FileEdit {
        let replace = TextReplacement {
            old_text: old.to_owned(),
            new_text: new.to_owned(),
            all: false,
        };
        FileEdit {
            no: EditNo::from_index(1),
            anchored: None,
            replace: Some(replace),
        }
    }

    fn message(path: &str, raw: &str, edits: &[FileEdit]) -> String {
        match edit_file(path, raw, edits) {
            Err(
                EngineRefusal::BadRequest(message) | EngineRefusal::NothingChanged { message, .. },
            ) => message,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn mark_and_line_ends_come_back() -> Result<(), EngineRefusal> {
        let edited = edit_file("f", "\u{feff}a\r\nb\n", &[replace("b", "c"), set("a", "x")])?;
        assert_eq!(
            (edited.raw.as_str(), edited.text.as_str()),
            ("\u{feff}x\r\nc\r\n", "Updated f")
        );
        assert_eq!(
            edit_file("f", "a\nb", &[replace("b", "b\n")])?.first_changed_line,
            2
        );
        Ok(())
    }

    #[test]
    fn edits_that_change_nothing_say_what_is_there() {
        assert_eq!(
            message("f", "a", &[]),
            "No changes made to f. The edits produced identical content."
        );
        let shown = "\n  1:56| a\nYour content must differ from what the file already contains.";
        assert!(message("f", "a", &[set("a", "a")]).contains(shown));
        let undone = [set("a", "b"), replace("b", "a")];
        assert!(
            message("f", "a", &undone)
                .contains("\nThe file currently contains these lines:\n1:56|a\nYour edits")
        );
    }

    #[test]
    fn notebooks_are_refused() {
        assert!(message("x.ipynb", "", &[]).starts_with("Cannot edit Jupyter notebooks"));
    }

    #[test]
    fn keys_of_other_modes_are_named() {
        assert_eq!(key_error(0, &["set_line", "why"]), None);
        assert_eq!(key_error(0, &["replace", "old_text"]), None);
        let starts = |keys: &[&str], start: &str| {
            key_error(3, keys).is_some_and(|message| message.starts_with(start))
        };
        assert!(starts(
            &["new_text"],
            "edits[3] contains 'old_text'/'new_text' at top level"
        ));
        assert!(starts(
            &["set_line", "diff"],
            "edits[3] contains 'diff' field"
        ));
        let none = "edits[3] must contain exactly one of: 'set_line', 'replace_lines', 'insert_after', or 'replace'. Got keys: [b, a].";
        assert_eq!(key_error(3, &["b", "a"]).as_deref(), Some(none));
    }
}
