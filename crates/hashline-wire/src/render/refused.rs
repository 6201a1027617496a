//! Why nothing was done, as a model reads it: what happened, the lines as they are now, and the next step.

use hashline_core::dialect::Dialect;
use hashline_core::disk::DiskError;
use hashline_core::edit::EditNo;
use hashline_core::error::{
    AnchorProblem, AnchorsRefused, Candidate, Error, FileHashDiffers, OtherRevision, Overlap,
    Problem, TextNotUnique,
};
use hashline_core::files::{EditRefused, FilesError};
use hashline_core::text::{Document, LineSpan};
use serde_json::{Map, Value};

use super::model::{NOTHING_WRITTEN, capital, count, lines_named};
use super::named::named;
use super::{disk, marked, reasons};
use crate::error::{BadRequest, shortened};
use crate::request::RevField;
use crate::response::{Refusal, Sent, Terms, There, fresh_anchors, places, rendered};

pub(super) fn why_not(terms: &Terms, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Request(bad) => bad_request(bad),
        Refusal::Files(FilesError::Edit(refused)) => edit_refused(terms, refused),
        Refusal::Files(error) => file_refused(terms, error),
        Refusal::Disk(error) => {
            let [happened, next] = disk::to_model(error);
            let parts = [vec![happened], fresh_lines(terms, error), vec![next]];
            parts.concat().join("\n")
        }
    }
}

fn bad_request(bad: &BadRequest) -> String {
    let edit = bad
        .edit
        .map(|index| format!(" Edit {}.", EditNo::from_index(index)))
        .unwrap_or_default();
    format!(
        "{NOTHING_WRITTEN}{edit} The request cannot be read: {bad}.\nNext: correct it and send the whole request again."
    )
}

fn file_refused(terms: &Terms, error: &FilesError) -> String {
    if let Sent::WholeFile { there } = &terms.sent {
        return whole_refused(error, there.as_ref());
    }
    let (trouble, what, next) = match error {
        FilesError::NotFound(trouble) => (
            trouble,
            format!("there is no file {}", named(&trouble.path)),
            "check the path, or create the file",
        ),
        FilesError::Exists(trouble) => (
            trouble,
            format!("{} exists already", named(&trouble.path)),
            "edit it, write it anew with the `rev` that a read shows, or choose another path",
        ),
        FilesError::Conflicting(trouble) => (
            trouble,
            format!(
                "{} cannot be edited by lines and made or deleted in one request",
                named(&trouble.path)
            ),
            "send these as two requests",
        ),
        FilesError::Edit(refused) => return refused.error.to_string(),
    };
    format!(
        "{NOTHING_WRITTEN} Edit {}: {what}.\nNext: {next}.",
        trouble.step
    )
}

/// Says why a whole file was not written: it is there already, or it is not.
fn whole_refused(error: &FilesError, there: Option<&There>) -> String {
    let (what, next) = match (error, there) {
        (FilesError::NotFound(trouble), _) => (
            format!("There is no file {}", named(&trouble.path)),
            "check the path, or send it without \"rev\" to create the file".to_owned(),
        ),
        (FilesError::Exists(trouble), Some(There { rev, lines })) => (
            format!(
                "{} exists already (rev {rev}, {})",
                named(&trouble.path),
                count(*lines, "line")
            ),
            format!("read it, then write it with \"rev\":\"{rev}\", or edit it"),
        ),
        (FilesError::Exists(trouble) | FilesError::Conflicting(trouble), _) => (
            format!("{} exists already", named(&trouble.path)),
            "read it, then write it with the \"rev\" that is shown, or edit it".to_owned(),
        ),
        (FilesError::Edit(refused), _) => return refused.error.to_string(),
    };
    format!("{NOTHING_WRITTEN} {what}.\nNext: {next}.")
}

fn edit_refused(terms: &Terms, refused: &EditRefused) -> String {
    let what: Vec<String> = refused.each().map(|one| file_refusal(terms, one)).collect();
    let next = next_step(terms, refused);
    let next = next.map(|next| format!("\nNext: {next}."));
    let what = what.join("\n");
    format!("{NOTHING_WRITTEN} {what}{}", next.unwrap_or_default())
}

