//! Corrects new text as the original tools of the dialects (the seeds) do: without proof, in a fixed order.
//!
//! Used to compare hashline with the original tools and by their recorded test cases. (Seed 000, with its own treatment of text, is the
//! crate `hashline-reference`.)

use super::candidates::{
    Absorbed, Alike, BlankLines, Surroundings, anchor_echo, copied_prefixes, drop_anchor_echo,
    drop_boundary_echo, find_absorbed_neighbour, indentation, merged_lines, plain_hyphens,
    restore_indentation, restore_wrapped, strip_plus_markers,
};
use super::{EditWork, Proof, Repaired, Rule, as_written, text_at, texts};
use crate::dialect::Corrections;
use crate::resolve::{Gap, NamedKind, Resolved, Side};
use crate::text::{Document, LineSpan};

/// One correction: the kind of mistake, and a function that returns the corrected lines if it finds the mistake.
type Correction = (Rule, fn(&RepairSite<'_>, &[String]) -> Option<Vec<String>>);

/// What a correction may look at besides the new lines of an edit.
struct RepairSite<'a> {
    document: &'a Document,
    place: RepairSpot,
    /// The texts of the replaced lines; empty for an insertion.
    originals: Vec<&'a str>,
}

enum RepairSpot {
    Lines(LineSpan, NamedKind),
    Gap(Gap),
}

const OMP: &[Correction] = &[
    (Rule::CopiedAnchors, |_, lines| {
        copied_prefixes::strip_prefixes(lines, copied_prefixes::omp_prefix)
    }),
    (Rule::PlusMarkers, |_, lines| {
        plus_unless_prefixed(lines, copied_prefixes::omp_prefix)
    }),
    (Rule::AnchorEcho, |site, lines| {
        drop_anchor_echo(site.anchor_text(Side::AfterLine)?, lines)
    }),
    (Rule::BoundaryEcho, |site, lines| {
        site.boundary_echo(lines, Alike::IgnoringWhitespace)
    }),
    (Rule::Rewrapped, |site, lines| {
        restore_wrapped(&site.originals, lines, BlankLines::Allowed)
    }),
    (Rule::Indentation, |site, lines| {
        restore_indentation(&site.originals, lines)
    }),
    (Rule::Hyphens, |site, lines| {
        plain_hyphens(&site.originals, lines)
    }),
];

const OPENAGENT: &[Correction] = &[
    (Rule::CopiedAnchors, |_, lines| {
        copied_prefixes::strip_prefixes(lines, copied_prefixes::openagent_prefix)
    }),
    (Rule::PlusMarkers, |_, lines| {
        plus_unless_prefixed(lines, copied_prefixes::openagent_prefix)
    }),
    (Rule::AnchorEcho, |site, lines| {
        anchor_echo::append(site.anchor_text(Side::AfterLine)?, lines)
    }),
    (Rule::AnchorEcho, |site, lines| {
        anchor_echo::prepend(site.anchor_text(Side::BeforeLine)?, lines)
    }),
    (Rule::BoundaryEcho, |site, lines| {
        site.range_only()?.boundary_echo(lines, Alike::Exactly)
    }),
    (Rule::MergedLines, |site, lines| {
        merged_lines::split(&site.originals, lines)
    }),
    (Rule::Rewrapped, |site, lines| {
        restore_wrapped(&site.originals, lines, BlankLines::Excluded)
    }),
    (Rule::Indentation, |site, lines| {
        indentation::restore_paired_unless_dedent(&site.originals, lines)
    }),
    (Rule::Indentation, |site, lines| {
        indentation::restore_first_line(&site.originals, lines)
    }),
];

const PI: &[Correction] = &[
    (Rule::CopiedAnchors, |_, lines| {
        copied_prefixes::strip_prefixes(lines, copied_prefixes::pi_prefix)
    }),
    (Rule::PlusMarkers, |_, lines| {
        plus_unless_prefixed(lines, copied_prefixes::pi_prefix)
    }),
    (Rule::Indentation, |site, lines| {
        indentation::restore_block(&site.originals, lines)
    }),
];

/// Corrects every edit as the original tool of the dialect does.
pub(super) fn repair(
    document: &Document,
    resolved: Resolved,
    corrections: Corrections,
) -> Repaired {
    let mut repaired = as_written(document, resolved);
    let list = match corrections {
        Corrections::None => return repaired,
        Corrections::Omp => OMP,
        Corrections::Openagent => OPENAGENT,
        Corrections::Pi => PI,
    };
    if corrections == Corrections::Omp {
        absorb_neighbours(document, &mut repaired);
    }
    for index in 0..repaired.edits.len() {
        correct(document, &mut repaired, index, list);
    }
    repaired
}

/// Runs the corrections over the new text of one edit, each on the result of the correction before. A deletion is not corrected.
fn correct(document: &Document, repaired: &mut Repaired, index: usize, list: &[Correction]) {
    let Some(site) = RepairSite::of(document, &repaired.edits[index].work) else {
        return;
    };
    let mut was_stripped = false;
    for &(rule, correction) in list {
        let lines = repaired.edits[index].work.lines().unwrap_or_default();
        if lines.is_empty() || (was_stripped && rule == Rule::PlusMarkers) {
            continue;
        }
        if let Some(after) = correction(&site, lines) {
            was_stripped |= rule == Rule::CopiedAnchors;
            repaired.make(index, rule, after, Proof::Definition);
        }
    }
}

/// Removes `+` markers from the lines, unless the text as a whole was recognised as having copied anchors.
fn plus_unless_prefixed(
    lines: &[String],
    prefix: fn(&str) -> Option<usize>,
) -> Option<Vec<String>> {
    copied_prefixes::strip_prefixes(lines, prefix)
        .is_none()
        .then(|| strip_plus_markers(lines))
        .flatten()
}

impl<'a> RepairSite<'a> {
    /// Returns the site of an edit; `None` for a substitution, or if a replaced line is not UTF-8.
    fn of(document: &'a Document, work: &EditWork) -> Option<Self> {
        let (place, originals) = match *work {
            EditWork::Replace { span, target, .. } => {
                (RepairSpot::Lines(span, target), texts(document, span)?)
            }
            EditWork::Insert { gap, .. } => (RepairSpot::Gap(gap), Vec::new()),
            EditWork::Substitute { .. } => return None,
        };
        Some(Self {
            document,
            place,
            originals,
        })
    }

    /// Returns the text of the line beside which an edit inserts on this side; `None` for every other edit.
    fn anchor_text(&self, side: Side) -> Option<&'a str> {
        match self.place {
            RepairSpot::Gap(gap) if gap.side == side => text_at(self.document, gap.anchor()),
            _ => None,
        }
    }

    fn range_only(&self) -> Option<&Self> {
        matches!(self.place, RepairSpot::Lines(_, NamedKind::Range)).then_some(self)
    }

    fn boundary_echo(&self, lines: &[String], alike: Alike) -> Option<Vec<String>> {
        let RepairSpot::Lines(span, _) = self.place else {
            return None;
        };
        let around = Surroundings {
            above: text_at(self.document, span.start().checked_sub(1)),
            below: text_at(self.document, Some(span.end())),
            replaced: span.len(),
        };
        drop_boundary_echo(lines, around, alike)
    }
}

