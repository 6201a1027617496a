//! `faults`: the fault suite, against the release build of the program that edits files.

use super::bench;
use crate::command::{Command, cargo};
use crate::failure::Failure;
use crate::tool;

/// What single tests need, and the packages it comes in; without it they are skipped.
const OFFERED: [(&str, &str); 7] = [
    ("strace", "strace"),
    ("mkfs.ext4", "e2fsprogs"),
    ("chattr", "e2fsprogs"),
    ("xfs_io", "xfsprogs"),
    ("mkfs.btrfs", "btrfs-progs"),
    ("setpriv", "util-linux"),
    ("prlimit", "util-linux"),
];

/// Kills, refuses and cuts off commits at every point; `--full` runs all cases instead of a sample.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    offer_programs();
    bench::build_driver().run()?;
    command().args(args).run()
}

/// Installs what the tests need, as far as that can be done.
pub(super) fn offer_programs() {
    for (program, package) in OFFERED {
        tool::offer_program(program, package);
    }
}

/// Returns the command that runs a sample, once the driver is built.
pub(super) fn command() -> Command {
    cargo("run --release --quiet -p hashline-testing --bin faults --")
}
