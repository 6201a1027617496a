//! Splits an inline program of any supported language into tokens, and finds the arguments of calls and the paths in expressions.
//!
//! The lexer is not complete for any language; it knows only strings, comments, names and numbers, which all of them share.

use super::Syntax;
use crate::guard::options::lists;
use crate::guard::shell::{Hole, Word, WordPiece};

/// The maximum number of tokens that are read of an inline program; only generated programs have more.
const MOST_TOKENS: usize = 16 * 1024;
/// The longest string `q(..)`, in characters, whose end is searched.
const LONGEST_STRING: usize = 1024;
/// The deepest nesting of calls in a path expression, such as `str(Path(join(..)))`, that is evaluated.
const DEEPEST: usize = 8;

/// The first of the private-use characters that replace, while a program is split into tokens, the parts that the shell computes.
const FIRST_HOLE: u32 = 0xF0000;
const LAST_HOLE: u32 = 0xFFFFD;

/// Names in an expression that show that it is a standard stream or a temporary file, and no file of the workspace.
const ELSEWHERE: &str = "stdin stdout stderr STDIN STDOUT STDERR tempfile mkstemp mkdtemp mktemp \
                         gettempdir tmpdir tmpname Tempfile";
/// Functions that join their arguments to a path.
const JOINS: &str = "Path PurePath PosixPath Pathname join resolve";
/// Functions that return the path in their first argument.
const SAME: &str = "str String expanduser abspath realpath normpath fspath";

/// One token of an inline program.
#[derive(Clone, Debug)]
pub(super) enum CodeToken {
    Name(String),
    Number,
    /// A string without its quotes, in which a [`Hole`] marks each part that is known only at run time.
    Text(Word),
    /// A string that is run as shell code, such as `` `ls` `` in Perl.
    Code(Word),
    Mark(char),
    /// The end of a line.
    Break,
}

/// One argument of a call: its name, if it has one, and its tokens.
pub(super) struct Argument<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) value: &'a [CodeToken],
}

/// Splits an inline program into tokens.
pub(super) fn tokens(program: &Word, syntax: &Syntax) -> Vec<CodeToken> {
    let is_hole = |piece: &&WordPiece| matches!(piece, WordPiece::Hole(..));
    let holes: Vec<&WordPiece> = program.pieces().iter().filter(is_hole).collect();
    let mut marks = (FIRST_HOLE..=LAST_HOLE).filter_map(char::from_u32);
    let mut text = String::new();
    for piece in program.pieces() {
        match piece {
            WordPiece::Hole(..) => text.extend(marks.next()),
            WordPiece::Text(own) | WordPiece::Glob(own) => {
                text.push_str(&own.replace(is_mark_of_hole, ""));
            }
        }
    }
    let mut lexer = Lexer {
        text: &text,
        at: 0,
        syntax,
        holes,
        unclosed: Vec::new(),
        tokens: Vec::new(),
    };
    while let Some(next) = lexer.rest().chars().next()
        && lexer.tokens.len() < MOST_TOKENS
    {
        lexer.step(next);
    }
    lexer.tokens
}

