//! A read with the ledger on against one with it off: process against process, and in one process.
//!
//! Two cases, each on 2,000 lines of code: a file that was never shown, whose record is made, and one that was shown before, whose
//! record says so already. On and off take turns, and the best time of each counts.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use hashline_core::render;
use hashline_core::scheme::Scheme;
use hashline_workspace::ledger::{DiskLedger, Ledger, LedgerLimits, NoLedger, ShownBy, ShownLines};
use hashline_workspace::{Settings, Workspace};

use super::Sizes;
use super::driver::driver;
use crate::clock::{millis, ratio};
use crate::gates::{Bars, Gates};
use crate::made_text;
use crate::table::Table;

const LINES: usize = 2000;
/// Bytes of the record of so many lines: eight for a fingerprint, one for a tag, and a little more.
const RECORD: usize = 9 * LINES + 150;
/// A read with the ledger on takes at most so many times as long.
const OVER_OFF: f64 = 1.15;

/// Files that are all alike, and a state directory.
struct Scene {
    folder: PathBuf,
    files: Vec<String>,
}

/// Which files are read: each once, or the same one again and again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Never,
    Before,
}

impl Scene {
    fn new(files: usize) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("hashline-bench-{}", std::process::id()));
        let scene = Self {
            files: (0..files).map(|number| format!("{number}.rs")).collect(),
            folder,
        };
        fs::create_dir_all(scene.root())?;
        let text = made_text::code(LINES)?;
        for file in &scene.files {
            fs::write(scene.root().join(file), &text)?;
        }
        Ok(scene)
    }

    fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    fn state(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes a new file as large as a record for each of the files; returns the best time.
    fn new_files(&self) -> Result<Duration> {
        let folder = self.state("bare");
        fs::create_dir(&folder)?;
        let record = vec![7; RECORD];
        let make = |file| timed(|| Ok(fs::write(folder.join(file), &record)?));
        let times = self.files.iter().map(make).collect::<Result<Vec<_>>>()?;
        Ok(times.into_iter().min().unwrap_or_default())
    }

    /// Reads files by turns with the ledger off and on; returns the best time of each.
    fn by_turns(
        &self,
        shown: Shown,
        mut off: impl FnMut(&str) -> Result<()>,
        mut on: impl FnMut(&str) -> Result<()>,
    ) -> Result<(Duration, Duration)> {
        let mut best = (Duration::MAX, Duration::MAX);
        for file in &self.files {
            let file = match shown {
                Shown::Never => file,
                Shown::Before => &self.files[0],
            };
            // Once for the caches, which the second of two would find warm.
            off(file)?;
            best.0 = best.0.min(timed(|| off(file))?);
            best.1 = best.1.min(timed(|| on(file))?);
        }
        Ok(best)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn timed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

/// Measures both cases in both ways.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let scene = Scene::new(sizes.runs * 20)?;
    writeln!(out, "\n== read of {LINES} lines, ledger on against off\n")?;
    let mut table = Table::new(2, ["how", "file", "off ms", "on ms", "x off"]);
    for (shown, case) in [
        (Shown::Never, "never shown"),
        (Shown::Before, "shown before"),
    ] {
        let ways = [
            ("process", between_processes(&scene, shown, case)?),
            ("in process", in_process(&scene, shown, case)?),
        ];
        for (way, (off, on)) in ways {
            let over = ratio(on, off);
            let figures = [millis(off), millis(on), format!("{over:.2}")];
            table.row([vec![way.to_owned(), case.to_owned()], figures.to_vec()].concat());
            // In one process a read is so short that the new file of a first record alone is more than the bar.
            let bars = match (way, shown) {
                ("in process", Shown::Never) => Bars::Inform,
                _ => sizes.bars,
            };
            gates.check_bar(
                bars,
                format!("ledger, {way}, file {case}: at most 1.15 x a read without"),
                format!("{over:.2} x"),
                over <= OVER_OFF,
            );
        }
    }
    table.print(out)?;
    let floor = millis(scene.new_files()?);
    writeln!(
        out,
        "\nA bare new file of {RECORD} bytes, as a first record is, takes {floor} ms."
    )?;
    Ok(())
}

fn between_processes(scene: &Scene, shown: Shown, case: &str) -> Result<(Duration, Duration)> {
    let driver = driver()?;
    let state = scene.state(&format!("process {case}"));
    let read = |file: &str, state: Option<&Path>| {
        let mut command = Command::new(&driver);
        command.arg(scene.root()).args(["read", file]);
        command.env_remove("HASHLINE_STATE");
        if let Some(state) = state {
            command.env("HASHLINE_STATE", state);
        }
        let status = command.stdout(Stdio::null()).status()?;
        ensure!(status.success(), "the driver could not read {file}");
        Ok(())
    };
    scene.by_turns(
        shown,
        |file| read(file, None),
        |file| read(file, Some(&state)),
    )
}

fn in_process(scene: &Scene, shown: Shown, case: &str) -> Result<(Duration, Duration)> {
    let workspace = Workspace::open(&[scene.root()], Settings::default())?;
    let ledger = DiskLedger::new(
        scene.state(&format!("in process {case}")),
        LedgerLimits::default(),
    );
    let times = scene.by_turns(
        shown,
        |file| read(&workspace, &NoLedger, file),
        |file| read(&workspace, &ledger, file),
    )?;
    ensure!(ledger.take_notes().is_empty(), "the ledger complains");
    Ok(times)
}

/// Reads a file as a surface does: its lines with their anchors, its revision, and a word to the ledger.
fn read(workspace: &Workspace, ledger: &dyn Ledger, file: &str) -> Result<()> {
    let read = workspace.read(file)?;
    let document = &read.document;
    let (mut lines, mut tags) = (Vec::new(), Vec::new());
    render::render_with_tags(
        document.slice(document.all()),
        Scheme::Omp,
        &mut lines,
        &mut tags,
    );
    let shows = ShownLines {
        session: None,
        scheme: Scheme::Omp,
        spans: &[document.all()],
        cut: &[],
        tags: Some(&tags),
        by: ShownBy::Read,
    };
    ledger.showed(&read.path, document, &shows);
    black_box((lines, document.revision().short()));
    Ok(())
}
