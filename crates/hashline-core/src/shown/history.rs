//! The record of one file: its revisions, and which lines of each revision were shown.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::claimed_index;
use super::shorten::shortened;
use crate::anchor::Anchor;
use crate::scheme::Scheme;
use crate::text::{
    Changes, Document, Excerpt, Fingerprint, FingerprintKey, LineNo, LineSpan, RevPrefix, Revision,
};

/// Revisions of one file that were seen or written, oldest first, with the lines that were shown of each.
//
// An edit looks through all of them, so their number has a limit: otherwise an edit would take longer the more there were before.
#[derive(Clone, Debug, Default)]
pub struct History {
    recorded: Vec<Recorded>,
    /// How many revisions were recorded, with those that were dropped since.
    total: usize,
    /// Where each revision is recorded. A file that is edited all day has thousands of revisions, so that they are not searched.
    places: BTreeMap<Revision, RevisionPlaces>,
    /// The key of all fingerprints in the history.
    key: FingerprintKey,
}

/// The first and the last index at which a revision is recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct RevisionPlaces {
    pub(super) first: usize,
    pub(super) latest: usize,
}

/// One recorded revision of a file.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The hash that identifies the bytes of this revision.
    pub revision: Revision,
    /// Whether hashline wrote this revision or found it.
    pub origin: Origin,
    /// The lines of this revision that were shown, one entry for each time.
    pub showings: Vec<Showing>,
    /// How many revisions were recorded before this one.
    number: usize,
    fingerprints: Fingerprints,
}

/// The fingerprints of a revision's lines: not kept for long files, known, or copied out of a store when they are needed.
#[derive(Clone)]
enum Fingerprints {
    TooLong,
    Known(Arc<[Fingerprint]>),
    // A file that other programs change all day has hundreds of revisions, and most requests need the lines of one or two. The store decides for
    // how long it keeps them.
    Stored(Arc<dyn Fn() -> Arc<[Fingerprint]> + Send + Sync>),
}

impl fmt::Debug for Fingerprints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "TooLong",
            Self::Known(_) => "Known",
            Self::Stored(_) => "Stored",
        })
    }
}

/// How a revision of a file was created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file was found with these bytes: another program wrote them, or it is the first revision.
    Seen,
    /// Hashline wrote this revision.
    Written {
        /// The changes to the revision before.
        changes: Changes,
        /// The session that sent the new lines, if it has a name.
        by: Option<Arc<str>>,
    },
}

/// Lines of one revision that were shown at one time, with their tags.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Showing {
    /// The session that the lines were shown to, if it has a name.
    pub session: Option<Arc<str>>,
    /// The scheme in which the tags were computed.
    pub scheme: Scheme,
    /// Invariant: sorted and disjoint.
    spans: Vec<LineSpan>,
    /// The tag values of the shown lines in their order.
    tags: Vec<u32>,
    /// The lines that were shown only in part, in ascending order.
    cut: Vec<CutLine>,
    /// The fingerprints of the shown lines in their order, if the file has too many lines to record those of all lines; otherwise empty.
    fingerprints: Vec<Fingerprint>,
}

/// A line of which only the beginning was shown, because it is too long for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CutLine {
    /// The index of the line, from 0.
    pub index: usize,
    /// How many bytes of the line were shown.
    pub bytes: usize,
}

/// How much of a line a caller was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seen {
    /// The line was never shown.
    Nothing,
    /// Only so many bytes of the line were shown, from its beginning.
    Part(usize),
    /// The whole line was shown, or the caller wrote it.
    Whole,
}

impl Seen {
    /// Returns how many bytes of the line were shown, if it was shown only in part.
    pub(crate) fn part(self) -> Option<usize> {
        match self {
            Self::Part(bytes) => Some(bytes),
            Self::Nothing | Self::Whole => None,
        }
    }
}

impl History {
    /// Files with more lines than this are recorded without fingerprints: only their revision and the shown lines.
    //
    // It bounds a record to 1.6 MB a revision. Anchors of a longer file work until the file changes.
    pub const MAX_LINES: usize = 200_000;

