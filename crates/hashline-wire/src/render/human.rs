//! What a person reads: one line for what happened, a hint for what to do. No colour here; that is the terminal's business.

use hashline_core::disk::DiskError;
use hashline_core::disk_note::DiskNote;
use hashline_core::error::{AnchorProblem, Error};
use hashline_core::files::{EditRefused, FileEdited, FilesError, Status};
use hashline_core::found::Found;

use super::model::{count, lines_named};
use super::named::named;
use super::{disk, reasons};
use crate::request::Mode;
use crate::response::{Outcome, Refusal, Terms};

/// What is said of a request that leaves no trace.
const NOTHING_LEFT: &str = "nothing changed: the request deletes every file it creates";

/// Renders what became of a request.
#[must_use]
pub fn answer(terms: &Terms, outcome: &Outcome) -> String {
    match outcome {
        Ok(edited) => {
            let nothing = edited.files.is_empty().then(|| NOTHING_LEFT.to_owned());
            let lines = edited.files.iter().flat_map(|file| file_done(terms, file));
            nothing
                .into_iter()
                .chain(lines)
                .chain(terms.notes.iter().map(super::model::note))
                .chain(terms.disk.iter().map(disk::note))
                .collect::<Vec<_>>()
                .join("\n")
        }
        Err(refusal) => {
            let mut lines = vec![self::refusal(refusal)];
            lines.extend(terms.disk.iter().map(disk::note));
            lines.join("\n")
        }
    }
}

/// Says what there is to know about the disk although all went well, in one sentence.
#[must_use]
pub fn disk_note(note: &DiskNote) -> String {
    disk::note(note)
}

/// Says what happened when a disk refused something, and nothing else: no hint, nor whether anything was written.
#[must_use]
pub fn happened(error: &DiskError) -> String {
    disk::happened(error)
}

/// Renders what a search found: paths and lines, a mark before those that match, `--` between blocks.
#[must_use]
pub fn found(found: &Found) -> String {
    super::found::to_person(found)
}

/// Says how much a search found, what is not shown, and what could not be searched.
#[must_use]
pub fn found_summary(found: &Found) -> String {
    super::found::summary(found)
}

fn file_done(terms: &Terms, file: &FileEdited) -> Vec<String> {
    let (report, name) = (&file.edited.report, named(file.name()));
    let diff = report.diff(file.from.as_deref().unwrap_or(file.name()), file.name());
    let figures = format!(
        "{} applied (+{} -{})",
        count(report.applied, "edit"),
        diff.added,
        diff.removed
    );
    let what = match file.status() {
        Status::Deleted => "deleted".to_owned(),
        Status::Added => format!("created ({})", count(report.after.line_count(), "line")),
        Status::Moved => format!(
            "moved from {}; {figures}",
            named(file.from.as_deref().unwrap_or_default())
        ),
        Status::Modified if !report.is_changed() => "unchanged: it reads so already".to_owned(),
        Status::Modified => figures,
    };
    let dry = if terms.mode == Mode::DryRun {
        " (dry run, nothing written)"
    } else {
        ""
    };
    let mut lines = vec![format!("{name}: {what}{dry}")];
    lines.extend(report.moves.iter().map(|moved| {
        format!(
            "{name}: edit {}: {} was found at {}",
            moved.edit,
            lines_named(moved.from),
            moved.to
        )
    }));
    lines.extend(
        report
            .repairs
            .iter()
            .map(|repair| format!("{name}: {}", reasons::repaired(repair))),
    );
    lines.extend(
        report
            .hints
            .iter()
            .map(|hint| format!("{name}: hint: {}", reasons::hinted(hint))),
    );
    lines
}

/// Renders why nothing was done, with all it takes to try again: the error, the lines as they are now (`>>>` before those the anchors
/// point at), and a hint.
#[must_use]
pub fn refusal_in_full(terms: &Terms, refusal: &Refusal) -> String {
    let mut lines = match refusal {
        Refusal::Files(FilesError::Edit(refused)) => {
            let error = format!("error: {}; nothing was written", what_is_wrong(refused));
            let hint = super::refused::next_step(terms, refused);
            let hint = hint.unwrap_or_else(|| what_helps(refused));
            let now = in_detail(terms, refused);
            let also = refused.also.iter().flat_map(|one| {
                let error = format!("error: {}", what_is_wrong(one));
                [vec![error], in_detail(terms, one)].concat()
            });
            let hint = vec![format!("hint: {hint}")];
            [vec![error], now, also.collect(), hint].concat()
        }
        Refusal::Disk(error) => {
            let told = disk::to_person(error);
            let (error_line, hint) = told.split_once('\n').unwrap_or((&told, ""));
            let now = super::refused::fresh_lines(terms, error);
            [vec![error_line.to_owned()], now, vec![hint.to_owned()]].concat()
        }
        other => vec![self::refusal(other)],
    };
    lines.extend(terms.disk.iter().map(disk::note));
    lines.join("\n")
}

/// Shows the lines that the edits of a file are about, and says what there is to know of its other edits.
fn in_detail(terms: &Terms, refused: &EditRefused) -> Vec<String> {
    let now = super::refused::lines_of(terms, refused);
    [now, other_edits(terms, refused)].concat()
}

/// Says what is wrong with the other edits, and how the anchors of those that have no problem are spelled now, if otherwise.
fn other_edits(terms: &Terms, refused: &EditRefused) -> Vec<String> {
    let Error::Anchors(anchors) = &refused.error else {
        return Vec::new();
    };
    let problems = anchors.problems.iter().skip(1);
    let problems = problems.map(|problem| (problem.edit, reasons::of(problem)));
    let renamed = super::refused::renamed(anchors, terms.dialect);
    let others = problems.chain(renamed);
    others
        .map(|(edit, said)| format!("note: edit {edit}: {said}"))
        .collect()
}

