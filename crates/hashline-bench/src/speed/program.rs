//! The program as people run it, beside `cat`, `sed`, `cp`, a hello world, and the published crate of the same name.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use hashline_core::Document;
use hashline_core::render;
use hashline_core::scheme::Scheme;

use super::Sizes;
use super::turns::{best_times, median_times, peak_memory};
use crate::clock::{millis, ratio};
use crate::gates::{Bars, Gates};
use crate::made_text;
use crate::program::{cargo, hashline, install};
use crate::table::Table;

/// The published crate of the same name, and its version.
const PEER: (&str, &str) = ("hashline", "0.2.1");

/// Runs of each hook, of which the median counts.
const HOOK_RUNS: usize = 200;

/// A folder with files, and the programs.
struct Scene {
    folder: tempfile::TempDir,
    ours: PathBuf,
    hello: PathBuf,
    /// Only in a full run: it takes minutes to install.
    peer: Option<PathBuf>,
    lines: usize,
    runs: usize,
}

/// Measures everything.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let scene = Scene::new(sizes)?;
    scene.start(sizes.bars, gates, out)?;
    scene.hook(sizes.bars, gates, out)?;
    scene.read(sizes.bars, gates, out)?;
    scene.part(sizes.bars, gates, out)?;
    scene.ledger(sizes.bars, gates, out)?;
    scene.apply(sizes.bars, gates, out)?;
    scene.apply_small(out)
}

