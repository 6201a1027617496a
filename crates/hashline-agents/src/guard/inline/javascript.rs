//! What a JavaScript program opens: `readFileSync`, `writeFileSync` and their relatives.

use super::expression::Expressions;
use super::lex::{Lexicon, Values};
use super::{Access, Way};

/// What its programs look like.
pub(super) const JAVASCRIPT: Lexicon = Lexicon {
    quotes: "'\"`",
    triple: false,
    comment: "//",
    values: Values::InBackquotes,
};

/// Functions whose first argument is a path.
const FUNCTIONS: &[(&str, Way)] = &[
    ("readFileSync", Way::Read),
    ("readFile", Way::Read),
    ("createReadStream", Way::Read),
    ("readTextFileSync", Way::Read),
    ("readTextFile", Way::Read),
    ("writeFileSync", Way::Write),
    ("writeFile", Way::Write),
    ("appendFileSync", Way::Write),
    ("appendFile", Way::Write),
    ("createWriteStream", Way::Write),
    ("writeTextFileSync", Way::Write),
    ("writeTextFile", Way::Write),
];

/// Reads the call at this place.
pub(super) fn access(code: &Expressions<'_>, at: usize) -> Option<Access> {
    let name = code.name(at)?;
    let arguments = code.call(at)?;
    let first = arguments.first()?.value.clone();
    if name == "openSync" {
        let mode = arguments.get(1).and_then(|mode| code.string(&mode.value));
        let way = mode.map_or(Way::Read, Way::of_mode);
        let path = code.path(first)?;
        return Some(Access { path, way });
    }
    let (_, way) = FUNCTIONS.iter().find(|(function, _)| *function == name)?;
    let path = code.path(first)?;
    Some(Access { path, way: *way })
}
