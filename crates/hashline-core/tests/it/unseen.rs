//! Lines that were never shown, or only in part, are not edited unseen.

use std::sync::Arc;

use hashline_core::edit::{EditBatch, Occurrences, Operation};
use hashline_core::scheme::Scheme;
use hashline_core::shown::{CutLine, History, Origin, Showing};
use hashline_core::text::{FingerprintKey, LineSpan};
use hashline_core::{Code, Document, Policy, Shown, TrackedDocument, edit, render};

const TEXT: &str = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\n";

fn anchor(document: &Document, line: usize) -> String {
    let span = LineSpan::new(line - 1..line);
    let mut lines = render::anchored(document, span, Scheme::Omp);
    lines
        .next()
        .map(|line| line.anchor().to_string())
        .unwrap_or_default()
}

fn lines(numbers: &[usize]) -> Vec<LineSpan> {
    let line = |number: &usize| LineSpan::new(number - 1..*number);
    numbers.iter().map(line).collect()
}

/// Replaces a range by anchors, as `session`, and returns the code of the refusal.
fn replace(
    document: &Document,
    history: &History,
    session: Option<&str>,
    (first, last): (usize, usize),
) -> Option<Code> {
    let (first, last) = (anchor(document, first), anchor(document, last));
    let batch = EditBatch::new([Operation::replace_range(first, last, "x")])
        .at_revision(document.revision());
    let shown = Shown::new(history, session);
    let outcome = edit(document, &shown, batch, &Policy::default());
    outcome.err().map(|error| error.code())
}

#[test]
fn a_range_that_was_refused_for_unseen_lines_lands_when_it_is_sent_again() {
    let mut file = TrackedDocument::new(TEXT);
    let ends = [2, 9].map(|line| {
        let shown = file.show(LineSpan::new(line - 1..line), Scheme::Omp);
        shown[0].clone()
    });
    let batch = EditBatch::new([Operation::replace_range(
        ends[0].as_str(),
        ends[1].as_str(),
        "x",
    )]);
    let refused = file.edit(batch.clone(), &Policy::default());
    assert_eq!(
        refused.err().map(|refused| refused.error.code()),
        Some(Code::Unseen)
    );
    assert!(file.edit(batch, &Policy::default()).is_ok());
}

#[test]
fn lines_that_a_session_wrote_are_seen_by_it_and_by_no_other() {
    let before = Document::new(TEXT);
    for (session, expected) in [("writer", None), ("reader", Some(Code::Unseen))] {
        let mut history = History::default();
        history.showed(&before, Some("writer"), Scheme::Omp, &lines(&[3]));
        let batch = EditBatch::new([Operation::replace_line(anchor(&before, 3), "1\n2\n3\n4\n5")]);
        let shown = Shown::new(&history, Some("writer"));
        let edited = edit(&before, &shown, batch, &Policy::default()).expect("the line was shown");
        let (after, changes) = (&edited.document, &edited.report.changes);
        history.wrote(&before, after, changes, Some("writer"));
        for name in ["writer", "reader"] {
            history.showed(after, Some(name), Scheme::Omp, &lines(&[3, 7]));
        }
        assert_eq!(
            replace(after, &history, Some(session), (3, 7)),
            expected,
            "{session}"
        );
    }
}

#[test]
fn what_one_session_saw_another_did_not() {
    let document = Document::new(TEXT);
    let mut history = History::default();
    history.showed(&document, Some("one"), Scheme::Omp, &[document.all()]);
    history.showed(&document, Some("two"), Scheme::Omp, &lines(&[2, 9]));
    assert_eq!(replace(&document, &history, Some("one"), (2, 9)), None);
    assert_eq!(replace(&document, &history, None, (2, 9)), None);
    assert_eq!(
        replace(&document, &history, Some("two"), (2, 9)),
        Some(Code::Unseen)
    );
    // A third session was shown nothing: with the revision it uses the anchors of the first.
    assert_eq!(replace(&document, &history, Some("three"), (2, 9)), None);
}

#[test]
fn what_was_seen_before_a_change_is_still_seen_after_it() {
    let before = Document::new(TEXT);
    let after = Document::new(format!("new\n{TEXT}"));
    let mut history = History::default();
    history.showed(&before, None, Scheme::Omp, &[before.all()]);
    history.showed(&after, None, Scheme::Omp, &lines(&[7, 12]));
    assert_eq!(replace(&after, &history, None, (7, 12)), None);
    let changed = Document::new(TEXT.replace("i\n", "I\n"));
    let mut history = History::default();
    history.showed(&before, None, Scheme::Omp, &[before.all()]);
    history.showed(&changed, None, Scheme::Omp, &lines(&[4, 14]));
    assert_eq!(
        replace(&changed, &history, None, (4, 14)),
        Some(Code::Unseen)
    );
}

