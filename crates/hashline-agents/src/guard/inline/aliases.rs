//! Other names under which an inline program calls a function: `from shutil import copy as c`, `o = open`, `{readFileSync: r} = fs`, `fs['open']`.
//!
//! The tokens of the program are rewritten so that each such call has the name that the tables know, with the module before it.

use std::collections::BTreeMap;

use super::tokens::{CodeToken, mark, name};
use crate::guard::options::lists;

/// The longest name, in parts between dots, that is followed: `os.path.join` has three.
const MOST_PARTS: usize = 8;
/// The longest pattern, in tokens, that gives several functions other names: `{readFileSync: r, writeFileSync: w}`.
const LONGEST_PATTERN: usize = 64;

/// Functions that return the module that their argument names.
const IMPORTS: &str = "require import __import__ import_module";
/// Words after which a bracket encloses an expression, not arguments.
const OPERATORS: &str = "new await return typeof yield";

/// Rewrites calls under other names. `knows` says whether a name is that of a function or module in the tables of the language.
pub(super) fn resolved(tokens: Vec<CodeToken>, knows: &dyn Fn(&str) -> bool) -> Vec<CodeToken> {
    // Twice, because what `getattr` is given may be an import.
    let tokens = with_members(with_members(tokens, knows), knows);
    let tokens = unwrapped(&tokens);
    let aliases = Aliases::of(&tokens, knows);
    if aliases.names.is_empty() {
        return tokens;
    }
    aliases.replaced(tokens)
}

/// Returns the tokens with members and modules as plain names: `fs.open` for `fs['open']` and for `require('fs').open`.
fn with_members(tokens: Vec<CodeToken>, knows: &dyn Fn(&str) -> bool) -> Vec<CodeToken> {
    let mut out: Vec<CodeToken> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    while let Some((first, after)) = rest.split_first() {
        let is_value = matches!(
            out.last(),
            Some(CodeToken::Name(_) | CodeToken::Mark(')' | ']'))
        );
        rest = match rest {
            [
                CodeToken::Mark('['),
                CodeToken::Text(text),
                CodeToken::Mark(']'),
                after @ ..,
            ] if is_value && knows(&text.source()) => {
                out.extend([CodeToken::Mark('.'), CodeToken::Name(text.source())]);
                after
            }
            [
                CodeToken::Name(function),
                CodeToken::Mark('('),
                CodeToken::Text(module),
                CodeToken::Mark(')'),
                after @ ..,
            ] if lists(IMPORTS, function) && knows(&module_name(&module.source())) => {
                // `importlib.import_module`
                while mark(out.last()) == Some('.') {
                    out.truncate(out.len().saturating_sub(2));
                }
                out.push(CodeToken::Name(module_name(&module.source())));
                after
            }
            [
                CodeToken::Name(function),
                CodeToken::Mark('('),
                owner @ CodeToken::Name(_),
                CodeToken::Mark(','),
                CodeToken::Text(member),
                CodeToken::Mark(')'),
                after @ ..,
            ] if function == "getattr" => {
                out.extend([
                    owner.clone(),
                    CodeToken::Mark('.'),
                    CodeToken::Name(member.source()),
                ]);
                after
            }
            _ => {
                out.push(first.clone());
                after
            }
        };
    }
    out
}

/// Returns the name of a module without the part that says where it comes from: `fs` for `node:fs` and `fs/promises`.
fn module_name(written: &str) -> String {
    let name = written.strip_prefix("node:").unwrap_or(written);
    name.split('/').next().unwrap_or(name).to_owned()
}

/// Returns the tokens without brackets around the name of a called function: `(fs.open)(..)`.
fn unwrapped(tokens: &[CodeToken]) -> Vec<CodeToken> {
    let mut out: Vec<CodeToken> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_called = match out.last() {
            Some(CodeToken::Name(name)) => !lists(OPERATORS, name),
            Some(CodeToken::Mark(')' | ']')) => true,
            _ => false,
        };
        let after = tokens.get(at + 1..).unwrap_or_default();
        let length = dotted(after).len();
        let ends = (mark(after.get(length)), mark(after.get(length + 1)));
        if mark(Some(token)) == Some('(')
            && !is_called
            && length > 0
            && ends == (Some(')'), Some('('))
        {
            out.extend_from_slice(&after[..length]);
            at += length + 2;
        } else {
            out.push(token.clone());
            at += 1;
        }
    }
    out
}

/// Returns the tokens of the dotted name at the beginning: `fs.promises`; empty if there is none or it is too long.
fn dotted(tokens: &[CodeToken]) -> &[CodeToken] {
    let mut length = 0;
    while name(tokens.get(length)).is_some() {
        if mark(tokens.get(length + 1)) != Some('.') {
            return &tokens[..=length];
        }
        length += 2;
        if length > 2 * MOST_PARTS {
            break;
        }
    }
    &[]
}