    /// No more revisions than this are recorded. When there is one more, about a quarter is dropped.
    ///
    /// The newest 256 are kept, and of the others those of which most lines were shown. Lines of these are followed past the
    /// dropped ones as before. A request that names a dropped revision is refused with `unknown_rev`.
    pub const MAX_REVISIONS: usize = 384;

    /// So many of the newest revisions are always kept.
    pub(super) const RECENT: usize = 256;

    /// How many of the older revisions are kept.
    pub(super) const OLDER: usize = 64;

    /// Returns an empty history, like `default`, but usable in a `static`.
    pub(super) const fn new() -> Self {
        Self {
            recorded: Vec::new(),
            total: 0,
            places: BTreeMap::new(),
            key: FingerprintKey::NONE,
        }
    }

    /// Returns an empty history whose fingerprints are computed with this key.
    #[must_use]
    pub fn keyed(key: FingerprintKey) -> Self {
        Self {
            key,
            ..Self::default()
        }
    }

    /// Returns the key of all fingerprints in the history.
    #[must_use]
    pub fn key(&self) -> FingerprintKey {
        self.key
    }

    /// Returns the recorded revisions, oldest first.
    #[must_use]
    pub fn recorded(&self) -> &[Recorded] {
        &self.recorded
    }

    /// Returns how many revisions were dropped to keep to [`Self::MAX_REVISIONS`]. A store that still holds them can drop them, too.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.total - self.recorded.len()
    }

    /// Records that the file has these bytes now. Nothing is added if they are the latest recorded revision.
    pub fn saw(&mut self, document: &Document) {
        if self
            .recorded
            .last()
            .is_none_or(|last| last.revision != document.revision())
        {
            self.push(document, Origin::Seen);
        }
    }

    /// Records that hashline replaced `before` by `after`, with these changes, which `session` sent.
    pub fn wrote(
        &mut self,
        before: &Document,
        after: &Document,
        changes: &Changes,
        session: Option<&str>,
    ) {
        self.saw(before);
        if before.revision() != after.revision() {
            let by = session.map(Arc::from);
            let changes = changes.clone();
            self.push(after, Origin::Written { changes, by });
        }
    }

    /// Records that lines of the current document were shown to a session, or to a caller without a session name.
    pub fn showed(
        &mut self,
        document: &Document,
        session: Option<&str>,
        scheme: Scheme,
        spans: &[LineSpan],
    ) {
        self.saw(document);
        let showing = Showing::of(document, session, scheme, spans);
        self.restore_showing(showing.fingerprinted(document, self.key));
    }

    /// Records that lines were shown of a file that has too many lines to record its fingerprints.
    pub fn showed_excerpt(&mut self, excerpt: &Excerpt, session: Option<&str>, scheme: Scheme) {
        let revision = excerpt.revision;
        if self
            .recorded
            .last()
            .is_none_or(|last| last.revision != revision)
        {
            self.restore_revision(revision, Origin::Seen, None);
        }
        self.restore_showing(Showing::of_excerpt(excerpt, session, scheme, self.key));
    }

    /// Adds the next revision when a history is loaded from a store; `fingerprints` is `None` if the file has too many lines.
    pub fn restore_revision(
        &mut self,
        revision: Revision,
        origin: Origin,
        fingerprints: Option<Arc<[Fingerprint]>>,
    ) {
        let fingerprints = fingerprints.map_or(Fingerprints::TooLong, Fingerprints::Known);
        self.add(revision, origin, fingerprints);
    }

    /// Adds the next revision when a history is loaded from a store, with fingerprints that `recall` returns each time they are
    /// needed.
    pub fn restore_revision_lazily(
        &mut self,
        revision: Revision,
        origin: Origin,
        recall: impl Fn() -> Arc<[Fingerprint]> + Send + Sync + 'static,
    ) {
        self.add(revision, origin, Fingerprints::Stored(Arc::new(recall)));
    }

    /// Adds a showing (lines that were shown) to the latest revision, if there is one.
    pub fn restore_showing(&mut self, showing: Showing) {
        if let Some(last) = self.recorded.last_mut() {
            // Most revisions were shown once.
            if last.showings.is_empty() {
                last.showings.reserve_exact(1);
            }
            last.showings.push(showing);
        }
    }

    /// Returns whether any lines were shown to `session`; with `None`, to any session.
    pub(crate) fn has_showings(&self, session: Option<&str>) -> bool {
        let mut showings = self.recorded.iter().flat_map(|recorded| &recorded.showings);
        showings.any(|showing| session.is_none() || showing.session.as_deref() == session)
    }

    /// Returns whether any line was shown only in part.
    pub(crate) fn has_cut_lines(&self) -> bool {
        let mut showings = self.recorded.iter().flat_map(|recorded| &recorded.showings);
        showings.any(|showing| !showing.cut.is_empty())
    }

    /// Returns the first and the last index at which a revision is recorded.
    pub(super) fn places(&self, revision: Revision) -> Option<RevisionPlaces> {
        self.places.get(&revision).copied()
    }

    /// Returns the last index at which a revision is recorded.
    pub(crate) fn latest_revision(&self, revision: Revision) -> Option<usize> {
        self.places(revision).map(|places| places.latest)
    }

    /// Returns the last index of every revision that `rev` may mean, in ascending order.
    pub(super) fn matching(&self, rev: &RevPrefix) -> Vec<usize> {
        let matching = self.places.range(rev.range());
        let mut latest: Vec<usize> = matching.map(|(_, places)| places.latest).collect();
        latest.sort_unstable();
        latest
    }

    fn push(&mut self, document: &Document, origin: Origin) {
        let remembered = document.line_count() <= Self::MAX_LINES;
        let fingerprints = remembered.then(|| document.fingerprints(self.key));
        self.restore_revision(document.revision(), origin, fingerprints);
    }

    fn add(&mut self, revision: Revision, origin: Origin, fingerprints: Fingerprints) {
        // The same bytes have the same lines: a revision that comes back keeps what was shown of it before.
        let latest = self.recorded.len();
        let before = place(&mut self.places, revision, latest);
        let earlier = self.recorded.get_mut(before);
        let showings = earlier
            .map(|earlier| std::mem::take(&mut earlier.showings))
            .unwrap_or_default();
        self.recorded.push(Recorded {
            revision,
            number: self.total,
            fingerprints,
            origin,
            showings,
        });
        self.total += 1;
        if self.recorded.len() > Self::MAX_REVISIONS {
            self.shorten();
        }
    }

    /// Drops older revisions.
    fn shorten(&mut self) {
        self.recorded = shortened(self);
        self.places.clear();
        for (index, recorded) in self.recorded.iter().enumerate() {
            place(&mut self.places, recorded.revision, index);
        }
    }
}

