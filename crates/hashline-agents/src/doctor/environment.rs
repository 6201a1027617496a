//! Checks hashline itself: the program, its configuration, its state directory, and the file systems of the roots.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hashline_core::Code;
use hashline_session::{Service, ServiceOptions};
use hashline_wire::Refusal;
use hashline_wire::shell;
use hashline_workspace::Pending;
use hashline_workspace::config::ROOT_FILE;
use hashline_workspace::system::{FileAccess, Native, Share, System};

use super::{CheckDepth, DoctorOptions, Finding, Level, about, fix_commands, state};
use crate::setup::program::{find, own_command};

/// The roots (folders that may be edited), opened with the configuration, or why that failed.
pub(super) type OpenedProject = Result<Service, Box<Unusable>>;

/// Why the roots cannot be opened with the user's configuration.
pub(super) struct Unusable {
    why: Refusal,
    /// The roots opened without the user's configuration file, if that works, so that the other checks can still be made.
    without: Option<Service>,
}

/// Opens the roots with the configuration.
pub(super) fn open(options: &DoctorOptions) -> OpenedProject {
    Service::open(&options.service).map_err(|why| {
        let alone = ServiceOptions {
            user_file: None,
            ..options.service.clone()
        };
        let without = Service::open(&alone).ok();
        Box::new(Unusable { why, without })
    })
}

pub(super) fn check(options: &DoctorOptions, opened: &OpenedProject) -> Vec<Finding> {
    let mut findings: Vec<Finding> = about("hashline", [program(options)]).collect();
    let service = match opened {
        Ok(service) => {
            findings.extend(about("configuration", [configuration(options)]));
            Some(service)
        }
        Err(unusable) => {
            findings.push(refused(options, unusable));
            unusable.without.as_ref()
        }
    };
    let directory = state::directory(options);
    // A problem with the directory is also one with the ledger in it, and is reported once.
    let kept = service.filter(|_| directory.level < Level::Problem);
    let ledger = kept.and_then(|service| state::ledger(options, service));
    findings.extend(about("state directory", [directory]));
    findings.extend(about("ledger", ledger));
    let roots = service.map_or_else(|| options.service.roots.clone(), Service::roots);
    let systems = roots.iter().flat_map(|root| file_system(options, root));
    findings.extend(about("project", systems));
    let pending = service.map(|service| pending(options, service));
    findings.extend(about("recovery", pending.into_iter().flatten()));
    findings
}

fn program(options: &DoctorOptions) -> Finding {
    let version = options.version;
    let path = own_command();
    if path == "hashline" {
        return Finding::ok(format!("version {version}, on PATH"));
    }
    let other = match find("hashline") {
        None => ", not on PATH".to_owned(),
        Some(other) => format!("; PATH has another one: {}", other.display()),
    };
    let fix = format!("put the folder of {} first on PATH", shell::word(&path));
    Finding::warning(format!("version {version}, at {path}{other}")).with_fix(fix)
}

fn configuration(options: &DoctorOptions) -> Finding {
    let user = options
        .service
        .user_file
        .iter()
        .filter(|file| file.exists());
    let roots = options
        .service
        .roots
        .iter()
        .map(|root| root.join(ROOT_FILE));
    let roots: Vec<PathBuf> = roots.filter(|file| file.exists()).collect();
    let files: Vec<String> = user
        .chain(&roots)
        .map(|file| file.display().to_string())
        .collect();
    if files.is_empty() {
        return Finding::ok("none; the defaults apply");
    }
    Finding::ok(format!("valid: {}", files.join(", ")))
}

/// Reports why the roots cannot be opened, with the file to fix if it is the configuration.
fn refused(options: &DoctorOptions, Unusable { why, without }: &Unusable) -> Finding {
    let mut found = Finding::problem(why.failure.what.join("; "));
    if why.code() != Code::BadConfig {
        found.about = "project";
        return found;
    }
    found.about = "configuration";
    let user_file = options.service.user_file.clone();
    let file = match why.path() {
        Some(path) => Some(options.places.project.join(path)),
        // What opens without the user's configuration does not open because of it.
        None => user_file.filter(|_| without.is_some()),
    };
    found.fix = file.map(|file| format!("fix {}", shell::path(&file)));
    found
}

