//! Checks the state directory and the ledger in it: whether hashline can remember the lines that it showed.

use std::fs;
use std::io;
use std::path::Path;

use hashline_session::Service;
use hashline_session::words::state_notice;
use hashline_workspace::ledger::{Exposure, StateNote};
#[cfg(unix)]
use hashline_workspace::system::{Native, System};

use super::{DoctorOptions, Finding, fix_commands};

const ELSEWHERE: &str = "set XDG_STATE_HOME to a folder of yours that can be written";

/// Checks whether the state directory is private and can be written.
pub(super) fn directory(options: &DoctorOptions) -> Finding {
    let Some(path) = &options.service.state else {
        let text = "none: neither XDG_STATE_HOME nor HOME is an absolute path, so what was shown is not remembered";
        return Finding::problem(text).with_fix("set HOME");
    };
    let shown = path.display();
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => absent(path),
        Err(error) => Finding::problem(format!("{shown}: {error}")).with_fix(ELSEWHERE),
        Ok(facts) => match exposure(&facts) {
            Some(why) => exposed(path, why),
            None => writable(path),
        },
    }
}

/// Reports whether a state directory that does not exist could be created.
fn absent(path: &Path) -> Finding {
    let shown = path.display();
    let mut above = path.ancestors().skip(1);
    let there = above.find(|folder| folder.symlink_metadata().is_ok());
    let there = there.unwrap_or(Path::new("/"));
    match tempfile::tempfile_in(there) {
        Ok(_) => Finding::ok(format!(
            "{shown} does not exist yet; it is created when it is needed"
        )),
        Err(error) => {
            let there = there.display();
            let text = format!(
                "{shown} does not exist and cannot be created, so what was shown is not remembered: {there} cannot be written: {error}"
            );
            Finding::problem(text).with_fix(ELSEWHERE)
        }
    }
}

fn exposed(path: &Path, why: Exposure) -> Finding {
    let shown = path.display();
    let why_not = match why {
        Exposure::Foreign => "belongs to another user",
        Exposure::Writable => "can be written by others",
        Exposure::NotADirectory => "is not a folder",
    };
    let text = format!("{shown} {why_not}, so it is not used");
    Finding::problem(text).with_fix(exposure_fix(path, why))
}

fn exposure_fix(path: &Path, why: Exposure) -> String {
    match why {
        Exposure::Foreign => {
            let chown = fix_commands::on("sudo chown -R \"$(id -u)\"", path);
            format!("{chown}, or set XDG_STATE_HOME to a folder of yours")
        }
        Exposure::Writable => fix_commands::on("chmod go-w", path),
        Exposure::NotADirectory => fix_commands::move_away(path),
    }
}

fn writable(path: &Path) -> Finding {
    let shown = path.display();
    match tempfile::tempfile_in(path) {
        Ok(_) => Finding::ok(format!("{shown}, private and writable")),
        Err(error) => Finding::problem(format!("{shown} cannot be written: {error}"))
            .with_fix(fix_commands::on("chmod u+rwx", path)),
    }
}

#[cfg(unix)]
fn exposure(facts: &fs::Metadata) -> Option<Exposure> {
    use std::os::unix::fs::MetadataExt;
    if !facts.is_dir() {
        return Some(Exposure::NotADirectory);
    }
    if facts.uid() != Native.user() {
        return Some(Exposure::Foreign);
    }
    (facts.mode() & 0o022 != 0).then_some(Exposure::Writable)
}

#[cfg(not(unix))]
fn exposure(facts: &fs::Metadata) -> Option<Exposure> {
    (!facts.is_dir()).then_some(Exposure::NotADirectory)
}

/// Checks the ledger (the record of shown lines) by opening it for writing.
pub(super) fn ledger(options: &DoctorOptions, service: &Service) -> Option<Finding> {
    let config = service.config();
    if !config.ledger_on {
        let text = "off: what was shown is forgotten when the program ends, and anchors are only valid while the file does not change";
        let fix = "set `ledger.on = true` in the configuration";
        return Some(Finding::warning(text).with_fix(fix));
    }
    // Without a state directory there is nothing more to say.
    let state = options.service.state.as_ref()?;
    let bounds = config.ledger_bounds;
    Some(match service.try_ledger()? {
        Ok(taken) => {
            let (taken, bound) = (size(taken), size(bounds.bytes));
            let days = bounds.age.as_secs() / (24 * 60 * 60);
            Finding::ok(format!("on, {taken} of {bound} used, kept for {days} days"))
        }
        Err(note) => ledger_problem(state, &note),
    })
}

fn ledger_problem(state: &Path, note: &StateNote) -> Finding {
    let text = state_notice(note).message;
    match note {
        StateNote::Busy => Finding::warning(text),
        StateNote::NotPrivate { path, why } => {
            Finding::problem(text).with_fix(exposure_fix(path, *why))
        }
        StateNote::RedisDown { .. } | StateNote::RedisRefused { .. } => Finding::problem(text),
        _ => Finding::problem(text).with_fix(fix_commands::on("chmod -R u+rwX", state)),
    }
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KiB", bytes.div_ceil(1 << 10)),
        mib => format!("{mib} MiB"),
    }
}
