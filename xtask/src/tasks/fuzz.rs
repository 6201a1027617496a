//! `fuzz`: libFuzzer on every target of `fuzz/`, one row each.
//!
//! What a run learns stays in `fuzz/corpus/<target>`, and the next one starts from there. cargo-fuzz asks for a nightly
//! compiler only for its `-Z` flags, which `RUSTC_BOOTSTRAP` opens on the stable one.

use std::fs;
use std::time::Instant;

use crate::command::{Command, cargo, root};
use crate::failure::Failure;
use crate::screen;
use crate::tool;

/// An input that takes longer than this many seconds counts as a finding.
const SLOWEST_INPUT: u64 = 10;

/// What to fuzz, and how long each.
#[derive(Debug, PartialEq)]
struct Request {
    target: Option<String>,
    seconds: u64,
}

/// How one target fared.
struct Run {
    target: String,
    passed: bool,
    row: [String; 5],
}

/// Fuzzes the targets asked for, all of them to the end, and fails when one of them broke.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    let request = parse(args)?;
    tool::FUZZ.ensure()?;
    let targets = targets(&request)?;
    screen::heading("build the fuzz targets");
    cargo_fuzz("build").args(request.target.as_slice()).run()?;
    let runs = targets
        .iter()
        .map(|target| fuzz(target, request.seconds))
        .collect::<Result<Vec<_>, _>>()?;

    screen::heading("summary");
    let head = ["target", "result", "time", "inputs tried", "corpus"].map(str::to_owned);
    let rows: Vec<_> = std::iter::once(head)
        .chain(runs.iter().map(|run| run.row.clone()))
        .collect();
    screen::table(&rows);
    let broken: Vec<_> = runs
        .into_iter()
        .filter(|run| !run.passed)
        .map(|run| run.target)
        .collect();
    if broken.is_empty() {
        Ok(())
    } else {
        Err(Failure::Broken { targets: broken })
    }
}

fn parse(args: &[String]) -> Result<Request, Failure> {
    let mut request = Request {
        target: None,
        seconds: 60,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--seconds" {
            request.seconds = args
                .next()
                .and_then(|number| number.parse().ok())
                .filter(|&seconds| seconds > 0)
                .ok_or_else(|| {
                    Failure::Usage("--seconds wants a number of at least 1".to_owned())
                })?;
        } else if arg.starts_with('-') || request.target.is_some() {
            return Err(Failure::Usage(format!(
                "fuzz takes one target and --seconds N, so `{arg}` means nothing"
            )));
        } else {
            request.target = Some(arg.clone());
        }
    }
    Ok(request)
}

/// Returns the targets asked for, each one known to exist.
fn targets(request: &Request) -> Result<Vec<String>, Failure> {
    let known: Vec<String> = cargo_fuzz("list")
        .read()?
        .lines()
        .map(str::to_owned)
        .collect();
    match &request.target {
        None if known.is_empty() => {
            Err(Failure::Usage("fuzz/Cargo.toml names no target".to_owned()))
        }
        None => Ok(known),
        Some(target) if known.contains(target) => Ok(vec![target.clone()]),
        Some(target) => Err(Failure::Usage(format!(
            "there is no fuzz target `{target}`, only: {}",
            known.join(", ")
        ))),
    }
}

/// Runs one target; its talk is shown only when it breaks.
fn fuzz(target: &str, seconds: u64) -> Result<Run, Failure> {
    // A server that answers in a thread of its own may hold a buffer it has read to the end, which points behind its memory: the search
    // for leaks, right then, takes that for lost. What really piles up still ends the run, by the bound on memory.
    let limits = format!("-max_total_time={seconds} -timeout={SLOWEST_INPUT} -detect_leaks=0");
    let command = cargo_fuzz(&format!("run {target} -- {limits}"));
    screen::heading(format_args!("{target}, for {seconds} s"));
    screen::note(format_args!("$ {command}"));
    let started = Instant::now();
    let output = command.capture()?;
    let time = screen::elapsed(started.elapsed());
    let talk = String::from_utf8_lossy(&output.stderr);
    let passed = output.status.success();
    if !passed {
        screen::note(&talk);
    }
    let outcome = if passed { "passed" } else { "BROKEN" };
    let tried = inputs_tried(&talk).unwrap_or("?").to_owned();
    let row = [
        target.to_owned(),
        outcome.to_owned(),
        time,
        tried,
        corpus_size(target).to_string(),
    ];
    Ok(Run {
        target: target.to_owned(),
        passed,
        row,
    })
}

fn cargo_fuzz(words: &str) -> Command {
    cargo(&format!("fuzz {words}")).env("RUSTC_BOOTSTRAP", "1")
}

/// Finds the count in libFuzzer's last line, `Done 1498380 runs in 60 second(s)`.
fn inputs_tried(talk: &str) -> Option<&str> {
    talk.lines().rev().find_map(|line| {
        line.strip_prefix("Done ")?
            .split_once(" runs in ")
            .map(|(count, _)| count)
    })
}

fn corpus_size(target: &str) -> usize {
    fs::read_dir(root().join("fuzz/corpus").join(target)).map_or(0, Iterator::count)
}

#[cfg(test)]
mod tests {
    use super::{Request, inputs_tried, parse};

    fn request(line: &str) -> Option<Request> {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&args).ok()
    }

    #[test]
    fn all_targets_get_a_minute_unless_told_otherwise() {
        assert_eq!(
            request(""),
            Some(Request {
                target: None,
                seconds: 60
            })
        );
        assert_eq!(
            request("--seconds 5 apply"),
            Some(Request {
                target: Some("apply".to_owned()),
                seconds: 5
            })
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for line in [
            "--seconds",
            "--seconds 0",
            "--seconds soon",
            "apply anchor",
            "--second 5",
        ] {
            assert_eq!(request(line), None, "{line}");
        }
    }

    #[test]
    fn the_count_of_inputs_is_read_from_the_last_line() {
        assert_eq!(
            inputs_tried("#2 INITED\nDone 1498380 runs in 6 second(s)\n"),
            Some("1498380")
        );
        assert_eq!(
            inputs_tried("==7== ERROR: libFuzzer: deadly signal\n"),
            None
        );
    }
}
