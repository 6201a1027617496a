//! The answer of a search, as text and as JSON: lines with their anchors, and how much is not shown.

use std::collections::BTreeMap;
use std::fmt::Write;

use hashline_core::Code;
use hashline_wire::answer::Notice;
use hashline_wire::render::{capital, count};
use hashline_wire::{Refusal, all_named, named};
use hashline_workspace::search::found::{Found, FoundFile, FoundLine, Role};
use schemars::JsonSchema;
use serde::Serialize;

use super::RefusalFields;
use super::disk::{disk_notice, read_refusal};

/// How many files that could not be searched are named for each reason.
const NAMED: usize = 5;
/// Reasons for which skipped files are only counted, not named, because such files are everywhere.
const COMMON: [Code; 2] = [Code::Binary, Code::Encoding];

/// Renders the results of a search for a model.
#[must_use]
pub fn found_text(found: &Found) -> String {
    found_files(found) + &found_sentences(found)
}

/// Renders the matching lines file by file, without the summary of [`found_summary`]. Lines are formatted as a read formats them, so that anchors can
/// be copied from both.
#[must_use]
pub fn found_files(found: &Found) -> String {
    let mut out = String::new();
    for file in &found.files {
        let (path, rev) = (named(&file.path), file.revision.short());
        let encoding = file
            .encoding
            .map_or_else(String::new, |name| format!(", {name}"));
        push(
            &mut out,
            format_args!("{path} (rev {rev}{encoding}): {}\n", which(file)),
        );
        // Where every line matches there is nothing to tell apart.
        let has_context = file.lines.iter().any(|line| line.role == Role::Context);
        let between = if has_context { "--\n" } else { "" };
        for (index, block) in file.blocks().enumerate() {
            if index > 0 {
                out.push_str(between);
            }
            for FoundLine { line, .. } in block {
                push(&mut out, format_args!("{line}\n"));
            }
        }
        if let Some(left) = left_in(file) {
            push(&mut out, format_args!("({left} in this file not shown)\n"));
        }
        out.push('\n');
    }
    out
}

/// Formats how many lines were found, how many are not shown, and how many files could not be searched.
#[must_use]
pub fn found_summary(found: &Found) -> String {
    let totals = &found.totals;
    let searched = files(totals.searched);
    let mut parts = vec![match totals.matches {
        0 => format!("no match in {searched} searched"),
        some => format!(
            "{} in {} of {searched} searched",
            matches(some),
            totals.files
        ),
    }];
    let left = totals.matches - found.shown();
    if left > 0 {
        let (shown, more) = (matches(found.shown()), matches(left));
        parts.push(format!(
            "{shown} shown, {more} not; narrow the search by path or glob to see them"
        ));
    }
    if totals.cut > 0 {
        parts.push(format!(
            "of long lines in {} only the beginning was searched",
            files(totals.cut)
        ));
    }
    if !totals.skipped.is_empty() {
        parts.push(format!("skipped: {}", skipped(found)));
    }
    if !found.consistent {
        parts.push(
            "a change of several files may have been under way: search again to be sure".to_owned(),
        );
    }
    parts.extend(found.notes.iter().map(|note| {
        let message = disk_notice(note).message;
        message.strip_suffix('.').unwrap_or(&message).to_owned()
    }));
    parts.join("\n")
}

/// Formats how many lines of a file match, and their numbers if context lines are shown between them.
fn which(file: &FoundFile) -> String {
    let shows_context = file.lines.iter().any(|line| line.role == Role::Context);
    let numbers: Vec<String> = file.matching().map(|number| number.to_string()).collect();
    match (shows_context, numbers.as_slice()) {
        (true, [one]) => format!("{}, line {one}", matches(file.matches)),
        (true, several) => format!("{}, lines {}", matches(file.matches), several.join(", ")),
        (false, _) => matches(file.matches),
    }
}

fn left_in(file: &FoundFile) -> Option<String> {
    let shown = file.shown();
    let more = if shown > 0 { " more" } else { "" };
    let left = file.matches - shown;
    (left > 0).then(|| format!("{left}{more}"))
}