impl Scene {
    fn new(sizes: &Sizes) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        fs::write(
            folder.path().join("large.rs"),
            made_text::code(sizes.render)?,
        )?;
        fs::write(folder.path().join("page.rs"), made_text::code(2000)?)?;
        fs::write(folder.path().join("small.rs"), made_text::code(500)?)?;
        let hello = build_hello(folder.path())?;
        let peer = match sizes.bars {
            Bars::Decide => Some(install_peer()?),
            Bars::Inform => None,
        };
        Ok(Self {
            ours: install(&hashline()?, folder.path())?,
            hello,
            peer,
            lines: sizes.render,
            runs: sizes.runs,
            folder,
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ours(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.ours);
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env_remove("HASHLINE_SESSION");
        command
    }

    /// How long it takes to start.
    fn start(&self, bars: Bars, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
        let mut commands = [
            Command::new(&self.hello),
            self.ours(&["--version"]),
            self.ours(&["hash", "--help"]),
        ];
        let times = best_times(&mut commands, self.runs * 20)?;
        writeln!(out, "\n== the start of a process\n")?;
        let names = [
            "a hello world",
            "hashline --version",
            "hashline hash --help",
        ];
        print(&names, &times, "x hello", out)?;
        bar(
            bars,
            gates,
            "start: at most 1.5 x a hello world",
            &times,
            1,
            1.5,
        );
        Ok(())
    }

    /// How long an agent waits before and after each use of its own tools.
    fn hook(&self, bars: Bars, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
        let event = |name: &str, hook: &str, tool: &str, about: &str| -> Result<PathBuf> {
            let (cwd, path) = (self.folder.path().display(), self.path(name));
            fs::write(
                &path,
                format!(
                    r#"{{"hook_event_name":"{hook}","session_id":"s","cwd":"{cwd}","tool_name":"{tool}",{about}}}"#
                ),
            )?;
            Ok(path)
        };
        let small = self.path("small.rs");
        let edit = format!(r#""tool_input":{{"file_path":"{}"}}"#, small.display());
        let content = serde_json::to_string(&fs::read_to_string(&small)?)?;
        let read = format!(
            r#"{edit},"tool_response":{{"type":"text","file":{{"content":{content},"startLine":1}}}}"#
        );
        let (shows, runs) = (
            r#""tool_input":{"command":"cat small.rs | head -20"}"#,
            r#""tool_input":{"command":"cargo test 2>&1 | tail"}"#,
        );
        let mut programs = [
            (self.ours(&["--version"]), PathBuf::from("/dev/null")),
            (
                self.ours(&["hook"]),
                event("edit", "PreToolUse", "Edit", &edit)?,
            ),
            (
                self.ours(&["hook"]),
                event("shows", "PreToolUse", "Bash", shows)?,
            ),
            (
                self.ours(&["hook"]),
                event("runs", "PreToolUse", "Bash", runs)?,
            ),
            (
                self.ours(&["hook"]),
                event("ran", "PostToolUse", "Bash", runs)?,
            ),
            (
                self.ours(&["hook"]),
                event("read", "PostToolUse", "Read", &read)?,
            ),
            (
                self.ours(&["guard", "--json"]),
                self.command_file("cargo test 2>&1 | tail -20")?,
            ),
        ];
        let times = median_times(&mut programs, HOOK_RUNS)?;
        writeln!(
            out,
            "\n== around an agent's own tools, median of {HOOK_RUNS}\n"
        )?;
        let names = [
            "hashline --version",
            "hook: an edit, refused",
            "hook: a command, refused",
            "hook: a command that passes",
            "hook: a command that ran",
            "hook: 500 lines that were read",
            "guard: a command that passes",
        ];
        print(&names, &times, "x --version", out)?;
        let slowest = (1..5).max_by_key(|&which| times[which]).unwrap_or(1);
        bar(
            bars,
            gates,
            "hook: at most 1.4 x --version",
            &times,
            slowest,
            1.4,
        );
        let guard = times.len() - 1;
        let name = "guard: at most 1.4 x --version";
        bar(bars, gates, name, &times, guard, 1.4);
        Ok(())
    }

    /// Writes a command line for the guard into a file.
    fn command_file(&self, command: &str) -> Result<PathBuf> {
        let path = self.path("command");
        fs::write(&path, command)?;
        Ok(path)
    }

    /// A whole large file, into a pipe.
    fn read(&self, bars: Bars, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
        let mut cat = Command::new("cat");
        cat.arg(self.path("large.rs"));
        let mut commands = vec![cat, self.ours(&["read", "large.rs"])];
        commands.push(self.ours(&["read", "large.rs", "--set", "ledger.on=false"]));
        let mut names = vec!["cat", "hashline read", "the same, ledger off"];
        if let Some(peer) = &self.peer {
            let mut command = Command::new(peer);
            command
                .args(["read", "large.rs"])
                .current_dir(self.folder.path());
            commands.push(command);
            names.push("hashline 0.2.1 read");
        }
        let times = best_times(&mut commands, self.runs * 3)?;
        writeln!(out, "\n== read of {} lines into a pipe\n", self.lines)?;
        print(&names, &times, "x cat", out)?;
        if let Some(peer) = times.get(3) {
            let over = ratio(times[1], *peer);
            let name = "read: at most 0.4 x hashline 0.2.1, ledger on";
            gates.check_bar(bars, name, format!("{over:.2} x"), over <= 0.4);
        }
        self.memory(bars, gates, out)
    }

    /// The memory that takes.
    fn memory(&self, bars: Bars, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
        let size = fs::metadata(self.path("large.rs"))?.len();
        let edit = self.request("large.rs", self.lines / 2)?;
        let cases = [
            ("read", self.ours(&["read", "large.rs"]), size * 5 / 2),
            (
                "apply of one edit",
                self.ours(&["apply", "--input", &edit, "--dry-run", "--emit", "none"]),
                size * 4 + (64 << 20),
            ),
        ];
        let mib = |bytes: u64| {
            format!(
                "{:.1}",
                Duration::from_micros(bytes).as_secs_f64() / 1.048_576
            )
        };
        let mut table = Table::new(1, ["peak memory, MiB", "ours", "file", "bar"]);
        for (name, mut command, most) in cases {
            let peak = peak_memory(&mut command)?;
            table.row(vec![name.to_owned(), mib(peak), mib(size), mib(most)]);
            let gate = format!("memory of {name}: at most {} MiB", mib(most));
            gates.check_bar(bars, gate, format!("{} MiB", mib(peak)), peak <= most);
        }
        writeln!(out)?;
        table.print(out)?;
        Ok(())
    }

    /// Some lines near the end of it.
    fn part(&self, bars: Bars, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
        let first = self.lines / 10 * 9;
        let mut sed = Command::new("sed");
        sed.arg("-n").arg(format!("{first},{}p", first + 24));
        sed.arg(self.path("large.rs"));
        let start = first.to_string();
        let ours = ["read", "large.rs", "--start-line", &start, "--lines", "25"];
        let mut commands = [sed, self.ours(&ours)];
        let times = best_times(&mut commands, self.runs * 4)?;
        writeln!(out, "\n== 25 lines at line {first}\n")?;
        print(&["sed -n", "hashline read"], &times, "x sed", out)?;
        bar(
            bars,
            gates,
            "part, as a program: at most 0.35 x sed",
            &times,
            1,
            0.35,
        );
        Ok(())
    }

    /// What it costs to remember.
    fn ledger(&self, bars: Bars, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
        let mut commands = [
            self.ours(&["read", "page.rs", "--set", "ledger.on=false"]),
            self.ours(&["read", "page.rs"]),
        ];
        let times = best_times(&mut commands, self.runs * 20)?;
        writeln!(out, "\n== read of 2000 lines\n")?;
        print(&["ledger off", "ledger on"], &times, "x off", out)?;
        bar(
            bars,
            gates,
            "ledger, as a program: at most 1.15 x off",
            &times,
            1,
            1.15,
        );
        Ok(())
    }

    /// One edit of a large file, made durable.
    fn apply(&self, bars: Bars, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
        let (mut copied, mut applied) = (Duration::MAX, Duration::MAX);
        for run in 0..self.runs * 2 {
            let started = Instant::now();
            self.copy_durably()?;
            copied = copied.min(started.elapsed());
            let request = self.request("large.rs", self.lines / 2 + run)?;
            let mut command = self.ours(&["apply", "--input", &request, "--emit", "none"]);
            let started = Instant::now();
            ensure!(command.output()?.status.success(), "the edit is refused");
            applied = applied.min(started.elapsed());
        }
        writeln!(out, "\n== one edit of {} lines, durable\n", self.lines)?;
        let times = [copied, applied];
        print(&["cp and fsync", "hashline apply"], &times, "x cp", out)?;
        bar(
            bars,
            gates,
            "apply: at most 3 x cp and fsync",
            &times,
            1,
            3.0,
        );
        Ok(())
    }

    /// One edit of a small file: as a process it is mostly its start, so this is printed only. In one process it has a bar.
    fn apply_small(&self, out: &mut dyn Write) -> Result<()> {
        let mut best = Duration::MAX;
        for run in 0..self.runs * 4 {
            let request = self.request("small.rs", 100 + run)?;
            let mut command = self.ours(&["apply", "--input", &request, "--emit", "none"]);
            let started = Instant::now();
            ensure!(command.output()?.status.success(), "the edit is refused");
            best = best.min(started.elapsed());
        }
        writeln!(
            out,
            "\n== one edit of 500 lines, durable, start of the process included: {} ms",
            millis(best)
        )?;
        Ok(())
    }

    fn copy_durably(&self) -> Result<()> {
        let copy = self.path("copy.rs");
        let mut command = Command::new("cp");
        let copied = command.arg(self.path("large.rs")).arg(&copy).status()?;
        ensure!(copied.success(), "the file cannot be copied");
        Ok(File::open(&copy)?.sync_all()?)
    }

    fn request(&self, file: &str, index: usize) -> Result<String> {
        request(self.folder.path(), file, index)
    }
}

/// Writes a request that replaces one line, of the file as it is now; returns where it is.
pub(super) fn request(folder: &Path, file: &str, index: usize) -> Result<String> {
    let anchor = anchor(&folder.join(file), index)?;
    let text = format!("// changed at {index}");
    let request = format!(
        r#"{{"path":"{file}","edits":[{{"set_line":{{"anchor":"{anchor}","new_text":"{text}"}}}}]}}"#
    );
    fs::write(folder.join("request.json"), request)?;
    Ok("request.json".to_owned())
}

/// Returns the anchor of a line, of the file as it is now.
pub(super) fn anchor(file: &Path, index: usize) -> Result<String> {
    let document = Document::new(fs::read(file)?);
    let span = hashline_core::text::LineSpan::new(index..index + 1);
    let line = render::anchored(&document, span, Scheme::Omp).next();
    Ok(line.context("there is such a line")?.anchor().to_string())
}

fn print(names: &[&str], times: &[Duration], over: &str, out: &mut dyn Write) -> Result<()> {
    let mut table = Table::new(1, ["program", "ms", over]);
    for (name, time) in names.iter().zip(times) {
        let over = format!("{:.2}", ratio(*time, times[0]));
        table.row(vec![(*name).to_owned(), millis(*time), over]);
    }
    table.print(out)
}

/// Checks how many times as long as the first of them one takes.
fn bar(bars: Bars, gates: &mut Gates, name: &str, times: &[Duration], which: usize, most: f64) {
    let over = ratio(times[which], times[0]);
    gates.check_bar(bars, name, format!("{over:.2} x"), over <= most);
}

/// Builds the smallest program there is.
fn build_hello(folder: &Path) -> Result<PathBuf> {
    let built_in = tempfile::tempdir()?;
    let path = |name: &str| built_in.path().join(name);
    let (source, hello) = (path("hello.rs"), path("hello"));
    fs::write(&source, "fn main() {\n    println!(\"hello\");\n}\n")?;
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc)
        .arg("-O")
        .arg("-o")
        .arg(&hello)
        .arg(&source)
        .status()?;
    ensure!(built.success(), "the hello world cannot be built: {built}");
    install(&hello, folder)
}

/// Installs the published crate of the same name into a folder of its own, unless it is there.
fn install_peer() -> Result<PathBuf> {
    let (name, version) = PEER;
    let beside = std::env::current_exe()?.with_file_name("peer");
    let peer = beside.join("bin").join(name);
    if !peer.exists() {
        let args = [
            "install",
            "--quiet",
            "--locked",
            name,
            "--version",
            version,
            "--root",
        ];
        let installed = cargo().args(args).arg(&beside).status()?;
        ensure!(
            installed.success(),
            "{name} {version} cannot be installed: {installed}"
        );
    }
    Ok(peer)
}
