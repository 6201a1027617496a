//! An edit lands on the lines that were shown, or nowhere.

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditBatch, Operation};
use hashline_core::policy::Context;
use hashline_core::scheme::Scheme;
use hashline_core::shown::History;
use hashline_core::text::{LineNo, LineSpan, Payload};
use hashline_core::{Document, Error, Policy, Shown, edit, render};
use hashline_testing::generate::{
    Deed, Placed, Wish, anchor, file, payload, placed, plain_payload, some_text, wishes,
};
use hashline_testing::meddling::{Kind, meddle, meddlings};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;
use proptest::test_runner::TestCaseError;

use super::editing::rewritten;
use super::repeated_edits::OwnEdits;
use super::{config, done, escaped, refused, strict};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn fresh_anchors_in_a_report_resolve(
        file in file(),
        wishes in wishes(payload()),
        context in 0..9_usize,
    ) {
        let edits = placed(&wishes, file.0.line_count());
        for dialect in Dialect::ALL {
            let edited = done(&file.0, &edits, dialect)?;
            let after = &edited.document;
            let windows = edited.report.windows(Context::new(context));
            let mut history = History::default();
            history.wrote(&file.0, after, &edited.report.changes, None);
            history.showed(after, Some("me"), dialect.scheme, &windows);

            let lines = || windows.iter().flat_map(|&at| render::anchored(after, at, dialect.scheme));
            let fresh = |number: LineNo| format!("fresh {number}");
            let named = EditBatch::new(
                lines().map(|line| Operation::replace_line(line.anchor(), fresh(line.number))),
            );
            let at_revision = named.clone().at_revision(after.revision());
            let mut expected: Vec<Vec<u8>> = after.lines().map(|line| line.text.to_vec()).collect();
            lines().for_each(|line| expected[line.number.index()] = fresh(line.number).into_bytes());
            for batch in [named, at_revision] {
                for policy in [Policy::new(dialect), strict(dialect)] {
                    let shown = Shown::new(&history, Some("me"));
                    let again = edit(after, &shown, batch.clone(), &policy).map_err(refused)?;
                    let texts = again.document.lines().map(|line| line.text.to_vec());
                    prop_assert_eq!(&texts.collect::<Vec<_>>(), &expected);
                }
            }
        }
    }

    #[test]
    fn a_stale_anchor_never_changes_a_byte(
        file in file(),
        wish in wish(),
        which in 0..4_usize,
        meddlings in meddlings(&[Kind::Insert, Kind::Rewrite]),
        only_white_space in any::<bool>(),
    ) {
        let older = &file.0;
        let Some(named) = placed(&[wish], older.line_count()).pop() else {
            return Ok(());
        };
        for dialect in Dialect::ALL {
            let batch = EditBatch::new([named.operation(older, dialect.scheme)]);
            let at_revision = batch.clone().at_revision(older.revision());
            let mut history = History::default();
            history.showed(older, None, dialect.scheme, &[older.all()]);
            let lands = |newer: &Document, batch: &EditBatch, policy| {
                edit(newer, &Shown::new(&history, None), batch.clone(), &policy).is_ok()
            };

            // Any line of the range was written anew, and perhaps others were too.
            let at = named.span.start() + which % named.span.len();
            let anew = new_text(older, dialect.scheme, at, only_white_space);
            let newer = rewritten(older, at, &anew);
            for newer in [meddle(&newer, &meddlings), newer] {
                let message = || format!("{} landed in {}", dialect.name(), escaped(&newer));
                prop_assert!(!lands(&newer, &batch, Policy::new(dialect)), "{}", message());
                prop_assert!(!lands(&newer, &at_revision, Policy::new(dialect)), "{}", message());
                prop_assert!(!lands(&newer, &at_revision, strict(dialect)), "{}", message());
            }

            // By number and tag alone: an end of the range was written anew, with another tag.
            let at = [named.span.start(), named.span.end() - 1][which % 2];
            let newer = rewritten(older, at, &text_with_another_tag(older, dialect.scheme, at));
            prop_assert!(!lands(&newer, &batch, strict(dialect)), "{}", escaped(&newer));
        }
    }

    #[test]
    fn a_refusal_hands_out_the_anchors_of_the_other_edits_too(
        file in file(),
        wishes in wishes(plain_payload()),
        meddlings in meddlings(&Kind::ALL),
        dialect in select(&Dialect::ALL[..]),
    ) {
        let (older, newer, scheme) = (&file.0, meddle(&file.0, &meddlings), dialect.scheme);
        let mut history = History::default();
        history.showed(older, None, scheme, &[older.all()]);
        let edits = placed(&wishes, older.line_count());
        let batch = EditBatch::new(edits.iter().map(|edit| edit.operation(older, scheme)));
        let batch = batch.at_revision(older.revision());
        let policy = Policy::new(dialect);
        let Err(Error::Anchors(refused)) = edit(&newer, &Shown::new(&history, None), batch, &policy) else {
            return Ok(());
        };
        prop_assert!(refused.landed.len() + refused.problems.len() >= edits.len());
        history.showed(&newer, None, scheme, &refused.windows(Context::new(0)));
        for other in &refused.landed {
            let fresh: Vec<String> = other.ends().iter().map(|end| anchor(&newer, scheme, end.index())).collect();
            let again = match fresh.as_slice() {
                [line] => Operation::delete_line(line.clone()),
                [first, last] => Operation::delete_range(first.clone(), last.clone()),
                ends => return Err(TestCaseError::fail(format!("{} ends", ends.len()))),
            };
            let again = EditBatch::new([again]).at_revision(newer.revision());
            let landed = edit(&newer, &Shown::new(&history, None), again, &policy);
            let landed = landed.map_err(super::refused)?;
            let meant = &edits[other.edit.index()];
            let meant = older.lines_in(meant.span).map(|line| line.text);
            let gone = landed.report.changes.iter().next().map(|change| change.old);
            let hit = newer.lines_in(other.span).map(|line| line.text);
            prop_assert!(meant.eq(hit), "edit {} is not at {}", other.edit, other.span);
            // A last line that is blank has no bytes in a file without a final newline, and goes with its neighbour.
            prop_assert!(gone.is_some_and(|gone| gone.end() == other.span.end()));
        }
    }

    #[test]
    fn with_a_revision_only_what_was_shown_there_with_that_tag_lands(
        file in file(),
        shown_lines in vec(any::<bool>(), 12),
        dialect in select(&Dialect::ALL[..]),
    ) {
        let (document, scheme) = (&file.0, dialect.scheme);
        let lines = || (0..document.line_count()).map(|index| LineSpan::new(index..index + 1));
        let was_shown = |line: LineSpan| shown_lines[line.start() % shown_lines.len()];
        let shown_spans: Vec<LineSpan> = lines().filter(|&line| was_shown(line)).collect();
        let mut history = History::default();
        history.showed(document, None, scheme, &shown_spans);
        let lands = |anchor: String| {
            let batch = EditBatch::new([Operation::insert_after(anchor, "x")]);
            let batch = batch.at_revision(document.revision());
            edit(document, &Shown::new(&history, None), batch, &Policy::new(dialect)).is_ok()
        };
        for line in lines() {
            let (right, number) = (anchor(document, scheme, line.start()), line.start() + 1);
            prop_assert_eq!(lands(right.clone()), was_shown(line), "{}", right);
            let other = (0..).map(|value| scheme.anchor(LineNo::from_index(line.start()), scheme.spell(value)));
            let wrong = other.into_iter().find(|other| *other != right);
            prop_assert!(!wrong.is_some_and(&lands), "line {} landed by another tag", number);
        }
    }

    #[test]
    fn anchors_kept_across_own_edits_land_unless_their_lines_were_replaced(
        file in file(),
        steps in vec(wishes(plain_payload()), 1..5),
        dialect in select(&Dialect::ALL[..]),
    ) {
        let mut own = OwnEdits::begin(&file.0, dialect);
        for (number, wishes) in steps.iter().enumerate() {
            own.edit(number, wishes)?;
            own.check_every_anchor()?;
        }
    }

    #[test]
    fn after_reading_again_every_anchor_lands_without_a_revision(
        file in file(),
        first in meddlings(&Kind::ALL),
        second in meddlings(&Kind::ALL),
        dialect in select(&Dialect::ALL[..]),
    ) {
        let older = [file.0.clone(), meddle(&file.0, &first)];
        let newer = meddle(&older[1], &second);
        for session in [None, Some("me")] {
            let mut history = History::default();
            for document in older.iter().chain([&newer]) {
                history.showed(document, session, dialect.scheme, &[document.all()]);
            }
            for line in render::anchored(&newer, newer.all(), dialect.scheme) {
                let at = line.number.index();
                let batch = EditBatch::new([Operation::replace_line(line.anchor(), "landed here")]);
                let shown = Shown::new(&history, session);
                match edit(&newer, &shown, batch, &Policy::new(dialect)) {
                    Ok(edited) => {
                        let place = edited.report.changes.iter().next().map(|change| change.old.start());
                        prop_assert!(place.is_none_or(|place| place == at), "{place:?} is not {at}");
                    }
                    Err(error) => {
                        prop_assert_eq!(session, None, "a session that read again was refused: {:?}", error);
                        prop_assert!(
                            older.iter().any(|older| objects(older, &newer, dialect, at)),
                            "line {} was refused without an objection",
                            at + 1
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_foreign_change_never_lands_an_edit_on_other_bytes(
        file in file(),
        meddlings in meddlings(&Kind::ALL),
        dialect in select(&Dialect::ALL[..]),
        length in 1..4_usize,
    ) {
        let (older, newer) = (&file.0, meddle(&file.0, &meddlings));
        let mut history = History::default();
        history.showed(older, None, dialect.scheme, &[older.all()]);
        for start in 0..older.line_count() {
            let span = LineSpan::new(start..(start + length).min(older.line_count()));
            let deed = Deed::Replace(Payload::from("landed here"));
            let batch = EditBatch::new([Placed { span, deed }.operation(older, dialect.scheme)]);
            for batch in [batch.clone(), batch.at_revision(older.revision())] {
                let shown = Shown::new(&history, None);
                let Ok(edited) = edit(&newer, &shown, batch, &Policy::new(dialect)) else {
                    continue;
                };
                let changes = edited.report.changes.iter();
                let places: Vec<LineSpan> = changes.map(|change| change.old).collect();
                prop_assert_eq!(places.len(), 1);
                let (meant, hit) = (older.lines_in(span), newer.lines_in(places[0]));
                prop_assert!(meant.map(|line| line.text).eq(hit.map(|line| line.text)));
            }
        }
    }
}

/// Returns whether an older version of the file showed the anchor of a line for a line of other bytes, or for one that lands elsewhere now.
fn objects(older: &Document, newer: &Document, dialect: Dialect, at: usize) -> bool {
    let anchored = |document| {
        let line = LineSpan::new(at..at + 1);
        let mut lines = render::anchored(document, line, dialect.scheme);
        lines.next().map(|line| line.anchor().to_string())
    };
    let Some(anchor) = anchored(older).filter(|_| at < older.line_count()) else {
        return false;
    };
    if anchored(newer).as_ref() != Some(&anchor) {
        return false;
    }
    let mut history = History::default();
    history.showed(older, None, dialect.scheme, &[older.all()]);
    let batch = EditBatch::new([Operation::replace_line(anchor, "landed here")]);
    let batch = batch.at_revision(older.revision());
    let landed = edit(
        newer,
        &Shown::new(&history, None),
        batch,
        &Policy::new(dialect),
    );
    let elsewhere = landed.is_ok_and(|edited| {
        let mut changes = edited.report.changes.iter();
        changes
            .next()
            .is_some_and(|change| change.old.start() != at)
    });
    elsewhere || text_at(older, at) != text_at(newer, at)
}

/// Returns one edit that names one line or up to three.
fn wish() -> impl Strategy<Value = Wish> {
    let deed = prop_oneof![
        payload().prop_map(Deed::Replace),
        Just(Deed::Delete),
        some_text(payload()).prop_map(Deed::Before),
        some_text(payload()).prop_map(Deed::After),
    ];
    (0..12_usize, 1..4_usize, deed).prop_map(|(skip, length, deed)| Wish { skip, length, deed })
}

/// Returns a text that stands nowhere in the document, perhaps one that differs from the line at `at` in white space only.
fn new_text(document: &Document, scheme: Scheme, at: usize, only_white_space: bool) -> Vec<u8> {
    if only_white_space {
        [b"             ", text_at(document, at)].concat()
    } else {
        text_with_another_tag(document, scheme, at)
    }
}

/// Returns a text that stands nowhere in the document and whose tag is not that of the line at `at`.
fn text_with_another_tag(document: &Document, scheme: Scheme, at: usize) -> Vec<u8> {
    let number = LineNo::from_index(at);
    let tag = scheme.tag(text_at(document, at), number);
    let texts = (0..).map(|count| format!("written anew {count}").into_bytes());
    let mut others = texts
        .into_iter()
        .filter(|text| !scheme.fits(tag, text, number));
    others.next().unwrap_or_default()
}

fn text_at(document: &Document, at: usize) -> &[u8] {
    document
        .line(LineNo::from_index(at))
        .map_or(&[], |line| line.text)
}
