//! The target for searches: any pattern in any text, against a search that cuts the text into lines and asks each of them.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use hashline_core::scheme::Scheme;
use hashline_workspace::encoding::decode;
use hashline_workspace::error::{DiskError, DiskFault, PatternFault};
use hashline_workspace::search::{Audience, Case, Extent, Most, Pattern, Query};
use hashline_workspace::{Settings, Workspace};
use regex::bytes::{Regex, RegexBuilder};

use super::folder::Folder;
use crate::input::Input;

thread_local! {
    static FOLDER: Folder = Folder::made(|_| Ok(()));
}

/// Parts of patterns and of texts.
const PARTS: [&str; 40] = [
    "a", "b", "A", "é", "É", "ſ", "0", " ", "\n", "\r\n", "\r", ".", "^", "$", "*", "+", "?", "|",
    "(", ")", "(?:", "[^a]", "[a-b", "]", r"\b", r"\B", r"\A", r"\z", r"\s", r"\S", r"\w", r"\W",
    "{2}", "(?i)", "(?R)", "(?s)", "(?-u:", r"\xff", r"\n", "(?-m)",
];

/// Searches a text made of the bytes for a pattern made of them.
///
/// # Panics
///
/// If the search finds other lines than one that is done line by line, or refuses a pattern without a reason.
pub fn search(data: &[u8]) {
    let mut input = Input(data);
    let insensitive = input.below(2) == 1;
    let fixed = input.below(3) == 0;
    let (before, after) = (input.below(3), input.below(3));
    let source = pattern(&mut input);
    let text = text(&mut input);
    let query = Query {
        case: if insensitive {
            Case::Insensitive
        } else {
            Case::Sensitive
        },
        extent: Extent::Anywhere,
        before,
        after,
        most: Most::everything(),
        threads: NonZeroUsize::new(1),
        ..Query::new(if fixed {
            Pattern::Fixed(source.clone())
        } else {
            Pattern::Regex(source.clone())
        })
    };
    let source = if fixed {
        regex::escape(&source)
    } else {
        source
    };
    let model = RegexBuilder::new(&source)
        .multi_line(true)
        .case_insensitive(insensitive)
        .build();
    FOLDER.with(|folder| compare(folder.path(), &query, model.ok().as_ref(), &text));
}

fn pattern(input: &mut Input<'_>) -> String {
    match input.below(4) {
        0 => input.text(),
        _ => (0..=input.below(6)).map(|_| input.pick(&PARTS)).collect(),
    }
}

fn text(input: &mut Input<'_>) -> Vec<u8> {
    match input.below(3) {
        0 => input.0.to_vec(),
        _ => {
            let rest = input.0.iter();
            let parts = rest.map(|&byte| PARTS[usize::from(byte) % 12].as_bytes());
            parts.flatten().copied().collect()
        }
    }
}

fn compare(folder: &Path, query: &Query, model: Option<&Regex>, text: &[u8]) {
    fs::write(folder.join("file"), text).expect("the temporary folder can be written");
    let opened = Workspace::open(&[folder.to_path_buf()], Settings::default());
    let audience = Audience {
        scheme: Scheme::Omp,
        session: None,
        ledger: None,
        seen: None,
    };
    let found = opened
        .expect("the folder is there")
        .search(query, &audience, None);
    let found = match (found, model) {
        (Ok(found), Some(_)) => found,
        // Where the two read patterns by different bounds, there is nothing to compare.
        (Ok(_), None) => return,
        (Err(error), model) => return assert_reason(&error, model.is_none()),
    };
    let skipped: Vec<&str> = found
        .skipped
        .iter()
        .map(|error| error.code().as_str())
        .collect();
    assert_eq!(skipped, not_text(text).as_slice(), "{text:?}");
    let lines: Vec<(usize, bool)> = found
        .files
        .iter()
        .flat_map(|file| file.lines.iter())
        .map(|line| {
            (
                line.line.number.get(),
                line.role == hashline_workspace::search::found::Role::Match,
            )
        })
        .collect();
    let expected = if skipped.is_empty() {
        model.map(|model| slow(model, query, text))
    } else {
        None
    };
    assert_eq!(lines, expected.unwrap_or_default(), "{query:?} in {text:?}");
}

/// A pattern is refused if it is none, if it asks for the end of a line, or if it is too large.
fn assert_reason(error: &DiskError, is_none: bool) {
    let DiskFault::BadPattern(bad) = &error.why else {
        panic!("{error:?}");
    };
    let bound = matches!(
        bad.why,
        PatternFault::LineEnd | PatternFault::TooBig { .. } | PatternFault::TooLong { .. }
    );
    assert!(bound || is_none, "{error:?}");
}

fn not_text(text: &[u8]) -> Vec<&'static str> {
    match decode(text.to_vec(), None) {
        Err(why) => vec![why.at("").code().as_str()],
        Ok(text) if text.bytes().contains(&0) => vec!["binary"],
        Ok(_) => Vec::new(),
    }
}

/// Lists the lines that are shown, and whether they match.
fn slow(model: &Regex, query: &Query, text: &[u8]) -> Vec<(usize, bool)> {
    let Ok(document) = decode(text.to_vec(), None) else {
        return Vec::new();
    };
    let text = document.bytes();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let matches = |line: &&[u8]| {
        let plain = line
            .strip_suffix(b"\n")
            .map_or(*line, |plain| plain.strip_suffix(b"\r").unwrap_or(plain));
        model.is_match(plain)
    };
    let matching: Vec<bool> = lines.iter().map(matches).collect();
    let near = |at: &usize| {
        let around = at.saturating_sub(query.after)..(at + query.before + 1).min(lines.len());
        matching[around].contains(&true)
    };
    let shown = (0..lines.len()).filter(near);
    shown.map(|at| (at + 1, matching[at])).collect()
}