fn is_mark_of_hole(c: char) -> bool {
    (FIRST_HOLE..=LAST_HOLE).contains(&u32::from(c))
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    syntax: &'a Syntax,
    holes: Vec<&'a WordPiece>,
    /// Kinds of quotes for which the text has no further closing quote, kept so that the search is not repeated.
    unclosed: Vec<String>,
    tokens: Vec<CodeToken>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self, next: char) {
        let rest = self.rest();
        if self.begins_comment() {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if self.syntax.is_perl && (rest.starts_with("->") || rest.starts_with("::")) {
            self.at += 2;
            self.tokens.push(CodeToken::Mark('.'));
        } else if self.syntax.is_perl && rest.starts_with("=>") {
            self.at += 2;
            self.tokens.push(CodeToken::Mark(','));
        } else if is_name(next) {
            let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
            if self.syntax.is_perl && self.named_string(name) {
                return;
            }
            self.at += name.len();
            self.tokens.push(if next.is_ascii_digit() {
                CodeToken::Number
            } else {
                CodeToken::Name(name.to_owned())
            });
        } else if !(self.syntax.quotes.contains(next) && self.string(next)) {
            self.at += next.len_utf8();
            match next {
                '\n' => self.tokens.push(CodeToken::Break),
                blank if blank.is_whitespace() => {}
                mark => self.tokens.push(CodeToken::Mark(mark)),
            }
        }
    }

    /// Returns whether a comment begins at the current position. A comment sign inside a word, as in `$#array` or `http://x`, does not begin one.
    fn begins_comment(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        let stands_free = before.is_none_or(|c| c.is_whitespace() || ";{}(),".contains(c));
        stands_free && self.rest().starts_with(self.syntax.comment)
    }

    /// Reads the string that begins at the current position. Returns `false` if it has no closing quote.
    fn string(&mut self, quote: char) -> bool {
        let triple = quote.to_string().repeat(3);
        let delimiter = if self.syntax.has_triple_quotes && self.rest().starts_with(&triple) {
            triple
        } else {
            quote.to_string()
        };
        let inside = self.rest().get(delimiter.len()..).unwrap_or_default();
        if self.unclosed.contains(&delimiter) {
            return false;
        }
        let Some(length) = end_of_string(inside, &delimiter) else {
            self.unclosed.push(delimiter);
            return false;
        };
        let is_filled = match self.syntax.filled {
            "f" => self.take_prefix().contains(['f', 'F']),
            quotes => quotes.contains(quote),
        };
        self.at += 2 * delimiter.len() + length;
        let text = &inside[..length];
        let word = if is_filled {
            self.filled(text)
        } else {
            self.word(text)
        };
        self.tokens.push(if self.syntax.code.contains(quote) {
            CodeToken::Code(word)
        } else {
            CodeToken::Text(word)
        });
        true
    }

    /// Reads the Perl string that begins at the current position with `name`: `q(..)`, `qq{..}`, `qx/../`. Returns `false` if it is none.
    fn named_string(&mut self, name: &str) -> bool {
        let after = &self.rest()[name.len()..];
        let before = self.text[..self.at].chars().next_back();
        let is_variable = before.is_some_and(|c| "$@%&>".contains(c));
        let Some(open) = after.chars().next().filter(|_| !is_variable) else {
            return false;
        };
        if !lists("q qq qx", name) || !"({[</|!#~'".contains(open) {
            return false;
        }
        let close = match open {
            '(' => ')',
            '{' => '}',
            '[' => ']',
            '<' => '>',
            open => open,
        };
        let inside = &after[1..];
        let Some(length) = inside.chars().take(LONGEST_STRING).position(|c| c == close) else {
            return false;
        };
        let length = inside
            .chars()
            .take(length)
            .map(char::len_utf8)
            .sum::<usize>();
        let text = &inside[..length];
        let word = if name == "q" {
            self.word(text)
        } else {
            self.filled(text)
        };
        self.at += name.len() + length + 2;
        self.tokens.push(if name == "qx" {
            CodeToken::Code(word)
        } else {
            CodeToken::Text(word)
        });
        true
    }

    /// Removes and returns the prefix of a Python string if the last token is one: `rb` in `rb'..'`, `f` in `f".."`.
    fn take_prefix(&mut self) -> String {
        let is_prefix = |name: &str| {
            let letters = name.len() <= 2 && name.chars().all(|c| "rbufRBUF".contains(c));
            letters && self.text[..self.at].ends_with(name)
        };
        match self.tokens.last() {
            Some(CodeToken::Name(name)) if is_prefix(name) => {
                let name = name.clone();
                self.tokens.pop();
                name
            }
            _ => String::new(),
        }
    }

    /// Returns a string in which a [`Hole`] (unknown part) replaces each interpolated value.
    fn filled(&self, text: &str) -> Word {
        let (open, close) = self.syntax.value;
        let mut word = Word::default();
        let mut rest = text;
        while let Some((before, value)) = rest.split_once(open) {
            word.append(&self.word(before));
            word.append(&computed());
            let end = match close {
                // The value is a name.
                ' ' => value.find(|c: char| !c.is_alphanumeric() && !"_{}[]>".contains(c)),
                close => value.find(close).map(|at| at + close.len_utf8()),
            };
            rest = &value[end.unwrap_or(value.len())..];
        }
        word.append(&self.word(rest));
        word
    }

    /// Returns the text as a word, with the shell's computed parts put back in place of the private-use characters.
    fn word(&self, text: &str) -> Word {
        let mut word = Word::default();
        for part in text.split_inclusive(is_mark_of_hole) {
            let known = part.trim_end_matches(is_mark_of_hole);
            word.push_text(known);
            let mark = part.chars().next_back().map_or(0, u32::from);
            let index = mark
                .checked_sub(FIRST_HOLE)
                .and_then(|at| usize::try_from(at).ok());
            if let Some(hole) = index.and_then(|index| self.holes.get(index)) {
                word.push(WordPiece::clone(hole));
            }
        }
        word
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the byte position of the first closing delimiter that is not escaped by a backslash.
fn end_of_string(text: &str, delimiter: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if text[at..].starts_with(delimiter) {
            return Some(at);
        }
    }
    None
}

/// Returns a word for a value that an inline program computes, of which nothing is known.
pub(super) fn computed() -> Word {
    Word::hole(Hole::Other, "..")
}

pub(super) fn name(token: Option<&CodeToken>) -> Option<&str> {
    match token? {
        CodeToken::Name(name) => Some(name),
        _ => None,
    }
}

pub(super) fn mark(token: Option<&CodeToken>) -> Option<char> {
    match token? {
        CodeToken::Mark(mark) => Some(*mark),
        _ => None,
    }
}

/// Returns the text of a string if it is the only token.
pub(super) fn string(tokens: &[CodeToken]) -> Option<String> {
    let mut tokens = tokens
        .iter()
        .filter(|token| !matches!(token, CodeToken::Break));
    match (tokens.next()?, tokens.next()) {
        (CodeToken::Text(text), None) => Some(text.source()),
        _ => None,
    }
}

/// Returns whether one of `names` is among the tokens.
pub(super) fn mentions(tokens: &[CodeToken], names: &str) -> bool {
    let mut own = tokens.iter().filter_map(|token| name(Some(token)));
    own.any(|own| lists(names, own))
}

/// Returns whether the name at the token `at` is called on something: `x.name`.
pub(super) fn is_method(tokens: &[CodeToken], at: usize) -> bool {
    at.checked_sub(1)
        .is_some_and(|before| mark(tokens.get(before)) == Some('.'))
}

/// Returns a string of a program as shell code: without the backslashes of the program, and with a variable for each value that it computes.
pub(super) fn shell_text(word: &Word) -> String {
    let mut code = String::new();
    for piece in word.pieces() {
        match piece {
            WordPiece::Hole(Hole::Other, _) => code.push_str("$_"),
            WordPiece::Hole(_, source) => code.push_str(source),
            WordPiece::Text(text) | WordPiece::Glob(text) => {
                let mut chars = text.chars();
                while let Some(c) = chars.next() {
                    let escaped = if c == '\\' { chars.next() } else { None };
                    match escaped {
                        None => code.push(c),
                        Some('n') => code.push('\n'),
                        Some('t') => code.push('\t'),
                        Some(quote) if "'\"\\`$@/".contains(quote) => code.push(quote),
                        Some(other) => code.extend(['\\', other]),
                    }
                }
            }
        }
    }
    code
}

/// Returns the value of the last assignment `name = value` in the tokens.
pub(super) fn assigned<'a>(tokens: &'a [CodeToken], variable: &str) -> Option<&'a [CodeToken]> {
    let is_assigned = |at: &usize| {
        let after = (mark(tokens.get(at + 1)), mark(tokens.get(at + 2)));
        name(tokens.get(*at)) == Some(variable) && after.0 == Some('=') && after.1 != Some('=')
    };
    let at = (0..tokens.len()).rev().find(is_assigned)?;
    let value = tokens.get(at + 2..)?;
    let mut depth = 0_usize;
    let end = value.iter().position(|token| {
        match token {
            CodeToken::Mark('(' | '[' | '{') => depth += 1,
            CodeToken::Mark(')' | ']' | '}') => depth = depth.saturating_sub(1),
            CodeToken::Mark(';') | CodeToken::Break if depth == 0 => return true,
            _ => {}
        }
        false
    });
    value.get(..end.unwrap_or(value.len()))
}

