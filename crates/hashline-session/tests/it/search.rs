//! What a search found, as the three readers see it.

use std::collections::BTreeMap;

use hashline_core::Code;
use hashline_core::Document;
use hashline_core::render::{AnchoredLine, anchored};
use hashline_core::scheme::Scheme;
use hashline_core::text::LineSpan;
use hashline_session::words::{found_answer, found_text};
use hashline_workspace::DiskNote;
use hashline_workspace::error::{DiskFault, Excess};
use hashline_workspace::search::found::{Found, FoundFile, FoundLine, Role, Totals};

/// Shows spans of a text; lines with `sum` match.
fn file(path: &str, text: &str, spans: &[(usize, usize)], matches: usize) -> FoundFile {
    let document = Document::new(text);
    let mut lines = Vec::new();
    for &(start, end) in spans {
        for line in anchored(&document, LineSpan::new(start..end), Scheme::Omp) {
            let role = if line.text.contains("sum") {
                Role::Match
            } else {
                Role::Context
            };
            let text = line.text.into_owned().into();
            let line = AnchoredLine {
                text,
                scheme: line.scheme,
                number: line.number,
                tag: line.tag,
            };
            lines.push(FoundLine { role, line });
        }
    }
    FoundFile {
        encoding: None,
        path: path.to_owned(),
        revision: document.revision(),
        matches,
        lines,
    }
}

const CODE: &str = "fn main() {\n    let total = sum(&items);\n    println!(\"{total}\");\n}\n\nfn sum(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n";

fn everything() -> Found {
    Found {
        files: vec![
            file("src/main.rs", CODE, &[(0, 3), (5, 7)], 3),
            file("src/sums.rs", "sum\nsum\nsum\n", &[(0, 2)], 3),
            file("src/wide.rs", "sum sum", &[], 1),
        ],
        totals: Totals {
            searched: 40,
            files: 5,
            matches: 12,
            cut: 2,
            skipped: BTreeMap::from([(Code::Binary, 7), (Code::Io, 1), (Code::TooLarge, 6)]),
        },
        skipped: vec![
            DiskFault::Binary.at("logo.png"),
            DiskFault::System {
                doing: "opening the folder",
                reason: "Permission denied (os error 13)".to_owned(),
            }
            .at("private"),
            DiskFault::TooLarge(Excess {
                found: 70_000_000,
                most: 67_108_864,
            })
            .at("data.json"),
        ],
        consistent: false,
        notes: vec![
            DiskNote::RolledBack(vec!["src/main.rs".to_owned(), "src/sums.rs".to_owned()]),
            DiskNote::ForeignFolder,
        ],
    }
}

fn nothing() -> Found {
    Found {
        files: Vec::new(),
        totals: Totals {
            searched: 1,
            ..Totals::default()
        },
        skipped: Vec::new(),
        consistent: true,
        notes: Vec::new(),
    }
}

fn one() -> Found {
    Found {
        files: vec![file("a.rs", CODE, &[(1, 2)], 1)],
        totals: Totals {
            searched: 2,
            files: 1,
            matches: 1,
            ..Totals::default()
        },
        ..nothing()
    }
}

#[test]
fn a_model_reads_lines_with_anchors_and_what_is_left() {
    let texts = [everything(), one(), nothing()].map(|found| found_text(&found));
    insta::assert_snapshot!(texts.join("\n=====\n"));
}

#[test]
fn a_program_reads_an_object() {
    let values = [everything(), one(), nothing()].map(|found| found_answer(&found, None));
    let texts = values.map(|value| serde_json::to_string_pretty(&value).expect("it is JSON"));
    insta::assert_snapshot!(texts.join("\n=====\n"));
}
