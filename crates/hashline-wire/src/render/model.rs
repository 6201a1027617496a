//! Answers as text for a language model: short, with anchors that work when copied, and always the next step.
//!
//! An answer is a [`Page`] of sentences and lines of files. If it is too long, lines of files are left out from its middle; sentences stay.
//! The ledger must record exactly the lines that were shown, so the page keeps track of them; no code parses them from the rendered text.

use std::ops::Range;

use hashline_core::edit::EditNo;
use hashline_core::files::{FileEdited, Status};
use hashline_core::text::LineSpan;
use serde_json::json;

use super::{capital, count, lines_named};
use crate::answer::{AnswerOptions, Outcome, ShownLines, spans};
use crate::named::named;
use crate::reasons;
use crate::refusal::{Failure, Refusal, Window, Written, sentence};
use crate::request::{Mode, Note, NoteKind, Show};

/// The first sentence of every refusal of a request that was to write.
pub const NOTHING_WRITTEN: &str = "Nothing was written.";

/// The answer to a request that creates and deletes the same files.
pub(crate) const NOTHING_LEFT: &str =
    "Nothing changed: the request deletes every file it creates, and nothing was written.";

/// The maximum number of files for which an answer includes the `read` call that shows the lines left out.
const MAX_READ_CALLS: usize = 3;

/// An answer before it is rendered as text: sentences and lines of files, in order.
#[derive(Clone, Debug, Default)]
pub struct Page {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    /// One or more lines of text.
    Text(String),
    /// Lines of a file, with its path.
    Lines(String, Window),
}

/// Renders the answer to an edit request as text.
#[must_use]
pub fn answer(options: &AnswerOptions, outcome: &Outcome) -> String {
    page(options, outcome).text(options)
}

/// Returns the answer to an edit request as a page, cut to the `max_bytes` of the options.
#[must_use]
pub fn page(options: &AnswerOptions, outcome: &Outcome) -> Page {
    let mut page = Page::default();
    let mut tail: Vec<String> = Vec::new();
    match outcome {
        Err(refusal) => {
            page.add_failures(refusal);
            tail.extend(next_line(refusal));
        }
        Ok(edited) => {
            if options.mode == Mode::DryRun {
                page.text_line(format!(
                    "Dry run. {NOTHING_WRITTEN} With dry_run off this would happen:"
                ));
            }
            if edited.files.is_empty() {
                page.text_line(NOTHING_LEFT);
            }
            for file in &edited.files {
                page.add_file(options, file);
            }
            tail.extend(options.notes.iter().map(note));
        }
    }
    tail.extend(options.disk.iter().map(|notice| notice.message.clone()));
    if let Some(most) = options.max_bytes {
        // The tail is counted first: what to do next must never be cut.
        let room = most.saturating_sub(tail.iter().map(|line| line.len() + 1).sum());
        let left_out = page.cut(room, longest_line(most));
        // A refusal asks for something else next, and after a dry run there is nothing to read.
        if outcome.is_ok() && options.mode == Mode::Write {
            tail.extend(read_calls(&left_out));
        }
    }
    page.extend(tail);
    if let Ok(edited) = outcome {
        let left_out = |file| Some((file, spans::left_out(options, file)?));
        for (file, left_out) in edited.files.iter().filter_map(left_out) {
            page.add_left_out(options, file.name(), left_out);
        }
    }
    page
}

fn next_line(refusal: &Refusal) -> Option<String> {
    refusal.next.as_ref().map(|next| format!("Next: {next}."))
}

/// Returns the `read` calls that show the lines left out, one per file, for the first three files.
fn read_calls(left_out: &[(String, LineSpan)]) -> Vec<String> {
    let files = left_out.chunk_by(|one, next| one.0 == next.0);
    let calls = files.filter_map(|file| {
        let ((path, first), (_, last)) = (file.first()?, file.last()?);
        let lines = LineSpan::new(first.start()..last.end());
        Some(read_lines(path, lines))
    });
    calls.take(MAX_READ_CALLS).collect()
}

impl Page {
    /// Lists the lines of files that the page shows.
    #[must_use]
    pub fn shown(&self) -> Vec<ShownLines> {
        let lines = self.parts.iter().filter_map(|part| match part {
            Part::Lines(path, lines) => Some(ShownLines {
                path: path.clone(),
                document: lines.document.clone(),
                spans: vec![lines.span],
            }),
            Part::Text(_) => None,
        });
        lines.collect()
    }

