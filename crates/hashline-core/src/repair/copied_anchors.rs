//! Recognises, with a proof, anchors that a model copied into new text.
//!
//! A model that copies `12:a3|text` from its input leaves evidence: the line was shown with that anchor, or the tag matches the text
//! after it. Each piece of evidence counts as many bits as a tag has, the same anchor or text counts once, and 16 bits are a proof. A
//! line number proves nothing, and neither does a blank text, because all blank lines have the same tag. Among many lines that look like
//! anchors a few match by chance: to remove anchors from an edit, all of them must match; to refuse the text of a whole file, half of
//! them. If the copied text contains an anchor that the edit itself names, no other proof is needed. Anchors are removed only from lines
//! that match, so that `09:45|stand-up` stays.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::Proof;
use crate::anchor::Anchor;
use crate::scheme::Scheme;
use crate::shown::Shown;
use crate::text::{Document, LineNo, RevPrefix};

/// How many bits of matching tags are a proof: 16 bits match by chance once in 65,536 times.
const ENOUGH_BITS: u32 = 16;

/// Whether new text contains copied anchors.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CopiedVerdict {
    /// No line looks as if it began with an anchor.
    Clean,
    /// Some lines look as if they began with an anchor, but there is no proof.
    Suspicious,
    /// Anchors were copied: the lines without the anchors, and the proof.
    Proven(Vec<String>, Proof),
}

/// Returns whether the new lines of an edit contain copied anchors.
///
/// `about_anchors` caches, for all edits of a request, whether lines of the file itself begin with anchors, so that such text is
/// intended.
pub(super) fn judge(
    document: &Document,
    about_anchors: &OnceCell<bool>,
    shown: &Shown<'_>,
    scheme: Scheme,
    own: &[Anchor],
    lines: &[String],
) -> CopiedVerdict {
    let mut tally = AnchorTally::default();
    let (mut looks_so, mut is_own) = (false, false);
    let stripped: Vec<Option<&str>> = lines
        .iter()
        .map(|line| {
            let (anchor, text) = scheme.read_copied(line)?;
            looks_so = true;
            let same = |own: &Anchor| {
                own.line == anchor.line && scheme.respell(own) == scheme.respell(&anchor)
            };
            let is_the_edits = own.iter().any(same);
            is_own |= is_the_edits;
            let was_shown = shown.ever_showed(scheme, &anchor);
            let verifies = tally.add(scheme, &anchor, text, was_shown).is_some();
            (is_the_edits || verifies).then_some(text)
        })
        .collect();
    let bits = tally.bits(scheme);
    let proof = if is_own {
        Proof::OwnAnchor
    } else {
        Proof::Tags { bits }
    };
    if !is_own && (bits < ENOUGH_BITS || tally.verified < tally.alike) {
        return if looks_so {
            CopiedVerdict::Suspicious
        } else {
            CopiedVerdict::Clean
        };
    }
    if *about_anchors.get_or_init(|| holds_anchors(document, scheme)) {
        return CopiedVerdict::Suspicious;
    }
    let bare = lines
        .iter()
        .zip(stripped)
        .map(|(line, text)| text.unwrap_or(line).to_owned())
        .collect();
    CopiedVerdict::Proven(bare, proof)
}

/// An anchor that was copied into the text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedAnchor {
    /// The number of the text's line that begins with the anchor.
    pub line: LineNo,
    /// The anchor and its separator, exactly as they appear in the text.
    pub spelled: String,
    /// The evidence that the anchor was copied.
    pub evidence: Evidence,
}

/// The evidence that an anchor in a text was copied from what was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A line was shown with this number and tag.
    Shown,
    /// The tag matches the text after the anchor.
    FitsText,
}

/// Returns the anchors that were copied into the text of a whole file, or none without a proof: they were shown (in revision `rev`, if
/// given) or match the text after them, count at least 16 bits, and are at least half of all lines that look as if they began with an
/// anchor.
#[must_use]
pub fn copied_anchors(
    text: &str,
    scheme: Scheme,
    shown: &Shown<'_>,
    rev: Option<&RevPrefix>,
) -> Vec<CopiedAnchor> {
    let mut tally = AnchorTally::default();
    let lines = text.lines().enumerate();
    let copied = lines.filter_map(|(index, line)| {
        let (anchor, rest) = scheme.read_copied(line)?;
        let was_shown = match rev {
            Some(rev) => shown.showed_in(rev, scheme, &anchor),
            None => shown.ever_showed(scheme, &anchor),
        };
        Some(CopiedAnchor {
            line: LineNo::from_index(index),
            spelled: line[..line.len() - rest.len()].to_owned(),
            evidence: tally.add(scheme, &anchor, rest, was_shown)?,
        })
    });
    let copied: Vec<_> = copied.collect();
    let is_proved = tally.bits(scheme) >= ENOUGH_BITS && tally.verified * 2 >= tally.alike;
    if is_proved { copied } else { Vec::new() }
}

