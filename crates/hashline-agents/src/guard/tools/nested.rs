//! The commands that a command runs in turn: the code of `bash -c`, `eval` and `trap`, the command of `xargs` and `find -exec`, the aliases of
//! `git`, the commands that inline programs start.

use super::{CommandCall, Input, escapes, found, git, is_standard_input, sed_awk_dd};
use crate::guard::inline;
use crate::guard::options::{Arguments, ValueOptions, lists};
use crate::guard::shell::{
    Hole, PipelineStep, ProcessDirection, Redirect, RedirectTarget, Script, ShellCommand, Word,
    WordPiece,
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
pub(super) const SHELLS: &str = "bash sh zsh dash ksh ash mksh";
pub(super) const SHELL_OPTIONS: ValueOptions = ValueOptions("-o -O --rcfile --init-file");

/// The maximum number of commands such as `cat` and `tee` through which the text of a pipeline is followed.
const MOST_PASSES: usize = 8;

/// The files that `git` hands to a program that compares them.
pub(super) const COMPARED: &str = " \"$LOCAL\" \"$REMOTE\"";

/// Variables of the environment whose value a program runs as shell code, and what the program adds to it.
const CODE_VARIABLES: &[(&str, &str)] = &[
    (
        "PAGER GIT_PAGER MANPAGER GIT_SSH_COMMAND GIT_SSH GIT_ASKPASS SSH_ASKPASS LESSOPEN PROMPT_COMMAND",
        "",
    ),
    ("GIT_EXTERNAL_DIFF", COMPARED),
    ("GIT_EDITOR EDITOR VISUAL FCEDIT", " .git/COMMIT_EDITMSG"),
    ("GIT_SEQUENCE_EDITOR", " .git/rebase-merge/git-rebase-todo"),
];

const MAKE: &str = "make gmake bmake";
const MAKE_OPTIONS: ValueOptions = ValueOptions(
    "-f -C -I -o -W -E -j? -l? -O? --file --makefile --directory --eval --include-dir",
);

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
        name if lists(MAKE, name) => recipes(call).into_iter().map(NestedCommand::Code).collect(),
        _ => {
            let codes = escapes::run(call).into_iter();
            codes.map(NestedCommand::Code).collect()
        }
    }
}

/// Returns the code that a program runs because a variable of its environment has it: `GIT_EDITOR='sed -i 1d'`.
pub(crate) fn code_of_variable(name: &str, value: &Word) -> Option<String> {
    let (_, added) = CODE_VARIABLES.iter().find(|row| lists(row.0, name))?;
    let code = value.source();
    Some(format!("{}{added}", code.trim_start_matches(['|', '-'])))
}

/// Returns the text that the last command of a pipeline prints if the command line has it: that of `echo`, also if `cat` and `tee` pass it on.
pub(crate) fn piped_text(pipeline: &[PipelineStep]) -> Option<Word> {
    for step in pipeline.iter().rev().take(MOST_PASSES) {
        if let Some(text) = printed_text(step) {
            return Some(text);
        }
        let has_input = step.redirects.iter().any(|own| own.fd == 0);
        if has_input || !passes_on(step) {
            return None;
        }
    }
    None
}

/// Returns whether a command prints its standard input as it is: `cat`, `tee F`.
fn passes_on(step: &PipelineStep) -> bool {
    let ShellCommand::Simple { words, .. } = &step.command else {
        return false;
    };
    let Some((name, args)) = words.split_first().filter(|_| !has_output(step)) else {
        return false;
    };
    match name.last_name().as_deref() {
        Some("tee") => true,
        Some("cat") => args.iter().all(is_standard_input),
        _ => false,
    }
}

fn has_output(step: &PipelineStep) -> bool {
    let is_output = |target: &RedirectTarget| {
        matches!(target, RedirectTarget::Output(_) | RedirectTarget::Both(_))
    };
    let mut outputs = step.redirects.iter().filter(|own| own.fd == 1);
    outputs.any(|own| is_output(&own.target))
}

