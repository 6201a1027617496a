//! Reading the claims of a request: anchors parsed, identical edits found.

use std::collections::HashMap;

use super::AnchoredEdit;
use crate::anchor::{Anchor, BadAnchor, Claim};
use crate::dialect::{Dialect, Duplicates};
use crate::edit::{Edit, EditNo, Operation, Place};
use crate::error::{AnchorProblem, Problem};
use crate::scheme::Scheme;
use crate::text::{Document, LineSpan};

/// An edit with its claims read, or the reasons why they cannot be.
pub(super) struct ParsedEdit {
    pub(super) edit: Edit,
    anchors: Result<Vec<Anchor>, Vec<Problem>>,
}

/// An edit that says the same as an earlier one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twin {
    pub(crate) first: EditNo,
    pub(crate) second: EditNo,
}

/// Reads all claims. Edits that say the same as an earlier one are returned apart, and left out where the dialect drops them.
pub(super) fn read(
    document: &Document,
    edits: Vec<Edit>,
    dialect: Dialect,
) -> (Vec<ParsedEdit>, Vec<Twin>) {
    // One look through the file for the first of them; a thousand are not worth a thousand looks.
    let mut guess = Some(document);
    let mut asked: Vec<ParsedEdit> = edits
        .into_iter()
        .map(|edit| ParsedEdit {
            anchors: read_claims(&mut guess, dialect.scheme, &edit),
            edit,
        })
        .collect();
    if dialect.duplicates == Duplicates::Kept {
        return (asked, Vec::new());
    }
    let (mut seen, mut twins) = (HashMap::new(), Vec::new());
    asked.retain(|asked| {
        let second = asked.edit.no;
        let first = *seen
            .entry(identity(asked, dialect.scheme))
            .or_insert(second);
        if first != second {
            twins.push(Twin { first, second });
        }
        first == second || dialect.duplicates == Duplicates::Refused
    });
    (asked, twins)
}

/// Parts the edits with anchors that can be looked for from the problems of those that cannot.
pub(super) fn sort(asked: &[ParsedEdit]) -> (Vec<AnchoredEdit>, Vec<Problem>) {
    let (mut wanted, mut problems) = (Vec::new(), Vec::new());
    for (index, asked) in asked.iter().enumerate() {
        match &asked.anchors {
            Ok(anchors) => wanted.extend(want(index, &asked.edit, anchors)),
            Err(found) => problems.extend(found.iter().cloned()),
        }
    }
    (wanted, problems)
}

fn want(index: usize, edit: &Edit, anchors: &[Anchor]) -> Option<AnchoredEdit> {
    let mut anchors = anchors.iter().cloned();
    let first = anchors.next()?;
    let claims = edit.operation.claims().into_iter().cloned().collect();
    Some(AnchoredEdit {
        index,
        edit: edit.no,
        first,
        last: anchors.next(),
        claims,
    })
}

fn read_claims(
    guess: &mut Option<&Document>,
    scheme: Scheme,
    edit: &Edit,
) -> Result<Vec<Anchor>, Vec<Problem>> {
    let (mut anchors, mut problems) = (Vec::new(), Vec::new());
    for claim in edit.operation.claims() {
        match scheme.parse(claim.as_str()) {
            Ok(anchor) => anchors.push(anchor),
            Err(reason) => problems.push(malformed(guess, scheme, edit.no, claim, reason)),
        }
    }
    if problems.is_empty() {
        Ok(anchors)
    } else {
        Err(problems)
    }
}

/// Describes a claim that cannot be read; a tag without a number points at the line that was probably meant.
fn malformed(
    guess: &mut Option<&Document>,
    scheme: Scheme,
    edit: EditNo,
    claim: &Claim,
    reason: BadAnchor,
) -> Problem {
    let near = match &reason {
        BadAnchor::NumberMissing { tag } => guess.take().and_then(|document| {
            let line = |index| crate::text::LineNo::from_index(index);
            let mut numbered = document.lines().enumerate();
            let meant = numbered.find(|(index, text)| scheme.fits(*tag, text.text, line(*index)));
            meant.map(|(index, _)| LineSpan::of(line(index)))
        }),
        BadAnchor::Malformed { .. } | BadAnchor::LineZero => None,
    };
    Problem {
        edit,
        claim: claim.clone(),
        anchor: None,
        trouble: AnchorProblem::Malformed(reason),
        near: near.unwrap_or(LineSpan::gap(0)),
        excerpt: None,
    }
}

/// What makes two edits the same: the operation, the anchors as they were read, the lines of the new text.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    kind: u8,
    anchors: Vec<(u64, String)>,
    lines: Vec<String>,
}

fn identity(asked: &ParsedEdit, scheme: Scheme) -> Identity {
    let (kind, lines) = match &asked.edit.operation {
        Operation::Replace { with, .. } => (0, with.lines()),
        Operation::Delete { .. } => (1, Vec::new()),
        Operation::Insert { place, text } => {
            let kind = match place {
                Place::Before(_) => 2,
                Place::After(_) => 3,
                Place::Start => 4,
                Place::End => 5,
            };
            (kind, text.lines())
        }
        Operation::Substitute { old, new, count } => {
            (6, vec![old.clone(), new.clone(), format!("{count:?}")])
        }
    };
    let anchors = match &asked.anchors {
        Ok(anchors) => anchors
            .iter()
            .map(|a| (a.line, scheme.respell(a)))
            .collect(),
        Err(_) => asked
            .edit
            .operation
            .claims()
            .iter()
            .map(|claim| (0, claim.to_string()))
            .collect(),
    };
    Identity {
        kind,
        anchors,
        lines,
    }
}
