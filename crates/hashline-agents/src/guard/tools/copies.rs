//! Checks whether `cp`, `mv`, `install`, `rsync` or `ln -f` put text from outside the workspace into one of its files.
//!
//! Copying and renaming inside the workspace is file management and is allowed by the guard. Copying from outside the workspace, or from a
//! file whose name marks an edited copy (`a.rs.new`), counts as a write, because it is a way around an edit.

use super::{CommandCall, Effect, WriteTarget};
use crate::guard::options::Arguments;
use crate::guard::places::{GuardPaths, PathKind};
use crate::guard::shell::{Word, WordPiece};

/// Endings of file names that mark an edited or saved copy of another file.
const EDITED: &[&str] = &[".bak", ".orig", ".old", ".new", ".tmp", ".rej", "~"];

/// The arguments of a command that copies, moves or links sources to a destination.
struct Copying<'a> {
    sources: &'a [Word],
    destination: &'a Word,
    /// Whether the command line shows that the destination is a folder, in which the sources keep their names.
    into_folder: bool,
    /// Whether the sources are targets of symbolic links (`ln -s`), which are relative to the directory of the link.
    links: bool,
    /// Whether a file that keeps its name is a download, which is allowed: `scp host:F .`.
    downloads: bool,
}

pub(super) fn judge(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let writes_nothing = match call.name.as_str() {
        "ln" => !arguments.has("f force"),
        "install" => arguments.has("d directory"),
        "rsync" => arguments.has("n dry-run list-only"),
        _ => false,
    };
    let copying = Copying::of(call, arguments, places).filter(|_| !writes_nothing);
    let Some(copying) = copying else {
        return Effect::default();
    };
    let brings_text = copying.brings_text(places);
    let is_shown = call.name == "cp" && places.of(copying.destination) == PathKind::Terminal;
    Effect {
        writes: brings_text.then(|| WriteTarget::File(copying.destination.clone())),
        shows: is_shown
            .then(|| call.guarded_input(copying.sources, places))
            .flatten(),
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
                downloads: name == "scp",
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
            downloads: name == "scp",
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
            let is_fetched = is_remote(from) && !(self.downloads && self.into_folder);
            let outside = is_fetched || matches!(place, PathKind::Outside | PathKind::Device);
            (outside && self.may_be_text(from, places)) || is_edited_copy(from)
        })
    }

    /// Returns whether a copied file may be text: a file that is copied into a folder keeps its name, so its extension tells (`a.png` is not text).
    fn may_be_text(&self, from: &Word, places: &GuardPaths) -> bool {
        let written = from.text().filter(|_| self.into_folder);
        written.is_none_or(|text| {
            let name = text.trim_end_matches('/').rsplit('/').next();
            let name = Word::known(&format!("./{}", name.unwrap_or_default()));
            places.of(&name) != PathKind::Scratch
        })
    }
}

/// Returns whether moving or copying `from` to `to`, both of them files, puts text from outside the workspace into it. An inline program that
/// computes the name of the source has mostly written it.
pub(crate) fn moves_text_in(from: &Word, to: &Word, places: &GuardPaths) -> bool {
    let is_outside = matches!(places.of(from), PathKind::Outside | PathKind::Device);
    let is_computed = from.text().is_none() && to.text().is_some();
    places.guards(to) && (is_outside || is_computed || is_edited_copy(from))
}

fn is_edited_copy(word: &Word) -> bool {
    let is_known = !matches!(word.pieces().last(), None | Some(WordPiece::Hole(..)));
    is_known && EDITED.iter().any(|ending| word.source().ends_with(ending))
}

/// Returns whether `rsync` would take the word for a file on another machine: `host:path`.
fn is_remote(word: &Word) -> bool {
    let (head, _) = word.head();
    let first = head.split('/').next().unwrap_or("");
    first.contains(':')
}
