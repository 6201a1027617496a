//! The parser of shell words: removes quotes, recognizes globs, parses substitutions, expands braces.

use std::rc::Rc;

use super::escapes;
use super::parser::{EXPANSION, Parser, ShellResult, end_of_arithmetic};
use super::{Hole, ProcessDirection, Script, Word, WordPiece};
use crate::guard::verdict::Unsure;

/// The maximum number of words that brace expansion (`{a,b}`) of one word may produce; beyond that, the word is not expanded.
const MOST_WORDS: usize = 64;
/// The maximum number of parts (text, braces, commas) of a word whose braces are expanded.
const MOST_MARKS: usize = 256;
/// The maximum number of bytes of a glob `[..]`; a bracket that is not closed within them is plain text.
const LONGEST_GLOB: usize = 256;

/// Which quotes are around the current character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Bare,
    Double,
    /// The body of an unquoted heredoc: like double quotes, but `"` is plain text.
    Heredoc,
}

/// A part of a word before brace expansion.
#[derive(Clone)]
enum BracePart {
    Word(Word),
    /// An unquoted `{`, `,` or `}`.
    Mark(char),
}

impl<'a> Parser<'a> {
    /// Parses an argument, which brace expansion (`{a,b}`) may turn into several words.
    pub(super) fn words(&mut self) -> ShellResult<Vec<Word>> {
        let parts = self.parts()?;
        let expanded = if parts.len() <= MOST_MARKS {
            expanded(&parts)
        } else {
            None
        };
        Ok(expanded.unwrap_or_else(|| vec![joined(&parts)]))
    }

    /// Parses a word without brace expansion. The word may be empty.
    pub(super) fn word(&mut self) -> ShellResult<Word> {
        Ok(joined(&self.parts()?))
    }

    /// Parses the whole text as the body of an unquoted heredoc.
    pub(super) fn heredoc_word(&mut self) -> ShellResult<Word> {
        let mut word = Word::default();
        while let Some(next) = self.rest().chars().next() {
            self.piece(next, &mut word, Quoting::Heredoc)?;
        }
        Ok(word)
    }

    fn parts(&mut self) -> ShellResult<Vec<BracePart>> {
        let mut parts = Vec::new();
        let mut word = Word::default();
        self.home(&mut word);
        while let Some(next) = self.rest().chars().next() {
            let is_bracket_next = self.rest()[next.len_utf8()..].starts_with('(');
            match next {
                '<' | '>' if is_bracket_next => self.process(next, &mut word)?,
                '?' | '*' | '+' | '@' | '!' if is_bracket_next => self.extended_glob(&mut word)?,
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '{' | '}' | ',' => {
                    self.at += 1;
                    parts.push(BracePart::Word(std::mem::take(&mut word)));
                    parts.push(BracePart::Mark(next));
                }
                _ => self.piece(next, &mut word, Quoting::Bare)?,
            }
        }
        parts.push(BracePart::Word(word));
        Ok(parts)
    }

    /// Parses `~` or `~user` at the beginning of a word and appends it to `word`.
    fn home(&mut self, word: &mut Word) {
        let rest = self.rest();
        let Some(name) = rest.strip_prefix('~') else {
            return;
        };
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.+".contains(c)));
        let (name, after) = name.split_at(end.unwrap_or(name.len()));
        let ends = after.is_empty()
            || after.starts_with(|c: char| c.is_whitespace() || "/;&|<>()".contains(c));
        if !ends {
            return;
        }
        self.at += 1 + name.len();
        match name {
            "+" => word.push_text("."),
            _ => word.push_hole(Hole::Home, &rest[..=name.len()]),
        }
    }

    fn process(&mut self, sign: char, word: &mut Word) -> ShellResult<()> {
        self.at += 2;
        let script = self.substitution()?;
        let (direction, source) = match sign {
            '<' => (ProcessDirection::From, "<(..)"),
            _ => (ProcessDirection::To, ">(..)"),
        };
        word.push_hole(Hole::Process(direction, script), source);
        Ok(())
    }

