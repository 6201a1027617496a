//! Heredocs, taken out of a text before the parser sees it.
//!
//! The parser reads `${..}` and `$(..)` after a heredoc's operator wrongly, and looks for the end of a substitution in the bodies of the
//! heredocs in it. So each operator becomes a here-string of a marker, its body is cut out, and the lowering puts the heredoc back where
//! it meets the marker. Where the reading becomes doubtful the text is left as it is, and the parser has to do without.

use std::borrow::Cow;
use std::rc::Rc;

use super::Here;
use crate::guard::data;

/// Stands on both sides of a heredoc's number. It is a character that no system has a meaning for.
const MARK: char = '\u{e0f4}';

/// Arithmetic is looked through so far for its end.
const LONGEST_ARITHMETIC: usize = 1024;

/// Returns the text without its heredocs, which are added to `found`. None if it has none, or it cannot be told.
pub(super) fn taken_out(text: &str, found: &mut Vec<Here>) -> Option<String> {
    if !text.contains("<<") {
        return None;
    }
    let mut reading = Reading {
        rest: text,
        out: String::with_capacity(text.len()),
        open: Vec::new(),
        tags: Vec::new(),
        found: found.clone(),
        begins_word: true,
    };
    while let Some(next) = reading.rest.chars().next() {
        reading.step(next)?;
    }
    let is_whole = reading.open.is_empty() && reading.tags.is_empty();
    if !is_whole || reading.found.len() == found.len() {
        return None;
    }
    *found = reading.found;
    Some(reading.out)
}

/// Returns the heredoc that the word of a here-string stands for.
pub(super) fn marked<'a>(word: &str, found: &'a [Here]) -> Option<&'a Here> {
    let number = word.strip_prefix(MARK)?.strip_suffix(MARK)?;
    found.get(number.parse::<usize>().ok()?)
}

/// Returns a text as it may be shown: two dots for each marker.
pub(super) fn unmarked(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    // Every other part stands between marks.
    let parts = text.split(MARK).enumerate();
    let shown = parts.map(|(at, part)| if at % 2 == 0 { part } else { ".." });
    Cow::Owned(shown.collect())
}

/// What is open, and ends with something else than the text around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Round brackets, and how many `case` are open in them: the patterns of those end with a bracket too.
    Round {
        substitutes: bool,
        cases: usize,
    },
    Backquote,
    Brace,
    Double,
}

/// A heredoc whose body has not come yet.
struct Tag {
    name: String,
    /// Whether tabs may stand before its lines.
    indented: bool,
    is_quoted: bool,
    /// The heredoc's place among those that were found.
    number: usize,
    /// So many substitutions were open around it.
    level: usize,
}

/// How far the text is read.
struct Reading<'a> {
    rest: &'a str,
    out: String,
    open: Vec<Open>,
    tags: Vec<Tag>,
    found: Vec<Here>,
    begins_word: bool,
}

