//! The commit code on a disk that forgets what was not synced.

use hashline_testing::disk::sweep::{self, Depth, Swept};
use hashline_testing::disk::{Offers, Saving};
use hashline_testing::faults::{Scenario, scenarios};

/// Everything with `HASHLINE_FULL=1`, else a part.
fn depth() -> Depth {
    match std::env::var_os("HASHLINE_FULL") {
        Some(_) => Depth::FULL,
        None => Depth::SAMPLE,
    }
}

fn each(sweep: impl Fn(&Scenario) -> Swept) -> Swept {
    let mut all = Swept::default();
    for scenario in scenarios().iter().filter(|it| it.without.is_empty()) {
        let swept = sweep(scenario);
        all.states += swept.states;
        all.violations.extend(swept.violations);
    }
    all
}

#[track_caller]
fn holds(swept: &Swept) {
    let (states, wrong) = (swept.states, swept.violations.len());
    assert_eq!(
        wrong,
        0,
        "{wrong} of {states}: {:#?}",
        &swept.violations[..wrong.min(10)]
    );
    assert!(states > 100, "{states}");
}

#[test]
fn a_power_cut_leaves_all_of_a_request_or_nothing() {
    holds(&each(|it| sweep::power_cuts(it, Offers::All, depth())));
}

#[test]
fn a_power_cut_does_so_on_a_system_that_offers_less() {
    holds(&each(|it| sweep::power_cuts(it, Offers::Less, depth())));
}

#[test]
fn a_disk_that_lies_about_syncing_is_seen() {
    let is_seen = |it: &Scenario| !sweep::power_cuts_on_a_lying_disk(it).violations.is_empty();
    assert!(scenarios().iter().any(is_seen));
}

#[test]
fn a_kill_leaves_all_of_a_request_or_nothing() {
    for offers in [Offers::All, Offers::Less] {
        holds(&each(|it| sweep::kills(it, offers)));
    }
}

#[test]
fn an_error_means_that_nothing_changed() {
    for offers in [Offers::All, Offers::Less] {
        holds(&each(|it| sweep::refusals(it, offers)));
    }
}

#[test]
fn it_does_so_when_calls_of_one_name_are_refused_from_some_point_on() {
    for offers in [Offers::All, Offers::Less] {
        holds(&each(|it| sweep::refusals_by_name(it, offers)));
    }
}

#[test]
fn it_does_so_when_two_calls_are_refused() {
    let edits_one_file = |it: &&Scenario| it.one_file && it.without.is_empty();
    for scenario in scenarios().iter().filter(edits_one_file) {
        for offers in [Offers::All, Offers::Less] {
            holds(&sweep::two_refusals(scenario, offers));
        }
    }
}

#[test]
fn a_program_that_fails_leaves_all_of_a_request_or_nothing() {
    for offers in [Offers::All, Offers::Less] {
        holds(&each(|it| sweep::failures(it, offers)));
    }
}

#[test]
fn what_somebody_else_writes_meanwhile_is_kept() {
    for offers in [Offers::All, Offers::Less] {
        holds(&each(|it| sweep::outside_writes(it, offers, Saving::Over)));
    }
}

#[test]
fn a_file_that_somebody_else_saves_anew_meanwhile_is_kept() {
    holds(&each(|it| {
        sweep::outside_writes(it, Offers::All, Saving::Anew)
    }));
}

#[test]
fn it_is_kept_on_a_system_that_offers_less() {
    holds(&each(|it| {
        sweep::outside_writes(it, Offers::Less, Saving::Anew)
    }));
}
