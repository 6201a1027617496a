//! The examples and the table in the documents, held to the code.

use std::fs;
use std::path::{Path, PathBuf};

use hashline_core::dialect::Dialect;
use hashline_wire::response::CODES;
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
        "| code | meaning | push | cowboy | openagent | pi |\n|---|---|---|---|---|---|\n",
    );
    for row in CODES {
        let names =
            [row.code, row.push, row.cowboy, row.openagent, row.pi].map(|name| format!("`{name}`"));
        let [code, push, cowboy, openagent, pi] = names;
        table.push_str(&format!(
            "| {code} | {} | {push} | {cowboy} | {openagent} | {pi} |\n",
            row.meaning
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

/// Returns the sources of a folder and the folders in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn every_code_in_the_source_is_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = sources(&root.join("../hashline-core/src"));
    files.push(root.join("src/error.rs"));
    let mut found = 0;
    for file in files {
        let source = fs::read_to_string(&file).expect("the source is there");
        let codes = source.split("pub fn code(").skip(1).flat_map(|body| {
            let body = body.split("\n    }\n").next().unwrap_or_default();
            body.split("=> \"")
                .skip(1)
                .filter_map(|rest| rest.split('"').next())
                .collect::<Vec<_>>()
        });
        for code in codes {
            found += 1;
            assert!(
                CODES.iter().any(|row| row.code == code),
                "{code} of {} is not in the table",
                file.display()
            );
        }
    }
    assert!(found >= 15, "only {found} codes were found");
}
