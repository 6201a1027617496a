//! Shells inside shells: strings and heredocs that are run as shell code.

use super::{Call, Input};
use crate::guard::options::Spec;
use crate::guard::shell::Word;

/// Shells whose code the parser reads.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh"];

const SHELL: Spec = Spec {
    valued: "oO",
    attached: "",
    long: &["rcfile", "init-file"],
};

/// Returns the code that the command runs, if it runs code that stands in the command line.
pub(crate) fn code(call: &Call) -> Option<String> {
    if call.name == "eval" {
        let words: Vec<String> = call.args.iter().map(Word::source).collect();
        return Some(words.join(" "));
    }
    if !SHELLS.contains(&call.name.as_str()) {
        return None;
    }
    let arguments = SHELL.read_leading(&call.args);
    if arguments.has(&["c"]) {
        return arguments.operands.first().map(Word::source);
    }
    let reads_input = match arguments.operands.as_slice() {
        [] => true,
        [only] if only.is("-") || only.is("/dev/stdin") => true,
        _ => arguments.has(&["s"]),
    };
    match &call.input {
        Input::Here(here) if reads_input => Some(here.code()),
        _ => None,
    }
}
