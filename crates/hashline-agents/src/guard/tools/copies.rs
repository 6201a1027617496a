//! `cp`, `mv`, `install`, `rsync`, `ln -f`: whether they bring text from elsewhere over a file of the workspace.
//!
//! Copying and renaming inside the workspace is file management. A source outside it, or one whose name says that it is an edited copy,
//! is an edit by another route.

use super::{Call, Deed, Object};
use crate::guard::options::{Arguments, Spec};
use crate::guard::places::{Place, Places};
use crate::guard::shell::Word;

const COPY: Spec = Spec {
    valued: "tS",
    attached: "",
    long: &["target-directory", "suffix"],
};

const INSTALL: Spec = Spec {
    valued: "tSmog",
    attached: "",
    long: &[
        "target-directory",
        "suffix",
        "mode",
        "owner",
        "group",
        "strip-program",
    ],
};

const RSYNC: Spec = Spec {
    valued: "efTBM",
    attached: "",
    long: &[
        "rsh",
        "filter",
        "exclude",
        "exclude-from",
        "include",
        "include-from",
        "files-from",
        "rsync-path",
        "log-file",
        "log-file-format",
        "temp-dir",
        "partial-dir",
        "compare-dest",
        "copy-dest",
        "link-dest",
        "backup-dir",
        "suffix",
        "chmod",
        "chown",
        "bwlimit",
        "port",
        "password-file",
        "timeout",
        "contimeout",
        "max-size",
        "min-size",
        "max-delete",
        "out-format",
        "info",
        "debug",
        "block-size",
        "remote-option",
        "modify-window",
    ],
};

/// What the names of edited copies end with.
const EDITED: &[&str] = &[".bak", ".orig", ".old", ".new", ".tmp", ".rej", "~"];

/// A command that puts sources at a destination.
struct Copy<'a> {
    sources: &'a [Word],
    destination: &'a Word,
    shape: Shape,
}

/// What is known of the destination.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A folder, by how it is written: sources keep their names in it.
    Folder,
    /// A file, or a folder that cannot be told from one.
    File,
}

/// How the target of a link is resolved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// From the working directory.
    Path,
    /// From where the symbolic link lies.
    LinkTarget,
}

pub(super) fn judge(call: &Call, places: &Places) -> Deed {
    let spec = match call.name.as_str() {
        "install" => INSTALL,
        "rsync" => RSYNC,
        _ => COPY,
    };
    let arguments = spec.read(&call.args);
    if writes_nothing(&call.name, &arguments) {
        return Deed::default();
    }
    let source = match call.name.as_str() {
        // With `-r` it computes what the link must say.
        "ln" if arguments.has(&["r", "relative"]) => Source::Path,
        "ln" if arguments.has(&["s", "symbolic"]) => Source::LinkTarget,
        _ => Source::Path,
    };
    let writes =
        copy(&call.name, &arguments, places).filter(|copy| copy.brings_text(source, places));
    Deed {
        writes: writes.map(|copy| Object::File(copy.destination.clone())),
        ..Deed::default()
    }
}

fn writes_nothing(name: &str, arguments: &Arguments) -> bool {
    match name {
        "ln" => !arguments.has(&["f", "force"]),
        "install" => arguments.has(&["d", "directory"]),
        "rsync" => arguments.has(&["n", "dry-run", "list-only"]),
        _ => false,
    }
}

fn copy<'a>(name: &str, arguments: &'a Arguments, places: &Places) -> Option<Copy<'a>> {
    // In rsync `-t` keeps times.
    let into = match name {
        "rsync" => None,
        _ => arguments.values(&["t", "target-directory"]).last(),
    };
    if let Some(destination) = into {
        return Some(Copy {
            sources: &arguments.operands,
            destination,
            shape: Shape::Folder,
        });
    }
    let (destination, sources) = arguments.operands.split_last()?;
    let is_folder = is_written_as_a_folder(destination) || places.is_root(destination);
    let shape = match sources.len() > 1 || is_folder {
        true => Shape::Folder,
        false => Shape::File,
    };
    Some(Copy {
        sources,
        destination,
        shape,
    })
}

impl Copy<'_> {
    fn brings_text(&self, source: Source, places: &Places) -> bool {
        let at = self.destination;
        if is_remote(at) || !places.guards(at) {
            return false;
        }
        self.sources.iter().any(|from| {
            let place = match source {
                Source::Path => places.of(from),
                Source::LinkTarget if self.shape == Shape::Folder => places.within(at, from),
                Source::LinkTarget => places.beside(at, from),
            };
            let outside = is_remote(from) || matches!(place, Place::Outside | Place::Device);
            (outside && self.may_be_text(from, places)) || is_edited_copy(from)
        })
    }

    /// Into a folder a picture goes under its own name, and is as free there as anywhere.
    fn may_be_text(&self, from: &Word, places: &Places) -> bool {
        let name = from.text().and_then(|text| {
            let name = text.trim_end_matches('/').rsplit('/').next();
            name.map(str::to_owned)
        });
        match name {
            Some(name) if self.shape == Shape::Folder => {
                places.of(&Word::known(&format!("./{name}"))) != Place::Scratch
            }
            _ => true,
        }
    }
}

fn is_written_as_a_folder(word: &Word) -> bool {
    let written = word.source();
    written.ends_with('/') || [".", ".."].contains(&written.rsplit('/').next().unwrap_or(""))
}

fn is_edited_copy(word: &Word) -> bool {
    let written = word.source();
    let unknown_end = matches!(
        word.pieces().last(),
        None | Some(crate::guard::shell::Piece::Hole(..))
    );
    !unknown_end && EDITED.iter().any(|ending| written.ends_with(ending))
}

/// Says whether rsync would take the word for a file on another machine: `host:path`.
fn is_remote(word: &Word) -> bool {
    let (head, _) = word.head();
    let first = head.split('/').next().unwrap_or("");
    first.contains(':')
}
