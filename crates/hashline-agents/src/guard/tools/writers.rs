//! Commands that write the files they are given, downloads, and patches.

use super::{CommandCall, CommandEffect, Piped};
use crate::guard::options::{Arguments, ValueOptions};
use crate::guard::places::{PathKind, WorkspacePaths};
use crate::guard::shell::Word;

/// The options of git before its command.
const GIT: ValueOptions = ValueOptions("-C -c --git-dir --work-tree --namespace --config-env");

/// Also `sponge`, which prints nothing.
pub(super) fn tee(
    call: &CommandCall,
    arguments: &Arguments,
    places: &WorkspacePaths,
) -> CommandEffect {
    let mut files = arguments.operands.iter();
    let shows_it = files.any(|file| places.of(file) == PathKind::Terminal);
    let effect = CommandEffect::writing(&arguments.operands, places);
    if call.name != "tee" {
        return effect;
    }
    CommandEffect {
        shows: call.guarded_input(&[], places),
        piped: if shows_it {
            Piped::Shown
        } else {
            Piped::Passed
        },
        ..effect
    }
}

pub(super) fn yq(_: &CommandCall, arguments: &Arguments, places: &WorkspacePaths) -> CommandEffect {
    if !arguments.has(&["i", "inplace", "in-place"]) {
        return CommandEffect::default();
    }
    // These commands take an expression and files, as it does without a command.
    let is_command = |word: &&Word| {
        ["eval", "e", "eval-all", "ea"]
            .iter()
            .any(|name| word.is(name))
    };
    let command = usize::from(arguments.operands.first().filter(is_command).is_some());
    let expression = usize::from(!arguments.has(&["from-file", "expression"]));
    CommandEffect::writing(arguments.operands.iter().skip(command + expression), places)
}

/// `sd FIND REPLACE FILES`; without files it is a filter.
pub(super) fn sd(_: &CommandCall, arguments: &Arguments, places: &WorkspacePaths) -> CommandEffect {
    if arguments.has(&["p", "preview"]) {
        return CommandEffect::default();
    }
    CommandEffect::writing(arguments.operands.iter().skip(2), places)
}

pub(super) fn sort(
    _: &CommandCall,
    arguments: &Arguments,
    places: &WorkspacePaths,
) -> CommandEffect {
    CommandEffect::writing(arguments.values(&["o", "output"]), places)
}

pub(super) fn truncate(
    _: &CommandCall,
    arguments: &Arguments,
    places: &WorkspacePaths,
) -> CommandEffect {
    CommandEffect::writing(&arguments.operands, places)
}

pub(super) fn curl(
    _: &CommandCall,
    arguments: &Arguments,
    places: &WorkspacePaths,
) -> CommandEffect {
    let folder = arguments.values(&["output-dir"]).last();
    let within = |file: &Word| match folder {
        Some(folder) if !file.is("-") => {
            let mut path = folder.clone();
            path.push_text("/");
            path.append(file);
            path
        }
        _ => file.clone(),
    };
    let files: Vec<Word> = arguments.values(&["o", "output"]).map(within).collect();
    CommandEffect::writing(&files, places)
}

pub(super) fn wget(
    _: &CommandCall,
    arguments: &Arguments,
    places: &WorkspacePaths,
) -> CommandEffect {
    CommandEffect::writing(arguments.values(&["O", "output-document"]), places)
}

/// `git apply` and `git am`, unless they only look, give up or show.
pub(super) fn git(call: &CommandCall, _: &Arguments, places: &WorkspacePaths) -> CommandEffect {
    let before = GIT.read_leading(&call.args);
    let Some((command, args)) = before.operands.split_first() else {
        return CommandEffect::default();
    };
    let free: &[&str] = match command.text().as_deref() {
        Some("apply") => &["check", "stat", "numstat", "summary"],
        Some("am") => &["abort", "skip", "quit", "show-current-patch"],
        _ => return CommandEffect::default(),
    };
    let mut folders = before.values(&["C", "work-tree"]);
    let is_elsewhere = folders.any(|folder| places.of(folder) == PathKind::Outside);
    if is_elsewhere || ValueOptions("").read(args).has(free) {
        return CommandEffect::default();
    }
    CommandEffect::writing_unnamed()
}

/// `patch [FILE [DIFF]]`.
pub(super) fn patch(
    _: &CommandCall,
    arguments: &Arguments,
    places: &WorkspacePaths,
) -> CommandEffect {
    let mut folders = arguments.values(&["d", "directory"]);
    let is_elsewhere = folders.any(|folder| places.of(folder) == PathKind::Outside);
    if is_elsewhere || arguments.has(&["dry-run", "check", "C"]) {
        return CommandEffect::default();
    }
    match arguments.operands.first() {
        Some(file) => CommandEffect::writing([file], places),
        None => CommandEffect::writing_unnamed(),
    }
}
