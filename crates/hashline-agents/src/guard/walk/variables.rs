//! The shell variables that hold text of a guarded file: `mapfile x <F`, `read x <F`. A command that prints such a variable shows the file.
//!
//! A variable that takes its value from a substitution, as in `x=$(cat F)`, is not one of them: a substitution counts only if the command around
//! it prints its arguments.

use std::collections::BTreeMap;

use crate::guard::options::{ValueOptions, lists};
use crate::guard::shell::Word;
use crate::guard::tools::CommandCall;

/// Commands that store their standard input in variables: names, options with a value, and the variable if they name none.
const READING: &[(&str, &str, &str)] = &[
    ("read", "-a -d -i -n -N -p -t -u", "REPLY"),
    ("mapfile readarray", "-d -n -O -s -u -C -c", "MAPFILE"),
];

/// Commands that with `-p` print the variables that they name.
const DECLARING: &str = "declare typeset local export readonly";

/// Returns whether a command stores its standard input in variables.
pub(super) fn stores(call: &CommandCall) -> bool {
    READING.iter().any(|row| lists(row.0, &call.name))
}

/// Returns the descriptor that a command such as `read -u 3` reads instead of the standard input.
pub(super) fn descriptor(call: &CommandCall) -> Option<i32> {
    let (_, options, _) = READING.iter().find(|row| lists(row.0, &call.name))?;
    let arguments = ValueOptions(options).read(&call.args);
    let number = arguments.values("u").last().and_then(Word::text)?;
    number.parse().ok()
}

/// The variables that hold text of a guarded file, each with that file.
#[derive(Debug, Default)]
pub(super) struct FileVariables(BTreeMap<String, Word>);

impl FileVariables {
    /// Records that a command such as `read` stores text of `file` in its variables. Other commands store nothing.
    pub(super) fn store(&mut self, call: &CommandCall, file: Option<&Word>) {
        let Some(file) = file else {
            return;
        };
        let Some((_, options, usual)) = READING.iter().find(|row| lists(row.0, &call.name)) else {
            return;
        };
        let arguments = ValueOptions(options).read(&call.args);
        let array = arguments.values("a").filter(|_| call.name == "read");
        let names = arguments.operands.iter().chain(array);
        let mut names: Vec<String> = names.filter_map(Word::text).collect();
        if names.is_empty() {
            names.push((*usual).to_owned());
        }
        let names = names.into_iter().map(|name| (name, file.clone()));
        self.0.extend(names);
    }

    /// Records that a variable takes its values from `words`, as in `for x in "${lines[@]}"`, and from the file that substitutions in them
    /// print, as in `for x in $(<F)`.
    pub(super) fn copy(&mut self, name: &str, words: &[Word], printed: Option<Word>) {
        let file = words.iter().find_map(|word| self.file_in(word)).cloned();
        match file.or(printed) {
            Some(file) => _ = self.0.insert(name.to_owned(), file),
            None => _ = self.0.remove(name),
        }
    }

    /// Returns the guarded files whose text a command prints with its variables: `declare -p x`.
    pub(super) fn printed_by(&self, call: &CommandCall) -> Vec<Word> {
        let prints = !self.0.is_empty()
            && (lists(DECLARING, &call.name) && ValueOptions("").read(&call.args).has("p"));
        let names = call.args.iter().filter(|_| prints).filter_map(Word::text);
        names
            .filter_map(|name| self.0.get(&name).cloned())
            .collect()
    }

    /// Returns the guarded file whose text is in a variable that the word contains.
    pub(super) fn file_in(&self, word: &Word) -> Option<&Word> {
        if self.0.is_empty() {
            return None;
        }
        word.variables().find_map(|name| self.0.get(name))
    }
}
