//! What a tool answers: text for a model, and nothing beside it.

use hashline_wire::render::model::note;
use hashline_wire::request::Note;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};

/// So many lines are a long answer: a client that can does not unfold it by itself.
const LONG: usize = 50;
/// The mark of a long answer.
const COLLAPSE: &str = "hashline/collapse";

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
    pub(crate) fn before(mut self, notes: &[Note]) -> Self {
        for one in notes {
            self.text = format!("{}\n{}", self.text.trim_end_matches('\n'), note(one));
        }
        self
    }

    /// Puts lines before it.
    pub(crate) fn after(mut self, lines: &[String]) -> Self {
        if !lines.is_empty() {
            self.text = format!("{}\n{}", lines.join("\n"), self.text);
        }
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
