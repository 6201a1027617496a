//! Large texts to measure on, made of real source files.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::{corpus, git};

/// Returns so many lines of code: the repository's own sources, over and over, no two rounds quite alike.
pub(crate) fn code(lines: usize) -> Result<String> {
    let real = lines_of(git::tracked(&git::root()));
    let real: Vec<String> = real.collect();
    ensure!(!real.is_empty(), "the repository tracks no source files");
    let mut text = String::with_capacity(lines * 34);
    for (line, at) in real.iter().cycle().take(lines).zip(0..) {
        push_varied(&mut text, line, at / real.len());
        text.push('\n');
    }
    Ok(text)
}

/// Returns so many lines that repeat after `period` lines.
pub(crate) fn periodic(lines: usize, period: usize) -> String {
    let line = |index: usize| format!("    let value_{} = compute();\n", index % period);
    (0..lines).map(line).collect()
}

/// Returns so many lines of the sources in cargo's registry, each file once; nothing if there are not enough.
pub(crate) fn registry_code(lines: usize) -> Option<String> {
    let mut paths = corpus::registry_paths();
    paths.sort();
    let mut found = 0;
    let text: String = lines_of(paths)
        .take(lines)
        .inspect(|_| found += 1)
        .flat_map(|line| [line, "\n".to_owned()])
        .collect();
    (found == lines).then_some(text)
}

fn lines_of(paths: Vec<PathBuf>) -> impl Iterator<Item = String> {
    let sources = paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let texts = sources.filter_map(|path| fs::read_to_string(path).ok());
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<String>>())
}

/// Adds a line; in later rounds one of its letters is another one.
fn push_varied(text: &mut String, line: &str, round: usize) {
    let letters = || line.char_indices().filter(|(_, c)| c.is_ascii_lowercase());
    let Some((at, _)) = letters().nth(round % 7).filter(|_| round > 0) else {
        return text.push_str(line);
    };
    let letter = b"abcdefghijklmnopqrstuvwxyz"[round % 26];
    text.push_str(&line[..at]);
    text.push(char::from(letter));
    text.push_str(&line[at + 1..]);
}