    /// Parses an extended glob: `!(a|b)`, `?(a)`, `*(a)`, `+(a)` or `@(a)`.
    fn extended_glob(&mut self, word: &mut Word) -> ShellResult<()> {
        let rest = self.rest();
        let mut depth = 0_usize;
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => {
                    word.push(WordPiece::Glob(rest[..=at].to_owned()));
                    self.at += at + 1;
                    return Ok(());
                }
                b')' => depth -= 1,
                b'\n' => break,
                _ => {}
            }
        }
        Err(Unsure::NotShell)
    }

    /// Parses one quoted string, expansion, glob or character and appends it to `word`.
    fn piece(&mut self, next: char, word: &mut Word, quoting: Quoting) -> ShellResult<()> {
        match (next, quoting) {
            ('\\', _) => self.escape(word, quoting),
            ('$', _) => return self.dollar(word, quoting),
            ('`', _) => return self.backquotes(word, quoting),
            ('\'', Quoting::Bare) => {
                let inside = self.quoted_text(1)?;
                word.push_text(inside);
            }
            ('"', Quoting::Bare | Quoting::Double) => {
                self.at += 1;
                return self.nested(EXPANSION, |parser| parser.double_quotes(word));
            }
            ('*' | '?' | '[', Quoting::Bare) => self.glob(next, word),
            _ => {
                self.at += next.len_utf8();
                word.push_text(next.encode_utf8(&mut [0; 4]));
            }
        }
        Ok(())
    }

    /// Skips `length` bytes that open a single-quoted string, and returns the text up to the closing quote.
    fn quoted_text(&mut self, length: usize) -> ShellResult<&'a str> {
        let inside = self.rest().get(length..).unwrap_or_default();
        let end = inside.find('\'').ok_or(Unsure::NotShell)?;
        self.at += length + end + 1;
        Ok(&inside[..end])
    }

    fn double_quotes(&mut self, word: &mut Word) -> ShellResult<()> {
        loop {
            match self.rest().chars().next() {
                None => return Err(Unsure::NotShell),
                Some('"') => break,
                Some(next) => self.piece(next, word, Quoting::Double)?,
            }
        }
        self.at += 1;
        Ok(())
    }

    fn escape(&mut self, word: &mut Word, quoting: Quoting) {
        let next = self.rest().chars().nth(1);
        let escapes = match (quoting, next) {
            (_, None) => false,
            (_, Some('\n')) | (Quoting::Bare, _) => true,
            (Quoting::Double, Some(next)) => "$`\"\\".contains(next),
            (Quoting::Heredoc, Some(next)) => "$`\\".contains(next),
        };
        self.at += 1;
        match next {
            Some(next) if escapes => {
                self.at += next.len_utf8();
                if next != '\n' {
                    word.push_text(next.encode_utf8(&mut [0; 4]));
                }
            }
            _ => word.push_text("\\"),
        }
    }

    fn glob(&mut self, next: char, word: &mut Word) {
        let rest = self.rest();
        let length = match next {
            '[' => {
                let mut bytes = rest.bytes().take(LONGEST_GLOB);
                let end = bytes.position(|byte| b" \t\n;&|<>()'\"\\$`]".contains(&byte));
                end.filter(|end| rest[*end..].starts_with(']'))
                    .map(|end| end + 1)
            }
            _ => Some(1),
        };
        self.at += length.unwrap_or(1);
        match length {
            Some(length) => word.push(WordPiece::Glob(rest[..length].to_owned())),
            // A lone bracket is text: `[ -f x ]`.
            None => word.push_text("["),
        }
    }

    /// Parses the expansion that begins with `$`; a `$` that begins none is plain text.
    fn dollar(&mut self, word: &mut Word, quoting: Quoting) -> ShellResult<()> {
        let start = self.at;
        self.at += 1;
        let rest = self.rest();
        let next = rest.chars().next().unwrap_or(' ');
        let hole = match next {
            '\'' if quoting == Quoting::Bare => return self.escaped_quotes(word),
            // The quotes of `$".."` follow.
            '"' if quoting == Quoting::Bare => return Ok(()),
            '(' | '[' if let Some(length) = end_of_arithmetic(rest) => {
                let inside = &rest[..length];
                self.at += length;
                Hole::Arithmetic(self.scripts_in(inside)?)
            }
            '(' => {
                self.at += 1;
                Hole::Substitution(self.substitution()?)
            }
            '{' => {
                self.at += 1;
                self.nested(EXPANSION, |parser| parser.parameter(quoting))?
            }
            '0'..='9' | '@' | '*' | '#' | '?' | '-' | '$' | '!' => {
                self.at += 1;
                Hole::variable("")
            }
            _ => match self.name() {
                "" => {
                    word.push_text("$");
                    return Ok(());
                }
                name => Hole::variable(name),
            },
        };
        word.push_hole(hole, &self.text[start..self.at]);
        Ok(())
    }

    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &rest[..end.unwrap_or(rest.len())];
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            return "";
        }
        self.at += name.len();
        name
    }

    /// Parses a string `$'..'`; the parser is already past the `$`.
    fn escaped_quotes(&mut self, word: &mut Word) -> ShellResult<()> {
        let inside = &self.rest()[1..];
        let mut escaped = false;
        for (at, byte) in inside.bytes().enumerate() {
            match byte {
                b'\'' if !escaped => {
                    word.push_text(&escapes::decoded(&inside[..at]));
                    self.at += at + 2;
                    return Ok(());
                }
                _ => escaped = byte == b'\\' && !escaped,
            }
        }
        Err(Unsure::NotShell)
    }

    /// Returns the scripts of the substitutions in text that is not split into words: arithmetic or a subscript. Text that cannot be parsed
    /// has none.
    pub(super) fn scripts_in(&mut self, text: &str) -> ShellResult<Vec<Rc<Script>>> {
        if !text.contains(['$', '`']) {
            return Ok(Vec::new());
        }
        let word = self.nested(EXPANSION, |parser| {
            let mut inner = Parser::new(text);
            inner.depth = parser.depth;
            inner.heredoc_word()
        });
        match word {
            Ok(word) => Ok(word.scripts().map(|(_, script)| script.clone()).collect()),
            Err(Unsure::NotShell) => Ok(Vec::new()),
            Err(unsure) => Err(unsure),
        }
    }

    /// Parses `${..}`; the parser is already past the `${`.
    fn parameter(&mut self, quoting: Quoting) -> ShellResult<Hole> {
        let is_plain = !self.eat("!") && (self.rest().starts_with("#}") || !self.eat("#"));
        let name = self.name().to_owned();
        let operator = self.rest();
        let is = |signs: &[&str]| is_plain && signs.iter().any(|sign| operator.starts_with(sign));
        let begins = is(&["}", "%", ":-", "-", ":=", "=", ":?", "?"]);
        let holds = is_plain && !is(&[":+", "+"]);
        let mut operand = Word::default();
        while !self.eat("}") {
            match self.rest().chars().next() {
                None => return Err(Unsure::NotShell),
                Some('\\') if self.eat("\\}") => {}
                Some(next) => self.piece(next, &mut operand, quoting)?,
            }
        }
        let scripts = operand.scripts().map(|(_, script)| script.clone());
        Ok(Hole::Variable {
            name: if holds { name } else { String::new() },
            is_beginning: begins,
            scripts: scripts.collect(),
        })
    }

    /// Parses a command substitution in backquotes. Its code is the text between them, without the backslashes that escape `` ` ``, `$` and `\`.
    fn backquotes(&mut self, word: &mut Word, quoting: Quoting) -> ShellResult<()> {
        let start = self.at;
        let mut code = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        let length = loop {
            let (at, c) = chars.next().ok_or(Unsure::NotShell)?;
            match c {
                '`' => break at + 1,
                '\\' => {
                    let (_, next) = chars.next().ok_or(Unsure::NotShell)?;
                    let escapes =
                        "`\\$".contains(next) || (next == '"' && quoting == Quoting::Double);
                    if !escapes {
                        code.push('\\');
                    }
                    code.push(next);
                }
                c => code.push(c),
            }
        };
        self.at += length;
        let script = self.nested(EXPANSION, |parser| {
            let mut inner = Parser::new(&code);
            inner.depth = parser.depth;
            inner.program()
        })?;
        word.push_hole(
            Hole::Substitution(script.into()),
            &self.text[start..self.at],
        );
        Ok(())
    }
}

