//! `sed` and `awk`: the first operand is a program, the others are files that are printed or edited in place.

use super::{Call, Deed, Piped};
use crate::guard::inline;
use crate::guard::options::{Arguments, Spec};
use crate::guard::places::Places;
use crate::guard::shell::Word;

const SED: Spec = Spec {
    valued: "efl",
    attached: "iI",
    long: &["expression", "file", "line-length"],
};

const AWK: Spec = Spec {
    valued: "FvfeilEW",
    attached: "dopDL",
    long: &[
        "field-separator",
        "assign",
        "file",
        "source",
        "include",
        "load",
        "exec",
    ],
};

/// What the program does with the lines is not looked at.
pub(super) fn sed(call: &Call, places: &Places) -> Deed {
    let args = without_suffix(&call.args);
    let arguments = SED.read(&args);
    let has_program = arguments.has(&["e", "f", "expression", "file"]);
    if arguments.has(&["i", "I", "in-place"]) {
        return Deed::writing(edited(&arguments, has_program), places);
    }
    printing(call, after_program(&arguments, has_program), places)
}

/// An awk program may write to files of its own besides.
pub(super) fn awk(call: &Call, places: &Places) -> Deed {
    let arguments = AWK.read(&call.args);
    let given = ["e", "source", "f", "file", "E", "exec"];
    let has_program = arguments.has(&given);
    let mut files = after_program(&arguments, has_program).to_vec();
    files.retain(|word| !is_assignment(word));
    let edits = arguments
        .values(&["i", "include"])
        .any(|library| library.is("inplace"));
    let mut deed = match edits {
        true => Deed::writing(&files, places),
        false => printing(call, &files, places),
    };
    if deed.writes.is_none() {
        let operand = arguments.operands.first().filter(|_| !has_program);
        let mut programs = arguments.values(&["e", "source"]).chain(operand);
        deed.writes = programs.find_map(|program| inline::awk::written(program, places));
    }
    deed
}

fn printing(call: &Call, files: &[Word], places: &Places) -> Deed {
    Deed {
        shows: call.guarded_input(files, places),
        piped: Piped::Passed,
        ..Deed::default()
    }
}

fn after_program(arguments: &Arguments, has_program: bool) -> &[Word] {
    let skipped = usize::from(!has_program);
    arguments.operands.get(skipped..).unwrap_or_default()
}

/// BSD's sed takes the suffix of `-i` as a word of its own, which may be empty.
fn without_suffix(args: &[Word]) -> Vec<Word> {
    let is_suffix = |at: usize, word: &Word| {
        let follows = at > 0 && args.get(at - 1).is_some_and(|before| before.is("-i"));
        follows && word.is("")
    };
    let kept = args
        .iter()
        .enumerate()
        .filter(|(at, word)| !is_suffix(*at, word));
    kept.map(|(_, word)| word.clone()).collect()
}

/// Returns the files that are edited in place. Something like `.bak` where the program should be is no program, but BSD's suffix.
fn edited(arguments: &Arguments, has_program: bool) -> &[Word] {
    let files = after_program(arguments, has_program);
    let first = arguments.operands.first().and_then(Word::text);
    match first {
        Some(first) if !has_program && is_suffix(&first) => files.get(1..).unwrap_or_default(),
        _ => files,
    }
}

fn is_suffix(text: &str) -> bool {
    let letters = text.strip_prefix('.').unwrap_or("");
    !letters.is_empty() && letters.chars().all(char::is_alphanumeric)
}

/// Among the files of awk, `name=value` sets a variable.
fn is_assignment(word: &Word) -> bool {
    let (head, _) = word.head();
    let Some((name, _)) = head.split_once('=') else {
        return false;
    };
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
