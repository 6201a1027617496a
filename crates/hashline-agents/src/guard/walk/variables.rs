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

/// The variables that hold text of a guarded file, each with that file.
#[derive(Debug, Default)]
pub(super) struct FileVariables(BTreeMap<String, Word>);

impl FileVariables {
    /// Records that a command such as `read` stores text of `file` in its variables. Other commands store nothing.
    pub(super) fn store(&mut self, call: &CommandCall, file: &Word) {
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

    /// Returns the guarded file whose text is in a variable that the word contains.
    pub(super) fn file_in(&self, word: &Word) -> Option<&Word> {
        if self.0.is_empty() {
            return None;
        }
        word.variables().find_map(|name| self.0.get(name))
    }
}
