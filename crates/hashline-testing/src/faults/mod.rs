//! The fault suite: what a commit leaves when it is killed, refused or cut off at any point.
//!
//! Everything here drives a program from outside, as its users do, on a real disk; `strace` does the killing. Every test has a
//! control: the same test on something that must fail. A control that passes means that the test cannot see.

mod crash;
mod errors;
mod ledger;
mod order;
mod outside;
mod scenario;
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

/// Runs the suite, or one test of it, and hands over each row as it is done.
pub fn run(bench: &Bench, extent: Extent, only: Option<&str>, mut done: impl FnMut(Row)) {
    let scenarios = scenario::all();
    let tests: [(&str, &dyn Fn() -> Row); 7] = [
        ("T1", &|| crash::killed_anywhere(bench, &scenarios, extent)),
        ("T2", &|| {
            crash::killed_in_recovery(bench, &scenarios, extent)
        }),
        ("T3", &|| {
            errors::refused_anywhere(bench, &scenarios, extent)
        }),
        ("T7", &|| order::durable_in_order(bench, &scenarios)),
        ("T8", &|| stampede::all_at_once(bench, extent)),
        ("TL", &|| ledger::killed_while_writing(bench, extent)),
        ("T10", &|| outside::written_meanwhile(bench, &scenarios)),
    ];
    for (name, test) in tests {
        if only.is_none_or(|only| only == name) {
            done(test());
        }
    }
}
