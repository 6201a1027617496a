//! Help pages read as they were approved, and every example in them runs.

use std::fs;
use std::path::Path;

use crate::stage::Stage;

const COMMANDS: [&str; 20] = [
    "read",
    "search",
    "apply",
    "hash",
    "verify",
    "strip",
    "diff",
    "schema",
    "prompt",
    "stats",
    "hook",
    "recover",
    "guard",
    "mcp",
    "serve",
    "setup",
    "doctor",
    "tour",
    "completions",
    "man",
];

#[test]
fn every_help_page_reads_as_approved() {
    let stage = Stage::new(&[]);
    insta::assert_snapshot!("help_short", stage.run(&["-h"]).done());
    insta::assert_snapshot!("help_long", stage.run(&["--help"]).done());
    for command in COMMANDS {
        let short = stage.run(&[command, "-h"]).done();
        let long = stage.run(&[command, "--help"]).done();
        insta::assert_snapshot!(
            format!("help_{command}"),
            format!("{short}\n=== --help\n\n{long}")
        );
    }
}

/// An example: what is typed, and what the page says it answers, if it says so.
struct Example {
    command: String,
    answer: Option<String>,
}

fn examples(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in page.lines() {
        let last = examples.last_mut();
        if let Some(command) = line.strip_prefix("  $ ") {
            let command = command.to_owned();
            let answer = None;
            examples.push(Example { command, answer });
        } else if let (Some(more), Some(last)) = (line.strip_prefix("  > "), last) {
            last.command.push('\n');
            last.command.push_str(more);
        } else if let (true, Some(last)) = (line.starts_with("  {"), examples.last_mut()) {
            last.answer.get_or_insert_with(|| line.trim().to_owned());
        }
    }
    examples
}

#[test]
fn every_example_on_a_help_page_runs_and_answers_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("help");
    let mut tried = 0;
    for page in fs::read_dir(folder).unwrap() {
        let page = page.unwrap().path();
        for example in examples(&fs::read_to_string(&page).unwrap()) {
            let stage = Stage::example();
            // As a user would: the anchors in the examples were shown before they are used.
            stage.run(&["read", "greet.py"]);
            let told = stage.sh(&example.command);
            assert_eq!(
                told.code,
                Some(0),
                "{}: {}: {told:?}",
                page.display(),
                example.command
            );
            if let Some(answer) = &example.answer {
                assert_eq!(told.out.trim_end(), answer, "{}", example.command);
            }
            tried += 1;
        }
    }
    assert!(tried > 30, "only {tried} examples were found");
}

#[test]
fn manual_pages_and_completions_are_there_for_every_command() {
    let stage = Stage::new(&[]);
    let pages = stage.run(&["man", "pages"]).done();
    for command in COMMANDS {
        assert!(
            pages.contains(&format!("pages/hashline-{command}.1")),
            "{pages}"
        );
        let page = stage.text(&format!("pages/hashline-{command}.1"));
        assert!(
            page.contains(".SH SYNOPSIS") && page.contains(".SH EXAMPLES\n.nf\n")
                || command == "tour",
            "{command}"
        );
    }
    // Line by line, as it can be pasted.
    let page = stage.text("pages/hashline-read.1");
    assert!(!page.contains(".SH EXTRA"), "{page}");
    assert!(
        page.contains("\n  $ hashline read greet.py \\-\\-search hello \\-C 1\n"),
        "{page}"
    );
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stage.run(&["completions", shell]).done();
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn examples_can_be_pasted_from_any_terminal() {
    let stage = Stage::new(&[]);
    for command in ["apply", "search", "read"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("help/{command}.txt"));
        let source = fs::read_to_string(source).unwrap();
        for width in ["40", "80", "200"] {
            let shown = stage
                .sh(&format!("COLUMNS={width} hashline {command} --help"))
                .done();
            assert!(shown.contains(source.trim_end()), "{width}: {shown}");
            let typed = |line: &&str| line.starts_with("  > ");
            assert_eq!(source.lines().find(typed), None, "no prompt in between");
        }
    }
}
