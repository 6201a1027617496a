//! The smallest program that edits files: what the fault suite kills, until there is a command line.
//!
//! `driver ROOT apply` takes a request on standard input; `driver ROOT read PATH` prints a file; `driver ROOT recover [HOW]` settles
//! what a dead process left. Exit codes: 0 done, 1 stale, 2 anything else.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use hashline_core::disk::{DiskError, SystemTrouble};
use hashline_core::scheme::Scheme;
use hashline_core::totals::is_stale;
use hashline_core::{Policy, render};
use hashline_wire::render::human;
use hashline_wire::{ParseOptions, Refusal, parse};
use hashline_workspace::ledger::{Bounds, DiskLedger, Ledger, NoLedger, ShownBy, Shows};
use hashline_workspace::{
    Asking, Durability, HardLinks, Mode, NotApplied, Settings, Settle, Workspace,
};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let [root, rest @ ..] = words.as_slice() else {
        return say(2, "usage: driver ROOT apply|read PATH|recover [HOW]");
    };
    // What panics has written nothing that recovery cannot take back, and says so in one line.
    std::panic::set_hook(Box::new(|_| {}));
    let Ok(done) = std::panic::catch_unwind(|| run(root, rest)) else {
        return say(2, "internal: something went wrong");
    };
    match done {
        Ok(text) => say(0, &text),
        Err(refusal) => {
            let code = refusal.code();
            let exit = if is_stale(code) { 1 } else { 2 };
            say(exit, &format!("{code}: {}", human::refusal(&refusal)))
        }
    }
}

fn run(root: &str, words: &[&str]) -> Result<String, Refusal> {
    let settings = Settings {
        durability: match std::env::var("HASHLINE_DURABILITY").as_deref() {
            Ok("fast") => Durability::Fast,
            _ => Durability::Full,
        },
        hard_links: HardLinks::Refuse,
        ..Settings::default()
    };
    let workspace = Workspace::open(&[PathBuf::from(root)], settings)?;
    match words {
        ["read", path] => {
            let read = workspace.read(path)?;
            let document = &read.document;
            let (all, mut lines, mut tags) = (document.all(), Vec::new(), Vec::new());
            render::render_with_tags(document, all, Scheme::Omp, &mut lines, &mut tags);
            let shows = Shows {
                session: None,
                scheme: Scheme::Omp,
                spans: &[all],
                tags: Some(&tags),
                by: ShownBy::Read,
            };
            ledger().showed(&read.path, document, &shows);
            let lines = String::from_utf8_lossy(lines.strip_suffix(b"\n").unwrap_or(&lines));
            Ok(format!("{}\n{lines}", document.revision().short()))
        }
        ["recover", how @ ..] => {
            let settle = match how {
                ["keep-current"] => Some(Settle::KeepCurrent),
                ["restore-old"] => Some(Settle::RestoreOld),
                ["finish-new"] => Some(Settle::FinishNew),
                _ => None,
            };
            Ok(format!("{:?}", workspace.recover(settle)?))
        }
        _ => apply(&workspace),
    }
}

fn apply(workspace: &Workspace) -> Result<String, Refusal> {
    let mut request = Vec::new();
    let read = std::io::stdin().read_to_end(&mut request);
    read.map_err(|error| {
        DiskError::System(SystemTrouble {
            path: "standard input".to_owned(),
            doing: "reading the request",
            reason: error.to_string(),
        })
    })?;
    let parsed = parse(&request, &ParseOptions::default())?;
    let policy = Policy::new(parsed.dialect);
    let asking = Asking {
        session: None,
        policy: &policy,
        mode: Mode::Commit,
    };
    let applied = workspace.apply(parsed.request, &*ledger(), &asking);
    let edited = applied.map_err(|why| match why {
        NotApplied::Disk(error) => Refusal::from(error),
        NotApplied::Refused(error) => Refusal::from(error),
    })?;
    Ok(format!("applied to {} files", edited.files.len()))
}

/// Returns the record of what was shown: on disk in the folder named by `HASHLINE_STATE`, of as many bytes as
/// `HASHLINE_LEDGER_BYTES` says, else none.
fn ledger() -> Box<dyn Ledger> {
    let Some(state) = std::env::var_os("HASHLINE_STATE") else {
        return Box::new(NoLedger);
    };
    let mut bounds = Bounds::default();
    let bytes = std::env::var("HASHLINE_LEDGER_BYTES");
    if let Some(bytes) = bytes.ok().and_then(|bytes| bytes.parse().ok()) {
        bounds.bytes = bytes;
    }
    Box::new(DiskLedger::new(PathBuf::from(state), bounds))
}

/// Prints a line; a reader that is gone changes nothing.
fn say(code: u8, text: &str) -> ExitCode {
    let _ = writeln!(std::io::stdout(), "{text}");
    ExitCode::from(code)
}
