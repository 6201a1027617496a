//! The commands that a command runs in turn: the code of `bash -c`, `eval` and `trap`, the command of `xargs` and `find -exec`, the aliases of
//! `git`, the commands that inline programs start.

use super::{CommandCall, Input, found, git, is_standard_input, sed_awk_dd};
use crate::guard::inline;
use crate::guard::options::{ValueOptions, lists};
use crate::guard::shell::{
    Hole, PipelineStep, ProcessDirection, RedirectTarget, ShellCommand, Word, WordPiece,
};

/// A command that another command runs.
#[derive(Debug)]
pub(crate) enum NestedCommand {
    /// Shell code.
    Code(String),
    /// A command name and its arguments, which no shell expands again.
    Words(Vec<Word>),
}

/// Shells whose `-c` argument and heredoc input the guard parses.
const SHELLS: &str = "bash sh zsh dash ksh ash mksh";
const SHELL_OPTIONS: ValueOptions = ValueOptions("-o -O --rcfile --init-file");

/// The options of `split` that take a value.
const SPLIT: ValueOptions = ValueOptions("-a -b -C -l -n -t --filter");

/// Returns the commands that a command runs. `feeding` holds the commands before it in the pipeline.
pub(crate) fn nested_commands(call: &CommandCall, feeding: &[CommandCall]) -> Vec<NestedCommand> {
    let code = |code: Option<String>| code.map(NestedCommand::Code).into_iter().collect();
    if let Some(language) = inline::language(&call.name) {
        return language.commands(call);
    }
    if let Some(commands) = found::commands(call, feeding) {
        return commands.into_iter().map(NestedCommand::Words).collect();
    }
    match call.name.as_str() {
        "eval" => {
            let words: Vec<String> = call.args.iter().map(code_in).collect();
            code(Some(words.join(" ")))
        }
        "trap" => code(trapped(call)),
        "source" | "." => code(call.args.first().and_then(|file| code_of_file(call, file))),
        "git" => git::commands(call),
        "split" => {
            let arguments = SPLIT.read(&call.args);
            code(arguments.values("filter").last().map(code_in))
        }
        name if lists(sed_awk_dd::SED, name) => sed_awk_dd::run_by_sed(call),
        name if lists(sed_awk_dd::AWK, name) => sed_awk_dd::run_by_awk(call),
        name if lists(SHELLS, name) => code(shell_code(call)),
        _ => Vec::new(),
    }
}

/// Returns the text that a command prints if it is `echo` or `printf` and the text is in the command line, as in `echo 'ls -l' | bash`.
pub(crate) fn printed_text(step: &PipelineStep) -> Option<Word> {
    let ShellCommand::Simple { words, .. } = &step.command else {
        return None;
    };
    let is_redirected = |target: &RedirectTarget| {
        matches!(target, RedirectTarget::Output(_) | RedirectTarget::Both(_))
    };
    if step.redirects.iter().any(|own| is_redirected(&own.target)) {
        return None;
    }
    let (name, args) = words.split_first()?;
    match name.last_name()?.as_str() {
        "echo" => {
            let is_option = |word: &&Word| word.is_one_of("-n -e -E -ne -en");
            let options = args.iter().take_while(is_option).count();
            Some(joined(args.get(options..)?, " "))
        }
        "printf" => {
            let (format, args) = args.split_first()?;
            formatted(&format.text()?, args)
        }
        _ => None,
    }
}

fn joined(words: &[Word], separator: &str) -> Word {
    let mut all = Word::default();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            all.push_text(separator);
        }
        all.append(word);
    }
    all
}

/// Returns what `printf` prints for a format whose only directives are `%s` and `%b`; the format is used again while arguments are left.
fn formatted(format: &str, args: &[Word]) -> Option<Word> {
    let format = format.replace("\\n", "\n").replace("\\t", "\t");
    let format = format.replace("%b", "%s").replace("\\0", "\n");
    let pieces: Vec<&str> = format.split("%s").collect();
    if pieces.iter().any(|piece| piece.contains('%')) {
        return None;
    }
    let (last, before) = pieces.split_last()?;
    let mut args = args.iter();
    let mut text = Word::default();
    loop {
        for piece in before {
            text.push_text(piece);
            text.append(args.next().unwrap_or(&Word::default()));
        }
        text.push_text(last);
        if before.is_empty() || args.len() == 0 {
            return Some(text);
        }
    }
}

/// Returns a word as shell code: its source, with the text that a substitution is known to print in place of the substitution.
fn code_in(word: &Word) -> String {
    let piece = |piece: &WordPiece| match piece {
        WordPiece::Hole(Hole::Substitution(script), _) => {
            let printed = script.only_step().and_then(printed_text);
            printed.map_or_else(|| piece.source().to_owned(), |text| text.source())
        }
        piece => piece.source().to_owned(),
    };
    word.pieces().iter().map(piece).collect()
}

/// Returns the code that `trap CODE SIGNAL..` runs when a signal arrives or the shell ends; `None` if it resets or prints traps.
fn trapped(call: &CommandCall) -> Option<String> {
    let arguments = ValueOptions("").read_leading(&call.args);
    let (code, signals) = arguments.operands.split_first()?;
    let resets = code.is("-") || arguments.has("l p") || signals.is_empty();
    (!resets).then(|| code_in(code))
}

/// Returns the shell code that `bash -c` or a shell with a heredoc runs; `None` if the code is not in the command line.
fn shell_code(call: &CommandCall) -> Option<String> {
    let arguments = SHELL_OPTIONS.read_leading(&call.args);
    if arguments.has("c") {
        return arguments.operands.first().map(code_in);
    }
    match arguments.operands.first() {
        Some(file) if !arguments.has("s") => code_of_file(call, file),
        _ => code_of_input(call),
    }
}

/// Returns the shell code in a file that a shell runs: the standard input, or a process substitution such as `<(echo 'ls -l')`.
fn code_of_file(call: &CommandCall, file: &Word) -> Option<String> {
    if is_standard_input(file) {
        return code_of_input(call);
    }
    substituted_text(file).map(|text| text.source())
}

fn code_of_input(call: &CommandCall) -> Option<String> {
    match &call.input {
        Input::Here(here) => Some(here.code()),
        Input::Pipe(text) => text.as_ref().map(Word::source),
        Input::File(file) => substituted_text(file).map(|text| text.source()),
        Input::Elsewhere => None,
    }
}

/// Returns the text of a file that is a process substitution, if it is known: `<(echo 'ls -l')`.
pub(crate) fn substituted_text(file: &Word) -> Option<Word> {
    match file.pieces() {
        [WordPiece::Hole(Hole::Process(ProcessDirection::From, script), _)] => {
            script.only_step().and_then(printed_text)
        }
        _ => None,
    }
}
