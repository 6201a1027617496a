//! What an edit does, and what it leaves alone.

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditBatch, Occurrences, Operation, Place};
use hashline_core::policy::Context;
use hashline_core::scheme::Scheme;
use hashline_core::shown::History;
use hashline_core::text::{LineEnding, LineNo, LineSpan};
use hashline_core::{Document, Policy, Shown, edit, render};
use hashline_testing::generate::{
    Deed, Placed, anchor, file, payload, placed, plain_file, plain_payload, some_text, tame_file,
    terminated_file, wishes,
};
use hashline_testing::invariants::{self, is_kept};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::TestCaseError;

use super::expected_lines::{Slot, all_lines, is_blank, reckon};
use super::patch::{self, Direction};
use super::{config, done, escaped, refused, run, strict};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn unnamed_lines_keep_their_bytes(file in file(), wishes in wishes(payload())) {
        let edits = placed(&wishes, file.0.line_count());
        let slots = reckon(&file.0, &edits);
        let bare_cr = file.0.bytes().ends_with(b"\r");
        for dialect in Dialect::ALL {
            let edited = done(&file.0, &edits, dialect)?;
            invariants::check(&file.0, &edited).map_err(TestCaseError::fail)?;
            for (index, slot) in slots.iter().enumerate() {
                match slot {
                    Slot::Old(was) => prop_assert!(is_kept(&file.0, *was, &edited.document, index)),
                    Slot::New(text) => {
                        let line = edited.document.line(LineNo::from_index(index));
                        // An unterminated line that ends in `\r` reads as CRLF when another edit adds a line below it.
                        let text = match text.strip_suffix('\r') {
                            Some(cut) if bare_cr && index + 1 < slots.len() => cut,
                            _ => text,
                        };
                        prop_assert_eq!(line.map(|line| line.text), Some(text.as_bytes()));
                    }
                }
            }
        }
    }

    #[test]
    fn the_line_count_is_as_reckoned(file in file(), wishes in wishes(payload())) {
        let edits = placed(&wishes, file.0.line_count());
        let lines = reckon(&file.0, &edits).len();
        for dialect in Dialect::ALL {
            let edited = done(&file.0, &edits, dialect)?;
            prop_assert_eq!(edited.document.line_count(), lines);
            prop_assert_eq!(Document::new(edited.document.bytes()).line_count(), lines);
            let changes = || edited.report.changes.iter();
            let went: usize = changes().map(|change| change.old.len()).sum();
            let came: usize = changes().map(|change| change.new.len()).sum();
            prop_assert_eq!(file.0.line_count() - went + came, lines);
        }
    }

    #[test]
    fn an_empty_batch_is_the_identity(file in file()) {
        for dialect in Dialect::ALL {
            for policy in [Policy::new(dialect), strict(dialect), Policy::seed(dialect)] {
                let outcome = edit(&file.0, &Shown::nothing(), EditBatch::new([]), &policy);
                let edited = outcome.map_err(refused)?;
                prop_assert_eq!(edited.document.bytes(), file.0.bytes());
                prop_assert!(edited.report.changes.iter().len() == 0 && !edited.report.is_changed());
                prop_assert!(edited.report.windows(Context::default()).is_empty());
                prop_assert!(edited.report.diff("a", "a").text.is_empty());
            }
        }
    }

    // A file without a final newline is a plain one here: what ends a line that gets an ending, and whether a blank last line is
    // one, depends on lines that an edit before may have taken away.
    #[test]
    fn disjoint_edits_commute(
        (file, wishes) in prop_oneof![
            (terminated_file(), wishes(payload()).boxed()),
            (plain_file(), wishes(plain_payload()).boxed()),
        ],
        halves in vec(any::<bool>(), 5),
    ) {
        let edits = placed(&wishes, file.0.line_count());
        let half = |which: bool| -> Vec<Placed> {
            let dealt = edits.iter().zip(&halves);
            dealt.filter(|(_, half)| **half == which).map(|(edit, _)| edit.clone()).collect()
        };
        for dialect in Dialect::ALL {
            let at_once = done(&file.0, &edits, dialect)?.document;
            for which in [true, false] {
                let in_turn = one_after_the_other(&file.0, [half(which), half(!which)], dialect)?;
                prop_assert_eq!(escaped(&in_turn), escaped(&at_once), "{}", dialect.name());
            }
        }
    }

    #[test]
    fn the_order_of_the_list_does_not_matter_but_for_inserts_at_one_gap(
        file in file(),
        wishes in wishes(payload()),
        inserts in vec((0..12_usize, any::<bool>()), 0..4),
        order in vec(any::<u32>(), 12),
    ) {
        let edits = placed(&wishes, file.0.line_count());
        for dialect in Dialect::ALL {
            let scheme = dialect.scheme;
            let listed = edits.iter().map(|edit| (gap_of(edit), edit.operation(&file.0, scheme)));
            let mut list: Vec<(Option<Gap>, Operation)> = listed.collect();
            if dialect != Dialect::PUSH {
                list.extend(more_inserts(&file.0, &edits, &inserts, scheme));
            }
            let as_shuffled = run(&file.0, shuffled(&list, &order), dialect)?;
            let as_listed = run(&file.0, list.into_iter().map(|(_, edit)| edit), dialect)?;
            prop_assert_eq!(escaped(&as_shuffled.document), escaped(&as_listed.document));
        }
    }

    #[test]
    fn applying_a_diff_does_the_edit_and_the_reversed_diff_restores_the_file(
        file in tame_file(),
        wishes in wishes(payload()),
    ) {
        let edits = placed(&wishes, file.0.line_count());
        for dialect in Dialect::ALL {
            let edited = done(&file.0, &edits, dialect)?;
            let (before, after) = (displayed(&file.0), displayed(&edited.document));
            let diff = edited.report.diff("f", "f").text;
            prop_assert_eq!(diff.is_empty(), !edited.report.is_changed());
            let forward = patch::apply(&before, &diff, Direction::Forward);
            prop_assert_eq!(forward.as_ref(), Ok(&after), "{}", diff);
            let backward = patch::apply(&after, &diff, Direction::Backward);
            prop_assert_eq!(backward.as_ref(), Ok(&before), "{}", diff);
        }
    }

    #[test]
    fn crlf_the_byte_order_mark_and_the_final_newline_survive_anything(
        file in tame_file(),
        wishes in wishes(payload()),
        (start, end) in (option::of(some_text(payload())), option::of(some_text(payload()))),
    ) {
        let before = &file.0;
        let edits = placed(&wishes, before.line_count());
        let mut slots: Vec<Slot> = all_lines(before, &edits);
        slots.splice(0..0, start.iter().flat_map(|text| text.lines()).map(Slot::New));
        slots.extend(end.iter().flat_map(|text| text.lines()).map(Slot::New));
        for dialect in Dialect::ALL {
            let at_the_edges = [(Place::Start, start.clone()), (Place::End, end.clone())];
            let inserts = at_the_edges.into_iter().filter_map(|(place, text)| {
                Some(Operation::Insert { place, text: text? })
            });
            let listed = edits.iter().map(|edit| edit.operation(before, dialect.scheme));
            let after = run(before, listed.chain(inserts), dialect)?.document;
            prop_assert_eq!(after.bom(), before.bom());
            if before.line_count() == 0 || after.line_count() == 0 {
                continue;
            }
            // The one case that cannot be had: a blank last line that has no bytes.
            let vanishes = slots.last().is_some_and(|last| is_blank(before, last));
            let ends = before.bytes().ends_with(b"\n") || vanishes;
            prop_assert_eq!(after.bytes().ends_with(b"\n"), ends, "{}", escaped(&after));
            if let Some(only) = the_only_ending(before) {
                let mut endings = after.lines().map(|line| line.ending);
                let alike = endings.all(|ending| ending == only || ending == LineEnding::None);
                prop_assert!(alike, "{}", escaped(&after));
            }
        }
    }

    #[test]
    fn substituting_a_whole_line_is_editing_that_line(
        file in file(),
        at in 0..12_usize,
        new in "[a-c]{1,3}(\n[a-c]{1,3})?",
    ) {
        let Some(at) = at.checked_rem(file.0.line_count()) else {
            return Ok(());
        };
        let before = rewritten(&file.0, at, b"only here");
        let is_ended = before.line(LineNo::from_index(at)).is_some_and(|line| line.ending != LineEnding::None);
        for dialect in Dialect::ALL {
            let line = || anchor(&before, dialect.scheme, at);
            let whole = ("only here", new.clone(), Operation::replace_line(line(), new.as_str()));
            let gone = ("only here\n", String::new(), Operation::delete_line(line()));
            let ended = format!("{new}\n");
            let anew = ("only here\n", ended, Operation::replace_line(line(), new.as_str()));
            let twins = [whole, gone, anew].into_iter().take(if is_ended { 3 } else { 1 });
            for (old, new, twin) in twins {
                let count = Occurrences::One;
                let old = old.to_owned();
                let by_text = run(&before, [Operation::Substitute { old, new, count }], dialect)?;
                let by_name = run(&before, [twin], dialect)?;
                prop_assert_eq!(escaped(&by_text.document), escaped(&by_name.document));
                prop_assert_eq!(by_text.report.changes, by_name.report.changes);
            }
        }
    }
}

