//! OpenCode: a plugin that takes the place of `read`, `edit` and `write`, and a section of AGENTS.md.
//!
//! No server is entered: the plugin gives the model the same tools under the names it knows, and two sets would only confuse it.

use super::{Target, Targets};
use crate::agent::{Scope, Wish};

const PLUGIN: &str = include_str!("../../assets/opencode/hashline.js");

pub(super) fn targets(wish: &Wish) -> Targets {
    let places = &wish.places;
    let config = places.config.clone();
    let own = config.unwrap_or_else(|| places.home.join(".config"));
    let folder = wish.folder(".opencode", own.join("opencode"));
    let instructions = match wish.scope {
        Scope::Project => places.project.join("AGENTS.md"),
        Scope::User => folder.join("AGENTS.md"),
    };
    let file = |path, what| Target { path, what };
    Targets {
        files: vec![
            file(folder.join("plugins/hashline.js"), wish.asset(PLUGIN)),
            file(instructions, wish.section()),
        ],
        by_hand: Vec::new(),
    }
}
