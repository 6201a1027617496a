//! What was shown is found again, by all processes, within the bounds, and whatever happens to the disk.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditBatch, Operation};
use hashline_core::render::{self, render_with_tags};
use hashline_core::scheme::Scheme;
use hashline_core::shown::{CutLine, History, Showing};
use hashline_core::text::{Changes, FingerprintKey, LineSpan};
use hashline_core::{Code, Document, Policy, Shown, edit};
use hashline_workspace::ledger::{
    Exposure, Ledger, LedgerLimits, MemoryLedger, ShownBy, ShownLines, StateNote,
};
use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
use proptest::test_runner::{Config as ProptestConfig, TestCaseResult};
use proptest::{prop_assert, prop_assert_eq};

use crate::stores::{self, Lab, Store, StoredLedger, small};

/// So many of the newest revisions of a file are always kept.
const RECENT: usize = 256;

/// The key of a ledger's fingerprints.
fn key_of(ledger: &dyn Ledger) -> FingerprintKey {
    ledger.history(Path::new("/none")).key()
}

fn show(ledger: &dyn Ledger, file: &str, document: &Document, session: &str, by: ShownBy) {
    let showing = ShownLines {
        session: Some(session),
        scheme: Scheme::Omp,
        spans: &[document.all()],
        cut: &[],
        tags: None,
        by,
    };
    ledger.showed(Path::new(file), document, &showing);
}

pub(crate) fn read(ledger: &dyn Ledger, file: &str, document: &Document, session: &str) {
    show(ledger, file, document, session, ShownBy::Read);
}

/// Lists who was shown something, oldest first.
fn sessions(history: &History) -> Vec<&str> {
    let showings = history
        .recorded()
        .iter()
        .flat_map(|recorded| &recorded.showings);
    showings
        .filter_map(|showing| showing.session.as_deref())
        .collect()
}

pub(crate) fn sessions_of(ledger: &dyn Ledger, file: &str) -> Vec<String> {
    let history = ledger.history(Path::new(file));
    sessions(&history).into_iter().map(str::to_owned).collect()
}

pub(crate) fn text(lines: usize) -> Document {
    let line = |number| format!("    let line_{number} = {number} * 2; // and so on\n");
    Document::new((0..lines).map(line).collect::<String>())
}

/// One thing that happens to a file.
#[derive(Clone, Debug)]
enum Step {
    Show {
        file: usize,
        session: Option<usize>,
        scheme: Scheme,
        spans: Vec<(usize, usize)>,
        by: ShownBy,
    },
    Write {
        file: usize,
        session: Option<usize>,
        replaced: Vec<(usize, usize, Vec<u8>)>,
    },
    /// Somebody else writes.
    Change {
        file: usize,
        lines: Vec<u8>,
    },
    Move {
        from: usize,
        to: usize,
    },
    Restart,
}

const FILES: usize = 3;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let file = 0..FILES;
    let spans = prop::collection::vec((0_usize..12, 0_usize..12), 0..4);
    let scheme = prop::sample::select(Dialect::ALL.map(|dialect| dialect.scheme).to_vec());
    let by = prop_oneof![Just(ShownBy::Read), Just(ShownBy::Edit)];
    let lines = || prop::collection::vec(0_u8..6, 0..4);
    let shown = (
        file.clone(),
        prop::option::of(0_usize..2),
        scheme,
        spans,
        by,
    )
        .prop_map(|(file, session, scheme, spans, by)| Step::Show {
            file,
            session,
            scheme,
            spans,
            by,
        });
    let replaced = prop::collection::vec((0_usize..4, 0_usize..3, lines()), 0..4);
    let written = (file.clone(), prop::option::of(0_usize..2), replaced).prop_map(
        |(file, session, replaced)| Step::Write {
            file,
            session,
            replaced,
        },
    );
    let changed = (file.clone(), prop::collection::vec(0_u8..6, 0..12))
        .prop_map(|(file, lines)| Step::Change { file, lines });
    let moved = (file.clone(), file).prop_map(|(from, to)| Step::Move { from, to });
    let step = prop_oneof![
        5 => shown,
        4 => written,
        3 => changed,
        1 => moved,
        1 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 0..40)
}

fn document(lines: &[u8]) -> Document {
    const TEXTS: [&str; 6] = ["", "a", "b\r", "  a", "a", "long line"];
    let lines = lines.iter().map(|&line| TEXTS[usize::from(line)]);
    Document::new(lines.map(|line| format!("{line}\n")).collect::<String>())
}

fn session_name(number: usize) -> &'static str {
    ["one", "zwei"][number]
}

/// Carries out replacements, each so many lines after the last.
fn replace(old: &[u8], replaced: &[(usize, usize, Vec<u8>)]) -> (Vec<u8>, Changes) {
    let (mut new, mut spans, mut last) = (Vec::new(), Vec::new(), 0);
    for (gap, length, came) in replaced {
        let start = (last + gap).min(old.len());
        let end = (start + length).min(old.len());
        new.extend_from_slice(&old[last..start]);
        new.extend_from_slice(came);
        spans.push((LineSpan::new(start..end), came.len()));
        last = end;
    }
    new.extend_from_slice(&old[last..]);
    (new, Changes::from_replacements(spans))
}

