//! Disks of a file each, with file systems of every kind, whose power can be cut.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::machine::{Mount, why_no_mounts, why_not};

/// A file system that is kept on disks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileSystem {
    Ext4,
    Xfs,
    Btrfs,
}

impl FileSystem {
    fn name(self) -> &'static str {
        match self {
            Self::Ext4 => "ext4",
            Self::Xfs => "xfs",
            Self::Btrfs => "btrfs",
        }
    }

    /// Returns the least size that the file system takes, and some more.
    fn size(self) -> u64 {
        match self {
            Self::Ext4 => 32 << 20,
            Self::Xfs => 320 << 20,
            Self::Btrfs => 128 << 20,
        }
    }

    /// Tells why it cannot be used here; nothing if it can.
    pub(super) fn why_not(self) -> Option<String> {
        let maker = format!("mkfs.{}", self.name());
        let known = fs::read_to_string("/proc/filesystems").unwrap_or_default();
        let unknown = || (!known.contains(self.name())).then(|| format!("no {}", self.name()));
        let tool = match self {
            Self::Ext4 | Self::Xfs => "xfs_io",
            Self::Btrfs => "btrfs",
        };
        why_no_mounts()
            .or_else(|| why_not(&maker))
            .or_else(|| why_not(tool))
            .or_else(unknown)
    }
}

/// A disk, mounted until its power is cut or it is dropped.
pub(super) struct Disk {
    system: FileSystem,
    image: PathBuf,
    at: PathBuf,
    mount: Option<Mount>,
}

impl Disk {
    /// Makes a disk and mounts it.
    pub(super) fn new(scratch: &Path, system: FileSystem) -> Self {
        let image = scratch.join(format!("{}.image", system.name()));
        let made = File::create(&image).and_then(|file| file.set_len(system.size()));
        made.expect("the scratch folder can be written");
        let maker = format!("mkfs.{}", system.name());
        done(Command::new(maker).arg("-q").arg(&image));
        let at = scratch.join(format!("{}-disk", system.name()));
        fs::create_dir_all(&at).expect("the scratch folder can be written");
        let mut disk = Self {
            system,
            image,
            at,
            mount: None,
        };
        disk.mount();
        disk
    }

    /// Returns where it is mounted.
    pub(super) fn at(&self) -> &Path {
        &self.at
    }

    /// Writes everything to the disk.
    pub(super) fn sync(&self) {
        let at = File::open(&self.at).expect("it is mounted");
        rustix::fs::syncfs(at).expect("the disk takes what it is given");
    }

    /// Cuts the power: what was not on the disk is lost. Then mounts it again.
    pub(super) fn cut(&mut self) {
        match self.system {
            FileSystem::Ext4 | FileSystem::Xfs => {
                // Without a flush of the log, which is how it is done unless one asks otherwise.
                done(
                    Command::new("xfs_io")
                        .args(["-x", "-c", "shutdown"])
                        .arg(&self.at),
                );
                self.unmount();
            }
            FileSystem::Btrfs => {
                let copy = self.image.with_extension("copy");
                done(
                    Command::new("cp")
                        .arg("--sparse=always")
                        .arg(&self.image)
                        .arg(&copy),
                );
                self.unmount();
                fs::rename(&copy, &self.image).expect("the scratch folder can be written");
                // It remembers the disk as it was later than this.
                done(Command::new("btrfs").args(["device", "scan", "--forget"]));
            }
        }
        self.mount();
    }

    fn mount(&mut self) {
        done(
            Command::new("mount")
                .args(["-o", "loop"])
                .arg(&self.image)
                .arg(&self.at),
        );
        self.mount = Some(Mount {
            at: self.at.clone(),
        });
    }

    fn unmount(&mut self) {
        if let Some(mount) = self.mount.take() {
            done(Command::new("umount").arg(&mount.at));
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(self.mount.take());
        let _ = fs::remove_file(&self.image);
    }
}

fn done(command: &mut Command) {
    let output = command.output().expect("the program can be started");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}
