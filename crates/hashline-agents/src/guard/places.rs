//! Decides which paths in a shell command are guarded. Paths are resolved by their text alone, without the disk.
//!
//! A path is guarded if it may be a text file of the workspace. A part that only the shell can compute (a variable, a glob, a substitution)
//! may be anything, so such a path is guarded unless its known part shows that it is outside the workspace, a binary file or build output.

use std::path::{Component, Path};

use crate::guard::options::lists;
use crate::guard::shell::{Hole, Script, ShellCommand, Word, WordPiece};

/// Folders of build output, which are not guarded if they are directly in a root of the workspace.
const TOP_FOLDERS: &str = "target dist build out coverage venv .venv";

/// Folders written by tools, which are not guarded at any depth of the workspace.
const FOLDERS: &str = "node_modules .git __pycache__";

/// Environment variables that hold a path outside of the workspace; variables whose names begin with `XDG_` count too.
const VARIABLES: &str = "TMPDIR TMP TEMP HOME";

/// Extensions of files that are not guarded because nobody edits them as text: logs, archives, binary files.
const NOT_TEXT: &[&str] = &[
    // What programs leave behind while they run.
    "log out pid",
    // Images.
    "png jpg jpeg gif bmp ico icns webp tif tiff avif heic psd xcf",
    // Archives and packages.
    "zip tar gz tgz bz2 tbz tbz2 xz txz zst lz lz4 lzma 7z rar jar war ear whl egg deb rpm dmg iso apk cab crate gem \
     nupkg vsix",
    // Fonts.
    "ttf otf ttc woff woff2 eot",
    // Sound and film.
    "mp3 mp4 m4a m4v wav flac ogg oga ogv opus aac avi mov mkv webm mpg mpeg wmv",
    // Objects, libraries, programs.
    "o obj a lib so dylib dll exe class pyc pyo pyd rlib rmeta ko elf wasm bin img",
    // Documents and data.
    "pdf doc docx xls xlsx ppt pptx odt ods odp sqlite sqlite3 db db3 mdb parquet npy npz pkl pickle h5 onnx pt pth \
     safetensors gguf",
];

/// Names under `/dev` of devices that print to the terminal.
const TERMINALS: &str = "tty stdout stderr console fd/1 fd/2";

/// The roots of the workspace and the directory in which commands run, each as a list of path components.
#[derive(Debug)]
pub(crate) struct GuardPaths {
    roots: Vec<Vec<String>>,
    cwd: Vec<String>,
}

/// What a path in a shell command refers to, decided from its text alone, without the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathKind {
    /// Not a file: `-` (standard input or output) or the empty word.
    None,
    /// A device that prints to the terminal: `/dev/tty`, `/dev/stderr`.
    Terminal,
    /// A device that does not print to the terminal: `/dev/null`.
    Device,
    /// A path outside the workspace.
    Outside,
    /// A path inside the workspace that is not edited as text: a log, build output, a binary file.
    Scratch,
    /// A path that may be a text file of the workspace.
    Guarded,
}

/// One component of a path, which may be known only in part.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PathName {
    Known(String),
    /// A component of which only this beginning is known: the shell computes the rest, as in `src$x`.
    Unknown(String),
}

impl GuardPaths {
    pub(crate) fn new<P: AsRef<Path>>(roots: &[P], cwd: &Path) -> Self {
        let roots = roots.iter().map(|root| names(root.as_ref())).collect();
        let cwd = names(cwd);
        Self { roots, cwd }
    }

    /// Returns whether the word may name a text file of the workspace.
    pub(crate) fn guards(&self, word: &Word) -> bool {
        self.of(word) == PathKind::Guarded
    }

    /// Returns what a path refers to, relative to the working directory of the command.
    pub(crate) fn of(&self, word: &Word) -> PathKind {
        self.from(word, &self.cwd)
    }

    /// Returns whether the word names a root of the workspace.
    pub(crate) fn is_root(&self, word: &Word) -> bool {
        let path = known(self.resolved(word, &self.cwd));
        word.text().is_some() && self.roots.contains(&path)
    }

    /// Returns what the path `word` refers to, relative to the directory of `file`: the target of a symbolic link at `file`.
    pub(crate) fn beside(&self, file: &Word, word: &Word) -> PathKind {
        let mut folder = self.resolved(file, &self.cwd);
        folder.pop();
        self.seen_from(file, folder, word)
    }

    /// Returns what the path `word` refers to, relative to `folder`: the target of a symbolic link in `folder`.
    pub(crate) fn within(&self, folder: &Word, word: &Word) -> PathKind {
        self.seen_from(folder, self.resolved(folder, &self.cwd), word)
    }

