//! The kinds of trials: what happens to a file between the moment an agent is shown lines and the moment it edits them.

mod changed;
mod record;
mod several;
mod shifted;
mod sizes;
mod twins;

use super::scene::Scene;
use super::wish::Wish;

/// One kind of trial.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Plays everything up to the request that is judged and returns what the agent then wants. Nothing if the file does not
    /// lend itself to it: another one is taken.
    pub(super) play: fn(&mut Scene<'_>) -> Option<Vec<Wish>>,
    pub(super) claim: Claim,
}

/// What must hold for a kind beyond no wrong landing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Nothing more.
    Nothing,
    /// With a revision every line that still stands is found.
    AllThatStand,
    /// With a revision, in code, farther than three lines from the change: 99.9 %.
    FarAway,
}

/// All kinds, in the order in which they are printed.
pub(super) const KINDS: [Kind; 19] = [
    kind("target changed", changed::target_changed),
    kind("changed and shifted", changed::changed_and_shifted),
    kind("target deleted", changed::target_deleted),
    Kind {
        name: "shifted intact",
        play: shifted::shifted_intact,
        claim: Claim::FarAway,
    },
    Kind {
        name: "elsewhere changed",
        play: shifted::elsewhere_changed,
        claim: Claim::FarAway,
    },
    kind("inner line changed", changed::inner_line_changed),
    kind("block moved", shifted::block_moved),
    kind("duplicates above", twins::duplicates_above),
    kind("equal neighbour deleted", twins::equal_neighbour_deleted),
    kind("whitespace only", changed::whitespace_only),
    kind("interleaved writers", several::interleaved_writers),
    kind("answers mixed", several::answers_mixed),
    Kind {
        name: "kept over own edits",
        play: several::kept_across_own_edits,
        claim: Claim::AllThatStand,
    },
    kind("unseen inner lines", record::unseen_inner_lines),
    kind("reverted", record::reverted),
    kind("record evicted", record::evicted),
    kind("tiny file", sizes::tiny),
    kind("huge file", sizes::huge),
    kind("grown too long", sizes::grown),
];

const fn kind(name: &'static str, play: fn(&mut Scene<'_>) -> Option<Vec<Wish>>) -> Kind {
    Kind {
        name,
        play,
        claim: Claim::Nothing,
    }
}
