//! The examples and the table in the documents, held to the code.

use std::fs;
use std::path::Path;

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_wire::answer::dialect_code;
use hashline_wire::schema::{Tool, common_schema, schema};
use hashline_wire::{ParseOptions, parse};
use serde_json::Value;

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/requests.md"))
        .expect("the page is there")
}

/// Returns the JSON blocks of the page, each with the heading it stands under.
fn examples() -> Vec<(String, String)> {
    let page = page();
    let sections = page.split("\n## ").skip(1);
    sections
        .flat_map(|section| {
            let heading = section.lines().next().unwrap_or_default().to_owned();
            let blocks = section.split("```json\n").skip(1);
            blocks
                .map(move |block| {
                    (
                        heading.clone(),
                        block.split("\n```").next().unwrap_or_default().to_owned(),
                    )
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn the_page_of_the_program_lists_every_code_for_exit_1() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let row = page.lines().find_map(|line| line.strip_prefix("| 1 | "));
    let row = row.expect("rule C4 has a row for exit 1");
    let (codes, _) = row.split_once("or an anchor").expect("it lists the codes");
    let codes: Vec<&str> = codes.split('`').skip(1).step_by(2).collect();
    let all = Code::ALL.iter().filter(|code| code.exit_code() == 1);
    let all: Vec<&str> = all.map(|code| code.as_str()).collect();
    assert_eq!(codes, all);
}

#[test]
fn every_example_is_understood_without_a_note() {
    let examples = examples();
    assert!(examples.len() >= 7);
    for (heading, example) in examples {
        let dialect = Dialect::named(&heading);
        for chosen in [None, dialect] {
            let options = ParseOptions {
                dialect: chosen,
                ..ParseOptions::default()
            };
            let parsed = parse(example.as_bytes(), &options)
                .unwrap_or_else(|error| panic!("{heading}: {error}\n{example}"));
            assert_eq!(parsed.notes, [], "{heading}");
            assert!(!parsed.request.steps.is_empty(), "{heading}");
        }
    }
}

#[test]
fn every_example_fits_the_published_schema() {
    for (heading, example) in examples() {
        let schema = Dialect::named(&heading)
            .map_or_else(common_schema, |dialect| schema(dialect, Tool::Edit));
        let example: Value = serde_json::from_str(&example).expect("it is JSON");
        if let Err(error) = jsonschema::validate(&schema, &example) {
            panic!("{heading}: {error}");
        }
    }
}

#[test]
fn the_table_of_codes_is_the_one_in_the_source() {
    let mut table = String::from(
        "| code | meaning | retry | exit | HTTP | push | cowboy | openagent | pi |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for &code in Code::ALL {
        let dialects = [
            Dialect::PUSH,
            Dialect::COWBOY,
            Dialect::OPENAGENT,
            Dialect::PI,
        ];
        let names = dialects.map(|dialect| format!("`{}`", dialect_code(dialect, code)));
        let (names, meaning) = (names.join(" | "), code.meaning());
        let retry = if code.is_retryable() { "yes" } else { "no" };
        let (exit, status) = (code.exit_code(), code.http_status());
        table.push_str(&format!(
            "| `{code}` | {meaning} | {retry} | {exit} | {status} | {names} |\n"
        ));
    }
    let page = page();
    let found = page.split("<!-- codes -->\n").nth(1).unwrap_or_default();
    assert_eq!(
        found.trim(),
        table.trim(),
        "docs/requests.md must end in this table:\n{table}"
    );
}
