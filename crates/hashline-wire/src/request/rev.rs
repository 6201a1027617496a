//! The revision that a request's anchors were read from: the default from [`ParseOptions`](super::ParseOptions), and whether one is required.

use std::collections::{BTreeMap, BTreeSet};

use hashline_core::edit::{Operation, Place};
use hashline_core::files::{FileAction, Request};

use super::parser::revision;
use super::{Parsed, RevField};
use crate::error::{BadRequest, Fault};

/// Whether a request must name the revision its anchors were read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RevRule {
    /// No: without a revision, anchors are taken to be those that were shown last.
    #[default]
    Optional,
    /// Yes, for every existing file, except to insert text at its start or end.
    Required,
}

/// Adds the revision from the options to a request over one file that names none; refuses it for several files.
pub(super) fn add_default(request: &mut Request, rev: &str) -> Result<(), BadRequest> {
    let rev = revision(rev, "rev")?;
    let mut files = request.steps.iter().map(|step| &step.path);
    let Some(first) = files.next().cloned() else {
        return Ok(());
    };
    if files.any(|path| *path != first) {
        let message = "the request is for several files; give the revision with each of them";
        return Err(BadRequest::new(Fault::BadField, "rev", message));
    }
    request.revs.entry(first).or_insert(rev);
    Ok(())
}

/// Refuses a request with an edit that depends on a file's content but does not name the file's revision.
pub(super) fn require(parsed: &Parsed) -> Result<(), BadRequest> {
    let Some((index, path)) = first_without_rev(&parsed.request) else {
        return Ok(());
    };
    let at = match parsed.rev_field {
        RevField::Own => "rev",
        RevField::InEntry => "files",
        RevField::ByPath => "revs",
    };
    let message = format!(
        "missing `rev` of {path}: send the one that was shown with its lines, or read the file again"
    );
    let refused = BadRequest::new(Fault::BadField, at, message);
    Err(refused.in_edit(index).of_file(Some(&path)))
}

/// Returns the index and path of the first edit that depends on the content of a file whose revision the request does not name. The revision
/// of a moved file may be under its old or its new path.
fn first_without_rev(request: &Request) -> Option<(usize, String)> {
    let mut moved: BTreeMap<&str, &str> = BTreeMap::new();
    // A file that the request creates has no revision yet.
    let mut created: BTreeSet<&str> = BTreeSet::new();
    for (index, step) in request.steps.iter().enumerate() {
        let before = moved.get(step.path.as_str()).copied();
        let before = before.unwrap_or(&step.path);
        let has_rev = |path: &str| request.revs.contains_key(path);
        let is_known = created.contains(before) || has_rev(before) || has_rev(&step.path);
        if depends_on_content(&step.action) && !is_known {
            return Some((index, step.path.clone()));
        }
        match &step.action {
            FileAction::Move(to) => {
                moved.insert(to, before);
            }
            FileAction::Create(_) | FileAction::Overwrite(..) => {
                created.insert(&step.path);
            }
            FileAction::Edit(_) | FileAction::Rewrite(_) | FileAction::Delete => {}
        }
    }
    None
}

/// Returns whether an action is only right for the content that the caller saw. Inserting at the start or the end of a file fits any content.
fn depends_on_content(action: &FileAction) -> bool {
    match action {
        FileAction::Edit(Operation::Insert { place, .. }) => {
            !matches!(place, Place::Start | Place::End)
        }
        FileAction::Edit(_) | FileAction::Rewrite(_) | FileAction::Move(_) | FileAction::Delete => {
            true
        }
        FileAction::Create(_) | FileAction::Overwrite(..) => false,
    }
}