/// Returns the expression before the final dot of the tokens: `io` in `x = io.`; `None` if the last token is not a dot.
pub(super) fn receiver(before: &[CodeToken]) -> Option<&[CodeToken]> {
    let end = before.len().checked_sub(1)?;
    let mut start = end;
    while mark(before.get(start)) == Some('.') {
        let last = start.checked_sub(1)?;
        start = match before.get(last)? {
            CodeToken::Mark(')' | ']') => {
                let open = opening(before.get(..=last)?)?;
                let is_call = open > 0 && name(before.get(open - 1)).is_some();
                open - usize::from(is_call)
            }
            CodeToken::Mark(_) | CodeToken::Break => return None,
            CodeToken::Name(_) | CodeToken::Number | CodeToken::Text(_) | CodeToken::Code(_) => {
                last
            }
        };
        match start.checked_sub(1) {
            Some(dot) if mark(before.get(dot)) == Some('.') => start = dot,
            _ => return before.get(start..end),
        }
    }
    None
}

/// Returns the index of the opening bracket that the last token closes.
fn opening(tokens: &[CodeToken]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().rev() {
        match token {
            CodeToken::Mark(')' | ']' | '}') => depth += 1,
            CodeToken::Mark('(' | '[' | '{') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns the arguments of a call; `after` begins right after the function name. If `ends` is given, the round brackets may be missing, and
/// the arguments then end at one of these names, at one of `;{|&` or at the end of the line.
pub(super) fn arguments<'a>(
    after: &'a [CodeToken],
    ends: Option<&str>,
) -> Option<Vec<Argument<'a>>> {
    if let Some((CodeToken::Mark('('), inside)) = after.split_first() {
        return Some(separated(inside, |_| false));
    }
    let ends = ends?;
    let stops = |token: &CodeToken| match token {
        CodeToken::Mark(mark) => ";{|&".contains(*mark),
        CodeToken::Name(name) => lists(ends, name),
        CodeToken::Break => true,
        _ => false,
    };
    let first = after.first()?;
    let begins = matches!(
        first,
        CodeToken::Text(_) | CodeToken::Name(_) | CodeToken::Mark('$' | '@' | '\\')
    );
    (begins && !stops(first)).then(|| separated(after, stops))
}

/// Splits tokens into arguments at commas, up to the closing bracket or the first token for which `stops` returns true.
fn separated(tokens: &[CodeToken], stops: impl Fn(&CodeToken) -> bool) -> Vec<Argument<'_>> {
    let mut arguments = Vec::new();
    let (mut depth, mut begin, mut end) = (0_usize, 0, 0);
    for token in tokens {
        match token {
            token if depth == 0 && stops(token) => break,
            CodeToken::Mark(')' | ']' | '}') if depth == 0 => break,
            CodeToken::Mark('(' | '[' | '{') => depth += 1,
            CodeToken::Mark(')' | ']' | '}') => depth -= 1,
            CodeToken::Mark(',') if depth == 0 => {
                arguments.push(argument(&tokens[begin..end]));
                begin = end + 1;
            }
            _ => {}
        }
        end += 1;
    }
    if begin < end {
        arguments.push(argument(&tokens[begin..end]));
    }
    arguments
}

