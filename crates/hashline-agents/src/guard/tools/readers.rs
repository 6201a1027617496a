//! Commands that print files: `cat` and similar ones, and `grep`, whose first operand is a pattern.

use super::{CommandCall, Effect, Input, nested};
use crate::guard::options::{Arguments, lists};
use crate::guard::places::GuardPaths;
use crate::guard::shell::Word;

/// Regular expressions that match every line, with which `grep` prints a whole file.
const EVERYTHING: &[&str] = &["", ".", ".*", "^", "$", "^.*", ".*$", "^.*$", "^.", ".$"];
/// More of them, in which `?` and `+` repeat.
const EVERYTHING_EXTENDED: &[&str] = &[".?", ".+", "^.+", ".+$", "^.+$"];

/// Options with which `diff` prints all lines of its files.
const EVERY_LINE: &str = "line-format old-line-format new-line-format unchanged-line-format old-group-format new-group-format \
                          changed-group-format unchanged-group-format D ifdef y side-by-side";

/// The name under which `git grep` is judged as a variant of `grep`.
pub(super) const GIT_GREP: &str = "git grep";

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

/// Returns the effect of a command such as `gzip`, which with `-d`, `-c` and `-f` prints a file that is not packed as it is.
pub(super) fn unpacker(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let unpacks = arguments.has("d decompress uncompress") || call.name.contains("un");
    let is_forced = arguments.has("f force") && arguments.has("c stdout to-stdout");
    if unpacks && is_forced {
        Effect::printing(call, &arguments.operands, places)
    } else {
        Effect::default()
    }
}

/// Returns the effect of `grep` and similar tools: searching is allowed, but a pattern that matches every line prints the whole file.
pub(super) fn grep(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    // The first operand is the pattern unless an option gave one.
    let mut patterns: Vec<&Word> = arguments.values("e regexp").collect();
    let has_pattern = !patterns.is_empty() || arguments.has("f file");
    let files = after_program(arguments, has_pattern);
    patterns.extend(arguments.operands.first().filter(|_| !has_pattern));
    let is_fixed =
        lists("fgrep zfgrep bzfgrep xzfgrep", &call.name) || arguments.has("F fixed-strings");
    let is_extended = !lists(
        "grep ggrep fgrep zgrep bzgrep xzgrep lzgrep zstdgrep",
        &call.name,
    ) && call.name != GIT_GREP
        || arguments.has("E P extended-regexp perl-regexp");
    let matches_all = |pattern: &&Word| match pattern.text() {
        Some(text) if is_fixed => text.is_empty(),
        Some(text) => alternatives(&text, is_extended).iter().any(|choice| {
            let choice = choice.as_str();
            EVERYTHING.contains(&choice) || (is_extended && EVERYTHING_EXTENDED.contains(&choice))
        }),
        None => false,
    };
    let prints_all = arguments.has("passthru passthrough") || patterns.iter().any(matches_all);
    if arguments.has(NOT_LINES) || !prints_all {
        return Effect::default();
    }
    // Without files some of them go through the working directory, unless text is piped or redirected to them.
    let is_recursive = lists("rg ag ack", &call.name)
        || call.name == GIT_GREP
        || arguments.has("r R recursive dereference-recursive");
    let folder = [Word::known(".")];
    let searched = match (files, &call.input) {
        ([], Input::Elsewhere) if is_recursive => &folder,
        _ => files,
    };
    Effect::printing(call, searched, places)
}

/// Returns the effect of a shell, which with `-v` prints the script that it reads.
pub(super) fn shell(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    let arguments = nested::shell_arguments(call);
    let is_verbose =
        arguments.has("v verbose") || arguments.values("o").any(|option| option.is("verbose"));
    if !is_verbose || arguments.has("c") {
        return Effect::default();
    }
    let script = arguments.operands.get(..1).unwrap_or_default();
    Effect::printing(call, script, places)
}

/// Returns the effect of `diff`. It is a search tool, but with its formats it prints every line.
pub(super) fn diff(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    if arguments.has(EVERY_LINE) {
        return Effect::printing(call, &arguments.operands, places);
    }
    Effect::default()
}

/// Splits a regular expression at its `|`, which is `\|` unless the syntax is extended: `grep 'a\|$'` prints every line and highlights some. An
/// expression with brackets is not split.
fn alternatives(pattern: &str, is_extended: bool) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next() } else { None };
        match (c, escaped) {
            ('(' | '[', _) => return vec![pattern.to_owned()],
            ('|', _) if is_extended => all.push(String::new()),
            (_, Some('|')) if !is_extended => all.push(String::new()),
            _ => {
                let last = all.last_mut();
                last.into_iter()
                    .for_each(|last| last.extend([c].into_iter().chain(escaped)));
            }
        }
    }
    all
}

/// Returns the operands of a pager or editor without commands such as `+F` and `+12`.
pub(super) fn without_commands(arguments: &Arguments) -> Vec<Word> {
    let mut operands = arguments.operands.clone();
    operands.retain(|word| !word.head().0.starts_with('+'));
    operands
}

/// Returns the operands after the program or pattern, which is the first operand unless an option gave it.
pub(super) fn after_program(arguments: &Arguments, has_program: bool) -> &[Word] {
    let skipped = usize::from(!has_program);
    arguments.operands.get(skipped..).unwrap_or_default()
}
