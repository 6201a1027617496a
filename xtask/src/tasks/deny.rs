//! `deny`: the arrows between crates, and the licences of what they use.

use super::takes_nothing;
use crate::command::cargo;
use crate::failure::Failure;
use crate::tool;

/// Checks the whole workspace, then the engine against its own, stricter list.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    takes_nothing(args)?;
    tool::DENY.ensure()?;
    // The list of those who may use a runtime also names crates that are not in the graph yet.
    cargo("deny check --allow unused-wrapper bans licenses sources").run()?;
    cargo("deny --manifest-path crates/hashline-core/Cargo.toml check bans").run()
}
