//! Files for hashline: the only room that touches the disk.
//!
//! A [`Workspace`] reads files byte for byte inside the roots it was given, and carries out requests over one or several files so
//! that every file is wholly old or wholly new at every moment, and all of them are new or none. What a dead process left is settled
//! before the next request. A [`ledger::Ledger`] remembers what was shown, so that anchors land on the lines that were seen.
//!
//! ```
//! use hashline_core::Policy;
//! use hashline_core::edit::{EditNo, Occurrences, Operation};
//! use hashline_core::files::{FileAction, Request, Step};
//! use hashline_workspace::ledger::MemoryLedger;
//! use hashline_core::policy::Mode;
//! use hashline_workspace::{ApplyOptions, NotApplied, Settings, Workspace};
//!
//! # fn main() -> Result<(), NotApplied> {
//! # let Ok(folder) = tempfile::tempdir() else { return Ok(()) };
//! # let root = folder.path().to_path_buf();
//! # std::fs::write(root.join("a.txt"), "one\ntwo\n").ok();
//! let workspace = Workspace::open(&[root], Settings::default())?;
//! let step = Step {
//!     no: EditNo::from_index(0),
//!     path: "a.txt".to_owned(),
//!     action: FileAction::Edit(Operation::Substitute {
//!         old: "two".to_owned(),
//!         new: "deux".to_owned(),
//!         count: Occurrences::One,
//!     }),
//! };
//! let request = Request { steps: vec![step], ..Request::default() };
//! let policy = Policy::default();
//! let options = ApplyOptions { session: None, policy: &policy, mode: Mode::Write, cancel: None };
//! workspace.apply(request, &MemoryLedger::default(), &options)?;
//! assert_eq!(workspace.read("a.txt")?.document.bytes(), b"one\ndeux\n");
//! # Ok(())
//! # }
//! ```
//!
//! Deliberately absent: JSON, wording, and any knowledge of who is calling.
#![forbid(unsafe_code)]

mod applying;
mod commit;
pub mod config;
pub mod counters;
mod deadline;
pub mod error;
mod fields;
pub mod ledger;
mod limits;
mod lock;
pub mod note;
mod noticing;
mod open_dirs;
mod path;
mod precompute;
mod protected_names;
mod read;
mod read_part;
mod reading;
mod root;
pub mod search;
pub mod system;
mod workspace;

pub use applying::{Applied, ApplyOptions};
pub use commit::{
    ConflictChoice, Durability, Pending, Recovered, ReplaceError, WholeFile, replace_files,
    staging_name,
};
pub use deadline::CancelToken;
pub use error::{ApplyError, DiskError, NotApplied};
pub use limits::Limits;
pub use noticing::ScanLimits;
pub use path::Protection;
pub use protected_names::{PROTECTED_NAMES, ProtectedName};
pub use reading::{FileRead, FilesRead, PartRead};
pub use root::Root;
pub use workspace::{HardLinks, InPlace, Settings, Workspace};
