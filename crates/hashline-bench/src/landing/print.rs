//! The tables of the battery.

use std::io::Write;

use anyhow::Result;

use super::attempt::Mode;
use super::battery::Results;
use super::distance::Distance;
use super::kinds::{Claim, KINDS};
use super::tally::Tally;
use super::verdict::Verdict;
use crate::table::{Table, bar, count, percent};

/// Explains the columns.
pub(super) fn legend(out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "\
Each trial: an agent is shown lines, others write to the file, then the agent edits with the anchors it has.
  standing   the lines meant are all still there, unchanged and together, and were shown: only these should land
  right      the file is what it must be
  harmful    another line was hit, and it reads otherwise than the one meant, three neighbours each way included
  lost       a line that somebody else wrote meanwhile was overwritten
  blind      a line that was never shown to the agent is gone
  twin       another line was hit that reads like the one meant, neighbours included: undecidable
  reused     another line was hit, which was shown in the current file under the same anchor: without rev the anchor means this line (L10)
  told       another line was hit, and the answer says that it was not followed: no record of it, or too long a file (L5, L8)
  stale, ambiguous, unseen, other: refused, nothing written
  needless   refused though the lines stand
Landings: with the revision of the answer (rev) or without, callers without sessions, with one, with two; strict (number and tag,
no rev), seed (omp's search).
On the way: edits that the story needed before the one that is judged, with rev."
    )?;
    Ok(())
}

/// Prints what became of every kind, as counts.
pub(super) fn counts(results: &[Results], out: &mut dyn Write) -> Result<()> {
    let first = ["kind", "landing", "trials", "standing"];
    let header = [&first[..], &Verdict::ALL.map(Verdict::name)].concat();
    let mut table = Table::new(2, header);
    each_tally(results, |name, landing, tally| {
        let figures = figures(tally).map(count);
        let trials = [count(tally.trials), count(tally.standing)];
        table.row([vec![name, landing], trials.to_vec(), figures.to_vec()].concat());
    });
    table.print(out)
}

/// Prints the same in percent of the trials, and how many of the lines that still stand were found.
pub(super) fn shares(results: &[Results], out: &mut dyn Write) -> Result<()> {
    let verdicts = Verdict::ALL.map(|verdict| format!("{} %", verdict.name()));
    let mut header = vec!["kind".to_owned(), "landing".to_owned()];
    header.extend(verdicts);
    header.extend(["needless %", "right of trials"].map(str::to_owned));
    let mut table = Table::new(2, header);
    each_tally(results, |name, landing, tally| {
        let shares = figures(tally).map(|figure| percent(figure, tally.trials));
        let right = tally.count(Verdict::Right);
        let needless = percent(tally.standing.saturating_sub(right), tally.standing);
        let drawn = format!("{:<20}", bar(right as f64, tally.trials as f64, 20));
        table.row([vec![name, landing], shares.to_vec(), vec![needless, drawn]].concat());
    });
    table.print(out)
}

/// Prints the kinds whose distance from the change matters, split by it.
pub(super) fn distances(results: &[Results], out: &mut dyn Write) -> Result<()> {
    let first = ["kind", "lines to the change", "landing", "trials", "right"];
    let rest = &Verdict::ALL.map(Verdict::name)[1..];
    let header = [&first[..], &["right %"], rest].concat();
    let mut table = Table::new(3, header);
    for (kind, results) in KINDS
        .iter()
        .zip(results)
        .filter(|(kind, _)| kind.claim == Claim::FarAway)
    {
        for (distance, tallies) in Distance::ALL.iter().zip(&results.distances) {
            for (mode, tally) in Mode::ALL.iter().zip(tallies) {
                let [right, rest @ ..] = figures(tally);
                let names = [kind.name, distance.name(), mode.name()].map(str::to_owned);
                let first = [
                    count(tally.trials),
                    count(right),
                    percent(right, tally.trials),
                ];
                table.row([names.to_vec(), first.to_vec(), rest.map(count).to_vec()].concat());
            }
        }
    }
    table.print(out)
}

/// Prints what became of ambiguous requests that were sent again, once with each revision offered.
pub(super) fn retries(results: &[Results], out: &mut dyn Write) -> Result<()> {
    let header = [
        "kind",
        "ambiguous",
        "sent again",
        "ambiguous again",
        "with the rev meant",
        "right",
        "wrong",
    ];
    let mut table = Table::new(1, header);
    for (kind, results) in KINDS.iter().zip(results) {
        let tally = &results.modes[Mode::NoRev as usize];
        let figures = [
            tally.count(Verdict::Ambiguous),
            tally.retried,
            tally.retried_ambiguous,
            tally.retried_meant,
            tally.retried_right,
            tally.retried_wrong,
        ];
        table.row([vec![kind.name.to_owned()], figures.map(count).to_vec()].concat());
    }
    table.print(out)
}

fn each_tally(results: &[Results], mut row: impl FnMut(String, String, &Tally)) {
    for (kind, results) in KINDS.iter().zip(results) {
        for (mode, tally) in Mode::ALL.iter().zip(&results.modes) {
            row(kind.name.to_owned(), mode.name().to_owned(), tally);
        }
        if results.on_the_way.trials > 0 {
            row(
                kind.name.to_owned(),
                "on the way".to_owned(),
                &results.on_the_way,
            );
        }
    }
}

fn figures(tally: &Tally) -> [u64; Verdict::ALL.len()] {
    Verdict::ALL.map(|verdict| tally.count(verdict))
}
