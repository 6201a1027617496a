//! Counters: many at once lose nothing, and nothing goes wrong because of them.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use hashline_core::Code;
use hashline_core::edit::{EditNo, Operation};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_core::scheme::Scheme;
use hashline_core::{Document, Policy, Rule, render};
use hashline_workspace::counters::totals::{Tally, Totals, Work};
use hashline_workspace::counters::{CountedEvent, Counters};
use hashline_workspace::ledger::{Ledger, MemoryLedger, ShownBy, ShownLines, StateNote};
use hashline_workspace::{ApplyOptions, Settings, Workspace};
use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};
use proptest::sample::select;

const RULES: [Rule; 3] = [Rule::CopiedAnchors, Rule::Indentation, Rule::Hyphens];

fn event() -> impl Strategy<Value = CountedEvent> {
    let outcome = select(vec![
        None,
        Some(Code::Stale),
        Some(Code::Ambiguous),
        Some(Code::Io),
    ]);
    let repairs = prop::collection::vec(select(RULES.to_vec()), 0..3);
    let numbers = (0..5_usize, 0..1_000_000_u64);
    (select(Work::ALL.to_vec()), outcome, repairs, numbers).prop_map(
        |(work, refused, repairs, (moved, nanos))| CountedEvent {
            work,
            refused,
            repairs,
            moved,
            took: Duration::from_nanos(nanos),
        },
    )
}

/// Counts as the page says, without a disk.
fn counted<'a>(events: impl IntoIterator<Item = &'a CountedEvent>) -> Totals {
    let mut works: BTreeMap<Work, Tally> = BTreeMap::new();
    for event in events {
        let tally = works.entry(event.work).or_default();
        match event.refused {
            None => tally.done += 1,
            Some(code) => *tally.refused.entry(code.to_string()).or_default() += 1,
        }
        for rule in &event.repairs {
            *tally.repairs.entry(rule.name().to_owned()).or_default() += 1;
        }
        tally.moved += event.moved as u64;
        tally.time += event.took;
    }
    Totals { works }
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(16))]

    #[test]
    fn threads_that_count_at_once_lose_nothing(threads in prop::collection::vec(prop::collection::vec(event(), 0..20), 1..6)) {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::thread::scope(|scope| {
            for events in &threads {
                scope.spawn(|| {
                    let counters = Counters::new(folder.path().to_path_buf());
                    events.iter().for_each(|event| counters.record(event));
                    assert_eq!(counters.take_notes(), []);
                });
            }
        });
        let totals = Counters::new(folder.path().to_path_buf()).totals();
        prop_assert_eq!(totals, counted(threads.iter().flatten()));
    }
}

const CHILD: &str = "HASHLINE_TEST_COUNTERS";
const CHILDREN: usize = 6;
const EACH: u64 = 500;

fn one_read() -> CountedEvent {
    CountedEvent::done(Work::Read, Duration::from_nanos(3))
}

#[test]
fn a_child_counts() {
    let Some(state) = std::env::var_os(CHILD) else {
        return;
    };
    let counters = Counters::new(PathBuf::from(state));
    (0..EACH).for_each(|_| counters.record(&one_read()));
    assert_eq!(counters.take_notes(), []);
}

#[test]
fn processes_that_count_at_once_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let child = |_| {
        Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "counters::a_child_counts"])
            .env(CHILD, folder.path())
            .spawn()
            .expect("started")
    };
    let children: Vec<_> = (0..CHILDREN).map(child).collect();
    for mut child in children {
        assert!(child.wait().expect("ended").success());
    }
    let totals = Counters::new(folder.path().to_path_buf()).totals();
    let reads = &totals.works[&Work::Read];
    let all = CHILDREN as u64 * EACH;
    assert_eq!(
        (reads.done, reads.time),
        (all, Duration::from_nanos(3 * all))
    );
}

/// Counts two reads, does something to the file, and returns what is left and what was noted.
fn after(harm: impl FnOnce(&Path)) -> (u64, Vec<StateNote>) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let counters = Counters::new(folder.path().to_path_buf());
    counters.record(&one_read());
    counters.record(&one_read());
    harm(&folder.path().join("counters-1"));
    let totals = counters.totals();
    let left = totals.works.get(&Work::Read).map_or(0, |reads| reads.done);
    (left, counters.take_notes())
}

#[test]
fn a_torn_write_costs_no_count_before_it() {
    const SLOT: usize = 32 << 10;
    // The second count went into the first slot; whoever dies in the third write harms the other one.
    for at in [0, 8, 16, 24, 30] {
        let (left, notes) = after(|file| {
            let mut bytes = fs::read(file).expect("it is there");
            bytes[SLOT + at] ^= 1;
            fs::write(file, bytes).expect("it can be written");
        });
        assert_eq!((left, notes), (2, Vec::new()));
    }
}

