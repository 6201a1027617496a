//! Two builds of the program by turns in one run, so that a change that slows a command down is seen.
//!
//! Each program works on its own copy of the files with its own state, and they alternate who goes first (A B, B A, ...): whatever else
//! the machine does slows both alike. The median of the ratios, run by run, decides. Two columns tell noise from a difference: the middle
//! half of our times, and the ratio in each quarter of the runs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::Sizes;
use super::mcp::{Edits, Server, rev, timed};
use super::program::request;
use super::search::tree;
use super::turns::run_once;
use crate::args::Args;
use crate::clock::{median, millis, ratio};
use crate::gates::{Bars, Gates};
use crate::made_text;
use crate::program::{hashline, install};
use crate::table::Table;

/// Runs of each row, unless `--runs` says otherwise: in all, and in a sample.
const RUNS: usize = 200;
const SAMPLE_RUNS: usize = 12;
/// Runs before those that count: they fill the caches and make the first record of each file.
const WARM_UP: usize = 2;
/// After this many runs both programs are started anew as servers: where the system places a server's threads decides up to a tenth of a call.
const RUNS_PER_SERVER: usize = 20;
/// How many times as long as the other program ours may take. Commands on the large file vary more, since they wait for the disk.
const MOST: f64 = 1.05;
const MOST_LARGE: f64 = 1.10;
/// Files of the tree that is searched.
const SEARCHED: usize = 2000;
/// Lines of the files that are read, edited and edited over MCP.
const FILES: [(&str, usize); 5] = [
    (SHORT, 300),
    (PAGE, 2000),
    (EDITED, 500),
    (SERVED, 2000),
    (VERIFIED, 2000),
];
const SHORT: &str = "short.rs";
const PAGE: &str = "page.rs";
const EDITED: &str = "edited.rs";
const SERVED: &str = "served.rs";
const VERIFIED: &str = "verified.rs";
const LARGE: &str = "large.rs";
const TREE: &str = "tree";

/// Something that a user waits for.
struct Row {
    name: &'static str,
    most: f64,
    /// How many times as many runs as the other rows it gets.
    repeat: usize,
    /// Does it once and returns how long it took. The number of the run is different each time.
    once: fn(&mut Side, usize) -> Result<Duration>,
}

const ROWS: [Row; 15] = [
    row("--version", |side, _| side.run(&["--version"])),
    row("read, 300 lines", |side, _| side.run(&["read", SHORT])),
    row("read, 2,000 lines", |side, _| side.run(&["read", PAGE])),
    large("read, large file", |side, _| side.run(&["read", LARGE])),
    large("read, 25 lines of the large file", |side, _| {
        let start = (side.large / 10 * 9).to_string();
        side.run(&["read", LARGE, "--start-line", &start, "--lines", "25"])
    }),
    row("search, 2,000 files", |side, _| {
        side.run(&["search", "--fixed-strings", tree::NEEDLE, TREE])
    }),
    row("apply, 500 lines, durable", |side, run| {
        side.apply(EDITED, run % 500)
    }),
    large("apply, large file, durable", |side, run| {
        side.apply(LARGE, (side.large / 2 + run) % side.large)
    }),
    row("verify, 2,000 lines", |side, _| {
        let anchor = side.anchor.clone();
        side.run(&["verify", VERIFIED, &anchor])
    }),
    row("guard, a command that passes", |side, _| {
        side.run_on("guard", &["guard", "--json"])
    }),
    row("hook, a command that passes", |side, _| {
        side.run_on("passes", &["hook"])
    }),
    row("hook, a command that is refused", |side, _| {
        side.run_on("refused", &["hook"])
    }),
    row("hook, an edit that is refused", |side, _| {
        side.run_on("edit", &["hook"])
    }),
    served("MCP read, 300 lines", |side, _| {
        let server = side.server()?;
        timed(|| server.call("read", &json!({"path": SHORT})))
    }),
    served("MCP edit, 2,000 lines, fast", |side, _| {
        side.server()?;
        let Side { server, edits, .. } = side;
        let server = server.as_mut().context("it was started")?;
        edits.timed(|request| server.call("edit", request))
    }),
];