/// Says what is wrong with the edits of one file, and shows its lines as they are now.
fn file_refusal(terms: &Terms, refused: &EditRefused) -> String {
    let EditRefused {
        path, edits, error, ..
    } = refused;
    let path = &*named(path);
    match error {
        Error::Anchors(anchors) => anchors_refused(terms, path, *edits, anchors),
        Error::Overlap(overlap) => overlap_refused(terms, path, overlap),
        Error::FileHash(differs) => file_hash_refused(terms, path, differs),
        Error::OtherRevision(other) => other_revision(terms, path, other),
        Error::TextNotFound(e) => {
            let text = shortened(&e.text);
            let when = match e.is_taken() {
                true => " any more once the other edits of the request are done",
                false => "",
            };
            format!("Edit {}: this text is not in {path}{when}:\n{text}", e.edit)
        }
        Error::TextNotUnique(e) => not_unique(terms, path, e),
        Error::TooLarge(e) => {
            let (edit, bytes, limit) = (e.edit, e.bytes, e.limit);
            format!("Edit {edit}: {path} would have {bytes} bytes; at most {limit} are taken.")
        }
        Error::EmptyInsert(e) => {
            format!("Edit {}: there is nothing to insert into {path}.", e.edit)
        }
        Error::NoChange(_) => format!("The request changes nothing: {path} reads so already."),
        Error::Engine(_) => error.to_string(),
    }
}

/// Says what to do about edits that are refused: in lower case and without a full stop, for whoever begins a sentence so.
pub(super) fn next_step(terms: &Terms, refused: &EditRefused) -> Option<String> {
    let mut next = vec![next_of(terms, refused, &revs_to_send(terms, refused))?];
    // Of files whose lines are shown, the step for the first says it all.
    let others = refused.also.iter().filter(|other| {
        std::mem::discriminant(&other.error) != std::mem::discriminant(&refused.error)
    });
    next.extend(others.filter_map(|other| {
        let next = next_of(terms, other, &revs_to_send(terms, other))?;
        Some(format!("{}: {next}", named(&other.path)))
    }));
    Some(next.join("; "))
}

fn next_of(terms: &Terms, refused: &EditRefused, rev: &str) -> Option<String> {
    let EditRefused {
        path, edits, error, ..
    } = refused;
    let all = all_edits(*edits);
    Some(match error {
        Error::Anchors(anchors) => after_anchors(path, &all, rev, anchors),
        Error::Overlap(_) => {
            format!("merge them into one edit and send {all} again with {rev}")
        }
        Error::FileHash(differs) => format!(
            "look at the lines again, then send {all} with the anchors they have now and \"file_hash\":\"{}\"",
            differs.actual
        ),
        Error::OtherRevision(other) => {
            let look = match other.lines() {
                Some(_) => "look at the lines above",
                None => "read the file again",
            };
            match terms.sent {
                Sent::Edits => {
                    format!("{look}; if it is still to be done, send {all} again with {rev}")
                }
                Sent::WholeFile { .. } => {
                    format!("{look}, then send what it shall hold with {rev}")
                }
            }
        }
        Error::TextNotFound(e) if e.is_taken() => {
            format!("merge the edits that change this text into one, and send {all} again")
        }
        Error::TextNotFound(e) => {
            let rev = e.document.revision().short();
            format!("read the file (rev {rev}), or name the lines by their anchors")
        }
        Error::TextNotUnique(e) if e.lines.is_empty() => {
            "write it into their new text at once, or set \"all\"".to_owned()
        }
        Error::TextNotUnique(_) => {
            format!("name the one you mean by its anchor with {rev}, or set \"all\"")
        }
        Error::TooLarge(_) => "replace less at once".to_owned(),
        Error::EmptyInsert(_) => "a blank line is an empty string".to_owned(),
        Error::NoChange(_) => "go on, or check what you meant to change".to_owned(),
        Error::Engine(_) => return None,
    })
}

/// How the edits of a request are spoken of: models tend to send one of several again.
fn all_edits(edits: usize) -> String {
    if edits == 1 {
        "the edit".to_owned()
    } else {
        format!("all {edits} edits")
    }
}

