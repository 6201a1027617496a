//! What a Ruby program opens: `File.read`, `File.write`, `File.open`, `open`. Brackets are optional.

use super::expression::{Argument, Expressions};
use super::lex::{Lexicon, Values};
use super::{Access, Way};

/// What its programs look like.
pub(super) const RUBY: Lexicon = Lexicon {
    quotes: "'\"",
    triple: false,
    comment: "#",
    values: Values::InDoubleQuotes,
};

/// Methods of `File` and `IO` whose first argument is a path.
const METHODS: &[(&str, Way)] = &[
    ("read", Way::Read),
    ("binread", Way::Read),
    ("readlines", Way::Read),
    ("foreach", Way::Read),
    ("write", Way::Write),
    ("binwrite", Way::Write),
];

/// What ends a call without brackets.
const ENDS: &[&str] = &[
    "do", "if", "unless", "or", "and", "rescue", "while", "until",
];

/// Flags of `File.open` that write.
const WRITING_FLAGS: &[&str] = &["WRONLY", "RDWR", "CREAT", "APPEND", "TRUNC"];

/// Reads the call at this place.
pub(super) fn access(code: &Expressions<'_>, at: usize) -> Option<Access> {
    let name = code.name(at)?;
    let receiver = code.receiver(at);
    let owner = receiver.as_ref().and_then(|range| code.name(range.start));
    let of_file = matches!(owner, Some("File" | "IO"));
    let way = METHODS.iter().find(|(method, _)| *method == name);
    let way = way.filter(|_| of_file).map(|(_, way)| *way);
    let opens = match name {
        "open" => of_file || owner == Some("Kernel") || receiver.is_none(),
        "new" => owner == Some("File"),
        _ => false,
    };
    if way.is_none() && !opens {
        return None;
    }
    let arguments = code.loose_call(at, ENDS)?;
    let path = code.path(arguments.first()?.value.clone())?;
    let way = way.unwrap_or_else(|| mode(code, &arguments));
    Some(Access { path, way })
}

fn mode(code: &Expressions<'_>, arguments: &[Argument]) -> Way {
    let named = arguments.iter().find(|a| a.name.as_deref() == Some("mode"));
    let Some(mode) = named.or_else(|| arguments.get(1)) else {
        return Way::Read;
    };
    if code.mentions(&mode.value, WRITING_FLAGS) {
        return Way::Write;
    }
    code.string(&mode.value).map_or(Way::Read, Way::of_mode)
}
