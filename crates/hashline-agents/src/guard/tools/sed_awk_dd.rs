//! Commands that print their files or, depending on their arguments, change them: `sed -i`, `awk -i inplace`, `dd of=`.

use super::nested::{NestedCommand, text_of_file};
use super::readers::after_program;
use super::sed_script::{self, SedCommand};
use super::{CommandCall, Effect, WriteTarget};
use crate::guard::inline;
use crate::guard::options::{Arguments, ValueOptions};
use crate::guard::places::{GuardPaths, PathKind};
use crate::guard::shell::Word;

/// The names of `awk` and its variants.
pub(super) const AWK: &str = "awk gawk mawk nawk original-awk goawk";
/// The options of `awk` that take a value.
pub(super) const AWK_OPTIONS: ValueOptions = ValueOptions(
    "-F -v -f -e -i -l -E -W -d? -o? -p? -D? -L? --field-separator --assign --file --source --include --load --exec",
);

/// The names of `sed`.
pub(super) const SED: &str = "sed gsed";
/// The options of `sed` that take a value.
pub(super) const SED_OPTIONS: ValueOptions =
    ValueOptions("-e -f -l -i? -I? --expression --file --line-length");

/// Returns the effect of `sed`: with `-i` it writes its files, else it prints them. Its program may also open files, as in `w f`.
pub(super) fn sed(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let has_program = arguments.has("e f expression file");
    let files = after_program(arguments, has_program);
    if !arguments.has("i I in-place") {
        let mut effect = Effect::printing(call, files, places);
        let programs = sed_programs(call, arguments);
        for command in programs.iter().flat_map(sed_script::commands) {
            match command {
                SedCommand::Write(file) if places.guards(&file) => {
                    effect.writes.get_or_insert(WriteTarget::File(file));
                }
                SedCommand::Read(file) if places.guards(&file) => {
                    effect.shows.get_or_insert(file);
                }
                _ => {}
            }
        }
        return effect;
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
    for program in awk_programs(call, arguments) {
        let (written, read) = inline::opened_by_awk(&program, places);
        effect.writes = effect.writes.or(written.map(WriteTarget::File));
        effect.shows = effect.shows.or(read);
    }
    effect
}

/// Returns the commands that a `sed` program runs: `e ls`.
pub(super) fn run_by_sed(call: &CommandCall) -> Vec<NestedCommand> {
    let arguments = SED_OPTIONS.read(&call.args);
    let programs = sed_programs(call, &arguments);
    let commands = programs.iter().flat_map(sed_script::commands);
    let codes = commands.filter_map(|command| match command {
        SedCommand::Run(code) => Some(NestedCommand::Code(code)),
        _ => None,
    });
    codes.collect()
}

/// Returns the programs of `sed`: in its arguments, or in a file that is its standard input.
fn sed_programs(call: &CommandCall, arguments: &Arguments) -> Vec<Word> {
    let has_program = arguments.has("e f expression file");
    let operand = arguments.operands.first().filter(|_| !has_program);
    let files = arguments.values("f file");
    let files = files.filter_map(|file| text_of_file(call, file));
    let given = arguments.values("e expression").chain(operand).cloned();
    given.chain(files).collect()
}

/// Returns the commands that an `awk` program runs: `system("ls")`, `print | "sort"`, `"date" | getline`.
pub(super) fn run_by_awk(call: &CommandCall) -> Vec<NestedCommand> {
    let arguments = AWK_OPTIONS.read(&call.args);
    let programs = awk_programs(call, &arguments);
    let codes = programs.iter().flat_map(inline::run_by_awk);
    codes.map(NestedCommand::Code).collect()
}

/// Returns the programs of `awk`: in its arguments, or in a file that is its standard input.
fn awk_programs(call: &CommandCall, arguments: &Arguments) -> Vec<Word> {
    let has_program = arguments.has("e source f file E exec");
    let operand = arguments.operands.first().filter(|_| !has_program);
    let files = arguments.values("f file E exec");
    let files = files.filter_map(|file| text_of_file(call, file));
    let given = arguments.values("e source").chain(operand).cloned();
    given.chain(files).collect()
}

/// Returns the effect of `dd`, which writes the file after `of=`, or else prints the file after `if=` or its standard input.
pub(super) fn dd(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    let assigned = |name: &str| call.args.iter().find_map(|word| word.strip_prefix(name));
    match assigned("of=") {
        Some(output) if places.of(&output) != PathKind::Terminal => {
            Effect::writing([&output], places)
        }
        _ => Effect::printing(call, assigned("if=").as_slice(), places),
    }
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
