//! The cost of an edit after many revisions: a file that was edited 10,000 times beside files that were edited ten to twenty times, in one run.
//!
//! The two take turns, and the middle time of each counts. Nothing is synced, because the time of a sync would hide the rest. In one case the
//! files are long and another program changes them before each edit, which is done only 1,000 times.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use hashline_core::dialect::Dialect;
use hashline_core::text::LineNo;
use hashline_session::Service;
use serde_json::{Value, json};

use super::Sizes;
use super::mcp::{apply, open, read, rev};
use crate::clock::{median, millis, ratio};
use crate::gates::Gates;
use crate::made_text;
use crate::table::Table;

const LINES: usize = 500;
/// The length of a long file.
const LONG: usize = 20_000;
/// How often a long file is edited at most.
const LONG_EDITS: usize = 1_000;
/// How often a young file is edited before its edits are timed, and how many of them are.
const FEW: usize = 10;
/// How many young files there are.
const YOUNG: usize = 20;
/// How many edits of each kind are timed.
const TIMED: usize = FEW * YOUNG;
/// An edit of the old file takes at most so many times as long.
const BAR: f64 = 2.0;

/// How edits are sent.
struct Case {
    name: &'static str,
    caller: Caller,
    store: Store,
    rev: Rev,
    others: Others,
    lines: usize,
}

/// Who sends the edits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caller {
    /// One service sends all, as a server does.
    Server,
    /// Each edit has a service of its own, as each call of the command line has.
    Program,
}

/// Where the record of shown lines is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Store {
    Disk,
    Memory,
}

/// Whether edits name the revision of the last answer. Without it, anchors mean what their session was shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rev {
    Named,
    Left,
}

/// Whether another program changes the file before each edit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    Absent,
    /// It replaces the last line.
    Write,
    /// It replaces a line here and there in the second half of the file, or adds one.
    Spread,
}

const CASES: [Case; 7] = [
    Case {
        name: "one process, with rev",
        caller: Caller::Server,
        store: Store::Disk,
        rev: Rev::Named,
        others: Others::Absent,
        lines: LINES,
    },
    Case {
        name: "one process, session without rev",
        caller: Caller::Server,
        store: Store::Disk,
        rev: Rev::Left,
        others: Others::Absent,
        lines: LINES,
    },
    Case {
        name: "one process, record in memory",
        caller: Caller::Server,
        store: Store::Memory,
        rev: Rev::Named,
        others: Others::Absent,
        lines: LINES,
    },
    Case {
        name: "a process for each edit, with rev",
        caller: Caller::Program,
        store: Store::Disk,
        rev: Rev::Named,
        others: Others::Absent,
        lines: LINES,
    },
    Case {
        name: "a process for each edit, session without rev",
        caller: Caller::Program,
        store: Store::Disk,
        rev: Rev::Left,
        others: Others::Absent,
        lines: LINES,
    },
    Case {
        name: "one process, with rev, file changed elsewhere",
        caller: Caller::Server,
        store: Store::Disk,
        rev: Rev::Named,
        others: Others::Write,
        lines: LINES,
    },
    Case {
        name: "one process, with rev, 20,000 lines changed elsewhere",
        caller: Caller::Server,
        store: Store::Disk,
        rev: Rev::Named,
        others: Others::Spread,
        lines: LONG,
    },
];

/// Measures each way to send edits.
pub(super) fn measure(
    sizes: &Sizes,
    gates: &mut Gates,
    out: &mut dyn std::io::Write,
) -> Result<()> {
    let many = sizes.revisions;
    writeln!(
        out,
        "\n== one edit of {LINES} lines after {FEW} and after {many} edits, median of {TIMED}\n\
         (of {LONG} lines after at most {LONG_EDITS})\n"
    )?;
    let header = [
        "edits sent by",
        "after few",
        "after many",
        "slowest",
        "ratio",
    ];
    let mut table = Table::new(1, header);
    for case in CASES {
        let text = made_text::code(case.lines)?;
        let many = case.edits(many);
        let (few, late) = case.times(&text, many)?;
        let over = ratio(median(&late), median(&few));
        let slowest = late.iter().max().copied().unwrap_or_default();
        let times = [median(&few), median(&late), slowest].map(millis);
        let mut row = vec![case.name.to_owned()];
        row.extend(times);
        row.push(format!("{over:.2}"));
        table.row(row);
        gates.check_bar(
            sizes.bars,
            format!("revisions, {}: at most 2 x after {many} edits", case.name),
            format!("{over:.2} x"),
            over <= BAR,
        );
    }
    table.print(out)
}