/// The same lines shown twice are as good as shown once: of equal showings the newest.
fn showings(recorded: &hashline_core::shown::Recorded) -> Vec<&Showing> {
    let showings = recorded.showings.iter().enumerate();
    let is_newest = |(at, one): &(usize, &Showing)| !recorded.showings[at + 1..].contains(one);
    showings.filter(is_newest).map(|(_, one)| one).collect()
}

fn assert_same(stored: &History, memory: &History) -> TestCaseResult {
    prop_assert_eq!(stored.recorded().len(), memory.recorded().len());
    for (found, expected) in stored.recorded().iter().zip(memory.recorded()) {
        prop_assert_eq!(found.revision, expected.revision);
        prop_assert_eq!(&found.origin, &expected.origin);
        prop_assert_eq!(found.fingerprints(), expected.fingerprints());
        prop_assert_eq!(showings(found), showings(expected));
    }
    Ok(())
}

/// Does the same with a ledger that is stored and one in memory; afterwards both hold the same.
fn assert_agrees(store: Store, steps: &[Step]) -> TestCaseResult {
    let lab = Lab::new(store);
    let mut stored = lab.ledger(LedgerLimits::default());
    let [memory, told_memory] = [(); 2].map(|()| MemoryLedger::with_key(key_of(&stored)));
    let mut files: Vec<Vec<u8>> = vec![vec![0, 1, 2, 3]; FILES];
    let path = |file: usize| PathBuf::from(format!("/somewhere/{file}"));
    for step in steps {
        match step.clone() {
            Step::Restart => stored = lab.ledger(LedgerLimits::default()),
            Step::Change { file, lines } => files[file] = lines,
            Step::Move { from, to } => {
                memory.moved(&path(from), &path(to));
                told_memory.moved(&path(from), &path(to));
                stored.moved(&path(from), &path(to));
            }
            Step::Write {
                file,
                session,
                replaced,
            } => {
                let session = session.map(session_name);
                let (new, changes) = replace(&files[file], &replaced);
                let (before, after) = (document(&files[file]), document(&new));
                memory.wrote(&path(file), session, &before, &after, &changes);
                told_memory.wrote(&path(file), session, &before, &after, &changes);
                stored.wrote(&path(file), session, &before, &after, &changes);
                files[file] = new;
            }
            Step::Show {
                file,
                session,
                scheme,
                spans,
                by,
            } => {
                let session = session.map(session_name);
                let spans: Vec<LineSpan> = spans
                    .iter()
                    .map(|&(start, end)| LineSpan::new(start..end))
                    .collect();
                let document = document(&files[file]);
                let mut tags = Vec::new();
                for &span in &spans {
                    render_with_tags(document.slice(span), scheme, &mut Vec::new(), &mut tags);
                }
                let showing = ShownLines {
                    session,
                    scheme,
                    spans: &spans,
                    cut: &[],
                    tags: None,
                    by,
                };
                // One makes the tags itself, the others take them from the rendering.
                memory.showed(&path(file), &document, &showing);
                let told = ShownLines {
                    tags: Some(&tags),
                    ..showing
                };
                stored.showed(&path(file), &document, &told);
                told_memory.showed(&path(file), &document, &told);
            }
        }
    }
    for file in 0..FILES {
        assert_same(&stored.history(&path(file)), &memory.history(&path(file)))?;
        assert_same(
            &told_memory.history(&path(file)),
            &memory.history(&path(file)),
        )?;
    }
    prop_assert_eq!(stored.take_notes(), []);
    // What is counted for the logs is right.
    prop_assert!(lab.stored_bytes() <= LedgerLimits::default().bytes);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// So many steps that revisions are dropped, with others that come back.
    #[test]
    fn after_many_revisions_all_stores_drop_the_same(
        steps in prop::collection::vec(steps(), 150),
    ) {
        let steps: Vec<Step> = steps.into_iter().flatten().collect();
        for store in Store::all() {
            assert_agrees(store, &steps)?;
        }
    }
}

proptest! {
    #[test]
    fn a_stored_ledger_is_a_ledger_in_memory(steps in steps()) {
        for store in Store::all() {
            assert_agrees(store, &steps)?;
        }
    }

    #[test]
    fn the_bound_holds_and_what_only_edits_showed_goes_first(
        steps in prop::collection::vec((0..FILES, any::<bool>(), 1_usize..30), 1..60),
        bytes in 2_000_u64..12_000,
    ) {
        for store in Store::all() {
        let lab = Lab::new(store);
        let ledger = lab.ledger(small(bytes));
        let mut alive: BTreeSet<(usize, usize, ByEdit)> = BTreeSet::new();
        for (number, (file, by_edit, lines)) in steps.iter().copied().enumerate() {
            lab.wait(1);
            let by = if by_edit { ShownBy::Edit } else { ShownBy::Read };
            show(&ledger, &format!("/{file}"), &text(lines), &format!("{number} {by_edit}"), by);
            prop_assert!(lab.stored_bytes() <= bytes);
            let left: BTreeSet<(usize, usize, ByEdit)> = (0..FILES)
                .flat_map(|file| {
                    let sessions = sessions_of(&ledger, &format!("/{file}")).into_iter();
                    sessions.map(move |session| (file, session))
                })
                .filter_map(|(file, session)| {
                    let (number, by_edit) = session.split_once(' ')?;
                    Some((file, number.parse().ok()?, ByEdit(by_edit == "true")))
                })
                .collect();
            alive.insert((file, number, ByEdit(by_edit)));
            prop_assert!(left.contains(&(file, number, ByEdit(by_edit))));
            prop_assert!(left.is_subset(&alive));
            // Of one file: older showings are removed first, and those of edits before those of reads.
            for (file, gone, edit) in alive.difference(&left) {
                let mut same_file = left.iter().filter(|(other, ..)| other == file);
                let is_wrong = same_file.any(|(_, other, kind)| {
                    (kind == edit && other < gone) || (!edit.0 && kind.0 && *other < number)
                });
                prop_assert!(!is_wrong, "{gone} of {file} was removed too early");
            }
            alive = left;
        }
        prop_assert_eq!(ledger.take_notes(), []);
        }
    }
}