/// Lists the reasons why files could not be searched, with counts and, for the rarer reasons, paths.
fn skipped(found: &Found) -> String {
    let reasons = found.totals.skipped.iter().map(|(code, count)| {
        let of_code = found.skipped.iter().filter(|error| error.code() == *code);
        let paths: Vec<&str> = of_code
            .filter_map(|error| error.path.as_deref())
            .take(NAMED)
            .collect();
        let more = if paths.len() < *count { ", ..." } else { "" };
        if COMMON.contains(code) || paths.is_empty() {
            format!("{count} {code}")
        } else {
            format!("{count} {code} ({}{more})", all_named(&paths))
        }
    });
    reasons.collect::<Vec<_>>().join(", ")
}

fn matches(count: usize) -> String {
    match count {
        1 => "1 match".to_owned(),
        _ => format!("{count} matches"),
    }
}

fn files(number: usize) -> String {
    count(number, "file")
}

/// Formats the summary of [`found_summary`] as sentences, each with a capital letter and a full stop.
#[must_use]
pub fn found_sentences(found: &Found) -> String {
    let sentence = |line: &str| format!("{}.", capital(line));
    let summary = found_summary(found);
    summary.lines().map(sentence).collect::<Vec<_>>().join("\n")
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A string takes whatever is written to it.
    let _ = out.write_fmt(text);
}

/// The JSON answer of a search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FoundAnswer {
    ok: bool,
    /// The reason why a file or folder that the caller named could not be searched.
    #[serde(flatten)]
    refusal: Option<RefusalFields>,
    /// The file or folder that could not be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    files: Vec<FileFound>,
    totals: SearchTotals,
    /// The first files that could not be searched.
    skipped: Vec<SkippedFile>,
    /// Whether the files were certainly not read in the middle of one of our own commits over several files.
    consistent: bool,
    /// Notices about the disk, such as an interrupted commit that was recovered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disk: Vec<Notice>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct FileFound {
    path: String,
    rev: String,
    /// The encoding of the file, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    /// How many lines of the file match.
    matches: usize,
    /// How many matching lines of the file are shown.
    shown: usize,
    /// Runs of consecutive lines: matches and their context.
    blocks: Vec<Vec<LineFound>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct LineFound {
    anchor: String,
    text: String,
    #[serde(rename = "match")]
    matches: bool,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct SearchTotals {
    searched: usize,
    files: usize,
    matches: usize,
    shown: usize,
    /// How many files could not be searched, by error code.
    skipped: BTreeMap<&'static str, usize>,
    /// How many files have a line that is so long that only its beginning was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<usize>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct SkippedFile {
    path: Option<String>,
    code: &'static str,
    message: String,
}

/// Returns the results of a search as an object for JSON, with the refusal of a file or folder that could not be searched, if any.
#[must_use]
pub fn found_answer(found: &Found, failed: Option<&Refusal>) -> FoundAnswer {
    let totals = &found.totals;
    let skipped = totals.skipped.iter();
    FoundAnswer {
        ok: failed.is_none(),
        refusal: failed.map(RefusalFields::new),
        path: failed.and_then(Refusal::path).map(str::to_owned),
        files: found.files.iter().map(file_found).collect(),
        totals: SearchTotals {
            searched: totals.searched,
            files: totals.files,
            matches: totals.matches,
            shown: found.shown(),
            skipped: skipped
                .map(|(code, count)| (code.as_str(), *count))
                .collect(),
            cut: (totals.cut > 0).then_some(totals.cut),
        },
        skipped: found
            .skipped
            .iter()
            .map(|error| SkippedFile {
                path: error.path.clone(),
                code: error.code().as_str(),
                message: read_refusal(error).failure.what.join("; "),
            })
            .collect(),
        consistent: found.consistent,
        disk: found.notes.iter().map(disk_notice).collect(),
    }
}

fn file_found(file: &FoundFile) -> FileFound {
    let line = |FoundLine { role, line }: &FoundLine| LineFound {
        anchor: line.anchor(),
        text: line.text.to_string(),
        matches: *role == Role::Match,
    };
    FileFound {
        path: file.path.clone(),
        rev: file.revision.short(),
        encoding: file.encoding,
        matches: file.matches,
        shown: file.shown(),
        blocks: file
            .blocks()
            .map(|block| block.iter().map(line).collect())
            .collect(),
    }
}