impl Case {
    /// Returns how often the old file is edited.
    fn edits(&self, many: usize) -> usize {
        if self.lines > LINES {
            many.min(LONG_EDITS)
        } else {
            many
        }
    }

    /// Returns the times of edits of files that were edited a few times, and of one that was edited `many` times.
    fn times(&self, text: &str, many: usize) -> Result<(Vec<Duration>, Vec<Duration>)> {
        let folder = tempfile::tempdir()?;
        let server = self.open(folder.path())?;
        let mut old = self.file(folder.path(), &server, "old.rs", text)?;
        for _ in 0..many {
            old.edit(&server)?;
        }
        let (mut few, mut late) = (Vec::new(), Vec::new());
        for number in 0..YOUNG {
            let name = format!("{number}.rs");
            let mut young = self.file(folder.path(), &server, &name, text)?;
            for (file, times) in [(&mut young, &mut few), (&mut old, &mut late)] {
                for _ in 0..FEW {
                    file.edit(&server)?;
                }
                for _ in 0..FEW {
                    times.push(file.edit(&server)?);
                }
            }
        }
        Ok((few, late))
    }

    fn open(&self, folder: &Path) -> Result<Service> {
        let state = (self.store == Store::Disk).then(|| folder.join("state"));
        open(folder, state)
    }

    /// Writes a file and reads it, so that its lines can be edited.
    fn file<'a>(
        &'a self,
        folder: &'a Path,
        server: &Service,
        name: &str,
        text: &str,
    ) -> Result<EditedFile<'a>> {
        fs::write(folder.join(name), text)?;
        let answer = read(&server.session(Some(SESSION)), name)?;
        Ok(EditedFile {
            case: self,
            folder,
            name: name.to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
            rev: rev(&answer)?,
            edits: 0,
        })
    }
}

const SESSION: &str = "bench";

/// A file that is edited again and again.
struct EditedFile<'a> {
    case: &'a Case,
    folder: &'a Path,
    name: String,
    lines: Vec<String>,
    rev: String,
    edits: usize,
}

impl EditedFile<'_> {
    /// Replaces a line beside the one that was replaced last, whose anchor the last answer showed; returns how long that took.
    fn edit(&mut self, server: &Service) -> Result<Duration> {
        self.change_elsewhere()?;
        let request = self.next_request();
        let started = Instant::now();
        let own = match self.case.caller {
            Caller::Server => None,
            Caller::Program => Some(self.case.open(self.folder)?),
        };
        let service = own.as_ref().unwrap_or(server);
        let answer = apply(&service.session(Some(SESSION)), &request)?;
        let time = started.elapsed();
        self.rev = rev(&answer)?;
        Ok(time)
    }

    /// Changes the file as another program does, away from the lines that are edited.
    fn change_elsewhere(&mut self) -> Result<()> {
        let change = format!("// change {}", self.edits);
        let mut text = match self.case.others {
            Others::Absent => return Ok(()),
            Others::Write => self.lines.join("\n") + "\n" + &change,
            Others::Spread => {
                let half = self.lines.len() / 2;
                let at = half + self.edits * 37 % (half - 1);
                let gone = at..at + self.edits % 2;
                self.lines.splice(gone, [change]);
                self.lines.join("\n")
            }
        };
        text.push('\n');
        Ok(fs::write(self.folder.join(&self.name), text)?)
    }

    fn next_request(&mut self) -> Value {
        // Down the file and up again, without the lines near the end, where another program writes.
        let down_and_up = 2 * (LINES - 20);
        let at = self.edits % down_and_up;
        let at = at.min(down_and_up - at);
        let scheme = Dialect::default().scheme;
        let number = LineNo::from_index(at);
        let anchor = scheme.anchor(number, scheme.tag(self.lines[at].as_bytes(), number));
        self.edits += 1;
        self.lines[at] = format!("    let edited = {}; // and so on", self.edits);
        let edit = json!({"set_line": {"anchor": anchor, "new_text": self.lines[at]}});
        let mut request = json!({"path": self.name, "edits": [edit]});
        if self.case.rev == Rev::Named {
            request["rev"] = json!(self.rev);
        }
        request
    }
}
