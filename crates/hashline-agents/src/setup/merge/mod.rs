//! Merges: what setup writes into a person's file, and how it gets out again.
//!
//! Every merge is a function from text to text. None reads a file.

pub(crate) mod json;
mod json_text;
pub(crate) mod section;
pub(crate) mod toml;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::setup::ownership::{CallKind, Ownership};
use crate::setup::receipt::FileReceipt;
use crate::setup::text::Position;

/// What comes of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The new text.
    pub(crate) text: String,
    /// Entries of ours that a person has changed and that were therefore left as they are.
    pub(crate) kept: Vec<String>,
}

impl From<String> for Merged {
    fn from(text: String) -> Self {
        let kept = Vec::new();
        Self { text, kept }
    }
}

/// Why something cannot be merged. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// The file cannot be parsed.
    Invalid {
        /// Where.
        at: Position,
        /// Why.
        why: String,
    },
    /// The bytes are not UTF-8.
    NotText {
        /// Where.
        at: Position,
    },
    /// Something in the file is of another kind than the agent takes there.
    WrongKind {
        /// What.
        name: String,
        /// Where.
        at: Position,
        /// What would fit.
        wanted: &'static str,
    },
    /// The place of an entry is taken by somebody else's.
    Taken {
        /// Which entry.
        name: String,
        /// Where.
        at: Position,
    },
    /// An entry cannot be changed without changing what stands around it.
    Entangled {
        /// Which entry.
        name: String,
        /// Where.
        at: Position,
    },
    /// A marker of our section has no partner.
    TornSection {
        /// Where.
        at: Position,
    },
}

impl MergeError {
    /// Says what is wrong in which file.
    pub(crate) fn in_file(&self, path: &std::path::Path) -> String {
        let path = path.display();
        match self {
            Self::Invalid { at, why } => format!("{path} cannot be parsed: {why} ({at})"),
            Self::NotText { at } => format!("{path} is not UTF-8 ({at})"),
            Self::WrongKind { name, at, wanted } => {
                format!("{name} in {path} is not {wanted} ({at})")
            }
            Self::Taken { name, at } => {
                format!("{name} in {path} already exists and runs something else ({at})")
            }
            Self::Entangled { name, at } => {
                format!(
                    "{name} in {path} cannot be changed without changing the text around it ({at})"
                )
            }
            Self::TornSection { at } => {
                format!("the markers of hashline's section in {path} do not match ({at})")
            }
        }
    }
}

/// What is done with an entry of ours that reads differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// What setup wrote is updated, what a person changed is kept, somebody else's is refused.
    #[default]
    Keep,
    /// It is replaced, whoever wrote it.
    Replace,
}

/// What stands where an entry of ours would.
#[derive(Clone, Debug)]
pub(crate) struct Existing {
    pub(crate) value: Value,
    /// Whether there are comments inside: setup writes none, so they are a person's.
    pub(crate) has_comments: bool,
}

impl Existing {
    /// Tells whether it is as some setup wrote it.
    fn is_unchanged(&self, ours: &Value, ownership: &Ownership) -> bool {
        !self.has_comments && ownership.is_unchanged(&self.value, ours)
    }
}

/// How entries are brought up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstallRules<'a> {
    pub(crate) ownership: &'a Ownership,
    pub(crate) on_conflict: OnConflict,
}

/// What is done with one entry that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// It is replaced.
    Replace,
    /// It stays.
    Keep,
    /// Nothing is done at all.
    Refuse,
}

impl InstallRules<'_> {
    /// Decides about an entry that reads differently than ours.
    pub(crate) fn judge(&self, existing: &Existing, ours: &Value) -> Conflict {
        let is_forced = self.on_conflict == OnConflict::Replace;
        if is_forced || existing.is_unchanged(ours, self.ownership) {
            Conflict::Replace
        } else if self
            .ownership
            .runs_hashline(&existing.value, CallKind::Anything)
        {
            Conflict::Keep
        } else {
            Conflict::Refuse
        }
    }
}

/// What stood in the place of an entry before setup came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Replaced {
    /// The name of the entry.
    pub(crate) name: String,
    /// What stood there, as it was written.
    pub(crate) text: String,
}

/// How entries are taken out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RemoveRules<'a> {
    pub(crate) ownership: &'a Ownership,
    /// How much goes.
    pub(crate) reach: Reach,
    /// What an earlier setup wrote down about the file.
    pub(crate) receipt: Option<&'a FileReceipt>,
}

/// How much is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// What is just as some setup writes it; the rest is not reported.
    AsWritten,
    /// What is just as some setup writes it; what runs hashline otherwise is reported.
    Ours,
    /// What runs hashline, unless it stood there before setup came.
    Running,
    /// What runs hashline, whoever put it there.
    Forced,
}

/// What becomes of a value that stands where our entry would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removal {
    /// It is taken out.
    Remove,
    /// It runs hashline, and a person changed it: it stays, and is reported.
    Keep,
    /// It is somebody else's.
    NotOurs,
}

impl<'a> RemoveRules<'a> {
    /// Decides about what stands where our entry would.
    pub(crate) fn judge(&self, existing: &Existing, ours: &Value, calls: CallKind) -> Removal {
        let runs_hashline = || self.ownership.runs_hashline(&existing.value, calls);
        match self.reach {
            Reach::AsWritten | Reach::Ours if existing.is_unchanged(ours, self.ownership) => {
                Removal::Remove
            }
            Reach::Ours if runs_hashline() => Removal::Keep,
            Reach::Running | Reach::Forced if runs_hashline() => Removal::Remove,
            _ => Removal::NotOurs,
        }
    }

    /// Returns what stood in the place of an entry before setup came.
    pub(crate) fn replaced(&self, name: &str) -> Option<&'a Replaced> {
        let replaced = self.receipt.map_or(&[][..], |receipt| &receipt.replaced);
        replaced.iter().find(|replaced| replaced.name == name)
    }
}
