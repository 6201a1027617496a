//! The answer of an MCP tool: text for a model.

use hashline_wire::render::model::note;
use hashline_wire::request::Note;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};

/// How many bytes one answer shows at most: about 16,000 tokens, well below the size at which clients truncate.
pub(crate) const PAGE: usize = 48 << 10;
/// An answer of more lines than this is marked as long, so that clients may show it collapsed.
const LONG: usize = 50;
/// The key in `_meta` that marks a long answer.
const COLLAPSE: &str = "hashline/collapse";

/// The answer to a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolAnswer {
    /// The text that the model reads.
    pub(crate) text: String,
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
    /// Creates the answer of a call that changed no file.
    pub(crate) fn read_only(text: String) -> Self {
        let effect = CallEffect::ReadOnly;
        Self { text, effect }
    }

    /// Creates the answer of a call that was refused.
    pub(crate) fn refused(text: String) -> Self {
        let effect = CallEffect::Refused;
        Self { text, effect }
    }

    /// Appends notes about arguments of the call that were corrected or ignored.
    pub(crate) fn with_notes(self, notes: &[Note]) -> Self {
        notes
            .iter()
            .fold(self, |answer, one| answer.with_below(&note(one)))
    }

    /// Adds lines: before the text of a call that succeeded, but after that of a refusal, which must begin with "Nothing was written".
    pub(crate) fn with_lines(mut self, lines: &[String]) -> Self {
        if lines.is_empty() {
            return self;
        }
        let lines = lines.join("\n");
        if self.effect == CallEffect::Refused {
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

impl From<ToolAnswer> for CallToolResult {
    fn from(answer: ToolAnswer) -> Self {
        let is_long = answer.text.lines().nth(LONG).is_some();
        let content = vec![ContentBlock::text(answer.text)];
        let mut result = match answer.effect {
            CallEffect::Refused => Self::error(content),
            CallEffect::ReadOnly | CallEffect::Changed => Self::success(content),
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
    use super::ToolAnswer;

    #[test]
    fn a_refusal_begins_with_itself_whatever_else_is_said() {
        let lines = ["Note: one.".to_owned(), "Note: two.".to_owned()];
        let refused = ToolAnswer::refused("Nothing was written.\nNext: read.\n".to_owned());
        assert_eq!(
            refused.with_lines(&lines).text,
            "Nothing was written.\nNext: read.\nNote: one.\nNote: two."
        );
        let looked = ToolAnswer::read_only("1:a3|text\n".to_owned());
        assert_eq!(
            looked.with_lines(&lines).text,
            "Note: one.\nNote: two.\n1:a3|text\n"
        );
    }
}