/// Extends a replacement over a neighbour of its line that the new text contains as well, unless another edit names that neighbour (seed
/// 000).
fn absorb_neighbours(document: &Document, repaired: &mut Repaired) {
    let named: Vec<LineSpan> = repaired
        .edits
        .iter()
        .filter_map(|edit| Some(edit.landed?.span))
        .collect();
    let is_named = |index: usize| named.iter().any(|span| span.range().contains(&index));
    for edit in &mut repaired.edits {
        let EditWork::Replace {
            span,
            lines,
            target: NamedKind::Line,
        } = &mut edit.work
        else {
            continue;
        };
        let ([new], Some(line)) = (lines.as_slice(), text_at(document, Some(span.start()))) else {
            continue;
        };
        let free =
            |index: Option<usize>| text_at(document, index.filter(|&index| !is_named(index)));
        let (previous, next) = (free(span.start().checked_sub(1)), free(Some(span.end())));
        let Some(absorbed) = find_absorbed_neighbour(new, line, previous, next) else {
            continue;
        };
        *span = match absorbed {
            Absorbed::Next => LineSpan::new(span.start()..span.end() + 1),
            Absorbed::Previous => LineSpan::new(span.start() - 1..span.end()),
        };
        let (before, after) = (lines.clone(), lines.clone());
        let (rule, proof) = (Rule::AbsorbedNeighbour, Proof::Definition);
        repaired.repairs.push(super::Repair {
            rule,
            edit: edit.no,
            before,
            after,
            proof,
        });
    }
}