    /// Renders the page as text, with long lines clipped if the options set `max_bytes`.
    fn text(&self, options: &AnswerOptions) -> String {
        let longest = options.max_bytes.map(longest_line);
        let mut out = Vec::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    let lines = text.lines().map(str::to_owned);
                    out.extend(lines.map(|line| clipped(line, longest)));
                }
                Part::Lines(_, lines) if lines.span.is_empty() => {}
                Part::Lines(_, lines) => {
                    out.extend(Some(title_of(lines)).filter(|title| !title.is_empty()));
                    let lines = lines.lines().into_iter();
                    out.extend(lines.map(|line| clipped(line, longest)));
                }
            }
        }
        match options.max_bytes {
            Some(most) => without_middle(&out, most),
            None => out.join("\n"),
        }
    }

    fn text_line(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    fn extend(&mut self, lines: impl IntoIterator<Item = String>) {
        self.parts.extend(lines.into_iter().map(Part::Text));
    }

    fn add_failures(&mut self, refusal: &Refusal) {
        let lead = match refusal.written {
            Written::Nothing => format!("{NOTHING_WRITTEN} "),
            Written::Partly => "Some files were changed. ".to_owned(),
            Written::Unknown => "It is not known whether anything was written. ".to_owned(),
            Written::NotAsked => String::new(),
        };
        self.add_failure(&refusal.failure, &lead);
        for also in &refusal.also {
            self.add_failure(also, "");
        }
    }

    fn add_failure(&mut self, failure: &Failure, lead: &str) {
        for (index, what) in failure.what.iter().enumerate() {
            let lead = if index == 0 { lead } else { "" };
            self.text_line(format!("{lead}{}", sentence(what, failure.path.as_deref())));
        }
        self.extend(failure.details.iter().cloned());
        let path = failure.path.clone().unwrap_or_default();
        let windows = failure.windows.iter();
        self.parts
            .extend(windows.map(|window| Part::Lines(path.clone(), window.clone())));
    }

    /// Adds the report on an edited file: a headline, the changed places with current anchors or a diff, and moves, repairs and hints.
    fn add_file(&mut self, options: &AnswerOptions, file: &FileEdited) {
        let report = &file.edited.report;
        self.text_line(headline(file));
        self.parts
            .extend(spans::of_text(options, file).into_iter().map(|span| {
                let window = Window::new(&report.after, span, options.dialect);
                Part::Lines(file.name().to_owned(), window)
            }));
        if options.show == Show::Diff {
            let (from, name) = (file.from.as_deref().unwrap_or(file.name()), file.name());
            let diff = report.diff(&named(from), &named(name));
            self.extend(diff.text.lines().map(str::to_owned));
        }
        self.extend(report.moves.iter().map(|moved| {
            let from = lines_named(moved.from);
            let (edit, to, text) = (moved.edit, moved.to, &moved.text);
            format!("Moved: edit {edit}: {from} was found at {to}: {text}")
        }));
        let repairs = report.repairs.iter();
        self.extend(repairs.map(|repair| format!("Note: {}.", reasons::of_repair(repair))));
        let hints = report.hints.iter();
        self.extend(hints.map(|hint| {
            format!(
                "Hint: {}; it was applied as written.",
                reasons::of_hint(hint)
            )
        }));
        let unrecorded: Vec<EditNo> = report
            .unrecorded
            .iter()
            .filter(|edit| !report.unchecked.contains(edit))
            .copied()
            .collect();
        self.extend(reasons::of_unrecorded(&unrecorded));
        self.extend(report.unchecked.iter().map(|edit| {
            format!("Note: edit {edit}: only the first and last line of the range were checked, by number and tag: there is no record of the lines between them.")
        }));
    }

    /// Adds a sentence that says which lines of a file are not shown, and after a write the `read` call that shows them.
    fn add_left_out(&mut self, options: &AnswerOptions, path: &str, lines: LineSpan) {
        self.text_line(format!(
            "Not shown: {} of {}.",
            lines_named(lines),
            named(path)
        ));
        // After a dry run there is nothing to read.
        if options.mode == Mode::Write {
            self.text_line(read_lines(path, lines));
        }
    }

    /// Leaves out lines of files from the middle until the page has at most `most` bytes; sentences stay. The end is kept because the
    /// last lines of an edit tell whether it came out right. Returns the lines left out, with their paths.
    fn cut(&mut self, most: usize, longest: usize) -> Vec<(String, LineSpan)> {
        let mut sizes = Vec::new();
        let mut text = 0;
        for part in &self.parts {
            match part {
                Part::Text(line) => text += line.len() + 1,
                Part::Lines(_, lines) => {
                    text += title_of(lines).len() + 1;
                    let lines = lines.lines().into_iter();
                    sizes.extend(lines.map(|line| clipped(line, Some(longest)).len() + 1));
                }
            }
        }
        let room = most.saturating_sub(text);
        if sizes.iter().sum::<usize>() <= room {
            return Vec::new();
        }
        let head = how_many_fit(room / 3 * 2, sizes.iter());
        let tail = how_many_fit(room / 3, sizes[head..].iter().rev());
        self.leave_out(head..sizes.len() - tail)
    }

    /// Removes the lines of files at these indexes, counted from 0 over all files of the page, and returns them with their paths.
    fn leave_out(&mut self, indexes: Range<usize>) -> Vec<(String, LineSpan)> {
        let mut left_out = Vec::new();
        let mut index = 0;
        for part in std::mem::take(&mut self.parts) {
            let Part::Lines(path, lines) = part else {
                self.parts.push(part);
                continue;
            };
            let (start, end) = (lines.span.start(), lines.span.end());
            let at = |edge: usize| start + edge.clamp(index, index + end - start) - index;
            let (from, to) = (at(indexes.start), at(indexes.end));
            index += end - start;
            if from >= to {
                self.parts.push(Part::Lines(path, lines));
                continue;
            }
            let part_of = |title: Option<String>, span: Range<usize>| {
                let window = Window {
                    title,
                    span: LineSpan::new(span),
                    ..lines.clone()
                };
                Part::Lines(path.clone(), window)
            };
            self.parts.push(part_of(lines.title.clone(), start..from));
            if left_out.is_empty() {
                self.text_line(not_shown(indexes.len()));
            }
            left_out.push((path.clone(), LineSpan::new(from..to)));
            // The rest of a window that was cut needs no title of its own; a window that lost its first lines gets one with its new numbers.
            let title = (from > start).then(String::new);
            self.parts.push(part_of(title, to..end));
        }
        left_out
    }
}

