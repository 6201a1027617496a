//! The record of one file.

use std::sync::{Arc, LazyLock};

use super::claimed_index;
use crate::anchor::Anchor;
use crate::scheme::Scheme;
use crate::text::{Changes, Document, Excerpt, Fingerprint, LineNo, LineSpan, Revision};

/// Every revision of one file that was seen or written, oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    recorded: Vec<Recorded>,
}

/// One revision of a file.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The revision.
    pub revision: Revision,
    /// How it came about.
    pub came: Came,
    /// What was shown of it.
    pub showings: Vec<Showing>,
    fingerprints: Fingerprints,
}

/// What is known of a revision's lines.
#[derive(Clone, Debug)]
enum Fingerprints {
    TooLong,
    Known(Arc<[Fingerprint]>),
    /// They can be had, but hardly anybody asks: landing follows our own changes without them.
    Later(Arc<LazyLock<Arc<[Fingerprint]>, Recall>>),
}

type Recall = Box<dyn FnOnce() -> Arc<[Fingerprint]> + Send>;

/// How a revision came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    /// It was found so: somebody else wrote it, or it is the first.
    Seen,
    /// We wrote it, by these changes to the revision before it.
    Written(Changes),
}

/// Lines that were shown to somebody at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showing {
    session: Option<Arc<str>>,
    scheme: Scheme,
    /// Invariant: sorted, disjoint; as many tag values as lines.
    parts: Vec<(LineSpan, Vec<u32>)>,
}

impl History {
    /// Above so many lines only the revision and what was shown of it are remembered.
    pub const MAX_LINES: usize = 200_000;

    /// Returns a record of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            recorded: Vec::new(),
        }
    }

    /// Returns the revisions, oldest first.
    #[must_use]
    pub fn recorded(&self) -> &[Recorded] {
        &self.recorded
    }

    /// Notes that the file now has these bytes, found so.
    pub fn saw(&mut self, document: &Document) {
        if self
            .recorded
            .last()
            .is_none_or(|last| last.revision != document.revision())
        {
            self.push(document, Came::Seen);
        }
    }

    /// Notes that we wrote `after` over `before`, by these changes.
    pub fn wrote(&mut self, before: &Document, after: &Document, changes: &Changes) {
        self.saw(before);
        if before.revision() != after.revision() {
            self.push(after, Came::Written(changes.clone()));
        }
    }

    /// Notes that lines of the current bytes were shown to a session, or to a caller without one.
    pub fn showed(
        &mut self,
        document: &Document,
        session: Option<&str>,
        scheme: Scheme,
        spans: &[LineSpan],
    ) {
        self.saw(document);
        self.restore_showing(Showing::of(document, session, scheme, spans));
    }

    /// Notes that lines were shown of a file that is too long for more than its revision to be remembered.
    pub fn showed_excerpt(&mut self, excerpt: &Excerpt, session: Option<&str>, scheme: Scheme) {
        let revision = excerpt.revision();
        if self
            .recorded
            .last()
            .is_none_or(|last| last.revision != revision)
        {
            self.restore_revision(revision, Came::Seen, None);
        }
        self.restore_showing(Showing::of_excerpt(excerpt, session, scheme));
    }

    /// Adds the next revision as a store kept it; without fingerprints if the file was too long.
    pub fn restore_revision(
        &mut self,
        revision: Revision,
        came: Came,
        fingerprints: Option<Arc<[Fingerprint]>>,
    ) {
        let fingerprints = fingerprints.map_or(Fingerprints::TooLong, Fingerprints::Known);
        self.add(revision, came, fingerprints);
    }

    /// Adds the next revision as a store kept it. Its fingerprints are worked out when somebody asks for them.
    pub fn restore_revision_lazily(
        &mut self,
        revision: Revision,
        came: Came,
        recall: impl FnOnce() -> Arc<[Fingerprint]> + Send + 'static,
    ) {
        let recall: Recall = Box::new(recall);
        let later = Fingerprints::Later(Arc::new(LazyLock::new(recall)));
        self.add(revision, came, later);
    }

    /// Adds what was shown of the revision added last; nothing if there is none.
    pub fn restore_showing(&mut self, showing: Showing) {
        if let Some(last) = self.recorded.last_mut() {
            last.showings.push(showing);
        }
    }

    /// Tells whether the revision at `index` has not come back later.
    pub(super) fn is_latest(&self, index: usize) -> bool {
        self.latest_revision(self.recorded[index].revision) == Some(index)
    }

    /// Returns the latest place of a revision in the record.
    pub(super) fn latest_revision(&self, revision: Revision) -> Option<usize> {
        self.recorded
            .iter()
            .rposition(|recorded| recorded.revision == revision)
    }

    fn push(&mut self, document: &Document, came: Came) {
        let remembered = document.line_count() <= Self::MAX_LINES;
        let fingerprints = remembered.then(|| Arc::clone(document.fingerprints()));
        self.restore_revision(document.revision(), came, fingerprints);
    }

    /// Adds a revision. One that comes back takes along what was shown of it before: the same bytes have the same lines.
    fn add(&mut self, revision: Revision, came: Came, fingerprints: Fingerprints) {
        let before = self.latest_revision(revision);
        let showings = before
            .map(|at| std::mem::take(&mut self.recorded[at].showings))
            .unwrap_or_default();
        self.recorded.push(Recorded {
            revision,
            fingerprints,
            came,
            showings,
        });
    }
}

