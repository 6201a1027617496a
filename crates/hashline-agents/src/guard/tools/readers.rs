//! Commands that print files: `cat` and similar ones, and `sed`, `awk` and `grep`, whose first operand is a program or a pattern.

use super::{CommandCall, Effect, Input, WriteTarget};
use crate::guard::inline;
use crate::guard::options::{Arguments, lists};
use crate::guard::places::GuardPaths;
use crate::guard::shell::Word;

/// Regular expressions that match every line, with which `grep` prints a whole file.
const EVERYTHING: &[&str] = &["", ".", ".*", "^", "$", "^.*", "^.*$"];

/// Options with which `grep` and `rg` print no lines, or only lines that do not match.
const NOT_LINES: &str = "c l L q v count count-matches files files-with-matches files-without-match \
                         files-without-matches quiet silent invert-match";

/// Returns the effect of a command such as `cat`, which prints its operands or its standard input.
pub(super) fn reader(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::printing(call, &arguments.operands, places)
}

/// Returns the effect of a command such as `less`, which prints its operands except for commands such as `+F` and `+12`.
pub(super) fn pager(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::printing(call, &without_commands(arguments), places)
}

/// Returns the effect of `tr`, which prints its standard input; its operands are not files.
pub(super) fn tr(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    Effect::printing(call, &[], places)
}

/// Returns the effect of `dd`, which writes the file after `of=`, or else prints the file after `if=` or its standard input.
pub(super) fn dd(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    let assigned = |name: &str| call.args.iter().find_map(|word| word.strip_prefix(name));
    match assigned("of=") {
        Some(output) => Effect::writing([&output], places),
        None => Effect::printing(call, assigned("if=").as_slice(), places),
    }
}

/// Returns the effect of `sed`: with `-i` it writes its files, else it prints them. The `sed` program itself is not examined.
pub(super) fn sed(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let has_program = arguments.has("e f expression file");
    let files = after_program(arguments, has_program);
    if !arguments.has("i I in-place") {
        return Effect::printing(call, files, places);
    }
    // BSD's sed takes the suffix of `-i` as a word of its own, which may be empty. It is where the program should be.
    let first = arguments.operands.first().and_then(Word::text);
    let has_suffix = !has_program && first.is_some_and(|first| is_suffix(&first));
    let files = files.get(usize::from(has_suffix)..);
    Effect::writing(files.unwrap_or_default(), places)
}

/// Returns the effect of `awk`, which prints its files; its program may also write files, as in `print > "f"`.
pub(super) fn awk(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let has_program = arguments.has("e source f file E exec");
    let mut files = after_program(arguments, has_program).to_vec();
    files.retain(|word| !is_assignment(word));
    let mut libraries = arguments.values("i include");
    let mut effect = if libraries.any(|library| library.is("inplace")) {
        Effect::writing(&files, places)
    } else {
        Effect::printing(call, &files, places)
    };
    if effect.writes.is_none() {
        let operand = arguments.operands.first().filter(|_| !has_program);
        let mut programs = arguments.values("e source").chain(operand);
        let written = programs.find_map(|program| inline::written_by_awk(program, places));
        effect.writes = written.map(WriteTarget::File);
    }
    effect
}

/// Returns the effect of `grep` and similar tools: searching is allowed, but a pattern that matches every line prints the whole file.
pub(super) fn grep(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    // The first operand is the pattern unless an option gave one.
    let mut patterns: Vec<&Word> = arguments.values("e regexp").collect();
    let has_pattern = !patterns.is_empty() || arguments.has("f file");
    let files = after_program(arguments, has_pattern);
    patterns.extend(arguments.operands.first().filter(|_| !has_pattern));
    let is_fixed = call.name == "fgrep" || arguments.has("F fixed-strings");
    let all = if is_fixed { &[""] } else { EVERYTHING };
    let matches_all = |pattern: &&Word| all.iter().any(|all| pattern.is(all));
    if arguments.has(NOT_LINES) || !patterns.iter().any(matches_all) {
        return Effect::default();
    }
    // Without files some of them go through the working directory, unless text is piped or redirected to them.
    let is_recursive =
        lists("rg ag ack", &call.name) || arguments.has("r R recursive dereference-recursive");
    let folder = [Word::known(".")];
    let searched = match (files, &call.input) {
        ([], Input::Elsewhere) if is_recursive => &folder,
        _ => files,
    };
    Effect {
        shows: call.guarded_input(searched, places),
        ..Effect::default()
    }
}

/// Returns the operands of a pager or editor without commands such as `+F` and `+12`.
pub(super) fn without_commands(arguments: &Arguments) -> Vec<Word> {
    let mut operands = arguments.operands.clone();
    operands.retain(|word| !word.head().0.starts_with('+'));
    operands
}

fn after_program(arguments: &Arguments, has_program: bool) -> &[Word] {
    let skipped = usize::from(!has_program);
    arguments.operands.get(skipped..).unwrap_or_default()
}

fn is_suffix(text: &str) -> bool {
    match text.strip_prefix('.') {
        Some(letters) => !letters.is_empty() && letters.chars().all(char::is_alphanumeric),
        None => text.is_empty(),
    }
}

/// Returns whether an operand of `awk` is an assignment `name=value`, which sets a variable and names no file.
fn is_assignment(word: &Word) -> bool {
    let (head, _) = word.head();
    let name = head.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