/// Does some edits, and then others with the anchors they had before.
fn one_after_the_other(
    document: &Document,
    edits: [Vec<Placed>; 2],
    dialect: Dialect,
) -> Result<Document, TestCaseError> {
    let mut history = History::default();
    history.showed(document, None, dialect.scheme, &[document.all()]);
    let mut current = document.clone();
    for edits in edits {
        let listed = edits
            .iter()
            .map(|edit| edit.operation(document, dialect.scheme));
        let batch = EditBatch::new(listed).at_revision(document.revision());
        let shown = Shown::new(&history, None);
        let edited = edit(&current, &shown, batch, &Policy::new(dialect)).map_err(refused)?;
        history.wrote(&current, &edited.document, &edited.report.changes, None);
        current = edited.document;
    }
    Ok(current)
}

/// Where an insertion goes: the line it names, and whether after it.
type Gap = (usize, bool);

fn gap_of(edit: &Placed) -> Option<Gap> {
    match edit.deed {
        Deed::Before(_) => Some((edit.span.start(), false)),
        Deed::After(_) => Some((edit.span.start(), true)),
        Deed::Replace(_) | Deed::Delete => None,
    }
}

/// Makes insertions at any line, as far as its gap is not inside what is replaced.
fn more_inserts(
    document: &Document,
    edits: &[Placed],
    wanted: &[Gap],
    scheme: Scheme,
) -> Vec<(Option<Gap>, Operation)> {
    let replaced = || edits.iter().filter(|edit| gap_of(edit).is_none());
    let mut inserts = Vec::new();
    for (number, &(at, after)) in wanted.iter().enumerate() {
        let Some(at) = at.checked_rem(document.line_count()) else {
            continue;
        };
        let edge = |span: LineSpan| if after { span.end() - 1 } else { span.start() };
        if replaced().any(|edit| edit.span.range().contains(&at) && at != edge(edit.span)) {
            continue;
        }
        let (line, text) = (anchor(document, scheme, at), format!("more {number}"));
        let operation = if after {
            Operation::insert_after(line, text)
        } else {
            Operation::insert_before(line, text)
        };
        inserts.push((Some((at, after)), operation));
    }
    inserts
}

