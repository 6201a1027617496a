//! pi: an extension, and a section of AGENTS.md. pi speaks no MCP.

use super::{Target, Targets};
use crate::agent::{Scope, Wish};

const EXTENSION: &str = include_str!("../../assets/pi/hashline.ts");

pub(super) fn targets(wish: &Wish) -> Targets {
    let places = &wish.places;
    let own = places.pi.clone();
    let own = own.unwrap_or_else(|| places.home.join(".pi/agent"));
    let folder = wish.folder(".pi", own);
    let instructions = match wish.scope {
        Scope::Project => places.project.join("AGENTS.md"),
        Scope::User => folder.join("AGENTS.md"),
    };
    let file = |path, what| Target { path, what };
    Targets {
        files: vec![
            file(folder.join("extensions/hashline.ts"), wish.asset(EXTENSION)),
            file(instructions, wish.section()),
        ],
        by_hand: Vec::new(),
    }
}
