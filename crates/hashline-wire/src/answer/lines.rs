//! Lines that were read, as an object. However many they are, only one is held at a time.

use schemars::JsonSchema;
use serde::ser::{Serialize, Serializer};

/// Lines of one file.
#[derive(Clone, Debug)]
pub struct FileLines<'a, F> {
    /// The file.
    pub path: &'a str,
    /// Its revision.
    pub rev: String,
    /// How many lines it has.
    pub total_lines: usize,
    /// The first line that is shown, and the last; `None` if none is.
    pub shown: Option<(usize, usize)>,
    /// How many lines match, if it was searched.
    pub matches: Option<usize>,
    /// Whether no commit over several files can have been under way.
    pub consistent: bool,
    /// Lists the lines as they are shown.
    pub lines: F,
}

/// The answer to a read of one file.
#[derive(Clone, Debug, serde::Serialize, JsonSchema)]
pub(crate) struct LinesAnswer<'a, L> {
    /// Always true.
    ok: bool,
    path: &'a str,
    /// The revision to send back with edits.
    rev: &'a str,
    /// How many lines the file has.
    total_lines: usize,
    /// The first line that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<usize>,
    /// The last line that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<usize>,
    /// How many lines match, if it was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<usize>,
    /// Whether no commit over several files can have been under way.
    consistent: bool,
    /// The lines, with their anchors unless the request asks for none.
    lines: L,
}

impl<I: Iterator<Item = String>, F: Fn() -> I> Serialize for FileLines<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = LinesAnswer {
            ok: true,
            path: self.path,
            rev: &self.rev,
            total_lines: self.total_lines,
            start_line: self.shown.map(|(start, _)| start),
            end_line: self.shown.map(|(_, end)| end),
            matches: self.matches,
            consistent: self.consistent,
            lines: InTurn(&self.lines),
        };
        answer.serialize(serializer)
    }
}

/// A list whose items are made one by one.
struct InTurn<'a, F>(&'a F);

impl<I: Iterator<Item = String>, F: Fn() -> I> Serialize for InTurn<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
