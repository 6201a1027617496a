//! What a model reads: short, with anchors that work when copied, and always the next step.

use hashline_core::disk_note::DiskNote;
use hashline_core::files::{FileEdited, Status};
use hashline_core::found::Found;
use hashline_core::text::LineSpan;
use serde_json::json;

use super::named::named;
use super::{disk, reasons, refused};
use crate::request::{Mode, Note, NoteKind, Show};
use crate::response::{Outcome, Refusal, Terms, places, rendered};

/// How every refusal begins.
pub const NOTHING_WRITTEN: &str = "Nothing was written.";

/// What is said of a request that leaves no trace: what it makes it deletes again.
pub(crate) const NOTHING_LEFT: &str =
    "Nothing changed: the request deletes every file it creates, and nothing was written.";

/// Renders the answer to a request.
#[must_use]
pub fn answer(terms: &Terms, outcome: &Outcome) -> String {
    match outcome {
        Ok(edited) => {
            let mut parts: Vec<String> = edited
                .files
                .iter()
                .map(|file| file_done(terms, file))
                .collect();
            if parts.is_empty() {
                parts.push(NOTHING_LEFT.to_owned());
            }
            if terms.mode == Mode::DryRun {
                parts.insert(
                    0,
                    format!("Dry run. {NOTHING_WRITTEN} With dry_run off this would happen:"),
                );
            }
            parts.extend(terms.notes.iter().map(note));
            parts.extend(terms.disk.iter().map(disk::note));
            parts.extend(edited.files.iter().filter_map(|file| rest_of(terms, file)));
            parts.join("\n")
        }
        Err(refusal) => self::refusal(terms, refusal),
    }
}

/// Says which lines of a long file that was sent whole are not shown, and the call that shows them. A dry run leaves nothing to read.
fn rest_of(terms: &Terms, file: &FileEdited) -> Option<String> {
    let left = places::left_out(terms, file)?;
    let what = format!(
        "Not shown: {} of {}.",
        lines_named(left),
        named(file.name())
    );
    if terms.mode == Mode::DryRun {
        return Some(what);
    }
    let next = read_lines(file.name(), left);
    Some(format!("{what}\n{next}"))
}

/// Returns the call of `read` that shows lines of a file, as the next step.
#[must_use]
pub fn read_lines(path: &str, lines: LineSpan) -> String {
    let call = json!({"path": path, "offset": lines.start() + 1, "limit": lines.len()});
    format!("Next: read {call}")
}

/// Renders what a search found: for each file its revision and its lines, `--` between blocks, and at the end what is not shown.
#[must_use]
pub fn found(found: &Found) -> String {
    super::found::to_model(found)
}

/// Renders the files in which a search found something, without the last lines about all of them.
#[must_use]
pub fn found_files(found: &Found) -> String {
    super::found::files_to_model(found)
}

/// Renders what was done to one file: the figures, the touched places with fresh anchors, what there is to know.
#[must_use]
pub fn file_done(terms: &Terms, file: &FileEdited) -> String {
    let report = &file.edited.report;
    let mut parts = vec![headline(file)];
    for span in places::of_text(terms, file) {
        parts.push(format!("{} now:", capital(&lines_named(span))));
        parts.extend(rendered(&report.after, span, terms.dialect));
    }
    if terms.show == Show::Diff {
        let (from, name) = (file.from.as_deref().unwrap_or(file.name()), file.name());
        let diff = report.diff(&named(from), &named(name));
        parts.extend(diff.text.lines().map(str::to_owned));
    }
    parts.extend(report.moves.iter().map(|moved| {
        format!(
            "Moved: edit {}: {} was found at {}: {}",
            moved.edit,
            lines_named(moved.from),
            moved.to,
            moved.text
        )
    }));
    parts.extend(
        report
            .repairs
            .iter()
            .map(|repair| format!("Note: {}.", reasons::repaired_in_full(repair))),
    );
    let hint = |hint| {
        format!(
            "Hint: {}; it was applied as written.",
            reasons::hinted(hint)
        )
    };
    parts.extend(report.hints.iter().map(hint));
    parts.extend(report.unchecked.iter().map(|edit| {
        format!("Note: edit {edit}: only the ends of the range were checked, by number and tag: the lines between them as they were shown are not on record.")
    }));
    parts.join("\n")
}

fn headline(file: &FileEdited) -> String {
    let (report, name) = (&file.edited.report, named(file.name()));
    let rev = report.after.revision().short();
    let from = named(file.from.as_deref().unwrap_or_default());
    let diff = report.diff(&from, &name);
    match file.status() {
        Status::Deleted => format!("Deleted {name}."),
        Status::Added => format!(
            "Created {name} ({}); rev {rev}.",
            count(report.after.line_count(), "line")
        ),
        Status::Moved if !report.is_changed() => format!("Moved {from} to {name}; rev {rev}."),
        Status::Modified if !report.is_changed() => {
            format!(
                "Nothing changed in {name}: it reads so already, and nothing was written; rev {rev}."
            )
        }
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

/// Renders why nothing was done, and what else there is to know about the disk.
#[must_use]
pub fn refusal(terms: &Terms, refusal: &Refusal) -> String {
    let mut parts = vec![refused::why_not(terms, refusal)];
    parts.extend(terms.disk.iter().map(disk::note));
    parts.join("\n")
}

/// Says what there is to know about the disk.
#[must_use]
pub fn disk_note(note: &DiskNote) -> String {
    disk::note(note)
}

/// Renders why something could not be read or searched. Nothing was to be written.
#[must_use]
pub fn unread(terms: &Terms, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Disk(error) => disk::unread(error),
        Refusal::Request(bad) => {
            format!("The request cannot be read: {bad}.\nNext: correct it and send it again.")
        }
        Refusal::Files(_) => self::refusal(terms, refusal),
    }
}

/// What is shown of a file.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// Its name.
    pub path: &'a str,
    /// Its revision, short.
    pub rev: &'a str,
    /// How many lines it has.
    pub lines: usize,
    /// Which of them are shown, ascending.
    pub spans: &'a [LineSpan],
    /// How many lines match, if it was searched, and whether there are more.
    pub matches: Option<(usize, bool)>,
}

/// Names a file, its revision, and which of its lines are shown.
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

/// Says what was understood, or ignored, in a request that was not well-formed.
#[must_use]
pub fn note(note: &Note) -> String {
    let at = &note.at;
    match note.kind {
        NoteKind::ListInString => {
            format!("Note: {at} was a string that holds JSON; send the list itself.")
        }
        NoteKind::ObjectForList => format!("Note: {at} was one object; it belongs in a list."),
        NoteKind::UnknownField => {
            format!("Note: the field {at} means nothing here and was ignored.")
        }
        NoteKind::OtherName { name } => format!("Note: {at} is called `{name}` here."),
        NoteKind::Overruled { by } => {
            format!("Note: {at} was not used, since `{by}` stands beside it.")
        }
    }
}

/// Names a span as people speak of it: `line 4`, `lines 4-6`.
pub(super) fn lines_named(span: LineSpan) -> String {
    if span.len() > 1 {
        format!("lines {span}")
    } else {
        format!("line {span}")
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

pub(super) fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}
