//! What one command does to its files, looked up by its name. Whether its output is shown is decided in `walk`.

mod copies;
pub(crate) mod found;
mod readers;
mod table;
pub(crate) mod wrappers;
mod writers;

use crate::guard::inline;
use crate::guard::places::GuardPaths;
use crate::guard::shell::{HereText, Word};

/// A command whose name is known.
#[derive(Clone, Debug)]
pub(crate) struct CommandCall {
    /// The name without its directory.
    pub(crate) name: String,
    /// Its arguments.
    pub(crate) args: Vec<Word>,
    /// Where its standard input comes from.
    pub(crate) input: Input,
}

/// Where a standard input comes from.
#[derive(Clone, Debug, Default)]
pub(crate) enum Input {
    /// The terminal, or something else that is no file.
    #[default]
    Elsewhere,
    /// The command before it in a pipeline.
    Pipe,
    /// A file, or a process substitution.
    File(Word),
    /// Text in the command line.
    Here(HereText),
}

/// What a command would do.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// What it would write.
    pub(crate) writes: Option<WriteTarget>,
    /// The guarded file that it would print.
    pub(crate) shows: Option<Word>,
    /// What it does with text that is piped into it.
    pub(crate) piped: Piped,
}

/// What is written.
#[derive(Debug)]
pub(crate) enum WriteTarget {
    /// A guarded file.
    File(Word),
    /// Files that the command line does not name.
    Unnamed,
}

/// What a command does with text that is piped into it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Piped {
    /// Searches, counts or runs it: it is not in the output.
    #[default]
    Consumed,
    /// Prints it, perhaps changed: the command is a reader, or `tee`.
    Passed,
    /// Shows it, wherever the standard output goes.
    Shown,
}

/// Returns what a command would do. A command that is in no table counts as one that neither reads nor writes.
pub(crate) fn effect(call: &CommandCall, places: &GuardPaths) -> Effect {
    let mut args = call.args.iter();
    if args.any(|word| word.is("--help") || word.is("--version")) {
        return Effect::default();
    }
    if let Some(language) = inline::language(&call.name) {
        return language.judge(call, places);
    }
    match table::find(&call.name) {
        Some((options, judge)) => judge(call, &options.read(&call.args), places),
        None => Effect::default(),
    }
}

impl Effect {
    /// Writes the first guarded one of `files`.
    pub(crate) fn writing<'a>(
        files: impl IntoIterator<Item = &'a Word>,
        places: &GuardPaths,
    ) -> Self {
        let file = files.into_iter().find(|file| places.guards(file));
        Self {
            writes: file.cloned().map(WriteTarget::File),
            ..Self::default()
        }
    }

    /// Prints the first guarded one of `files`, or the standard input.
    pub(crate) fn printing(call: &CommandCall, files: &[Word], places: &GuardPaths) -> Self {
        Self {
            shows: call.guarded_input(files, places),
            piped: Piped::Passed,
            ..Self::default()
        }
    }

    /// Writes files that the command line does not name.
    fn writing_unnamed() -> Self {
        Self {
            writes: Some(WriteTarget::Unnamed),
            ..Self::default()
        }
    }
}

impl CommandCall {
    /// Makes a call of the words of a command. None if its name is not known; its directory need not be.
    fn of(words: &[Word], input: Input) -> Option<Self> {
        let (name, args) = words.split_first()?;
        let name = name.last_name()?;
        let args = args.to_vec();
        Some(Self { name, args, input })
    }

    /// Returns the guarded file that the command reads: one of `operands`, or its standard input.
    fn guarded_input(&self, operands: &[Word], places: &GuardPaths) -> Option<Word> {
        if let Some(file) = operands.iter().find(|word| places.guards(word)) {
            return Some(file.clone());
        }
        let reads_input = operands.is_empty() || operands.iter().any(is_standard_input);
        match &self.input {
            Input::File(file) if reads_input && places.guards(file) => Some(file.clone()),
            _ => None,
        }
    }
}

fn is_standard_input(word: &Word) -> bool {
    word.is("-") || word.is("/dev/stdin")
}
