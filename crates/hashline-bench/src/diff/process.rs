//! One measurement in a process of its own.

use std::fmt;
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use super::pair::Source;
use super::peer::{Hunk, Peer};
use super::{memory, pair};

/// After so long a measurement is given up.
const PATIENCE: Duration = Duration::from_secs(60);
/// A measurement is repeated while it is shorter than this.
const SHORT: Duration = Duration::from_secs(5);
const RUNS: usize = 5;

/// What is to be compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) source: Source,
    pub(super) lines: usize,
    pub(super) changed: usize,
}

/// What was measured.
#[derive(Debug, PartialEq)]
pub(super) struct Measured {
    /// The best time.
    pub(super) time: Duration,
    /// Bytes in use at most, beyond the two texts.
    pub(super) peak: Option<u64>,
    pub(super) hunks: usize,
    pub(super) added: usize,
    pub(super) removed: usize,
    /// Whether the hunks lead from one text to the other.
    pub(super) valid: bool,
}

/// What was measured, or how long was waited in vain.
pub(super) type Outcome = Result<Measured, Duration>;

/// Starts a process that measures, and waits for it.
pub(super) fn measure(peer: Peer, task: Task) -> Result<Outcome> {
    let mut child = Command::new(std::env::current_exe()?)
        .args([
            "diff",
            "--measure",
            peer.name(),
            "--text",
            task.source.name(),
        ])
        .args(["--lines", &task.lines.to_string()])
        .args(["--changed", &task.changed.to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let started = Instant::now();
    while child.try_wait()?.is_none() {
        if started.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(Err(PATIENCE));
        }
        thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output()?;
    let printed = String::from_utf8(output.stdout)?;
    printed
        .trim()
        .parse()
        .map(Ok)
        .with_context(|| format!("{}: {printed:?}", peer.name()))
}

/// Measures in this process.
pub(super) fn measure_here(peer: Peer, task: Task) -> Result<Measured> {
    let before = task
        .source
        .text(task.lines)?
        .context("there are not so many lines")?;
    let after = pair::change(&before, task.lines, task.changed);
    let base = memory::in_use();
    let (hunks, mut time) = timed(peer, &before, &after);
    let peak = memory::peak()
        .zip(base)
        .map(|(peak, base)| peak.saturating_sub(base));
    for _ in 1..RUNS {
        if time < SHORT {
            time = time.min(timed(peer, &before, &after).1);
        }
    }
    Ok(Measured {
        time,
        peak,
        hunks: hunks.len(),
        added: hunks.iter().map(|(_, new)| new.len()).sum(),
        removed: hunks.iter().map(|(old, _)| old.len()).sum(),
        valid: leads_to(&hunks, &before, &after),
    })
}

fn timed(peer: Peer, before: &str, after: &str) -> (Vec<Hunk>, Duration) {
    let started = Instant::now();
    let hunks = peer.hunks(before, after);
    (hunks, started.elapsed())
}

/// Returns whether the new text is the old one with the hunks put in.
fn leads_to(hunks: &[Hunk], before: &str, after: &str) -> bool {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let mut built: Vec<&str> = Vec::with_capacity(new.len());
    let mut done = 0;
    for (gone, came) in hunks {
        built.extend(old.get(done..gone.start).unwrap_or_default());
        built.extend(new.get(came.clone()).unwrap_or_default());
        done = gone.end;
    }
    built.extend(old.get(done..).unwrap_or_default());
    built == new
}

impl fmt::Display for Measured {
    /// Writes the figures for the process that waits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let peak = self.peak.map_or("-".to_owned(), |bytes| bytes.to_string());
        let nanos = self.time.as_nanos();
        let Self {
            hunks,
            added,
            removed,
            valid,
            ..
        } = self;
        write!(f, "{nanos} {peak} {hunks} {added} {removed} {valid}")
    }
}

impl FromStr for Measured {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [nanos, peak, hunks, added, removed, valid] = words[..] else {
            return Err(anyhow!("six figures were expected"));
        };
        Ok(Self {
            time: Duration::from_nanos(nanos.parse()?),
            peak: peak.parse().ok(),
            hunks: hunks.parse()?,
            added: added.parse()?,
            removed: removed.parse()?,
            valid: valid.parse()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Measured;

    #[test]
    fn figures_survive_the_way_to_the_process_that_waits() {
        let measured = Measured {
            time: Duration::from_micros(7),
            peak: None,
            hunks: 1,
            added: 2,
            removed: 3,
            valid: true,
        };
        let read: Measured = measured.to_string().parse().expect("six figures");
        assert_eq!(read, measured);
    }
}
