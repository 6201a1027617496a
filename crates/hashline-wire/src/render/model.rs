//! Answers as text for a language model: short, with anchors that work when copied, and always the next step.
//!
//! An answer is a [`Page`] of sentences and lines of files. If it is too long, lines of files are left out from its middle; sentences stay.
//! The ledger must record exactly the lines that were shown, so the page keeps track of them; no code parses them from the rendered text.

use std::ops::Range;

use hashline_core::edit::EditNo;
use hashline_core::error::AnchorProblem;
use hashline_core::files::{FileEdited, Status};
use hashline_core::render::{bytes_displayed, display, line_cost};
use hashline_core::shown::CutLine;
use hashline_core::text::LineSpan;
use serde_json::{Value, json};

use super::{capital, count, lines_named, not_shown};
use crate::answer::{AnswerOptions, Outcome, ShownLines, spans};
use crate::named::named;
use crate::page::{MARK, PageSize, clipped, cost_of, middle, shown_bytes, within};
use crate::reasons;
use crate::refusal::{Failure, Refusal, Window, Written, sentence};
use crate::request::{Mode, Note, NoteKind, Show};
use crate::schema::Tool;

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
    /// The most bytes of a line; `None`: no limit.
    longest: Option<usize>,
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
    page(options, outcome).text()
}

/// Returns the answer to an edit request as a page, cut to the page size of the options.
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
    if let Ok(edited) = outcome {
        let left_out = |file| Some((file, spans::left_out(options, file)?));
        for (file, left_out) in edited.files.iter().filter_map(left_out) {
            tail.extend(unshown(options, file.name(), left_out));
        }
    }
    let (size, cut) = match outcome {
        Err(refusal) => (
            options.page.map(PageSize::of_refusal),
            IfCut::Refused(refusal),
        ),
        Ok(_) if options.mode == Mode::Write => (options.page, IfCut::Written),
        // After a dry run there is nothing to read.
        Ok(_) => (options.page, IfCut::DryRun),
    };
    page.finish(size, tail, cut);
    page
}

