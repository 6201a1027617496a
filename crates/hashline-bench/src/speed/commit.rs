//! Durable commits against the bare calls that such a commit cannot do without.
//!
//! One file: write beside it, sync, rename, sync the directory. Several: the same for each, and a journal that is durable before the
//! first rename and gone after the last. Ours and the bare calls take turns on files of their own, and the middle time of each counts:
//! how long a disk takes to sync varies more than anything that is done between.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use hashline_core::Policy;
use hashline_core::edit::{EditNo, Operation};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_core::scheme::Scheme;
use hashline_core::{Document, render};
use hashline_workspace::ledger::NoLedger;
use hashline_workspace::{ApplyOptions, Settings, Workspace};

use super::Sizes;
use crate::clock::{millis, ratio};
use crate::gates::Gates;
use crate::made_text;
use crate::table::Table;

const LINES: usize = 500;
/// A commit takes at most so many times as long as the bare calls.
const OVER_BARE: f64 = 1.3;
/// What a journal of five entries holds.
const JOURNAL: usize = 600;

/// Measures a commit of one file, and of five in two directories.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let text = made_text::code(LINES)?;
    writeln!(out, "\n== durable commits of files of {LINES} lines\n")?;
    let mut table = Table::new(1, ["files", "bare ms", "ours ms", "p95 ms", "x bare"]);
    for (name, files) in [
        ("one", &["a/1.rs"][..]),
        ("five", &["a/1.rs", "a/2.rs", "a/3.rs", "b/4.rs", "b/5.rs"]),
    ] {
        let scene = Scene::new(folder.path().join(name), files, &text)?;
        let (bare, ours) = scene.by_turns(sizes.runs * 10)?;
        let over = ratio(middle(&ours), middle(&bare));
        let p95 = ours[ours.len() * 95 / 100];
        let figures = [middle(&bare), middle(&ours), p95].map(millis);
        let mut row = vec![name.to_owned()];
        row.extend(figures);
        row.push(format!("{over:.2}"));
        table.row(row);
        gates.check_bar(
            sizes.bars,
            format!("commit, {name}: at most 1.3 x the bare calls"),
            format!("{over:.2} x"),
            over <= OVER_BARE,
        );
    }
    table.print(out)
}

fn middle(times: &[Duration]) -> Duration {
    times[times.len() / 2]
}

/// Two trees with the same files: one for us, one for the bare calls.
struct Scene<'a> {
    ours: PathBuf,
    bare: PathBuf,
    files: &'a [&'a str],
    text: &'a str,
}

impl<'a> Scene<'a> {
    fn new(folder: PathBuf, files: &'a [&'a str], text: &'a str) -> Result<Self> {
        let scene = Self {
            ours: folder.join("ours"),
            bare: folder.join("bare"),
            files,
            text,
        };
        for root in [&scene.ours, &scene.bare] {
            fs::create_dir_all(root.join(".hashline"))?;
            for file in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().unwrap_or(root))?;
                fs::write(path, text)?;
            }
        }
        Ok(scene)
    }

    /// Commits by turns; returns the times of the bare calls and of ours, sorted.
    fn by_turns(&self, runs: usize) -> Result<(Vec<Duration>, Vec<Duration>)> {
        let workspace = Workspace::open(std::slice::from_ref(&self.ours), Settings::default())?;
        let (mut bare, mut ours) = (Vec::new(), Vec::new());
        for run in 0..runs {
            let started = Instant::now();
            self.bare_calls(run)?;
            bare.push(started.elapsed());
            let request = self.request(run);
            let started = Instant::now();
            apply(&workspace, request)?;
            ours.push(started.elapsed());
        }
        bare.sort();
        ours.sort();
        Ok((bare, ours))
    }

    /// Does what a commit cannot do without, and looks at nothing.
    fn bare_calls(&self, run: usize) -> Result<()> {
        let area = self.bare.join(".hashline");
        let several = self.files.len() > 1;
        if several {
            write_synced(&area.join("journal.tmp"), &[7; JOURNAL])?;
            fs::rename(area.join("journal.tmp"), area.join("journal"))?;
            sync_dir(&area)?;
        }
        let new = self.text.replacen("fn ", &format!("fn r{run}_"), 1);
        for file in self.files {
            write_synced(&self.staged(file), new.as_bytes())?;
        }
        let dirs = self.dirs();
        if several {
            dirs.iter().try_for_each(|dir| sync_dir(dir))?;
        }
        for file in self.files {
            fs::rename(self.staged(file), self.bare.join(file))?;
        }
        dirs.iter().try_for_each(|dir| sync_dir(dir))?;
        if several {
            fs::rename(area.join("journal"), area.join("journal.done"))?;
            sync_dir(&area)?;
            fs::remove_file(area.join("journal.done"))?;
        }
        Ok(())
    }

    fn staged(&self, file: &str) -> PathBuf {
        self.bare.join(format!("{file}.new"))
    }

    fn dirs(&self) -> Vec<PathBuf> {
        let dirs = self
            .files
            .iter()
            .filter_map(|file| Path::new(file).parent());
        let mut dirs: Vec<PathBuf> = dirs.map(|dir| self.bare.join(dir)).collect();
        dirs.dedup();
        dirs
    }

    /// Replaces the tenth line of every file by another one.
    fn request(&self, run: usize) -> Request {
        let step = |(index, file): (usize, &&str)| {
            let bytes = fs::read(self.ours.join(file)).unwrap_or_default();
            let document = Document::new(bytes);
            let line = render::anchored(&document, document.all(), Scheme::Omp).nth(9);
            let anchor = line.map(|line| line.anchor()).unwrap_or_default();
            Step {
                no: EditNo::from_index(index),
                path: (*file).to_owned(),
                action: FileAction::Edit(Operation::replace_line(anchor, format!("// run {run}"))),
            }
        };
        Request {
            steps: self.files.iter().enumerate().map(step).collect(),
            ..Request::default()
        }
    }
}

fn apply(workspace: &Workspace, request: Request) -> Result<()> {
    let policy = Policy::default();
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    workspace.apply(request, &NoLedger, &asking).result?;
    Ok(())
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    Ok(file.sync_all()?)
}

fn sync_dir(path: &Path) -> Result<()> {
    Ok(File::open(path)?.sync_all()?)
}
