//! The syntax tree of a shell command line: a script is a list of pipelines, a pipeline a list of commands, a command a list of words.
//!
//! [`parse`] reads bash and other POSIX shells in one pass. The tree keeps what the guard needs: which commands may run, where their input
//! comes from and where their output goes. The tree does not keep conditions, the order of branches, or which process runs a command.

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

/// All pipelines that a piece of shell code may run. Lists (`;`, `&&`) and the branches of conditions are flattened, since each part may run.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// The pipelines in the order in which they are written, each with at least one command.
    pub(crate) pipelines: Vec<Vec<PipelineStep>>,
}

/// One command of a pipeline, with its redirections in the order in which the shell applies them.
#[derive(Debug)]
pub(crate) struct PipelineStep {
    pub(crate) command: ShellCommand,
    pub(crate) redirects: Vec<Redirect>,
}

/// A shell command: simple, compound or a loop.
#[derive(Debug)]
pub(crate) enum ShellCommand {
    /// A simple command: a name with arguments, only assignments, or only redirections.
    Simple {
        /// The assignments before the command name, as `A` and `1` in `A=1 make`. The name is empty for an element of an array.
        assigned: Vec<(String, Word)>,
        /// The command name and its arguments.
        words: Vec<Word>,
    },
    /// A compound command, whose scripts share its redirections: `{ }`, `( )`, `if`, `for`, `case`, `[[ ]]`.
    Group {
        /// The variable of a `for` loop, which takes its values from `words`.
        variable: Option<String>,
        /// Words that the shell expands but does not run: the list of `for`, the operands of `case`, `[[ ]]` and `(( ))`.
        words: Vec<Word>,
        scripts: Vec<Script>,
    },
    /// A `while` or `until` loop: the condition may read lines (`read x`), and the body may print them.
    Loop { condition: Script, body: Script },
}

/// One redirection of a shell command, such as `2>log`.
#[derive(Debug)]
pub(crate) struct Redirect {
    /// The file descriptor that is redirected.
    pub(crate) fd: i32,
    /// What the descriptor reads from or writes to.
    pub(crate) target: RedirectTarget,
}

/// What a redirected file descriptor reads from or writes to.
#[derive(Debug)]
pub(crate) enum RedirectTarget {
    /// The descriptor reads from a file: `<`.
    Input(Word),
    /// The descriptor reads from a file and writes to it: `<>`.
    InputOutput(Word),
    /// The descriptor writes to a file: `>`, `>>`, `>|`.
    Output(Word),
    /// Standard output and standard error both write to a file: `&>`, `&>>`, `>&FILE`.
    Both(Word),
    /// The descriptor becomes a copy of another one (`>&2`); `None` if it is closed (`2>&-`) or the other one is not known (`>&$fd`).
    Duplicate(Option<i32>),
    /// The descriptor reads a heredoc or here-string.
    Here(HereText),
}

/// Text in the command line that a command reads as input: a heredoc or a here-string.
#[derive(Clone, Debug)]
pub(crate) enum HereText {
    /// A heredoc. The parser sets the body when it reaches the lines after the operator `<<`.
    Document {
        body: Rc<OnceCell<String>>,
        /// Whether the heredoc's delimiter is quoted (`<<'EOF'`), so that the shell expands nothing in the body.
        literal: bool,
    },
    /// A here-string: `<<< word`.
    String(Word),
}

/// Parses shell code into a syntax tree.
///
/// # Errors
///
/// Returns [`Unsure::NotShell`] for invalid syntax and [`Unsure::TooDeep`] for code that is nested too deeply.
pub(crate) fn parse(text: &str) -> Result<Script, Unsure> {
    // A carriage return before a newline comes from another system, and is no part of the last word.
    let text = text.strip_suffix('\r').unwrap_or(text);
    Parser::new(&text.replace("\r\n", "\n")).program()
}

impl Script {
    /// Returns a script that prints a text.
    pub(crate) fn printing(text: Word) -> Self {
        let command = ShellCommand::Simple {
            assigned: Vec::new(),
            words: vec![Word::known("echo"), text],
        };
        let redirects = Vec::new();
        Self {
            pipelines: vec![vec![PipelineStep { command, redirects }]],
        }
    }

    /// Returns the only command of the script; `None` if it has several or none.
    pub(crate) fn only_step(&self) -> Option<&PipelineStep> {
        match self.pipelines.as_slice() {
            [pipeline] if pipeline.len() == 1 => pipeline.first(),
            _ => None,
        }
    }
}

impl HereText {
    /// Returns the text as shell code, without the backslashes that the shell removes from an unquoted heredoc.
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

    /// Returns the text as a word, in which a [`Hole`] marks each part that only a running shell could compute.
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

    /// Returns the text as a word if the shell expands it, else the empty word.
    pub(crate) fn expanded_word(&self) -> Word {
        match self {
            Self::Document { literal: true, .. } => Word::default(),
            Self::Document { .. } if !self.written().contains(['$', '`']) => Word::default(),
            _ => self.word(),
        }
    }

    fn written(&self) -> String {
        match self {
            Self::Document { body, .. } => body.get().cloned().unwrap_or_default(),
            Self::String(word) => word.source(),
        }
    }
}
