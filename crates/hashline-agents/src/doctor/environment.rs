//! hashline itself: the program, its configuration, and the project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hashline_core::Code;
use hashline_session::{Service, Start};
use hashline_wire::Refusal;
use hashline_wire::shell;
use hashline_workspace::Pending;
use hashline_workspace::config::{Config, ROOT_FILE};
use hashline_workspace::system::{FileAccess, Native, Share, System};

use super::{CheckDepth, DoctorOptions, Finding, Level, fixes, state};
use crate::setup::program::{find, own_command};

/// The roots, opened as they are configured.
pub(super) enum OpenedProject {
    /// They can be used.
    Usable(Service),
    /// They cannot be opened, or not as they are configured.
    Unusable {
        why: Refusal,
        /// What opens without the user's configuration.
        without: Option<Service>,
    },
}

impl OpenedProject {
    /// Opens the roots.
    pub(super) fn new(options: &DoctorOptions) -> Self {
        let alone = || Start {
            user_file: None,
            ..options.start.clone()
        };
        match Service::open(&options.start) {
            Ok(service) => Self::Usable(service),
            Err(why) => Self::Unusable {
                why,
                without: Service::open(&alone()).ok(),
            },
        }
    }

    /// Returns what is configured, if that can be used.
    pub(super) fn config(&self) -> Option<&Config> {
        match self {
            Self::Usable(service) => Some(service.config()),
            Self::Unusable { .. } => None,
        }
    }

    fn service(&self) -> Option<&Service> {
        match self {
            Self::Usable(service) => Some(service),
            Self::Unusable { without, .. } => without.as_ref(),
        }
    }
}

pub(super) fn check(options: &DoctorOptions, opened: &OpenedProject) -> Vec<Finding> {
    let mut findings = vec![program(options)];
    findings.push(match opened {
        OpenedProject::Usable(_) => configuration(options),
        OpenedProject::Unusable { why, without } => unusable(options, why, without.as_ref()),
    });
    let directory = state::directory(options);
    let is_usable = directory.level < Level::Problem;
    findings.push(directory);
    let service = opened.service();
    // A problem with the directory is also one with the ledger in it, and is reported once.
    let kept = service.filter(|_| is_usable);
    findings.extend(kept.and_then(|service| state::ledger(options, service)));
    let roots = service.map_or_else(|| options.start.roots.clone(), Service::roots);
    findings.extend(roots.iter().flat_map(|root| abilities(options, root)));
    findings.extend(
        service
            .into_iter()
            .flat_map(|service| pending(options, service)),
    );
    findings
}

fn program(options: &DoctorOptions) -> Finding {
    let about = "hashline";
    let version = options.version;
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
            Finding::warning(about, text).with_fix(format!(
                "put the folder of {} first on PATH",
                shell::word(path)
            ))
        }
    }
}

fn configuration(options: &DoctorOptions) -> Finding {
    let user = options.start.user_file.iter().filter(|file| file.exists());
    let roots = options.start.roots.iter().map(|root| root.join(ROOT_FILE));
    let roots: Vec<PathBuf> = roots.filter(|file| file.exists()).collect();
    let files: Vec<String> = user
        .chain(&roots)
        .map(|file| file.display().to_string())
        .collect();
    match files.as_slice() {
        [] => Finding::ok("configuration", "none; the defaults apply"),
        files => Finding::ok("configuration", format!("valid: {}", files.join(", "))),
    }
}

/// Reports why the roots cannot be opened. `without` tells whether they open without the user's configuration.
fn unusable(options: &DoctorOptions, why: &Refusal, without: Option<&Service>) -> Finding {
    let what = why.failure.what.join("; ");
    if why.code() != Code::BadConfig {
        return Finding::problem("project", what);
    }
    let found = Finding::problem("configuration", what);
    let file = match why.path() {
        Some(path) => Some(options.places.project.join(path)),
        None => options
            .start
            .user_file
            .clone()
            .filter(|_| without.is_some()),
    };
    match file {
        Some(file) => found.with_fix(format!("fix {}", shell::path(&file))),
        None => found,
    }
}

/// Reports what the file system of a root can do, and what follows where it cannot.
fn abilities(options: &DoctorOptions, root: &Path) -> Vec<Finding> {
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
        let text = "it is on a network file system: locks and durability depend on the server";
        findings.push(Finding::warning(about, text));
    }
    let mut tried = vec![locks(&dir), unnamed(&dir, root)];
    // Where nothing can be written, it is no news that names cannot be exchanged.
    let is_writable = !matches!(&tried[1], Err(found) if found.level == Level::Problem);
    if options.depth == CheckDepth::Simulate && is_writable {
        tried.push(exchange(root).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                unwritable(root, &error)
            }
            _ => {
                let text = "files cannot be exchanged atomically: what another program writes at the moment of a commit may be lost";
                Finding::warning(about, text)
            }
        }));
    }
    let (able, unable): (Vec<_>, Vec<_>) = tried.into_iter().partition(Result::is_ok);
    let able: Vec<&str> = able.into_iter().filter_map(Result::ok).collect();
    findings.extend(unable.into_iter().filter_map(Result::err));
    if !able.is_empty() {
        let able = able.join(", ");
        findings.push(Finding::ok(
            about,
            format!("the file system supports {able}"),
        ));
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
            let text = "no unnamed files: temporary files are visible while they are written";
            Err(Finding::ok(about, text))
        }
        Err(error) => Err(unwritable(root, &error)),
    }
}

/// Reports that nothing can be made in a root, and what helps where the person can do something about it.
fn unwritable(root: &Path, error: &io::Error) -> Finding {
    let shown = root.display();
    let is_own = is_own(root);
    let whose = if is_own {
        ""
    } else {
        ", which belongs to another user"
    };
    let text = format!("no file can be created in {shown}{whose}: {error}");
    let found = Finding::problem("project", text);
    match error.kind() {
        io::ErrorKind::PermissionDenied if is_own => found.with_fix(fixes::on("chmod u+rwx", root)),
        io::ErrorKind::PermissionDenied => {
            found.with_fix("ask its owner for write access, or work in a copy of your own")
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
    Ok("atomic exchange")
}

fn pending(options: &DoctorOptions, service: &Service) -> Vec<Finding> {
    let about = "recovery";
    let recover = || fixes::hashline_there(options, "recover");
    let Ok(found) = service.pending() else {
        return vec![Finding::problem(about, "the journal cannot be checked").with_fix(recover())];
    };
    let telling = |pending: &Pending| match pending {
        Pending::Nothing => Finding::ok(about, "nothing to recover"),
        Pending::Journal => {
            let text = "a request over several files is still running or was interrupted";
            Finding::warning(about, text).with_fix(recover())
        }
        Pending::ForeignFolder => {
            let text = "the .hashline folder of the root is not yours: requests over several files are refused";
            Finding::warning(about, text).with_fix("move .hashline away if nobody needs it")
        }
    };
    found.iter().map(telling).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use hashline_workspace::system::{Native, System};

    use super::unwritable;

    #[test]
    fn nobody_is_told_to_change_the_permissions_of_what_is_not_theirs() -> io::Result<()> {
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
        assert!(found.text.contains("belongs to another user"), "{found:?}");
        assert!(!found.fix.unwrap_or_default().contains("chmod"));
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(unwritable(folder.path(), &full).fix, None);
        Ok(())
    }
}