#[test]
fn reading_large_files_does_not_make_it_forget_small_ones() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let ledger = lab.ledger(small(40_000));
        for file in 0..20 {
            lab.wait(1);
            read(&ledger, &format!("/small/{file}"), &text(10), "reader");
        }
        for file in 0..30 {
            lab.wait(1);
            read(&ledger, &format!("/large/{file}"), &text(600), "reader");
        }
        assert!(lab.stored_bytes() <= 40_000);
        for file in 0..20 {
            let left = sessions_of(&ledger, &format!("/small/{file}"));
            assert_eq!(left, ["reader"], "{file}");
        }
        // The newest is there, too; the other large ones made room for it.
        assert_eq!(sessions_of(&ledger, "/large/29"), ["reader"]);
        assert!(sessions_of(&ledger, "/large/0").is_empty());
    }
}

#[test]
fn a_second_large_file_takes_the_room_of_the_first_and_not_that_of_small_ones() {
    for store in Store::all() {
        const SMALL: usize = 20;
        let reads = |ledger: &StoredLedger, lab: &Lab, name: &str, lines: usize| {
            lab.wait(1);
            read(ledger, name, &text(lines), "reader");
        };
        let size_of = |lines: usize| {
            let lab = Lab::new(store);
            reads(&lab.ledger(LedgerLimits::default()), &lab, "/f", lines);
            lab.stored_bytes()
        };
        let (small_ones, large) = (SMALL as u64 * size_of(10), size_of(600));
        // There is room for the small ones and one large one, and hardly more.
        for room in [0, large / 4, large / 2] {
            let lab = Lab::new(store);
            let ledger = lab.ledger(small(small_ones + large + room));
            for file in 0..SMALL {
                reads(&ledger, &lab, &format!("/small/{file}"), 10);
            }
            for file in 0..5 {
                let newest = format!("/large/{file}");
                reads(&ledger, &lab, &newest, 600);
                assert_eq!(sessions_of(&ledger, &newest), ["reader"], "{room}");
                for file in 0..SMALL {
                    let left = sessions_of(&ledger, &format!("/small/{file}"));
                    assert_eq!(left, ["reader"], "{room}, {newest}, {file}");
                }
            }
            // One that is larger than the bound makes room for nothing: it is the one that goes.
            reads(&ledger, &lab, "/huge", 9000);
            assert_eq!(ledger.take_notes(), [StateNote::TooMuch]);
            assert!(sessions_of(&ledger, "/huge").is_empty());
            for file in 0..SMALL {
                let left = sessions_of(&ledger, &format!("/small/{file}"));
                assert_eq!(left, ["reader"], "{room}, {file}");
            }
            assert_eq!(sessions_of(&ledger, "/large/4"), ["reader"], "{room}");
        }
    }
}

/// Whether only an edit showed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ByEdit(bool);

#[test]
fn the_way_from_what_was_read_stays_whole_when_the_answers_to_edits_are_forgotten() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let stored = lab.ledger(small(40_000));
        let memory = MemoryLedger::with_key(key_of(&stored));
        let file = Path::new("/f");
        let mut now = text(400);
        read(&stored, "/f", &now, "reader");
        read(&memory, "/f", &now, "reader");
        for number in 0..200 {
            lab.wait(1);
            let mut lines: Vec<String> = now
                .lines()
                .map(|line| String::from_utf8_lossy(line.text).into_owned())
                .collect();
            lines[number] = format!("changed {number}");
            let after = Document::new(lines.join("\n") + "\n");
            let changes = Changes::from_replacements([(LineSpan::new(number..number + 1), 1)]);
            for ledger in [&stored as &dyn Ledger, &memory] {
                ledger.wrote(file, None, &now, &after, &changes);
                show(ledger, "/f", &after, "editor", ShownBy::Edit);
            }
            now = after;
        }
        assert!(lab.stored_bytes() <= 40_000);
        let (found, expected) = (stored.history(file), memory.history(file));
        assert_eq!(found.recorded().len(), expected.recorded().len());
        for (found, expected) in found.recorded().iter().zip(expected.recorded()) {
            assert_eq!(found.revision, expected.revision);
            assert_eq!(found.origin, expected.origin);
            assert_eq!(found.fingerprints(), expected.fingerprints());
        }
        let left = sessions(&found);
        assert_eq!(left.first(), Some(&"reader"));
        assert_eq!(left.last(), Some(&"editor"));
        assert!(left.len() < 200);
    }
}

