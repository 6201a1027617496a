//! `cp`, `mv`, `install`, `rsync`, `ln -f`: whether they bring text from elsewhere over a file of the workspace.
//!
//! Copying and renaming inside the workspace is file management. A source outside it, or one whose name says that it is an edited copy,
//! is an edit by another route.

use super::{CommandCall, Effect, WriteTarget};
use crate::guard::options::Arguments;
use crate::guard::places::{GuardPaths, PathKind};
use crate::guard::shell::{Word, WordPiece};

/// What the names of edited copies end with.
const EDITED: &[&str] = &[".bak", ".orig", ".old", ".new", ".tmp", ".rej", "~"];

/// A command that puts sources at a destination.
struct Copying<'a> {
    sources: &'a [Word],
    destination: &'a Word,
    /// Whether the destination is a folder, by how it is written: sources keep their names in it.
    into_folder: bool,
    /// Whether the sources are the targets of symbolic links, which are resolved from where the link lies.
    links: bool,
}

pub(super) fn judge(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let writes_nothing = match call.name.as_str() {
        "ln" => !arguments.has("f force"),
        "install" => arguments.has("d directory"),
        "rsync" => arguments.has("n dry-run list-only"),
        _ => false,
    };
    let copying = Copying::of(call, arguments, places).filter(|_| !writes_nothing);
    let writes = copying.filter(|copying| copying.brings_text(places));
    Effect {
        writes: writes.map(|copying| WriteTarget::File(copying.destination.clone())),
        ..Effect::default()
    }
}

impl<'a> Copying<'a> {
    fn of(call: &CommandCall, arguments: &'a Arguments, places: &GuardPaths) -> Option<Self> {
        let name = call.name.as_str();
        // With `-r` it computes what the link must say.
        let links = name == "ln" && arguments.has("s symbolic") && !arguments.has("r relative");
        let folder = arguments.values("t target-directory").last();
        // In rsync `-t` keeps times.
        if let Some(destination) = folder.filter(|_| name != "rsync") {
            return Some(Self {
                sources: &arguments.operands,
                destination,
                into_folder: true,
                links,
            });
        }
        let (destination, sources) = arguments.operands.split_last()?;
        let written = destination.source();
        let last = written.rsplit('/').next().unwrap_or_default();
        let is_folder = ["", ".", ".."].contains(&last) && !written.is_empty();
        Some(Self {
            sources,
            destination,
            into_folder: sources.len() > 1 || is_folder || places.is_root(destination),
            links,
        })
    }

    fn brings_text(&self, places: &GuardPaths) -> bool {
        let at = self.destination;
        if is_remote(at) || !places.guards(at) {
            return false;
        }
        self.sources.iter().any(|from| {
            let place = match (self.links, self.into_folder) {
                (false, _) => places.of(from),
                (true, true) => places.within(at, from),
                (true, false) => places.beside(at, from),
            };
            let outside = is_remote(from) || matches!(place, PathKind::Outside | PathKind::Device);
            (outside && self.may_be_text(from, places)) || is_edited_copy(from)
        })
    }

    /// A file that is copied into a folder keeps its name, so a picture is recognized by its extension.
    fn may_be_text(&self, from: &Word, places: &GuardPaths) -> bool {
        let written = from.text().filter(|_| self.into_folder);
        written.is_none_or(|text| {
            let name = text.trim_end_matches('/').rsplit('/').next();
            let name = Word::known(&format!("./{}", name.unwrap_or_default()));
            places.of(&name) != PathKind::Scratch
        })
    }
}

fn is_edited_copy(word: &Word) -> bool {
    let is_known = !matches!(word.pieces().last(), None | Some(WordPiece::Hole(..)));
    is_known && EDITED.iter().any(|ending| word.source().ends_with(ending))
}

/// Tells whether rsync would take the word for a file on another machine: `host:path`.
fn is_remote(word: &Word) -> bool {
    let (head, _) = word.head();
    let first = head.split('/').next().unwrap_or("");
    first.contains(':')
}
