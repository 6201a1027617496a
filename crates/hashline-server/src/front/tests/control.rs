//! Each check left out in turn: what it alone refuses must then reach the handler, or the table proves nothing about it.

use super::cases::{Case, CheckName, Preset, all};
use super::server::Server;
use crate::front::checks::{CHECKS, Check};

/// Sends the cases of a check to a server without it, and returns those that reached the handler and those that the table would not
/// have noticed.
fn without(check: CheckName, cases: &[Case]) -> (Vec<&str>, Vec<&str>) {
    let (mut reached, mut unnoticed) = (Vec::new(), Vec::new());
    for preset in Preset::ALL {
        let of_check = cases
            .iter()
            .filter(|case| case.bounds == preset && case.check == Some(check));
        let server = Server::without(preset.bounds(), Some(check.into()));
        for case in of_check {
            let before = server.reached.count();
            if case.fails(&server).is_none() {
                unnoticed.push(case.name.as_str());
            }
            if server.reached.count() > before {
                reached.push(case.name.as_str());
            }
        }
    }
    (reached, unnoticed)
}

#[test]
fn without_a_check_its_cases_reach_the_handler_and_the_table_fails() {
    let cases = all();
    for check in [
        CheckName::Framing,
        CheckName::Method,
        CheckName::Host,
        CheckName::Origin,
        CheckName::FetchSite,
        CheckName::Token,
        CheckName::ContentType,
        CheckName::Length,
    ] {
        let (reached, unnoticed) = without(check, &cases);
        let alone = cases
            .iter()
            .filter(|case| case.check == Some(check) && case.also_refused_by.is_none());
        let missed: Vec<_> = alone
            .map(|case| case.name.as_str())
            .filter(|name| !reached.contains(name) || unnoticed.contains(name))
            .collect();
        assert!(!reached.is_empty(), "no case of {check:?} needs it");
        assert!(
            missed.is_empty(),
            "{check:?} is not what refuses {missed:?}"
        );
    }
}

#[test]
fn every_check_has_cases() {
    let cases = all();
    for (check, _) in CHECKS {
        let has = cases
            .iter()
            .any(|case| case.check.map(Check::from) == Some(check));
        assert!(has, "{check:?} has none");
    }
}