/// Counts lines that look as if they began with an anchor, and the evidence that these anchors were copied.
#[derive(Default)]
struct AnchorTally<'t> {
    /// How many lines look as if they began with an anchor. A line with a blank text whose tag matches is not counted: it is evidence
    /// neither for nor against a copy.
    alike: usize,
    /// How many lines begin with an anchor that was shown or whose tag matches the text after it.
    verified: usize,
    /// The distinct anchors that were shown.
    anchors: BTreeSet<String>,
    /// The distinct texts whose tag matches.
    texts: BTreeSet<&'t str>,
}

impl<'t> AnchorTally<'t> {
    /// Counts one line, given as anchor and text; returns the evidence that the anchor was copied.
    fn add(
        &mut self,
        scheme: Scheme,
        anchor: &Anchor,
        text: &'t str,
        was_shown: bool,
    ) -> Option<Evidence> {
        let fits = fits_text(scheme, anchor, text);
        let is_blank = text.trim().is_empty();
        if fits && is_blank && !was_shown {
            return Some(Evidence::FitsText);
        }
        self.alike += 1;
        self.verified += usize::from(was_shown || fits);
        if was_shown {
            self.anchors.insert(scheme.respell(anchor));
        }
        if fits && !is_blank {
            self.texts.insert(text.trim_end_matches('\r'));
        }
        match (was_shown, fits) {
            (true, _) => Some(Evidence::Shown),
            (false, true) => Some(Evidence::FitsText),
            (false, false) => None,
        }
    }

    /// Returns how many bits all evidence counts together.
    fn bits(&self, scheme: Scheme) -> u32 {
        let count = self.anchors.len() + self.texts.len();
        u32::try_from(count).map_or(u32::MAX, |count| count.saturating_mul(scheme.bits()))
    }
}

/// Returns whether the file already has lines that begin with the anchor of the text after it, so that anchors belong to its content.
fn holds_anchors(document: &Document, scheme: Scheme) -> bool {
    document
        .lines()
        .filter_map(crate::text::Line::as_str)
        .any(|line| {
            scheme
                .read_copied(line)
                .is_some_and(|(anchor, text)| fits_text(scheme, &anchor, text))
        })
}

/// Returns whether the tag of an anchor matches the text after it. A carriage return at its end may belong to the line ending.
fn fits_text(scheme: Scheme, anchor: &Anchor, text: &str) -> bool {
    let Some(line) = LineNo::new(anchor.line) else {
        return false;
    };
    let fits = |text: &str| scheme.fits(anchor.tag, text.as_bytes(), line);
    fits(text) || text.strip_suffix('\r').is_some_and(fits)
}

#[cfg(test)]
mod tests {
    use super::{CopiedVerdict, Evidence, OnceCell, Proof, copied_anchors, judge};
    use crate::scheme::Scheme;
    use crate::shown::{History, Shown};
    use crate::text::{Document, LineNo, RevPrefix};

    fn verdict(document: &str, own: &[&str], lines: &[&str]) -> CopiedVerdict {
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
        let expected = CopiedVerdict::Proven(
            vec!["one".into(), "two".into(), "new".into()],
            Proof::Tags { bits: 16 },
        );
        assert_eq!(
            verdict("x\n", &[], &["1:60|one", "2:f4|two", "new"]),
            expected
        );
    }

    #[test]
    fn a_carriage_return_at_the_end_is_not_part_of_the_text() {
        let (scheme, texts) = (Scheme::Push, ["one", "two"]);
        let line = |number: usize, text: &str| {
            let number = LineNo::from_index(number - 1);
            let tag = scheme.tag(text.as_bytes(), number);
            format!("{}|{text}\r", scheme.anchor(number, tag))
        };
        let lines = [line(1, texts[0]), line(2, texts[1])];
        let (document, shown) = (Document::new(""), Shown::nothing());
        let verdict = judge(&document, &OnceCell::new(), &shown, scheme, &[], &lines);
        let expected = vec!["one\r".to_owned(), "two\r".to_owned()];
        assert_eq!(
            verdict,
            CopiedVerdict::Proven(expected, Proof::Tags { bits: 46 })
        );
    }