/// What an answer was about, which decides what it says about lines that it leaves out because it would be too long.
#[derive(Clone, Copy, Debug)]
enum IfCut<'a> {
    /// Files were written: the answer names the calls that read the rest.
    Written,
    /// Nothing is there to be read.
    DryRun,
    /// The request was refused: the answer names the lines that must be shown before it can be sent again.
    Refused(&'a Refusal),
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
    /// Lists the lines of files that the page shows, and which of them are cut short: what was not shown must not be edited.
    #[must_use]
    pub fn shown(&self) -> Vec<ShownLines> {
        let lines = self.parts.iter().filter_map(|part| match part {
            Part::Lines(path, lines) => Some(ShownLines {
                path: path.clone(),
                document: lines.document.clone(),
                spans: vec![lines.span],
                cut: self.cut_lines(lines),
            }),
            Part::Text(_) => None,
        });
        lines.collect()
    }

    /// Returns the lines of a window of which only the beginning is shown.
    fn cut_lines(&self, window: &Window) -> Vec<CutLine> {
        let Some(longest) = self.longest else {
            return Vec::new();
        };
        let texts = window.document.lines_in(window.span);
        let lines = window.span.range().zip(texts).zip(window.lines());
        lines
            .filter_map(|((index, line), rendered)| {
                let shown = shown_bytes(&rendered, longest)?;
                let prefix = rendered.len().saturating_sub(display(line.text).len());
                let bytes = bytes_displayed(line.text, shown.saturating_sub(prefix));
                Some(CutLine { index, bytes })
            })
            .collect()
    }

    /// Renders the page as text, with long lines cut short.
    fn text(&self) -> String {
        let (mut out, mut is_first) = (String::new(), true);
        let mut add = |line: String| {
            if !std::mem::take(&mut is_first) {
                out.push('\n');
            }
            out.push_str(&clipped(line, self.longest));
        };
        for part in &self.parts {
            match part {
                Part::Text(text) => text.lines().for_each(|line| add(line.to_owned())),
                Part::Lines(_, lines) if lines.span.is_empty() => {}
                Part::Lines(_, lines) => {
                    let title = title_of(lines);
                    Some(title)
                        .filter(|title| !title.is_empty())
                        .into_iter()
                        .for_each(&mut add);
                    lines.each_line().for_each(&mut add);
                }
            }
        }
        out
    }

    /// Adds the last sentences of an answer, and cuts the answer to its size: lines of files first, of sentences only what
    /// exceeds their share, and never what to do next.
    fn finish(&mut self, size: Option<PageSize>, tail: Vec<String>, cut: IfCut<'_>) {
        let Some(size) = size else {
            self.extend(tail);
            return;
        };
        let most = size.bytes();
        self.longest = Some(size.longest_line());
        let tail = within(&tail.join("\n"), most / 4);
        let sentences = self.cut_sentences(most / 2);
        // What is said about lines that are left out takes a sixteenth.
        let said = most / 16;
        let room = most.saturating_sub(cost_of(&tail) + said);
        let left_out = self.cut(room);
        if let IfCut::Refused(refusal) = cut {
            self.extend(self.unseen_not_shown(refusal, sentences, said.saturating_sub(MARK)));
        }
        self.extend(tail.lines().map(str::to_owned));
        if let IfCut::Written = cut {
            let mut room = said / 2;
            self.extend(read_calls(&left_out).into_iter().filter(|call| {
                let fits = line_cost(call.len()) <= room;
                room = room.saturating_sub(line_cost(call.len()));
                fits
            }));
        }
    }

    /// Returns sentences of at most `room` bytes that name, by their numbers, the lines that a refusal is about because they were never shown, and that
    /// this page does not show either. If all sentences of the refusal are on the page, they name some of them already.
    fn unseen_not_shown(
        &self,
        refusal: &Refusal,
        sentences: Sentences,
        mut room: usize,
    ) -> Vec<String> {
        let mut said = Vec::new();
        for failure in refusal.failures() {
            let path = failure.path.as_deref().unwrap_or_default();
            let missing = without(unseen_lines(failure, sentences), &self.spans_of(path));
            let of_file = match refusal.also.as_slice() {
                [] => String::new(),
                _ => format!(" of {}", named(path)),
            };
            let sentence = |most: usize| {
                let lines = reasons::ranges_named(&missing, most);
                format!("Not shown: {lines}{of_file}. Read before you send the edit again.")
            };
            let fits = |sentence: &String| line_cost(sentence.len()) <= room;
            // With fewer ranges it is shorter.
            let mut counts = (1..=reasons::MOST_RANGES)
                .rev()
                .filter(|_| !missing.is_empty());
            if let Some(sentence) = counts.find_map(|most| Some(sentence(most)).filter(fits)) {
                room -= line_cost(sentence.len());
                said.push(sentence);
            }
        }
        said
    }

    /// Returns the lines of a file that the page shows, ascending.
    fn spans_of(&self, file: &str) -> Vec<LineSpan> {
        let spans = self.parts.iter().filter_map(|part| match part {
            Part::Lines(path, window) if path == file && !window.span.is_empty() => {
                Some(window.span)
            }
            Part::Lines(..) | Part::Text(_) => None,
        });
        LineSpan::merged(spans.collect())
    }

    /// Leaves out sentences from the middle until they have at most `most` bytes. Lines of files stay.
    fn cut_sentences(&mut self, most: usize) -> Sentences {
        let parts = std::mem::take(&mut self.parts);
        let mut shown = Sentences::All;
        for part in parts {
            match part {
                Part::Text(text) => {
                    for line in text.lines() {
                        let whole = line.len();
                        let line = clipped(line.to_owned(), self.longest);
                        if line.len() != whole {
                            shown = Sentences::Some;
                        }
                        self.text_line(line);
                    }
                }
                lines @ Part::Lines(..) => self.parts.push(lines),
            }
        }
        let costs: Vec<usize> = self
            .parts
            .iter()
            .filter_map(Part::sentence)
            .map(|text| line_cost(text.len()))
            .collect();
        if costs.iter().sum::<usize>() <= most {
            return shown;
        }
        let left_out = middle(&costs, most - most / 16);
        let mut index = 0;
        for part in std::mem::take(&mut self.parts) {
            let is_sentence = part.sentence().is_some();
            if is_sentence && index == left_out.start {
                self.text_line(not_shown(left_out.len()));
            }
            if !(is_sentence && left_out.contains(&index)) {
                self.parts.push(part);
            }
            index += usize::from(is_sentence);
        }
        Sentences::Some
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
            self.text_line(diff.text);
        }
        let not_found = report.not_found.iter();
        self.extend(not_found.map(|missing| {
            let what = reasons::of_not_found(missing, &named(file.name()));
            format!("Note: {what}; it was not applied.")
        }));
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
        self.extend(reasons::of_not_followed(&report.not_followed));
        self.extend(report.unchecked.iter().map(|edit| {
            format!("Note: edit {edit}: only the first and last line of the range were checked, by number and tag: there is no record of the lines between them.")
        }));
    }

    /// Leaves out lines of files from the middle until the page has at most `most` bytes. The end is kept because the last lines of an edit tell
    /// whether it came out right. Returns the lines left out, with their paths.
    fn cut(&mut self, most: usize) -> Vec<(String, LineSpan)> {
        let mut costs = Vec::new();
        let mut text = 0;
        for part in &self.parts {
            match part {
                Part::Text(line) => text += line_cost(line.len()),
                Part::Lines(_, window) => {
                    let first = costs.len();
                    let lines = window.each_line();
                    costs.extend(lines.map(|line| line_cost(clipped(line, self.longest).len())));
                    // Without its first line a window needs no title.
                    if let Some(first) = costs.get_mut(first) {
                        *first += line_cost(title_of(window).len());
                    }
                }
            }
        }
        let room = most.saturating_sub(text);
        if costs.iter().sum::<usize>() <= room {
            return Vec::new();
        }
        self.leave_out(middle(&costs, room))
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

/// Whether all sentences of an answer are on its page, and none is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sentences {
    All,
    Some,
}

