//! All trials of all kinds, on as many threads as there are cores. The results follow from the seed and the corpus alone.

use std::thread;

use hashline_core::shown::{History, Recorded};

use super::attempt::{Mode, send};
use super::distance::Distance;
use super::kinds::{Claim, KINDS, Kind};
use super::rule;
use super::scene::{Callers, Scene};
use super::tally::Tally;
use super::verdict::Verdict;
use super::version::Version;
use super::wish::Wish;
use crate::corpus::Files;
use crate::rng::Rng;

/// How many files are tried before a trial is given up.
const FILES_TRIED: usize = 200;

/// The tallies of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// By landing.
    pub(super) modes: [Tally; Mode::ALL.len()],
    /// By distance, then by landing; only where the target stands.
    pub(super) distances: [[Tally; Mode::ALL.len()]; Distance::ALL.len()],
    /// Edits made on the way.
    pub(super) on_the_way: Tally,
    /// Trials with one outside change, against the rule read word by word.
    pub(super) by_rule: ByRule,
}

/// How often the engine does what the rule says: the same lines, or none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByRule {
    pub(super) compared: u64,
    pub(super) agreed: u64,
    pub(super) first_apart: Option<u64>,
}

impl ByRule {
    fn add(&mut self, trial: u64, agreed: bool) {
        self.compared += 1;
        self.agreed += u64::from(agreed);
        self.first_apart = self.first_apart.or((!agreed).then_some(trial));
    }

    /// Adds another count.
    pub(super) fn merge(&mut self, other: &Self) {
        self.compared += other.compared;
        self.agreed += other.agreed;
        self.first_apart = [self.first_apart, other.first_apart]
            .into_iter()
            .flatten()
            .min();
    }
}

impl Results {
    fn merge(&mut self, other: &Self) {
        let pairs = self.modes.iter_mut().zip(&other.modes);
        pairs.for_each(|(mine, theirs)| mine.merge(theirs));
        for (mine, theirs) in self.distances.iter_mut().zip(&other.distances) {
            let pairs = mine.iter_mut().zip(theirs);
            pairs.for_each(|(mine, theirs)| mine.merge(theirs));
        }
        self.on_the_way.merge(&other.on_the_way);
        self.by_rule.merge(&other.by_rule);
    }
}

/// Plays `trials` of every kind whose name has `only` in it on these files.
pub(super) fn play_all(files: &Files, seed: u64, trials: u64, only: &str) -> Vec<Results> {
    let threads = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let share = |thread: u64| {
        let one_kind = |(index, kind): (usize, &Kind)| {
            let mut results = Results::default();
            let trials = if kind.name.contains(only) { trials } else { 0 };
            for trial in (0..trials).filter(|trial| trial % threads == thread) {
                let rng = Rng::new(seed, &[index as u64, trial]);
                play(kind, &rng, files, trial, &mut results);
            }
            results
        };
        KINDS
            .iter()
            .enumerate()
            .map(one_kind)
            .collect::<Vec<Results>>()
    };
    let mut all = vec![Results::default(); KINDS.len()];
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || share(thread)))
            .collect();
        for thread in running {
            let done = thread.join().expect("a trial does not panic");
            let pairs = all.iter_mut().zip(&done);
            pairs.for_each(|(sum, part)| sum.merge(part));
        }
    });
    all
}

/// Plays one trial under every kind of callers, and judges its request in every mode.
fn play(kind: &Kind, rng: &Rng, files: &Files, trial: u64, results: &mut Results) {
    for callers in Callers::ALL {
        let Some((scene, wishes)) = stage(kind, rng.clone(), files, callers) else {
            continue;
        };
        let standing = wishes.iter().all(|wish| scene.could_land(wish));
        let distance = match wishes.as_slice() {
            [wish] if kind.claim == Claim::FarAway => Distance::of(wish, &scene.now),
            _ => None,
        };
        let modes = Mode::ALL.into_iter().enumerate();
        for (index, mode) in modes.filter(|(_, mode)| mode.callers() == callers) {
            let attempt = send(mode, &scene, &wishes);
            results.modes[index].add_attempt(trial, standing, &attempt);
            if let Some(distance) = distance {
                results.distances[distance as usize][index].add_attempt(trial, standing, &attempt);
            }
            if let ([wish], Mode::Rev) = (wishes.as_slice(), mode)
                && is_one_change(&scene, wish)
                && attempt.verdict != Verdict::Unseen
            {
                let by_rule = rule::place(&wish.seen, &scene.now, wish.span);
                results.by_rule.add(trial, by_rule == attempt.taken);
            }
        }
        for passed in &scene.on_the_way {
            results
                .on_the_way
                .add(trial, passed.could_land, passed.verdict);
        }
    }
}

/// Returns whether the revision with the lines meant is the only one on record, and somebody has written since: all of it is one outside
/// change. Files that are too long for the record are followed by no rule.
fn is_one_change(scene: &Scene<'_>, wish: &Wish) -> bool {
    let is_recorded = |version: &Version| version.lines() <= History::MAX_LINES;
    let is_shown = |one: &Recorded| one.revision == wish.seen.document.revision();
    !scene.forgot
        && matches!(scene.history.recorded(), [one] if is_shown(one))
        && scene.now.document != wish.seen.document
        && is_recorded(&wish.seen)
        && is_recorded(&scene.now)
}

/// Opens files until one lends itself to the kind.
fn stage<'a>(
    kind: &Kind,
    mut rng: Rng,
    files: &'a Files,
    callers: Callers,
) -> Option<(Scene<'a>, Vec<Wish>)> {
    (0..FILES_TRIED).find_map(|_| {
        let mut scene = Scene::open(Rng::new(rng.next(), &[]), files, callers);
        let wishes = (kind.play)(&mut scene)?;
        Some((scene, wishes))
    })
}
