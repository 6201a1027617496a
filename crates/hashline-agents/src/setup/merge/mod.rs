//! Merges: how setup adds its entries to the text of a user's configuration file, and removes them again.
//!
//! Every merge is a function from text to text that does no I/O, so a plan can be computed and shown without writing it.

pub(crate) mod json;
mod json_text;
pub(crate) mod section;
pub(crate) mod toml;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::setup::ownership::{CallKind, Ownership};
use crate::setup::receipt::FileReceipt;
use crate::setup::text::Position;

/// The result of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The new text of the file.
    pub(crate) text: String,
    /// The names of entries of ours that the user has changed, and that were therefore left as they are.
    pub(crate) kept: Vec<String>,
}

impl From<String> for Merged {
    fn from(text: String) -> Self {
        let kept = Vec::new();
        Self { text, kept }
    }
}

impl Merged {
    /// Returns the unchanged text, and reports the entry `what`, which is kept because the user changed it.
    fn kept(text: &str, what: String) -> Self {
        Self {
            text: text.to_owned(),
            kept: vec![what],
        }
    }
}

/// Why an entry cannot be added or removed, and the position in the file. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError {
    /// The reason why the merge failed.
    pub problem: MergeProblem,
    /// The position in the file, for the message.
    pub at: Position,
}

/// The reason why an entry cannot be added or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeProblem {
    /// The file cannot be parsed; with the parser's message.
    Invalid(String),
    /// The file is not valid UTF-8.
    NotText,
    /// The value of a key has the wrong type; with the key and the expected type.
    WrongKind(String, &'static str),
    /// An entry with our name exists and runs another program; with its name.
    Taken(String),
    /// An entry cannot be changed without changing the text around it; with its name.
    Entangled(String),
    /// One of the two marker lines of our section in a Markdown file is missing.
    TornSection,
}

impl MergeProblem {
    /// Makes the error for this problem at a byte offset of a text.
    pub(crate) fn at(self, text: &str, byte: usize) -> MergeError {
        MergeError {
            problem: self,
            at: Position::of(text, byte),
        }
    }
}

impl MergeError {
    /// Returns the error message for a file.
    pub(crate) fn in_file(&self, path: &std::path::Path) -> String {
        let path = path.display();
        let what = match &self.problem {
            MergeProblem::Invalid(why) => format!("{path} cannot be parsed: {why}"),
            MergeProblem::NotText => format!("{path} is not UTF-8"),
            MergeProblem::WrongKind(name, wanted) => format!("{name} in {path} is not {wanted}"),
            MergeProblem::Taken(name) => {
                format!("{name} in {path} already exists and runs something else")
            }
            MergeProblem::Entangled(name) => {
                format!("{name} in {path} cannot be changed without changing the text around it")
            }
            MergeProblem::TornSection => {
                format!("the markers of hashline's section in {path} do not match")
            }
        };
        format!("{what} ({})", self.at)
    }
}

/// What a merge does with an existing entry that differs from ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// Updates an entry that setup wrote, keeps one that the user changed, and refuses if the entry runs another program.
    #[default]
    Keep,
    /// Replaces the entry, regardless of who wrote it.
    Replace,
}

/// An entry in the user's file that has the name or place of one of ours.
#[derive(Clone, Debug)]
pub(crate) struct Existing {
    pub(crate) value: Value,
    /// Whether there are comments inside the entry: setup writes none, so the user wrote them.
    pub(crate) has_comments: bool,
}

/// An entry that had the name or place of one of ours before setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Replaced {
    /// The name of our entry, such as `mcpServers.hl`.
    pub(crate) name: String,
    /// The text of the user's entry.
    pub(crate) text: String,
}

/// The rules that decide which existing entries a merge may replace or remove.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeRules<'a> {
    pub(crate) ownership: &'a Ownership,
    /// Which existing entries of JSON and TOML files may be replaced or removed.
    pub(crate) reach: Reach,
    /// What to do with a section or a whole file that the user edited.
    pub(crate) edited: OnConflict,
    /// The receipt of an earlier setup for the file.
    pub(crate) receipt: Option<&'a FileReceipt>,
}

/// Which existing entries a merge may replace or remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Entries that are exactly as setup writes them; others are not reported.
    AsWritten,
    /// Entries that are exactly as setup writes them; other entries that run hashline are reported.
    Ours,
    /// Entries that run hashline, unless the receipt lists them as older than setup.
    Running,
    /// Entries that run hashline, regardless of who wrote them.
    Forced,
    /// Every entry in the place of ours.
    Anything,
}

/// Who owns the existing value in the place of our entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryOwner {
    /// Setup: the entry may be replaced or removed.
    Setup,
    /// The user, who changed an entry that runs hashline: it is kept and reported.
    Edited,
    /// The user or another program: the entry does not run hashline.
    Foreign,
}

impl<'a> MergeRules<'a> {
    /// Decides who owns the existing value in the place of our entry.
    // Install and uninstall ask the same question here: what install may bring up to date is what uninstall may take out.
    pub(crate) fn judge(&self, existing: &Existing, ours: &Value, calls: CallKind) -> EntryOwner {
        let is_unchanged =
            || !existing.has_comments && self.ownership.is_unchanged(&existing.value, ours);
        let runs_hashline = || self.ownership.runs_hashline(&existing.value, calls);
        match self.reach {
            Reach::Anything => EntryOwner::Setup,
            Reach::AsWritten | Reach::Ours if is_unchanged() => EntryOwner::Setup,
            Reach::Ours if runs_hashline() => EntryOwner::Edited,
            Reach::Running | Reach::Forced if runs_hashline() => EntryOwner::Setup,
            _ => EntryOwner::Foreign,
        }
    }

    /// Returns the user's entry that the receipt lists as replaced by our entry `name`.
    pub(crate) fn replaced(&self, name: &str) -> Option<&'a Replaced> {
        let replaced = self.receipt.map_or(&[][..], |receipt| &receipt.replaced);
        replaced.iter().find(|replaced| replaced.name == name)
    }
}