const fn row(name: &'static str, once: fn(&mut Side, usize) -> Result<Duration>) -> Row {
    let (most, repeat) = (MOST, 1);
    Row {
        name,
        most,
        repeat,
        once,
    }
}

const fn large(name: &'static str, once: fn(&mut Side, usize) -> Result<Duration>) -> Row {
    Row {
        most: MOST_LARGE,
        ..row(name, once)
    }
}

/// A call to a server, which is short and varies more: with 400 runs the same program was up to 1.04 x itself.
const fn served(name: &'static str, once: fn(&mut Side, usize) -> Result<Duration>) -> Row {
    Row {
        repeat: 10,
        ..row(name, once)
    }
}

/// Compares the program with `other`; `only` keeps the rows whose name contains it.
pub(super) fn measure(
    other: &Path,
    only: Option<&str>,
    args: &mut Args,
    sizes: &Sizes,
    out: &mut dyn Write,
) -> Result<Gates> {
    let default = match sizes.bars {
        Bars::Decide => RUNS,
        Bars::Inform => SAMPLE_RUNS,
    };
    let runs = args.value("--runs")?.unwrap_or(default);
    args.finish()?;
    ensure!(runs >= 4, "--runs must be at least 4");
    let other = other
        .canonicalize()
        .with_context(|| other.display().to_string())?;
    let mut sides = [
        Side::new(&hashline()?, sizes.render)?,
        Side::new(&other, sizes.render)?,
    ];
    writeln!(
        out,
        "\n== this program and another by turns, median of {runs} runs, large file: {} lines\n",
        sizes.render
    )?;
    let mut gates = Gates::default();
    let header = [
        "row",
        "ours, ms",
        "middle half",
        "other, ms",
        "ratio",
        "in quarters",
    ];
    let mut table = Table::new(1, header);
    for row in &ROWS {
        if only.is_some_and(|only| !row.name.contains(only)) {
            continue;
        }
        match times(row, &mut sides, runs * row.repeat) {
            Ok(times) => table.row(compared(row, &times, sizes.bars, &mut gates)),
            Err(failed) => {
                // The other program may be too old for a command; ours must run them all.
                let gate = format!("{}: both programs run it", row.name);
                gates.check(gate, failed.to_string(), failed.of_other);
            }
        }
    }
    table.print(out)?;
    for mut side in sides {
        side.stop_server()?;
    }
    Ok(gates)
}

/// A program that cannot do what a row measures.
#[derive(Debug)]
struct CannotRun {
    of_other: bool,
    error: anyhow::Error,
}

impl std::fmt::Display for CannotRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let which = if self.of_other {
            "the other program"
        } else {
            "this program"
        };
        write!(f, "not compared, {which} cannot run it: {:#}", self.error)
    }
}

/// Returns the times of both programs, ours first, in the order of the runs.
fn times(
    row: &Row,
    sides: &mut [Side; 2],
    runs: usize,
) -> std::result::Result<[Vec<Duration>; 2], CannotRun> {
    let mut times = [Vec::with_capacity(runs), Vec::with_capacity(runs)];
    for run in 0..WARM_UP + runs {
        // Who goes first finds the caches as the other left them, and who starts a server first finds other cores, so they alternate.
        let turn = run + run / RUNS_PER_SERVER;
        let order = if turn.is_multiple_of(2) {
            [0, 1]
        } else {
            [1, 0]
        };
        for which in order {
            let side = &mut sides[which];
            let stopped = if run.is_multiple_of(RUNS_PER_SERVER) {
                side.stop_server()
            } else {
                Ok(())
            };
            let time = stopped.and_then(|()| (row.once)(side, run));
            let time = time.map_err(|error| CannotRun {
                of_other: which == 1,
                error,
            })?;
            if run >= WARM_UP {
                times[which].push(time);
            }
        }
    }
    Ok(times)
}

