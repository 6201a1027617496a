//! Every case of the table, and the state after all of them.

use std::collections::HashSet;

use super::cases::{Preset, all};
use super::server::Server;

#[test]
fn every_case_gets_exactly_its_answers_and_reaches_the_handler_as_often_as_it_should() {
    let cases = all();
    let mut failures = Vec::new();
    for preset in Preset::ALL {
        let server = Server::with(preset.bounds());
        let mut should_reach = 0;
        for case in cases.iter().filter(|case| case.bounds == preset) {
            should_reach += case.reached;
            if let Some(failure) = case.fails(&server) {
                failures.push(format!("{}: {failure}", case.name));
            }
        }
        if server.reached.count() != should_reach {
            let reached = server.reached.count();
            failures.push(format!(
                "{preset:?}: reached {reached} times instead of {should_reach}"
            ));
        }
        assert_eq!(server.ask(server.health()).status, 200, "it lives on");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_cases_have_names_of_their_own_and_are_many() {
    let cases = all();
    let names: HashSet<_> = cases.iter().map(|case| &case.name).collect();
    assert_eq!(names.len(), cases.len());
    assert!(cases.len() >= 100, "{} cases", cases.len());
}