/// The other names of functions and modules, each with the tokens of the name that the tables know.
struct Aliases<'a> {
    names: BTreeMap<String, Vec<CodeToken>>,
    knows: &'a dyn Fn(&str) -> bool,
}

impl<'a> Aliases<'a> {
    fn of(tokens: &[CodeToken], knows: &'a dyn Fn(&str) -> bool) -> Self {
        let mut aliases = Self {
            names: BTreeMap::new(),
            knows,
        };
        for at in 0..tokens.len() {
            let here = &tokens[at..];
            match here {
                [CodeToken::Name(word), after @ ..] if word == "from" => aliases.import(after),
                [
                    CodeToken::Name(own),
                    CodeToken::Name(word),
                    CodeToken::Name(alias),
                    ..,
                ] if word == "as" => {
                    aliases.add(alias, &[CodeToken::Name(own.clone())]);
                }
                [CodeToken::Name(alias), CodeToken::Mark('='), value @ ..] => {
                    let value = dotted(value);
                    let end = here.get(2 + value.len());
                    let is_whole = matches!(
                        end,
                        None | Some(CodeToken::Break | CodeToken::Mark(';' | ',' | '}'))
                    );
                    if is_whole {
                        aliases.add(alias, value);
                    }
                }
                [CodeToken::Mark('}'), CodeToken::Mark('='), ..]
                | [
                    CodeToken::Mark('}'),
                    CodeToken::Mark(')'),
                    CodeToken::Mark('='),
                    ..,
                ] => {
                    aliases.pattern(&tokens[at.saturating_sub(LONGEST_PATTERN)..at]);
                }
                _ => {}
            }
        }
        aliases
    }

    /// Adds the names of Python's `from MODULE import NAME, NAME as ALIAS`; `after` begins after `from`.
    fn import(&mut self, after: &[CodeToken]) {
        let module = dotted(after);
        let names = match after.get(module.len()..) {
            Some([CodeToken::Name(word), names @ ..]) if word == "import" && !module.is_empty() => {
                names
            }
            _ => return,
        };
        let is_end = |token: &&CodeToken| matches!(token, CodeToken::Break | CodeToken::Mark(';'));
        let end = names
            .iter()
            .take(LONGEST_PATTERN)
            .position(|token| is_end(&token));
        let names = &names[..end.unwrap_or(names.len().min(LONGEST_PATTERN))];
        for item in names.split(|token| mark(Some(token)) == Some(',')) {
            let own = item.iter().find_map(|token| name(Some(token)));
            let alias = item.iter().rev().find_map(|token| name(Some(token)));
            if let (Some(own), Some(alias)) = (own, alias) {
                let member = [CodeToken::Mark('.'), CodeToken::Name(own.to_owned())];
                self.add(alias, &[module, &member].concat());
            }
        }
    }

    /// Adds the names of a pattern `{open: o, read: r}`; `before` ends before its closing bracket.
    fn pattern(&mut self, before: &[CodeToken]) {
        let begin = before
            .iter()
            .rposition(|token| mark(Some(token)) == Some('{'));
        let inside = begin.map_or(&[][..], |begin| &before[begin + 1..]);
        for item in inside.split(|token| mark(Some(token)) == Some(',')) {
            if let [
                CodeToken::Name(own),
                CodeToken::Mark(':'),
                CodeToken::Name(alias),
            ] = item
            {
                self.add(alias, &[CodeToken::Name(own.clone())]);
            }
        }
    }

    /// Records that `alias` is another name of `own`, if the tables know that one.
    fn add(&mut self, alias: &str, own: &[CodeToken]) {
        let Some((first, rest)) = own.split_first() else {
            return;
        };
        let first = name(Some(first)).and_then(|first| self.names.get(first).cloned());
        let whole = match first {
            Some(first) => [first.as_slice(), rest].concat(),
            None => own.to_vec(),
        };
        let is_known = name(whole.last()).is_some_and(|last| (self.knows)(last));
        let is_same = whole.len() == 1 && name(whole.first()) == Some(alias);
        if is_known && !is_same && whole.len() <= 2 * MOST_PARTS {
            // The first definition has the module before the name.
            self.names.entry(alias.to_owned()).or_insert(whole);
        }
    }

    fn replaced(&self, tokens: Vec<CodeToken>) -> Vec<CodeToken> {
        let mut out: Vec<CodeToken> = Vec::with_capacity(tokens.len());
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let is_part = matches!(mark(out.last()), Some('.' | '$' | '@'));
            // `dst=` is an argument, or the definition itself.
            let is_named = mark(tokens.peek()) == Some('=');
            let alias = name(Some(&token)).and_then(|name| self.names.get(name));
            match alias {
                Some(own) if !is_part && !is_named => out.extend_from_slice(own),
                _ => out.push(token),
            }
        }
        out
    }
}
