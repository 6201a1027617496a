//! JSON answers to reads, for the dialects (of seeds 001, 002 and 004) that define one.

use hashline_core::dialect::Dialect;
use hashline_core::render::shown_range;
use hashline_core::scheme::sha256;
use hashline_core::text::{Document, LineNo, LineSpan};
use schemars::JsonSchema;
use serde::Serialize;

use super::rendered;
use crate::named::named;
use crate::request::{LineRange, ReadFile};

/// The answer to a read in the push dialect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PushReadAnswer {
    /// Always true: the file was read.
    pub ok: bool,
    /// The lines, joined with `\n`; each begins with its anchor if the request has `annotate`.
    pub content: String,
    /// Whether lines were left out because the answer would be too long. Always false.
    pub truncated: bool,
    /// The SHA-256 of the whole file, to be sent as `file_hash`.
    pub file_hash: String,
    /// The number of the first line shown, from 1.
    pub start_line: usize,
    /// The number of the last line shown, inclusive.
    pub end_line: usize,
    /// How many lines the file has.
    pub total_lines: usize,
    /// The revision of the file (8 hex digits), to be sent as `rev` with edits.
    pub rev: String,
}

/// The answer to a read in the cowboy dialect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CowboyReadAnswer {
    /// The path of the file.
    pub path: String,
    /// The lines with their anchors.
    pub lines: Vec<String>,
    /// The revision of the file (8 hex digits), to be sent as `rev` with edits.
    pub rev: String,
}

/// How many lines of a file seed 004's read shows at most.
const PI_LINES: usize = 2000;
/// How many bytes of a file seed 004's read shows at most.
const PI_BYTES: usize = 50 * 1024;
/// A read result with more lines than this asks the client to collapse it on screen.
const COLLAPSE: usize = 100;

/// Returns seed 001's answer to a read; `None` if the range ends before it starts, which that tool calls `invalid_range`.
#[must_use]
pub fn push_read(document: &Document, range: LineRange, annotate: bool) -> Option<PushReadAnswer> {
    let total = document.line_count();
    let first = range.first.unwrap_or(1).max(1);
    if range.last.is_some_and(|last| first > last) {
        return None;
    }
    let span = shown_range(range.first, range.last, 0, total);
    let lines = if annotate {
        rendered(document, span, Dialect::PUSH)
    } else {
        plain(document, span)
    };
    Some(PushReadAnswer {
        ok: true,
        content: lines.join("\n"),
        truncated: false,
        file_hash: sha256(document.file_bytes()),
        start_line: first,
        end_line: span.end(),
        total_lines: total,
        rev: document.revision().short(),
    })
}

/// Returns seed 002's answer to a read.
#[must_use]
pub fn cowboy_read(path: &str, document: &Document, range: LineRange) -> CowboyReadAnswer {
    let span = shown_range(
        range.first,
        range.last,
        range.context,
        document.line_count(),
    );
    let lines = rendered(document, span, Dialect::COWBOY);
    CowboyReadAnswer {
        path: path.to_owned(),
        lines,
        rev: document.revision().short(),
    }
}

/// A file for [`pi_read`] to show: its content, and the lines that match if the request searches it.
pub type SearchedDocument = (Document, Vec<LineNo>);

/// Returns seed 004's answer to a read of any number of files as text, and whether the client should collapse it. A file that cannot be read
/// becomes an error line, and the other files are still shown.
#[must_use]
pub fn pi_read(
    files: &[(ReadFile, Result<SearchedDocument, String>)],
    dialect: Dialect,
) -> (String, bool) {
    let mut parts = Vec::new();
    for (file, document) in files {
        if files.len() > 1 {
            parts.push(format!("--- {} ---", named(&file.path)));
        }
        match document {
            Ok((document, matches)) => parts.extend(pi_part(file, document, matches, dialect)),
            Err(reason) => parts.push(format!("Error: {reason}")),
        }
    }
    let lines = parts
        .iter()
        .map(|part| part.split('\n').count())
        .sum::<usize>();
    (parts.join("\n"), lines > COLLAPSE)
}

fn pi_part(
    file: &ReadFile,
    document: &Document,
    matches: &[LineNo],
    dialect: Dialect,
) -> Vec<String> {
    if let Some(search) = &file.search {
        let (text, count) = (&search.text, matches.len());
        let mut part = vec![format!("Search: '{text}' | Matches: {count}")];
        let spans = search.spans(matches, document.all());
        for (index, span) in spans.into_iter().enumerate() {
            if index > 0 {
                part.push("...".to_owned());
            }
            part.extend(rendered(document, span, dialect));
        }
        return part;
    }
    let asked = shown_range(file.range.first, file.range.last, 0, document.line_count());
    let mut bytes = 0;
    let within = |line: &String| {
        bytes += line.len() + 1;
        bytes <= PI_BYTES
    };
    let mut part: Vec<String> = rendered(
        document,
        LineSpan::new(asked.start()..asked.end().min(asked.start() + PI_LINES)),
        dialect,
    )
    .into_iter()
    .take_while(within)
    .collect();
    let shown = LineSpan::new(asked.start()..asked.start() + part.len());
    if shown.end() < asked.end() {
        let next = shown.end() + 1;
        part.push(format!(
            "[lines {shown} of {} shown; go on with offset {next}]",
            document.line_count()
        ));
    }
    part
}

fn plain(document: &Document, span: LineSpan) -> Vec<String> {
    document
        .lines_in(span)
        .map(|line| hashline_core::render::display(line.text).into_owned())
        .collect()
}
