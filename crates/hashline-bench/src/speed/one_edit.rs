//! One edit of a large file that is in memory already.
//!
//! The floor is a copy of the bytes and the scan that landing needs: the name of the bytes, and if somebody has written meanwhile,
//! the fingerprint of every line.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use hashline_core::edit::{Occurrences, Operation};
use hashline_core::scheme::Scheme;
use hashline_core::shown::History;
use hashline_core::text::{Fingerprint, LineNo, Revision};
use hashline_core::{Document, EditBatch, Edited, Error, Policy, Shown, edit};
use xxhash_rust::xxh3::xxh3_64;

use super::Sizes;
use crate::clock::{best, best_on, millis, ratio};
use crate::gates::Gates;
use crate::made_text;
use crate::table::Table;

/// An edit takes at most so many times as long as its floor.
const OVER_FLOOR: f64 = 2.0;

/// A file that was shown, the file as it is now, and edits of it with the anchors that were shown.
pub(super) struct Case {
    pub(super) history: History,
    pub(super) now: Vec<u8>,
    pub(super) batch: EditBatch,
}

impl Case {
    /// Shows the whole text and replaces `edits` lines of it, evenly spread. The file is `now` when they arrive.
    pub(super) fn new(shown: &str, now: &str, edits: usize) -> Self {
        let document = Document::new(shown);
        let mut history = History::default();
        history.showed(&document, None, Scheme::Omp, &[document.all()]);
        // Odd, so that in a file of two lines in turn the edits are about both of them.
        let apart = (document.line_count() / (edits + 1)).saturating_sub(1) | 1;
        let operations = (1..=edits).map(|edit| {
            let number = LineNo::from_index(edit * apart);
            let text = document.line(number).map_or(&b""[..], |line| line.text);
            let anchor = Scheme::Omp.anchor(number, Scheme::Omp.tag(text, number));
            Operation::replace_line(anchor, format!("replaced {edit}"))
        });
        Self {
            batch: EditBatch::new(operations).at_revision(document.revision()),
            now: now.as_bytes().to_vec(),
            history,
        }
    }

    /// Puts marks on `edits` lines of the text, evenly spread, and substitutes each of them.
    pub(super) fn of_substitutions(text: &str, edits: usize) -> Self {
        let apart = text.lines().count() / (edits + 1);
        let mark = |(index, line): (usize, &str)| match (index % apart, index / apart) {
            (0, edit) if (1..=edits).contains(&edit) => format!("{line} // mark {edit};\n"),
            _ => format!("{line}\n"),
        };
        let now: String = text.lines().enumerate().map(mark).collect();
        let operations = (1..=edits).map(|edit| Operation::Substitute {
            old: format!("mark {edit};"),
            new: format!("done {edit}."),
            count: Occurrences::One,
        });
        Self {
            history: History::default(),
            batch: EditBatch::new(operations),
            now: now.into_bytes(),
        }
    }

    /// Edits the file so often, shows all of it every time, and sends `edits` anchors that do not say which of them they are from.
    pub(super) fn over_revisions(text: &str, revisions: usize, edits: usize) -> Result<Self> {
        let Self { mut history, .. } = Self::new(text, text, 0);
        let mut document = Document::new(text);
        for revision in 0..revisions {
            // Far apart from each other, at the end of the file, where no anchor is.
            let number = LineNo::from_index(document.line_count() - 1 - revision % 64);
            let line = document.line(number).map_or(&b""[..], |line| line.text);
            let anchor = Scheme::Omp.anchor(number, Scheme::Omp.tag(line, number));
            let batch = EditBatch::new([Operation::insert_after(anchor, format!("// {revision}"))])
                .at_revision(document.revision());
            let edited = edit(
                &document,
                &Shown::new(&history, None),
                batch,
                &Policy::default(),
            )?;
            history.wrote(&document, &edited.document, &edited.report.changes, None);
            document = edited.document;
            history.showed(&document, None, Scheme::Omp, &[document.all()]);
        }
        let now = String::from_utf8_lossy(document.bytes());
        let Self { batch, .. } = Self::new(&now, &now, edits);
        Ok(Self {
            history,
            batch: EditBatch::new(batch.edits.into_iter().map(|edit| edit.operation)),
            now: document.bytes().to_vec(),
        })
    }

