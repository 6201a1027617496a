//! Text that is shell code, and how it becomes a script.

use brush_parser::{Parser, ParserOptions};

use super::lower::Lowering;
use super::{Here, Script, Word, cases, heredocs};
use crate::guard::nesting;
use crate::guard::verdict::Unsure;

/// Shell code that has not been parsed.
#[derive(Debug)]
pub(crate) struct Source {
    text: String,
}

impl Source {
    /// Takes text as shell code.
    pub(crate) fn new(text: String) -> Self {
        Self { text }
    }

    /// Takes words as shell code: what the outer shell would have computed stays as it is written, and is unknown again inside.
    pub(crate) fn of_words<'a>(words: impl IntoIterator<Item = &'a Word>) -> Self {
        let words: Vec<String> = words.into_iter().map(Word::source).collect();
        Self::new(words.join(" "))
    }

    /// Takes the input of a shell as shell code.
    pub(crate) fn of_here(here: &Here) -> Self {
        match here {
            Here::Literal(text) => Self::new(text.to_string()),
            Here::Expanded(text) => Self::new(without_escapes(text)),
            Here::String(word) => Self::new(word.source()),
        }
    }

    /// Parses the code. What a part of it could not be taken apart for stands beside the script.
    ///
    /// # Errors
    ///
    /// Says that the text is not shell, or nested too deep for the parser: code in quotes is looked at when its turn comes.
    pub(crate) fn parse(&self) -> Result<(Script, Option<Unsure>), Unsure> {
        self.parse_at(0, &[])
    }

    /// Parses code that stands `depth` substitutions deep, in a text that `heredocs` were taken out of.
    pub(super) fn parse_at(
        &self,
        depth: usize,
        heredocs: &[Here],
    ) -> Result<(Script, Option<Unsure>), Unsure> {
        let mut heredocs = heredocs.to_vec();
        let text = without_returns(&self.text);
        let text = heredocs::taken_out(&text, &mut heredocs).unwrap_or(text);
        if nesting::is_too_deep(&text) {
            return Err(Unsure::TooDeep);
        }
        // At the end of the text the tokenizer can wait for ever for the line that begins a heredoc which could not be taken out, so
        // there always is a next line, and another one, since a backslash may take away the first.
        let text = format!("{text}\n\n");
        match parsed(&text, &heredocs, depth) {
            read @ Ok((_, None)) => read,
            doubtful => match cases::respelled(&text).map(|text| parsed(&text, &heredocs, depth)) {
                Some(read @ Ok((_, None))) => read,
                _ => doubtful,
            },
        }
    }
}

fn parsed(text: &str, heredocs: &[Here], depth: usize) -> Result<(Script, Option<Unsure>), Unsure> {
    let mut parser = Parser::new(text.as_bytes(), &ParserOptions::default());
    let program = parser.parse_program().map_err(|_| Unsure::NotShell)?;
    let mut lowering = Lowering::of(text.to_owned(), heredocs.to_vec(), depth);
    let script = lowering.program(&program);
    Ok((script, lowering.trouble()))
}

impl Here {
    /// Returns the text as a word, with what the shell computes in it as holes.
    pub(crate) fn word(&self) -> Word {
        match self {
            Self::Literal(text) => Word::known(text),
            Self::Expanded(text) if nesting::is_too_deep(text) => Word::known(text),
            // What cannot be taken apart here has no say in what the command line runs.
            Self::Expanded(text) => Lowering::default().heredoc(text),
            Self::String(word) => word.clone(),
        }
    }
}

/// Removes what ends the lines of another system beside a newline: it is no part of the last word.
fn without_returns(text: &str) -> String {
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.replace("\r\n", "\n")
}

/// Removes the backslashes that an expanded heredoc takes away.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escapes = c == '\\' && matches!(chars.peek(), Some('$' | '`' | '\\'));
        match escapes.then(|| chars.next()).flatten() {
            Some(escaped) => out.push(escaped),
            None => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::guard::barrier;
    use crate::guard::budget::Budget;

    const HALF_A_SECOND: Budget = Budget {
        work: Duration::from_millis(500),
        wall: Duration::from_millis(500),
    };

    #[test]
    fn notes_and_programs_in_a_heredoc_are_not_deep() {
        for line in [
            "if (a[0]) { b({ c: [1] }); }\n",
            ":(\n",
            "echo -e '\\033[1mx\\033[0m'\n",
            "'(' => Open,\n",
            "if it is so\n",
        ] {
            let text = format!("cat > a <<'E'\n{}E\n", line.repeat(500));
            assert!(Source::new(text).parse().is_ok(), "{line}");
        }
    }

    /// The reading that tells data from code is a rough one. Were it wrong, this is what the parser would meet.
    #[test]
    fn the_stack_holds_all_brackets_that_a_text_may_have() {
        for bracket in [
            "(", "{ ", "[", "[[ ", "$(", "${x:-", "((", "<(", "a=(", "x=$((",
        ] {
            let text = bracket.repeat(nesting::BRACKETS_AT_ALL);
            // Any answer will do, and none as well: a stack that overflows ends the process.
            let _ = barrier::run(HALF_A_SECOND, move || {
                Parser::new(text.as_bytes(), &ParserOptions::default())
                    .parse_program()
                    .is_ok()
            });
        }
    }
}
