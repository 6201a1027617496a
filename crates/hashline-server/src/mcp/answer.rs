//! The answer of a tool: text for a model.

use hashline_wire::render::model::note;
use hashline_wire::request::Note;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};

/// How many bytes one answer shows: about 16,000 tokens, well below where clients cut.
pub(crate) const PAGE: usize = 48 << 10;
/// An answer of more lines is marked as long, so that clients may fold it.
const LONG: usize = 50;
/// The mark of a long answer in `_meta`.
const COLLAPSE: &str = "hashline/collapse";

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolAnswer {
    /// What the model reads.
    pub(crate) text: String,
    /// What the call did.
    pub(crate) effect: CallEffect,
}

/// What a call did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallEffect {
    /// It succeeded and changed no file.
    ReadOnly,
    /// It succeeded and changed files.
    Changed,
    /// It was refused.
    Refused,
}

impl ToolAnswer {
    /// Returns the answer of a call that changed no file.
    pub(crate) fn read_only(text: String) -> Self {
        let effect = CallEffect::ReadOnly;
        Self { text, effect }
    }

    /// Returns the answer of a call that was refused.
    pub(crate) fn refused(text: String) -> Self {
        let effect = CallEffect::Refused;
        Self { text, effect }
    }

    /// Adds notes about arguments that were corrected or ignored, at the end.
    pub(crate) fn with_notes(self, notes: &[Note]) -> Self {
        notes
            .iter()
            .fold(self, |answer, one| answer.with_below(&note(one)))
    }

    /// Adds lines: before an answer that succeeded, after a refusal, which must begin with "Nothing was written".
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