/// Adds an index of a revision; returns the index at which it was recorded last before, or `index` if it is new.
fn place(
    places: &mut BTreeMap<Revision, RevisionPlaces>,
    revision: Revision,
    index: usize,
) -> usize {
    let new = RevisionPlaces {
        first: index,
        latest: index,
    };
    let known = places.entry(revision).or_insert(new);
    std::mem::replace(&mut known.latest, index)
}

impl Recorded {
    /// Returns how many revisions were recorded before this one in the same history, with those that were dropped since.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns how many of the lines were shown.
    pub(super) fn lines_shown(&self) -> usize {
        let spans = self.showings.iter().flat_map(|showing| &showing.spans);
        let spans = LineSpan::merged(spans.copied().collect());
        spans.iter().map(|span| span.len()).sum()
    }

    /// Returns the fingerprint of every line of the revision; `None` if the file has too many lines.
    #[must_use]
    pub fn fingerprints(&self) -> Option<Arc<[Fingerprint]>> {
        match &self.fingerprints {
            Fingerprints::TooLong => None,
            Fingerprints::Known(known) => Some(Arc::clone(known)),
            Fingerprints::Stored(recall) => Some(recall()),
        }
    }

    /// Returns whether the fingerprints of all lines are recorded, or can be computed.
    pub(crate) fn has_all_fingerprints(&self) -> bool {
        !matches!(self.fingerprints, Fingerprints::TooLong)
    }

