//! The libraries and algorithms that are compared.

use std::ops::Range;

use imara_diff::{Diff, InternedInput};
use similar::{DiffOp, capture_diff_slices};

/// One library with one algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    SimilarHistogram,
    SimilarMyers,
    ImaraHistogram,
    ImaraMyers,
}

/// Lines of the old text that became lines of the new one.
pub(super) type Hunk = (Range<usize>, Range<usize>);

impl Peer {
    pub(super) const ALL: [Self; 4] = [
        Self::SimilarHistogram,
        Self::SimilarMyers,
        Self::ImaraHistogram,
        Self::ImaraMyers,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SimilarHistogram => "similar-histogram",
            Self::SimilarMyers => "similar-myers",
            Self::ImaraHistogram => "imara-histogram",
            Self::ImaraMyers => "imara-myers",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|peer| peer.name() == name)
    }

    /// Compares two texts, line by line; cutting them into lines is part of the work.
    pub(super) fn hunks(self, before: &str, after: &str) -> Vec<Hunk> {
        match self {
            Self::SimilarHistogram => by_similar(similar::Algorithm::Histogram, before, after),
            Self::SimilarMyers => by_similar(similar::Algorithm::Myers, before, after),
            Self::ImaraHistogram => by_imara(imara_diff::Algorithm::Histogram, before, after),
            Self::ImaraMyers => by_imara(imara_diff::Algorithm::Myers, before, after),
        }
    }
}

fn by_similar(algorithm: similar::Algorithm, before: &str, after: &str) -> Vec<Hunk> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let operations = capture_diff_slices(algorithm, &old, &new).into_iter();
    operations
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }))
        .map(|operation| (operation.old_range(), operation.new_range()))
        .collect()
}

fn by_imara(algorithm: imara_diff::Algorithm, before: &str, after: &str) -> Vec<Hunk> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(algorithm, &input);
    diff.postprocess_lines(&input);
    let wide = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks()
        .map(|hunk| (wide(hunk.before), wide(hunk.after)))
        .collect()
}
