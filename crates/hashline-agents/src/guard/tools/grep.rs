//! `grep` and its relatives: search tools, unless the pattern matches every line.

use super::{Call, Deed, Input};
use crate::guard::options::{Arguments, Spec};
use crate::guard::places::Places;
use crate::guard::shell::Word;

/// Patterns that match every line.
const EVERYTHING: &[&str] = &["", ".", ".*", "^", "$", "^.*", "^.*$"];

/// Options with which no line is printed, or only those that do not match.
const NOT_LINES: &[&str] = &[
    "c",
    "l",
    "L",
    "q",
    "v",
    "count",
    "count-matches",
    "files",
    "files-with-matches",
    "files-without-match",
    "files-without-matches",
    "quiet",
    "silent",
    "invert-match",
];

const GREP: Spec = Spec {
    valued: "efABCmdD",
    attached: "",
    long: &[
        "regexp",
        "file",
        "after-context",
        "before-context",
        "context",
        "max-count",
        "directories",
        "devices",
        "label",
        "include",
        "exclude",
        "exclude-dir",
        "exclude-from",
        "binary-files",
    ],
};

const RG: Spec = Spec {
    valued: "efgtTABCmMjErd",
    attached: "",
    long: &[
        "regexp",
        "file",
        "glob",
        "iglob",
        "type",
        "type-not",
        "type-add",
        "type-clear",
        "after-context",
        "before-context",
        "context",
        "max-count",
        "max-columns",
        "max-depth",
        "max-filesize",
        "threads",
        "encoding",
        "replace",
        "sort",
        "sortr",
        "color",
        "colors",
        "engine",
        "ignore-file",
        "path-separator",
        "pre",
        "pre-glob",
        "context-separator",
        "field-match-separator",
        "field-context-separator",
        "dfa-size-limit",
        "regex-size-limit",
        "hostname-bin",
        "hyperlink-format",
    ],
};

const AG: Spec = Spec {
    valued: "ABCGmpWg",
    attached: "",
    long: &[
        "after",
        "before",
        "context",
        "depth",
        "file-search-regex",
        "ignore",
        "ignore-dir",
        "max-count",
        "path-to-ignore",
        "pager",
        "width",
        "workers",
    ],
};

const ACK: Spec = Spec {
    valued: "ABCmgt",
    attached: "",
    long: &[
        "after-context",
        "before-context",
        "context",
        "ignore-dir",
        "ignore-directory",
        "ignore-file",
        "max-count",
        "output",
        "pager",
        "type",
        "type-add",
        "type-del",
        "type-set",
    ],
};

/// Prints a guarded file if its pattern matches every line of it.
pub(super) fn judge(call: &Call, places: &Places) -> Deed {
    let arguments = spec(&call.name).read(&call.args);
    if arguments.has(NOT_LINES) {
        return Deed::default();
    }
    let (patterns, files) = patterns_and_files(&arguments);
    let to_the_letter = call.name == "fgrep" || arguments.has(&["F", "fixed-strings"]);
    let matches_all = |pattern: &Word| match to_the_letter {
        true => pattern.is(""),
        false => EVERYTHING.iter().any(|all| pattern.is(all)),
    };
    if !patterns.iter().any(matches_all) {
        return Deed::default();
    }
    let folder = [Word::known(".")];
    let searched = match files {
        [] if searches_the_folder(call, &arguments) => &folder,
        files => files,
    };
    Deed {
        shows: call.guarded_input(searched, places),
        ..Deed::default()
    }
}

/// Without files some of them go through the working directory, unless text is piped or redirected to them.
fn searches_the_folder(call: &Call, arguments: &Arguments) -> bool {
    let recursive = match call.name.as_str() {
        "rg" | "ag" | "ack" => true,
        _ => arguments.has(&["r", "R", "recursive", "dereference-recursive"]),
    };
    recursive && matches!(call.input, Input::Elsewhere)
}

fn spec(name: &str) -> Spec {
    match name {
        "rg" => RG,
        "ag" => AG,
        "ack" => ACK,
        _ => GREP,
    }
}

/// Returns the patterns and the files after them. The first operand is the pattern unless an option gave one.
fn patterns_and_files(arguments: &Arguments) -> (Vec<Word>, &[Word]) {
    let given: Vec<Word> = arguments.values(&["e", "regexp"]).cloned().collect();
    if !given.is_empty() || arguments.has(&["f", "file"]) {
        return (given, &arguments.operands);
    }
    match arguments.operands.split_first() {
        Some((pattern, files)) => (vec![pattern.clone()], files),
        None => (Vec::new(), &[]),
    }
}
