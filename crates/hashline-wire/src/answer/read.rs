//! JSON answers to reads, for the dialects (of seeds 001, 002 and 004) that define one.

use hashline_core::dialect::Dialect;
use hashline_core::render::{anchored, bytes_displayed, display, shown_range};
use hashline_core::scheme::sha256;
use hashline_core::shown::CutLine;
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
    #[schemars(extend("const" = true))]
    pub ok: bool,
    /// The lines, joined with `\n`; each begins with its anchor if the request has `annotate`.
    pub content: String,
    /// Whether lines were left out because the answer would be too long: `start_line` and `end_line` say which were not.
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

/// Seed 001's answer to a read, and which lines it shows.
#[derive(Clone, Debug)]
pub struct PushPage {
    /// The answer.
    pub answer: PushReadAnswer,
    /// The lines that are in it.
    pub span: LineSpan,
    /// The line of which only the beginning is in it, because it is longer than the answer may be.
    pub cut: Option<CutLine>,
    /// Whether lines were left out that would have had room without their anchors.
    pub cut_by_anchors: bool,
    /// How many lines were shown with an anchor.
    pub anchored: usize,
    /// How many of these have the tag of another one of them whose text is different.
    pub tag_collisions: usize,
}

/// Returns seed 001's answer to a read, with a content of at most `most` characters; `None` if the range ends before it starts, which that tool
/// calls `invalid_range`.
#[must_use]
pub fn push_read(
    document: &Document,
    range: LineRange,
    annotate: bool,
    most: usize,
) -> Option<PushPage> {
    let total = document.line_count();
    let first = range.first.unwrap_or(1).max(1);
    if range.last.is_some_and(|last| first > last) {
        return None;
    }
    let asked = shown_range(range.first, range.last, 0, total);
    let mut lines = if annotate {
        rendered(document, asked, Dialect::PUSH)
    } else {
        plain(document, asked)
    };
    let fit = fitting(&lines, most);
    let truncated = fit < lines.len();
    let cut_by_anchors = truncated && annotate && {
        let plain = plain(document, asked);
        fitting(&plain, most) == plain.len()
    };
    let cut = (fit == 0 && truncated).then(|| beginning(document, asked, &mut lines[0], most));
    lines.truncate(fit.max(usize::from(truncated)));
    let span = LineSpan::new(asked.start()..asked.start() + lines.len());
    let answer = PushReadAnswer {
        ok: true,
        content: lines.join("\n"),
        truncated,
        file_hash: sha256(document.file_bytes()),
        start_line: first,
        end_line: if truncated { span.end() } else { asked.end() },
        total_lines: total,
        rev: document.revision().short(),
    };
    let (anchored, tag_collisions) = if annotate {
        (span.len(), tag_collisions(document, span))
    } else {
        (0, 0)
    };
    Some(PushPage {
        answer,
        span,
        cut,
        cut_by_anchors,
        anchored,
        tag_collisions,
    })
}

/// Returns how many lines of a span have the tag of another one whose text is different. Lines with the same text have the same tag by design and do not
/// count.
fn tag_collisions(document: &Document, span: LineSpan) -> usize {
    let lines = anchored(document, span, Dialect::PUSH.scheme);
    let tags = lines.map(|line| line.tag).zip(document.lines_in(span));
    let mut tags: Vec<_> = tags.map(|(tag, line)| (tag, line.text)).collect();
    tags.sort_unstable();
    let same_tag = tags.chunk_by(|(one, _), (other, _)| one == other);
    let differ = same_tag.filter(|lines| lines.first() != lines.last());
    differ.map(<[_]>::len).sum()
}

/// Returns how many of the lines, joined with newlines, have at most `most` characters.
fn fitting(lines: &[String], most: usize) -> usize {
    let mut characters = 0;
    let fits = |(index, line): &(usize, &String)| {
        // Every line but the first has a newline before it, empty or not.
        characters += line.chars().count() + usize::from(*index > 0);
        characters <= most
    };
    lines.iter().enumerate().take_while(fits).count()
}

/// Cuts the first line of a span, which is rendered as `rendered`, to `most` characters, and returns which part of it is left.
fn beginning(document: &Document, span: LineSpan, rendered: &mut String, most: usize) -> CutLine {
    let index = span.start();
    let line = document.line(LineNo::from_index(index));
    let text = line.map(|line| line.text).unwrap_or_default();
    let anchor = rendered.len() - display(text).len();
    if let Some((end, _)) = rendered.char_indices().nth(most) {
        rendered.truncate(end);
    }
    let shown = rendered.len().saturating_sub(anchor);
    let bytes = bytes_displayed(text, shown);
    CutLine { index, bytes }
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
        .map(|line| display(line.text).into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use hashline_core::text::Document;

    use super::push_read;
    use crate::request::LineRange;

    /// Two texts whose CRC-32 has the same lower 24 bits.
    const SAME_TAG: [&str; 2] = ["let x = 84958;", "let x = 1140402;"];

    #[test]
    fn lines_with_the_same_tag_and_another_text_are_counted() {
        let [one, other] = SAME_TAG;
        for (text, annotate, expected) in [
            (format!("{one}\n{other}\n"), true, (2, 2)),
            (format!("{one}\n{other}\n{one}\nx\n"), true, (4, 3)),
            (format!("{one}\n{one}\nx\nx\n"), true, (4, 0)),
            (format!("{one}\n{other}\n"), false, (0, 0)),
            (String::new(), true, (0, 0)),
        ] {
            let document = Document::new(text.as_str());
            let page = push_read(&document, LineRange::default(), annotate, 1000);
            let counted = page.map(|page| (page.anchored, page.tag_collisions));
            assert_eq!(counted, Some(expected), "{text:?}");
        }
    }
}
