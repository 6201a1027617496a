//! The fuzz targets for the file layer on stable Rust: the kept inputs, and some thousands that look random and are the same in every
//! run.

use hashline_testing::file_fuzzing;
use hashline_testing::fuzzing::corpus;
use hashline_testing::random::Random;

/// Runs a target on what was kept for it and on so many random inputs.
fn run(name: &str, seed: u64, inputs: usize, target: fn(&[u8])) {
    let kept = corpus(name);
    assert!(!kept.is_empty(), "the kept inputs are there");
    kept.iter().for_each(|input| target(input));
    let mut random = Random::new(seed);
    for _ in 0..inputs {
        let most = if random.chance(10) { 1000 } else { 160 };
        let length = random.below(most);
        target(&random.bytes(length));
    }
}

#[test]
fn no_journal_makes_recovery_lose_or_touch_what_it_may_not() {
    run("journal", 9, 8_000, file_fuzzing::journal);
}

#[test]
fn no_path_leads_elsewhere_than_it_says() {
    run("path", 10, 3_000, file_fuzzing::path);
}

#[test]
fn no_configuration_of_a_root_allows_more_than_the_person() {
    run("config", 11, 10_000, file_fuzzing::config);
}

#[test]
fn no_pattern_finds_other_lines_than_a_slow_search() {
    run("search", 12, 2_000, file_fuzzing::search);
}
