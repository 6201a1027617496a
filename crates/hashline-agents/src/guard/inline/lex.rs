//! A program as names, numbers, strings and marks, whatever its language.
//!
//! This is no lexer of any language, only what all of them have in common: strings that hide marks, comments that hide everything.

use std::ops::Range;

use super::program::Program;

/// What differs between languages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexicon {
    /// Characters that begin and end a string.
    pub(super) quotes: &'static str,
    /// Whether a string may be quoted by three of them.
    pub(super) triple: bool,
    /// What begins a comment that ends with the line.
    pub(super) comment: &'static str,
    /// How values are put into strings.
    pub(super) values: Values,
}

/// How values are put into strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// Not at all.
    Never,
    /// `f"{x}"`.
    InPrefixed,
    /// `` `${x}` ``.
    InBackquotes,
    /// `"#{x}"`.
    InDoubleQuotes,
    /// `"$x"`.
    BySigil,
}

/// One token. Strings are known by what stands between the quotes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    /// A string to the letter.
    Text,
    /// A string with values in it, if its text says so.
    Filled,
    Mark(char),
    /// The end of a line.
    Break,
}

/// Reads the whole program.
pub(super) fn tokens(program: &Program, lexicon: Lexicon) -> Vec<Token> {
    let mut lexer = Lexer {
        text: program.text(),
        at: 0,
        lexicon,
        tokens: Vec::new(),
    };
    while lexer.step() {}
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    lexicon: Lexicon,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn step(&mut self) -> bool {
        let Some(c) = self.rest().chars().next() else {
            return false;
        };
        if self.begins_comment() {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        } else if c == '\n' {
            self.push(Kind::Break, c.len_utf8());
        } else if c.is_whitespace() {
            self.at += c.len_utf8();
        } else if is_name(c) {
            self.name(c);
        } else if self.lexicon.quotes.contains(c) && self.string(c) {
        } else {
            self.push(Kind::Mark(c), c.len_utf8());
        }
        true
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let range = self.at..self.at + length;
        self.at = range.end;
        self.tokens.push(Token { kind, range });
    }

    /// A mark inside a word is no comment: `$#array`, `http://x`.
    fn begins_comment(&self) -> bool {
        let before = self
            .text
            .get(..self.at)
            .and_then(|text| text.chars().next_back());
        let stands_free = before.is_none_or(|c| c.is_whitespace() || ";{}(),".contains(c));
        stands_free && self.rest().starts_with(self.lexicon.comment)
    }

    fn name(&mut self, first: char) {
        let rest = self.rest();
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let kind = match first.is_ascii_digit() {
            true => Kind::Number,
            false => Kind::Name,
        };
        self.push(kind, length);
    }

    /// Reads a string, if it has an end.
    fn string(&mut self, quote: char) -> bool {
        let single = quote.to_string();
        let triple = single.repeat(3);
        let delimiter = match self.lexicon.triple && self.rest().starts_with(&triple) {
            true => triple,
            false => single,
        };
        let inside = self.rest().get(delimiter.len()..).unwrap_or_default();
        let Some(length) = end_of_string(inside, &delimiter) else {
            return false;
        };
        let start = self.at + delimiter.len();
        let kind = self.string_kind(quote);
        self.at = start + length + delimiter.len();
        let range = start..start + length;
        self.tokens.push(Token { kind, range });
        true
    }

    fn string_kind(&mut self, quote: char) -> Kind {
        let filled = match self.lexicon.values {
            Values::Never => false,
            Values::InPrefixed => self.take_prefix().contains(['f', 'F']),
            Values::InBackquotes => quote == '`',
            Values::InDoubleQuotes | Values::BySigil => quote == '"',
        };
        if filled { Kind::Filled } else { Kind::Text }
    }

    /// Takes back the letters that stand right before a string and belong to it: `rb'..'`, `f"..."`.
    fn take_prefix(&mut self) -> String {
        let prefix = match self.tokens.last() {
            Some(last) if last.kind == Kind::Name && last.range.end == self.at => {
                self.text.get(last.range.clone()).unwrap_or_default()
            }
            _ => "",
        };
        let is_prefix = prefix.len() <= 2 && prefix.chars().all(|c| "rbufRBUF".contains(c));
        if prefix.is_empty() || !is_prefix {
            return String::new();
        }
        let prefix = prefix.to_owned();
        self.tokens.pop();
        prefix
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns where the delimiter stands that is not escaped.
fn end_of_string(text: &str, delimiter: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if text
            .get(at..)
            .is_some_and(|rest| rest.starts_with(delimiter))
        {
            return Some(at);
        }
    }
    None
}