    #[test]
    fn lines_copied_from_a_refusal_are_recognised() {
        let expected = CopiedVerdict::Proven(
            vec!["one".into(), "  two".into(), "    new".into()],
            Proof::Tags { bits: 16 },
        );
        let lines = [">>> 1:60|one", "    2:f4|  two", "    new"];
        assert_eq!(verdict("x\n", &[], &lines), expected);
        let own = CopiedVerdict::Proven(vec!["changed".into()], Proof::OwnAnchor);
        assert_eq!(verdict("x\n", &["7:60"], &[">>> 7:60|changed"]), own);
        assert_eq!(
            verdict("x\n", &[], &["    09:45|stand-up"]),
            CopiedVerdict::Clean
        );
        let whole = ">>> 1:60|one\n    2:f4|two\n";
        assert_eq!(copied(whole, &Shown::nothing(), None).len(), 2);
    }

    #[test]
    fn the_edits_own_anchor_is_enough() {
        let expected = CopiedVerdict::Proven(vec!["changed".into()], Proof::OwnAnchor);
        assert_eq!(verdict("x\n", &["7:60"], &["7:60|changed"]), expected);
    }

    #[test]
    fn one_tag_of_eight_bits_and_a_time_of_day_prove_nothing() {
        assert_eq!(
            verdict("x\n", &[], &["1:60|one"]),
            CopiedVerdict::Suspicious
        );
        assert_eq!(
            verdict("x\n", &[], &["09:45|stand-up", "10:30|review"]),
            CopiedVerdict::Suspicious
        );
        assert_eq!(verdict("x\n", &[], &["plain"]), CopiedVerdict::Clean);
    }

    #[test]
    fn a_file_about_anchors_keeps_them() {
        assert_eq!(
            verdict("1:60|one\n", &[], &["1:60|one", "2:f4|two"]),
            CopiedVerdict::Suspicious
        );
    }

    /// The line numbers of copied anchors in a text, with the evidence.
    fn copied(text: &str, shown: &Shown<'_>, rev: Option<&RevPrefix>) -> Vec<(usize, Evidence)> {
        let found = copied_anchors(text, Scheme::Omp, shown, rev).into_iter();
        found.map(|one| (one.line.get(), one.evidence)).collect()
    }

    #[test]
    fn anchors_that_were_shown_prove_a_copy_whatever_stands_behind_them() {
        let document = Document::new("one\ntwo\nthree\n");
        let mut history = History::default();
        history.showed(&document, Some("me"), Scheme::Omp, &[document.all()]);
        let shown = Shown::new(&history, None);
        let rev = RevPrefix::from(document.revision());
        let other = RevPrefix::from(Document::new("x").revision());
        let text = "new\n1:60|eins\n2:f4|deux\n";
        let expected = [(2, Evidence::Shown), (3, Evidence::Shown)];
        assert_eq!(copied(text, &shown, None), expected);
        assert_eq!(copied(text, &shown, Some(&rev)), expected);
        assert_eq!(copied(text, &shown, Some(&other)), []);
        // One line that was shown so and reads so is evidence twice.
        assert_eq!(copied("1:60|one", &shown, None), [(1, Evidence::Shown)]);
        assert_eq!(copied("1:60|eins", &shown, None), []);
    }

    #[test]
    fn tags_that_fit_are_proof_unless_chance_explains_them() {
        let nothing = Shown::nothing();
        let fit = "1:60|one\n2:f4|two\n";
        let expected = [(1, Evidence::FitsText), (2, Evidence::FitsText)];
        assert_eq!(copied(fit, &nothing, None), expected);
        let half = format!("{fit}9:45|stand-up\n10:30|review\n");
        assert_eq!(copied(&half, &nothing, None), expected);
        let less = format!("{half}11:15|call\n");
        assert_eq!(copied(&less, &nothing, None), []);
        let list: String = (0..600)
            .map(|n| format!("{}:{:02}|meeting {n}\n", n / 60 + 8, n % 60))
            .collect();
        assert_eq!(copied(&list, &nothing, None), []);
    }

    #[test]
    fn a_blank_text_or_the_same_one_again_proves_nothing() {
        let nothing = Shown::nothing();
        let times = "8:00|open\n1:05|\n9:45|stand-up\n";
        assert_eq!(copied(times, &nothing, None), []);
        let blanks: String = (1..100).map(|n| format!("{n}:05|\n")).collect();
        assert_eq!(copied(&blanks, &nothing, None), []);
        assert_eq!(copied("1:60|one\n7:60|one\n", &nothing, None), []);
        let among = "1:60|one\n2:05|\n3:f4|two\n";
        assert_eq!(copied(among, &nothing, None).len(), 3);
    }
}