    /// Builds the document as it is now, nothing of it reckoned yet.
    pub(super) fn document(&self) -> Document {
        Document::new(self.now.clone())
    }

    /// Edits it.
    pub(super) fn edit(&self, document: &Document) -> Result<Edited, Error> {
        let shown = Shown::new(&self.history, None);
        edit(document, &shown, self.batch.clone(), &Policy::default())
    }

    /// Returns the best time of the edit.
    pub(super) fn time(&self, runs: usize) -> Duration {
        best_on(runs, || self.document(), |document| self.edit(document))
    }
}

/// Measures one edit of a file that is as it was shown, and of one that somebody has changed elsewhere.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let text = made_text::code(sizes.edit)?;
    let changed = format!("// somebody was here\n{text}");
    writeln!(
        out,
        "\n== one edit of {} lines, {:.1} MB, whole file shown, with rev\n",
        sizes.edit,
        text.len() as f64 / 1e6
    )?;
    let header = [
        "file",
        "edit ms",
        "copy ms",
        "revision ms",
        "fingerprints ms",
        "floor ms",
        "x floor",
    ];
    let mut table = Table::new(1, header);
    for (name, now) in [("as it was shown", &text), ("changed elsewhere", &changed)] {
        let case = Case::new(&text, now, 1);
        check_result(name, &case, now, gates);
        let time = case.time(sizes.runs * 3);
        let floor = Floor::of(&case, sizes.runs * 3);
        let scan = if now == &text {
            floor.revision
        } else {
            floor.revision + floor.fingerprints
        };
        let whole = floor.copy + scan;
        let over = ratio(time, whole);
        let times = [time, floor.copy, floor.revision, floor.fingerprints, whole].map(millis);
        table.row(
            [
                vec![name.to_owned()],
                times.to_vec(),
                vec![format!("{over:.2}")],
            ]
            .concat(),
        );
        let figure = format!("{over:.2} x, {} ms", millis(time));
        gates.check_bar(
            sizes.bars,
            format!("one edit, {name}: at most 2 x its floor"),
            figure,
            over <= OVER_FLOOR,
        );
    }
    table.print(out)?;
    writeln!(
        out,
        "\nThe floor of a file as it was shown is copy and revision; of a changed one fingerprints as well."
    )?;
    Ok(())
}

/// The parts of what an edit cannot do without.
struct Floor {
    copy: Duration,
    revision: Duration,
    fingerprints: Duration,
}

impl Floor {
    fn of(case: &Case, runs: usize) -> Self {
        let document = case.document();
        let fingerprints = || -> Vec<Fingerprint> {
            document
                .lines()
                .map(|line| Fingerprint(xxh3_64(line.text)))
                .collect()
        };
        Self {
            copy: best(runs, || case.now.to_vec()),
            revision: best(runs, || Revision::of(&case.now)),
            fingerprints: best(runs, fingerprints),
        }
    }
}

fn check_result(name: &str, case: &Case, now: &str, gates: &mut Gates) {
    let result = case.edit(&case.document());
    let lines = result.as_ref().map(|edited| {
        let old = now.lines();
        let new = String::from_utf8_lossy(edited.document.bytes()).into_owned();
        old.zip(new.lines()).filter(|(a, b)| a != b).count()
    });
    let figure = match &lines {
        Ok(changed) => format!("{changed} line changed"),
        Err(error) => error.to_string(),
    };
    gates.check(
        format!("one edit, {name}: exactly one line changed"),
        figure,
        lines == Ok(1),
    );
}
