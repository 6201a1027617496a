//! A command line as the guard sees it: scripts of pipelines of steps, made of words in which the unknown stays visible.
//!
//! [`parse`] reads bash and its POSIX relatives in one pass, from left to right, and keeps what the rules ask for: which commands run at
//! all, what feeds them, and where their output goes. It does not keep which branch runs when, in which order, or in which process.

mod escapes;
mod parser;
mod redirect_parser;
#[cfg(test)]
mod tests;
mod word;
mod word_parser;

use std::cell::OnceCell;
use std::rc::Rc;

pub(crate) use word::{Hole, ProcessDirection, Word, WordPiece};

use crate::guard::verdict::Unsure;
use parser::Parser;

/// Everything that a text runs. Lists, conditions and branches make no difference: each part may run.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// Commands that feed each other, in the order in which they are written; at least one in each pipeline.
    pub(crate) pipelines: Vec<Vec<PipelineStep>>,
}

/// One command of a pipeline, with its redirections in the order in which they take effect.
#[derive(Debug)]
pub(crate) struct PipelineStep {
    pub(crate) command: ShellCommand,
    pub(crate) redirects: Vec<Redirect>,
}

/// What a step runs.
#[derive(Debug)]
pub(crate) enum ShellCommand {
    /// A name with arguments, or only assignments, or nothing but redirections.
    Simple {
        /// The values of the assignments before the name.
        assigned: Vec<Word>,
        /// The name and its arguments.
        words: Vec<Word>,
    },
    /// Several scripts that share the step's redirections: `{ }`, `( )`, `if`, `for`, `case`, `[[ ]]`.
    Group {
        /// Words that are expanded but name no command: what `for` goes through, what `case` and `[[ ]]` compare.
        words: Vec<Word>,
        scripts: Vec<Script>,
    },
    /// `while` and `until`: a condition that may read lines, and a body that may print them.
    Loop { condition: Script, body: Script },
}

/// One redirection.
#[derive(Debug)]
pub(crate) struct Redirect {
    /// The descriptor that is redirected.
    pub(crate) fd: i32,
    /// Where it leads.
    pub(crate) target: RedirectTarget,
}

/// Where a descriptor is led.
#[derive(Debug)]
pub(crate) enum RedirectTarget {
    /// Reads from a file: `<`, `<>`.
    Input(Word),
    /// Writes to a file: `>`, `>>`, `>|`.
    Output(Word),
    /// Standard output and standard error both write to a file: `&>`, `&>>`, `>&FILE`.
    Both(Word),
    /// Goes where another descriptor goes; none if it is closed or not known: `>&2`, `2>&-`, `>&$fd`.
    Duplicate(Option<i32>),
    /// Reads text from the command line itself.
    Here(HereText),
}

/// Text in the command line that is the input of a command.
#[derive(Clone, Debug)]
pub(crate) enum HereText {
    /// A heredoc. Its body follows the line of its operator, so the parser sets it later.
    Document {
        body: Rc<OnceCell<String>>,
        /// Whether its tag is quoted: nothing in the body is expanded then.
        literal: bool,
    },
    /// A here-string.
    String(Word),
}

/// Parses shell code.
///
/// # Errors
///
/// Says that the text is not shell, or nested too deep.
pub(crate) fn parse(text: &str) -> Result<Script, Unsure> {
    // A carriage return before a newline comes from another system, and is no part of the last word.
    let text = text.strip_suffix('\r').unwrap_or(text);
    Parser::new(&text.replace("\r\n", "\n")).program()
}

impl Script {
    /// Returns the only command of the script, if it has only one.
    pub(crate) fn only_step(&self) -> Option<&PipelineStep> {
        match self.pipelines.as_slice() {
            [pipeline] if pipeline.len() == 1 => pipeline.first(),
            _ => None,
        }
    }
}

impl HereText {
    /// Returns the text as shell code, the backslashes removed that an expanded heredoc takes away.
    pub(crate) fn code(&self) -> String {
        match self {
            Self::Document { literal: true, .. } => self.written(),
            Self::Document { .. } => {
                let mut out = String::new();
                let text = self.written();
                let mut chars = text.chars().peekable();
                while let Some(c) = chars.next() {
                    let escaped = chars.next_if(|next| c == '\\' && "$`\\".contains(*next));
                    out.push(escaped.unwrap_or(c));
                }
                out
            }
            Self::String(word) => word.source(),
        }
    }

    /// Returns the text as a word, with what the shell computes in it as holes.
    pub(crate) fn word(&self) -> Word {
        match self {
            Self::Document { literal: true, .. } => Word::known(&self.written()),
            Self::Document { .. } => {
                let text = self.written();
                let word = Parser::new(&text).heredoc_word();
                word.unwrap_or_else(|_| Word::known(&text))
            }
            Self::String(word) => word.clone(),
        }
    }

    fn written(&self) -> String {
        match self {
            Self::Document { body, .. } => body.get().cloned().unwrap_or_default(),
            Self::String(word) => word.source(),
        }
    }
}
