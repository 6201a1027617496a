//! hashline itself: the program, its configuration, and the project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hashline_core::bad_config::ConfigSource;
use hashline_core::disk::DiskError;
use hashline_session::{Service, Start};
use hashline_wire::render::{human, shell};
use hashline_workspace::Pending;
use hashline_workspace::config::{Config, ROOT_FILE};
use hashline_workspace::system::{FileAccess, Native, Share, System};

use super::{Ask, Depth, Finding, Level, remedy, state};
use crate::setup::program::{find, own_command};

/// What came of opening the roots.
pub(super) enum Opened {
    /// All is well.
    Well(Service),
    /// They cannot be opened, or not as they are configured.
    Badly {
        why: DiskError,
        /// What opens without the user's configuration.
        without: Option<Service>,
    },
}

impl Opened {
    /// Opens the roots.
    pub(super) fn new(ask: &Ask) -> Self {
        let alone = || Start {
            user_file: None,
            ..ask.start.clone()
        };
        match Service::open(&ask.start) {
            Ok(service) => Self::Well(service),
            Err(why) => Self::Badly {
                why,
                without: Service::open(&alone()).ok(),
            },
        }
    }

    /// Returns what is configured, if that can be used.
    pub(super) fn config(&self) -> Option<&Config> {
        match self {
            Self::Well(service) => Some(service.config()),
            Self::Badly { .. } => None,
        }
    }

    fn service(&self) -> Option<&Service> {
        match self {
            Self::Well(service) => Some(service),
            Self::Badly { without, .. } => without.as_ref(),
        }
    }
}

pub(super) fn look(ask: &Ask, opened: &Opened) -> Vec<Finding> {
    let mut findings = vec![program(ask)];
    findings.push(match opened {
        Opened::Well(_) => configuration(ask),
        Opened::Badly { why, .. } => unusable(ask, why),
    });
    let directory = state::directory(ask);
    let is_usable = directory.level < Level::Problem;
    findings.push(directory);
    let service = opened.service();
    // What is wrong with the directory is wrong with the ledger in it, and is said once.
    let kept = service.filter(|_| is_usable);
    findings.extend(kept.and_then(|service| state::ledger(ask, service)));
    let roots = service.map_or_else(|| ask.start.roots.clone(), Service::roots);
    findings.extend(roots.iter().flat_map(|root| abilities(ask, root)));
    findings.extend(
        service
            .into_iter()
            .flat_map(|service| pending(ask, service)),
    );
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
            Finding::warning(about, text).mended_by(format!(
                "put the folder of {} first on PATH",
                shell::word(path)
            ))
        }
    }
}

fn configuration(ask: &Ask) -> Finding {
    let user = ask.start.user_file.iter().filter(|file| file.exists());
    let roots = ask.start.roots.iter().map(|root| root.join(ROOT_FILE));
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

/// Says why the roots cannot be opened.
fn unusable(ask: &Ask, why: &DiskError) -> Finding {
    let told = human::happened(why);
    let DiskError::BadConfig(bad) = why else {
        return Finding::problem("project", told);
    };
    let found = Finding::problem("configuration", told);
    let file = match &bad.source {
        ConfigSource::Root(path) => Some(ask.places.project.join(path)),
        ConfigSource::User => ask.start.user_file.clone(),
        ConfigSource::Start => None,
    };
    match file {
        Some(file) => found.mended_by(format!("mend {}", shell::path(&file))),
        None => found,
    }
}

/// Says what the file system of a root can do, and what follows where it cannot.
fn abilities(ask: &Ask, root: &Path) -> Vec<Finding> {
    let about = "project";
    let shown = root.display();
    let dir = match Native.open_root(root) {
        Ok(dir) => dir,
        Err(error) => {
            return vec![Finding::problem(about, format!("{shown}: {error}"))];
        }
    };
    let mut findings = vec![Finding::ok(about, format!("root {shown}"))];
    if Native.is_remote(&dir).unwrap_or(false) {
        let text = "it lies on another machine: locks and durability are as good as that machine's";
        findings.push(Finding::warning(about, text));
    }
    let mut tried = vec![locks(&dir), unnamed(&dir, root)];
    // Where nothing can be written, that names cannot be exchanged says nothing new.
    let is_writable = !matches!(&tried[1], Err(found) if found.level == Level::Problem);
    if ask.depth == Depth::Simulate && is_writable {
        tried.push(exchange(root).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                unwritable(root, &error)
            }
            _ => {
                let text = "names cannot be exchanged: what somebody writes in the moment of a commit may be lost";
                Finding::warning(about, text)
            }
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
    match Native.create_unnamed(dir, FileAccess::Private) {
        Ok(_) => Ok("unnamed files"),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            let text = "no unnamed files: new bytes have a name while they are written";
            Err(Finding::ok(about, text))
        }
        Err(error) => Err(unwritable(root, &error)),
    }
}

/// Says that nothing can be made in a root, and what helps where the person can do something about it.
fn unwritable(root: &Path, error: &io::Error) -> Finding {
    let shown = root.display();
    let is_own = is_own(root);
    let whose = match is_own {
        true => "",
        false => ", which belongs to somebody else",
    };
    let text = format!("no file can be made in {shown}{whose}: {error}");
    let found = Finding::problem("project", text);
    match error.kind() {
        io::ErrorKind::PermissionDenied if is_own => {
            found.mended_by(remedy::on("chmod u+rwx", root))
        }
        io::ErrorKind::PermissionDenied => {
            found.mended_by("ask its owner to let you write there, or work in a copy of yours")
        }
        _ => found,
    }
}

#[cfg(unix)]
fn is_own(root: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(root).is_ok_and(|facts| facts.uid() == Native.user())
}

#[cfg(not(unix))]
fn is_own(_root: &Path) -> bool {
    true
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

fn pending(ask: &Ask, service: &Service) -> Vec<Finding> {
    let about = "recovery";
    let recover = || remedy::hashline_there(ask, "recover");
    let Ok(found) = service.pending() else {
        return vec![Finding::problem(about, "it cannot be told").mended_by(recover())];
    };
    let telling = |pending: &Pending| match pending {
        Pending::Nothing => Finding::ok(about, "nothing to recover"),
        Pending::Journal => {
            let text = "a request over several files is under way, or was broken off";
            Finding::warning(about, text).mended_by(recover())
        }
        Pending::ForeignFolder => {
            let text =
                "the .hashline of the root is not yours: requests over several files are refused";
            Finding::warning(about, text).mended_by("move .hashline away, if nobody needs it")
        }
    };
    found.iter().map(telling).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::io;
    use std::path::Path;

    use hashline_workspace::system::{Native, System};

    use super::unwritable;

    #[test]
    fn nobody_is_told_to_change_the_rights_of_what_is_not_theirs() -> io::Result<()> {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let folder = tempfile::tempdir()?;
        let fix = unwritable(folder.path(), &denied).fix.unwrap_or_default();
        assert!(fix.starts_with("chmod u+rwx "), "{fix}");
        let foreign = match Native.user() {
            0 => {
                std::os::unix::fs::chown(folder.path(), Some(1), None)?;
                folder.path()
            }
            _ => Path::new("/"),
        };
        let found = unwritable(foreign, &denied);
        assert!(found.text.contains("belongs to somebody else"), "{found:?}");
        assert!(!found.fix.unwrap_or_default().contains("chmod"));
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(unwritable(folder.path(), &full).fix, None);
        Ok(())
    }
}
