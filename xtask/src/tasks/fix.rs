//! `fix` and `bless`: the tasks that change the tree, one for code and one for snapshots.

use super::takes_nothing;
use crate::command::cargo;
use crate::failure::Failure;
use crate::tool;

/// Lets clippy fix what it can, then formats, because a fixed line may need new line breaks.
pub(super) fn fix(args: &[String]) -> Result<(), Failure> {
    takes_nothing(args)?;
    tool::CLIPPY.ensure()?;
    tool::FMT.ensure()?;
    cargo("clippy --fix --allow-dirty --allow-staged --workspace --all-targets --features redis")
        .run()?;
    cargo("fmt --all").run()
}

/// Runs the tests and writes down every snapshot as it now reads; `args` go to the test runner.
///
/// `INSTA_UPDATE=always` with plain `cargo test` is not enough: it leaves the snapshots inside source files pending.
pub(super) fn bless(args: &[String]) -> Result<(), Failure> {
    tool::INSTA.ensure()?;
    cargo("insta test --accept --workspace --all-targets --features redis")
        .args(args)
        .run()
}
