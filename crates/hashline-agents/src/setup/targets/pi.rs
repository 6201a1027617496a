//! pi: an extension, and a section of AGENTS.md. pi speaks no MCP.

use super::Targets;
use crate::setup::agent::Wish;

const EXTENSION: &str = include_str!("../../../assets/pi/hashline.ts");

pub(super) fn targets(wish: &Wish) -> Targets {
    let folder = wish.folder(".pi");
    wish.plugin(folder.join("extensions/hashline.ts"), EXTENSION)
}