fn file_hash_refused(terms: &Terms, path: &str, differs: &FileHashDiffers) -> String {
    let (actual, expected) = (&differs.actual, &differs.expected);
    let expected = shortened(expected);
    let mut what = vec![format!(
        "{path} changed: its SHA-256 is {actual}, not {expected}."
    )];
    let spans = places::of_file_hash(terms, differs);
    what.extend(lines_now(terms, &differs.document, spans));
    what.join("\n")
}

fn other_revision(terms: &Terms, path: &str, other: &OtherRevision) -> String {
    let (now, lines) = (
        other.document.revision().short(),
        other.document.line_count(),
    );
    let was = other.rev.as_ref().map(ToString::to_string);
    let was = was.map_or_else(
        || "no revision was named".to_owned(),
        |rev| format!("not {rev}"),
    );
    let lines = count(lines, "line");
    let mut what = vec![format!("{path} has rev {now} now ({lines}), {was}.")];
    let spans = other.lines().into_iter().collect();
    what.extend(lines_now(terms, &other.document, spans));
    what.join("\n")
}

fn overlap_refused(terms: &Terms, path: &str, overlap: &Overlap) -> String {
    format!(
        "Edits {} and {} both change {} of {path}:\n{}",
        overlap.first,
        overlap.second,
        lines_named(overlap.lines),
        rendered(
            &overlap.document,
            places::of_overlap(terms, overlap),
            terms.dialect
        )
        .join("\n"),
    )
}

fn not_unique(terms: &Terms, path: &str, found: &TextNotUnique) -> String {
    if found.lines.is_empty() {
        return format!(
            "Edit {}: the text stands {} times in {path}, each time in the new text of other edits of the request.",
            found.edit, found.count,
        );
    }
    let places: Vec<String> = found
        .lines
        .iter()
        .flat_map(|&line| rendered(&found.document, LineSpan::of(line), terms.dialect))
        .collect();
    format!(
        "Edit {}: the text stands {} times in {path}, at:\n{}",
        found.edit,
        found.count,
        places.join("\n"),
    )
}

/// Names the first problem, and shows the lines around every problem once.
fn anchors_refused(terms: &Terms, path: &str, edits: usize, refused: &AnchorsRefused) -> String {
    let document = &refused.document;
    let mut parts = Vec::new();
    for problem in &refused.problems {
        let of = if edits == 1 {
            String::new()
        } else {
            format!(" of {edits}")
        };
        parts.push(format!(
            "Edit {}{of}: {} ({path}).",
            problem.edit,
            reasons::of(problem)
        ));
        if let AnchorProblem::Ambiguous(candidates) = &problem.trouble {
            parts.extend(candidates.iter().map(|one| candidate(terms, document, one)));
        }
    }
    parts.extend(
        renamed(refused, terms.dialect).map(|(edit, said)| format!("Edit {edit}: {said}.")),
    );
    parts.extend(lines_now(
        terms,
        document,
        places::around_problems(terms, refused),
    ));
    parts.join("\n")
}

/// Says of each other edit whose anchors are spelled differently now how they are.
pub(super) fn renamed(
    refused: &AnchorsRefused,
    dialect: Dialect,
) -> impl Iterator<Item = (EditNo, String)> + '_ {
    refused.standing.iter().filter_map(move |standing| {
        let now = fresh_anchors(&refused.document, standing, dialect);
        let before: Vec<&str> = standing.claims.iter().map(|claim| claim.as_str()).collect();
        let (now, before) = (now.join(".."), shortened(&before.join("..")));
        (now != before).then(|| (standing.edit, format!("{before} is {now} now")))
    })
}

