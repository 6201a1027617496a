//! Every rule of `docs/spec.md` and every case of `testdata/cases/`, one test each, named for it.

use std::fs;
use std::path::{Path, PathBuf};

use hashline_testing::cases::{Case, Cases, check};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (name, cases) in spec().into_iter().chain(files()) {
        trials.push(Trial::test(name, move || match cases {
            Ok(cases) if cases.is_empty() => Err(Failed::from("the rule has no example")),
            Ok(cases) => cases
                .iter()
                .try_for_each(|case| check(case).map_err(Failed::from)),
            Err(why) => Err(Failed::from(why)),
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

type Named = (String, Result<Vec<Case>, String>);

/// Reads the rules of the specification: a heading `### L3 ...`, and the examples below it, fenced as TOML.
fn spec() -> Vec<Named> {
    let text = fs::read_to_string(root().join("docs/spec.md")).expect("the specification is there");
    let mut rules: Vec<Named> = Vec::new();
    for section in text.split("\n### ").skip(1) {
        let heading = section.lines().next().unwrap_or_default();
        let section = section.split("\n## ").next().unwrap_or_default();
        let examples = section.split("\n```toml\n").skip(1).map(|block| {
            let example = block.split("\n```").next().unwrap_or_default();
            toml::from_str::<Case>(example).map_err(|error| format!("{error}\n{example}"))
        });
        rules.push((format!("spec::{heading}"), examples.collect()));
    }
    assert!(rules.len() > 30, "the specification has lost its rules");
    rules
}

fn files() -> Vec<Named> {
    let folder = root().join("testdata/cases");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the cases are there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| one_file(path)).collect()
}

fn one_file(path: &Path) -> Vec<Named> {
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(path).expect("the file can be read");
    match toml::from_str::<Cases>(&text) {
        Ok(cases) => cases
            .case
            .into_iter()
            .map(|case| (format!("{stem}::{}", case.name), Ok(vec![case])))
            .collect(),
        Err(error) => vec![(stem, Err(error.to_string()))],
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