/// Returns the lines of a refused file that were never shown, ascending. If `sentences` are all on the page, those are left out that the reasons name
/// as lines without room.
fn unseen_lines(failure: &Failure, sentences: Sentences) -> Vec<LineSpan> {
    let problems = failure.anchors().into_iter().flat_map(|one| &one.problems);
    let lines = problems.flat_map(|problem| match &problem.reason {
        AnchorProblem::Unseen {
            lines, not_listed, ..
        } => match sentences {
            Sentences::All => without(lines.clone(), not_listed),
            Sentences::Some => lines.clone(),
        },
        _ => Vec::new(),
    });
    LineSpan::merged(lines.collect())
}

/// Returns the lines of `spans` that are not in `others`; both are ascending and disjoint.
fn without(spans: Vec<LineSpan>, others: &[LineSpan]) -> Vec<LineSpan> {
    let mut left = Vec::new();
    for span in spans {
        let first = others.partition_point(|other| other.end() <= span.start());
        let mut start = span.start();
        for other in others[first..]
            .iter()
            .take_while(|other| other.start() < span.end())
        {
            left.push(start..other.start().max(start));
            start = other.end();
        }
        left.push(start..span.end().max(start));
    }
    let full = left.into_iter().filter(|lines| !lines.is_empty());
    full.map(LineSpan::new).collect()
}

impl Part {
    fn sentence(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Lines(..) => None,
        }
    }
}

/// Returns the sentence that says which lines of a file are not shown, and after a write the `read` call that shows them.
fn unshown(options: &AnswerOptions, path: &str, lines: LineSpan) -> Vec<String> {
    let mut said = vec![format!(
        "Not shown: {} of {}.",
        lines_named(lines),
        named(path)
    )];
    // After a dry run there is nothing to read.
    if options.mode == Mode::Write {
        said.push(read_lines(path, lines));
    }
    said
}

fn title_of(window: &Window) -> String {
    let numbers = || format!("{} now:", capital(&lines_named(window.span)));
    window.title.clone().unwrap_or_else(numbers)
}

/// Returns a next step with the `read` call that shows these lines of a file: `Next: read {"path":...}`.
#[must_use]
pub fn read_lines(path: &str, lines: LineSpan) -> String {
    let call = json!({"path": path, "offset": lines.start() + 1, "limit": lines.len()});
    format!("Next: read {call}")
}

/// Returns a next step: the tool and the arguments to call it with, unless they are so long that the step is told in words instead.
#[must_use]
pub fn next_call(size: PageSize, tool: Tool, arguments: &Value, in_words: &str) -> String {
    let call = format!("Next: {} {arguments}", tool.name());
    if call.len() <= size.next_step() {
        call
    } else {
        format!("Next: {in_words}")
    }
}

/// Renders the report on one edited file as text.
#[must_use]
pub(crate) fn file_done(options: &AnswerOptions, file: &FileEdited) -> String {
    let mut page = Page::default();
    page.add_file(options, file);
    page.text()
}

fn headline(file: &FileEdited) -> String {
    let (report, name) = (&file.edited.report, named(file.name()));
    let rev = report.after.revision().short();
    let from = named(file.from.as_deref().unwrap_or_default());
    let (added, removed) = report.added_and_removed();
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
            format!("Applied {edits} to {name}{moved} (+{added} -{removed}{dropped}); rev {rev}.")
        }
    }
}

/// Renders a refusal as text, with its next step and notices about the disk.
#[must_use]
pub fn refusal(options: &AnswerOptions, refusal: &Refusal) -> String {
    let mut page = Page::default();
    page.add_failures(refusal);
    let mut tail: Vec<String> = next_line(refusal).into_iter().collect();
    tail.extend(options.disk.iter().map(|notice| notice.message.clone()));
    let size = options.page.map(PageSize::of_refusal);
    page.finish(size, tail, IfCut::Refused(refusal));
    page.text()
}

/// What the heading above the lines of a file says: its name and revision, and which of its lines are shown.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// The path of the file.
    pub path: &'a str,
    /// The file's revision, shortened.
    pub rev: &'a str,
    /// The encoding of the file, if it is not UTF-8.
    pub encoding: Option<&'a str>,
    /// How many lines the file has.
    pub lines: usize,
    /// The lines of the file that are shown, ascending.
    pub spans: &'a [LineSpan],
    /// How many matching lines are shown, and whether there are more; `None` if the file was not searched.
    pub matches: Option<(usize, bool)>,
}

/// Renders the heading above the lines of a file: `a.rs (rev ed6e23d4, lines 4-6 of 80)`, with its encoding if it is not UTF-8.
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
    let encoding = heading
        .encoding
        .map_or_else(String::new, |name| format!(", {name}"));
    format!("{} (rev {rev}, {shown}{encoding})", named(path))
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
