//! What this machine offers to a test: rights, programs, file systems of its own.

use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind, mount_remount, unmount};

/// Tells why nothing can be mounted here; nothing if it can.
///
/// The suite must have its mounts for itself (`unshare --mount`), so that none is left whatever becomes of it.
pub(super) fn why_no_mounts() -> Option<String> {
    if !rustix::process::geteuid().is_root() {
        return Some("mounting needs root".to_owned());
    }
    let own = |of: &str| fs::read_link(format!("/proc/{of}/ns/mnt")).ok();
    (own("self") == own("1")).then(|| "the mounts of this machine are shared".to_owned())
}

/// Tells why a program cannot be used here; nothing if it can.
pub(super) fn why_not(program: &str) -> Option<String> {
    let mut asked = Command::new("sh");
    asked.args(["-c", "command -v \"$0\"", program]);
    let found = asked.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = found.is_ok_and(|status| status.success());
    (!there).then(|| format!("there is no program {program}"))
}

/// Something mounted, until this is dropped.
#[derive(Debug)]
pub(super) struct Mount {
    pub(super) at: PathBuf,
}

impl Mount {
    /// Mounts an empty file system that lies in memory, with these options.
    pub(super) fn memory(at: &Path, options: &str) -> Self {
        fs::create_dir_all(at).expect("the scratch folder can be written");
        let options = CString::new(options).expect("options hold no NUL");
        mount(
            "tmpfs",
            at,
            "tmpfs",
            MountFlags::empty(),
            Some(options.as_c_str()),
        )
        .expect("a file system in memory can be mounted");
        Self {
            at: at.to_path_buf(),
        }
    }

    /// Shows a file or folder a second time, over another that is there.
    pub(super) fn again(what: &Path, at: &Path) -> Self {
        mount_bind(what, at).expect("a file can be mounted over another");
        Self {
            at: at.to_path_buf(),
        }
    }

    /// Lets nothing be written through this mount any more.
    pub(super) fn read_only(self) -> Self {
        let flags = MountFlags::BIND | MountFlags::RDONLY;
        mount_remount(&self.at, flags, "").expect("a mount can be made read-only");
        self
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // What is still in use goes as soon as it is not.
        let _ = unmount(&self.at, UnmountFlags::DETACH);
    }
}
