//! Which part of a command line is data: text in quotes.
//!
//! Somebody who writes notes or a program in quotes opens brackets that no shell ever sees. Here they are taken out before brackets are
//! counted; heredocs are taken out before that. It is a rough reading, of the simple forms alone: where quotes and substitutions stand
//! in each other, or anything else is doubtful, the rest counts as it is.

/// Returns a text without its data.
pub(crate) fn without(text: &str) -> String {
    let mut reading = Reading {
        rest: text,
        kept: String::with_capacity(text.len()),
        begins_word: true,
    };
    while reading.step().is_some() {}
    reading.kept.push_str(reading.rest);
    reading.kept
}

/// How far the text is read.
struct Reading<'a> {
    rest: &'a str,
    kept: String,
    /// Whether a word would begin here: only there is `#` a comment.
    begins_word: bool,
}

impl Reading<'_> {
    /// Reads on; nothing at the end, or where it becomes doubtful.
    fn step(&mut self) -> Option<()> {
        let next = self.rest.chars().next()?;
        let begins_word = std::mem::replace(&mut self.begins_word, next.is_whitespace());
        match next {
            '\\' => {
                let escaped = self.rest.chars().nth(1).map_or(0, char::len_utf8);
                self.drop(1 + escaped);
            }
            '\'' => {
                let end = self.rest[1..].find('\'')?;
                self.drop(end + 2);
            }
            '"' => {
                let end = end_of_double(&self.rest[1..])?;
                self.drop(end + 1);
            }
            '$' if self.rest[1..].starts_with('\'') => {
                let end = end_of_escaped(&self.rest[2..])?;
                self.drop(end + 2);
            }
            '#' if begins_word => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.keep(end);
            }
            other => self.keep(other.len_utf8()),
        }
        Some(())
    }

    fn keep(&mut self, length: usize) {
        let (kept, rest) = self.rest.split_at(length);
        self.kept.push_str(kept);
        self.rest = rest;
    }

    /// Leaves out what is data; something stays, so that the words beside it do not become one.
    fn drop(&mut self, length: usize) {
        self.kept.push('_');
        self.rest = &self.rest[length..];
    }
}

/// Returns the length of what double quotes hold, with the last of them; nothing if something in it is computed by more than a variable.
fn end_of_double(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some(at + 1),
            '\\' => _ = chars.next(),
            '`' => return None,
            '$' if text[at + 1..].starts_with(['(', '{', '[']) => return None,
            _ => {}
        }
    }
    None
}

/// Returns the length of what `$'` begins, with the quote that ends it.
pub(crate) fn end_of_escaped(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' => return Some(at + 1),
            '\\' => _ = chars.next(),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn quotes_are_left_out() {
        for (text, left) in [
            ("echo 'a (' b", "echo _ b"),
            ("echo \"a ( \\\" [\" b", "echo _ b"),
            ("echo $'a \\' (' b", "echo _ b"),
            ("echo \\( b", "echo _ b"),
            ("a # it's (\nb '('", "a # it's (\nb _"),
        ] {
            assert_eq!(without(text), left, "{text}");
        }
    }

    #[test]
    fn what_is_code_or_doubtful_stays() {
        for text in [
            "echo $(cat (",
            "echo \"$(cat '(' )\" '('",
            "echo \"${x:-\"(\"}\"",
            "echo \"`cat '('`\"",
            "echo it's (",
            "é ( \\",
        ] {
            let left = without(text);
            let brackets = |text: &str| text.matches('(').count();
            assert_eq!(brackets(&left), brackets(text), "{text}");
        }
    }
}