    /// Returns whether the line was shown with the anchor's tag to any session.
    pub(crate) fn showed_to_anyone(&self, scheme: Scheme, anchor: &Anchor) -> bool {
        self.showed(scheme, anchor, None)
    }

    /// Returns whether the line was shown with the anchor's tag to `session`; with `None`, to any session.
    pub(crate) fn showed(&self, scheme: Scheme, anchor: &Anchor, session: Option<&str>) -> bool {
        self.showings
            .iter()
            .filter(|showing| showing.scheme == scheme)
            .filter(|showing| session.is_none() || showing.session.as_deref() == session)
            .any(|showing| showing.holds(anchor))
    }

    /// Returns whether one showing to `session` has all lines of `span`, none of them cut; with `None`, a showing to any session.
    pub(crate) fn shows_whole(&self, span: LineSpan, session: Option<&str>) -> bool {
        self.showings
            .iter()
            .filter(|showing| session.is_none() || showing.session.as_deref() == session)
            .any(|showing| showing.has_whole(span))
    }

    /// Returns how much of the line at `index` was shown to `session`, in any scheme; with `None`, to any session.
    pub(crate) fn seen(&self, index: usize, session: Option<&str>) -> Seen {
        self.showings
            .iter()
            .filter(|showing| session.is_none() || showing.session.as_deref() == session)
            .map(|showing| showing.seen(index))
            .max()
            .unwrap_or(Seen::Nothing)
    }

    /// Returns the fingerprint of the line at `index`, if it is recorded: with the fingerprints of all lines, or when it was shown.
    pub(crate) fn fingerprint_of(&self, index: usize) -> Option<Fingerprint> {
        match self.fingerprints() {
            Some(lines) => lines.get(index).copied(),
            None => self
                .showings
                .iter()
                .find_map(|showing| showing.fingerprint_of(index)),
        }
    }
}

impl Showing {
    /// Returns the showing of the given lines of a document, with their tags; lines past its end are left out.
    #[must_use]
    pub fn of(
        document: &Document,
        session: Option<&str>,
        scheme: Scheme,
        spans: &[LineSpan],
    ) -> Self {
        let mut tagger = scheme.tagger();
        let spans = Self::spans_in(document, spans);
        let numbered = spans.iter().flat_map(|&span| {
            let lines = document.lines_in(span);
            lines.zip(span.range())
        });
        let tags = numbered.map(|(line, i)| tagger.value(line.text, LineNo::from_index(i)));
        Self {
            session: session.map(Arc::from),
            scheme,
            tags: tags.collect(),
            spans,
            cut: Vec::new(),
            fingerprints: Vec::new(),
        }
    }

    /// Returns the showing of all lines of an excerpt, with their tags and fingerprints.
    #[must_use]
    pub fn of_excerpt(
        excerpt: &Excerpt,
        session: Option<&str>,
        scheme: Scheme,
        key: FingerprintKey,
    ) -> Self {
        let mut tagger = scheme.tagger();
        let tags = excerpt
            .lines()
            .map(|(number, line)| tagger.value(line.text, number));
        let span = Some(excerpt.span()).filter(|span| !span.is_empty());
        Self {
            session: session.map(Arc::from),
            scheme,
            tags: tags.collect(),
            spans: span.into_iter().collect(),
            cut: Vec::new(),
            fingerprints: excerpt
                .lines()
                .map(|(_, line)| Fingerprint::of(line.text, key))
                .collect(),
        }
    }

    /// Adds the fingerprints of the shown lines, if the document has too many lines to record those of all lines.
    #[must_use]
    pub fn fingerprinted(self, document: &Document, key: FingerprintKey) -> Self {
        if document.line_count() <= History::MAX_LINES {
            return self;
        }
        let spans = self.spans.iter();
        let fingerprints = spans.flat_map(|span| document.fingerprints_in(*span, key));
        Self {
            fingerprints: fingerprints.collect(),
            ..self
        }
    }

