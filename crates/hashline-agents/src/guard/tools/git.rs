//! The effect of `git` on the files of the workspace, and the commands that it runs.
//!
//! Version control itself is allowed: `git checkout`, `git show`, `git diff`. What counts are subcommands that write or print a file that the
//! command line names, such as `git apply`, `git diff --output=F` and `git grep '' F`.

use super::nested::NestedCommand;
use super::readers;
use super::wrappers::split_words;
use super::{CommandCall, Effect, Input};
use crate::guard::options::{Arguments, ValueOptions, lists};
use crate::guard::places::{GuardPaths, PathKind};
use crate::guard::shell::Word;

/// The options with a value that `git` accepts before its subcommand.
const GIT: ValueOptions = ValueOptions("-C -c --git-dir --work-tree --namespace --config-env");

/// The options with a value of the subcommands that are looked at.
const OPTIONS: &[(&str, &str)] = &[
    (
        "diff log show format-patch diff-tree diff-index diff-files range-diff archive",
        "-o -U -S -G -O -n -l --output --output-directory --unified --format --prefix --inter-hunk-context",
    ),
    (
        "grep",
        "-e -f -A -B -C -m -O? --after-context --before-context --context --max-count --max-depth --threads",
    ),
    ("config", "-f --file --blob --type --default"),
    ("merge-file", "-L --marker-size --diff-algorithm"),
    (
        "interpret-trailers",
        "--trailer --where --if-exists --if-missing",
    ),
    (
        "rebase",
        "-x -s -X -C --exec --onto --strategy --strategy-option",
    ),
];

/// Options of `git diff` with which it prints no lines of the files.
const NOT_LINES: &str =
    "stat numstat shortstat dirstat summary name-only name-status quiet check s no-patch output";

/// Variables of git's configuration whose value is an editor, and the file that it edits.
const EDITORS: &[(&str, &str)] = &[
    ("core.editor=", ".git/COMMIT_EDITMSG"),
    ("sequence.editor=", ".git/rebase-merge/git-rebase-todo"),
];

/// A call of `git`, split at its subcommand.
struct GitCall {
    before: Arguments,
    name: String,
    args: Vec<Word>,
}

impl GitCall {
    fn of(call: &CommandCall) -> Option<Self> {
        let before = GIT.read_leading(&call.args);
        let (name, args) = before.operands.split_first()?;
        let (name, args) = (name.text()?, args.to_vec());
        Some(Self { before, name, args })
    }

    fn arguments(&self) -> Arguments {
        let own = |row: &&(&str, &str)| lists(row.0, &self.name);
        let options = OPTIONS.iter().find(own).map_or("", |row| row.1);
        ValueOptions(options).read(&self.args)
    }

    /// Returns whether the command works in a folder outside the workspace: `git -C /tmp/x apply`.
    fn is_elsewhere(&self, places: &GuardPaths) -> bool {
        let mut folders = self.before.values("C work-tree");
        folders.any(|folder| places.of(folder) == PathKind::Outside)
    }
}

/// Returns the effect of `git`.
pub(super) fn judge(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    let Some(git) = GitCall::of(call).filter(|git| !git.is_elsewhere(places)) else {
        return Effect::default();
    };
    let arguments = git.arguments();
    match git.name.as_str() {
        "apply" if arguments.has("check stat numstat summary") => Effect::default(),
        "am" if arguments.has("abort skip quit show-current-patch") => Effect::default(),
        "apply" | "am" => Effect::writing_unnamed(),
        "format-patch" => format_patch(&arguments, places),
        "archive" => Effect::writing(arguments.values("o output"), places),
        "merge-file" if !arguments.has("p stdout") => {
            Effect::writing(arguments.operands.first(), places)
        }
        "config" => config(&arguments, places),
        "interpret-trailers" if arguments.has("in-place") => {
            Effect::writing(&arguments.operands, places)
        }
        "grep" => grep(&git, &arguments, places),
        "stripspace" => Effect::printing(call, &[], places),
        "diff" => Effect {
            shows: compared(&arguments, places),
            ..Effect::writing(arguments.values("output"), places)
        },
        _ => Effect::writing(arguments.values("output"), places),
    }
}

/// Returns the effect of `git format-patch`, which writes a file for each commit.
fn format_patch(arguments: &Arguments, places: &GuardPaths) -> Effect {
    if arguments.has("stdout") {
        return Effect::default();
    }
    let mut folders = arguments.values("o output-directory");
    if let Some(folder) = folders.next() {
        return Effect::writing([folder], places);
    }
    if arguments.has("output") {
        return Effect::writing(arguments.values("output"), places);
    }
    Effect::writing_unnamed()
}