/// A file that is edited again and again: each edit replaces the first line or the first two, and shows them.
fn edited(edits: usize) -> Document {
    let top = format!("// {edits}\n").repeat(1 + edits % 2);
    Document::new(top + &String::from_utf8_lossy(text(20).bytes()))
}

/// Records the reading of the whole file, and edits as a service does: it loads the history, and then records what was written and shown.
fn record_edits(ledger: &dyn Ledger, edits: std::ops::Range<usize>) {
    let file = Path::new("/f");
    for number in edits {
        let (before, after) = (edited(number), edited(number + 1));
        if number == 0 {
            read(ledger, "/f", &before, "editor");
        }
        let top = |document: &Document| LineSpan::new(0..document.line_count() - 20);
        let changes = Changes::from_replacements([(top(&before), top(&after).len())]);
        let showing = ShownLines {
            session: Some("editor"),
            scheme: Scheme::Omp,
            spans: &[top(&after).widened(5, after.line_count())],
            cut: &[],
            tags: None,
            by: ShownBy::Edit,
        };
        ledger.history(file);
        ledger.wrote(file, Some("editor"), &before, &after, &changes);
        ledger.showed(file, &after, &showing);
    }
}

/// Sends an edit of a line with the anchor and the revision from after so many edits; returns which line is changed now.
fn landing(history: &History, now: &Document, edits: usize, index: usize) -> Result<usize, Code> {
    let then = edited(edits);
    let line = render::anchored(&then, then.all(), Scheme::Omp).nth(index);
    let anchor = line.map(|line| line.anchor()).expect("the line exists");
    let batch = EditBatch::new([Operation::replace_line(anchor, "changed")]);
    let batch = batch.at_revision(then.revision());
    let shown = Shown::new(history, Some("editor"));
    let edited = edit(now, &shown, batch, &Policy::default()).map_err(|error| error.code())?;
    let mut changes = edited.report.changes.iter();
    Ok(changes.next().expect("a change").old.start())
}

#[test]
fn the_record_of_a_file_stays_small_however_often_it_is_edited() -> TestCaseResult {
    for store in Store::all() {
        let lab = Lab::new(store);
        let mut stored = lab.ledger(LedgerLimits::default());
        let memory = MemoryLedger::with_key(key_of(&stored));
        let mut largest = 0;
        for edits in 0..2000 {
            lab.wait(1);
            record_edits(&stored, edits..edits + 1);
            record_edits(&memory, edits..edits + 1);
            let bytes = lab.stored_bytes();
            if edits <= 2 * History::MAX_REVISIONS {
                largest = bytes.max(largest);
            }
            assert!(bytes <= largest + 100, "{bytes} after {edits} edits");
            assert_eq!(stored.check_writable(), Ok(bytes));
            if edits % 50 == 49 {
                stored = lab.ledger(LedgerLimits::default());
                let found = stored.history(Path::new("/f"));
                assert!(found.recorded().len() <= History::MAX_REVISIONS);
                assert_same(&found, &memory.history(Path::new("/f")))?;
            }
        }
        assert_eq!(stored.take_notes(), []);
    }
    Ok(())
}

#[test]
fn after_many_edits_recent_anchors_and_those_of_the_first_read_land_and_others_are_refused() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let stored = lab.ledger(LedgerLimits::default());
        let memory = MemoryLedger::default();
        for ledger in [&stored as &dyn Ledger, &memory] {
            record_edits(ledger, 0..2000);
            let (history, now) = (ledger.history(Path::new("/f")), edited(2000));
            let same_line = now.line_count() - 17;
            let land = |edits: usize| {
                let index = edited(edits).line_count() - 17;
                landing(&history, &now, edits, index)
            };
            for edits in 2000 - RECENT + 1..=2000 {
                assert_eq!(land(edits), Ok(same_line), "{edits}");
            }
            // The first read showed most lines, so that its revision is kept.
            assert_eq!(land(0), Ok(same_line));
            assert_eq!(landing(&history, &now, 0, 15), Ok(15));
            assert_eq!(landing(&history, &now, 0, 0), Err(Code::Stale));
            let dropped = (1..2000).filter(|edits| land(*edits) == Err(Code::UnknownRev));
            assert_eq!(dropped.count(), 2001 - history.recorded().len());
            let landed = (0..=2000).filter(|edits| land(*edits) == Ok(same_line));
            assert_eq!(landed.count(), history.recorded().len());
        }
    }
}

#[test]
fn a_file_that_is_changed_back_and_forth_is_recorded_alike_in_both_stores() -> TestCaseResult {
    for store in Store::all() {
        let lab = Lab::new(store);
        let mut stored = lab.ledger(LedgerLimits::default());
        let memory = MemoryLedger::with_key(key_of(&stored));
        for number in 0..1500 {
            let document = text(10 + number % 3);
            for ledger in [&stored as &dyn Ledger, &memory] {
                ledger.history(Path::new("/f"));
                read(ledger, "/f", &document, &format!("reader {}", number % 7));
            }
            if number % 100 == 99 {
                stored = lab.ledger(LedgerLimits::default());
                let found = stored.history(Path::new("/f"));
                assert_same(&found, &memory.history(Path::new("/f")))?;
                assert!(sessions(&found).len() <= History::MAX_REVISIONS + 3 * 7);
            }
        }
    }
    Ok(())
}