/// Shows the lines that a refusal is about, as they are now, `>>>` before those that anchors point at.
pub(super) fn lines_of(terms: &Terms, refused: &EditRefused) -> Vec<String> {
    match &refused.error {
        Error::Anchors(anchors) => {
            let ambiguous = anchors
                .problems
                .iter()
                .flat_map(|problem| match &problem.trouble {
                    AnchorProblem::Ambiguous(candidates) => candidates.as_slice(),
                    _ => &[],
                });
            let document = &anchors.document;
            let mut lines: Vec<String> = ambiguous
                .map(|one| candidate(terms, document, one))
                .collect();
            lines.extend(marked::block(anchors, terms.dialect, terms.context));
            lines
        }
        Error::Overlap(overlap) => {
            let span = places::of_overlap(terms, overlap);
            rendered(&overlap.document, span, terms.dialect)
        }
        Error::FileHash(differs) => {
            let spans = places::of_file_hash(terms, differs);
            lines_now(terms, &differs.document, spans)
        }
        Error::OtherRevision(other) => {
            let spans = other.lines().into_iter().collect();
            lines_now(terms, &other.document, spans)
        }
        Error::TextNotUnique(found) => {
            let lines = found.lines.iter();
            lines
                .flat_map(|&line| rendered(&found.document, LineSpan::of(line), terms.dialect))
                .collect()
        }
        Error::Engine(failure) => failure
            .message()
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// Shows the lines that a disk's refusal hands out.
pub(super) fn fresh_lines(terms: &Terms, error: &DiskError) -> Vec<String> {
    let Some(now) = error.fresh() else {
        return Vec::new();
    };
    let rev = now.document.revision().short();
    let lines = lines_now(terms, &now.document, now.spans.clone());
    [vec![format!("The file is now at rev {rev}.")], lines].concat()
}

/// Shows spans as they are now, each under a line that names it.
fn lines_now(terms: &Terms, document: &Document, spans: Vec<LineSpan>) -> Vec<String> {
    let shown = |span| {
        let mut lines = vec![format!("{} now:", capital(&lines_named(span)))];
        lines.extend(rendered(document, span, terms.dialect));
        lines
    };
    spans.into_iter().flat_map(shown).collect()
}

fn candidate(terms: &Terms, document: &Document, candidate: &Candidate) -> String {
    let lines = rendered(document, candidate.place, terms.dialect).join("\n");
    match candidate.lost {
        None => format!("rev {} means:\n{lines}", candidate.revision.short()),
        Some(_) => format!(
            "rev {} means a line that has changed since, about here:\n{lines}",
            candidate.revision.short()
        ),
    }
}

/// Writes the current revisions of all files that are refused as the request is to carry them.
fn revs_to_send(terms: &Terms, refused: &EditRefused) -> String {
    let each = || {
        refused
            .each()
            .map(|one| (&one.path, one.document.revision().short()))
    };
    let of_entries =
        || each().map(|(path, rev)| format!("\"rev\":\"{rev}\" in the entry of {}", named(path)));
    match terms.rev_field {
        RevField::Own => format!("\"rev\":\"{}\"", refused.document.revision().short()),
        RevField::InEntry => of_entries().collect::<Vec<_>>().join(" and "),
        RevField::ByPath => {
            let revs: Map<String, Value> = each()
                .map(|(path, rev)| (path.clone(), rev.into()))
                .collect();
            // The request may be about other files too.
            let others = match refused.edits {
                1 => "",
                _ => " (other files keep theirs)",
            };
            format!("\"revs\":{}{others}", Value::Object(revs))
        }
    }
}

fn after_anchors(path: &str, all: &str, rev: &str, refused: &AnchorsRefused) -> String {
    let ambiguous = refused
        .problems
        .iter()
        .any(|problem| matches!(problem.trouble, AnchorProblem::Ambiguous(_)));
    if ambiguous {
        return format!(
            "send {all} again with the rev you read them from, or with the anchors above and {rev}"
        );
    }
    let malformed = refused
        .problems
        .iter()
        .any(|problem| matches!(problem.trouble, AnchorProblem::Malformed(_)));
    if malformed {
        return format!("copy the anchor from what was shown and send {all} again");
    }
    if refused.problems.iter().any(Problem::is_cut) {
        return format!(
            "more has changed than is shown: read {path} again, then send {all} with the anchors it has now and {rev}"
        );
    }
    if document_is_empty(refused) {
        return "the file is empty; put text at its start or end instead".to_owned();
    }
    format!("take the anchors above and send {all} again with {rev}")
}

fn document_is_empty(refused: &AnchorsRefused) -> bool {
    refused.document.line_count() == 0
}