/// Returns the effect of `git config --file F`, which writes `F` if it is given a value.
fn config(arguments: &Arguments, places: &GuardPaths) -> Effect {
    let first = arguments.operands.first();
    let is_written = match first {
        Some(first) if first.is_one_of("set unset rename-section remove-section") => true,
        Some(first) if first.is_one_of("get list edit") => false,
        _ => arguments.operands.len() > 1,
    };
    let changes = arguments.has("add unset unset-all replace-all rename-section remove-section");
    let only_reads = arguments.has("get get-all get-regexp get-urlmatch l list");
    if only_reads || !(changes || is_written) {
        return Effect::default();
    }
    Effect::writing(arguments.values("f file"), places)
}

/// Returns the effect of `git grep`, which searches the working files unless it is given a revision or `--cached`.
fn grep(git: &GitCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let end = git.args.iter().position(|word| word.is("--"));
    let files = end.map_or(0, |end| git.args.len() - end - 1);
    let has_pattern = usize::from(!arguments.has("e f"));
    let has_revision = end.is_some() && arguments.operands.len() > has_pattern + files;
    if has_revision || arguments.has("cached") {
        return Effect::default();
    }
    // It does not read the standard input.
    let search = CommandCall {
        name: readers::GIT_GREP.to_owned(),
        args: git.args.clone(),
        input: Input::Elsewhere,
    };
    readers::grep(&search, arguments, places)
}

/// Returns the file that `git diff` shows whole because it compares it with something outside the workspace: `git diff --no-index /dev/null F`.
fn compared(arguments: &Arguments, places: &GuardPaths) -> Option<Word> {
    let [left, right] = arguments.operands.as_slice() else {
        return None;
    };
    let is_free = |word: &Word| match places.of(word) {
        PathKind::Outside | PathKind::Device => true,
        PathKind::None => arguments.has("no-index"),
        _ => false,
    };
    if arguments.has(NOT_LINES) {
        return None;
    }
    match (is_free(left), is_free(right)) {
        (true, false) if places.guards(right) => Some(right.clone()),
        (false, true) if places.guards(left) => Some(left.clone()),
        _ => None,
    }
}

/// Returns the commands that `git` runs: aliases and editors given with `-c`, and the commands of `rebase -x`, `bisect run` and
/// `submodule foreach`.
pub(super) fn commands(call: &CommandCall) -> Vec<NestedCommand> {
    let Some(git) = GitCall::of(call) else {
        return Vec::new();
    };
    let mut commands: Vec<NestedCommand> = Vec::new();
    for setting in git.before.values("c") {
        if let Some(value) = setting.strip_prefix(&format!("alias.{}=", git.name)) {
            commands.push(aliased(&value, &git.args));
        }
        for (name, file) in EDITORS {
            let editor = setting.strip_prefix(name);
            let code = editor.map(|editor| format!("{} {file}", editor.source()));
            commands.extend(code.map(NestedCommand::Code));
        }
    }
    let arguments = git.arguments();
    let first = arguments.operands.first().and_then(Word::text);
    match (git.name.as_str(), first.as_deref()) {
        ("rebase", _) => {
            let codes = arguments.values("x exec").map(Word::source);
            commands.extend(codes.map(NestedCommand::Code));
        }
        ("bisect", Some("run")) => {
            commands.push(NestedCommand::Words(
                git.args.get(1..).unwrap_or_default().to_vec(),
            ));
        }
        ("submodule", Some("foreach")) => {
            let words = arguments.operands.iter().skip(1).map(Word::source);
            commands.push(NestedCommand::Code(words.collect::<Vec<_>>().join(" ")));
        }
        _ => {}
    }
    commands
}

/// Returns the command of an alias: shell code after `!`, else the arguments of another `git`.
fn aliased(value: &Word, args: &[Word]) -> NestedCommand {
    if let Some(code) = value.strip_prefix("!") {
        let words = args.iter().map(Word::source);
        let words: Vec<String> = [code.source()].into_iter().chain(words).collect();
        return NestedCommand::Code(words.join(" "));
    }
    let words = [Word::known("git")].into_iter().chain(split_words(value));
    NestedCommand::Words(words.chain(args.iter().cloned()).collect())
}
