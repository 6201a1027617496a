//! The answer of an MCP tool: text for a model.

use hashline_wire::page::{PageSize, cost_of, within};
use hashline_wire::render::model::note;
use hashline_wire::request::Note;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};

/// An answer of more lines than this is marked as long, so that clients may show it collapsed.
const LONG: usize = 50;
/// The key in `_meta` that marks a long answer.
const COLLAPSE: &str = "hashline/collapse";

/// The answer to a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolAnswer {
    /// The text that the model reads.
    pub(crate) text: String,
    /// What is said besides: below the text the corrected arguments of the call, and around it what else happened.
    notes: Vec<String>,
    lines: Vec<String>,
    /// Whether the call changed files or was refused.
    pub(crate) effect: CallEffect,
}

/// Whether a tool call changed files or was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallEffect {
    /// The call succeeded and changed no file.
    ReadOnly,
    /// The call succeeded and changed files.
    Changed,
    /// The call was refused.
    Refused,
}

impl ToolAnswer {
    /// Creates an answer.
    pub(crate) fn new(text: String, effect: CallEffect) -> Self {
        Self {
            text,
            notes: Vec::new(),
            lines: Vec::new(),
            effect,
        }
    }

    /// Creates the answer of a call that changed no file.
    pub(crate) fn read_only(text: String) -> Self {
        Self::new(text, CallEffect::ReadOnly)
    }

    /// Creates the answer of a call that was refused.
    pub(crate) fn refused(text: String) -> Self {
        Self::new(text, CallEffect::Refused)
    }

    /// Appends notes about arguments of the call that were corrected or ignored.
    pub(crate) fn with_notes(mut self, notes: &[Note]) -> Self {
        self.notes.extend(notes.iter().map(note));
        self
    }

    /// Adds lines: before the text of a call that succeeded, but after that of a refusal, which must begin with "Nothing was written".
    pub(crate) fn with_lines(mut self, lines: &[String]) -> Self {
        self.lines.splice(..0, lines.iter().cloned());
        self
    }

    /// Returns the whole answer, not longer than a page. What is said besides gets the room that the text leaves: the lines of files in the text are
    /// recorded as shown, and no client may cut them.
    fn page(&self, size: PageSize) -> String {
        let size = match self.effect {
            CallEffect::Refused => size.of_refusal(),
            CallEffect::ReadOnly | CallEffect::Changed => size,
        };
        let text = within(&self.text, size.without_notes().bytes());
        let besides = [self.notes.as_slice(), self.lines.as_slice()].concat();
        if besides.is_empty() {
            return text;
        }
        let room = size.bytes().saturating_sub(cost_of(&text));
        let (above, below) = match self.effect {
            CallEffect::Refused => (Vec::new(), besides),
            _ => (self.lines.clone(), self.notes.clone()),
        };
        let share = if above.is_empty() || below.is_empty() {
            room
        } else {
            room / 2
        };
        let mut whole = within(&above.join("\n"), share);
        if !above.is_empty() {
            whole.push('\n');
        }
        whole.push_str(&text);
        if !below.is_empty() {
            whole.truncate(whole.trim_end_matches('\n').len());
            whole.push('\n');
            whole.push_str(&within(&below.join("\n"), share));
        }
        whole
    }

    /// Returns the answer as the protocol has it.
    pub(crate) fn into_result(self, size: PageSize) -> CallToolResult {
        let text = self.page(size);
        let is_long = text.lines().nth(LONG).is_some();
        let content = vec![ContentBlock::text(text)];
        let mut result = match self.effect {
            CallEffect::Refused => CallToolResult::error(content),
            CallEffect::ReadOnly | CallEffect::Changed => CallToolResult::success(content),
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
    use hashline_wire::page::PageSize;

    use super::ToolAnswer;

    #[test]
    fn a_refusal_begins_with_itself_whatever_else_is_said() {
        let lines = ["Note: one.".to_owned(), "Note: two.".to_owned()];
        let page = |answer: ToolAnswer| answer.with_lines(&lines).page(PageSize::DEFAULT);
        let refused = ToolAnswer::refused("Nothing was written.\nNext: read.\n".to_owned());
        assert_eq!(
            page(refused),
            "Nothing was written.\nNext: read.\nNote: one.\nNote: two."
        );
        let looked = ToolAnswer::read_only("1:a3|text\n".to_owned());
        assert_eq!(page(looked), "Note: one.\nNote: two.\n1:a3|text\n");
    }

    #[test]
    fn whatever_else_is_said_the_answer_is_a_page() {
        let size = PageSize::new(4000);
        let text = "1:a3|text of a line that is shown\n".repeat(100);
        let said = vec!["Note: ".to_owned() + &"é".repeat(9000); 50];
        for answer in [
            ToolAnswer::read_only(text.clone()),
            ToolAnswer::refused(text.clone()),
        ] {
            let page = answer.with_lines(&said).page(size);
            assert!(page.len() <= size.bytes(), "{}", page.len());
            assert!(page.contains(text.trim_end()), "{page}");
        }
    }
}
