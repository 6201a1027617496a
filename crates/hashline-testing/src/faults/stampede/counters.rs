//! The first form: all processes raise the same few counters, and write down that they did. Most requests come late.

use std::collections::BTreeSet;

use super::client::{Client, Sight, Tally};
use super::{PROCESSES, Stampede};

const COUNTERS: usize = 4;

/// More tries than this for one edit mean that it never lands.
const TRIES: usize = 2000;

/// Lets every process raise counters; whoever is refused tries again with the lines that the refusal shows.
pub(super) fn run(stampede: &Stampede) -> Tally {
    let filler =
        |counter: usize| (0..12).map(move |line| format!("between {counter} and {line}\n"));
    let lines = (0..COUNTERS).flat_map(|counter| {
        std::iter::once(format!("counter {counter}: 0\n")).chain(filler(counter))
    });
    stampede.set_up(&lines.collect::<String>());
    let shown = Client::new(stampede).read();
    let mut tally = stampede.run(|worker, client| {
        let mut known = shown.clone();
        for turn in 0..stampede.edits {
            raise(client, &mut known, worker, turn);
        }
    });
    tally.violations.extend(missing(stampede));
    tally
}

/// Raises one counter, however often it takes.
fn raise(client: &mut Client<'_>, known: &mut Vec<Sight>, worker: usize, turn: usize) {
    let head = format!("counter {}: ", (worker + turn) % COUNTERS);
    for try_no in 0..TRIES {
        let counter = known.iter().rev().find_map(|sight| {
            Some((
                sight.text.strip_prefix(&head)?.parse::<usize>().ok()?,
                sight,
            ))
        });
        let Some((count, sight)) = counter else {
            return client.went_wrong(format!("nothing shows {head}"));
        };
        let lines = [format!("{head}{}", count + 1), raised(worker, turn)];
        let sight = sight.clone();
        if try_no > 0 {
            client.retries();
        }
        let answer = client.replace(&sight, Some(&sight.rev), &lines);
        let handed = answer.handed();
        let shows = handed.iter().any(|sight| sight.text.starts_with(&head));
        match (answer.is_ok(), answer.code().as_str()) {
            (false, "busy") => continue,
            (true, _) | (false, "stale") if shows => *known = merged(known, handed),
            _ => return client.went_wrong(format!("no way to go on from {answer:?}")),
        }
        if answer.is_ok() {
            return;
        }
    }
    client.went_wrong(format!("{} never landed", raised(worker, turn)));
}

/// Adds what was shown last to what is known; of each counter only the last sight counts.
fn merged(known: &[Sight], handed: Vec<Sight>) -> Vec<Sight> {
    let counters = |sight: &&Sight| sight.text.starts_with("counter ");
    let old = known.iter().filter(counters).cloned();
    let mut all: Vec<Sight> = old.chain(handed.iter().filter(counters).cloned()).collect();
    let mut seen = BTreeSet::new();
    all.reverse();
    all.retain(|sight| seen.insert(sight.text.split(':').next().map(str::to_owned)));
    all.reverse();
    all
}

fn raised(worker: usize, turn: usize) -> String {
    format!("raised by {worker} in turn {turn}")
}

/// Looks whether every edit is there once and the counters say so.
fn missing(stampede: &Stampede) -> Vec<String> {
    let lines = stampede.lines();
    let turns =
        (0..PROCESSES).flat_map(|worker| (0..stampede.edits).map(move |turn| (worker, turn)));
    let mut wrong: Vec<String> = turns
        .map(|(worker, turn)| raised(worker, turn))
        .filter(|line| lines.iter().filter(|found| *found == line).count() != 1)
        .map(|line| format!("not there once: {line}"))
        .collect();
    let counts = lines
        .iter()
        .filter_map(|line| line.strip_prefix("counter "));
    let counts = counts.filter_map(|line| line.split_once(": ")?.1.parse::<usize>().ok());
    let (sum, all) = (counts.sum::<usize>(), PROCESSES * stampede.edits);
    if sum != all {
        wrong.push(format!("the counters say {sum} of {all}"));
    }
    wrong
}
