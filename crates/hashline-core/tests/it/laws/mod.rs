//! Laws: what holds for every document and every edit, in every dialect, tried on ten thousand cases each.

mod combined_changes;
mod editing;
mod excerpts;
mod expected_lines;
mod landing;
mod patch;
mod rendering;
mod repeated_edits;

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditBatch, Operation};
use hashline_core::policy::Landing;
use hashline_core::{Document, Edited, Error, Policy, Shown, edit};
use hashline_testing::generate::{Placed, cases};
use proptest::prelude::ProptestConfig;
use proptest::test_runner::TestCaseError;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Does operations by number and tag.
fn run(
    document: &Document,
    operations: impl IntoIterator<Item = Operation>,
    dialect: Dialect,
) -> Result<Edited, TestCaseError> {
    let batch = EditBatch::new(operations);
    edit(document, &Shown::nothing(), batch, &Policy::new(dialect)).map_err(refused)
}

/// Does edits that keep clear of each other.
fn done(document: &Document, edits: &[Placed], dialect: Dialect) -> Result<Edited, TestCaseError> {
    let operations = edits
        .iter()
        .map(|edit| edit.operation(document, dialect.scheme));
    run(document, operations, dialect)
}

fn strict(dialect: Dialect) -> Policy<'static> {
    Policy {
        landing: Landing::Strict,
        ..Policy::new(dialect)
    }
}

fn refused(error: Error) -> TestCaseError {
    TestCaseError::fail(format!("refused: {error}"))
}

fn escaped(document: &Document) -> String {
    document.bytes().escape_ascii().to_string()
}