fn not_shown(lines: usize) -> String {
    match lines {
        1 => "[... 1 line of this answer is not shown]".to_owned(),
        _ => format!("[... {lines} lines of this answer are not shown]"),
    }
}

/// Counts how many of the leading `sizes` add up to at most `room` bytes.
fn how_many_fit<'a>(room: usize, sizes: impl Iterator<Item = &'a usize>) -> usize {
    let mut sum = 0;
    let fits = |size: &&usize| {
        sum += **size;
        sum <= room
    };
    sizes.take_while(fits).count()
}

fn title_of(window: &Window) -> String {
    let numbers = || format!("{} now:", capital(&lines_named(window.span)));
    window.title.clone().unwrap_or_else(numbers)
}

/// Joins the lines of an answer; if the text is still too long, leaves out its middle, because an answer begins with what was done and ends
/// with what to do next.
fn without_middle(lines: &[String], most: usize) -> String {
    let sizes: Vec<usize> = lines.iter().map(|line| line.len() + 1).collect();
    // Leaving out lines for a few bytes is worth less than the lines.
    if sizes.iter().sum::<usize>() <= most + most / 4 {
        return lines.join("\n");
    }
    let head = how_many_fit(most / 2, sizes.iter());
    let tail = how_many_fit(most / 4, sizes[head..].iter().rev());
    let left = lines.len() - head - tail;
    let mut out = lines[..head].to_vec();
    out.push(not_shown(left));
    out.extend_from_slice(&lines[lines.len() - tail..]);
    out.join("\n")
}

/// Returns the most bytes of one line in an answer of at most `most` bytes: an eighth, so that one line does not crowd out all others.
fn longest_line(most: usize) -> usize {
    most / 8
}