impl Reading<'_> {
    /// Reads on; nothing where it becomes doubtful.
    fn step(&mut self, next: char) -> Option<()> {
        let begins = |sign: &str| self.rest.starts_with(sign);
        match next {
            '\\' => self.take(1 + self.rest.chars().nth(1).map_or(0, char::len_utf8)),
            '$' if begins("$((") || begins("$[") => self.arithmetic(1),
            '$' if begins("$(") => self.open(2, round(true)),
            '$' if begins("${") => self.open(2, Open::Brace),
            '`' if self.open.contains(&Open::Backquote) => self.close_backquote(),
            '`' => self.open(1, Open::Backquote),
            '"' if self.open.last() == Some(&Open::Double) => self.close(),
            '}' if self.open.last() == Some(&Open::Brace) => self.close(),
            _ => return self.step_outside(next),
        }
        Some(())
    }

    /// Reads what double quotes take the meaning from.
    fn step_outside(&mut self, next: char) -> Option<()> {
        let begins = |sign: &str| self.rest.starts_with(sign);
        match next {
            '"' => self.open(1, Open::Double),
            '\'' if !self.is_in_double() => self.take(self.rest[1..].find('\'')? + 2),
            '$' if begins("$'") && !self.is_in_double() => {
                self.take(data::end_of_escaped(&self.rest[2..])? + 2);
            }
            _ if self.is_code() => return self.step_in_code(next),
            _ => self.take(next.len_utf8()),
        }
        Some(())
    }

    fn step_in_code(&mut self, next: char) -> Option<()> {
        let begins = |sign: &str| self.rest.starts_with(sign);
        match next {
            '#' if self.begins_word => self.comment(),
            '\n' => return self.line(),
            '<' if begins("<<<") => self.take(3),
            '<' if begins("<<") => return self.operator(),
            '<' | '>' if begins("<(") || begins(">(") => self.open(2, round(true)),
            '(' if begins("((") => self.arithmetic(0),
            '(' => self.open(1, round(false)),
            ')' => self.close_round(),
            _ if self.begins_word => self.word(next),
            _ => self.take(next.len_utf8()),
        }
        Some(())
    }

    fn is_code(&self) -> bool {
        matches!(
            self.open.last(),
            None | Some(Open::Round { .. } | Open::Backquote)
        )
    }

    /// Says whether double quotes are around, with nothing but braces between.
    fn is_in_double(&self) -> bool {
        let around = self.open.iter().rev().find(|open| **open != Open::Brace);
        around == Some(&Open::Double)
    }

    fn take(&mut self, length: usize) {
        let (taken, rest) = self.rest.split_at(length);
        self.out.push_str(taken);
        self.rest = rest;
        self.begins_word = taken.ends_with(ends_word);
    }

    fn open(&mut self, length: usize, open: Open) {
        self.take(length);
        self.open.push(open);
        self.begins_word = true;
    }

    fn close(&mut self) {
        self.take(1);
        self.open.pop();
    }

    fn close_backquote(&mut self) {
        self.take(1);
        while !matches!(self.open.pop(), None | Some(Open::Backquote)) {}
    }

    fn close_round(&mut self) {
        match self.open.last() {
            Some(Open::Round { cases: 0, .. }) => self.close(),
            _ => self.take(1),
        }
    }

    /// Reads arithmetic as a whole, in which `<<` is no heredoc; or a bracket that only looks like it.
    fn arithmetic(&mut self, before: usize) {
        match end_of_arithmetic(&self.rest[before..]) {
            Some(length) => self.take(before + length),
            None if self.rest.starts_with("$[") => self.take(2),
            None => self.open(before + 1, round(before > 0)),
        }
    }

    fn comment(&mut self) {
        let ends = |c: char| c == '\n' || (c == '`' && self.open.contains(&Open::Backquote));
        self.take(self.rest.find(ends).unwrap_or(self.rest.len()));
    }

    fn word(&mut self, first: char) {
        let ends = |c: char| ends_word(c) || "\\\"'$".contains(c);
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        if let Some(Open::Round { cases, .. }) = self.open.last_mut() {
            match &self.rest[..end] {
                "case" => *cases += 1,
                "esac" => *cases = cases.saturating_sub(1),
                _ => {}
            }
        }
        self.take(end.max(first.len_utf8()));
    }

    fn level(&self) -> usize {
        let substitutes = |open: &&Open| {
            let is_round = matches!(
                open,
                Open::Round {
                    substitutes: true,
                    ..
                }
            );
            is_round || **open == Open::Backquote
        };
        self.open.iter().filter(substitutes).count()
    }

    /// Reads `<<TAG`, and writes the marker for it.
    fn operator(&mut self) -> Option<()> {
        let after = &self.rest[2..];
        let (indented, after) = match after.strip_prefix('-') {
            Some(after) => (true, after),
            None => (false, after),
        };
        let (name, is_quoted, rest) = tag(after.trim_start_matches([' ', '\t']))?;
        let number = self.found.len();
        self.tags.push(Tag {
            name,
            indented,
            is_quoted,
            number,
            level: self.level(),
        });
        self.found.push(Here::Literal(Rc::from("")));
        self.out.push_str(&format!("<<<{MARK}{number}{MARK}"));
        self.rest = rest;
        self.begins_word = false;
        Some(())
    }

    /// Reads the end of a line, and cuts out the bodies that begin after it: not those of a command around the substitution it ends in.
    fn line(&mut self) -> Option<()> {
        self.take(1);
        let level = self.level();
        let (now, later) = std::mem::take(&mut self.tags)
            .into_iter()
            .partition(|tag| tag.level >= level);
        self.tags = later;
        let now: Vec<Tag> = now;
        now.iter().try_for_each(|tag| self.body(tag))
    }

    fn body(&mut self, tag: &Tag) -> Option<()> {
        let mut body = String::new();
        let mut goes_on = false;
        while !self.rest.is_empty() {
            let line = self.rest.split_inclusive('\n').next()?;
            self.rest = &self.rest[line.len()..];
            let line = match tag.indented {
                true => line.trim_start_matches('\t'),
                false => line,
            };
            let text = line.strip_suffix('\n').unwrap_or(line);
            if text == tag.name && !goes_on {
                *self.found.get_mut(tag.number)? = here(&body, tag.is_quoted);
                return Some(());
            }
            body.push_str(line);
            let backslashes = text.len() - text.trim_end_matches('\\').len();
            goes_on = !tag.is_quoted && backslashes % 2 == 1;
        }
        None
    }
}

fn round(substitutes: bool) -> Open {
    let cases = 0;
    Open::Round { substitutes, cases }
}

fn here(body: &str, is_quoted: bool) -> Here {
    match is_quoted {
        true => Here::Literal(Rc::from(body)),
        false => Here::Expanded(Rc::from(body)),
    }
}

