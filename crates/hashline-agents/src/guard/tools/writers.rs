//! Commands that write the files they are given, downloads, and patches.

use super::{Call, Deed, Piped};
use crate::guard::options::{Arguments, ValueOptions};
use crate::guard::places::{Place, Places};
use crate::guard::shell::Word;

/// The options of git before its command.
const GIT: ValueOptions = ValueOptions("-C -c --git-dir --work-tree --namespace --config-env");

/// Also `sponge`, which prints nothing.
pub(super) fn tee(call: &Call, arguments: &Arguments, places: &Places) -> Deed {
    let mut files = arguments.operands.iter();
    let shows_it = files.any(|file| places.of(file) == Place::Terminal);
    let deed = Deed::writing(&arguments.operands, places);
    if call.name != "tee" {
        return deed;
    }
    Deed {
        shows: call.guarded_input(&[], places),
        piped: if shows_it {
            Piped::Shown
        } else {
            Piped::Passed
        },
        ..deed
    }
}

pub(super) fn yq(_: &Call, arguments: &Arguments, places: &Places) -> Deed {
    if !arguments.has(&["i", "inplace", "in-place"]) {
        return Deed::default();
    }
    // These commands take an expression and files, as it does without a command.
    let is_command = |word: &&Word| {
        ["eval", "e", "eval-all", "ea"]
            .iter()
            .any(|name| word.is(name))
    };
    let command = usize::from(arguments.operands.first().filter(is_command).is_some());
    let expression = usize::from(!arguments.has(&["from-file", "expression"]));
    Deed::writing(arguments.operands.iter().skip(command + expression), places)
}

/// `sd FIND REPLACE FILES`; without files it is a filter.
pub(super) fn sd(_: &Call, arguments: &Arguments, places: &Places) -> Deed {
    if arguments.has(&["p", "preview"]) {
        return Deed::default();
    }
    Deed::writing(arguments.operands.iter().skip(2), places)
}

pub(super) fn sort(_: &Call, arguments: &Arguments, places: &Places) -> Deed {
    Deed::writing(arguments.values(&["o", "output"]), places)
}

pub(super) fn truncate(_: &Call, arguments: &Arguments, places: &Places) -> Deed {
    Deed::writing(&arguments.operands, places)
}

pub(super) fn curl(_: &Call, arguments: &Arguments, places: &Places) -> Deed {
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
    Deed::writing(&files, places)
}

pub(super) fn wget(_: &Call, arguments: &Arguments, places: &Places) -> Deed {
    Deed::writing(arguments.values(&["O", "output-document"]), places)
}

/// `git apply` and `git am`, unless they only look, give up or show.
pub(super) fn git(call: &Call, _: &Arguments, places: &Places) -> Deed {
    let before = GIT.read_leading(&call.args);
    let Some((command, args)) = before.operands.split_first() else {
        return Deed::default();
    };
    let free: &[&str] = match command.text().as_deref() {
        Some("apply") => &["check", "stat", "numstat", "summary"],
        Some("am") => &["abort", "skip", "quit", "show-current-patch"],
        _ => return Deed::default(),
    };
    let mut folders = before.values(&["C", "work-tree"]);
    let is_elsewhere = folders.any(|folder| places.of(folder) == Place::Outside);
    if is_elsewhere || ValueOptions("").read(args).has(free) {
        return Deed::default();
    }
    Deed::writing_unnamed()
}

/// `patch [FILE [DIFF]]`.
pub(super) fn patch(_: &Call, arguments: &Arguments, places: &Places) -> Deed {
    let mut folders = arguments.values(&["d", "directory"]);
    let is_elsewhere = folders.any(|folder| places.of(folder) == Place::Outside);
    if is_elsewhere || arguments.has(&["dry-run", "check", "C"]) {
        return Deed::default();
    }
    match arguments.operands.first() {
        Some(file) => Deed::writing([file], places),
        None => Deed::writing_unnamed(),
    }
}