/// Puts a list in another order, but not the insertions at one gap among themselves.
fn shuffled(list: &[(Option<Gap>, Operation)], order: &[u32]) -> Vec<Operation> {
    let mut indexes: Vec<usize> = (0..list.len()).collect();
    indexes.sort_by_key(|&index| order[index]);
    let mut taken = vec![false; list.len()];
    let mut next = |index: usize| {
        let gap = list[index].0;
        let first_left = |other: &usize| !taken[*other] && gap.is_some() && list[*other].0 == gap;
        let index = (0..list.len()).find(first_left).unwrap_or(index);
        taken[index] = true;
        list[index].1.clone()
    };
    indexes.into_iter().map(&mut next).collect()
}

/// Returns the document as a diff shows it: byte for byte, except bytes that are not UTF-8.
fn displayed(document: &Document) -> String {
    let ending = |ending: LineEnding| match ending {
        LineEnding::Lf => "\n",
        LineEnding::CrLf => "\r\n",
        LineEnding::None => "",
    };
    document
        .lines()
        .map(|line| format!("{}{}", render::display(line.text), ending(line.ending)))
        .collect()
}

/// Returns how all lines of a document end that do. Nothing if they differ, or if there is an unterminated line that ends in `\r`:
/// whatever ends it later, it will read as CRLF.
fn the_only_ending(document: &Document) -> Option<LineEnding> {
    let bare_cr = document.bytes().ends_with(b"\r");
    let endings = || document.lines().map(|line| line.ending);
    let first = endings().find(|ending| *ending != LineEnding::None)?;
    let same = |ending: LineEnding| ending == first || ending == LineEnding::None;
    (!bare_cr && endings().all(same)).then_some(first)
}

/// Returns the document with another text on one line.
pub(super) fn rewritten(document: &Document, at: usize, text: &[u8]) -> Document {
    let above = document.slice(LineSpan::new(0..at)).bytes();
    let below = document
        .slice(LineSpan::new(at + 1..document.line_count()))
        .bytes();
    let ending = document
        .line(LineNo::from_index(at))
        .map_or(LineEnding::None, |line| line.ending);
    Document::new([document.bom(), above, text, ending.as_bytes(), below].concat())
}
