//! Determines which files one shell command reads and writes, by the name of the command. Whether its output is visible is decided in `walk`.

pub(crate) mod copies;
mod escapes;
mod found;
mod git;
pub(crate) mod nested;
mod readers;
mod sed_awk_dd;
mod sed_script;
mod table;
pub(crate) mod wrappers;
mod writers;

use crate::guard::inline;
use crate::guard::places::GuardPaths;
use crate::guard::shell::{HereText, Word};

/// A command whose name is known, with its arguments and standard input.
#[derive(Clone, Debug)]
pub(crate) struct CommandCall {
    /// The name of the command without its directory.
    pub(crate) name: String,
    /// The words after the command name.
    pub(crate) args: Vec<Word>,
    /// Where the standard input of the command comes from.
    pub(crate) input: Input,
}

/// Where the standard input of a command comes from.
#[derive(Clone, Debug, Default)]
pub(crate) enum Input {
    /// The input is the terminal, or something else that is not a file.
    #[default]
    Elsewhere,
    /// The input is the output of the previous command in the pipeline, and the text of it if the command line has it: `echo 'ls' | sh`.
    Pipe(Option<Word>),
    /// The input is a file or a process substitution: `<F`, `< <(..)`.
    File(Word),
    /// The input is text in the command line: a heredoc or a here-string.
    Here(HereText),
}

/// What a command would do: the guarded file it would write, the guarded file it would print, and whether it passes piped text on.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// The files that the command would write; `None` if it would write no guarded file.
    pub(crate) writes: Option<WriteTarget>,
    /// The first guarded file that the command would print.
    pub(crate) shows: Option<Word>,
    /// What the command does with text that is piped into it.
    pub(crate) piped: Piped,
}

/// The files that a command would write.
#[derive(Debug)]
pub(crate) enum WriteTarget {
    /// A guarded file that the command line names.
    File(Word),
    /// Files that the command line does not name.
    Unnamed,
}

/// What a command does with text that is piped into it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Piped {
    /// The command searches, counts or runs the text, and does not print it.
    #[default]
    Consumed,
    /// The command prints the text to its standard output, perhaps changed, as `cat` and `tee` do.
    Passed,
    /// The command prints the text to the terminal even if its standard output is redirected: `tee /dev/tty`.
    Shown,
}

/// Returns what a command would do to guarded files. An unknown command is assumed to read and write nothing.
pub(crate) fn effect(call: &CommandCall, places: &GuardPaths) -> Effect {
    let mut args = call.args.iter();
    if args.any(|word| word.is("--help") || word.is("--version")) {
        return Effect::default();
    }
    if let Some(language) = inline::language(&call.name) {
        return language.judge(call, places);
    }
    let mut effect = match table::find(&call.name) {
        Some((options, judge)) => judge(call, &options.read(&call.args), places),
        None => Effect::default(),
    };
    if effect.writes.is_none() {
        effect.writes = escapes::written(call, places).map(WriteTarget::File);
    }
    effect
}

impl Effect {
    /// Returns the effect of writing `files`, of which the first guarded one is reported.
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

    /// Returns the effect of printing `files`, or the standard input if there are none; the first guarded file is reported.
    pub(crate) fn printing(call: &CommandCall, files: &[Word], places: &GuardPaths) -> Self {
        Self {
            shows: call.guarded_input(files, places),
            piped: Piped::Passed,
            ..Self::default()
        }
    }

    /// Returns the effect of writing files that the command line does not name, as `git apply` does.
    fn writing_unnamed() -> Self {
        Self {
            writes: Some(WriteTarget::Unnamed),
            ..Self::default()
        }
    }
}

impl CommandCall {
    /// Splits the words of a command into name and arguments. Returns `None` if the shell would have to compute the name, as in `$cmd x`.
    fn of(words: &[Word], input: Input) -> Option<Self> {
        let (name, args) = words.split_first()?;
        let name = name.last_name()?;
        let args = args.to_vec();
        Some(Self { name, args, input })
    }

    /// Returns the guarded file that the command reads: the first guarded one of `operands`, or else its standard input.
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

pub(crate) fn is_standard_input(word: &Word) -> bool {
    word.is_one_of("- /dev/stdin /dev/fd/0 /proc/self/fd/0")
}