impl Recorded {
    /// Returns the fingerprint of every line, unless the file was too long.
    #[must_use]
    pub fn fingerprints(&self) -> Option<&[Fingerprint]> {
        match &self.fingerprints {
            Fingerprints::TooLong => None,
            Fingerprints::Known(known) => Some(known),
            Fingerprints::Later(later) => Some(later),
        }
    }

    /// Tells whether the claimed line was shown with the claimed tag, to anybody.
    pub(crate) fn showed_to_anyone(&self, scheme: Scheme, anchor: &Anchor) -> bool {
        self.showed(scheme, anchor, None)
    }

    /// Tells whether the claimed line was shown with the claimed tag, to `session` or, without one, to anybody.
    pub(super) fn showed(&self, scheme: Scheme, anchor: &Anchor, session: Option<&str>) -> bool {
        self.showings
            .iter()
            .filter(|showing| showing.scheme == scheme)
            .filter(|showing| session.is_none() || showing.session.as_deref() == session)
            .any(|showing| showing.holds(anchor))
    }
}

impl Showing {
    /// Returns what it is to show these lines of a document now: the spans as far as the document has them, and their tags.
    #[must_use]
    pub fn of(
        document: &Document,
        session: Option<&str>,
        scheme: Scheme,
        spans: &[LineSpan],
    ) -> Self {
        let mut tagger = scheme.tagger();
        let tagged = |span: LineSpan| {
            let numbered = document.lines_in(span).zip(span.range());
            let tags = numbered.map(|(line, i)| tagger.value(line.text, LineNo::from_index(i)));
            (span, tags.collect())
        };
        Self {
            session: session.map(Arc::from),
            scheme,
            parts: Self::spans_in(document, spans)
                .into_iter()
                .map(tagged)
                .collect(),
        }
    }

    /// Returns what it is to show these lines.
    #[must_use]
    pub fn of_excerpt(excerpt: &Excerpt, session: Option<&str>, scheme: Scheme) -> Self {
        let mut tagger = scheme.tagger();
        let tags = excerpt
            .lines()
            .map(|(number, line)| tagger.value(line.text, number));
        let part = (excerpt.span(), tags.collect());
        Self {
            session: session.map(Arc::from),
            scheme,
            parts: Some(part)
                .filter(|(span, _)| !span.is_empty())
                .into_iter()
                .collect(),
        }
    }

    /// Returns what it is to show these lines with these tags, made already, span after span; nothing unless there are as many tags
    /// as lines and the spans are sorted, disjoint and apart.
    #[must_use]
    pub fn of_tags(
        session: Option<&str>,
        scheme: Scheme,
        spans: &[LineSpan],
        mut tags: &[u32],
    ) -> Option<Self> {
        let mut parts = Vec::with_capacity(spans.len());
        for &span in spans {
            let (own, rest) = tags.split_at_checked(span.len())?;
            parts.push((span, own.to_vec()));
            tags = rest;
        }
        let told = tags.is_empty() && LineSpan::merged(spans.to_vec()) == spans;
        let showing = Self::restored(session.map(Arc::from), scheme, parts);
        showing.filter(|_| told)
    }

    /// Returns the spans as far as the document has them, sorted and merged.
    #[must_use]
    pub fn spans_in(document: &Document, spans: &[LineSpan]) -> Vec<LineSpan> {
        let inside = spans
            .iter()
            .map(|span| span.widened(0, document.line_count()));
        LineSpan::merged(inside.filter(|span| !span.is_empty()).collect())
    }

