//! How deep a text is nested, roughly, before the parser sees it.
//!
//! The parser goes down one level of its stack for each bracket, and twice through each substitution in double quotes, so that very deep
//! text would end the process or last for ever. Nobody writes such text by hand. What is [`data`] does not count, since no parser goes
//! into it; but that is a rough reading, so there is a bound for the text as it stands as well, which the stack can hold.

use crate::guard::data;

/// Brackets of any kind, those in quotes too.
pub(crate) const BRACKETS_AT_ALL: usize = 4000;
/// Brackets of any kind.
const BRACKETS: usize = 200;
/// Substitutions: each level doubles the parser's work if it stands in double quotes.
const SUBSTITUTIONS: usize = 12;
/// Words that open a compound command and are not closed. English uses them too, so the bound is high.
const KEYWORDS: usize = 2000;

/// Round brackets that are never closed: each doubles the parser's work before it finds out.
const UNCLOSED: usize = 16;

/// Says whether `text` is nested too deep to be parsed.
pub(crate) fn is_too_deep(text: &str) -> bool {
    if deepest(text) > BRACKETS_AT_ALL {
        return true;
    }
    let text = &data::without(text);
    deepest(text) > BRACKETS
        || unclosed(text) > UNCLOSED
        || deepest_substitution(text) > SUBSTITUTIONS
        || deepest_keyword(text) > KEYWORDS
}

fn deepest(text: &str) -> usize {
    let mut depth = Depth::default();
    for byte in text.bytes() {
        match byte {
            b'(' | b'{' | b'[' => depth.open(),
            b')' | b'}' | b']' => depth.close(),
            _ => {}
        }
    }
    depth.deepest
}

fn unclosed(text: &str) -> usize {
    let mut depth = Depth::default();
    for byte in text.bytes() {
        match byte {
            b'(' => depth.open(),
            b')' => depth.close(),
            _ => {}
        }
    }
    depth.now
}

fn deepest_substitution(text: &str) -> usize {
    let mut depth = Depth::default();
    // Whether each open round bracket belongs to a substitution.
    let mut open = Vec::new();
    let mut before = 0;
    for byte in text.bytes() {
        match byte {
            b'(' => {
                let substitutes = before == b'$';
                open.push(substitutes);
                if substitutes {
                    depth.open();
                }
            }
            b')' if open.pop() == Some(true) => depth.close(),
            _ => {}
        }
        before = byte;
    }
    depth.deepest
}

fn deepest_keyword(text: &str) -> usize {
    let mut depth = Depth::default();
    for word in text.split(|c: char| !c.is_ascii_alphabetic() && c != '!') {
        match word {
            "if" | "while" | "until" | "for" | "case" | "coproc" | "!" | "time" => depth.open(),
            "fi" | "done" | "esac" => depth.close(),
            _ => {}
        }
    }
    depth.deepest
}

#[derive(Default)]
struct Depth {
    now: usize,
    deepest: usize,
}

impl Depth {
    fn open(&mut self) {
        self.now += 1;
        self.deepest = self.deepest.max(self.now);
    }

    fn close(&mut self) {
        self.now = self.now.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_that_are_data_do_not_count() {
        for data in ["'$(' ", "'\\033[1mx\\033[0m' ", "\":(\" "] {
            assert!(
                !is_too_deep(&format!("echo {}", data.repeat(500))),
                "{data}"
            );
        }
    }

    #[test]
    fn data_has_its_bound_too() {
        assert!(is_too_deep(&format!("echo '{}'", "[".repeat(5000))));
    }

    #[test]
    fn a_thousand_open_brackets_are() {
        assert!(is_too_deep(&"(".repeat(1000)));
        assert!(is_too_deep(&"$(".repeat(50)));
        assert!(is_too_deep(&"if ".repeat(5000)));
    }
}
