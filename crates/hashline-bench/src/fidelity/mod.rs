//! Fidelity: real file changes, sent as edits in every dialect that can say them, come out byte for byte.
//!
//! A change is a file before, its hunks, and the SHA-256 of the file after. For each dialect it becomes the JSON an agent would send,
//! goes through the parser and the engine, and the result is compared. By the defaults nothing may be altered or refused; the
//! dialects' own definitions stand beside them for contrast.

mod case;
mod history;
mod program;
mod replay;
mod requests;
mod send;

use std::env;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use hashline_wire::Profile;

use crate::args::Args;
use crate::gates::{Bars, Gates};
use crate::git;
use crate::table::{Table, count};
use case::Case;
use program::Program;
use requests::{SPEAKERS, Speaker};
use send::Outcome;

/// A small run takes so many cases.
const SAMPLE: usize = 100;
/// And so many through the program, in its default dialect.
const SAMPLE_OF_PROGRAM: usize = 200;
/// How many cases that went wrong are named.
const NAMED: usize = 5;

/// Replays the changes in every dialect.
pub(crate) fn run(args: &mut Args, out: &mut dyn Write) -> Result<Gates> {
    let sample = args.flag("--sample");
    let repository = args.next().map(PathBuf::from);
    args.finish()?;
    let (source, all) = load(repository)?;
    let cases = if sample {
        &all[..all.len().min(SAMPLE)]
    } else {
        &all
    };
    writeln!(
        out,
        "fidelity: {} changes of files from {source}\n",
        cases.len()
    )?;
    let mut gates = Gates::default();
    let found = match cases.len() {
        0 => "none: a shallow clone or an archive has no history; `git fetch --unshallow`, or name a file in HASHLINE_REPLAY".to_owned(),
        found => count(found as u64),
    };
    let bars = if sample { Bars::Inform } else { Bars::Decide };
    gates.check_bar(
        bars,
        "there are changes to replay",
        found,
        !cases.is_empty(),
    );
    let header = [
        "dialect",
        "cases",
        "sayable",
        "exact",
        "altered",
        "refused",
        "",
        "seed: sayable",
        "exact",
        "altered",
        "refused",
    ];
    let mut table = Table::new(1, header);
    let mut wrong = Vec::new();
    for speaker in &SPEAKERS {
        let ours = Tally::of(speaker, Profile::Default, cases, &mut wrong);
        let seed = Tally::of(speaker, Profile::Seed, cases, &mut Vec::new());
        let first = vec![speaker.dialect.name().to_owned(), count(cases.len() as u64)];
        table.row([first, ours.row(), vec!["|".to_owned()], seed.row()].concat());
        let figure = format!(
            "{} altered, {} refused of {}",
            ours.altered, ours.refused, ours.sayable
        );
        let holds = ours.altered + ours.refused == 0;
        gates.check(
            format!(
                "{}: by the defaults nothing is altered or refused",
                speaker.dialect.name()
            ),
            figure,
            holds,
        );
    }
    table.print(out)?;
    let speakers = if sample { &SPEAKERS[..1] } else { &SPEAKERS };
    let through = if sample {
        &all[..all.len().min(SAMPLE_OF_PROGRAM)]
    } else {
        &all
    };
    by_program(speakers, through, &mut gates, &mut wrong, out)?;
    for line in wrong.iter().take(NAMED) {
        writeln!(out, "  {line}")?;
    }
    Ok(gates)
}

/// Sends the changes through the program that people run.
fn by_program(
    speakers: &[Speaker],
    cases: &[Case],
    gates: &mut Gates,
    wrong: &mut Vec<String>,
    out: &mut dyn Write,
) -> Result<()> {
    let program = Program::new()?;
    let header = [
        "through the program",
        "sayable",
        "exact",
        "altered",
        "refused",
    ];
    let mut table = Table::new(1, header);
    for speaker in speakers {
        let name = speaker.dialect.name();
        let mut tally = Tally::default();
        for case in cases {
            if let Some(request) = (speaker.say)(case, Profile::Default) {
                let outcome = program.send(speaker.dialect, case, &request)?;
                tally.add(speaker, case, &outcome, wrong);
            }
        }
        let figure = format!(
            "{} altered, {} refused of {}",
            tally.altered, tally.refused, tally.sayable
        );
        let holds = tally.altered + tally.refused == 0;
        gates.check(
            format!("{name}, through the program: nothing is altered or refused"),
            figure,
            holds,
        );
        table.row([vec![name.to_owned()], tally.row()].concat());
    }
    writeln!(out)?;
    table.print(out)
}

/// Finds the changes: a file that is named, one beside the repository, or the history of a repository.
fn load(repository: Option<PathBuf>) -> Result<(String, Vec<Case>)> {
    let root = git::root();
    let beside = root.join("../shared/oracle/replay/commits.jsonl.gz");
    let named = env::var_os("HASHLINE_REPLAY").map(PathBuf::from);
    let file = match (named, &repository) {
        (Some(named), _) => Some(named),
        (None, None) => Some(beside).filter(|file| file.exists()),
        (None, Some(_)) => None,
    };
    match file {
        Some(file) => Ok(("a replay file".to_owned(), replay::load(&file)?)),
        None => {
            let named = repository.is_some();
            let repository = repository.unwrap_or(root);
            let cases = match history::load(&repository) {
                Err(_) if !named => Vec::new(),
                loaded => loaded?,
            };
            Ok(("the history of a repository".to_owned(), cases))
        }
    }
}

/// What became of the changes in one dialect.
#[derive(Debug, Default)]
struct Tally {
    sayable: u64,
    exact: u64,
    altered: u64,
    refused: u64,
}

impl Tally {
    fn of(speaker: &Speaker, profile: Profile, cases: &[Case], wrong: &mut Vec<String>) -> Self {
        let mut tally = Self::default();
        for case in cases {
            let Some(request) = (speaker.say)(case, profile) else {
                continue;
            };
            let outcome = send::send(speaker.dialect, profile, case, &request);
            tally.add(speaker, case, &outcome, wrong);
        }
        tally
    }

    fn add(&mut self, speaker: &Speaker, case: &Case, outcome: &Outcome, wrong: &mut Vec<String>) {
        self.sayable += 1;
        match outcome {
            Outcome::Exact => self.exact += 1,
            Outcome::Altered => self.altered += 1,
            Outcome::Refused(_) => self.refused += 1,
        }
        if *outcome != Outcome::Exact {
            let dialect = speaker.dialect.name();
            wrong.push(format!("{dialect}, {}: {outcome:?}", case.name));
        }
    }

    fn row(&self) -> Vec<String> {
        [self.sayable, self.exact, self.altered, self.refused]
            .map(count)
            .to_vec()
    }
}
