//! What an awk program writes: `print > "F"`.

use super::expression::Expressions;
use super::lex::{Kind, Lexicon, Values};
use super::paths::computed;
use super::program::Program;
use crate::guard::places::Places;
use crate::guard::shell::Word;
use crate::guard::tools::Object;

const AWK: Lexicon = Lexicon {
    quotes: "\"",
    triple: false,
    comment: "#",
    values: Values::Never,
};

/// Returns the first guarded file that the program prints to.
pub(crate) fn written(program: &Word, places: &Places) -> Option<Object> {
    let program = Program::of(program);
    let code = Expressions::of(&program, AWK);
    let prints = |at: &usize| matches!(code.name(*at), Some("print" | "printf"));
    let mut files = (0..code.len())
        .filter(prints)
        .filter_map(|at| target(&code, at + 1));
    files.find(|file| places.guards(file)).map(Object::File)
}

/// Returns the file after the `>` of a statement. Inside brackets it compares.
fn target(code: &Expressions<'_>, start: usize) -> Option<Word> {
    let mut depth = 0_usize;
    for at in start..code.len() {
        match code.mark(at) {
            Some('(' | '[') => depth += 1,
            Some(')' | ']') => depth = depth.saturating_sub(1),
            Some(';' | '}' | '|') if depth == 0 => return None,
            Some('>') if depth == 0 => {
                let is_double = code.mark(at + 1) == Some('>');
                return named(code, at + 1 + usize::from(is_double));
            }
            None if depth == 0 && code.kind(at) == Some(Kind::Break) => return None,
            _ => {}
        }
    }
    None
}

/// Returns the file that the tokens from `start` to the end of the statement name. A number is compared with.
fn named(code: &Expressions<'_>, start: usize) -> Option<Word> {
    let ends = |at: &usize| {
        matches!(code.mark(*at), Some(';' | '}')) || code.kind(*at) == Some(Kind::Break)
    };
    let end = (start..code.len()).find(ends).unwrap_or(code.len());
    match code.kind(start)? {
        Kind::Number => None,
        Kind::Text => code.path(start..end),
        _ => Some(computed()),
    }
}