/// Renders why something could not be looked at: the error, and a hint. Nothing was to be written.
#[must_use]
pub fn trouble(terms: &Terms, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Disk(error) => disk::to_reader(error),
        Refusal::Files(FilesError::Edit(refused)) => {
            let error = format!("error: {}", without_edit(refused));
            let now = super::refused::lines_of(terms, refused);
            let hint = format!(
                "hint: run `hashline read {}` for fresh anchors",
                named(&refused.path)
            );
            [vec![error], now, vec![hint]].concat().join("\n")
        }
        other => self::refusal(other),
    }
}

/// Says what is wrong with an anchor that no edit named.
fn without_edit(refused: &EditRefused) -> String {
    match &refused.error {
        Error::Anchors(anchors) => {
            let reason = anchors.problems.first().map(reasons::of);
            let path = named(&refused.path);
            format!("{path}: {}", reason.unwrap_or_default())
        }
        _ => what_is_wrong(refused),
    }
}

/// Renders why nothing was done: the error, and a hint.
#[must_use]
pub fn refusal(refusal: &Refusal) -> String {
    let (error, hint) = match refusal {
        Refusal::Request(bad) => (
            bad.to_string(),
            "`hashline schema` prints the shape of a request".to_owned(),
        ),
        Refusal::Files(FilesError::Edit(refused)) => edit_refused(refused),
        Refusal::Files(FilesError::NotFound(trouble)) => (
            format!(
                "there is no file {} (edit {})",
                named(&trouble.path),
                trouble.step
            ),
            "check the path".to_owned(),
        ),
        Refusal::Files(FilesError::Exists(trouble)) => (
            format!(
                "{} exists already (edit {})",
                named(&trouble.path),
                trouble.step
            ),
            "choose another path".to_owned(),
        ),
        Refusal::Files(FilesError::Conflicting(trouble)) => (
            format!(
                "{} is edited and made or deleted in one request (edit {})",
                named(&trouble.path),
                trouble.step
            ),
            "send these as two requests".to_owned(),
        ),
        Refusal::Disk(error) => return disk::to_person(error),
    };
    format!("error: {error}; nothing was written\nhint: {hint}")
}

fn edit_refused(refused: &EditRefused) -> (String, String) {
    (what_is_wrong(refused), what_helps(refused))
}

fn what_is_wrong(refused: &EditRefused) -> String {
    let EditRefused {
        path, edits, error, ..
    } = refused;
    let path = named(path);
    match error {
        Error::Anchors(anchors) => {
            let first = anchors.problems.first();
            let reason = first.map(reasons::of).unwrap_or_default();
            let which = first
                .map(|problem| format!("edit {} of {edits}", problem.edit))
                .unwrap_or_default();
            format!("{path}: {reason} ({which})")
        }
        Error::Overlap(e) => {
            let lines = lines_named(e.lines);
            format!(
                "edits {} and {} overlap ({path}, {lines})",
                e.first, e.second
            )
        }
        Error::FileHash(_) => format!("{path} has other bytes than the request asks for"),
        Error::OtherRevision(_) => format!("{path} has changed since it was read"),
        Error::TextNotFound(e) => format!("edit {}: the text to replace is not in {path}", e.edit),
        Error::TextNotUnique(e) if e.lines.is_empty() => {
            let (edit, count) = (e.edit, e.count);
            format!("edit {edit} matches {count} places in the new text of other edits of {path}")
        }
        Error::TextNotUnique(e) => {
            let lines: Vec<String> = e.lines.iter().map(ToString::to_string).collect();
            let (edit, count, places) = (e.edit, e.count, lines.join(", "));
            format!("edit {edit} matches {count} places in {path} (lines {places})")
        }
        Error::TooLarge(e) => {
            let (edit, bytes, limit) = (e.edit, e.bytes, e.limit);
            format!("edit {edit}: {path} would have {bytes} bytes; at most {limit} are taken")
        }
        Error::EmptyInsert(e) => format!("edit {}: there is nothing to insert into {path}", e.edit),
        Error::NoChange(_) => format!("the request changes nothing in {path}"),
        Error::Engine(failure) => {
            let first = failure.message().lines().next().unwrap_or_default();
            format!("{path}: {}", first.trim_end_matches('.'))
        }
    }
}

fn what_helps(refused: &EditRefused) -> String {
    let path = named(&refused.path);
    let read_again = format!("run `hashline read {path}` for fresh anchors");
    let hint = match &refused.error {
        Error::Anchors(anchors) => match anchors.problems.first().map(|problem| &problem.trouble) {
            Some(AnchorProblem::Malformed(_)) => "copy the anchor from what `hashline read` shows",
            Some(AnchorProblem::Ambiguous(_)) => "send the rev that the read answer gave",
            _ => return read_again,
        },
        Error::Overlap(_) => "merge them into one edit",
        Error::TextNotUnique(e) if e.lines.is_empty() => "write it into their new text at once",
        Error::TextNotUnique(_) => "name the line by its anchor",
        Error::TooLarge(_) => "replace less at once",
        Error::EmptyInsert(_) => "a blank line is an empty string",
        Error::FileHash(_)
        | Error::OtherRevision(_)
        | Error::TextNotFound(_)
        | Error::NoChange(_)
        | Error::Engine(_) => return read_again,
    };
    hint.to_owned()
}
