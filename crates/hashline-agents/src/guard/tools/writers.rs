//! Commands that write files: editors, download tools, `patch`, `git apply`.

use super::readers::without_commands;
use super::{CommandCall, Effect, Piped};
use crate::guard::options::{Arguments, ValueOptions};
use crate::guard::places::{GuardPaths, PathKind};
use crate::guard::shell::Word;

/// The options with a value that `git` accepts before its subcommand.
const GIT: ValueOptions = ValueOptions("-C -c --git-dir --work-tree --namespace --config-env");

/// Returns the effect of an editor such as `vim`, which writes the files among its operands.
pub(super) fn editor(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(&without_commands(arguments), places)
}

/// Returns the effect of `tee`, which writes its files and prints its input, and of `sponge`, which only writes.
pub(super) fn tee(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let mut files = arguments.operands.iter();
    let shows_it = files.any(|file| places.of(file) == PathKind::Terminal);
    let effect = Effect::writing(&arguments.operands, places);
    if call.name != "tee" {
        return effect;
    }
    Effect {
        shows: call.guarded_input(&[], places),
        piped: if shows_it {
            Piped::Shown
        } else {
            Piped::Passed
        },
        ..effect
    }
}

pub(super) fn yq(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    if !arguments.has("i inplace in-place") {
        return Effect::default();
    }
    // These commands take an expression and files, as it does without a command.
    let first = arguments.operands.first();
    let command = usize::from(first.is_some_and(|word| word.is_one_of("eval e eval-all ea")));
    let expression = usize::from(!arguments.has("from-file expression"));
    Effect::writing(arguments.operands.iter().skip(command + expression), places)
}

/// Returns the effect of `sd FIND REPLACE FILES`, which edits the files in place; without files it writes nothing.
pub(super) fn sd(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    if arguments.has("p preview") {
        return Effect::default();
    }
    Effect::writing(arguments.operands.iter().skip(2), places)
}

pub(super) fn sort(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(arguments.values("o output"), places)
}

pub(super) fn truncate(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(&arguments.operands, places)
}

pub(super) fn curl(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let folder = arguments.values("output-dir").last();
    let within = |file: &Word| match folder {
        Some(folder) if !file.is("-") => {
            let mut path = folder.clone();
            path.push_text("/");
            path.append(file);
            path
        }
        _ => file.clone(),
    };
    let files: Vec<Word> = arguments.values("o output").map(within).collect();
    Effect::writing(&files, places)
}

pub(super) fn wget(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(arguments.values("O output-document"), places)
}

/// Returns the effect of `git`: `git apply` and `git am` write files, unless an option such as `--check` or `--abort` prevents it.
pub(super) fn git(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    let before = GIT.read_leading(&call.args);
    let Some((command, args)) = before.operands.split_first() else {
        return Effect::default();
    };
    let free = match command.text().as_deref() {
        Some("apply") => "check stat numstat summary",
        Some("am") => "abort skip quit show-current-patch",
        _ => return Effect::default(),
    };
    let mut folders = before.values("C work-tree");
    let is_elsewhere = folders.any(|folder| places.of(folder) == PathKind::Outside);
    if is_elsewhere || ValueOptions("").read(args).has(free) {
        return Effect::default();
    }
    Effect::writing_unnamed()
}

/// Returns the effect of `patch [FILE [DIFF]]`, which writes `FILE` or else the files that the diff names.
pub(super) fn patch(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let mut folders = arguments.values("d directory");
    let is_elsewhere = folders.any(|folder| places.of(folder) == PathKind::Outside);
    if is_elsewhere || arguments.has("dry-run check C") {
        return Effect::default();
    }
    match arguments.operands.first() {
        Some(file) => Effect::writing([file], places),
        None => Effect::writing_unnamed(),
    }
}
