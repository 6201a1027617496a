//! Transcripts: what is typed, and all that is answered. They double as documentation.

use std::path::Path;

use crate::stage::HASHLINE;

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
