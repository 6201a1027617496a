//! The fault suite: what a commit leaves when it is killed, refused or cut off at any point.
//!
//! Everything here drives a program from outside, as its users do, on a real disk; `strace` does the killing. Every test has a
//! control: the same test on something that must fail. A control that passes means that the test cannot see.

mod bank;
mod canary;
mod crash;
mod disk;
mod errors;
mod escape;
mod exact;
mod full_disk;
mod hostile;
mod launch;
mod ledger;
mod machine;
mod metadata;
mod order;
mod outside;
mod paths;
mod power;
mod scenario;
#[cfg(feature = "served")]
mod service;
mod simulated;
mod special;
mod stampede;
mod trace;
mod tree;

use std::path::PathBuf;

pub use scenario::{Scenario, all as scenarios};

/// What one test found.
#[derive(Clone, Debug)]
pub struct Row {
    /// The test, as the reliability page names it.
    pub test: &'static str,
    /// How many cases were run.
    pub cases: usize,
    /// What went wrong, in words; must be empty.
    pub violations: Vec<String>,
    /// How often the control went wrong; must not be 0.
    pub control: usize,
    /// What could not be run on this machine, and why.
    pub skipped: Vec<String>,
    /// What a person is to look at.
    pub notes: Vec<String>,
}

impl Row {
    fn new(test: &'static str) -> Self {
        Self {
            test,
            cases: 0,
            violations: Vec::new(),
            control: 0,
            skipped: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Returns whether the test shows what it is for: nothing went wrong, and it would have been seen. What was skipped is no proof,
    /// but no fault either, unless the machine is one on which everything must run.
    #[must_use]
    pub fn holds(&self, skips: Skips) -> bool {
        let ran = self.cases > 0 && self.control > 0;
        let excused = skips == Skips::Allowed && !self.skipped.is_empty();
        let complete = self.skipped.is_empty() || excused;
        self.violations.is_empty() && complete && (ran || (self.cases == 0 && excused))
    }
}

/// Whether a machine may lack what a test needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skips {
    /// It may; what is skipped is said.
    Allowed,
    /// It may not: a skipped test is a failed one.
    Failures,
}

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A part, spread evenly: minutes.
    Sample,
    /// All of it.
    Full,
}

impl Extent {
    /// Keeps every n-th case in a sample, all of them in a full run.
    fn every(self, nth: usize) -> usize {
        match self {
            Self::Sample => nth,
            Self::Full => 1,
        }
    }
}

/// The program under test, and a folder to work in.
#[derive(Clone, Debug)]
pub struct Bench {
    /// The program.
    pub driver: PathBuf,
    /// A folder of its own.
    pub scratch: PathBuf,
}

/// The tests that watch or break off single calls, which `strace` does for them.
const TRACED: [&str; 9] = ["T1", "T2", "T3", "T5", "T6", "T7", "TL", "T10", "T22"];

/// Runs the suite, or one test of it, and hands over each row as it is done.
///
/// # Panics
///
/// If the machine does not let a test set its scene: there is no room, say.
pub fn run(bench: &Bench, extent: Extent, only: Option<&str>, mut done: impl FnMut(Row)) {
    std::fs::create_dir_all(&bench.scratch).expect("the scratch folder can be made");
    let scenarios = scenario::all();
    let tests: &[(&'static str, &dyn Fn() -> Row)] = &[
        ("T1", &|| crash::killed_anywhere(bench, &scenarios, extent)),
        ("T2", &|| {
            crash::killed_in_recovery(bench, &scenarios, extent)
        }),
        ("T3", &|| {
            errors::refused_anywhere(bench, &scenarios, extent)
        }),
        ("T4", &|| full_disk::no_room(bench)),
        ("T5", &|| power::cut_anywhere(bench, &scenarios, extent)),
        ("T6", &|| power::unsynced(bench, &scenarios, extent)),
        ("T7", &|| order::durable_in_order(bench, &scenarios)),
        ("T8", &|| stampede::all_at_once(bench, extent)),
        ("TL", &|| ledger::killed_while_writing(bench, extent)),
        ("T9", &|| bank::killed_at_work(bench, extent)),
        #[cfg(feature = "served")]
        ("TS", &|| service::killed_under_load(bench, extent)),
        ("T10", &|| outside::written_meanwhile(bench, &scenarios)),
        ("T11", &|| escape::swapped_meanwhile(bench, extent)),
        ("T12", &|| paths::every_spelling(bench, extent)),
        ("T13", &|| special::refused_without_waiting(bench)),
        ("T14", &|| metadata::kept_or_refused(bench)),
        ("T18", &|| simulated::forgotten(&scenarios, extent)),
        ("T22", &|| canary::secrets_are_not_printed(bench, extent)),
        ("T24", &|| hostile::planted(bench)),
    ];
    let no_strace = machine::why_not("strace");
    for (name, test) in tests {
        if only.is_some_and(|only| only != *name) {
            continue;
        }
        match &no_strace {
            Some(why) if TRACED.contains(name) => done(Row {
                skipped: vec![why.clone()],
                ..Row::new(name)
            }),
            _ => done(test()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Row, Skips};

    fn row(cases: usize, control: usize, skipped: &[&str]) -> Row {
        Row {
            cases,
            control,
            skipped: skipped.iter().map(|&why| why.to_owned()).collect(),
            ..Row::new("a test")
        }
    }

    #[test]
    fn a_test_holds_if_nothing_went_wrong_and_it_would_have_been_seen() {
        assert!(row(3, 1, &[]).holds(Skips::Failures));
        assert!(!row(3, 0, &[]).holds(Skips::Allowed), "it cannot see");
        assert!(!row(0, 1, &[]).holds(Skips::Allowed), "it did nothing");
        let broken = Row {
            violations: vec!["something".to_owned()],
            ..row(3, 1, &[])
        };
        assert!(!broken.holds(Skips::Allowed));
    }

    #[test]
    fn what_is_skipped_is_excused_only_where_the_machine_may_lack_it() {
        for skipped in [row(0, 0, &["no root"]), row(3, 1, &["no xfs"])] {
            assert!(skipped.holds(Skips::Allowed));
            assert!(!skipped.holds(Skips::Failures));
        }
        assert!(
            !row(3, 0, &["no xfs"]).holds(Skips::Allowed),
            "it cannot see"
        );
    }
}
