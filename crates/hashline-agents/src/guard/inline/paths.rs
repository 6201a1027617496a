//! The paths that expressions stand for: strings as they are, what is computed as holes.

use std::ops::Range;

use super::expression::Expressions;
use super::lex::{Kind, Values};
use crate::guard::shell::{Hole, Word};

/// Names in an expression that say: no file of the workspace, but a stream or a temporary file.
const ELSEWHERE: &[&str] = &[
    "stdin",
    "stdout",
    "stderr",
    "STDIN",
    "STDOUT",
    "STDERR",
    "tempfile",
    "mkstemp",
    "mkdtemp",
    "mktemp",
    "gettempdir",
    "tmpdir",
    "tmpname",
    "Tempfile",
];
/// Calls whose arguments are the names of a path.
const JOINS: &[&str] = &[
    "Path",
    "PurePath",
    "PosixPath",
    "Pathname",
    "join",
    "resolve",
];
/// Calls whose first argument is the path.
const SAME: &[&str] = &[
    "str",
    "String",
    "expanduser",
    "abspath",
    "realpath",
    "normpath",
    "fspath",
];

impl Expressions<'_> {
    /// Returns the path that an expression stands for, what is computed of it as holes. None if it is no path.
    pub(super) fn path(&self, range: Range<usize>) -> Option<Word> {
        let range = self.without_brackets(range);
        let is_number = range.len() == 1 && self.kind(range.start) == Some(Kind::Number);
        if is_number || self.mentions(&range, ELSEWHERE) {
            return None;
        }
        let mut path = Word::default();
        let (mut depth, mut begin) = (0_usize, range.start);
        for at in range.clone() {
            match self.mark(at) {
                Some('(' | '[' | '{') => depth += 1,
                Some(')' | ']' | '}') => depth = depth.saturating_sub(1),
                Some(joint @ ('+' | '/')) if depth == 0 => {
                    path.append(&self.term(begin..at));
                    if joint == '/' {
                        path.push_text("/");
                    }
                    begin = at + 1;
                }
                _ => {}
            }
        }
        path.append(&self.term(begin..range.end));
        Some(path)
    }

    fn without_brackets(&self, range: Range<usize>) -> Range<usize> {
        let Some(last) = range.end.checked_sub(1) else {
            return range;
        };
        let is_enclosed = range.len() >= 2
            && self.mark(range.start) == Some('(')
            && self.mark(last) == Some(')')
            && self.opening(last) == Some(range.start);
        if is_enclosed {
            self.without_brackets(range.start + 1..last)
        } else {
            range
        }
    }

    /// Returns what one part of a path stands for: strings as they are, known calls by their arguments, the rest as a hole.
    fn term(&self, range: Range<usize>) -> Word {
        let mut word = Word::default();
        for at in range.clone() {
            let Some(token) = self.token(at) else {
                break;
            };
            match token.kind {
                Kind::Text => word.append(&self.program.word(token.range.clone())),
                Kind::Filled => word.append(&self.filled(token.range.clone())),
                Kind::Break => {}
                _ => {
                    word.append(&self.called(at..range.end));
                    break;
                }
            }
        }
        word
    }

    fn called(&self, range: Range<usize>) -> Word {
        let last_name = range
            .clone()
            .take_while(|at| self.name(*at).is_some() || matches!(self.mark(*at), Some('.' | ':')));
        let Some(at) = last_name.last() else {
            return computed();
        };
        let closes = range.end.checked_sub(1).and_then(|last| self.opening(last)) == Some(at + 1);
        let (Some(name), Some(arguments), true) = (self.name(at), self.call(at), closes) else {
            return computed();
        };
        let mut paths = arguments
            .into_iter()
            .map(|argument| self.path(argument.value).unwrap_or_else(computed));
        if SAME.contains(&name) {
            return paths.next().unwrap_or_else(computed);
        }
        if !JOINS.contains(&name) {
            return computed();
        }
        let mut joined = paths.next().unwrap_or_else(computed);
        for path in paths {
            joined.push_text("/");
            joined.append(&path);
        }
        joined
    }

    /// Returns a string with its values as holes.
    fn filled(&self, range: Range<usize>) -> Word {
        let text = self.program.slice(range.clone());
        let (open, close) = match self.lexicon.values {
            Values::Never => return self.program.word(range),
            Values::InPrefixed => ("{", '}'),
            Values::InBackquotes => ("${", '}'),
            Values::InDoubleQuotes => ("#{", '}'),
            Values::BySigil => ("$", ' '),
        };
        let mut word = Word::default();
        let mut at = 0;
        while let Some(start) = text.get(at..).and_then(|rest| rest.find(open)) {
            let start = at + start;
            word.append(&self.program.word(range.start + at..range.start + start));
            word.append(&computed());
            at = end_of_value(text, start + open.len(), close);
        }
        word.append(&self.program.word(range.start + at..range.end));
        word
    }
}

/// Returns where a value ends: after its bracket, or where its name does.
fn end_of_value(text: &str, from: usize, close: char) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let length = match close {
        ' ' => rest.find(|c: char| !c.is_alphanumeric() && !"_{}[]>".contains(c)),
        close => rest.find(close).map(|at| at + close.len_utf8()),
    };
    from + length.unwrap_or(rest.len())
}

/// What a program computes.
pub(super) fn computed() -> Word {
    Word::hole(Hole::Found, "..")
}
