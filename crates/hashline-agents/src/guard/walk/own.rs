//! The calls of our own program that change files, for modes in which no file is changed.
//!
//! A call counts also if only the running shell knows the name of the program or of its command, as far as the values of variables in the command line
//! tell. Where they do not tell, a command counts if one of the two is known: in such a mode it is better refused than let pass.

use std::collections::BTreeMap;

use super::HASHLINE;
use crate::guard::options::ValueOptions;
use crate::guard::shell::{Hole, Word, WordPiece};
use crate::guard::tools::wrappers::{UnwrappedCommand, unwrapped};
use crate::guard::tools::{CommandCall, Input};

/// The commands of our program that change files, or serve tools that do.
const WRITING: &str = "apply recover setup mcp man";
/// The options of our program that take a value and may stand before its command.
const OPTIONS: ValueOptions = ValueOptions("--root --session --set");
/// Commands whose arguments assign variables.
const DECLARING: &str = "export declare typeset local readonly";
/// The maximum number of values of a variable, and of forms of a command, that are followed.
const MOST: usize = 16;
/// The maximum number of variables that are followed.
const NAMES: usize = 256;
/// The maximum number of words of a command that are looked at: our program and its command stand near the beginning.
const WORDS: usize = 64;
/// The maximum number of bytes of a value that is followed; `x=$x$x` doubles it each time.
const LONGEST_VALUE: usize = 1024;

/// What a walk through a command line knows about calls of our own program.
#[derive(Debug, Default)]
pub(super) struct OwnCalls {
    /// The values that each variable may have.
    values: BTreeMap<String, Vec<Word>>,
    may_write: bool,
}

impl OwnCalls {
    /// Returns whether a command that was visited may change files by our program.
    pub(super) fn may_write(&self) -> bool {
        self.may_write
    }

    /// Records a value that a variable may have.
    pub(super) fn assign(&mut self, name: &str, value: &Word) {
        if value.source().len() > LONGEST_VALUE || self.values.len() >= NAMES {
            return;
        }
        let values = self.whole_values_of(value);
        let known = self.values.entry(name.to_owned()).or_default();
        let room = MOST.saturating_sub(known.len());
        known.extend(values.into_iter().take(room));
    }

    /// Visits a command with its arguments.
    pub(super) fn visit(&mut self, words: &[Word]) {
        let words = &words[..words.len().min(WORDS)];
        self.assign_declared(words);
        self.may_write = self.may_write
            || if words.iter().any(|word| self.is_followed(word)) {
                self.forms(words).iter().any(|words| writes(words))
            } else {
                writes(words)
            };
    }

    /// Records the variables that a command such as `export` assigns.
    fn assign_declared(&mut self, words: &[Word]) {
        let Some((command, arguments)) = words.split_first() else {
            return;
        };
        if !command.is_one_of(DECLARING) {
            return;
        }
        for argument in arguments {
            let (head, _) = argument.head();
            if let Some((name, _)) = head.split_once('=') {
                self.assign(name, &argument.after(name.len() + "=".len()));
            }
        }
    }

    /// Returns the words of a command with the values of variables in their places: one form for each value.
    fn forms(&self, words: &[Word]) -> Vec<Vec<Word>> {
        let mut forms = vec![Vec::new()];
        for word in words {
            let values = self.values_of(word);
            let longer = forms.iter().flat_map(|form: &Vec<Word>| {
                let forms = values.iter();
                forms.map(|value| [form.as_slice(), value.as_slice()].concat())
            });
            forms = longer.take(MOST).collect();
        }
        forms
    }

    /// Returns whether a word has a variable whose values are known.
    fn is_followed(&self, word: &Word) -> bool {
        word.variables().any(|name| self.values.contains_key(name))
    }

    /// Returns what a word may be: several words if the value of a variable has blanks.
    fn values_of(&self, word: &Word) -> Vec<Vec<Word>> {
        if self.is_followed(word) {
            self.whole_values_of(word).iter().map(split).collect()
        } else {
            vec![vec![word.clone()]]
        }
    }

    fn whole_values_of(&self, word: &Word) -> Vec<Word> {
        if !self.is_followed(word) {
            return vec![word.clone()];
        }
        let mut values = vec![Word::default()];
        for piece in word.pieces() {
            let one = self.values_of_piece(piece);
            let longer = values.iter().flat_map(|value| {
                one.iter().map(|next| {
                    let mut value = value.clone();
                    value.append(next);
                    value
                })
            });
            let is_short = |value: &Word| value.source().len() <= LONGEST_VALUE;
            values = longer.filter(is_short).take(MOST).collect();
        }
        values
    }

    fn values_of_piece(&self, piece: &WordPiece) -> Vec<Word> {
        let known = match piece {
            WordPiece::Hole(
                Hole::Variable {
                    name,
                    is_beginning: true,
                    ..
                },
                _,
            ) => self.values.get(name),
            _ => None,
        };
        known.cloned().unwrap_or_else(|| {
            let mut word = Word::default();
            word.push(piece.clone());
            vec![word]
        })
    }
}

/// Splits the value of a variable at its blanks, as a shell does without quotes.
fn split(value: &Word) -> Vec<Word> {
    match value.text() {
        Some(text) if !value.has_glob() => text.split_whitespace().map(Word::known).collect(),
        _ => vec![value.clone()],
    }
}

/// Returns whether a command may change files by our program.
fn writes(words: &[Word]) -> bool {
    match unwrapped(words, &Input::Elsewhere) {
        UnwrappedCommand::Call(call) => writes_by_call(&call),
        // Its code is visited when it is run.
        UnwrappedCommand::Code(_) => false,
        UnwrappedCommand::Nothing => {
            let unknown = words.iter().position(|word| word.last_name().is_none());
            unknown.is_some_and(|at| writes_by_unknown(&words[at], &words[at + 1..]))
        }
    }
}

fn writes_by_call(call: &CommandCall) -> bool {
    let mentions_us = |word: &Word| word.source().contains(HASHLINE);
    let is_ours = call.name == HASHLINE || call.name == "hashline.exe";
    match command_of(&call.args) {
        Some(command) if is_ours => is_unknown(&command) || command.is_one_of(WRITING),
        // A glob may name our program.
        Some(command) if is_pattern(&call.name) => command.is_one_of(WRITING),
        _ => call.name == "alias" && call.args.iter().any(mentions_us),
    }
}

/// Returns whether a command whose name is not known may be one of ours that changes files.
fn writes_by_unknown(name: &Word, arguments: &[Word]) -> bool {
    command_of(arguments).is_some_and(|command| {
        let is_ours = name.source().contains(HASHLINE);
        command.is_one_of(WRITING) || (is_ours && is_unknown(&command))
    })
}

/// Returns the command of our program that the arguments name.
fn command_of(arguments: &[Word]) -> Option<Word> {
    let arguments = OPTIONS.read_leading(arguments);
    arguments.operands.into_iter().next()
}

fn is_unknown(word: &Word) -> bool {
    word.text().is_none() || word.has_glob()
}

fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}
