//! Parses the anchors of a request, and finds edits that occur twice.

use std::collections::HashMap;

use super::AnchoredEdit;
use crate::anchor::{Anchor, BadAnchor, Claim};
use crate::dialect::Duplicates;
use crate::edit::{Edit, EditNo, Operation, Place};
use crate::error::{AnchorProblem, Problem};
use crate::policy::{Landing, Policy};
use crate::render::display;
use crate::scheme::{CopiedText, Scheme};
use crate::text::{Document, LineNo, LineSpan};

/// An edit with its anchors parsed, or the reasons why they cannot be parsed.
pub(super) struct ParsedEdit {
    pub(super) edit: Edit,
    anchors: Result<Vec<Anchor>, Vec<Problem>>,
}

/// An edit that repeats an earlier edit of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twin {
    pub(crate) first: EditNo,
    pub(crate) second: EditNo,
}

/// Parses the anchors of all edits. Edits that repeat an earlier one are listed as twins, and removed from the edits if the dialect drops
/// them.
pub(super) fn parse(
    document: &Document,
    edits: Vec<Edit>,
    policy: &Policy<'_>,
) -> (Vec<ParsedEdit>, Vec<Twin>) {
    let dialect = policy.dialect;
    // For a tag without a number the file is searched, but only for the first one: a thousand searches would take too long.
    let mut guess = Some(document);
    let mut parsed: Vec<ParsedEdit> = edits
        .into_iter()
        .map(|edit| ParsedEdit {
            anchors: parse_claims(document, &mut guess, policy, &edit),
            edit,
        })
        .collect();
    if dialect.duplicates == Duplicates::Kept {
        return (parsed, Vec::new());
    }
    let (mut seen, mut twins) = (HashMap::new(), Vec::new());
    parsed.retain(|edit| {
        let second = edit.edit.no;
        let first = *seen.entry(identity(edit, dialect.scheme)).or_insert(second);
        if first != second {
            twins.push(Twin { first, second });
        }
        first == second || dialect.duplicates == Duplicates::Refused
    });
    (parsed, twins)
}

/// Returns the edits that have anchors, and the problems of those whose anchors cannot be parsed.
pub(super) fn anchored(parsed: &[ParsedEdit]) -> (Vec<AnchoredEdit>, Vec<Problem>) {
    let (mut edits, mut problems) = (Vec::new(), Vec::new());
    for (index, parsed) in parsed.iter().enumerate() {
        match &parsed.anchors {
            Ok(anchors) => edits.extend(anchored_edit(index, &parsed.edit, anchors)),
            Err(found) => problems.extend(found.iter().cloned()),
        }
    }
    (edits, problems)
}

fn anchored_edit(index: usize, edit: &Edit, anchors: &[Anchor]) -> Option<AnchoredEdit> {
    let mut anchors = anchors.iter().cloned();
    let first = anchors.next()?;
    let claims = edit.operation.claims().into_iter().cloned().collect();
    Some(AnchoredEdit {
        index,
        edit: edit.no,
        first,
        last: anchors.next(),
        claims,
        unseen: match &edit.operation {
            Operation::Replace { at, .. } | Operation::Delete { at } => Some(at.unseen),
            Operation::Insert { .. } | Operation::Substitute { .. } => None,
        },
    })
}

fn parse_claims(
    document: &Document,
    guess: &mut Option<&Document>,
    policy: &Policy<'_>,
    edit: &Edit,
) -> Result<Vec<Anchor>, Vec<Problem>> {
    let scheme = policy.dialect.scheme;
    // The original tools take the first anchor of several, and so change fewer lines than the caller means.
    let may_name_several = policy.landing == Landing::Seed;
    let (mut anchors, mut problems) = (Vec::new(), Vec::new());
    for claim in edit.operation.claims() {
        let text = claim.as_str();
        let parsed = if may_name_several {
            scheme.parse(text)
        } else {
            scheme.parse_one(text, |anchor, text| {
                compared(document, scheme, anchor, text)
            })
        };
        match parsed {
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

/// Compares a text that follows an anchor with the line that has the anchor's number, as the line is displayed; blanks around the text do not count.
fn compared(document: &Document, scheme: Scheme, anchor: &Anchor, text: &str) -> CopiedText {
    let number = LineNo::new(anchor.line);
    let line = number.and_then(|number| Some((number, document.line(number)?)));
    match line {
        Some((_, line)) if display(line.text).trim_start().starts_with(text.trim()) => {
            CopiedText::OfLine
        }
        Some((number, line)) if scheme.fits(anchor.tag, line.text, number) => CopiedText::OfOther,
        _ => CopiedText::LineChanged,
    }
}

/// Makes the problem for an anchor that cannot be parsed. If only the line number is missing, the first line with the anchor's tag is
/// shown as probably meant.
fn malformed(
    guess: &mut Option<&Document>,
    scheme: Scheme,
    edit: EditNo,
    claim: &Claim,
    reason: BadAnchor,
) -> Problem {
    let near = match &reason {
        BadAnchor::NumberMissing { tag } => guess.take().and_then(|document| {
            let line = LineNo::from_index;
            let mut numbered = document.lines().enumerate();
            let meant = numbered.find(|(index, text)| scheme.fits(*tag, text.text, line(*index)));
            meant.map(|(index, _)| LineSpan::of(line(index)))
        }),
        BadAnchor::Malformed { .. } | BadAnchor::LineZero | BadAnchor::SeveralLines => None,
    };
    let near = near.unwrap_or(LineSpan::gap(0));
    Problem::new(
        edit,
        claim.clone(),
        None,
        AnchorProblem::Malformed(reason),
        near,
    )
}

/// What makes two edits the same: the kind of operation, the parsed anchors, and the lines of the new text.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    kind: u8,
    anchors: Vec<(u64, String)>,
    lines: Vec<String>,
}

fn identity(parsed: &ParsedEdit, scheme: Scheme) -> Identity {
    let (kind, lines) = match &parsed.edit.operation {
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
    let anchors = match &parsed.anchors {
        Ok(anchors) => anchors
            .iter()
            .map(|a| (a.line, scheme.respell(a)))
            .collect(),
        Err(_) => parsed
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
