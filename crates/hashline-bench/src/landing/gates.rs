//! What the battery must show.

use super::attempt::Mode;
use super::battery::{ByRule, Results};
use super::distance::Distance;
use super::kinds::{Claim, KINDS};
use super::tally::Tally;
use super::verdict::Verdict;
use crate::corpus::Class;
use crate::gates::{Bars, Gates};
use crate::table::percent;

/// In code, farther than three lines from the change, so many of a thousand land right.
const FAR_AWAY: (u64, u64) = (999, 1000);

/// So many trials of a kind make a full run.
const FULL: u64 = 20_000;

/// Checks the results of one class of files.
pub(super) fn check(class: Class, results: &[Results], trials: u64, only: &str, gates: &mut Gates) {
    // A short run cannot tell 99.9 % from 99.5 %.
    let bars = if trials >= FULL {
        Bars::Decide
    } else {
        Bars::Inform
    };
    check_all_were_played(class, results, trials, only, gates);
    for mode in Mode::ALL.into_iter().filter(|mode| mode.is_shown()) {
        check_nothing_wrong(class, mode, results, gates);
    }
    check_unseen(class, results, gates);
    check_retries(class, results, gates);
    check_by_rule(class, results, gates);
    for (kind, results) in KINDS.iter().zip(results) {
        let name = format!("{}, {}", class.name(), kind.name);
        match kind.claim {
            Claim::AllThatStand => check_all_that_stand(&name, results, gates),
            Claim::FarAway if class == Class::Code => check_far_away(bars, &name, results, gates),
            Claim::FarAway | Claim::Nothing => {}
        }
    }
}

fn check_all_were_played(
    class: Class,
    results: &[Results],
    trials: u64,
    only: &str,
    gates: &mut Gates,
) {
    let named = KINDS.iter().zip(results);
    let played = named
        .filter(|(kind, _)| kind.name.contains(only))
        .flat_map(|(_, results)| results.modes.iter().map(|tally| tally.trials));
    let fewest = played.min().unwrap_or(0);
    let name = format!("{}: every kind was played {trials} times", class.name());
    gates.check(name, format!("{fewest} or more"), fewest == trials);
}

/// Nothing is hit that was not meant, and nothing is lost.
fn check_nothing_wrong(class: Class, mode: Mode, results: &[Results], gates: &mut Gates) {
    let (mut all, mut first) = (Tally::default(), Vec::new());
    for (kind, results) in KINDS.iter().zip(results) {
        let mut tally = results.modes[mode as usize];
        if mode == Mode::Rev {
            tally.merge(&results.on_the_way);
        }
        first.extend(
            tally
                .first_wrong
                .map(|trial| format!("; {}, trial {trial}", kind.name)),
        );
        all.merge(&tally);
    }
    let wrong = [
        ("harmful landing", Verdict::Harmful),
        ("lost update", Verdict::Lost),
        ("line gone unseen", Verdict::Blind),
    ];
    for (what, verdict) in wrong {
        let wrong = all.count(verdict);
        let name = format!("{}: {}: no {what}", class.name(), mode.name());
        let figure = format!("{wrong} of {}{}", all.trials, first.concat());
        gates.check(name, figure, wrong == 0);
    }
}

/// After a refusal has shown what was unseen, the same request is not refused for that again, and never wrong.
fn check_unseen(class: Class, results: &[Results], gates: &mut Gates) {
    let mut all = Tally::default();
    let modes = results.iter().flat_map(|results| &results.modes);
    modes.for_each(|tally| all.merge(tally));
    let name = format!("{}: no retry after unseen is unseen or wrong", class.name());
    let figure = format!("{} of {}", all.shown_in_vain, all.shown_then);
    gates.check(name, figure, all.shown_in_vain == 0);
}

/// With a revision that a refusal offers, a request is never ambiguous again, and never wrong.
fn check_retries(class: Class, results: &[Results], gates: &mut Gates) {
    let mut all = Tally::default();
    for results in results {
        all.merge(&results.modes[Mode::NoRev as usize]);
    }
    let name = format!(
        "{}: no retry with an offered rev is ambiguous or wrong",
        class.name()
    );
    let figure = format!(
        "{} ambiguous, {} wrong of {}",
        all.retried_ambiguous, all.retried_wrong, all.retried
    );
    gates.check(name, figure, all.retried_ambiguous + all.retried_wrong == 0);
}

/// Across one outside change the engine does what the rule says, word by word.
fn check_by_rule(class: Class, results: &[Results], gates: &mut Gates) {
    let mut all = ByRule::default();
    results
        .iter()
        .for_each(|results| all.merge(&results.by_rule));
    let name = format!(
        "{}: across one outside change, landed where the rule says",
        class.name()
    );
    let first = all
        .first_apart
        .map(|trial| format!("; first apart: trial {trial}"));
    let figure = format!(
        "{} of {}{}",
        all.agreed,
        all.compared,
        first.unwrap_or_default()
    );
    gates.check(name, figure, all.agreed == all.compared);
}

fn check_all_that_stand(name: &str, results: &Results, gates: &mut Gates) {
    let with_rev = &results.modes[Mode::Rev as usize];
    for (which, tally) in [("", with_rev), (", on the way", &results.on_the_way)] {
        let right = tally.count(Verdict::Right);
        let figure = format!("{right} of {}", tally.standing);
        let name = format!("{name}{which}: every line that stands is found");
        gates.check(name, figure, right == tally.standing);
    }
}

fn check_far_away(bars: Bars, name: &str, results: &Results, gates: &mut Gates) {
    let mut far = Tally::default();
    for distance in Distance::ALL
        .into_iter()
        .filter(|&distance| distance > Distance::Three)
    {
        far.merge(&results.distances[distance as usize][Mode::Rev as usize]);
    }
    let right = far.count(Verdict::Right);
    let figure = format!("{} % of {}", percent(right, far.trials), far.trials);
    let holds = right * FAR_AWAY.1 >= far.trials * FAR_AWAY.0;
    gates.check_bar(
        bars,
        format!("{name}, farther than three lines: 99.9 % land"),
        figure,
        holds,
    );
}