    /// Sets which of the lines were shown only in part.
    #[must_use]
    pub fn with_cut_lines(self, cut: impl Into<Vec<CutLine>>) -> Self {
        let mut cut = cut.into();
        cut.sort_by_key(|line| line.index);
        Self { cut, ..self }
    }

    /// Returns the lines that were shown only in part, in ascending order.
    #[must_use]
    pub fn cut_lines(&self) -> &[CutLine] {
        &self.cut
    }

    /// Returns the fingerprints of the shown lines; empty if those of all lines of the revision are recorded.
    #[must_use]
    pub fn fingerprints(&self) -> &[Fingerprint] {
        &self.fingerprints
    }

    /// Returns the spans cut to the lines of the document, sorted and merged.
    #[must_use]
    pub fn spans_in(document: &Document, spans: &[LineSpan]) -> Vec<LineSpan> {
        let inside = spans
            .iter()
            .map(|span| span.widened(0, document.line_count()));
        LineSpan::merged(inside.filter(|span| !span.is_empty()).collect())
    }

    /// Returns the showing of lines whose tags were computed already; `None` unless the spans are sorted and disjoint, every line has a tag, and
    /// every line or none has a fingerprint.
    #[must_use]
    pub fn restored(
        session: Option<Arc<str>>,
        scheme: Scheme,
        spans: Vec<LineSpan>,
        tags: Vec<u32>,
        fingerprints: Vec<Fingerprint>,
    ) -> Option<Self> {
        let is_sorted = spans.is_sorted_by(|before, after| before.end() <= after.start());
        let lines: usize = spans.iter().map(|span| span.len()).sum();
        let is_complete = fingerprints.is_empty() || fingerprints.len() == lines;
        (tags.len() == lines && is_sorted && is_complete).then_some(Self {
            session,
            scheme,
            spans,
            tags,
            cut: Vec::new(),
            fingerprints,
        })
    }

    /// Returns the lines that were shown.
    #[must_use]
    pub fn spans(&self) -> &[LineSpan] {
        &self.spans
    }

    /// Returns the tag values of the shown lines, in their order.
    #[must_use]
    pub fn tags(&self) -> &[u32] {
        &self.tags
    }

    fn holds(&self, anchor: &Anchor) -> bool {
        claimed_index(anchor)
            .and_then(|index| self.tags.get(self.place_of(index)?))
            .is_some_and(|&value| self.scheme.names(anchor.tag, value))
    }

    fn seen(&self, index: usize) -> Seen {
        if self.span_with(index).is_none() {
            return Seen::Nothing;
        }
        match self.cut.binary_search_by_key(&index, |line| line.index) {
            Ok(at) => Seen::Part(self.cut[at].bytes),
            Err(_) => Seen::Whole,
        }
    }

    fn has_whole(&self, span: LineSpan) -> bool {
        let shown = self.span_with(span.start());
        let is_shown = shown.is_some_and(|at| self.spans[at].end() >= span.end());
        let is_cut = |line: &CutLine| span.range().contains(&line.index);
        is_shown && !self.cut.iter().any(is_cut)
    }

    fn fingerprint_of(&self, index: usize) -> Option<Fingerprint> {
        if self.fingerprints.is_empty() {
            return None;
        }
        self.fingerprints.get(self.place_of(index)?).copied()
    }

    /// Returns how many lines were shown before the line at `index`; `None` if it was not shown.
    fn place_of(&self, index: usize) -> Option<usize> {
        let at = self.span_with(index)?;
        let before: usize = self.spans[..at].iter().map(|span| span.len()).sum();
        Some(before + (index - self.spans[at].start()))
    }