    /// Takes a showing as a store kept it; nothing unless the spans are sorted and disjoint and each line has a tag.
    #[must_use]
    pub fn restored(
        session: Option<Arc<str>>,
        scheme: Scheme,
        parts: Vec<(LineSpan, Vec<u32>)>,
    ) -> Option<Self> {
        let tagged = parts.iter().all(|(span, tags)| span.len() == tags.len());
        let sorted = parts.is_sorted_by(|(before, _), (after, _)| before.end() <= after.start());
        (tagged && sorted).then_some(Self {
            session,
            scheme,
            parts,
        })
    }

    /// Returns the session it was shown to, if that had a name.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Returns the scheme of its tags.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the spans that were shown, and the value of each line's tag.
    #[must_use]
    pub fn parts(&self) -> &[(LineSpan, Vec<u32>)] {
        &self.parts
    }

    fn holds(&self, anchor: &Anchor) -> bool {
        let Some(index) = claimed_index(anchor) else {
            return false;
        };
        let part = self.parts.partition_point(|(span, _)| span.end() <= index);
        self.parts
            .get(part)
            .filter(|(span, _)| span.contains(index))
            .and_then(|(span, tags)| tags.get(index - span.start()))
            .is_some_and(|&value| self.scheme.names(anchor.tag, value))
    }
}

#[cfg(test)]
mod tests {
    use super::History;
    use crate::edit::{EditBatch, Operation};
    use crate::scheme::Scheme;
    use crate::{Document, Error, Policy, Shown, edit, render};

    fn anchor(document: &Document, line: usize) -> String {
        let mut lines = render::anchored(document, document.all(), Scheme::Omp);
        lines
            .nth(line - 1)
            .map(|line| line.anchor())
            .unwrap_or_default()
    }

    #[test]
    fn a_revision_that_comes_back_is_as_it_was_shown() -> Result<(), Error> {
        let first = Document::new("a\nb\nc\n");
        let mut history = History::new();
        history.showed(&first, Some("one"), Scheme::Omp, &[first.all()]);
        history.saw(&Document::new("x\na\nb\nc\n"));
        history.saw(&first);
        for shown in [
            Shown::to_anyone(&history),
            Shown::to_session(&history, "one"),
        ] {
            let batch = EditBatch::new([Operation::replace_line(anchor(&first, 2), "B")]);
            let with_rev = batch.clone().at_revision(first.revision());
            for batch in [batch, with_rev] {
                let edited = edit(&first, &shown, batch, &Policy::default())?;
                assert_eq!(edited.document.bytes(), b"a\nB\nc\n");
            }
        }
        Ok(())
    }

    #[test]
    fn another_sessions_showings_count_only_with_the_revision() {
        let old = Document::new("a\nb\nc\nd\ne\nf\ng\nh\n");
        let now = Document::new("zero\na\nb\nc\nd\ne\nf\ng\nh\n");
        let mut history = History::new();
        history.showed(&old, Some("one"), Scheme::Omp, &[old.all()]);
        let batch = EditBatch::new([Operation::replace_line(anchor(&old, 5), "E")]);
        let shown = Shown::to_session(&history, "two");
        let refused =
            edit(&now, &shown, batch.clone(), &Policy::default()).map_err(|error| error.code());
        assert_eq!(refused.err(), Some(crate::Code::Stale));
        let landed = edit(
            &now,
            &shown,
            batch.at_revision(old.revision()),
            &Policy::default(),
        );
        assert!(landed.is_ok());
    }

    #[test]
    fn a_file_too_long_to_remember_lands_while_it_stays_as_it_is() -> Result<(), Error> {
        let lines = "x\n".repeat(History::MAX_LINES) + "last\n";
        let long = Document::new(lines.clone());
        let mut history = History::new();
        history.showed(&long, None, Scheme::Omp, &[long.all()]);
        let last = anchor(&long, long.line_count());
        let shown = Shown::to_anyone(&history);
        let batch =
            EditBatch::new([Operation::replace_line(last, "end")]).at_revision(long.revision());
        edit(&long, &shown, batch.clone(), &Policy::default())?;
        let shifted = Document::new(format!("top\n{lines}"));
        let refused =
            edit(&shifted, &shown, batch, &Policy::default()).map_err(|error| error.code());
        assert_eq!(refused.err(), Some(crate::Code::Stale));
        Ok(())
    }
}
