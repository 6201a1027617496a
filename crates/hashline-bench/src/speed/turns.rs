//! Programs that run by turns, so that whatever else the machine does slows all of them alike.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::clock::median;

/// Runs programs by turns, their output read to its end through a pipe; returns the best time of each.
pub(super) fn best_times(commands: &mut [Command], runs: usize) -> Result<Vec<Duration>> {
    let mut best = vec![Duration::MAX; commands.len()];
    for _ in 0..runs {
        for (command, best) in commands.iter_mut().zip(&mut best) {
            *best = run_once(command)?.min(*best);
        }
    }
    Ok(best)
}

/// Runs programs by turns, each with a file on standard input; returns the median of each, which is what an agent usually waits for.
pub(super) fn median_times(
    programs: &mut [(Command, PathBuf)],
    runs: usize,
) -> Result<Vec<Duration>> {
    let mut times = vec![Vec::with_capacity(runs); programs.len()];
    for _ in 0..runs {
        for ((command, input), times) in programs.iter_mut().zip(&mut times) {
            command.stdin(File::open(input)?);
            times.push(run_once(command)?);
        }
    }
    Ok(times.iter().map(|times| median(times)).collect())
}

/// Runs a program, its output read to its end through a pipe; returns how long that took.
pub(super) fn run_once(command: &mut Command) -> Result<Duration> {
    let started = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    drain(child.stdout.take().context("its output is read")?);
    let ended = child.wait()?;
    let time = started.elapsed();
    ensure!(ended.success(), "{command:?}: {ended}");
    Ok(time)
}

/// Reads a pipe to its end and keeps nothing, so that the cost of keeping it is not measured.
fn drain(mut output: impl Read) {
    let mut piece = vec![0; 64 << 10];
    while output.read(&mut piece).is_ok_and(|read| read > 0) {}
}

/// Returns the most memory a program held, in bytes. It is sampled, so a short peak at the very end can be missed.
pub(super) fn peak_memory(command: &mut Command) -> Result<u64> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().context("its output is read")?;
    let drain = std::thread::spawn(|| drain(output));
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        peak = peak.max(high_water(&status).unwrap_or(0));
        std::thread::sleep(Duration::from_micros(200));
    }
    drain.join().ok();
    Ok(peak)
}

/// Returns the high-water mark of a process that still runs.
fn high_water(status: &str) -> Option<u64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
