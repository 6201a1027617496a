//! The JSON answer to a read of one file. Lines are rendered one by one while they are serialized, so that only one is in memory at a time.

use schemars::JsonSchema;
use serde::ser::{Serialize, Serializer};

/// Lines of one file that were read; serializes as the JSON answer to the read.
#[derive(Clone, Debug)]
pub struct FileLines<'a, F> {
    /// The path of the file.
    pub path: &'a str,
    /// The file's revision.
    pub rev: String,
    /// The encoding of the file, if it is not UTF-8.
    pub encoding: Option<&'a str>,
    /// How many lines the file has.
    pub total_lines: usize,
    /// The numbers of the first and the last line shown; `None` if no line is shown.
    pub shown: Option<(usize, usize)>,
    /// How many lines match; `None` if the read did not search the file.
    pub matches: Option<usize>,
    /// Whether no commit over several files can have been in progress while this file was read.
    pub consistent: bool,
    /// Returns an iterator over the rendered lines.
    pub lines: F,
}

/// The answer to a read of one file.
#[derive(Clone, Debug, serde::Serialize, JsonSchema)]
pub(crate) struct LinesAnswer<'a, L> {
    /// Always true: the lines were read.
    #[schemars(extend("const" = true))]
    ok: bool,
    /// The path of the file.
    path: &'a str,
    /// The revision of the file (8 hex digits), to be sent as `rev` with edits.
    rev: &'a str,
    /// The encoding of the file, such as `windows-1252`; absent for UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'a str>,
    /// How many lines the file has.
    total_lines: usize,
    /// The number of the first line in `lines`, from 1; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<usize>,
    /// The number of the last line in `lines`, inclusive; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<usize>,
    /// How many lines of the file match; absent if the read did not search.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<usize>,
    /// Whether it is certain that the files were not read in the middle of another request's commit over several files.
    consistent: bool,
    /// The lines, each with its anchor in front unless the request asks for none.
    lines: L,
}

impl<I: Iterator<Item = String>, F: Fn() -> I> Serialize for FileLines<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = LinesAnswer {
            ok: true,
            path: self.path,
            rev: &self.rev,
            encoding: self.encoding,
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

/// Serializes an iterator of lines as a JSON array, without collecting them first.
struct InTurn<'a, F>(&'a F);

impl<I: Iterator<Item = String>, F: Fn() -> I> Serialize for InTurn<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
