//! Merges: what setup writes into a file that is a person's, and how it gets out again.
//!
//! Every merge is a function from text to text. None reads a file.

pub(crate) mod json;
pub(crate) mod section;
pub(crate) mod toml;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::setup::lines::Position;
use crate::setup::owned::{Calls, Owned};

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
pub enum Unmerged {
    /// The file cannot be understood.
    Invalid {
        /// Where.
        at: Position,
        /// Why.
        why: String,
    },
    /// The bytes are no text.
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
    /// The marks of our section are torn apart: one has no partner.
    TornSection {
        /// Where.
        at: Position,
    },
}

/// What is done with an entry of ours that reads differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Differing {
    /// What setup wrote is brought up to date, what a person changed stays, somebody else's is refused.
    #[default]
    Respect,
    /// It is replaced, whoever wrote it.
    Replace,
}

/// How entries are brought up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mend<'a> {
    /// Knows what is ours.
    pub(crate) owned: &'a Owned,
    /// What is done with what differs.
    pub(crate) differing: Differing,
}

/// What is done with one entry that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is replaced.
    Replace,
    /// It stays.
    Keep,
    /// Nothing is done at all.
    Refuse,
}

/// Whether there are comments inside an entry: setup writes none, so they are a person's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remarks {
    /// There are.
    Some,
    /// There are none.
    None,
}

impl Mend<'_> {
    /// Judges an entry that reads differently than ours.
    pub(crate) fn judge(&self, found: &Value, ours: &Value, remarks: Remarks) -> Verdict {
        let is_plain = remarks == Remarks::None;
        match self.differing {
            Differing::Replace => Verdict::Replace,
            Differing::Respect if is_plain && self.owned.as_written(found, ours) => {
                Verdict::Replace
            }
            Differing::Respect if self.owned.runs_us(found, Calls::Anything) => Verdict::Keep,
            Differing::Respect => Verdict::Refuse,
        }
    }
}

/// What stood in the place of an entry before setup came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Theirs {
    /// How people call the entry.
    pub(crate) name: String,
    /// What stood there, as it was written.
    pub(crate) text: String,
}

/// How entries are taken out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leave<'a> {
    /// Knows what is ours.
    pub(crate) owned: &'a Owned,
    /// How much of it goes.
    pub(crate) reach: Reach,
    /// What a receipt says; nothing if there is none.
    pub(crate) known: Option<Known<'a>>,
}

/// How much is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// What is just as some setup writes it; the rest is not spoken of.
    AsWritten,
    /// What is just as some setup writes it; what runs hashline otherwise is named.
    Ours,
    /// What runs hashline, unless it stood there before setup came.
    Running,
    /// What runs hashline, whoever put it there.
    Forced,
}

/// What becomes of a value that stands where our entry would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is taken out.
    Goes,
    /// It runs hashline, and a person changed it: it stays, and is named.
    Keeps,
    /// It is somebody else's.
    NotOurs,
}

/// What a receipt says about the entries of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a> {
    /// The objects and lists, by their keys, that stood there before.
    pub(crate) stood: &'a [Vec<String>],
    /// What stood in the place of entries.
    pub(crate) theirs: &'a [Theirs],
}

impl<'a> Leave<'a> {
    /// Says what becomes of a value that stands where our entry would.
    pub(crate) fn fate(&self, found: &Value, ours: &Value, calls: Calls, remarks: Remarks) -> Fate {
        let is_untouched = remarks == Remarks::None && self.owned.as_written(found, ours);
        let runs_us = || self.owned.runs_us(found, calls);
        match self.reach {
            Reach::AsWritten | Reach::Ours if is_untouched => Fate::Goes,
            Reach::Ours if runs_us() => Fate::Keeps,
            Reach::Running | Reach::Forced if runs_us() => Fate::Goes,
            _ => Fate::NotOurs,
        }
    }

    /// Returns what stood in the place of an entry before setup came.
    pub(crate) fn theirs(&self, name: &str) -> Option<&'a Theirs> {
        let theirs = self.known.map_or(&[][..], |known| known.theirs);
        theirs.iter().find(|theirs| theirs.name == name)
    }
}
