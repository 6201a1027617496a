//! A command line as the guard sees it: scripts of pipelines of stages, made of words in which the unknown stays visible.
//!
//! The parser's own tree says more than is needed here (which branch runs when, in which order, in which process). What is left is what
//! the rules ask for: which commands run at all, what feeds them, and where their output goes.

mod braces;
mod cases;
mod escapes;
mod heredocs;
mod lower;
mod pieces;
mod redirects;
mod source;
mod word;

use std::rc::Rc;

pub(crate) use source::Source;
pub(crate) use word::{Direction, Hole, Piece, Word};

/// Everything that a text runs. Lists, conditions and branches make no difference: each part may run.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// The pipelines, in the order in which they are written.
    pub(crate) pipelines: Vec<Pipeline>,
}

/// Commands that feed each other; often only one.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// The stages, at least one.
    pub(crate) stages: Vec<Stage>,
}

/// One command of a pipeline, with its redirections in the order in which they take effect.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) command: Command,
    pub(crate) redirects: Vec<Redirect>,
}

/// What a stage runs.
#[derive(Debug)]
pub(crate) enum Command {
    /// A name with arguments, or only assignments, or nothing but redirections.
    Simple(Simple),
    /// Several scripts that share the stage's redirections: `{ }`, `( )`, `if`, `for`, `case`, the body of a function, `[[ ]]`.
    Group(Group),
    /// `while` and `until`: a condition that may read lines, and a body that may print them.
    Loop(Loop),
}

/// A simple command after quote removal.
#[derive(Debug, Default)]
pub(crate) struct Simple {
    /// The values of the assignments before the name.
    pub(crate) assigned: Vec<Word>,
    /// The name and its arguments.
    pub(crate) words: Vec<Word>,
}

/// Scripts that run under one set of redirections.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// Words that are expanded but name no command: what `for` goes through, what `case` and `[[ ]]` compare.
    pub(crate) words: Vec<Word>,
    /// The scripts in it.
    pub(crate) scripts: Vec<Script>,
}

/// A loop with a condition.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) condition: Script,
    pub(crate) body: Script,
}

/// One redirection.
#[derive(Debug)]
pub(crate) struct Redirect {
    /// The descriptor that is redirected.
    pub(crate) fd: i32,
    /// Where it leads.
    pub(crate) target: Target,
}

/// Where a descriptor is led.
#[derive(Debug)]
pub(crate) enum Target {
    /// Reads from a file: `<`, `<>`.
    Input(Word),
    /// Writes to a file: `>`, `>>`, `>|`.
    Output(Word),
    /// Standard output and standard error both write to a file: `&>`, `&>>`, `>&FILE`.
    Both(Word),
    /// Goes where another descriptor goes; none if it is closed or not known: `>&2`, `2>&-`, `>&$fd`.
    Duplicate(Option<i32>),
    /// Reads text that stands in the command line.
    Here(Here),
}

/// Text that stands in the command line as the input of a command.
#[derive(Clone, Debug)]
pub(crate) enum Here {
    /// A heredoc in which variables are replaced.
    Expanded(Rc<str>),
    /// A heredoc with a quoted tag, to the letter.
    Literal(Rc<str>),
    /// A here-string.
    String(Word),
}
