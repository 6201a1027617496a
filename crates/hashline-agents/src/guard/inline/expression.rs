//! Calls and their arguments in a list of tokens.

use std::ops::Range;

use super::lex::{Kind, Lexicon, Token, tokens};
use super::program::Program;

/// A program in tokens.
pub(super) struct Expressions<'a> {
    pub(super) program: &'a Program,
    pub(super) lexicon: Lexicon,
    tokens: Vec<Token>,
}

/// One argument of a call: its name, if it has one, and its tokens.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) name: Option<String>,
    pub(super) value: Range<usize>,
}

impl<'a> Expressions<'a> {
    pub(super) fn of(program: &'a Program, lexicon: Lexicon) -> Self {
        let tokens = tokens(program, lexicon);
        Self {
            program,
            lexicon,
            tokens,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns the name at this place.
    pub(super) fn name(&self, at: usize) -> Option<&str> {
        let token = self.tokens.get(at)?;
        (token.kind == Kind::Name).then(|| self.program.slice(token.range.clone()))
    }

    /// Returns the mark at this place.
    pub(super) fn mark(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)?.kind {
            Kind::Mark(c) => Some(c),
            _ => None,
        }
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Returns the token at this place.
    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// Returns the names before this place that are joined by dots: `io` in `io.open`.
    pub(super) fn receiver(&self, at: usize) -> Option<Range<usize>> {
        let end = at
            .checked_sub(1)
            .filter(|dot| self.mark(*dot) == Some('.'))?;
        let mut start = end;
        loop {
            start = self.operand_before(start)?;
            match start.checked_sub(1) {
                Some(dot) if self.mark(dot) == Some('.') => start = dot,
                _ => return Some(start..end),
            }
        }
    }

    /// Returns where the name, string or bracket that ends at `end` begins, with the name of a call before its brackets.
    fn operand_before(&self, end: usize) -> Option<usize> {
        let last = end.checked_sub(1)?;
        match self.kind(last)? {
            Kind::Mark(')' | ']') => {
                let open = self.opening(last)?;
                let is_call = open
                    .checked_sub(1)
                    .is_some_and(|at| self.name(at).is_some());
                Some(if is_call { open - 1 } else { open })
            }
            Kind::Mark(_) | Kind::Break => None,
            Kind::Name | Kind::Number | Kind::Text | Kind::Filled => Some(last),
        }
    }

    /// Returns the bracket that this one closes.
    pub(super) fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (0..=close).rev() {
            match self.mark(at) {
                Some(')' | ']' | '}') => depth += 1,
                Some('(' | '[' | '{') => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// Returns the arguments of the call whose name stands at `at`, if round brackets follow it.
    pub(super) fn call(&self, at: usize) -> Option<Vec<Argument>> {
        (self.mark(at + 1) == Some('(')).then(|| self.arguments(at + 2, |_| false))
    }

    /// Returns the arguments of a call that needs no brackets. Without them it ends with the line, a mark, or one of the names in `ends`.
    pub(super) fn loose_call(&self, at: usize, ends: &[&str]) -> Option<Vec<Argument>> {
        if let Some(arguments) = self.call(at) {
            return Some(arguments);
        }
        let begins = matches!(
            self.kind(at + 1)?,
            Kind::Text | Kind::Filled | Kind::Name | Kind::Mark('$' | '@' | '\\')
        );
        let stops = |at: usize| {
            let is_mark = matches!(self.mark(at), Some(';' | '{' | '|' | '&'));
            let is_name = self.name(at).is_some_and(|name| ends.contains(&name));
            is_mark || is_name || self.kind(at) == Some(Kind::Break)
        };
        (begins && !stops(at + 1)).then(|| self.arguments(at + 1, stops))
    }

    /// Splits the tokens from `start` at commas, up to the bracket that closes them or to where `stops` says so.
    fn arguments(&self, start: usize, stops: impl Fn(usize) -> bool) -> Vec<Argument> {
        let mut arguments = Vec::new();
        let (mut depth, mut begin) = (0_usize, start);
        let mut at = start;
        while at < self.len() {
            match self.mark(at) {
                _ if depth == 0 && stops(at) => break,
                Some(')' | ']' | '}') if depth == 0 => break,
                Some('(' | '[' | '{') => depth += 1,
                Some(')' | ']' | '}') => depth -= 1,
                Some(',') if depth == 0 => {
                    arguments.push(self.argument(begin..at));
                    begin = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        if begin < at {
            arguments.push(self.argument(begin..at));
        }
        arguments
    }

    /// Tells `mode='w'` and `mode: 'w'` from a value without a name.
    fn argument(&self, range: Range<usize>) -> Argument {
        let mut start = range.start;
        while self.kind(start) == Some(Kind::Break) && start < range.end {
            start += 1;
        }
        let named = match (self.name(start), self.mark(start + 1), self.mark(start + 2)) {
            (Some(_), Some('='), Some('=')) => None,
            (Some(name), Some('=' | ':'), _) if start + 2 < range.end => Some(name.to_owned()),
            _ => None,
        };
        let value = match named {
            Some(_) => start + 2..range.end,
            None => start..range.end,
        };
        Argument { name: named, value }
    }

    /// Returns a string that stands alone.
    pub(super) fn string(&self, range: &Range<usize>) -> Option<&str> {
        let tokens = self.tokens.get(range.clone())?;
        let mut tokens = tokens.iter().filter(|token| token.kind != Kind::Break);
        let (token, None) = (tokens.next()?, tokens.next()) else {
            return None;
        };
        let is_string = matches!(token.kind, Kind::Text | Kind::Filled);
        is_string.then(|| self.program.slice(token.range.clone()))
    }

    /// Says whether one of these names stands in the range.
    pub(super) fn mentions(&self, range: &Range<usize>, names: &[&str]) -> bool {
        range
            .clone()
            .any(|at| self.name(at).is_some_and(|name| names.contains(&name)))
    }
}
