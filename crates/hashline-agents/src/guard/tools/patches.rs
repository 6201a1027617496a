//! `git apply`, `git am` and `patch`: edits that come as a file.

use super::{Call, Deed, Object};
use crate::guard::options::Spec;
use crate::guard::places::{Place, Places};
use crate::guard::shell::Word;

/// The options of git before its command.
const GIT: Spec = Spec {
    valued: "Cc",
    attached: "",
    long: &["git-dir", "work-tree", "namespace", "config-env"],
};

/// Options with which `git apply` only looks.
const ONLY_LOOKS: &[&str] = &["check", "stat", "numstat", "summary"];

/// Options with which `git am` gives up or shows.
const GIVES_UP: &[&str] = &["abort", "skip", "quit", "show-current-patch"];

const PATCH: Spec = Spec {
    valued: "pdiorBDFgVxYz",
    attached: "",
    long: &[
        "strip",
        "directory",
        "input",
        "output",
        "reject-file",
        "prefix",
        "suffix",
        "fuzz",
        "basename-prefix",
        "ifdef",
        "get",
        "version-control",
        "backup-suffix",
        "reject-format",
        "read-only",
        "quoting-style",
    ],
};

pub(super) fn git(call: &Call, places: &Places) -> Deed {
    let before = GIT.read_leading(&call.args);
    let Some((command, args)) = before.operands.split_first() else {
        return Deed::default();
    };
    let free = match command.text().as_deref() {
        Some("apply") => ONLY_LOOKS,
        Some("am") => GIVES_UP,
        _ => return Deed::default(),
    };
    let is_elsewhere = before
        .values(&["C", "work-tree"])
        .any(|dir| lies_outside(dir, places));
    let given = crate::guard::options::PLAIN.read(args);
    if is_elsewhere || given.has(free) {
        return Deed::default();
    }
    unnamed()
}

/// `patch [FILE [DIFF]]`.
pub(super) fn patch(call: &Call, places: &Places) -> Deed {
    let arguments = PATCH.read(&call.args);
    if arguments.has(&["dry-run", "check", "C"]) {
        return Deed::default();
    }
    if arguments
        .values(&["d", "directory"])
        .any(|dir| lies_outside(dir, places))
    {
        return Deed::default();
    }
    match arguments.operands.first() {
        Some(file) => Deed::writing([file], places),
        None => unnamed(),
    }
}

fn unnamed() -> Deed {
    Deed {
        writes: Some(Object::Unnamed),
        ..Deed::default()
    }
}

fn lies_outside(dir: &Word, places: &Places) -> bool {
    places.of(dir) == Place::Outside
}