#[test]
fn the_record_of_a_file_that_only_others_write_stays_small() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let stored = lab.ledger(LedgerLimits::default());
        let memory = MemoryLedger::default();
        for ledger in [&stored as &dyn Ledger, &memory] {
            read(ledger, "/f", &edited(0), "editor");
            for edits in 1..1000 {
                assert!(ledger.noticed(Path::new("/f"), &edited(edits)));
                assert!(!ledger.noticed(Path::new("/f"), &edited(edits)));
            }
            // A difference of some lines takes about 100 bytes.
            assert!(lab.stored_bytes() < 160 * History::MAX_REVISIONS as u64);
            let history = ledger.history(Path::new("/f"));
            assert!(history.recorded().len() <= History::MAX_REVISIONS);
            assert_eq!(landing(&history, &edited(999), 0, 10), Ok(11));
        }
        assert_eq!(stored.check_writable(), Ok(lab.stored_bytes()));
    }
}

#[test]
fn what_is_too_old_does_not_count_and_leaves_the_store() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let ledger = lab.ledger(LedgerLimits::default());
        read(&ledger, "/old", &text(3), "first");
        lab.wait(20 * 24 * 60 * 60);
        read(&ledger, "/both", &text(3), "first");
        read(&ledger, "/old", &text(4), "second");
        lab.wait(11 * 24 * 60 * 60);
        assert_eq!(sessions_of(&ledger, "/old"), ["second"]);
        lab.wait(20 * 24 * 60 * 60);
        assert!(sessions_of(&ledger, "/old").is_empty());
        assert_eq!(lab.log_count(), 2);
        read(&ledger, "/new", &text(3), "third");
        assert_eq!(lab.log_count(), 1);
        assert_eq!(sessions_of(&ledger, "/new"), ["third"]);
    }
}

#[test]
fn the_same_lines_shown_again_take_no_room_for_a_while() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let ledger = lab.ledger(LedgerLimits::default());
        read(&ledger, "/f", &text(50), "one");
        let bytes = lab.stored_bytes();
        read(&ledger, "/f", &text(50), "one");
        assert_eq!(lab.stored_bytes(), bytes);
        lab.wait(2 * 60 * 60);
        read(&ledger, "/f", &text(50), "one");
        assert!(lab.stored_bytes() > bytes);
    }
}

#[test]
fn an_end_torn_at_any_byte_is_ignored_and_cut() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let file = Path::new("/f");
        let (first, second) = (text(4), text(6));
        read(&lab.ledger(LedgerLimits::default()), "/f", &first, "one");
        let before = lab.stored_bytes();
        read(&lab.ledger(LedgerLimits::default()), "/f", &second, "two");
        let whole = lab.read_log();
        let start = usize::try_from(before).expect("small");
        // The second call added two records, a revision and what was shown of it: it is torn in either, and between them.
        for end in start..whole.len() {
            lab.write_log(&whole[..end]);
            let ledger = lab.ledger(LedgerLimits::default());
            let history = ledger.history(file);
            assert_eq!(sessions(&history), ["one"], "torn at {end}");
            lab.write_log(&whole[..end]);
            let ledger = lab.ledger(LedgerLimits::default());
            read(&ledger, "/f", &second, "three");
            let history = ledger.history(file);
            assert_eq!(sessions(&history), ["one", "three"], "torn at {end}");
            assert_eq!(history.recorded().len(), 2);
            assert!(ledger.take_notes().len() <= 1);
        }
    }
}

#[test]
fn a_changed_byte_loses_what_comes_after_it_and_nothing_else() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let file = Path::new("/f");
        let ledger = lab.ledger(LedgerLimits::default());
        let names = ["a", "b", "c", "d"];
        for (number, name) in names.iter().enumerate() {
            read(&ledger, "/f", &text(2 + number), name);
        }
        let whole = lab.read_log();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            lab.write_log(&bytes);
            let ledger = lab.ledger(LedgerLimits::default());
            let history = ledger.history(file);
            let found = sessions(&history);
            assert!(
                found.len() < names.len() && names.starts_with(&found),
                "at {at}"
            );
            let damaged =
                |note: &StateNote| matches!(note, StateNote::Damaged { path } if *path == file);
            assert!(ledger.take_notes().iter().all(damaged));
            read(&ledger, "/f", &text(9), "later");
            let kept = found.len();
            assert_eq!(sessions_of(&ledger, "/f").len(), kept + 1, "at {at}");
            assert_eq!(ledger.take_notes(), []);
        }
    }
}

