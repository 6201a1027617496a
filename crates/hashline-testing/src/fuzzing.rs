//! What the fuzz targets do with bytes, so that a test on stable Rust can do the same.
//!
//! Each function takes anything and panics only if the engine broke a promise. The targets in `fuzz/` call these and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditBatch, EditNo, Occurrences, Operation, Place};
use hashline_core::files::{FileAction, Request, Step, edit_files};
use hashline_core::policy::Landing;
use hashline_core::scheme::Scheme;
use hashline_core::shown::History;
use hashline_core::text::{LineNo, LineSpan, Payload, RevPrefix};
use hashline_core::{Document, Policy, Shown, edit, render};

use crate::generate::anchor;
use crate::input::Input;
use crate::invariants;

/// Returns the kept inputs of a target, in the order of their names; none if there are none.
#[must_use]
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| fs::read(path).ok())
        .collect()
}

/// Reads anything as an anchor in every scheme: what is read and printed reads the same again, and what is rendered reads back.
///
/// # Panics
///
/// If it does not.
pub fn anchors(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let document = Document::new(data);
    for scheme in Dialect::ALL.map(|dialect| dialect.scheme) {
        if let Ok(anchor) = scheme.parse(&text) {
            let plain = scheme.respell(&anchor);
            let again = scheme.parse(&plain).expect("what was printed can be read");
            assert_eq!(again.line, anchor.line, "{scheme:?} {text:?}");
            assert_eq!(scheme.respell(&again), plain, "{scheme:?} {text:?}");
        }
        if let Some((anchor, rest)) = scheme.read_shown(&text) {
            assert!(text.ends_with(rest), "{scheme:?} {text:?}");
            assert_eq!(
                scheme.parse(&text).map(|read| (read.line, read.tag)),
                Ok((anchor.line, anchor.tag))
            );
        }
        for line in render::anchored(&document, document.all(), scheme) {
            let read = scheme
                .parse(&line.to_string())
                .map(|read| (read.line, read.tag));
            assert_eq!(read, Ok((line.number.get() as u64, line.tag)), "{line:?}");
            let (_, rest) = scheme
                .read_shown(&line.to_string())
                .map(|(tag, rest)| (tag, rest.to_owned()))
                .expect("a shown line reads as one");
            assert_eq!(rest, line.text, "{line:?}");
        }
    }
}

/// Makes a request of the bytes, about a document made of the rest of them, and checks what comes of it.
///
/// # Panics
///
/// If the engine broke a promise.
pub fn apply(data: &[u8]) {
    let mut input = Input(data);
    let dialect = Dialect::ALL[input.below(Dialect::ALL.len())];
    let seed = input.below(4) == 0;
    let landing = [Landing::Shown, Landing::Shown, Landing::Strict][input.below(3)];
    let rev = input.below(4);
    let count = input.below(9);
    let wanted: Vec<SketchedEdit> = (0..count).map(|_| SketchedEdit::read(&mut input)).collect();
    let document = Document::new(input.0);

    let operations: Vec<Operation> = wanted
        .iter()
        .map(|wanted| wanted.operation(&document, dialect.scheme))
        .collect();
    let mut batch = EditBatch::new(operations.clone());
    batch.rev = match rev {
        1 => Some(RevPrefix::from(document.revision())),
        2 => RevPrefix::parse("00000000"),
        _ => None,
    };
    let mut history = History::default();
    if rev != 0 {
        let half = LineSpan::new(0..document.line_count() / 2 + 1);
        history.showed(&document, None, dialect.scheme, &[half]);
    }
    let policy = if seed {
        hashline_reference::seed_policy(dialect)
    } else {
        Policy {
            landing,
            ..Policy::new(dialect)
        }
    };
    match edit(&document, &Shown::new(&history, None), batch, &policy) {
        Ok(edited) => {
            if let Err(broken) = invariants::check(&document, &edited) {
                panic!("{broken}\n{operations:?}");
            }
            let diff = edited.report.diff("a", "b");
            if document.bom() == edited.document.bom() {
                let changed = edited.report.is_changed();
                assert_eq!(!diff.text.is_empty(), changed, "{operations:?}");
            }
            let (first, last) = (edited.report.first_changed_line(), document.line_count());
            let lines = last.max(edited.document.line_count());
            assert!(
                first.is_none_or(|line| line.get() <= lines),
                "{operations:?}"
            );
            assert!(edited.report.moves.len() <= count, "{operations:?}");
            history.wrote(&document, &edited.document, &edited.report.changes, None);
        }
        Err(refused) => {
            assert!(!refused.code().as_str().is_empty() && !refused.to_string().is_empty());
        }
    }
    edit_as_file(document, operations, &policy);
}

