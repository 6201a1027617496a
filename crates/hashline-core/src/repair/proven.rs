//! Corrects mistakes in new text that can be proved, and adds hints for those that cannot.

use std::cell::OnceCell;

use super::candidates::{
    Alike, BlankLines, Surroundings, anchor_echo, drop_boundary_echo, indentation, merged_lines,
    restore_wrapped, strip_plus_markers,
};
use super::copied_anchors::{self, CopiedVerdict};
use super::{EditWork, Hint, Proof, Repaired, Rule, text_at, texts};
use crate::apply::apply;
use crate::plan::plan;
use crate::policy::{Policy, SyntaxJudge};
use crate::resolve::{NamedKind, Side};
use crate::shown::Shown;
use crate::text::Document;

/// A possible mistake in the text of an edit, with the lines as they would be after its correction.
struct Suspicion {
    edit: usize,
    rule: Rule,
    after: Vec<String>,
}

/// Makes the corrections that can be proved; all other text stays as it was sent.
pub(super) fn repair(
    document: &Document,
    shown: &Shown<'_>,
    mut repaired: Repaired,
    policy: &Policy<'_>,
) -> Repaired {
    let about_anchors = OnceCell::new();
    for index in 0..repaired.edits.len() {
        let edit = &repaired.edits[index];
        match copied_anchors::judge(
            document,
            &about_anchors,
            shown,
            policy.dialect.scheme,
            &edit.anchors,
            &edit.work.new_lines(),
        ) {
            CopiedVerdict::Clean => {}
            CopiedVerdict::Suspicious => repaired.hints.push(Hint {
                rule: Rule::CopiedAnchors,
                edit: edit.no,
            }),
            CopiedVerdict::Proven(after, proof) => {
                repaired.make(index, Rule::CopiedAnchors, after, proof);
            }
        }
    }
    // Copied anchors first: they prove themselves, and what is left of the text is what the other checks must look at.
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

/// Lists every possible mistake in the new text of all edits, proved or not.
fn suspect(document: &Document, repaired: &Repaired) -> Vec<Suspicion> {
    let of_edit = |(edit, work): (usize, &EditWork)| {
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

fn candidates(document: &Document, work: &EditWork) -> Vec<(Rule, Vec<String>)> {
    let found = match work {
        EditWork::Replace {
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
            let paired =
                (*target == NamedKind::Line).then(|| indentation::restore_block(&originals, lines));
            vec![
                (Rule::PlusMarkers, strip_plus_markers(lines)),
                (
                    Rule::BoundaryEcho,
                    drop_boundary_echo(lines, around, Alike::Exactly),
                ),
                (Rule::MergedLines, merged(&originals, lines)),
                (
                    Rule::Rewrapped,
                    restore_wrapped(&originals, lines, BlankLines::Excluded),
                ),
                (Rule::Indentation, paired.flatten()),
            ]
        }
        EditWork::Insert { gap, lines, .. } => {
            let Some(anchor) = text_at(document, gap.anchor()) else {
                return Vec::new();
            };
            let echo = match gap.side {
                Side::BeforeLine => anchor_echo::prepend(anchor, lines),
                _ => anchor_echo::append(anchor, lines).filter(|left| !left.is_empty()),
            };
            vec![
                (Rule::PlusMarkers, strip_plus_markers(lines)),
                (Rule::AnchorEcho, echo),
            ]
        }
        EditWork::Substitute { .. } => Vec::new(),
    };
    found
        .into_iter()
        .filter_map(|(rule, after)| Some((rule, after?)))
        .collect()
}

/// Returns the index of the only suspicion whose correction repairs the file: the file parsed before, does not parse after the edits as
/// they were sent, and parses again with this correction alone.
fn prove(
    document: &Document,
    repaired: &Repaired,
    suspicions: &[Suspicion],
    policy: &Policy<'_>,
    judge: &dyn SyntaxJudge,
) -> Option<usize> {
    let errors_of = |repaired: Repaired| {
        let plan = plan(document, &Shown::nothing(), repaired, policy).ok()?;
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
    // If two corrections repair the file, neither is proved: it is unknown which one is meant.
    let (only, _) = mends.next()?;
    mends.next().is_none().then_some(only)
}

/// Of how many lines at most it is believed that a model joined them into one by mistake; this also bounds the search in `merged_lines`.
const MOST_MERGED: usize = 100;

fn merged(originals: &[&str], lines: &[String]) -> Option<Vec<String>> {
    if originals.len() > MOST_MERGED {
        return None;
    }
    merged_lines::split(originals, lines)
}

#[cfg(test)]
mod tests {
    use crate::dialect::Dialect;
    use crate::edit::{EditBatch, Operation};
    use crate::policy::SyntaxJudge;
    use crate::{Document, Edited, Error, Policy, Proof, Rule, Shown, edit};

    /// A judge of syntax that looks only at braces: each brace without a partner is an error.
    struct Braces;

    impl SyntaxJudge for Braces {
        fn errors(&self, bytes: &[u8]) -> Option<usize> {
            let (mut open, mut errors) = (0_usize, 0);
            for byte in bytes {
                match byte {
                    b'{' => open += 1,
                    b'}' if open > 0 => open -= 1,
                    b'}' => errors += 1,
                    _ => {}
                }
            }
            Some(errors + open)
        }
    }

    fn run(before: &str, operation: Operation) -> Result<Edited, Error> {
        let policy = Policy {
            judge: Some(&Braces),
            ..Policy::new(Dialect::OMP)
        };
        edit(
            &Document::new(before),
            &Shown::nothing(),
            EditBatch::new([operation]),
            &policy,
        )
    }

    fn anchor(text: &str, line: usize) -> String {
        let document = Document::new(text);
        let lines = crate::render::anchored(&document, document.all(), crate::scheme::Scheme::Omp);
        lines
            .map(|line| line.anchor())
            .nth(line - 1)
            .unwrap_or_default()
    }

    const CODE: &str = "fn a() {\n    one();\n}\nfn b() {\n}\n";

    #[test]
    fn an_echo_that_breaks_the_file_is_dropped_with_a_syntax_proof() -> Result<(), Error> {
        let operation = Operation::replace_range(anchor(CODE, 2), anchor(CODE, 2), "    two();\n}");
        let edited = run(CODE, operation)?;
        assert_eq!(
            edited.document.bytes(),
            b"fn a() {\n    two();\n}\nfn b() {\n}\n"
        );
        let repair = &edited.report.repairs[0];
        assert_eq!(
            (repair.rule, repair.proof),
            (Rule::BoundaryEcho, Proof::Syntax)
        );
        Ok(())
    }

    #[test]
    fn an_echo_that_keeps_the_file_whole_is_applied_as_written() -> Result<(), Error> {
        let calls = "a();\nb();\nc();\n";
        let edited = run(
            calls,
            Operation::replace_range(anchor(calls, 2), anchor(calls, 2), "B();\nc();"),
        )?;
        assert_eq!(edited.document.bytes(), b"a();\nB();\nc();\nc();\n");
        assert!(edited.report.repairs.is_empty());
        assert_eq!(edited.report.hints[0].rule, Rule::BoundaryEcho);
        Ok(())
    }

    #[test]
    fn a_file_that_did_not_parse_before_proves_nothing() -> Result<(), Error> {
        let broken = "}\nfn a() {\n    one();\n}\n";
        let operation =
            Operation::replace_range(anchor(broken, 3), anchor(broken, 3), "    two();\n}");
        let edited = run(broken, operation)?;
        assert_eq!(edited.document.bytes(), b"}\nfn a() {\n    two();\n}\n}\n");
        assert!(edited.report.repairs.is_empty());
        assert_eq!(edited.report.hints[0].rule, Rule::BoundaryEcho);
        Ok(())
    }

    #[test]
    fn without_a_judge_nothing_but_copied_anchors_is_repaired() -> Result<(), Error> {
        let operation = Operation::replace_range(anchor(CODE, 2), anchor(CODE, 2), "    two();\n}");
        let batch = EditBatch::new([operation]);
        let edited = edit(
            &Document::new(CODE),
            &Shown::nothing(),
            batch,
            &Policy::default(),
        )?;
        assert!(edited.report.repairs.is_empty());
        assert!(!edited.report.hints.is_empty());
        Ok(())
    }
}