#[test]
fn a_lost_total_or_folder_is_no_trouble() {
    let lab = Lab::on_disk();
    let ledger = lab.ledger(small(50_000));
    read(&ledger, "/f", &text(9), "one");
    for damage in [&b""[..], b"short", &[7; 24]] {
        fs::write(lab.folder().join("total"), damage).expect("written");
        read(&ledger, "/f", &text(8), "two");
        read(&ledger, "/f", &text(9), "three");
    }
    assert_eq!(sessions_of(&ledger, "/f").len(), 7);
    // Another process finds the records without it too.
    fs::remove_file(lab.folder().join("total")).expect("removed");
    let ledger = lab.ledger(small(50_000));
    assert_eq!(sessions_of(&ledger, "/f").len(), 7);
    fs::remove_dir_all(lab.state()).expect("removed");
    assert!(sessions_of(&ledger, "/f").is_empty());
    read(&ledger, "/f", &text(9), "four");
    assert_eq!(sessions_of(&ledger, "/f"), ["four"]);
    assert_eq!(ledger.take_notes(), []);
}

#[test]
fn with_a_damaged_secret_everything_is_forgotten_and_recorded_anew() {
    for damage in [&b""[..], b"short", &[7; 16]] {
        let lab = Lab::on_disk();
        read(&lab.ledger(small(50_000)), "/f", &text(9), "one");
        fs::write(lab.folder().join("secret"), damage).expect("written");
        let ledger = lab.ledger(small(50_000));
        assert!(sessions_of(&ledger, "/f").is_empty());
        read(&ledger, "/f", &text(9), "two");
        let ledger = lab.ledger(small(50_000));
        assert_eq!(sessions_of(&ledger, "/f"), ["two"]);
        assert_eq!(ledger.take_notes(), []);
    }
}

#[test]
fn what_a_dead_process_left_unfinished_is_removed_when_room_is_made() {
    let lab = Lab::on_disk();
    let ledger = lab.ledger(LedgerLimits::default());
    read(&ledger, "/f", &text(9), "one");
    let unfinished = lab.log_files()[0].with_extension("new");
    fs::write(&unfinished, "half").expect("written");
    assert_eq!(sessions_of(&ledger, "/f"), ["one"]);
    fs::remove_file(lab.folder().join("total")).expect("removed");
    let ledger = lab.ledger(LedgerLimits::default());
    read(&ledger, "/g", &text(9), "one");
    assert!(!unfinished.exists());
    assert_eq!(lab.log_files().len(), 2);
}

#[test]
fn room_is_made_in_steps_when_there_are_many_logs() {
    for store in Store::all() {
        const LOGS: usize = 3000;
        let lab = Lab::new(store);
        let one = text(1);
        let name = |number: usize| format!("/{number}");
        let probe = Lab::new(store);
        read(&probe.ledger(LedgerLimits::default()), "/0", &one, "s");
        let each = probe.stored_bytes();
        let bounds = small(each * LOGS as u64);
        let ledger = lab.ledger(bounds);
        (0..LOGS).for_each(|number| read(&ledger, &name(number), &one, "s"));
        assert_eq!(lab.log_count(), LOGS);
        let mut most_at_once = 0;
        for number in LOGS..LOGS + 300 {
            lab.wait(1);
            let before = lab.log_count();
            read(&ledger, &name(number), &one, "s");
            most_at_once = most_at_once.max((before + 1).saturating_sub(lab.log_count()));
            assert_eq!(
                sessions_of(&ledger, &name(number)),
                ["s"],
                "the newest is kept"
            );
        }
        assert!(lab.stored_bytes() <= bounds.bytes);
        // A quarter of a third of them, give or take: never a quarter of all.
        assert!(
            (1..500).contains(&most_at_once),
            "{most_at_once} went at once"
        );

        // When all of it is too old, every call takes a part away.
        lab.wait(31 * 24 * 60 * 60);
        let mut left = vec![lab.log_count()];
        for number in 0..7 {
            read(&ledger, &format!("/new/{number}"), &one, "s");
            left.push(lab.log_count());
        }
        assert!(left[1] > LOGS / 3, "{left:?}");
        assert_eq!(left.last(), Some(&7), "{left:?}");
        assert_eq!(ledger.take_notes(), []);
    }
}

#[test]
fn a_directory_that_others_can_write_to_is_refused_and_nothing_was_shown() {
    let lab = Lab::on_disk();
    let ledger = lab.ledger(LedgerLimits::default());
    read(&ledger, "/f", &text(9), "one");
    let refused = |path: PathBuf, why| {
        assert!(sessions_of(&ledger, "/f").is_empty());
        read(&ledger, "/f", &text(9), "two");
        assert_eq!(ledger.take_notes(), [StateNote::NotPrivate { path, why }]);
        // A new process fares the same.
        let anew = lab.ledger(LedgerLimits::default());
        assert!(sessions_of(&anew, "/f").is_empty());
        assert_eq!(anew.take_notes().len(), 1);
    };
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    };
    for mode in [0o770, 0o707, 0o1777] {
        set(&lab.folder(), mode);
        refused(lab.folder(), Exposure::Writable);
        set(&lab.folder(), 0o700);
    }
    if rustix::process::geteuid().is_root() {
        chown(lab.folder(), Some(12_345), None).expect("given away");
        refused(lab.folder(), Exposure::Foreign);
        chown(lab.folder(), Some(0), None).expect("taken back");
    }
    assert_eq!(sessions_of(&ledger, "/f"), ["one"]);
    for (mode, kept) in [(0o775, 0), (0o755, 1)] {
        set(&lab.state(), mode);
        let anew = lab.ledger(LedgerLimits::default());
        assert_eq!(sessions_of(&anew, "/f").len(), kept);
    }
    let real = lab.state().with_file_name("elsewhere");
    fs::rename(lab.state(), &real).expect("moved");
    symlink(&real, lab.state()).expect("linked");
    let anew = lab.ledger(LedgerLimits::default());
    assert!(sessions_of(&anew, "/f").is_empty());
    let why = Exposure::NotADirectory;
    let path = lab.state();
    assert_eq!(anew.take_notes(), [StateNote::NotPrivate { path, why }]);
}