/// Goes the way of a whole request too; for seed 000 that is another engine.
fn edit_as_file(document: Document, operations: Vec<Operation>, policy: &Policy<'_>) {
    let path = || "a.txt".to_owned();
    let numbered = operations.into_iter().enumerate();
    let steps = numbered.map(|(index, operation)| Step {
        no: EditNo::from_index(index),
        path: path(),
        action: FileAction::Edit(operation),
    });
    let request = Request {
        steps: steps.collect(),
        ..Request::default()
    };
    let files = BTreeMap::from([(path(), document)]);
    if let Err(refused) = edit_files(request, &files, policy) {
        assert!(!refused.code().as_str().is_empty() && !refused.to_string().is_empty());
    }
}

/// Makes two documents of the bytes, over so few lines that twins abound, and takes ranges from the one to the other: what lands,
/// lands on the same bytes.
///
/// # Panics
///
/// If something lands elsewhere.
pub fn mapping(data: &[u8]) {
    let mut input = Input(data);
    let scheme = Dialect::ALL[input.below(Dialect::ALL.len())].scheme;
    let letters = 2 + input.below(14);
    let spans: [(usize, usize); 4] =
        std::array::from_fn(|_| (input.below(256), 1 + input.below(5)));
    let (older, newer) = input.0.split_at(input.0.len() / 2);
    let (older, newer) = (small(older, letters), small(newer, letters));
    let mut history = History::default();
    history.showed(&older, None, scheme, &[older.all()]);
    let lines = older.line_count();
    for (start, length) in spans.iter().filter(|_| lines > 0) {
        let start = start % lines;
        let span = LineSpan::new(start..(start + length).min(lines));
        land(&older, &newer, &history, scheme, span);
    }
}

/// Lands lines of the older document in the newer one, with the revision and without.
fn land(older: &Document, newer: &Document, history: &History, scheme: Scheme, span: LineSpan) {
    let (first, last) = (span.start(), span.end() - 1);
    let operation = Operation::replace_range(
        anchor(older, scheme, first),
        anchor(older, scheme, last),
        "landed",
    );
    let batch = EditBatch::new([operation]);
    let mut policy = Policy::default();
    policy.dialect.scheme = scheme;
    let done = |batch| edit(newer, &Shown::new(history, None), batch, &policy);
    let unnamed = done(batch.clone());
    let Ok(edited) = done(batch.at_revision(older.revision())) else {
        assert!(
            unnamed.is_err(),
            "without a revision {span} landed, with one it did not"
        );
        return;
    };
    let place = edited.report.changes.iter().next();
    let place = place
        .expect("a line that never stood there is a change")
        .old;
    let texts = |document: &Document, span| -> Vec<Vec<u8>> {
        let lines = document.lines_in(span);
        lines.map(|line| line.text.to_vec()).collect()
    };
    assert_eq!(
        texts(older, span),
        texts(newer, place),
        "{span} landed on {place}"
    );
    assert_eq!(
        unnamed.map(|edited| edited.document).ok(),
        Some(edited.document)
    );
}

fn small(bytes: &[u8], letters: usize) -> Document {
    let lines = bytes
        .iter()
        .map(|&byte| format!("{}\n", usize::from(byte) % letters));
    Document::new(lines.collect::<String>())
}

/// An edit before its document is known.
struct SketchedEdit {
    kind: usize,
    first: usize,
    length: usize,
    spoiled: usize,
    text: String,
    other: String,
}

impl SketchedEdit {
    fn read(input: &mut Input<'_>) -> Self {
        Self {
            kind: input.below(9),
            first: input.below(256),
            length: input.below(4),
            spoiled: input.below(16),
            text: input.text(),
            other: input.text(),
        }
    }

    fn operation(&self, document: &Document, scheme: Scheme) -> Operation {
        let (first, last) = (
            self.claim(document, scheme, self.first),
            self.claim(document, scheme, self.first + self.length),
        );
        let text = || match self.spoiled {
            1 => Payload::Lines(Vec::new()),
            2 => Payload::Lines(vec![self.text.clone(), self.other.clone()]),
            _ => Payload::Text(self.text.clone()),
        };
        match self.kind {
            0 => Operation::replace_line(first, text()),
            1 => Operation::replace_range(first, last, text()),
            2 => Operation::delete_line(first),
            3 => Operation::delete_range(first, last),
            4 => Operation::insert_after(first, text()),
            5 => Operation::insert_before(first, text()),
            6 => Operation::Insert {
                place: Place::Start,
                text: text(),
            },
            7 => Operation::Insert {
                place: Place::End,
                text: text(),
            },
            _ => Operation::Substitute {
                old: self.text.clone(),
                new: self.other.clone(),
                count: if self.length == 0 {
                    Occurrences::One
                } else {
                    Occurrences::All
                },
            },
        }
    }

    /// Names a line truly, or with a wrong tag, or as the bytes spell it.
    fn claim(&self, document: &Document, scheme: Scheme, index: usize) -> String {
        let number = LineNo::from_index(index % (document.line_count() + 1));
        match (self.spoiled, document.line(number)) {
            (3, _) => self.other.clone(),
            (4, _) | (_, None) => scheme.anchor(number, scheme.spell(0)),
            (_, Some(_)) => anchor(document, scheme, number.index()),
        }
    }
}