#[test]
fn a_damaged_file_counts_from_nothing_again_and_says_so() {
    let harms: [&dyn Fn(&Path); 3] = [
        &|file| fs::write(file, "nonsense").expect("it can be written"),
        &|file| fs::write(file, vec![0xff; 100_000]).expect("it can be written"),
        &|file| fs::write(file, vec![0; 64 << 10]).expect("it can be written"),
    ];
    for harm in harms {
        let (left, notes) = after(harm);
        assert_eq!(left, 0);
        assert!(
            matches!(notes[..], [StateNote::Damaged { .. }]),
            "{notes:?}"
        );
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("counters-1"), "nonsense").expect("it can be written");
    let counters = Counters::new(folder.path().to_path_buf());
    counters.record(&one_read());
    counters.record(&one_read());
    assert_eq!(counters.totals().works[&Work::Read].done, 2);
}

#[test]
fn what_cannot_be_counted_is_noted_and_changes_nothing_else() {
    let (left, notes) = after(|file| {
        fs::remove_file(file).expect("it can be removed");
        symlink("/etc/passwd", file).expect("a link can be made");
    });
    assert_eq!(left, 0);
    assert!(matches!(notes[..], [StateNote::System { .. }]), "{notes:?}");
    let (left, notes) = after(|file| {
        let state = file.parent().expect("a folder");
        fs::set_permissions(state, fs::Permissions::from_mode(0o777)).expect("it is ours");
    });
    assert_eq!(left, 0);
    assert!(
        matches!(notes[..], [StateNote::NotPrivate { .. }]),
        "{notes:?}"
    );
}

#[test]
fn counters_that_are_off_touch_nothing() {
    let counters = Counters::off();
    counters.record(&one_read());
    assert_eq!(counters.totals(), Totals::default());
    assert_eq!(counters.take_notes(), []);
}

#[test]
fn the_file_holds_no_text_and_no_path_and_stays_small() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let root = folder.path().join("root");
    fs::create_dir(&root).expect("a folder can be made");
    fs::write(root.join("canary-path"), "canary-text\n").expect("it can be written");
    let workspace = Workspace::open(std::slice::from_ref(&root), Settings::default());
    let workspace = workspace.expect("it can be opened");
    let counters = Counters::new(folder.path().join("state"));
    let read = workspace.read("canary-path");
    counters.record(&CountedEvent::of(Work::Read, &read, Duration::ZERO));
    let missing = workspace.read("canary-missing");
    counters.record(&CountedEvent::of(Work::Read, &missing, Duration::ZERO));
    let bytes = fs::read(folder.path().join("state/counters-1")).expect("it is there");
    assert!(bytes.len() <= 64 << 10);
    assert!(!String::from_utf8_lossy(&bytes).contains("canary"));
    let reads = counters.totals().works[&Work::Read].clone();
    assert_eq!((reads.done, reads.errors(), reads.stale()), (1, 1, 0));
}

#[test]
fn an_edit_counts_its_moves_and_its_refusal() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("a");
    let shown: String = (0..20).map(|line| format!("line {line}\n")).collect();
    fs::write(&file, &shown).expect("it can be written");
    let roots = [folder.path().to_path_buf()];
    let workspace = Workspace::open(&roots, Settings::default()).expect("it can be opened");
    let ledger = MemoryLedger::default();
    let read = workspace.read("a").expect("it can be read");
    let shows = ShownLines {
        session: None,
        scheme: Scheme::Omp,
        spans: &[read.document.all()],
        cut: &[],
        tags: None,
        by: ShownBy::Read,
    };
    ledger.showed(&read.path, &read.document, &shows);
    fs::write(&file, format!("first\n{shown}")).expect("it can be written");
    let anchor = |document: &Document, index: usize| {
        let mut lines = render::anchored(document, document.all(), Scheme::Omp);
        lines
            .nth(index)
            .map(|line| line.anchor())
            .unwrap_or_default()
    };
    let apply = |anchor: String| {
        let step = Step {
            no: EditNo::from_index(0),
            path: "a".to_owned(),
            action: FileAction::Edit(Operation::replace_line(anchor, "new")),
        };
        let request = Request {
            steps: vec![step],
            ..Request::default()
        };
        let asking = ApplyOptions {
            session: None,
            policy: &Policy::default(),
            mode: Mode::Write,
            cancel: None,
        };
        let outcome = workspace.apply(request, &ledger, &asking);
        CountedEvent::of_edit(Work::Apply, &outcome.result, Duration::ZERO)
    };
    let landed = apply(anchor(&read.document, 10));
    assert_eq!((landed.refused, landed.moved), (None, 1));
    let again = apply(anchor(&read.document, 10));
    assert_eq!((again.refused, again.moved), (Some(Code::Stale), 0));
}

#[test]
fn numbers_of_series_are_added_up_beside_the_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state");
    let series = |count| vec![("calls_total{route=\"edit file\"}".to_owned(), count)];
    let counters = Counters::new(state.clone());
    counters.record(&CountedEvent::done(Work::Apply, Duration::ZERO));
    counters.add_series(&series(2));
    // Another process.
    let others = Counters::new(state);
    others.add_series(&series(3));
    others.add_series(&[("a kind of request done".to_owned(), 1)]);
    let mut expected = vec![("a kind of request done".to_owned(), 1)];
    expected.extend(series(5));
    assert_eq!(counters.series(), expected);
    assert_eq!(
        counters.totals(),
        counted(&[CountedEvent::done(Work::Apply, Duration::ZERO)])
    );
    assert_eq!(counters.take_notes(), []);
    Counters::off().add_series(&series(1));
    assert_eq!(Counters::off().series(), []);
}
