//! Transcripts: what is typed, and all that is answered. They double as documentation.

use std::path::Path;

use crate::stage::HASHLINE;

/// The file that the prompts speak of.
const GREET: &str =
    "import sys\n\ndef greet(name):\n    return 'Hello ' + name\n\nprint(greet(sys.argv[1]))\n";

#[test]
fn every_transcript_is_what_happens() {
    let state = tempfile::tempdir().unwrap();
    let cases = trycmd::TestCases::new();
    cases
        .register_bin("hashline", Path::new(HASHLINE))
        .register_bin("cat", Path::new("/bin/cat"))
        .register_bin("sh", Path::new("/bin/sh"))
        .env("PATH", path())
        .env("HOME", state.path().display().to_string())
        .env(
            "XDG_STATE_HOME",
            state.path().join("state").display().to_string(),
        )
        .env(
            "XDG_CONFIG_HOME",
            state.path().join("config").display().to_string(),
        )
        .env("HASHLINE_SESSION", "")
        .case("tests/transcripts/*.trycmd")
        .run();
}

/// The program is found by its name in a shell, too.
fn path() -> String {
    let programs = Path::new(HASHLINE).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{path}", programs.display())
}

#[test]
fn the_tour_goes_as_planned() {
    let stage = crate::stage::Stage::new(&[]);
    let tour = stage.run(&["tour"]).done();
    insta::assert_snapshot!("tour", tour);
    let steps = stage.run(&["tour", "--json"]).json();
    let exits = steps["steps"].as_array().unwrap().iter();
    let exits: Vec<i64> = exits.map(|step| step["exit"].as_i64().unwrap()).collect();
    assert_eq!(exits, [0, 0, 0, 0, 0, 1, 0, 0]);
    assert!(!stage.path("../state").exists(), "the tour leaves no trace");
}

#[test]
fn the_readme_shows_the_demo() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let demo = std::fs::read_to_string(here.join("tests/transcripts/demo.trycmd")).unwrap();
    let readme = std::fs::read_to_string(here.join("../../README.md")).unwrap();
    let blocks = |text: &str| -> Vec<String> {
        let shown = text.split("```console\n").skip(1);
        shown
            .map(|shown| shown.split("```").next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(blocks(&readme), blocks(&demo));
    assert_eq!(blocks(&readme).len(), 2);
}

#[test]
fn every_command_of_a_prompt_runs() {
    use hashline_core::dialect::Dialect;
    use hashline_wire::prompt::{Caller, prompt};
    let mut tried = 0;
    for dialect in Dialect::ALL {
        let text = prompt(dialect, Caller::Shell);
        for block in text.split("```sh\n").skip(1) {
            let script = block.split("```").next().unwrap();
            let stage = crate::stage::Stage::new(&[("greet.py", GREET)]);
            let told = stage.sh(&format!("set -e\n{script}"));
            assert_eq!(told.code, Some(0), "{}: {script}: {told:?}", dialect.name());
            tried += 1;
        }
    }
    assert!(tried >= 6, "only {tried} scripts were found");
}