#[test]
fn the_ledger_is_the_users_alone_and_holds_no_text_and_no_paths() {
    let lab = Lab::on_disk();
    let ledger = lab.ledger(small(6_000));
    let document = Document::new("canary in the text\n".repeat(40));
    let edited = Document::new("canary as edited\n".repeat(40));
    for round in 0..20 {
        lab.wait(1);
        let changes = Changes::from_replacements([(document.all(), 40)]);
        read(&ledger, "/path/canary.rs", &document, &format!("s{round}"));
        ledger.wrote(
            Path::new("/path/canary.rs"),
            None,
            &document,
            &edited,
            &changes,
        );
        show(&ledger, "/path/canary.rs", &edited, "s", ShownBy::Edit);
    }
    let mode = |path: &Path| fs::metadata(path).expect("there").mode() & 0o777;
    for dir in [lab.state(), lab.folder(), lab.dir().join("state")] {
        assert_eq!(mode(&dir), 0o700);
    }
    for entry in fs::read_dir(lab.folder()).expect("listed").flatten() {
        assert_eq!(mode(&entry.path()), 0o600);
        assert!(!entry.file_name().to_string_lossy().contains("canary"));
        let bytes = fs::read(entry.path()).expect("read");
        assert!(!bytes.windows(6).any(|window| window == b"canary"));
    }
}

#[test]
fn a_moved_file_takes_its_record_along() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let ledger = lab.ledger(LedgerLimits::default());
        read(&ledger, "/a", &text(5), "of a");
        read(&ledger, "/b", &text(6), "of b");
        ledger.moved(Path::new("/a"), Path::new("/b"));
        ledger.moved(Path::new("/nothing"), Path::new("/b"));
        assert!(sessions_of(&ledger, "/a").is_empty());
        assert_eq!(sessions_of(&ledger, "/b"), ["of a"]);
        assert_eq!(ledger.take_notes(), []);
    }
}

#[test]
fn what_does_not_fit_is_noted_and_not_kept() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let ledger = lab.ledger(small(1_000));
        read(&ledger, "/f", &text(500), "one");
        assert_eq!(ledger.take_notes(), [StateNote::TooMuch]);
        read(&ledger, "/f", &text(5), &"x".repeat(256));
        assert_eq!(sessions_of(&ledger, "/f").len(), 1);
        read(&ledger, "/f", &text(5), &"x".repeat(257));
        assert_eq!(sessions_of(&ledger, "/f").len(), 1);
        assert_eq!(ledger.take_notes(), [StateNote::SessionTooLong]);
    }
}

#[test]
fn nobody_waits_long_for_a_process_that_stopped() {
    let lab = Lab::on_disk();
    let ledger = lab.ledger(LedgerLimits {
        wait: Duration::from_millis(5),
        ..LedgerLimits::default()
    });
    read(&ledger, "/f", &text(5), "one");
    let folder = fs::File::open(lab.folder()).expect("open");
    folder.lock().expect("locked");
    read(&ledger, "/f", &text(5), "two");
    assert_eq!(sessions_of(&ledger, "/f"), ["one"]);
    assert_eq!(ledger.take_notes(), [StateNote::Busy]);
    drop(folder);
    read(&ledger, "/f", &text(5), "two");
    assert_eq!(sessions_of(&ledger, "/f"), ["one", "two"]);
}

#[test]
fn a_file_too_long_to_remember_keeps_what_was_shown_of_it() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let ledger = lab.ledger(LedgerLimits::default());
        let long = Document::new("x\n".repeat(History::MAX_LINES + 1));
        let longer = Document::new("x\n".repeat(History::MAX_LINES + 2));
        let short = Document::new("x\n".repeat(History::MAX_LINES));
        let file = Path::new("/f");
        let showing = ShownLines {
            session: None,
            scheme: Scheme::Push,
            spans: &[LineSpan::new(10..20)],
            cut: &[],
            tags: None,
            by: ShownBy::Read,
        };
        let came = Changes::from_replacements([(LineSpan::gap(0), 1)]);
        let went = Changes::from_replacements([(LineSpan::new(0..2), 0)]);
        let memory = MemoryLedger::with_key(key_of(&ledger));
        for ledger in [&ledger as &dyn Ledger, &memory] {
            ledger.showed(file, &long, &showing);
            ledger.wrote(file, None, &long, &longer, &came);
            ledger.wrote(file, None, &longer, &short, &went);
            ledger.wrote(file, None, &short, &long, &came);
        }
        assert!(lab.stored_bytes() < 8 * 200_000 + 1_000);
        let same = assert_same(&ledger.history(file), &memory.history(file));
        assert_eq!(same.err().map(|error| error.to_string()), None);
    }
}

