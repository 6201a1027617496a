//! Commands that run another one on files they find: `xargs`, `find -exec`, `fd -x`.

mod marks;
mod names;

use super::{Call, Input};
use crate::guard::options::Spec;
use crate::guard::shell::Word;

const XARGS: Spec = Spec {
    valued: "nPLdsEaIR",
    attached: "ile",
    long: &[
        "max-args",
        "max-procs",
        "max-lines",
        "delimiter",
        "max-chars",
        "arg-file",
        "process-slot-var",
    ],
};

/// What `find` calls the actions that run a command.
const FIND_ACTIONS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
/// What `fd` calls them.
const FD_ACTIONS: &[&str] = &["-x", "-X", "--exec", "--exec-batch"];

/// The words of one command.
pub(crate) type Words = Vec<Word>;

/// Returns the commands that are run on found files, or nothing if the call does no such thing. `feeding` is the pipeline before it.
pub(crate) fn commands(call: &Call, feeding: &[Call]) -> Option<Vec<Words>> {
    match call.name.as_str() {
        "xargs" | "gxargs" => Some(xargs(call, feeding)),
        "find" | "gfind" => {
            let found = names::found_by_find(&call.args);
            let runs = actions(&call.args, FIND_ACTIONS);
            let each = |run: &Words| marks::replaced(run, &["{}"], &found);
            Some(runs.iter().flat_map(each).collect())
        }
        "fd" | "fdfind" => {
            let found = names::found_by_fd(before_action(&call.args));
            let runs = actions(&call.args, FD_ACTIONS);
            let each = |run: &Words| marks::replaced_or_appended(run, marks::OF_FD, &found);
            Some(runs.iter().flat_map(each).collect())
        }
        _ => None,
    }
}

fn xargs(call: &Call, feeding: &[Call]) -> Vec<Words> {
    const REPLACE: &[&str] = &["I", "i", "replace"];
    let arguments = XARGS.read_leading(&call.args);
    let run = &arguments.operands;
    let found = match &call.input {
        Input::Pipe => names::fed(feeding),
        _ => vec![Word::found()],
    };
    if run.is_empty() {
        // Without a command it prints the names.
        return Vec::new();
    }
    if !arguments.has(REPLACE) {
        return marks::appended(run, &found);
    }
    let mark = arguments.values(REPLACE).last().and_then(Word::text);
    marks::replaced(run, &[mark.as_deref().unwrap_or("{}")], &found)
}

/// Returns the words after each action up to its end, `;` or `+`.
fn actions(args: &[Word], names: &[&str]) -> Vec<Words> {
    let mut runs = Vec::new();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if names.iter().any(|name| word.is(name)) {
            let run = words
                .by_ref()
                .take_while(|word| !word.is(";") && !word.is("+"));
            runs.push(run.cloned().collect());
        }
    }
    runs
}

/// Returns the arguments of `fd` that say what is searched for.
fn before_action(args: &[Word]) -> &[Word] {
    let is_action = |word: &Word| FD_ACTIONS.iter().any(|name| word.is(name));
    let end = args.iter().position(is_action).unwrap_or(args.len());
    args.get(..end).unwrap_or_default()
}
