//! What a search found, in words: the lines with their anchors, and what is not shown.

use std::fmt::Write;

use hashline_core::found::{Found, FoundFile, FoundLine, Role};

use super::disk;
use super::named::{all_named, named};

/// So many files that could not be searched are named for each reason.
const NAMED: usize = 5;
/// Reasons that are no surprise: such files lie everywhere, and nobody wants their names.
const UNSURPRISING: [&str; 2] = ["binary", "encoding"];

/// Renders what was found for a model. Lines stand as a read shows them, so that anchors work when copied.
pub(crate) fn to_model(found: &Found) -> String {
    files_to_model(found) + &capital(&summary(found))
}

/// Renders the files in which something was found, without what is to be said about all of them.
pub(crate) fn files_to_model(found: &Found) -> String {
    let mut out = String::new();
    for file in &found.files {
        let (path, rev) = (named(&file.path), file.revision.short());
        push(
            &mut out,
            format_args!("{path} (rev {rev}): {}\n", which(file)),
        );
        // Where every line is a match, each stands for itself.
        let between = match file.lines.iter().any(|line| line.role == Role::Context) {
            true => "--\n",
            false => "",
        };
        blocks(&mut out, file, between, |_| "");
        if let Some(left) = left_in(file) {
            push(&mut out, format_args!("({left} in this file not shown)\n"));
        }
        out.push('\n');
    }
    out
}

/// Renders what was found for a person: paths and lines, a mark before those that match.
pub(crate) fn to_person(found: &Found) -> String {
    let mut out = String::new();
    for (index, file) in found.files.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        push(&mut out, format_args!("{}\n", named(&file.path)));
        blocks(&mut out, file, "--\n", |role| match role {
            Role::Match => "> ",
            Role::Context => "  ",
        });
        if let Some(left) = left_in(file) {
            push(&mut out, format_args!("  ({left} not shown)\n"));
        }
    }
    out
}

/// Says how much was found, what is not shown, and what could not be searched.
pub(crate) fn summary(found: &Found) -> String {
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
        parts
            .push("a change of several files may be half seen: search again to be sure".to_owned());
    }
    parts.extend(found.notes.iter().map(|note| plain(&disk::note(note))));
    parts.join("\n")
}

/// Says which lines match, where that is not plain to see.
fn which(file: &FoundFile) -> String {
    let shows_context = file.lines.iter().any(|line| line.role == Role::Context);
    let numbers: Vec<String> = file.matching().map(|number| number.to_string()).collect();
    match (shows_context, numbers.as_slice()) {
        (true, [one]) => format!("{}, line {one}", matches(file.matches)),
        (true, several) => format!("{}, lines {}", matches(file.matches), several.join(", ")),
        (false, _) => matches(file.matches),
    }
}

/// Writes the blocks of a file, and something between them.
fn blocks(out: &mut String, file: &FoundFile, between: &str, mark: impl Fn(Role) -> &'static str) {
    for (index, block) in file.blocks().enumerate() {
        if index > 0 {
            out.push_str(between);
        }
        for FoundLine { role, line } in block {
            push(out, format_args!("{}{line}\n", mark(*role)));
        }
    }
}

fn left_in(file: &FoundFile) -> Option<String> {
    let shown = file.shown();
    let more = if shown > 0 { " more" } else { "" };
    let left = file.matches - shown;
    (left > 0).then(|| format!("{left}{more}"))
}

/// Lists why files could not be searched, and which, as far as that is worth knowing.
fn skipped(found: &Found) -> String {
    let reasons = found.totals.skipped.iter().map(|(code, count)| {
        let of_code = found.skipped.iter().filter(|error| error.code() == *code);
        let paths: Vec<&str> = of_code
            .filter_map(|error| error.path())
            .take(NAMED)
            .collect();
        let more = if paths.len() < *count { ", ..." } else { "" };
        match UNSURPRISING.contains(code) || paths.is_empty() {
            true => format!("{count} {code}"),
            false => format!("{count} {code} ({}{more})", all_named(&paths)),
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

fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_owned(),
        _ => format!("{count} files"),
    }
}

/// Takes the full stop from a sentence: whoever wants sentences puts it back.
fn plain(sentence: &str) -> String {
    sentence.strip_suffix('.').unwrap_or(sentence).to_owned()
}

/// Begins each line with a capital letter and ends it with a full stop, as sentences are.
fn capital(text: &str) -> String {
    let sentence = |line: &str| {
        let mut letters = line.chars();
        let first = letters.next().map(char::to_uppercase);
        let rest = letters.as_str();
        first
            .into_iter()
            .flatten()
            .chain(rest.chars())
            .chain(['.'])
            .collect::<String>()
    };
    text.lines().map(sentence).collect::<Vec<_>>().join("\n")
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A string takes whatever is written to it.
    let _ = out.write_fmt(text);
}
