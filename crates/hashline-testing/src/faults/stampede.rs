//! T8: many processes edit one file at once, each with the anchors it was shown at the start.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use super::trace::{Run, finish};
use super::{Bench, Extent, Row};

const PROCESSES: usize = 16;

/// T8: every edit lands without another read, because anchors are carried over what the others wrote.
pub(super) fn all_at_once(bench: &Bench, extent: Extent) -> Row {
    let edits = match extent {
        Extent::Sample => 12,
        Extent::Full => 200,
    };
    let root = bench.scratch.join("stampede");
    let state = bench.scratch.join("state");
    let file = set_up(&root, edits);
    let shown = driver(bench, &root, &state, &["read", "file"], "").said;
    let mut lines = shown.lines();
    let rev = lines.next().unwrap_or_default().to_owned();
    let anchors: Vec<&str> = lines
        .filter_map(|line| line.split_once('|'))
        .map(|(anchor, _)| anchor)
        .collect();
    let mut row = Row::new("T8 stampede");
    row.cases = anchors.len();
    let refused: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = anchors
            .chunks(edits)
            .enumerate()
            .map(|(worker, anchors)| {
                let (root, state, rev) = (&root, &state, &rev);
                scope.spawn(move || {
                    let edit = |(turn, anchor): (usize, &&str)| {
                        let text = written(worker * edits + turn);
                        let request = format!(
                            r#"{{"path":"file","rev":"{rev}","edits":[{{"op":"replace","at":"{anchor}","lines":["{text}"]}}]}}"#
                        );
                        let run = driver(bench, root, state, &["apply"], &request);
                        (run.code != Some(0)).then_some(run.said)
                    };
                    anchors.iter().enumerate().filter_map(edit).collect::<Vec<_>>()
                })
            })
            .collect();
        let joined = workers.into_iter().filter_map(|worker| worker.join().ok());
        joined.flatten().collect()
    });
    row.violations.extend(refused);
    let lost = count_lost(&file, PROCESSES * edits);
    if lost > 0 || row.cases != PROCESSES * edits {
        row.violations
            .push(format!("{lost} of {} edits are lost", row.cases));
    }
    row.control = careless_writers_lose(&root, edits);
    row
}

/// Makes a file with one line for each edit.
fn set_up(root: &Path, edits: usize) -> std::path::PathBuf {
    let lines = (0..PROCESSES * edits).map(|line| format!("line {line}\n"));
    super::tree::make(root, &[("file", &lines.collect::<String>())]);
    root.join("file")
}

fn written(line: usize) -> String {
    format!("edit of line {line} is here")
}

fn count_lost(file: &Path, edits: usize) -> usize {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let stands = |&line: &usize| lines.get(line) != Some(&written(line).as_str());
    (0..edits).filter(stands).count()
}

/// The control: the same edits by read, change, write.
fn careless_writers_lose(root: &Path, edits: usize) -> usize {
    let file = set_up(root, edits);
    thread::scope(|scope| {
        for worker in 0..PROCESSES {
            let file = &file;
            scope.spawn(move || {
                for line in (0..edits).map(|turn| worker * edits + turn) {
                    let text = fs::read_to_string(file).unwrap_or_default();
                    let old = format!("line {line}\n");
                    let new = format!("{}\n", written(line));
                    let _ = fs::write(file, text.replacen(&old, &new, 1));
                }
            });
        }
    });
    count_lost(&file, PROCESSES * edits)
}

fn driver(bench: &Bench, root: &Path, state: &Path, words: &[&str], input: &str) -> Run {
    let mut command = Command::new(&bench.driver);
    command
        .env("HASHLINE_STATE", state)
        .arg(root)
        .args(words)
        .stdin(Stdio::piped());
    finish(command, input)
}
