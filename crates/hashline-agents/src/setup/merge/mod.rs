//! Merges: how entries get into a user's file, and out again.
//!
//! Every merge is a function from text to text. None reads or writes a file, so a plan can be made, shown and thrown away.

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
    /// The new text.
    pub(crate) text: String,
    /// Our entries that the user has changed, and that were therefore left as they are.
    pub(crate) kept: Vec<String>,
}

impl From<String> for Merged {
    fn from(text: String) -> Self {
        let kept = Vec::new();
        Self { text, kept }
    }
}

impl Merged {
    /// Leaves a text as it is, because the user changed this entry.
    fn kept(text: &str, what: String) -> Self {
        Self {
            text: text.to_owned(),
            kept: vec![what],
        }
    }
}

/// Why something cannot be merged, and where in the file. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError {
    /// What is wrong.
    pub problem: MergeProblem,
    /// Where.
    pub at: Position,
}

/// What keeps something from being merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeProblem {
    /// The file cannot be parsed, for this reason.
    Invalid(String),
    /// The bytes are not UTF-8.
    NotText,
    /// The value of this key has another type than the agent expects; the expected one.
    WrongKind(String, &'static str),
    /// The place of this entry is taken by an entry that is not ours.
    Taken(String),
    /// This entry cannot be changed without changing the text around it.
    Entangled(String),
    /// A marker of our section has no partner.
    TornSection,
}

impl MergeProblem {
    /// Says at which byte of a text it is.
    pub(crate) fn at(self, text: &str, byte: usize) -> MergeError {
        MergeError {
            problem: self,
            at: Position::of(text, byte),
        }
    }
}

impl MergeError {
    /// Says what is wrong in which file.
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

/// What to do with an entry that differs from ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// Update what setup wrote, keep what the user changed, refuse if the entry is not ours.
    #[default]
    Keep,
    /// Replace it, whoever wrote it.
    Replace,
}

/// What is in the place of our entry.
#[derive(Clone, Debug)]
pub(crate) struct Existing {
    pub(crate) value: Value,
    /// Whether there are comments inside: setup writes none, so the user wrote them.
    pub(crate) has_comments: bool,
}

/// What was in the place of an entry before setup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Replaced {
    /// The name of the entry.
    pub(crate) name: String,
    /// The text that was there.
    pub(crate) text: String,
}

/// Which entries a merge may replace or take out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeRules<'a> {
    pub(crate) ownership: &'a Ownership,
    /// How far it goes with entries of JSON and TOML.
    pub(crate) reach: Reach,
    /// What to do with a section or a whole file that the user edited.
    pub(crate) edited: OnConflict,
    /// What an earlier setup wrote down about the file.
    pub(crate) receipt: Option<&'a FileReceipt>,
}

/// How far a merge goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// What is just as some setup writes it; the rest is not reported.
    AsWritten,
    /// What is just as some setup writes it; what runs hashline otherwise is reported.
    Ours,
    /// What runs hashline, unless it was there before setup.
    Running,
    /// What runs hashline, whoever put it there.
    Forced,
    /// Whatever is there.
    Anything,
}

/// Whose the value in the place of our entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryOwner {
    /// Setup's: it may be replaced or taken out.
    Setup,
    /// It runs hashline, and the user changed it: it is kept, and reported.
    Edited,
    /// It is not ours.
    Foreign,
}

impl<'a> MergeRules<'a> {
    /// Tells whose the value in the place of our entry is.
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

    /// Returns what was in the place of an entry before setup.
    pub(crate) fn replaced(&self, name: &str) -> Option<&'a Replaced> {
        let replaced = self.receipt.map_or(&[][..], |receipt| &receipt.replaced);
        replaced.iter().find(|replaced| replaced.name == name)
    }
}