/// Cuts a line to at most `most` bytes, and appends how many bytes are not shown.
#[must_use]
pub fn clipped(line: String, most: Option<usize>) -> String {
    let Some(most) = most.filter(|most| line.len() > *most) else {
        return line;
    };
    let end = line.floor_char_boundary(most);
    let left = line.len() - end;
    format!(
        "{} [... {left} more bytes of this line are not shown]",
        &line[..end]
    )
}

/// Returns a next step with the `read` call that shows these lines of a file: `Next: read {"path":...}`.
#[must_use]
pub fn read_lines(path: &str, lines: LineSpan) -> String {
    let call = json!({"path": path, "offset": lines.start() + 1, "limit": lines.len()});
    format!("Next: read {call}")
}

/// Renders the report on one edited file as text.
#[must_use]
pub(crate) fn file_done(options: &AnswerOptions, file: &FileEdited) -> String {
    let mut page = Page::default();
    page.add_file(options, file);
    page.text(options)
}

fn headline(file: &FileEdited) -> String {
    let (report, name) = (&file.edited.report, named(file.name()));
    let rev = report.after.revision().short();
    let from = named(file.from.as_deref().unwrap_or_default());
    let diff = report.diff(&from, &name);
    match file.status() {
        Status::Deleted => format!("Deleted {name}."),
        Status::Added => {
            let lines = count(report.after.line_count(), "line");
            format!("Created {name} ({lines}); rev {rev}.")
        }
        Status::Moved if !report.is_changed() => format!("Moved {from} to {name}; rev {rev}."),
        Status::Modified if !report.is_changed() => format!(
            "Nothing changed in {name}: it already reads like this, and nothing was written; rev {rev}."
        ),
        status => {
            let moved = if status == Status::Moved {
                format!(", moved from {from}")
            } else {
                String::new()
            };
            let edits = count(report.applied, "edit");
            let dropped = match report.duplicates {
                0 => String::new(),
                n => format!(", {} dropped", count(n, "identical edit")),
            };
            format!(
                "Applied {edits} to {name}{moved} (+{} -{}{dropped}); rev {rev}.",
                diff.added, diff.removed
            )
        }
    }
}

/// Renders a refusal as text, with its next step and notices about the disk.
#[must_use]
pub fn refusal(options: &AnswerOptions, refusal: &Refusal) -> String {
    let mut page = Page::default();
    page.add_failures(refusal);
    page.extend(next_line(refusal));
    page.extend(options.disk.iter().map(|notice| notice.message.clone()));
    page.text(options)
}

/// What the heading above the lines of a file says: its name and revision, and which of its lines are shown.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// The path of the file.
    pub path: &'a str,
    /// The file's revision, shortened.
    pub rev: &'a str,
    /// How many lines the file has.
    pub lines: usize,
    /// The lines of the file that are shown, ascending.
    pub spans: &'a [LineSpan],
    /// How many matching lines are shown, and whether there are more; `None` if the file was not searched.
    pub matches: Option<(usize, bool)>,
}

/// Renders the heading above the lines of a file: `a.rs (rev ed6e23d4, lines 4-6 of 80)`.
#[must_use]
pub fn heading(heading: &Heading<'_>) -> String {
    let Heading {
        path, rev, lines, ..
    } = heading;
    let all = count(*lines, "line");
    let shown = match (heading.matches, heading.spans) {
        (Some((matches, true)), _) => format!("the first {matches} matching of {all}"),
        (Some((matches, false)), _) => format!("{matches} matching of {all}"),
        (None, [span]) if span.is_empty() && *lines > 0 => format!("no lines of {lines}"),
        (None, [span]) if span.len() < *lines => format!("{} of {lines}", lines_named(*span)),
        _ => all,
    };
    format!("{} (rev {rev}, {shown})", named(path))
}

/// Returns the sentence about a mistake in a request that the parser accepted, or about a field that it ignored.
#[must_use]
pub fn note(note: &Note) -> String {
    let at = &note.at;
    match note.kind {
        NoteKind::ListInString => {
            format!("Note: {at} was a string with JSON in it; send the list itself.")
        }
        NoteKind::ObjectForList => format!("Note: {at} was one object; send a list."),
        NoteKind::UnknownField => format!("Note: unknown field {at} was ignored."),
        NoteKind::OtherName { name } => format!("Note: {at} is called `{name}` here."),
        NoteKind::Overruled { by } => {
            format!("Note: {at} was ignored because `{by}` is there too.")
        }
    }
}
