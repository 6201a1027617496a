//! T18: the same commit code on a disk in memory that forgets and reorders what was not synced.

use super::scenario::Scenario;
use super::{Extent, Row};
use crate::disk::sweep::{self, Depth, Swept};
use crate::disk::{Offers, Saving};

/// T18: cut, killed, refused and written over at every call, on a system that offers all, and on one that offers less.
pub(super) fn forgotten(scenarios: &[Scenario], extent: Extent) -> Row {
    let depth = match extent {
        Extent::Sample => Depth::SAMPLE,
        Extent::Full => Depth::FULL,
    };
    let mut row = Row::new("T18 simulated disk");
    for scenario in scenarios.iter().filter(|it| it.without.is_empty()) {
        for offers in [Offers::All, Offers::Less] {
            let sweeps = [
                sweep::power_cuts(scenario, offers, depth),
                sweep::kills(scenario, offers),
                sweep::refusals(scenario, offers),
                sweep::outside_writes(scenario, offers, Saving::Over),
                sweep::outside_writes(scenario, offers, Saving::Anew),
            ];
            for Swept { states, violations } in sweeps {
                row.cases += states;
                row.violations.extend(violations);
            }
        }
        row.control += sweep::power_cuts_on_a_lying_disk(scenario).violations.len();
    }
    row
}
