//! Real text to work on: source files of many authors, and data files apart from them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Result, ensure};
use hashline_core::Document;

use crate::git;
use crate::rng::Rng;

/// How many files of one class are kept at most.
const MOST_FILES: usize = 6_000;
/// Files of so many lines are kept: shorter ones leave nothing to choose, longer ones only take time.
const LINES: std::ops::RangeInclusive<usize> = 12..=3_000;
/// Larger files are left out.
const MOST_BYTES: u64 = 1 << 20;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// What people write: code, scripts, prose.
    Code,
    /// What programs write and people copy: json, toml, csv, lock files. Their lines repeat.
    Data,
}

impl Class {
    /// Both classes.
    pub(crate) const ALL: [Self; 2] = [Self::Code, Self::Data];

    /// Returns the name people use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Data => "data",
        }
    }

    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "rs" | "c" | "h" | "cc" | "cpp" | "go" | "js" | "ts" | "py" | "rb" | "java" | "sh"
            | "pl" | "md" => Some(Self::Code),
            "json" | "jsonl" | "toml" | "csv" | "lock" | "yml" | "yaml" => Some(Self::Data),
            _ => None,
        }
    }
}

/// The files of a corpus.
pub(crate) struct Corpus {
    code: Files,
    data: Files,
}

/// Files of one class, each once, in an order that follows from the seed.
pub(crate) struct Files {
    documents: Vec<Document>,
    /// How many lines there are up to and including each file.
    lines: Vec<usize>,
}

impl Files {
    fn new(documents: Vec<Document>) -> Self {
        let lines = documents.iter().scan(0, |sum, document| {
            *sum += document.line_count();
            Some(*sum)
        });
        Self {
            lines: lines.collect(),
            documents,
        }
    }

    /// Returns all of them.
    pub(crate) fn all(&self) -> &[Document] {
        &self.documents
    }

    /// Counts their lines.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.last().copied().unwrap_or(0)
    }

    /// Returns the file of a random line: every line of the corpus is as likely as every other.
    pub(crate) fn pick(&self, rng: &mut Rng) -> &Document {
        let line = rng.below(self.line_count());
        let file = self.lines.partition_point(|&end| end <= line);
        &self.documents[file]
    }
}

impl Corpus {
    /// Loads the files under a folder; without one the repository's own and the sources in cargo's registry.
    pub(crate) fn load(folder: Option<&Path>, seed: u64) -> Result<Self> {
        let mut paths = match folder {
            Some(folder) => walk(folder),
            None => default_paths(),
        };
        paths.sort();
        let corpus = Self {
            code: Files::new(read(&paths, Class::Code, seed)),
            data: Files::new(read(&paths, Class::Data, seed)),
        };
        ensure!(
            corpus.code.line_count() + corpus.data.line_count() > 0,
            "there are no files to work on"
        );
        Ok(corpus)
    }

    /// Returns the files of one class.
    pub(crate) fn files(&self, class: Class) -> &Files {
        match class {
            Class::Code => &self.code,
            Class::Data => &self.data,
        }
    }

    /// Says in one line what there is.
    pub(crate) fn describe(&self) -> String {
        let one = |class: Class| {
            let files = self.files(class);
            let lines = files.line_count();
            format!(
                "{}: {} files, {lines} lines",
                class.name(),
                files.all().len()
            )
        };
        Class::ALL.map(one).join("; ")
    }
}

fn default_paths() -> Vec<PathBuf> {
    let mut paths = git::tracked(&git::root());
    paths.extend(registry_paths());
    paths
}

/// Lists the files of all crates that cargo has fetched: real code of many authors.
pub(crate) fn registry_paths() -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    home.map_or(Vec::new(), |home| walk(&home.join("registry/src")))
}

/// Lists the files of a class worth reading under a folder. What cannot be read is left out.
pub(crate) fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(kind) if kind.is_file() && Class::of(&entry.path()).is_some() => {
                    found.push(entry.path());
                }
                _ => {}
            }
        }
    }
    found
}

/// Reads files of one class in random order until there are enough; a file that stands there twice counts once.
fn read(paths: &[PathBuf], class: Class, seed: u64) -> Vec<Document> {
    let mut paths: Vec<&PathBuf> = paths
        .iter()
        .filter(|path| Class::of(path) == Some(class))
        .collect();
    Rng::new(seed, &[class as u64]).shuffle(&mut paths);
    let mut seen = HashSet::new();
    paths
        .into_iter()
        .filter(|path| fs::metadata(path).is_ok_and(|meta| meta.len() <= MOST_BYTES))
        .filter_map(|path| Some((path, Document::new(fs::read(path).ok()?))))
        .filter(|(path, document)| class == Class::Data || !is_generated(path, document))
        .map(|(_, document)| document)
        .filter(|document| LINES.contains(&document.line_count()))
        .filter(|document| seen.insert(document.revision()))
        .take(MOST_FILES)
        .collect()
}

/// Crates whose source is written by a program from tables or headers, without saying so in every file.
const GENERATED: &[&str] = &[
    "linux-raw-sys-",
    "windows-sys-",
    "windows-targets-",
    "windows_",
    "typenum-",
    "pulp-",
];

/// Returns whether a program wrote a source file: it is as repetitive as data, and nobody edits it by hand.
fn is_generated(path: &Path, document: &Document) -> bool {
    let in_crate = |part: &str| GENERATED.iter().any(|name| part.starts_with(name));
    let says_so = |line: &str| {
        let line = line.to_lowercase();
        [
            "generated by",
            "automatically generated",
            "@generated",
            "do not edit",
        ]
        .iter()
        .any(|mark| line.contains(mark))
    };
    path.iter().filter_map(|part| part.to_str()).any(in_crate)
        || document
            .lines()
            .take(20)
            .filter_map(|line| std::str::from_utf8(line.text).ok())
            .any(says_so)
}
