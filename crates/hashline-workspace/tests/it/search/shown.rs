//! What a search shows is remembered, and its anchors edit.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use hashline_core::Policy;
use hashline_core::edit::{EditNo, Operation};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_core::scheme::Scheme;
use hashline_core::text::RevPrefix;
use hashline_workspace::ledger::{DiskLedger, Ledger, LedgerLimits, MemoryLedger};
use hashline_workspace::search::found::Found;
use hashline_workspace::search::{Audience, Most};
use hashline_workspace::{ApplyError, ApplyOptions};

use super::{Tree, fixed, nobody, paths};

fn replace(
    tree: &Tree,
    ledger: &MemoryLedger,
    found: &Found,
    line: usize,
    text: &str,
) -> Result<(), ApplyError> {
    let file = &found.files[0];
    let anchor = file.lines[line].line.anchor();
    let step = Step {
        no: EditNo::from_index(0),
        path: file.path.clone(),
        action: FileAction::Edit(Operation::replace_line(anchor, text)),
    };
    let mut request = Request {
        steps: vec![step],
        ..Request::default()
    };
    request
        .revs
        .insert(file.path.clone(), RevPrefix::from(file.revision));
    let policy = Policy::default();
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    let applied = tree.workspace().apply(request, ledger, &asking);
    applied.result.map(|_| ())
}

fn search(tree: &Tree, ledger: &MemoryLedger) -> Found {
    let mut query = fixed("word");
    (query.before, query.after) = (1, 1);
    let audience = Audience {
        ledger: Some(ledger),
        seen: None,
        ..nobody()
    };
    tree.workspace()
        .search(&query, &audience, None)
        .expect("searched")
}

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nword\nseven\neight\nnine\nten\neleven\n";

#[test]
fn an_anchor_of_a_search_edits_the_line_that_was_shown() {
    let tree = Tree::new(&[("sub/a.txt", TEXT)]);
    let ledger = MemoryLedger::default();
    let found = search(&tree, &ledger);
    replace(&tree, &ledger, &found, 1, "WORD").expect("applied");
    assert_eq!(
        fs::read_to_string(tree.path("sub/a.txt")).expect("read"),
        TEXT.replace("word", "WORD")
    );
}

#[test]
fn an_anchor_of_a_search_is_carried_over_a_change_elsewhere() {
    let tree = Tree::new(&[("a.txt", TEXT)]);
    let ledger = MemoryLedger::default();
    let found = search(&tree, &ledger);
    tree.write("a.txt", format!("zero\n{TEXT}"));
    replace(&tree, &ledger, &found, 1, "WORD").expect("applied");
    let now = fs::read_to_string(tree.path("a.txt")).expect("read");
    assert_eq!(now, format!("zero\n{}", TEXT.replace("word", "WORD")));
}

#[test]
fn without_a_ledger_the_revision_is_unknown_once_the_file_has_changed() {
    let tree = Tree::new(&[("a.txt", TEXT)]);
    let ledger = MemoryLedger::default();
    let mut query = fixed("word");
    (query.before, query.after) = (1, 1);
    let found = tree.search(&query);
    tree.write("a.txt", format!("zero\n{TEXT}"));
    let refused = replace(&tree, &ledger, &found, 1, "WORD").expect_err("refused");
    assert_eq!(refused.code().as_str(), "unknown_rev");
}

#[test]
fn only_what_is_shown_is_written_down() {
    let tree = Tree::new(&[("a", TEXT), ("b", TEXT), ("c", "nothing\n")]);
    let ledger = MemoryLedger::default();
    let mut query = fixed("word");
    query.before = 1;
    query.most = Most {
        files: 1,
        ..Most::default()
    };
    let audience = Audience {
        scheme: Scheme::Lean,
        session: Some("me"),
        ledger: Some(&ledger),
        seen: None,
    };
    let found = tree
        .workspace()
        .search(&query, &audience, None)
        .expect("searched");
    assert_eq!(found.files.len(), 1);
    let history = ledger.history(&tree.root().canonicalize().expect("there").join("a"));
    let recorded = history.recorded();
    assert_eq!(recorded.len(), 1);
    assert_eq!(recorded[0].revision, found.files[0].revision);
    let showings = &recorded[0].showings;
    assert_eq!(showings.len(), 1);
    assert_eq!(showings[0].session.as_deref(), Some("me"));
    assert_eq!(showings[0].scheme, Scheme::Lean);
    let spans = showings[0].spans().iter();
    let spans: Vec<String> = spans.map(ToString::to_string).collect();
    assert_eq!(spans, ["5-6"]);
    for other in ["b", "c"] {
        let history = ledger.history(&tree.root().canonicalize().expect("there").join(other));
        assert!(history.recorded().is_empty(), "{other}");
    }
}

#[test]
fn a_name_that_is_no_text_is_spelled_and_found() {
    let tree = Tree::new(&[]);
    let name = OsStr::from_bytes(b"caf\xe9.txt");
    fs::write(tree.root().join(name), "word\n").expect("written");
    let found = search(&tree, &MemoryLedger::default());
    assert_eq!(paths(&found), ["caf\\xE9.txt"]);
}

#[test]
fn what_is_shown_twice_is_read_back_from_disk_by_another_ledger() {
    let tree = Tree::new(&[("a.txt", TEXT)]);
    let state = Tree::new(&[]);
    let open = || DiskLedger::new(state.path("state"), LedgerLimits::default());
    let ledger = open();
    let mut query = fixed("word");
    (query.before, query.after) = (1, 1);
    let audience = Audience {
        ledger: Some(&ledger),
        seen: None,
        ..nobody()
    };
    let workspace = tree.workspace();
    let found = workspace.search(&query, &audience, None).expect("searched");
    assert_eq!(workspace.search(&query, &audience, None), Ok(found.clone()));
    let file = tree.root().canonicalize().expect("there").join("a.txt");
    let history = open().history(&file);
    assert_eq!(history.recorded()[0].revision, found.files[0].revision);
    assert_eq!(
        history.recorded()[0].showings[0].spans()[0].to_string(),
        "5-7"
    );
}

#[test]
fn files_in_other_encodings_are_searched_as_they_are_shown() {
    let tree = Tree::new(&[]);
    let utf_16 = "\u{feff}un mot déjà vu\r\nword à la carte\r\n".encode_utf16();
    let utf_16: Vec<u8> = utf_16.flat_map(u16::to_be_bytes).collect();
    tree.write("a", b"caf\xe9\nword d\xe9j\xe0\n");
    tree.write("b", utf_16);
    let ledger = MemoryLedger::default();
    let audience = Audience {
        ledger: Some(&ledger),
        ..nobody()
    };
    let workspace = tree.workspace();
    let found = workspace.search(&fixed("déjà"), &audience, None);
    let found = found.expect("it can be searched");
    let lines: Vec<_> = found
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.encoding, &*file.lines[0].line.text))
        .collect();
    assert_eq!(
        lines,
        [
            ("a", Some("windows-1252"), "word déjà"),
            ("b", Some("UTF-16BE"), "un mot déjà vu"),
        ]
    );
    replace(&tree, &ledger, &found, 0, "mot déjà").expect("its anchor edits");
    assert_eq!(
        fs::read(tree.path("a")).expect("it is there"),
        b"caf\xe9\nmot d\xe9j\xe0\n"
    );
}