/// Reports which features the file system of a root supports (locks, unnamed files, atomic exchange), and the effect of a missing one.
fn file_system(options: &DoctorOptions, root: &Path) -> Vec<Finding> {
    let shown = root.display();
    let dir = match Native.open_root(root) {
        Ok(dir) => dir,
        Err(error) => return vec![Finding::problem(format!("{shown}: {error}"))],
    };
    let mut findings = vec![Finding::ok(format!("root {shown}"))];
    if Native.is_remote(&dir).unwrap_or(false) {
        let text = "it is on a network file system: locks and durability depend on the server";
        findings.push(Finding::warning(text));
    }
    let mut able = Vec::new();
    match Native.try_lock(&dir, Share::Readers) {
        Ok(_) => able.push("locks"),
        Err(_) => findings.push(Finding::warning(
            "folders cannot be locked: lock files in the state directory are used",
        )),
    }
    let mut is_writable = true;
    match Native.create_unnamed(&dir, FileAccess::Private) {
        Ok(_) => able.push("unnamed files"),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => findings.push(Finding::ok(
            "no unnamed files: temporary files are visible while they are written",
        )),
        Err(error) => {
            findings.push(unwritable(root, &error));
            is_writable = false;
        }
    }
    // Where nothing can be written, it is no news that names cannot be exchanged.
    if options.depth == CheckDepth::Simulate && is_writable {
        match exchange(root) {
            Ok(()) => able.push("atomic exchange"),
            Err(error) if is_denied(&error) => findings.push(unwritable(root, &error)),
            Err(_) => findings.push(Finding::warning(
                "files cannot be exchanged atomically: what another program writes at the moment of a commit may be lost",
            )),
        }
    }
    if !able.is_empty() {
        let able = able.join(", ");
        findings.push(Finding::ok(format!("the file system supports {able}")));
    }
    findings
}

fn is_denied(error: &io::Error) -> bool {
    let kind = error.kind();
    kind == io::ErrorKind::PermissionDenied || kind == io::ErrorKind::ReadOnlyFilesystem
}

/// Reports that no file can be created in a root, with a fix if the user can do something about it.
fn unwritable(root: &Path, error: &io::Error) -> Finding {
    let shown = root.display();
    let is_own = is_own(root);
    let whose = if is_own {
        ""
    } else {
        ", which belongs to another user"
    };
    let text = format!("no file can be created in {shown}{whose}: {error}");
    let found = Finding::problem(text);
    match error.kind() {
        io::ErrorKind::PermissionDenied if is_own => {
            found.with_fix(fix_commands::on("chmod u+rwx", root))
        }
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

/// Tests whether the file system can atomically exchange two files, in a temporary folder in the root.
fn exchange(root: &Path) -> io::Result<()> {
    let folder = tempfile::Builder::new()
        .prefix(".hashline-doctor-")
        .tempdir_in(root)?;
    for name in ["a", "b"] {
        fs::write(folder.path().join(name), name)?;
    }
    let dir = Native.open_root(folder.path())?;
    Native.exchange(&dir, "a".as_ref(), "b".as_ref())
}

fn pending(options: &DoctorOptions, service: &Service) -> Vec<Finding> {
    let recover = || fix_commands::hashline_there(options, "recover");
    let Ok(found) = service.pending() else {
        return vec![Finding::problem("the journal cannot be checked").with_fix(recover())];
    };
    let finding = |pending: &Pending| match pending {
        Pending::Nothing => Finding::ok("nothing to recover"),
        Pending::Journal => {
            let text = "a request over several files is still running or was interrupted";
            Finding::warning(text).with_fix(recover())
        }
        Pending::ForeignFolder => {
            let text = "the .hashline folder of the root is not yours: requests over several files are refused";
            Finding::warning(text).with_fix("move .hashline away if nobody needs it")
        }
    };
    found.iter().map(finding).collect()
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
