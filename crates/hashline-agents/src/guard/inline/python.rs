//! What a Python program opens: `open`, `Path.read_text` and its relatives, `shutil.copy`.

use std::ops::Range;

use super::expression::{Argument, Expressions};
use super::lex::{Lexicon, Values};
use super::{Access, Way};

/// What its programs look like.
pub(super) const PYTHON: Lexicon = Lexicon {
    quotes: "'\"",
    triple: true,
    comment: "#",
    values: Values::InPrefixed,
};

/// Modules whose `open` takes a path as the built-in one does.
const OPENERS: &[&str] = &[
    "io", "codecs", "os", "builtins", "gzip", "bz2", "lzma", "tokenize",
];

/// Names of which one stands in an expression that makes a path.
const PATHS: &[&str] = &["Path", "PurePath", "PosixPath", "pathlib"];

/// Methods of a path.
const METHODS: &[(&str, Way)] = &[
    ("read_text", Way::Read),
    ("read_bytes", Way::Read),
    ("write_text", Way::Write),
    ("write_bytes", Way::Write),
];

/// Functions of `shutil` that write their second argument.
const COPIES: &[&str] = &["copy", "copy2", "copyfile", "move"];

/// Flags of `os.open` that write.
const WRITING_FLAGS: &[&str] = &["O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"];

/// Reads the call at this place.
pub(super) fn access(code: &Expressions<'_>, at: usize) -> Option<Access> {
    let name = code.name(at)?;
    let arguments = code.call(at)?;
    let receiver = code.receiver(at);
    if let Some((_, way)) = METHODS.iter().find(|(method, _)| *method == name) {
        let path = code.path(receiver?)?;
        return Some(Access { path, way: *way });
    }
    let owner = receiver.as_ref().and_then(|range| code.name(range.start));
    if COPIES.contains(&name) && owner == Some("shutil") {
        let path = code.path(value(&arguments, 1, "dst")?)?;
        return Some(Access {
            path,
            way: Way::Write,
        });
    }
    if name != "open" {
        return None;
    }
    match receiver {
        Some(receiver) if !owner.is_some_and(|owner| OPENERS.contains(&owner)) => {
            opened_by_method(code, receiver, &arguments)
        }
        _ => opened(code, &arguments),
    }
}

/// `open(path, mode)`.
fn opened(code: &Expressions<'_>, arguments: &[Argument]) -> Option<Access> {
    let path = code.path(value(arguments, 0, "file")?)?;
    let way = match value(arguments, 1, "mode") {
        Some(flags) if code.mentions(&flags, WRITING_FLAGS) => Way::Write,
        Some(mode) => code.string(&mode).map_or(Way::Read, Way::of_mode),
        None => Way::Read,
    };
    Some(Access { path, way })
}

/// `path.open(mode)`. Archives, pictures and databases are opened by methods of that name too; what is given a mode alone is a path.
fn opened_by_method(
    code: &Expressions<'_>,
    receiver: Range<usize>,
    arguments: &[Argument],
) -> Option<Access> {
    let mode = value(arguments, 0, "mode").and_then(|mode| code.string(&mode));
    let mode = mode.filter(|mode| is_mode(mode));
    if mode.is_none() && !code.mentions(&receiver, PATHS) {
        return None;
    }
    let way = mode.map_or(Way::Read, Way::of_mode);
    let path = code.path(receiver)?;
    Some(Access { path, way })
}

/// A lone `x` is rather a name than a mode.
fn is_mode(text: &str) -> bool {
    !text.is_empty() && text != "x" && text.chars().all(|c| "rwaxbt+U".contains(c))
}

/// Returns the argument of this name, or else the one at this place.
fn value(arguments: &[Argument], place: usize, name: &str) -> Option<Range<usize>> {
    let is_named = |argument: &&Argument| argument.name.as_deref() == Some(name);
    let named = arguments.iter().find(is_named);
    let placed = || {
        arguments
            .get(place)
            .filter(|argument| argument.name.is_none())
    };
    named.or_else(placed).map(|argument| argument.value.clone())
}