/// Reads the word that names the end of a heredoc, quotes removed. Returns it, whether it was quoted, and what follows it.
fn tag(text: &str) -> Option<(String, bool, &str)> {
    let (mut name, mut is_quoted, mut rest) = (String::new(), false, text);
    while let Some(next) = rest.chars().next().filter(|c| !ends_word(*c)) {
        let after = &rest[next.len_utf8()..];
        let (piece, after) = match next {
            '\'' | '"' => after.split_once(next)?,
            '\\' => after.split_at(after.chars().next()?.len_utf8()),
            '$' if after.starts_with(['\'', '"', '(', '{']) => return None,
            _ => rest.split_at(next.len_utf8()),
        };
        is_quoted |= "'\"\\".contains(next);
        name.push_str(piece);
        rest = after;
    }
    let is_one = (is_quoted || !name.is_empty()) && !name.contains('\n');
    is_one.then_some((name, is_quoted, rest))
}

/// Returns the length of `((..))` or `[..]`, if the text begins with one.
fn end_of_arithmetic(text: &str) -> Option<usize> {
    if text.starts_with('[') {
        let mut bytes = text.bytes().take(LONGEST_ARITHMETIC);
        return bytes.position(|byte| byte == b']').map(|end| end + 1);
    }
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().take(LONGEST_ARITHMETIC) {
        match byte {
            b'(' => depth += 1,
            // The last two brackets of arithmetic touch.
            b')' if depth == 2 => return text[at..].starts_with("))").then_some(at + 2),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || ";&|<>()`".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text with `@0` for the first marker, and the bodies.
    fn read(text: &str) -> Option<(String, Vec<String>)> {
        let mut found = Vec::new();
        let out = taken_out(text, &mut found)?;
        let bodies = found.iter().map(|here| match here {
            Here::Literal(body) => format!("'{body}"),
            Here::Expanded(body) => body.to_string(),
            Here::String(word) => word.source(),
        });
        let out = out.replace(&format!("<<<{MARK}"), "@");
        Some((out.replace(MARK, ""), bodies.collect()))
    }

    #[test]
    fn operators_become_markers_and_bodies_are_cut() {
        for (text, left, bodies) in [
            (
                "cat <<E > \"${x}\"\na\nE\nls",
                "cat @0 > \"${x}\"\nls",
                &["a\n"][..],
            ),
            ("cat <<'E'\n:(\nE", "cat @0\n", &["':(\n"]),
            ("cat <<\\E\n$(\nE\n", "cat @0\n", &["'$(\n"]),
            ("cat <<-\"E F\"\n\ta\n\tE F\n", "cat @0\n", &["'a\n"]),
            (
                "cat 3<<E'O'F<<B;ls\na\nEOF\nb\nB\n",
                "cat 3@0@1;ls\n",
                &["'a\n", "b\n"],
            ),
            (
                "a \"$(cat <<E\n)'\nE\n)\" b",
                "a \"$(cat @0\n)\" b",
                &[")'\n"],
            ),
            ("(cat <<E) > a\nb\nE\n", "(cat @0) > a\n", &["b\n"]),
            (
                "cat <<E \"\nx\" $(a\nb)\nc\nE\n",
                "cat @0 \"\nx\" $(a\nb)\n",
                &["c\n"],
            ),
            (
                "cat <<E $((1<<2)) # <<F\nc\nE\n",
                "cat @0 $((1<<2)) # <<F\n",
                &["c\n"],
            ),
            (
                "$(case x in a) cat <<E;; esac)\nc\nE\n",
                "$(case x in a) cat @0;; esac)\n",
                &["c\n"],
            ),
            ("`cat <<E\na\nE\n`", "`cat @0\n`", &["a\n"]),
            ("cat <<E\na\\\nE\nE\n", "cat @0\n", &["a\\\nE\n"]),
            (
                "cat <<E <<< \"it's\"\na\nE\n",
                "cat @0 <<< \"it's\"\n",
                &["a\n"],
            ),
            (
                "cat <<E \"${x:-'}\"\na\nE\n",
                "cat @0 \"${x:-'}\"\n",
                &["a\n"],
            ),
        ] {
            let (out, found) = read(text).expect(text);
            assert_eq!(
                (out.as_str(), found.as_slice()),
                (
                    left,
                    &bodies.iter().map(|b| (*b).to_owned()).collect::<Vec<_>>()[..]
                ),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_heredoc_or_doubtful_is_left() {
        for text in [
            "cat <<< a",
            "echo $((1<<2)) $[1<<2]; (( a << b ))",
            "echo '<<E' \"<<E\" # <<E\n",
            "echo ${x:-<<E}",
            "cat <<E\na",
            "cat <<E 'a\nE\n",
            "cat <<\nE\n",
            "cat <<$(x)\nE\n",
            "echo $(cat <<E\na\nE)",
            "é <<",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_marker_that_nobody_wrote_is_a_word() {
        assert!(marked(&format!("{MARK}7{MARK}"), &[]).is_none());
        assert!(marked("x", &[Here::Literal(Rc::from(""))]).is_none());
    }
}
