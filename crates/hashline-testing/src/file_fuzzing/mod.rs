//! The fuzz targets for the file layer: what no journal, no path, no configuration and no pattern may do to files.
//!
//! As in [`crate::fuzzing`], each function takes anything and panics only if a promise is broken. Most of it happens on the disk in
//! memory, so that the shipped code runs thousands of times a second and whatever it does can be looked at.

mod config;
mod folder;
mod journal;
mod lost;
mod path;
mod scene;
mod search;

use std::path::PathBuf;
use std::time::Duration;

use hashline_core::Policy;
use hashline_core::edit::{EditNo, Operation, Place};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_core::text::Payload;
use hashline_workspace::ledger::MemoryLedger;
use hashline_workspace::system::System;
use hashline_workspace::{ApplyOptions, Limits, Settings, Workspace};

pub use config::config;
pub use journal::journal;
pub use path::path;
pub use search::search;

use crate::disk::Disk;

/// The largest file that is taken here: small, so that larger ones are tried.
const LARGEST: u64 = 512;

/// Opens a disk in memory as a root. Nobody else locks anything there, so nothing is waited for.
fn open(disk: &Disk) -> Workspace<Disk> {
    let limits = Limits {
        file: LARGEST,
        lock_wait: Duration::ZERO,
        reader_wait: Duration::ZERO,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        lock_files: Some("/locks".into()),
        ..Settings::default()
    };
    let opened = Workspace::on(disk.clone(), &[PathBuf::from("/")], settings);
    opened.expect("a disk in memory can be opened")
}

/// Adds a line to the end of a file.
fn append(line: &str) -> FileAction {
    FileAction::Edit(Operation::Insert {
        place: Place::End,
        text: Payload::Text(line.to_owned()),
    })
}

/// Does something to a file; returns the code of a refusal.
fn act<S: System>(
    workspace: &Workspace<S>,
    path: &str,
    action: FileAction,
    mode: Mode,
) -> Result<(), &'static str> {
    let step = Step {
        no: EditNo::from_index(0),
        path: path.to_owned(),
        action,
    };
    let request = Request {
        steps: vec![step],
        ..Request::default()
    };
    let policy = Policy::default();
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode,
        cancel: None,
    };
    let applied = workspace.apply(request, &MemoryLedger::default(), &asking);
    applied
        .result
        .map(|_| ())
        .map_err(|error| error.code().as_str())
}
