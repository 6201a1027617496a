//! hashline itself: the program, its configuration and state, the project, and what turns it off.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hashline_service::Service;
use hashline_wire::render::human;
use hashline_wire::{Refusal, Terms};
use hashline_workspace::Pending;
use hashline_workspace::config::Config;
use hashline_workspace::system::{Access, Native, Share, System};

use super::{Ask, Depth, Finding};
use crate::program::{find, own_command};

/// The switch that turns integrations off in a project.
const OFF_FILE: &str = ".hashline-off";
/// The same for one process and what it starts.
const OFF_VARIABLE: &str = "HASHLINE_HOOK";

pub(super) fn look(ask: &Ask) -> Vec<Finding> {
    let mut findings = vec![program(ask)];
    match Service::open(&ask.start) {
        Err(error) => {
            let terms = Terms::new(hashline_core::dialect::Dialect::default());
            let told = human::trouble(&terms, &Refusal::from(error));
            let line = told.lines().next().unwrap_or_default();
            let line = line.strip_prefix("error: ").unwrap_or(line);
            let fix = "mend the configuration: docs/configuration.md has every key";
            findings.push(Finding::problem("configuration", line).mended_by(fix));
            findings.extend(state(ask));
        }
        Ok(service) => {
            findings.push(configuration(ask));
            findings.extend(state(ask));
            findings.push(ledger(ask, service.config()));
            findings.extend(service.roots().iter().flat_map(|root| abilities(ask, root)));
            findings.extend(pending(&service));
        }
    }
    findings.extend(switches(ask));
    findings
}

fn program(ask: &Ask) -> Finding {
    let about = "hashline";
    let version = ask.version;
    match own_command().as_str() {
        "hashline" => Finding::ok(about, format!("version {version}, on PATH")),
        path => {
            let text = match find("hashline") {
                None => format!("version {version}, at {path}, not on PATH"),
                Some(other) => format!(
                    "version {version}, at {path}; PATH has another one: {}",
                    other.display()
                ),
            };
            Finding::warning(about, text)
                .mended_by(format!("put the folder of {path} first on PATH"))
        }
    }
}

fn configuration(ask: &Ask) -> Finding {
    let user = ask.start.user_file.iter().filter(|file| file.exists());
    let roots = ask
        .start
        .roots
        .iter()
        .map(|root| root.join("hashline.toml"));
    let roots: Vec<PathBuf> = roots.filter(|file| file.exists()).collect();
    let files: Vec<String> = user
        .chain(&roots)
        .map(|file| file.display().to_string())
        .collect();
    match files.as_slice() {
        [] => Finding::ok("configuration", "none; the defaults hold"),
        files => Finding::ok("configuration", format!("valid: {}", files.join(", "))),
    }
}

fn state(ask: &Ask) -> Vec<Finding> {
    let about = "state directory";
    let Some(path) = &ask.start.state else {
        let text = "none: neither XDG_STATE_HOME nor HOME is an absolute path, so nothing that was shown is remembered";
        return vec![Finding::problem(about, text).mended_by("set HOME")];
    };
    let shown = path.display();
    vec![match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Finding::ok(
            about,
            format!("{shown} is not there yet; it is made when it is needed"),
        ),
        Err(error) => Finding::problem(about, format!("{shown}: {error}"))
            .mended_by(format!("ls -ld {shown}")),
        Ok(facts) if !facts.is_dir() => Finding::problem(about, format!("{shown} is no folder"))
            .mended_by(format!("rm {shown}")),
        Ok(facts) if is_exposed(&facts) => {
            let text = format!("{shown} is not yours alone: nothing in it is used");
            Finding::problem(about, text).mended_by(format!("chmod go-w {shown}"))
        }
        Ok(_) => match tempfile::tempfile_in(path) {
            Ok(_) => Finding::ok(about, format!("{shown}, private and writable")),
            Err(error) => Finding::problem(about, format!("{shown} cannot be written: {error}"))
                .mended_by(format!("chmod u+rwx {shown}")),
        },
    }]
}

#[cfg(unix)]
fn is_exposed(facts: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    facts.mode() & 0o022 != 0 || facts.uid() != Native.user()
}

#[cfg(not(unix))]
fn is_exposed(_facts: &fs::Metadata) -> bool {
    false
}

fn ledger(ask: &Ask, config: &Config) -> Finding {
    let about = "ledger";
    if !config.ledger_on {
        let text = "off: what was shown is forgotten when a program ends, and anchors count only where the file did not change";
        return Finding::warning(about, text)
            .mended_by("set `ledger.on = true` in the configuration");
    }
    let folder = ask.start.state.as_ref().map(|state| state.join("ledger-1"));
    let taken: u64 = folder
        .and_then(|folder| fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()))
        .sum();
    let bound = config.ledger_bounds.bytes;
    let days = config.ledger_bounds.age.as_secs() / (24 * 60 * 60);
    Finding::ok(
        about,
        format!(
            "on, {} of {} taken, kept for {days} days",
            size(taken),
            size(bound)
        ),
    )
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KiB", bytes.div_ceil(1 << 10)),
        mib => format!("{mib} MiB"),
    }
}

