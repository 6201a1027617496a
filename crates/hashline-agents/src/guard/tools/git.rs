//! The effect of `git` on the files of the workspace, and the commands that it runs.
//!
//! Version control itself is allowed: `git checkout`, `git show`, `git diff`. What counts are subcommands that write or print a file that the
//! command line names, such as `git apply`, `git diff --output=F` and `git grep '' F`.

use super::nested::{COMPARED, NestedCommand};
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
    ("difftool", "-x -t -d? -U -S -G --extcmd --tool --unified"),
    (
        "filter-branch",
        "-d --setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter \
         --subdirectory-filter --original --state-branch",
    ),
    (
        "rebase",
        "-x -s -X -C --exec --onto --strategy --strategy-option",
    ),
];

/// Options of `git diff` with which it prints no lines of the files.
const NOT_LINES: &str =
    "stat numstat shortstat dirstat summary name-only name-status quiet check s no-patch output";

/// Settings of git whose value git runs as shell code, and what it adds to it: the file that an editor edits, the files that are compared. A `*`
/// stands for any name.
const CODE_SETTINGS: &[(&str, &str)] = &[
    ("core.editor", " .git/COMMIT_EDITMSG"),
    ("sequence.editor", " .git/rebase-merge/git-rebase-todo"),
    (
        "core.pager pager.* core.fsmonitor core.sshcommand core.askpass",
        "",
    ),
    ("interactive.difffilter diff.*.textconv gpg.program", ""),
    ("diff.external diff.*.command difftool.*.cmd", COMPARED),
    ("merge.*.driver mergetool.*.cmd", ""),
    ("filter.*.clean filter.*.smudge filter.*.process", ""),
];

/// Subcommands with options whose value is shell code, and what git adds to it.
const CODE_OPTIONS: &[(&str, &str, &str)] = &[
    ("rebase", "x exec", ""),
    ("difftool", "x extcmd", COMPARED),
    ("grep", "O open-files-in-pager", " \"$FILE\""),
    (
        "filter-branch",
        "setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter",
        "",
    ),
];

/// Options with which `git config` only reads.
const ONLY_READS: &str = "get get-all get-regexp get-urlmatch l list";

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

    /// Returns the settings that the call makes, each with its name in lower case: `git -c NAME=VALUE`, `git config NAME VALUE`.
    fn settings(&self, arguments: &Arguments) -> Vec<(String, Word)> {
        let assigned = self.before.values("c").filter_map(|setting| {
            let (head, _) = setting.head();
            let (name, _) = head.split_once('=')?;
            Some((name.to_lowercase(), setting.after(name.len() + 1)))
        });
        let mut settings: Vec<(String, Word)> = assigned.collect();
        let operands = arguments.operands.as_slice();
        let operands = match operands {
            [set, rest @ ..] if set.is("set") => rest,
            operands => operands,
        };
        if let ([name, value, ..], true) = (
            operands,
            self.name == "config" && !arguments.has(ONLY_READS),
        ) && let Some(name) = name.text()
        {
            settings.push((name.to_lowercase(), value.clone()));
        }
        settings
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
    if arguments.has(ONLY_READS) || !(changes || is_written) {
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

/// Returns the commands that `git` runs: aliases, editors and other programs in its settings, and the commands of `rebase -x`, `bisect run`,
/// `submodule foreach` and others.
pub(super) fn commands(call: &CommandCall) -> Vec<NestedCommand> {
    let Some(git) = GitCall::of(call) else {
        return Vec::new();
    };
    let arguments = git.arguments();
    let settings = git.settings(&arguments);
    let mut commands: Vec<NestedCommand> = settings
        .iter()
        .filter_map(|(name, value)| set(name, value, &git))
        .collect();
    for (_, options, added) in CODE_OPTIONS.iter().filter(|row| row.0 == git.name) {
        let codes = arguments.values(options).map(Word::source);
        commands.extend(codes.map(|code| NestedCommand::Code(code + added)));
    }
    let first = arguments.operands.first().and_then(Word::text);
    match (git.name.as_str(), first.as_deref()) {
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

/// Returns the command that git runs because of a setting. An alias counts as if it ran where it is defined, as a function does.
fn set(name: &str, value: &Word, git: &GitCall) -> Option<NestedCommand> {
    if let Some(alias) = name.strip_prefix("alias.") {
        let args: &[Word] = if alias == git.name { &git.args } else { &[] };
        return Some(aliased(value, args));
    }
    let is_meant = |own: &str| match own.split_once('*') {
        Some((begin, end)) => name.starts_with(begin) && name.ends_with(end),
        None => own == name,
    };
    let is_row = |row: &&(&str, &str)| row.0.split_whitespace().any(is_meant);
    let (_, added) = CODE_SETTINGS.iter().find(is_row)?;
    Some(NestedCommand::Code(value.source() + added))
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