/// Returns the text that a script prints if it is one pipeline and the command line has the text, also as a heredoc: `cat <<E`.
fn text_of_script(script: &Script) -> Option<Word> {
    match script.pipelines.as_slice() {
        [pipeline] => piped_text(pipeline).or_else(|| heredoc_of(script.only_step()?)),
        _ => None,
    }
}

fn heredoc_of(step: &PipelineStep) -> Option<Word> {
    match step.redirects.as_slice() {
        [
            Redirect {
                fd: 0,
                target: RedirectTarget::Here(here),
            },
        ] if passes_on(step) => Some(here.word()),
        _ => None,
    }
}

/// Returns the text that a command prints if it is `echo` or `printf` and the text is in the command line, as in `echo 'ls -l' | bash`.
fn printed_text(step: &PipelineStep) -> Option<Word> {
    let ShellCommand::Simple { words, .. } = &step.command else {
        return None;
    };
    if has_output(step) {
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
            text_of_script(script).map_or_else(|| piece.source().to_owned(), |text| text.source())
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
    let arguments = shell_arguments(call);
    if arguments.has("c") {
        return arguments.operands.first().map(code_in);
    }
    match arguments.operands.first() {
        Some(file) if !arguments.has("s") => code_of_file(call, file),
        _ => code_of_input(call),
    }
}

/// Returns the arguments of a shell, in which `+e` is an option as `-e` is.
pub(super) fn shell_arguments(call: &CommandCall) -> Arguments {
    let is_option = |word: &&Word| word.head().0.starts_with(['-', '+']);
    let leading = call.args.iter().take_while(is_option).count();
    let mut args = call.args.clone();
    for word in &mut args[..leading] {
        if let Some(letters) = word.strip_prefix("+") {
            *word = Word::known("-");
            word.append(&letters);
        }
    }
    SHELL_OPTIONS.read_leading(&args)
}

/// Returns the shell code in a file that a shell runs: the standard input, or a process substitution such as `<(echo 'ls -l')`.
fn code_of_file(call: &CommandCall, file: &Word) -> Option<String> {
    if is_standard_input(file) {
        return code_of_input(call);
    }
    substituted_text(file).map(|text| text.source())
}

/// Returns the text that a command reads from a file that is its standard input or a process substitution, if the command line has it.
pub(crate) fn text_of_file(call: &CommandCall, file: &Word) -> Option<Word> {
    if is_standard_input(file) {
        return text_of_input(call);
    }
    substituted_text(file)
}

/// Returns the text of the standard input of a command, if the command line has it.
pub(crate) fn text_of_input(call: &CommandCall) -> Option<Word> {
    match &call.input {
        Input::Here(here) => Some(here.word()),
        Input::Pipe(text) => text.clone(),
        Input::File(file) => substituted_text(file),
        Input::Elsewhere => None,
    }
}

/// Returns the recipes of makefiles that are in the command line: `make -f - <<E`, `make --eval=TEXT`.
fn recipes(call: &CommandCall) -> Vec<String> {
    let arguments = MAKE_OPTIONS.read(&call.args);
    let files = arguments.values("f file makefile");
    let texts = files.filter_map(|file| text_of_file(call, file));
    let texts: Vec<String> = texts
        .chain(arguments.values("eval E").cloned())
        .map(|text| text.source())
        .collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    let recipes = lines.filter_map(|line| {
        let recipe = line.strip_prefix('\t');
        recipe.or_else(|| line.split_once(':')?.1.split_once(';').map(|rule| rule.1))
    });
    let recipes = recipes.map(|line| {
        line.trim_start_matches(['@', '-', '+', ' '])
            .replace("$$", "$")
    });
    recipes.collect()
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
            text_of_script(script)
        }
        _ => None,
    }
}