/// Splits a named argument (`mode='w'`, `mode: 'w'`) into name and value; any other argument has no name.
fn argument(tokens: &[CodeToken]) -> Argument<'_> {
    let breaks = tokens
        .iter()
        .take_while(|token| matches!(token, CodeToken::Break));
    match &tokens[breaks.count()..] {
        value @ [_, CodeToken::Mark('='), CodeToken::Mark('='), ..] => {
            Argument { name: None, value }
        }
        [
            CodeToken::Name(name),
            CodeToken::Mark('=' | ':'),
            value @ ..,
        ] if !value.is_empty() => Argument {
            name: Some(name),
            value,
        },
        value => Argument { name: None, value },
    }
}

/// Returns the path that an expression evaluates to, with a [`Hole`] for each unknown part; `None` for a number, a stream or a temporary file.
pub(super) fn path(tokens: &[CodeToken]) -> Option<Word> {
    path_within(tokens, 0)
}

fn path_within(tokens: &[CodeToken], depth: usize) -> Option<Word> {
    let mut tokens = tokens;
    while let [CodeToken::Mark('('), inside @ .., CodeToken::Mark(')')] = tokens
        && opening(tokens) == Some(0)
    {
        tokens = inside;
    }
    if matches!(tokens, [CodeToken::Number]) || mentions(tokens, ELSEWHERE) {
        return None;
    }
    let mut path = Word::default();
    let (mut brackets, mut begin) = (0_usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            CodeToken::Mark('(' | '[' | '{') => brackets += 1,
            CodeToken::Mark(')' | ']' | '}') => brackets = brackets.saturating_sub(1),
            CodeToken::Mark(joint @ ('+' | '/')) if brackets == 0 => {
                path.append(&term(&tokens[begin..at], depth));
                path.push_text(if *joint == '/' { "/" } else { "" });
                begin = at + 1;
            }
            _ => {}
        }
    }
    path.append(&term(&tokens[begin..], depth));
    Some(path)
}

/// Returns one operand of a path expression: the text of strings, the paths that known calls make, and a [`Hole`] (unknown part) for the rest.
fn term(tokens: &[CodeToken], depth: usize) -> Word {
    let mut word = Word::default();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            CodeToken::Text(text) => word.append(text),
            CodeToken::Break => {}
            _ => {
                let called = called(&tokens[at..], depth + 1);
                word.append(&called.unwrap_or_else(computed));
                break;
            }
        }
    }
    word
}

/// Returns the path that a call of a known function such as `join` or `Path` makes; `None` for other functions.
fn called(tokens: &[CodeToken], depth: usize) -> Option<Word> {
    let is_name =
        |token: &&CodeToken| matches!(token, CodeToken::Name(_) | CodeToken::Mark('.' | ':'));
    let names = tokens.iter().take_while(is_name).count();
    let function = name(tokens.get(names.checked_sub(1)?))?;
    if depth > DEEPEST || opening(tokens) != Some(names) {
        return None;
    }
    let arguments = arguments(&tokens[names..], None)?.into_iter();
    let mut paths =
        arguments.map(|argument| path_within(argument.value, depth).unwrap_or_else(computed));
    let mut path = paths.next()?;
    if lists(JOINS, function) {
        for next in paths {
            path.push_text("/");
            path.append(&next);
        }
    } else if !lists(SAME, function) {
        return None;
    }
    Some(path)
}
