//! Reads, searches and writes files for hashline: the only crate that touches the files of a workspace.
//!
//! A [`Workspace`] reads files byte for byte inside its roots (the folders that a caller may use), and applies requests over one or several
//! files. At every moment each file is wholly old or wholly new, and either all files of a request are written or none. If a process died
//! in the middle of a commit, the next request undoes or finishes that commit first. A [`ledger::Ledger`] records which lines were shown,
//! so that an anchor (line number and tag) resolves to the line that the caller saw.
//!
//! Where to look:
//! - `root` resolves the path of a request to an open directory and a file name; `path` checks the text of such a path;
//! - `read` reads files, [`search`] searches them;
//! - `apply` resolves a request, takes the locks (`lock`) and writes through `commit`;
//! - [`config`] has a table of all settings, with one row for each key;
//! - all system calls are behind the trait [`system::System`], so that tests can run the same code on a simulated disk.
//!
//! ```
//! use hashline_core::Policy;
//! use hashline_core::edit::{EditNo, Occurrences, Operation};
//! use hashline_core::files::{FileAction, Request, Step};
//! use hashline_workspace::ledger::MemoryLedger;
//! use hashline_core::policy::Mode;
//! use hashline_workspace::{ApplyError, ApplyOptions, Settings, Workspace};
//!
//! # fn main() -> Result<(), ApplyError> {
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
//! workspace.apply(request, &MemoryLedger::default(), &options).result?;
//! assert_eq!(workspace.read("a.txt")?.document.bytes(), b"one\ndeux\n");
//! # Ok(())
//! # }
//! ```
//!
//! This crate never parses JSON, never words messages for users, and does not know which surface (command line, server, hook) is calling.
#![forbid(unsafe_code)]

mod apply;
mod commit;
pub mod config;
pub mod counters;
mod deadline;
mod disk_note;
pub mod encoding;
pub mod error;
mod fields;
pub mod ledger;
mod limits;
mod lock;
mod open_dirs;
mod outside_changes;
mod path;
mod precompute;
mod protected_names;
mod read;
mod root;
pub mod search;
pub mod system;
mod workspace;

pub use apply::{ApplyOptions, ApplyOutcome};
pub use commit::{
    ConflictChoice, Durability, Pending, Recovered, ReplaceError, WholeFile, replace_files,
    staging_name,
};
pub use deadline::{CancelToken, Deadline};
pub use disk_note::{DiskNote, Orphaned};
pub use error::{ApplyError, DiskError, DiskFault};
pub use limits::Limits;
pub use outside_changes::ScanLimits;
pub use path::Protection;
pub use protected_names::{PROTECTED_NAMES, ProtectedName};
pub use read::{FileRead, FileToRead, FilesRead, PartRead, is_text};
pub use root::Root;
pub use workspace::{HardLinks, InPlace, Settings, Workspace};
