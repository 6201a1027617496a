//! Corrections with proof, and hints where there is none.

use super::boundary_echo::{Alike, Surroundings, drop_echo};
use super::copied_anchors::{self, Verdict};
use super::rewrapped::BlankLines;
use super::{
    Hint, Proof, Repaired, Rule, Work, anchor_echo, indentation, merged_lines, plus_markers,
    rewrapped, text_at, texts,
};
use crate::apply::apply;
use crate::plan::plan;
use crate::policy::{Policy, SyntaxJudge};
use crate::resolve::{Side, TargetKind};
use crate::shown::Shown;
use crate::text::Document;

/// A correction that could be made, if it were proved.
struct Suspicion {
    edit: usize,
    rule: Rule,
    after: Vec<String>,
}

/// Makes the corrections that are proved; everything else stays as written.
pub(super) fn repair(
    document: &Document,
    shown: &Shown<'_>,
    mut repaired: Repaired,
    policy: &Policy<'_>,
) -> Repaired {
    for index in 0..repaired.edits.len() {
        let edit = &repaired.edits[index];
        let Some(lines) = edit.work.lines().filter(|lines| !lines.is_empty()) else {
            continue;
        };
        match copied_anchors::judge(document, shown, policy.dialect.scheme, &edit.anchors, lines) {
            Verdict::Clean => {}
            Verdict::Suspicious => repaired.hints.push(Hint {
                rule: Rule::CopiedAnchors,
                edit: edit.no,
            }),
            Verdict::Proven(after, proof) => {
                repaired.make(index, Rule::CopiedAnchors, after, proof);
            }
        }
    }
    let suspicions = suspect(document, &repaired);
    let proved = policy
        .judge
        .and_then(|judge| prove(document, &repaired, &suspicions, policy, judge));
    for (number, suspicion) in suspicions.into_iter().enumerate() {
        let Suspicion { edit, rule, after } = suspicion;
        if proved == Some(number) {
            repaired.make(edit, rule, after, Proof::Syntax);
        } else {
            repaired.hints.push(Hint {
                rule,
                edit: repaired.edits[edit].no,
            });
        }
    }
    repaired
}

/// Lists every correction that would change the text of an edit.
fn suspect(document: &Document, repaired: &Repaired) -> Vec<Suspicion> {
    let of_edit = |(edit, work): (usize, &Work)| {
        let found = candidates(document, work);
        found
            .into_iter()
            .map(move |(rule, after)| Suspicion { edit, rule, after })
    };
    repaired
        .edits
        .iter()
        .map(|edit| &edit.work)
        .enumerate()
        .flat_map(of_edit)
        .collect()
}

fn candidates(document: &Document, work: &Work) -> Vec<(Rule, Vec<String>)> {
    let found = match work {
        Work::Replace {
            span,
            lines,
            target,
        } => {
            let Some(originals) = texts(document, *span).filter(|_| !lines.is_empty()) else {
                return Vec::new();
            };
            let around = Surroundings {
                above: text_at(document, span.start().checked_sub(1)),
                below: text_at(document, Some(span.end())),
                replaced: span.len(),
            };
            let paired = (*target == TargetKind::Line)
                .then(|| indentation::restore_block(&originals, lines));
            vec![
                (Rule::PlusMarkers, plus_markers::strip(lines)),
                (
                    Rule::BoundaryEcho,
                    drop_echo(lines, around, Alike::Exactly).map(|dropped| dropped.lines),
                ),
                (Rule::MergedLines, merged_lines::split(&originals, lines)),
                (
                    Rule::Rewrapped,
                    rewrapped::restore(&originals, lines, BlankLines::Excluded).lines,
                ),
                (Rule::Indentation, paired.flatten()),
            ]
        }
        Work::Insert { gap, lines, .. } => {
            let Some(anchor) = text_at(document, gap.anchor()) else {
                return Vec::new();
            };
            let echo = match gap.side {
                Side::BeforeLine => anchor_echo::prepend(anchor, lines),
                _ => anchor_echo::append(anchor, lines).filter(|left| !left.is_empty()),
            };
            vec![
                (Rule::PlusMarkers, plus_markers::strip(lines)),
                (Rule::AnchorEcho, echo),
            ]
        }
        Work::Substitute { .. } => Vec::new(),
    };
    found
        .into_iter()
        .filter_map(|(rule, after)| Some((rule, after?)))
        .collect()
}

/// Returns the one suspicion whose correction mends the file: it parsed before, it does not as written, and only with this
/// correction it parses again.
fn prove(
    document: &Document,
    repaired: &Repaired,
    suspicions: &[Suspicion],
    policy: &Policy<'_>,
    judge: &dyn SyntaxJudge,
) -> Option<usize> {
    let errors_of = |repaired: Repaired| {
        let plan = plan(document, repaired, policy).ok()?;
        judge.errors(apply(plan).document.bytes())
    };
    if suspicions.is_empty()
        || judge.errors(document.bytes())? > 0
        || errors_of(repaired.clone())? == 0
    {
        return None;
    }
    let mut mends = suspicions.iter().enumerate().filter(|(_, suspicion)| {
        let mut tried = repaired.clone();
        tried.make(
            suspicion.edit,
            suspicion.rule,
            suspicion.after.clone(),
            Proof::Syntax,
        );
        errors_of(tried) == Some(0)
    });
    let (only, _) = mends.next()?;
    mends.next().is_none().then_some(only)
}