const CHILD: &str = "HASHLINE_LEDGER_TEST_CHILD";
const ENTRIES: usize = 10_000;

/// What a child of the next test does; nothing on its own.
#[test]
fn a_child_writes_its_entries() {
    let Ok(job) = std::env::var(CHILD) else {
        return;
    };
    let (name, address) = job.split_once(' ').expect("a name and a place");
    let ledger = stores::open(address);
    let shared = text(5);
    for number in 0..ENTRIES {
        let session = format!("{name} {number}");
        read(&ledger, "/shared", &shared, &session);
    }
    assert_eq!(ledger.take_notes(), []);
}

#[test]
fn two_processes_with_ten_thousand_entries_each_lose_none() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let child = |name: &str| {
            Command::new(std::env::current_exe().expect("this test"))
                .args(["--exact", "ledger::a_child_writes_its_entries"])
                .env(CHILD, format!("{name} {}", lab.address()))
                .spawn()
                .expect("started")
        };
        for mut child in [child("left"), child("right")] {
            assert!(child.wait().expect("ended").success());
        }
        let ledger = stores::open(&lab.address());
        let found = sessions_of(&ledger, "/shared");
        assert_eq!(found.len(), 2 * ENTRIES);
        for name in ["left", "right"] {
            let own = found
                .iter()
                .filter_map(|session| session.strip_prefix(name));
            let expected = (0..ENTRIES).map(|number| format!(" {number}"));
            assert!(own.eq(expected), "{name} is in order");
        }
        assert!(lab.stored_bytes() < LedgerLimits::default().bytes);
    }
}

#[test]
fn fingerprints_are_computed_with_a_secret_of_the_state_directory() {
    let (lab, other) = (Lab::on_disk(), Lab::on_disk());
    let document = text(3);
    let recorded = |ledger: &StoredLedger| {
        read(ledger, "/f", &document, "me");
        let history = ledger.history(Path::new("/f"));
        history.recorded()[0].fingerprints()
    };
    let first = recorded(&lab.ledger(LedgerLimits::default()));
    assert_eq!(first, recorded(&lab.ledger(LedgerLimits::default())));
    assert_ne!(first, recorded(&other.ledger(LedgerLimits::default())));
}

#[test]
fn of_many_lines_that_were_cut_short_the_last_are_known_in_every_file() {
    for store in Store::all() {
        const MOST: usize = 4_096;
        let lab = Lab::new(store);
        let (ledger, document) = (lab.ledger(LedgerLimits::default()), text(MOST + 1));
        let shows = |index: usize| {
            let cut = [CutLine { index, bytes: 2 }];
            let showing = ShownLines {
                session: None,
                scheme: Scheme::Omp,
                spans: &[LineSpan::new(index..index + 1)],
                cut: &cut,
                tags: None,
                by: ShownBy::Read,
            };
            ledger.showed(Path::new("/f"), &document, &showing);
        };
        let all: Vec<CutLine> = (0..MOST).map(|index| CutLine { index, bytes: 2 }).collect();
        let showing = ShownLines {
            session: None,
            scheme: Scheme::Omp,
            spans: &[LineSpan::new(0..MOST)],
            cut: &all,
            tags: None,
            by: ShownBy::Read,
        };
        ledger.showed(Path::new("/f"), &document, &showing);
        // A file without a record has the same lines.
        let is_refused = |index: usize| {
            let line = LineSpan::new(index..index + 1);
            let mut lines = render::anchored(&document, line, Scheme::Omp);
            let anchor = lines.next().map(|line| line.anchor()).unwrap_or_default();
            let batch = EditBatch::new([Operation::replace_line(anchor, "x")]);
            let known = lab.ledger(LedgerLimits::default()).partly_shown();
            let history = History::default();
            let shown = Shown::new(&history, None).with_partly_shown(&known);
            let edited = edit(&document, &shown, batch, &Policy::default());
            edited.is_err_and(|error| error.code() == Code::PartlyShown)
        };
        assert!(is_refused(0) && is_refused(MOST - 1) && !is_refused(MOST));
        // Shown once more, a line takes no room.
        shows(MOST - 1);
        assert!(is_refused(0));
        // One more than there is room for: the older half is forgotten.
        shows(MOST);
        assert!(!is_refused(0) && is_refused(MOST - 1) && is_refused(MOST));
        assert!(is_refused(MOST / 2 + 1) && !is_refused(MOST / 2));
    }
}

#[test]
fn of_a_line_that_was_cut_short_the_part_is_recorded() {
    for store in Store::all() {
        let lab = Lab::new(store);
        let (ledger, document) = (lab.ledger(LedgerLimits::default()), text(9));
        let cut = [CutLine { index: 4, bytes: 2 }];
        let showing = ShownLines {
            session: None,
            scheme: Scheme::Omp,
            spans: &[document.all()],
            cut: &cut,
            tags: None,
            by: ShownBy::Read,
        };
        ledger.showed(Path::new("/f"), &document, &showing);
        let history = lab.ledger(LedgerLimits::default()).history(Path::new("/f"));
        assert_eq!(history.recorded()[0].showings[0].cut_lines(), cut);
    }
}