#[test]
fn a_line_shown_in_part_is_whole_once_it_was_shown_whole() {
    let document = Document::new(TEXT);
    let cut = [CutLine { index: 2, bytes: 1 }];
    let mut history = History::default();
    history.saw(&document);
    let showing = Showing::of(&document, None, Scheme::Omp, &[document.all()]);
    history.restore_showing(showing.with_cut_lines(cut));
    assert_eq!(
        replace(&document, &history, None, (3, 5)),
        Some(Code::PartlyShown)
    );
    assert_eq!(
        replace(&document, &history, None, (1, 5)),
        Some(Code::Unseen)
    );
    history.showed(&document, None, Scheme::Omp, &lines(&[3]));
    assert_eq!(replace(&document, &history, None, (1, 5)), None);
}

#[test]
fn a_part_that_another_session_was_shown_is_not_enough_for_number_and_tag() {
    let document = Document::new(TEXT);
    let cut = [CutLine { index: 2, bytes: 1 }];
    let mut history = History::default();
    history.showed(&document, Some("two"), Scheme::Omp, &lines(&[8]));
    let showing = Showing::of(&document, Some("one"), Scheme::Omp, &lines(&[3]));
    history.restore_showing(showing.with_cut_lines(cut));
    let code = |line: usize| {
        let batch = EditBatch::new([Operation::replace_line(anchor(&document, line), "x")]);
        let shown = Shown::new(&history, Some("two"));
        let edited = edit(&document, &shown, batch, &Policy::default());
        edited.map_err(|error| error.code()).err()
    };
    assert_eq!(code(3), Some(Code::PartlyShown));
    assert_eq!(code(4), None);
}

#[test]
fn equal_revisions_do_not_prove_equal_lines() {
    let shown = Document::new(TEXT);
    let now = Document::new(TEXT.replace("c\n", "C\n"));
    let key = FingerprintKey::default();
    let mut history = History::default();
    // Two files with one revision: what was shown had other bytes in line 3.
    let lines: Arc<[_]> = shown.fingerprints(key);
    history.restore_revision(now.revision(), Origin::Seen, Some(lines));
    history.restore_showing(Showing::of(&now, None, Scheme::Omp, &[now.all()]));
    assert_eq!(replace(&now, &history, None, (3, 3)), Some(Code::Stale));
    assert_eq!(replace(&now, &history, None, (2, 4)), Some(Code::Stale));
    assert_eq!(replace(&now, &history, None, (5, 6)), None);
}

/// Substitutes text in a document as `session`, records the edit, and returns the document after it.
fn substituted(
    document: &Document,
    history: &mut History,
    (old, new): (&str, &str),
) -> Result<Document, Code> {
    let batch = EditBatch::new([Operation::Substitute {
        old: old.to_owned(),
        new: new.to_owned(),
        count: Occurrences::All,
    }]);
    let shown = Shown::new(history, Some("one"));
    let edited = edit(document, &shown, batch, &Policy::default());
    let edited = edited.map_err(|error| error.code())?;
    let after = edited.document;
    history.wrote(document, &after, &edited.report.changes, Some("one"));
    Ok(after)
}

#[test]
fn who_substitutes_text_in_lines_has_not_seen_them_for_that() {
    let before = Document::new("1 x\n2 x\n3 x\n4 x\n5 x\n6 x\n7 x\n8 x\n");
    let ends = lines(&[2, 5]);
    for (first, unseen) in [
        (lines(&[2]), Some(Code::Unseen)),
        (vec![before.all()], None),
    ] {
        let mut history = History::default();
        history.showed(&before, Some("one"), Scheme::Omp, &first);
        let after = substituted(&before, &mut history, ("x", "y")).expect("it is there");
        history.showed(&after, Some("one"), Scheme::Omp, &ends);
        assert_eq!(replace(&after, &history, Some("one"), (2, 5)), unseen);
    }
    // Who sends a whole line knows it.
    let mut history = History::default();
    history.showed(&before, Some("one"), Scheme::Omp, &ends);
    let after = substituted(&before, &mut history, ("3 x\n", "three\n")).expect("it is there");
    history.showed(&after, Some("one"), Scheme::Omp, &lines(&[2, 4]));
    assert_eq!(replace(&after, &history, Some("one"), (2, 4)), None);
}

#[test]
fn a_line_shown_in_part_stays_so_when_text_is_substituted_in_it() {
    let before = Document::new("a\nbegin middle end\nc\nd\n");
    let mut history = History::default();
    history.saw(&before);
    let cut = [CutLine { index: 1, bytes: 5 }];
    let showing = Showing::of(&before, Some("one"), Scheme::Omp, &[before.all()]);
    history.restore_showing(showing.with_cut_lines(cut));
    let hidden = substituted(&before, &mut history, ("middle", "x"));
    assert_eq!(hidden.err(), Some(Code::PartlyShown));
    let joined = substituted(&before, &mut history, ("end\nc", "x"));
    assert_eq!(joined.err(), Some(Code::PartlyShown));
    let after = substituted(&before, &mut history, ("begin", "BEGIN")).expect("it was shown");
    assert_eq!(
        replace(&after, &history, Some("one"), (2, 2)),
        Some(Code::PartlyShown)
    );
}
