//! The revision that anchors were read from: beside a request, and whether it must be there.

use std::collections::{BTreeMap, BTreeSet};

use hashline_core::edit::{Operation, Place};
use hashline_core::files::{FileAction, Request};
use hashline_core::text::RevPrefix;

use super::RevField;
use super::typed::Asked;
use crate::error::{BadRequest, Fault};

/// Whether a request must say which revision its anchors were read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RevRule {
    /// It may: without one, anchors are those shown last.
    #[default]
    Optional,
    /// Every file that is there must come with one, but for text at its start or end.
    Required,
}

/// Adds the revision that was given beside a request over one file, unless it says itself.
pub(super) fn beside(mut asked: Asked, rev: &str) -> Result<Asked, BadRequest> {
    let refused = |message: &str| BadRequest::new(Fault::BadField, "rev", message);
    let parsed = RevPrefix::parse(rev);
    let parsed = parsed.ok_or_else(|| refused("a revision is 8 to 32 hex digits"))?;
    let request = &mut asked.request;
    let files: BTreeSet<&String> = request.steps.iter().map(|step| &step.path).collect();
    let only = match files.into_iter().collect::<Vec<_>>().as_slice() {
        [] => return Ok(asked),
        [only] => (*only).clone(),
        _ => {
            return Err(refused(
                "the request is over several files: say it with each of them",
            ));
        }
    };
    request.revs.entry(only).or_insert(parsed);
    Ok(asked)
}

/// Refuses a request that speaks of what a file holds without the revision it was read from.
pub(super) fn required(asked: Asked) -> Result<Asked, BadRequest> {
    let Some((index, path)) = without(&asked.request) else {
        return Ok(asked);
    };
    let at = match asked.rev_field {
        RevField::Own => "rev".to_owned(),
        RevField::InEntry => "files".to_owned(),
        RevField::ByPath => "revs".to_owned(),
    };
    let message = format!(
        "the `rev` of {path} is missing: send the one that was shown with its lines; if you do not have it, read the file again"
    );
    let refused = BadRequest::new(Fault::BadField, at, message);
    Err(refused.in_edit(index).of_file(Some(&path)))
}

/// Finds the first edit that speaks of what a file holds and does not say its revision, under the name it had before or the one it has there.
fn without(request: &Request) -> Option<(usize, String)> {
    let mut moved: BTreeMap<&str, &str> = BTreeMap::new();
    // What the request makes itself nobody was shown before.
    let mut made: BTreeSet<&str> = BTreeSet::new();
    for (index, step) in request.steps.iter().enumerate() {
        let before = moved.get(step.path.as_str()).copied();
        let before = before.unwrap_or(&step.path);
        let said = |path: &str| request.revs.contains_key(path);
        let is_made = made.contains(before);
        if speaks_of_content(&step.action) && !is_made && !said(before) && !said(&step.path) {
            return Some((index, step.path.clone()));
        }
        match &step.action {
            FileAction::Move(to) => {
                moved.insert(to, before);
            }
            FileAction::Create(_) => {
                made.insert(&step.path);
            }
            FileAction::Edit(_) | FileAction::Rewrite(_) | FileAction::Delete => {}
        }
    }
    None
}

/// Tells whether a step is meant for a file as it was shown. Text at the start or the end of a file stands there whatever the file holds.
fn speaks_of_content(action: &FileAction) -> bool {
    match action {
        FileAction::Edit(Operation::Insert { place, .. }) => {
            !matches!(place, Place::Start | Place::End)
        }
        FileAction::Edit(_) | FileAction::Rewrite(_) | FileAction::Move(_) | FileAction::Delete => {
            true
        }
        FileAction::Create(_) => false,
    }
}
