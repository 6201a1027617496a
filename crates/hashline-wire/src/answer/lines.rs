//! Lines that were read, as an object. However many they are, only one is held at a time.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Lines of one file.
#[derive(Clone, Debug)]
pub struct FileLines<'a, F> {
    /// The file.
    pub path: &'a str,
    /// Its revision.
    pub rev: String,
    /// How many lines it has.
    pub total_lines: usize,
    /// The first line that is shown, and the last; nothing if none is.
    pub shown: Option<(usize, usize)>,
    /// How many lines match, if it was searched.
    pub matches: Option<usize>,
    /// Whether no commit over several files can have been under way.
    pub consistent: bool,
    /// Lists the lines as they are shown.
    pub lines: F,
}

impl<I: Iterator<Item = String>, F: Fn() -> I> Serialize for FileLines<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("ok", &true)?;
        map.serialize_entry("path", self.path)?;
        map.serialize_entry("rev", &self.rev)?;
        map.serialize_entry("total_lines", &self.total_lines)?;
        if let Some((start, end)) = self.shown {
            map.serialize_entry("start_line", &start)?;
            map.serialize_entry("end_line", &end)?;
        }
        if let Some(matches) = self.matches {
            map.serialize_entry("matches", &matches)?;
        }
        map.serialize_entry("consistent", &self.consistent)?;
        map.serialize_entry("lines", &InTurn(&self.lines))?;
        map.end()
    }
}

/// A list whose items are made one by one.
struct InTurn<'a, F>(&'a F);

impl<I: Iterator<Item = String>, F: Fn() -> I> Serialize for InTurn<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
