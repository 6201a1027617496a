//! The parser of redirections and heredocs.

use std::cell::OnceCell;
use std::rc::Rc;

use super::parser::{LONGEST_NAME, Parser, ShellResult, is_name};
use super::{HereText, Hole, Redirect, RedirectTarget, Word, WordPiece};
use crate::guard::verdict::Unsure;

/// The redirection operators, longest first, because the parser takes the first operator that matches.
const OPERATORS: &[&str] = &[
    "&>>", "&>", "<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">|", ">&", ">",
];

/// The file descriptor assumed for `{fd}>x`, where the shell chooses a free one from 10 on and stores its number in the variable `fd`.
const CHOSEN_DESCRIPTOR: i32 = 10;

/// A heredoc whose operator has been parsed, but not its body, which begins after the next newline.
pub(super) struct OpenHeredoc {
    end: String,
    strips_tabs: bool,
    literal: bool,
    /// The number of command substitutions around the heredoc's operator.
    level: usize,
    body: Rc<OnceCell<String>>,
}

impl Parser<'_> {
    /// Parses the redirection at the current position; returns `None` if there is none.
    pub(super) fn redirect(&mut self) -> ShellResult<Option<Redirect>> {
        let (fd, length) = descriptor(self.rest());
        let after = self.rest().get(length..).unwrap_or_default();
        let Some(operator) = OPERATORS.iter().find(|sign| after.starts_with(**sign)) else {
            return Ok(None);
        };
        let is_process = operator.len() == 1 && after[1..].starts_with('(');
        if is_process || (length > 0 && operator.starts_with('&')) {
            return Ok(None);
        }
        self.at += length + operator.len();
        self.blanks();
        if !self.begins_word() {
            return Err(Unsure::NotShell);
        }
        if matches!(*operator, "<<" | "<<-") {
            let target = self.heredoc(*operator == "<<-")?;
            return Ok(Some(Redirect {
                fd: fd.unwrap_or(0),
                target,
            }));
        }
        let word = self.word()?;
        let (usual, target) = match *operator {
            "<" => (0, RedirectTarget::Input(word)),
            "<>" => (0, RedirectTarget::InputOutput(word)),
            "<<<" => (0, RedirectTarget::Here(HereText::String(word))),
            "<&" => (0, RedirectTarget::Duplicate(number(&word))),
            "&>" | "&>>" => (1, RedirectTarget::Both(word)),
            ">&" if names_a_file(&word) && matches!(fd, None | Some(1)) => {
                (1, RedirectTarget::Both(word))
            }
            ">&" if !names_a_file(&word) => (1, RedirectTarget::Duplicate(number(&word))),
            _ => (1, RedirectTarget::Output(word)),
        };
        let fd = fd.unwrap_or(usual);
        Ok(Some(Redirect { fd, target }))
    }

    fn heredoc(&mut self, strips_tabs: bool) -> ShellResult<RedirectTarget> {
        let start = self.at;
        let end = self.word()?.source();
        let literal = self.text[start..self.at].contains(['\'', '"', '\\']);
        let body = Rc::new(OnceCell::new());
        self.heredocs.push(OpenHeredoc {
            end,
            strips_tabs,
            literal,
            level: self.level,
            body: Rc::clone(&body),
        });
        Ok(RedirectTarget::Here(HereText::Document { body, literal }))
    }

    /// Reads the heredoc bodies that begin after the newline just parsed. Heredocs whose operator is outside the current substitution begin later.
    pub(super) fn heredoc_bodies(&mut self) -> ShellResult<()> {
        if self
            .heredocs
            .iter()
            .all(|heredoc| heredoc.level < self.level)
        {
            return Ok(());
        }
        let heredocs = std::mem::take(&mut self.heredocs);
        for heredoc in heredocs {
            if heredoc.level < self.level {
                self.heredocs.push(heredoc);
                continue;
            }
            let body = self.heredoc_body(&heredoc)?;
            // The cell is new, so it takes the body.
            let _ = heredoc.body.set(body);
        }
        Ok(())
    }

    fn heredoc_body(&mut self, heredoc: &OpenHeredoc) -> ShellResult<String> {
        let mut body = String::new();
        let mut is_continued = false;
        loop {
            let line = self.rest().split_inclusive('\n').next();
            let written = line.ok_or(Unsure::NotShell)?;
            self.at += written.len();
            let line = if heredoc.strips_tabs {
                written.trim_start_matches('\t')
            } else {
                written
            };
            let text = line.strip_suffix('\n').unwrap_or(line);
            if text == heredoc.end && !is_continued {
                return Ok(body);
            }
            body.push_str(line);
            let backslashes = text.len() - text.trim_end_matches('\\').len();
            is_continued = !heredoc.literal && backslashes % 2 == 1;
        }
    }
}

/// Returns the file descriptor written before a redirection operator (`2` in `2>x`), if any, and its length in bytes.
fn descriptor(text: &str) -> (Option<i32>, usize) {
    let mut bytes = text.bytes().take(LONGEST_NAME);
    let end = bytes
        .position(|byte| byte == b'<' || byte == b'>')
        .unwrap_or(0);
    let before = &text[..end];
    let name = before
        .strip_prefix('{')
        .and_then(|name| name.strip_suffix('}'));
    match before.parse() {
        Ok(number) if before.starts_with(|c: char| c.is_ascii_digit()) => (Some(number), end),
        _ if name.is_some_and(is_name) => (Some(CHOSEN_DESCRIPTOR), end),
        _ => (None, 0),
    }
}

/// Returns whether the word after `>&` names a file: text that is not a number or `-`. A variable is assumed to hold a descriptor.
fn names_a_file(word: &Word) -> bool {
    word.text().is_some_and(|text| text != "-") && number(word).is_none()
}

/// Parses a descriptor number: `2`, or `2-`, which moves the descriptor. A variable holds the number that the shell chose.
fn number(word: &Word) -> Option<i32> {
    if let [WordPiece::Hole(Hole::Variable { .. }, _)] = word.pieces() {
        return Some(CHOSEN_DESCRIPTOR);
    }
    let text = word.text()?;
    text.strip_suffix('-').unwrap_or(&text).parse().ok()
}
