//! Which part of a command line is data: text in quotes, and the bodies of heredocs whose tag is quoted.
//!
//! Somebody who writes notes or a program through a heredoc opens brackets that no shell ever sees. Here they are taken out before
//! brackets are counted. It is a rough reading, of the simple forms alone: where quotes and substitutions stand in each other, or
//! anything else is doubtful, the rest counts as it is.

/// Returns a text without its data.
pub(crate) fn without(text: &str) -> String {
    let mut reading = Reading {
        rest: text,
        kept: String::with_capacity(text.len()),
        tags: Vec::new(),
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
    /// Heredocs that begin with the next line.
    tags: Vec<Tag>,
    /// Whether a word would begin here: only there is `#` a comment.
    begins_word: bool,
}

/// What ends a heredoc.
struct Tag {
    name: String,
    /// Whether tabs may stand before it.
    indented: bool,
    is_quoted: bool,
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
            '<' if self.rest.starts_with("<<<") => self.keep(3),
            '<' if self.rest.starts_with("<<") => self.tag()?,
            '\n' => {
                self.keep(1);
                for tag in std::mem::take(&mut self.tags) {
                    self.body(&tag)?;
                }
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

    /// Reads the tag of a heredoc: one plain word, or one that is quoted whole.
    fn tag(&mut self) -> Option<()> {
        self.keep(2);
        let indented = self.rest.starts_with('-');
        self.keep(usize::from(indented));
        let blanks = self.rest.len() - self.rest.trim_start_matches([' ', '\t']).len();
        self.keep(blanks);
        let (name, length, is_quoted) = match self.rest.chars().next()? {
            quote @ ('\'' | '"') => {
                let end = self.rest[1..].find(quote)?;
                (&self.rest[1..=end], end + 2, true)
            }
            '\\' => {
                let name = plain_word(&self.rest[1..])?;
                (name, name.len() + 1, true)
            }
            _ => {
                let name = plain_word(self.rest)?;
                (name, name.len(), false)
            }
        };
        let is_simple = !name.contains(['\\', '$', '`', '\n']);
        self.tags.push(Tag {
            name: is_simple.then(|| name.to_owned())?,
            indented,
            is_quoted,
        });
        self.keep(length);
        // `<<'E'OF` is one tag of two pieces.
        let ends = self.rest.chars().next().is_none_or(ends_word);
        ends.then_some(())
    }

    /// Reads the body of a heredoc. Substitutions may stand in one whose tag is not quoted, so that it stays.
    fn body(&mut self, tag: &Tag) -> Option<()> {
        let mut length = 0;
        for line in self.rest.split_inclusive('\n') {
            let text = line.strip_suffix('\n').unwrap_or(line);
            let text = match tag.indented {
                true => text.trim_start_matches('\t'),
                false => text,
            };
            if text == tag.name {
                match tag.is_quoted {
                    true => self.drop(length),
                    false => self.keep(length),
                }
                self.keep(line.len());
                return Some(());
            }
            length += line.len();
        }
        None
    }
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || ";&|<>()".contains(c)
}

/// Returns the word that a text begins with, if it is made of plain letters.
fn plain_word(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_-.".contains(c));
    let word = &text[..end.unwrap_or(text.len())];
    (!word.is_empty()).then_some(word)
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
    fn quotes_and_quoted_heredocs_are_left_out() {
        for (text, left) in [
            ("echo 'a (' b", "echo _ b"),
            ("echo \"a ( \\\" [\" b", "echo _ b"),
            ("echo $'a \\' (' b", "echo _ b"),
            ("echo \\( b", "echo _ b"),
            ("cat <<'E' > a\n:(\nE\nls", "cat <<'E' > a\n_E\nls"),
            ("cat <<\\E\n:(\nE", "cat <<\\E\n_E"),
            ("cat <<-\"E\"\n\t:(\n\tE\n", "cat <<-\"E\"\n_\tE\n"),
            ("cat <<'A' <<'B'\n(\nA\n[\nB\n", "cat <<'A' <<'B'\n_A\n_B\n"),
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
            "cat <<E\n$(x '(')\nE\n",
            "cat <<'E'\n(\nand no end",
            "cat <<'E'OF\n(\nEOF\n",
            "cat <<< x (",
            "echo it's (",
            "é ( \\",
        ] {
            let left = without(text);
            let brackets = |text: &str| text.matches('(').count();
            assert_eq!(brackets(&left), brackets(text), "{text}");
        }
    }
}
