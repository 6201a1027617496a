//! Anchors copied into the text, with proof.
//!
//! A model that copies `12:a3|text` from what it was shown leaves evidence: the tag fits the text after it, or the line was shown
//! so. The edit's own anchor is enough alone; else all lines that look so must verify, and their tags be worth 16 bits in all. A line
//! number proves nothing.
//! Only lines that verify are stripped; `09:45|stand-up` stays.

use std::cell::OnceCell;

use super::Proof;
use crate::anchor::Anchor;
use crate::scheme::Scheme;
use crate::shown::Shown;
use crate::text::{Document, LineNo};

/// How many bits of matching tags make a proof.
const ENOUGH_BITS: u32 = 16;

/// What was found out about anchors in new text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing looks like an anchor that verifies.
    Clean,
    /// Something does, but it is not proved.
    Suspicious,
    /// It is proved: these are the lines without them.
    Proven(Vec<String>, Proof),
}

/// Judges new lines: do they carry copied anchors?
///
/// `about_anchors` remembers, for all edits of a request, whether the file itself is about anchors.
pub(super) fn judge(
    document: &Document,
    about_anchors: &OnceCell<bool>,
    shown: &Shown<'_>,
    scheme: Scheme,
    own: &[Anchor],
    lines: &[String],
) -> Verdict {
    let mut bits = 0;
    let mut is_own = false;
    let (mut alike, mut verified) = (0, 0);
    let stripped: Vec<Option<&str>> = lines
        .iter()
        .map(|line| {
            let (anchor, text) = scheme.read_shown(line)?;
            alike += 1;
            let same = |own: &Anchor| {
                own.line == anchor.line && scheme.respell(own) == scheme.respell(&anchor)
            };
            let is_the_edits = own.iter().any(same);
            is_own |= is_the_edits;
            let verifies = is_the_edits
                || fits_text(scheme, &anchor, text)
                || shown.ever_showed(scheme, &anchor);
            bits += if verifies { scheme.bits() } else { 0 };
            verified += usize::from(verifies);
            verifies.then_some(text)
        })
        .collect();
    let proof = if is_own {
        Proof::OwnAnchor
    } else {
        Proof::Tags { bits }
    };
    // Among many lines that look so, a few verify by chance: without the edit's own anchor all of them must.
    if !is_own && (bits < ENOUGH_BITS || verified < alike) {
        return if alike > 0 {
            Verdict::Suspicious
        } else {
            Verdict::Clean
        };
    }
    if *about_anchors.get_or_init(|| holds_anchors(document, scheme)) {
        return Verdict::Suspicious;
    }
    let bare = lines
        .iter()
        .zip(stripped)
        .map(|(line, text)| text.unwrap_or(line).to_owned())
        .collect();
    Verdict::Proven(bare, proof)
}

/// Lists the lines of a text that begin with an anchor of theirs, each with that anchor as it is spelled: somebody copied what was shown.
#[must_use]
pub fn copied_anchors(text: &str, scheme: Scheme) -> Vec<(LineNo, String)> {
    let lines = text.lines().enumerate();
    let copied = lines.filter_map(|(index, line)| {
        let (anchor, rest) = scheme.read_shown(line)?;
        let number = LineNo::from_index(index);
        let spelled = line[..line.len() - rest.len()].to_owned();
        fits_text(scheme, &anchor, rest).then_some((number, spelled))
    });
    copied.collect()
}

/// Tells whether the file itself has lines that begin with an anchor of theirs: then anchors are what it is about.
fn holds_anchors(document: &Document, scheme: Scheme) -> bool {
    document
        .lines()
        .filter_map(crate::text::Line::as_str)
        .any(|line| {
            scheme
                .read_shown(line)
                .is_some_and(|(anchor, text)| fits_text(scheme, &anchor, text))
        })
}

fn fits_text(scheme: Scheme, anchor: &Anchor, text: &str) -> bool {
    LineNo::from_claim(anchor.line)
        .is_some_and(|line| scheme.fits(anchor.tag, text.as_bytes(), line))
}

#[cfg(test)]
mod tests {
    use super::{OnceCell, Proof, Verdict, judge};
    use crate::scheme::Scheme;
    use crate::shown::Shown;
    use crate::text::Document;

    fn verdict(document: &str, own: &[&str], lines: &[&str]) -> Verdict {
        let own: Vec<_> = own
            .iter()
            .filter_map(|text| Scheme::Omp.parse(text).ok())
            .collect();
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        judge(
            &Document::new(document),
            &OnceCell::new(),
            &Shown::nothing(),
            Scheme::Omp,
            &own,
            &lines,
        )
    }

    #[test]
    fn tags_that_fit_their_text_prove_a_copy() {
        let expected = Verdict::Proven(
            vec!["one".into(), "two".into(), "new".into()],
            Proof::Tags { bits: 16 },
        );
        assert_eq!(
            verdict("x\n", &[], &["1:60|one", "2:f4|two", "new"]),
            expected
        );
    }

    #[test]
    fn the_edits_own_anchor_is_enough() {
        let expected = Verdict::Proven(vec!["changed".into()], Proof::OwnAnchor);
        assert_eq!(verdict("x\n", &["7:60"], &["7:60|changed"]), expected);
    }

    #[test]
    fn one_tag_of_eight_bits_and_a_time_of_day_prove_nothing() {
        assert_eq!(verdict("x\n", &[], &["1:60|one"]), Verdict::Suspicious);
        assert_eq!(
            verdict("x\n", &[], &["09:45|stand-up", "10:30|review"]),
            Verdict::Suspicious
        );
        assert_eq!(verdict("x\n", &[], &["plain"]), Verdict::Clean);
    }

    #[test]
    fn a_file_about_anchors_keeps_them() {
        assert_eq!(
            verdict("1:60|one\n", &[], &["1:60|one", "2:f4|two"]),
            Verdict::Suspicious
        );
    }
}
