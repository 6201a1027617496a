//! T8: many processes edit one file at once, through the program that people run.
//!
//! Three forms. All change the same few lines, and whoever comes late tries again with what the refusal hands out; each changes
//! lines of its own with the anchors of one reading at the start, and with its revision; the same without it, where anchors can be
//! taken for others and the refusal offers the revisions to choose from. Nobody ever reads again.

mod client;
mod counters;
mod own_lines;

use std::path::PathBuf;
use std::thread;

use super::{Bench, Extent, Row};
use client::{Client, Tally};

const PROCESSES: usize = 16;

/// One of the forms: lets all processes loose and tells what came of it.
type Form = fn(&Stampede) -> Tally;

/// T8: every edit that was acknowledged is there, once, and no retry needs another read.
pub(super) fn all_at_once(bench: &Bench, extent: Extent) -> Row {
    let edits = match extent {
        Extent::Sample => 12,
        Extent::Full => 200,
    };
    let mut row = Row::new("T8 stampede");
    let forms: [(&str, Form); 3] = [
        ("the same lines", counters::run),
        ("lines of one's own", own_lines::with_rev),
        ("the same without rev", own_lines::without_rev),
    ];
    for (name, form) in forms {
        let stampede = Stampede::new(bench, edits);
        let tally = form(&stampede);
        row.cases += PROCESSES * edits;
        row.notes.push(format!("{name}: {tally}"));
        let describe = |what: String| format!("{name}: {what}");
        row.violations
            .extend(tally.violations.into_iter().map(describe));
    }
    row.control = own_lines::careless_writers_lose(&Stampede::new(bench, edits));
    row
}

/// A file and a record of what was shown, for all processes of one form.
struct Stampede {
    /// The program that people run.
    program: PathBuf,
    root: PathBuf,
    state: PathBuf,
    /// How many edits each process makes.
    edits: usize,
}

impl Stampede {
    fn new(bench: &Bench, edits: usize) -> Self {
        let root = bench.scratch.join("stampede");
        let state = bench.scratch.join("stampede-state");
        for folder in [&root, &state] {
            let _ = std::fs::remove_dir_all(folder);
        }
        Self {
            program: bench.driver.with_file_name("hashline"),
            root,
            state,
            edits,
        }
    }

    /// Makes the file anew.
    fn set_up(&self, text: &str) {
        super::tree::make(&self.root, &[("file", text)]);
    }

    /// Reads the file as it is in the end, by other means than ours.
    fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.root.join("file")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Lets every process do its work at once; adds up what they counted.
    fn run(&self, work: impl Fn(usize, &mut Client<'_>) + Sync) -> Tally {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..PROCESSES)
                .map(|worker| {
                    let work = &work;
                    scope.spawn(move || {
                        let mut client = Client::new(self);
                        work(worker, &mut client);
                        client.tally
                    })
                })
                .collect();
            let tallies = workers.into_iter().map(|worker| worker.join());
            tallies.fold(Tally::default(), |sum, tally| match tally {
                Ok(tally) => sum.and(tally),
                Err(_) => sum.and(Tally::wrong("a client gave up")),
            })
        })
    }
}