/// Joins the parts of a word without brace expansion.
fn joined(parts: &[BracePart]) -> Word {
    let mut word = Word::default();
    for part in parts {
        match part {
            BracePart::Word(own) => word.append(own),
            BracePart::Mark(mark) => word.push_text(mark.encode_utf8(&mut [0; 4])),
        }
    }
    word
}

/// Expands the brace lists of a word, such as `a{b,c}`, into several words; `None` if there are more than [`MOST_WORDS`].
fn expanded(parts: &[BracePart]) -> Option<Vec<Word>> {
    let Some((start, commas, end)) = first_list(parts) else {
        return Some(vec![joined(parts)]);
    };
    let before = joined(&parts[..start]);
    let after = expanded(&parts[end + 1..])?;
    let mut words = Vec::new();
    let mut begin = start + 1;
    for comma in commas.into_iter().chain([end]) {
        for choice in expanded(&parts[begin..comma])? {
            for rest in &after {
                let mut word = before.clone();
                word.append(&choice);
                word.append(rest);
                words.push(word);
            }
        }
        begin = comma + 1;
    }
    (words.len() <= MOST_WORDS).then_some(words)
}

/// Returns the indexes of the opening brace, the commas and the closing brace of the first brace list, such as `{a,b}`.
fn first_list(parts: &[BracePart]) -> Option<(usize, Vec<usize>, usize)> {
    let marks = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| match part {
            BracePart::Mark(mark) => Some((at, *mark)),
            BracePart::Word(_) => None,
        });
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut first: Option<(usize, Vec<usize>, usize)> = None;
    for (at, mark) in marks {
        match (mark, open.last_mut()) {
            ('{', _) => open.push((at, Vec::new())),
            (',', Some((_, commas))) => commas.push(at),
            ('}', Some(_)) => {
                let (start, commas) = open.pop()?;
                let is_first = first.as_ref().is_none_or(|(other, ..)| start < *other);
                if is_first && !commas.is_empty() {
                    first = Some((start, commas, at));
                }
            }
            _ => {}
        }
    }
    first
}