    fn seen_from(&self, written: &Word, folder: Vec<PathName>, word: &Word) -> PathKind {
        // Nothing is known of where it lies.
        if begins_with_a_hole(written) {
            return self.of(word);
        }
        self.from(word, &known(folder))
    }

    fn from(&self, word: &Word, cwd: &[String]) -> PathKind {
        if word.is("") || word.is("-") {
            return PathKind::None;
        }
        if is_elsewhere(word) {
            return PathKind::Outside;
        }
        let path = self.resolved(word, cwd);
        // Before the roots are compared: devices are no files, even if the workspace is `/`.
        if is_absolute(word)
            && let Some(name) = device_name(&path)
        {
            return device(&name);
        }
        self.inside(word, &path)
    }

    fn inside(&self, word: &Word, path: &[PathName]) -> PathKind {
        let rests = self.roots.iter();
        let rests = rests.filter_map(|root| below_root(root, path, word));
        let mut rests = rests.peekable();
        if rests.peek().is_none() {
            return PathKind::Outside;
        }
        // Where one root lies in another, what either takes for scratch is.
        if rests.any(is_scratch) || has_free_ending(&ending(word)) {
            PathKind::Scratch
        } else {
            PathKind::Guarded
        }
    }

    fn resolved(&self, word: &Word, cwd: &[String]) -> Vec<PathName> {
        // A path that begins with a hole may be absolute.
        let is_relative = !is_absolute(word) && !begins_with_a_hole(word);
        let start = if is_relative { cwd } else { &[] };
        let mut path: Vec<PathName> = start.iter().cloned().map(PathName::Known).collect();
        for name in names_in(word) {
            match name {
                PathName::Known(name) if name.is_empty() || name == "." => {}
                // Without the disk a link in between is not seen.
                PathName::Known(name) if name == ".." => {
                    path.pop();
                }
                other => path.push(other),
            }
            // The kernel's own names of the working directory and of the root. Any process has them, and most have the same.
            match path.as_slice() {
                [PathName::Known(proc), _, PathName::Known(link)] if proc == "proc" => {
                    match link.as_str() {
                        "cwd" => path = cwd.iter().cloned().map(PathName::Known).collect(),
                        "root" => path.clear(),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        path
    }
}

/// Returns the name of a device below `/dev`, as far as it is known; `None` for any other path.
fn device_name(path: &[PathName]) -> Option<String> {
    let below = match path {
        [PathName::Known(dev), below @ ..] if dev == "dev" && !below.is_empty() => below,
        // `/dev/fd` is a link to it.
        [PathName::Known(proc), PathName::Known(own), below @ ..]
            if proc == "proc" && own == "self" && below.len() > 1 =>
        {
            below
        }
        _ => return None,
    };
    let names = below.iter().map(|name| match name {
        PathName::Known(name) | PathName::Unknown(name) => name.as_str(),
    });
    Some(names.collect::<Vec<_>>().join("/"))
}

/// Returns the components of `path` below `root`, or the whole path if its beginning is unknown. Returns `None` if the path is outside `root`.
fn below_root<'a>(root: &[String], path: &'a [PathName], word: &Word) -> Option<&'a [PathName]> {
    if begins_with_a_hole(word) {
        return Some(path);
    }
    for (depth, own) in root.iter().enumerate() {
        match path.get(depth)? {
            PathName::Known(name) if name == own => {}
            // `/home/$USER/x` may be inside; `../$x` has left the root before anything is unknown.
            PathName::Unknown(begin) if is_absolute(word) && own.starts_with(begin) => {
                return path.get(depth..);
            }
            _ => return None,
        }
    }
    path.get(root.len()..)
}

/// Returns the components of a path before the first one that is not fully known.
fn known(path: Vec<PathName>) -> Vec<String> {
    let known = path.into_iter().map_while(|name| match name {
        PathName::Known(name) => Some(name),
        PathName::Unknown(_) => None,
    });
    known.collect()
}

fn names(path: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => {
                names.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    names
}

/// Splits a path into its components at the slashes. The first component of an absolute path is the empty string.
fn names_in(word: &Word) -> Vec<PathName> {
    let mut names = vec![PathName::Known(String::new())];
    for piece in word.pieces() {
        match piece {
            WordPiece::Text(text) => {
                for (index, part) in text.split('/').enumerate() {
                    match names.last_mut() {
                        Some(PathName::Known(name)) if index == 0 => name.push_str(part),
                        Some(PathName::Unknown(_)) if index == 0 => {}
                        _ => names.push(PathName::Known(part.to_owned())),
                    }
                }
            }
            WordPiece::Glob(_) | WordPiece::Hole(..) => {
                if let Some(last) = names.last_mut() {
                    let begin = match last {
                        PathName::Known(name) | PathName::Unknown(name) => std::mem::take(name),
                    };
                    *last = PathName::Unknown(begin);
                }
            }
        }
    }
    names
}

fn is_absolute(word: &Word) -> bool {
    word.head().0.starts_with('/')
}

fn begins_with_a_hole(word: &Word) -> bool {
    matches!(word.pieces().first(), Some(WordPiece::Hole(..)))
}

/// Returns whether the beginning of a path already shows that it is outside the workspace: `~`, `$TMPDIR`, `$(mktemp)`.
fn is_elsewhere(word: &Word) -> bool {
    match word.pieces().first() {
        Some(WordPiece::Hole(Hole::Home | Hole::Process(..), _)) => true,
        Some(WordPiece::Hole(
            Hole::Variable {
                name, is_beginning, ..
            },
            _,
        )) => *is_beginning && is_free_variable(name),
        Some(WordPiece::Hole(Hole::Substitution(script), _)) => makes_a_temporary_file(script),
        // Some programs take the tilde for the home directory where the shell does not.
        Some(WordPiece::Text(text)) => begins_with_a_home(text),
        _ => false,
    }
}

/// Returns whether a path begins with `~` or `~user`.
fn begins_with_a_home(text: &str) -> bool {
    let is_user = |name: &str| {
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
    };
    let name = text.strip_prefix('~').and_then(|t| t.split('/').next());
    name.is_some_and(is_user)
}

fn makes_a_temporary_file(script: &Script) -> bool {
    let name = match script.only_step().map(|step| &step.command) {
        Some(ShellCommand::Simple { words, .. }) => words.first().and_then(Word::last_name),
        _ => None,
    };
    name.as_deref() == Some("mktemp")
}

fn is_scratch(path: &[PathName]) -> bool {
    let is_in = |folders: &'static str| move |name: &PathName| matches!(name, PathName::Known(name) if lists(folders, name));
    path.first().is_some_and(is_in(TOP_FOLDERS)) || path.iter().any(is_in(FOLDERS))
}

/// Returns the known text at the end of the last path component; empty if the path ends with a glob or a part that the shell computes.
fn ending(word: &Word) -> String {
    match word.pieces().last() {
        Some(WordPiece::Text(text)) => text.rsplit('/').next().unwrap_or(text).to_owned(),
        _ => String::new(),
    }
}

/// Returns whether the device `/dev/name` prints to the terminal.
fn device(name: &str) -> PathKind {
    if lists(TERMINALS, name) || name.starts_with("pts/") || name.starts_with("tty") {
        PathKind::Terminal
    } else {
        PathKind::Device
    }
}

/// Returns whether a path that begins with the variable `name` is outside the workspace.
fn is_free_variable(name: &str) -> bool {
    lists(VARIABLES, name) || name.starts_with("XDG_")
}

/// Returns whether the extension of a file name says that the file is not edited as text, such as `.log` or `.png`.
fn has_free_ending(name: &str) -> bool {
    let Some((_, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let extension = extension.to_ascii_lowercase();
    NOT_TEXT.iter().any(|kind| lists(kind, &extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str) -> PathKind {
        let places = GuardPaths::new(&["/home/me/repo"], Path::new("/home/me/repo/src"));
        places.of(&Word::known(path))
    }

    #[test]
    fn a_path_is_resolved_from_the_working_directory() {
        assert_eq!(place("main.rs"), PathKind::Guarded);
        assert_eq!(place("../README.md"), PathKind::Guarded);
        assert_eq!(place("../../other/README.md"), PathKind::Outside);
        assert_eq!(place("/home/me/repo/./src//main.rs"), PathKind::Guarded);
        assert_eq!(place("/home/me/repository/x"), PathKind::Outside);
    }

    #[test]
    fn top_folders_are_free_at_the_top_only() {
        assert_eq!(place("../target/x.txt"), PathKind::Scratch);
        assert_eq!(place("target/x.txt"), PathKind::Guarded);
        assert_eq!(place("a/node_modules/x.js"), PathKind::Scratch);
    }

    #[test]
    fn devices_and_nothing() {
        assert_eq!(place("/dev/null"), PathKind::Device);
        assert_eq!(place("/dev/stderr"), PathKind::Terminal);
        assert_eq!(place("-"), PathKind::None);
        assert_eq!(place(""), PathKind::None);
    }
}