fn compared(row: &Row, times: &[Vec<Duration>; 2], bars: Bars, gates: &mut Gates) -> Vec<String> {
    let [ours, other] = times;
    let over = paired_ratio(ours, other);
    let gate = format!("{}: at most {:.2} x the other program", row.name, row.most);
    gates.check_bar(bars, gate, format!("{over:.3} x"), over <= row.most);
    let mut sorted = ours.clone();
    sorted.sort_unstable();
    let quarter = ours.len() / 4;
    let (low, high) = (sorted[quarter], sorted[quarter * 3]);
    let quarters = ours.chunks_exact(quarter).zip(other.chunks_exact(quarter));
    let mut quarters: Vec<f64> = quarters
        .map(|(ours, other)| paired_ratio(ours, other))
        .collect();
    quarters.sort_by(f64::total_cmp);
    vec![
        row.name.to_owned(),
        millis(median(ours)),
        format!("{} to {}", millis(low), millis(high)),
        millis(median(other)),
        format!("{over:.3}"),
        format!("{:.2} to {:.2}", quarters[0], quarters[quarters.len() - 1]),
    ]
}

/// Returns the median of the ratios of each run, ours against the other right before or after it.
///
/// Not the ratio of the medians: when a build starts halfway through, times become bimodal, and the two medians may fall on different sides
/// of the gap (1.28 x was seen where no quarter of the runs was above 1.03 x).
fn paired_ratio(ours: &[Duration], other: &[Duration]) -> f64 {
    let pairs = ours.iter().zip(other);
    let mut ratios: Vec<f64> = pairs.map(|(ours, other)| ratio(*ours, *other)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// One of the two programs, with files and state of its own.
struct Side {
    program: PathBuf,
    folder: tempfile::TempDir,
    /// Lines of the large file.
    large: usize,
    /// An anchor in the file that is verified.
    anchor: String,
    server: Option<Server>,
    edits: Edits,
}

impl Side {
    fn new(original: &Path, large: usize) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        let program = install(original, folder.path())?;
        for (name, lines) in FILES.into_iter().chain([(LARGE, large)]) {
            fs::write(path(name), made_text::code(lines)?)?;
        }
        tree::plant(&path(TREE), SEARCHED)?;
        fs::write(path("guard"), "cargo test 2>&1 | tail -20")?;
        let event = |name: &str, tool: &str, input: serde_json::Value| {
            let event = json!({
                "hook_event_name": "PreToolUse", "session_id": "s", "cwd": folder.path(), "tool_name": tool, "tool_input": input
            });
            fs::write(path(name), event.to_string())
        };
        event(
            "passes",
            "Bash",
            json!({"command": "cargo test 2>&1 | tail"}),
        )?;
        event(
            "refused",
            "Bash",
            json!({"command": "cat page.rs | head -20"}),
        )?;
        event("edit", "Edit", json!({"file_path": path(EDITED)}))?;
        let anchor = super::program::anchor(&path(VERIFIED), 1000)?;
        Ok(Self {
            program,
            folder,
            large,
            anchor,
            server: None,
            edits: Edits::new(SERVED),
        })
    }

    fn run(&self, args: &[&str]) -> Result<Duration> {
        self.run_with(Stdio::null(), args)
    }

    /// Runs the program with a file of the folder on standard input.
    fn run_on(&self, input: &str, args: &[&str]) -> Result<Duration> {
        let input = fs::File::open(self.folder.path().join(input))?;
        self.run_with(input.into(), args)
    }

    fn run_with(&self, input: Stdio, args: &[&str]) -> Result<Duration> {
        let folder = self.folder.path();
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .current_dir(folder)
            .env("XDG_STATE_HOME", folder.join("state"))
            .env("XDG_CONFIG_HOME", folder.join("config"))
            .env_remove("HASHLINE_SESSION")
            .stdin(input);
        run_once(&mut command)
    }

    fn apply(&self, file: &str, index: usize) -> Result<Duration> {
        let request = request(self.folder.path(), file, index)?;
        self.run(&["apply", "--input", &request, "--emit", "none"])
    }

    /// Returns the program as a server, started with the first call.
    fn server(&mut self) -> Result<&mut Server> {
        if self.server.is_none() {
            let mut server = Server::start(&self.program, self.folder.path())?;
            server.call("read", &json!({"path": SHORT}))?;
            self.edits.rev = rev(&server.call("read", &json!({"path": SERVED}))?)?;
            self.server = Some(server);
        }
        self.server.as_mut().context("it was started")
    }

    fn stop_server(&mut self) -> Result<()> {
        self.server.take().map_or(Ok(()), Server::end)
    }
}
