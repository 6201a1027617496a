//! What a tool answers: text for a model, and nothing beside it.

use std::ops::Range;

use hashline_wire::render::model::note;
use hashline_wire::request::Note;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};

/// So many bytes one answer shows: well below what clients cut themselves, about 16,000 tokens.
pub(crate) const PAGE: usize = 48 << 10;
/// So many lines are a long answer: a client that can does not unfold it by itself.
const LONG: usize = 50;
/// The mark of a long answer.
const COLLAPSE: &str = "hashline/collapse";

/// Shortens every line that is longer than so many bytes, and says by how much. Its anchor names the whole line all the same.
pub(crate) fn clipped(text: String, most: usize) -> String {
    if text.lines().all(|line| line.len() <= most) {
        return text;
    }
    let mut out = String::with_capacity(text.len().min(PAGE));
    for line in text.split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        if bare.len() <= most {
            out.push_str(line);
            continue;
        }
        let end = bare.floor_char_boundary(most);
        let left = bare.len() - end;
        out.push_str(&bare[..end]);
        out.push_str(&format!(
            " [... {left} more bytes of this line are not shown]\n"
        ));
    }
    out
}

/// Shortens the lines of an answer whose middle may be left out.
pub(crate) fn shortened(text: String) -> String {
    clipped(text, PAGE / 8)
}

/// Leaves out the middle of a long text, says how much, and ends with the calls that show it, told which bytes of the text are left out.
/// What was done stands at its beginning, what to do next at its end.
pub(crate) fn without_middle(
    text: String,
    go_on: impl FnOnce(Range<usize>) -> Vec<String>,
) -> String {
    let text = shortened(text);
    if text.len() <= PAGE {
        return text;
    }
    let whole = |at: usize| text[..text.floor_char_boundary(at)].rfind('\n');
    let head = whole(PAGE / 2).map_or(0, |end| end + 1);
    let tail = whole(text.len() - PAGE / 4).map_or(text.len(), |end| end + 1);
    let left = text[head..tail].lines().count();
    let mut out = format!(
        "{}[... {left} lines of this answer are not shown: read the file where you need them]\n{}",
        &text[..head],
        &text[tail..]
    );
    for call in go_on(head..tail) {
        out.push('\n');
        out.push_str(&call);
    }
    out
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// What the model is told.
    pub(crate) text: String,
    /// Whether it was done.
    pub(crate) fate: Fate,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It was done, and no file was changed.
    Looked,
    /// It was done: files were changed.
    Changed,
    /// It was not done.
    Refused,
}

impl Answer {
    /// Something was looked at.
    pub(crate) fn looked(text: String) -> Self {
        let fate = Fate::Looked;
        Self { text, fate }
    }

    /// Nothing was done.
    pub(crate) fn refused(text: String) -> Self {
        let fate = Fate::Refused;
        Self { text, fate }
    }

    /// Says at its end what was understood otherwise, or not at all.
    pub(crate) fn with_notes(self, notes: &[Note]) -> Self {
        notes
            .iter()
            .fold(self, |answer, one| answer.with_below(&note(one)))
    }

    /// Says something beside it: before what was done, after what was refused, which begins with that nothing was written.
    pub(crate) fn with_lines(mut self, lines: &[String]) -> Self {
        if lines.is_empty() {
            return self;
        }
        let lines = lines.join("\n");
        if self.fate == Fate::Refused {
            return self.with_below(&lines);
        }
        self.text = format!("{lines}\n{}", self.text);
        self
    }

    fn with_below(mut self, line: &str) -> Self {
        self.text = format!("{}\n{line}", self.text.trim_end_matches('\n'));
        self
    }
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let is_long = answer.text.lines().nth(LONG).is_some();
        let content = vec![ContentBlock::text(answer.text)];
        let mut result = match answer.fate {
            Fate::Refused => Self::error(content),
            Fate::Looked | Fate::Changed => Self::success(content),
        };
        if is_long {
            let mark = (COLLAPSE.to_owned(), true.into());
            result.meta = Some(MetaObject(JsonObject::from_iter([mark])));
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn a_refusal_begins_with_itself_whatever_else_is_said() {
        let lines = ["Note: one.".to_owned(), "Note: two.".to_owned()];
        let refused = Answer::refused("Nothing was written.\nNext: read.\n".to_owned());
        assert_eq!(
            refused.with_lines(&lines).text,
            "Nothing was written.\nNext: read.\nNote: one.\nNote: two."
        );
        let looked = Answer::looked("1:a3|text\n".to_owned());
        assert_eq!(
            looked.with_lines(&lines).text,
            "Note: one.\nNote: two.\n1:a3|text\n"
        );
    }
}
