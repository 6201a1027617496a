//! What goes wrong on the disk, and what somebody else does to it.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::image::Image;

/// What goes wrong, and when.
#[derive(Clone, Debug, Default)]
pub enum Meddling {
    /// Nothing.
    #[default]
    Nothing,
    /// Calls are refused.
    Refuse {
        /// The first of them, counted from 0.
        call: usize,
        /// How many.
        count: usize,
        /// How.
        how: Refusal,
    },
    /// Somebody writes a file just before a call.
    Write {
        /// Which call, counted from 0.
        call: usize,
        /// Which file.
        path: PathBuf,
        /// What it holds then.
        bytes: Vec<u8>,
        /// How.
        saving: Saving,
    },
    /// Somebody removes a file just before a call.
    Remove {
        /// Which call, counted from 0.
        call: usize,
        /// Which file.
        path: PathBuf,
    },
    /// Somebody makes a folder just before a call.
    MakeDir {
        /// Which call, counted from 0.
        call: usize,
        /// Which folder.
        path: PathBuf,
    },
    /// Every call of this name is refused, before anything was done.
    RefuseAt {
        /// Which calls.
        call: &'static str,
        /// What the system says.
        kind: ErrorKind,
    },
    /// Every call of this name from some call on is refused, before anything was done.
    RefuseFrom {
        /// Which calls.
        call: &'static str,
        /// From which call on, counted from 0.
        from: usize,
    },
    /// The program fails at a call.
    Panic {
        /// Which one, counted from 0.
        call: usize,
    },
    /// Somebody adds to a file before every call.
    Grow {
        /// Which file.
        path: PathBuf,
    },
    /// Somebody adds to a file before every call of this name that changes something.
    GrowAt {
        /// Which calls.
        call: &'static str,
        /// Which file.
        path: PathBuf,
    },
    /// Syncing does nothing and says that it did.
    ForgetsSyncs,
    /// All of these, in this order.
    All(Vec<Meddling>),
}

/// How somebody saves a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saving {
    /// Over its bytes: the file stays the one it is.
    Over,
    /// As another file that takes its name.
    Anew,
}

/// How a call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Before anything was done.
    Plainly,
    /// After it was done.
    Late,
}

impl Meddling {
    /// Lists what goes wrong, one by one.
    pub(super) fn each(&self) -> &[Self] {
        match self {
            Self::All(all) => all,
            one => std::slice::from_ref(one),
        }
    }

    /// Returns whether a call is refused, by its place and its name: how, and what the system says.
    pub(super) fn refuses(&self, at: usize, name: &str) -> Option<(Refusal, ErrorKind)> {
        match self {
            Self::Refuse { call, count, how } if at >= *call && at - call < *count => {
                Some((*how, ErrorKind::Other))
            }
            Self::RefuseAt { call, kind } if name == *call => Some((Refusal::Plainly, *kind)),
            Self::RefuseFrom { call, from } if at >= *from && name == *call => {
                Some((Refusal::Plainly, ErrorKind::Other))
            }
            _ => None,
        }
    }

    /// Lets happen what is to happen just before a call.
    pub(super) fn happens(&self, at: usize, seen: &mut Image) {
        match self {
            Self::Write {
                call,
                path,
                bytes,
                saving,
            } if at == *call => match saving {
                Saving::Over => seen.put(path, bytes),
                Saving::Anew => seen.put_another(path, bytes),
            },
            Self::Remove { call, path } if at == *call => seen.remove(path),
            Self::MakeDir { call, path } if at == *call => _ = seen.make_dirs(path),
            Self::Panic { call } if at == *call => {
                std::panic::resume_unwind(Box::new("the program fails here"));
            }
            Self::Grow { path } => seen.grow(path),
            _ => {}
        }
    }
}