    /// Returns which of the spans has the line at `index`.
    fn span_with(&self, index: usize) -> Option<usize> {
        let at = self.spans.partition_point(|span| span.end() <= index);
        let span = self.spans.get(at)?;
        span.range().contains(&index).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::History;
    use crate::edit::{EditBatch, Operation};
    use crate::scheme::Scheme;
    use crate::text::{Changes, LineSpan};
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
        let mut history = History::default();
        history.showed(&first, Some("one"), Scheme::Omp, &[first.all()]);
        history.saw(&Document::new("x\na\nb\nc\n"));
        history.saw(&first);
        for shown in [
            Shown::new(&history, None),
            Shown::new(&history, Some("one")),
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
    fn lines_are_followed_past_dropped_revisions() -> Result<(), Error> {
        const LINES: usize = 60;
        let text = |lines: &[String]| Document::new(lines.join("\n") + "\n");
        let first: Vec<String> = (0..LINES).map(|line| format!("line {line}")).collect();
        let (mut lines, mut history) = (first.clone(), History::default());
        history.showed(&text(&first), None, Scheme::Omp, &[text(&first).all()]);
        let mut revisions = Vec::new();
        for number in 0..4 * History::MAX_REVISIONS {
            let before = text(&lines);
            let at = number * 7 % (lines.len() - 1);
            // Of every three lines two are never replaced.
            let is_old = lines[at].starts_with("line") && number % 3 > 0;
            let gone = at..at + usize::from(!is_old);
            let added = if lines.len() > LINES {
                0
            } else {
                1 + number % 2
            };
            let new = (0..added).map(|one| format!("{number} {one}"));
            let changes = [(LineSpan::new(gone.clone()), added)];
            lines.splice(gone, new);
            let (after, changes) = (text(&lines), Changes::from_replacements(changes));
            history.wrote(&before, &after, &changes, None);
            history.showed(&after, None, Scheme::Omp, &[LineSpan::new(at..at + 1)]);
            revisions.push(after.revision());
        }
        assert!(history.recorded().len() <= History::MAX_REVISIONS);
        let (now, shown) = (text(&lines), Shown::new(&history, None));
        let mut left = 0;
        for (index, line) in first.iter().enumerate() {
            let anchor = anchor(&text(&first), index + 1);
            let batch = EditBatch::new([Operation::replace_line(anchor, "changed")]);
            let batch = batch.at_revision(text(&first).revision());
            let landed = edit(&now, &shown, batch, &Policy::default());
            let place = landed.map(|edited| edited.report.changes.iter().next().map(|one| one.old));
            match lines.iter().position(|now| now == line) {
                Some(at) => assert_eq!(place, Ok(Some(LineSpan::new(at..at + 1)))),
                None => {
                    let code = place.map_err(|error| error.code());
                    assert_eq!(code, Err(crate::Code::Stale));
                }
            }
            left += usize::from(lines.contains(line));
        }
        assert!((1..LINES).contains(&left), "{left}");
        revisions.retain(|revision| history.latest_revision(*revision).is_none());
        assert!(!revisions.is_empty());
        for dropped in revisions {
            let batch = EditBatch::new([Operation::replace_line(anchor(&now, 1), "changed")]);
            let refused = edit(&now, &shown, batch.at_revision(dropped), &Policy::default());
            let code = refused.map_err(|error| error.code());
            assert_eq!(code.err(), Some(crate::Code::UnknownRev));
        }
        Ok(())
    }

    #[test]
    fn another_sessions_showings_count_only_with_the_revision() {
        let old = Document::new("a\nb\nc\nd\ne\nf\ng\nh\n");
        let now = Document::new("zero\na\nb\nc\nd\ne\nf\ng\nh\n");
        let mut history = History::default();
        history.showed(&old, Some("one"), Scheme::Omp, &[old.all()]);
        let batch = EditBatch::new([Operation::replace_line(anchor(&old, 5), "E")]);
        let shown = Shown::new(&history, Some("two"));
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
    fn anchors_of_a_file_too_long_to_record_land_until_it_changes() -> Result<(), Error> {
        let lines = "x\n".repeat(History::MAX_LINES) + "last\n";
        let long = Document::new(lines.clone());
        let mut history = History::default();
        history.showed(&long, None, Scheme::Omp, &[long.all()]);
        let last = anchor(&long, long.line_count());
        let shown = Shown::new(&history, None);
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
