//! Spellings that the parser does not know, in those it does, for a text that it could not take.
//!
//! It ends `$(case x in a) b;; esac)` at the first bracket, takes the `esac` of `(case x in a) b;; esac)` for a pattern, and the
//! semicolons of `for ((;;))` for one sign; after `]]` it knows no `|&`. A shell sees no difference between `a)` and `(a)`, `esac)` and
//! `esac;)`, `;;` and `; ;` in arithmetic, `|&` and `2>&1 |`. It is a rough reading: it takes every bare word `case` for the beginning of one, and there is none where it becomes
//! doubtful. The parser has the last word on what comes out.

use crate::guard::data;

/// Returns the text in the spelling that the parser knows. None if that is no other, or it cannot be told.
pub(super) fn respelled(text: &str) -> Option<String> {
    let mut reading = Reading {
        rest: text,
        out: String::with_capacity(text.len()),
        open: Vec::new(),
        begins_word: true,
    };
    while let Some(next) = reading.rest.chars().next() {
        reading.step(next)?;
    }
    (reading.out != text).then_some(reading.out)
}

/// What is open, and ends with something else than the text around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Round,
    Brace,
    Double,
    /// `case` and what it compares, up to `in`.
    Subject,
    Pattern,
    Branch,
}

/// How far the text is read.
struct Reading<'a> {
    rest: &'a str,
    out: String,
    open: Vec<Open>,
    begins_word: bool,
}

impl Reading<'_> {
    /// Reads on; nothing where it becomes doubtful.
    fn step(&mut self, next: char) -> Option<()> {
        let top = self.open.last().copied();
        let is_double = top == Some(Open::Double);
        let begins = |sign: &str| self.rest.starts_with(sign);
        match next {
            '\\' => self.take(1 + self.rest.chars().nth(1).map_or(0, char::len_utf8)),
            '"' if is_double => self.close(),
            '$' if begins("$(") => self.open(2, Open::Round),
            '$' if begins("${") => self.open(2, Open::Brace),
            '}' if top == Some(Open::Brace) => self.close(),
            _ if is_double => self.take(next.len_utf8()),
            '"' => self.open(1, Open::Double),
            '\'' => self.take(self.rest[1..].find('\'')? + 2),
            '$' if begins("$'") => self.take(data::end_of_escaped(&self.rest[2..])? + 2),
            _ if top == Some(Open::Brace) => self.take(next.len_utf8()),
            '#' if self.begins_word => self.comment(),
            '<' if begins("<<<") => self.take(3),
            // The text of a heredoc is no code.
            '<' if begins("<<") => return None,
            '(' => self.open(1, Open::Round),
            ')' if top == Some(Open::Pattern) => {
                self.close();
                self.open.push(Open::Branch);
            }
            ')' if top == Some(Open::Round) => self.close(),
            ')' => return None,
            '|' if begins("|&") && self.out.trim_end().ends_with("]]") => self.pipe_of_both(),
            ';' if begins(";;") || begins(";&") => self.ends(top?)?,
            _ if self.begins_word => self.word(next),
            _ => self.take(next.len_utf8()),
        }
        Some(())
    }

    fn take(&mut self, length: usize) {
        let (taken, rest) = self.rest.split_at(length);
        self.out.push_str(taken);
        self.rest = rest;
        self.begins_word = taken.ends_with(is_separator);
    }

    fn open(&mut self, length: usize, open: Open) {
        self.take(length);
        self.open.push(open);
    }

    fn close(&mut self) {
        self.take(1);
        self.open.pop();
    }

    fn comment(&mut self) {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
        self.begins_word = true;
    }

    fn pipe_of_both(&mut self) {
        self.out.push_str(" 2>&1 |");
        self.rest = &self.rest[2..];
        self.begins_word = true;
    }

    /// Reads what ends a branch, or two semicolons of a loop.
    fn ends(&mut self, top: Open) -> Option<()> {
        match top {
            Open::Branch => {
                let after = self.rest.trim_start_matches([';', '&']);
                self.take(self.rest.len() - after.len());
                self.pattern();
            }
            Open::Round => {
                self.take(1);
                self.out.push(' ');
            }
            _ => return None,
        }
        Some(())
    }

    /// Reads the beginning of a pattern, or the end of all of them, after what is open now.
    fn pattern(&mut self) {
        self.open.pop();
        self.take(self.rest.len() - self.rest.trim_start().len());
        while self.rest.starts_with('#') {
            self.comment();
            self.take(self.rest.len() - self.rest.trim_start().len());
        }
        if first_word(self.rest) == "esac" {
            return self.esac();
        }
        match self.rest.starts_with('(') {
            true => self.take(1),
            false => self.out.push('('),
        }
        self.open.push(Open::Pattern);
    }

    fn esac(&mut self) {
        self.take("esac".len());
        if self.rest.trim_start().starts_with(')') {
            self.out.push(';');
        }
    }

    fn word(&mut self, first: char) {
        let word = first_word(self.rest);
        match (word, self.open.last()) {
            ("case", _) => self.open(word.len(), Open::Subject),
            ("in", Some(Open::Subject)) => {
                self.take(word.len());
                self.pattern();
            }
            ("esac", Some(Open::Branch)) => {
                self.open.pop();
                self.esac();
            }
            _ => self.take(word.len().max(first.len_utf8())),
        }
    }
}

/// Returns the word that a text begins with, up to something that must be looked at.
fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| is_separator(c) || "\\\"'$".contains(c));
    &text[..end.unwrap_or(text.len())]
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || ";&|<>()`".contains(c)
}

#[cfg(test)]
mod tests {
    use super::respelled;

    #[test]
    fn patterns_get_their_bracket_and_semicolons_their_blank() {
        for (text, spelled) in [
            ("$(case x in a) b;; esac)", "$(case x in (a) b;; esac;)"),
            (
                "case x in a|b) c;; (d) e;& f) esac",
                "case x in (a|b) c;; (d) e;& (f) esac",
            ),
            (
                "case $x in @(a|b)) c;; esac",
                "case $x in (@(a|b)) c;; esac",
            ),
            (
                "case x in # a)\n b) c ;; # d\n e) esac",
                "case x in # a)\n (b) c ;; # d\n (e) esac",
            ),
            (
                "\"$(case x in 'a)') b;; esac)\"",
                "\"$(case x in ('a)') b;; esac;)\"",
            ),
            (
                "case x in a) case y in b) c;; esac;; esac",
                "case x in (a) case y in (b) c;; esac;; esac",
            ),
            (
                "(if case x in a) b;; esac then c; fi)",
                "(if case x in (a) b;; esac then c; fi)",
            ),
            ("for ((;;)); do a; done", "for ((; ;)); do a; done"),
            ("[[ a > b ]] |& c", "[[ a > b ]]  2>&1 | c"),
        ] {
            assert_eq!(respelled(text).as_deref(), Some(spelled), "{text}");
        }
    }

    #[test]
    fn what_is_no_case_or_cannot_be_told_is_left() {
        for text in [
            "echo case; (esac)",
            "echo 'case x in a) b;; esac'",
            "echo \"case x in a) b;; esac\"",
            "echo $'it\\'s' ${x%)} # case x in a)",
            "case x in (a) b;; esac",
            "case x in a) cat <<E;; esac\n)\nE\n",
            "a;; b",
            "case x in a) b; } ) 'c",
        ] {
            assert_eq!(respelled(text), None, "{text}");
        }
    }
}
