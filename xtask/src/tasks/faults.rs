//! `faults`: the fault suite, against the release build of the program that edits files.

use crate::command::cargo;
use crate::failure::Failure;
use crate::tool;

/// What single tests need, and the packages it comes in; without it they are skipped.
const OFFERED: [(&str, &str); 6] = [
    ("mkfs.ext4", "e2fsprogs"),
    ("chattr", "e2fsprogs"),
    ("xfs_io", "xfsprogs"),
    ("mkfs.btrfs", "btrfs-progs"),
    ("setpriv", "util-linux"),
    ("prlimit", "util-linux"),
];

/// Kills, refuses and cuts off commits at every point; `--full` runs all cases instead of a sample.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    tool::ensure_program("strace")?;
    for (program, package) in OFFERED {
        tool::offer_program(program, package);
    }
    cargo("build --release -p hashline-testing --bin driver").run()?;
    cargo("run --release -p hashline-testing --bin faults --")
        .args(args)
        .run()
}
