//! Every recorded case, none skipped.

use hashline_testing::conformance::{FILES, run};

#[test]
fn every_recorded_case_is_answered_as_recorded() {
    let mut failures = Vec::new();
    for &(file, check) in FILES {
        let row = run(file, check).expect("the corpus is there and is JSON");
        assert!(row.records > 0, "{file} has no records");
        failures.extend(
            row.failures
                .into_iter()
                .map(|(id, why)| format!("{file} {id}: {why}")),
        );
    }
    assert!(
        failures.is_empty(),
        "{} failures, the first:\n{}",
        failures.len(),
        failures[0]
    );
}
