//! OpenCode: a plugin that takes the place of `read`, `edit` and `write`, and a section of AGENTS.md.
//!
//! No server is entered: the plugin gives the model the same tools under the names it knows, and two sets would only confuse it.

use super::Targets;
use crate::setup::agent::Wish;

const PLUGIN: &str = include_str!("../../../assets/opencode/hashline.js");

pub(super) fn targets(wish: &Wish) -> Targets {
    let folder = wish.folder(".opencode");
    wish.plugin(folder.join("plugins/hashline.js"), PLUGIN)
}
