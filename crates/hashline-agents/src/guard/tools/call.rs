//! One command with its arguments and what feeds it.

use crate::guard::places::{Place, Places};
use crate::guard::shell::{HereText, Word};

/// A command whose name is known.
#[derive(Clone, Debug)]
pub(crate) struct Call {
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

impl Call {
    /// Makes a call of the words of a command. None if its name is not known; its directory need not be.
    pub(crate) fn of(words: &[Word], input: Input) -> Option<Self> {
        let (name, args) = words.split_first()?;
        let name = name.last_name()?;
        let args = args.to_vec();
        Some(Self { name, args, input })
    }

    /// Returns the guarded file that the command reads: one of `operands`, or its standard input.
    pub(crate) fn guarded_input(&self, operands: &[Word], places: &Places) -> Option<Word> {
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

/// Says whether writing to this file shows the text.
pub(crate) fn is_terminal(word: &Word, places: &Places) -> bool {
    places.of(word) == Place::Terminal
}