/// Says what the file system of a root can do, and what follows where it cannot.
fn abilities(ask: &Ask, root: &Path) -> Vec<Finding> {
    let about = "project";
    let shown = root.display();
    let dir = match Native.open_root(root) {
        Ok(dir) => dir,
        Err(error) => {
            let found = Finding::problem(about, format!("{shown}: {error}"));
            return vec![found.mended_by(format!("ls -ld {shown}"))];
        }
    };
    let mut findings = vec![Finding::ok(about, format!("root {shown}"))];
    if Native.is_remote(&dir).unwrap_or(false) {
        let text = "it lies on another machine: locks and durability are as good as that machine's";
        findings.push(Finding::warning(about, text));
    }
    let mut tried = vec![locks(&dir), unnamed(&dir, root)];
    if ask.depth == Depth::Simulate {
        tried.push(exchange(root).map_err(|_| {
            let text = "names cannot be exchanged: what somebody writes in the moment of a commit may be lost";
            Finding::warning(about, text)
        }));
    }
    let (able, unable): (Vec<_>, Vec<_>) = tried.into_iter().partition(Result::is_ok);
    let able: Vec<&str> = able.into_iter().filter_map(Result::ok).collect();
    findings.extend(unable.into_iter().filter_map(Result::err));
    if !able.is_empty() {
        let able = able.join(", ");
        findings.push(Finding::ok(about, format!("the file system has {able}")));
    }
    findings
}

fn locks(dir: &<Native as System>::Dir) -> Result<&'static str, Finding> {
    let locked = Native.try_lock(dir, Share::Readers);
    locked.map(|_| "locks").map_err(|_| {
        let text = "folders cannot be locked: lock files in the state directory are used";
        Finding::warning("project", text)
    })
}

fn unnamed(dir: &<Native as System>::Dir, root: &Path) -> Result<&'static str, Finding> {
    let about = "project";
    match Native.create_unnamed(dir, Access::Private) {
        Ok(_) => Ok("unnamed files"),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            let text = "no unnamed files: new bytes have a name while they are written";
            Err(Finding::ok(about, text))
        }
        Err(error) => {
            let shown = root.display();
            let text = format!("no file can be made in {shown}: {error}");
            Err(Finding::problem(about, text).mended_by(format!("chmod u+rwx {shown}")))
        }
    }
}

/// Lets two files of a temporary folder in the root change places.
fn exchange(root: &Path) -> io::Result<&'static str> {
    let folder = tempfile::Builder::new()
        .prefix(".hashline-doctor-")
        .tempdir_in(root)?;
    for name in ["a", "b"] {
        fs::write(folder.path().join(name), name)?;
    }
    let dir = Native.open_root(folder.path())?;
    Native.exchange(&dir, "a".as_ref(), "b".as_ref())?;
    Ok("exchange of names")
}

fn pending(service: &Service) -> Vec<Finding> {
    let about = "recovery";
    let Ok(found) = service.pending() else {
        return vec![Finding::problem(about, "it cannot be told").mended_by("hashline recover")];
    };
    let telling = |pending: &Pending| match pending {
        Pending::Nothing => Finding::ok(about, "nothing to recover"),
        Pending::Journal => {
            let text = "a request over several files is under way, or was broken off";
            Finding::warning(about, text).mended_by("hashline recover")
        }
        Pending::ForeignFolder => {
            let text =
                "the .hashline of the root is not yours: requests over several files are refused";
            Finding::warning(about, text).mended_by("ls -ld .hashline")
        }
    };
    found.iter().map(telling).collect()
}

/// Says which switches turn hooks and plugins off.
fn switches(ask: &Ask) -> Vec<Finding> {
    let about = "switches";
    let mut findings = Vec::new();
    if std::env::var_os(OFF_VARIABLE).is_some_and(|value| value == "off") {
        let text = format!("{OFF_VARIABLE}=off: hooks and plugins let everything pass");
        findings.push(Finding::warning(about, text).mended_by(format!("unset {OFF_VARIABLE}")));
    }
    let root = &ask.places.project;
    let base = ask.start.base.as_deref().unwrap_or(root);
    let folders = base
        .ancestors()
        .take_while(|folder| folder.starts_with(root));
    for folder in folders {
        let file = folder.join(OFF_FILE);
        if file.exists() {
            let text = format!(
                "{}: hooks and plugins let everything pass here",
                file.display()
            );
            findings
                .push(Finding::warning(about, text).mended_by(format!("rm {}", file.display())));
        }
    }
    if findings.is_empty() {
        findings.push(Finding::ok(about, "none is in force"));
    }
    findings
}
