//! What is wrong with files on a disk, in words: what happened, and what to do next.

use hashline_core::disk::{
    BadPattern, Bound, DiskError, Loss, PathFault, PatternFault, PatternPart, Unsettled,
};
use hashline_core::disk_note::DiskNote;

use super::bad_config;
use super::named::{all_named, named};
use crate::error::shortened;

/// Renders a disk's refusal for a model: what happened, and what to do next.
pub(crate) fn to_model(error: &DiskError) -> [String; 2] {
    let written = match error {
        DiskError::NeedsRecovery(left) => format!(
            "It is not known whether anything was written to {}: the disk failed while the change was being taken back.",
            listed(left)
        ),
        DiskError::Internal(left) => format!(
            "It is not known whether anything was written to {}: {}.",
            listed(left),
            happened(error)
        ),
        _ => format!("Nothing was written: {}.", happened(error)),
    };
    [written, format!("Next: {}.", next(error))]
}

/// Renders a disk's refusal for a person: the error, and a hint.
pub(crate) fn to_person(error: &DiskError) -> String {
    let (what, next) = (happened(error), next(error));
    let written = if error.may_have_written() {
        "it is not known whether anything was written"
    } else {
        "nothing was written"
    };
    format!("error: {what}; {written}\nhint: {next}")
}

/// Renders why something could not be read or searched: the error, and a hint. Nothing was to be written.
pub(crate) fn to_reader(error: &DiskError) -> String {
    let next = match error {
        DiskError::TooManyLines(_) => "read a part of it: `--start-line N --lines N`",
        DiskError::TooLarge(_) => {
            "whoever starts the program can raise the bound (`--set limits.file=SIZE`) and read a part of it"
        }
        DiskError::Outside(_) => "name it as a path of its own, or add its folder with `--root`",
        _ => next(error),
    };
    format!("error: {}\nhint: {next}", happened(error))
}

/// Renders for a model why something could not be read or searched: what happened, and what to do next.
pub(crate) fn unread(error: &DiskError) -> String {
    let next = match error {
        DiskError::TooManyLines(_) | DiskError::TooLarge(_) => {
            "read a part of it, with `offset` and `limit`"
        }
        _ => next(error),
    };
    format!("Cannot be read: {}.\nNext: {next}.", happened(error))
}

/// Says what happened.
pub(crate) fn happened(error: &DiskError) -> String {
    let path = shortened(error.path().unwrap_or_default());
    let path = named(&path);
    match error {
        DiskError::BadPath(bad) => {
            let path = shortened(&bad.path);
            format!("{path:?} cannot name a file here: {}", fault(bad.why))
        }
        DiskError::Outside(_) => format!("{path} lies outside of the folders that may be touched"),
        DiskError::Protected(_) => format!("{path} is protected"),
        DiskError::NotFound(_) => format!("there is no file {path}"),
        DiskError::Exists(_) => format!("{path} exists already"),
        DiskError::NotAFile(_) => format!("{path} is no regular file"),
        DiskError::Binary(_) => format!("{path} holds NUL bytes: it is no text"),
        DiskError::Encoding(_) => format!("{path} is text of another encoding than UTF-8"),
        DiskError::TooLarge(bound) => format!("{path} has {}", bytes(bound)),
        DiskError::TooLargeTogether(bound) => together(bound),
        DiskError::TooManyLines(Bound { found, most, .. }) => {
            format!("{path} has {found} lines; of a file of its size at most {most} are taken")
        }
        DiskError::LineTooLong(bound) => format!("a line of {path} has {}", bytes(bound)),
        DiskError::TooMany(Bound { found, most, .. }) => {
            format!("the request names {found} files; at most {most} are taken")
        }
        DiskError::TooManyOpen(open) => {
            let named = match open.files {
                0 | 1 => String::new(),
                several => format!("; the request names {several} files"),
            };
            format!(
                "{path} cannot be opened: the system lets hashline open no more files at once{named}"
            )
        }
        DiskError::ReadOnly(_) => format!("{path} is read-only"),
        DiskError::HardLinked(_) => format!("{path} has more than one name (hard links)"),
        DiskError::CannotReplace(cannot) => match cannot.why {
            Loss::SpecialMode => format!("{path} is a setuid or setgid file"),
            Loss::Metadata => format!("owner, permissions or attributes of {path} cannot be kept"),
            Loss::MountPoint => format!("{path} is mounted on its own and cannot be replaced"),
            Loss::Directory => format!("nothing new can be put into the folder of {path}"),
        },
        DiskError::Busy(_) => format!("another program keeps {path} locked"),
        DiskError::Unstable(_) => format!("{path} kept changing while it was read"),
        DiskError::Changed(_) => format!("somebody else wrote {path} at the same moment, twice"),
        DiskError::Timeout(timeout) => {
            format!("the request took longer than {} ms", timeout.most)
        }
        DiskError::Cancelled => "the request was cancelled".to_owned(),
        DiskError::NeedsRecovery(left) => format!("a change of {} was broken off", listed(left)),
        DiskError::RecoveryConflict(left) => format!(
            "an earlier request was broken off, and {} changed since",
            listed(left)
        ),
        DiskError::Internal(_) => {
            "hashline itself failed; a request over several files was taken back or finished"
                .to_owned()
        }
        DiskError::SeveralRoots(_) => format!("{path} lies in another root than the other files"),
        DiskError::BadConfig(bad) => bad_config::happened(bad),
        DiskError::BadPattern(bad) => pattern(bad),
        DiskError::System(trouble) => format!("{}: {}: {}", path, trouble.doing, trouble.reason),
    }
}

/// Says what to do next.
fn next(error: &DiskError) -> &'static str {
    match error {
        DiskError::BadPath(_) | DiskError::NotFound(_) | DiskError::NotAFile(_) => "check the path",
        DiskError::Outside(_) => "use a path inside the root",
        DiskError::Protected(_) => {
            "leave it; only the person who starts the program can unlock such files"
        }
        DiskError::Exists(_) => "edit it, or choose another path",
        DiskError::Binary(_) | DiskError::Encoding(_) => "edit it with a tool made for it",
        DiskError::TooLarge(_) | DiskError::TooManyLines(_) | DiskError::LineTooLong(_) => {
            "work on a smaller file"
        }
        DiskError::TooMany(_) => "send several requests",
        DiskError::TooLargeTogether(_) => "send several requests, each over fewer files",
        DiskError::TooManyOpen(_) => {
            "send several requests, each over fewer files; whoever starts the program can raise the limit (`ulimit -n`)"
        }
        DiskError::ReadOnly(_) => "make it writable first, if it is meant to be changed",
        DiskError::HardLinked(_) | DiskError::CannotReplace(_) => {
            "ask the person who started the program"
        }
        DiskError::Busy(_) => "wait a moment and send the whole request again",
        DiskError::Changed(_) if error.fresh().is_some() => {
            "send the whole request again; if the lines above are not what you expect, with their anchors and \"rev\""
        }
        DiskError::Unstable(_) | DiskError::Changed(_) => {
            "read it again, then send the whole request again"
        }
        DiskError::Timeout(_) => "send it again, in parts if it is large",
        DiskError::Cancelled => "send it again if it is still wanted",
        DiskError::NeedsRecovery(_) => "run `hashline recover`, then read the files again",
        DiskError::RecoveryConflict(_) => {
            "run `hashline recover` with --keep-current, --restore-old or --finish-new"
        }
        DiskError::Internal(_) => "read the files again, and tell the authors of hashline",
        DiskError::SeveralRoots(_) => "send one request for each root",
        DiskError::BadConfig(bad) => bad_config::next(bad),
        DiskError::BadPattern(bad) => mended(bad),
        DiskError::System(_) => "mend what the system complains about, then send it again",
    }
}

/// Says what there is to know although all went well, in one sentence.
pub(crate) fn note(note: &DiskNote) -> String {
    let paths = all_named(note.paths());
    match note {
        DiskNote::TakenBack(_) => {
            format!("An earlier request was broken off half done; it was taken back: {paths}.")
        }
        DiskNote::Finished(_) => {
            format!(
                "An earlier request was broken off when all was written; it was finished: {paths}."
            )
        }
        DiskNote::ForeignJournal => {
            "A journal of another folder, or a damaged one, was put aside in .hashline/foreign; \
            `hashline recover --trust` takes it as ours."
                .to_owned()
        }
        DiskNote::ForeignFolder => {
            "The folder .hashline belongs to somebody else and is not used: \
            requests over several files are not possible here."
                .to_owned()
        }
        DiskNote::Unsettled(_) => format!(
            "An earlier request was broken off, and its files changed since: {paths} cannot be written until \
            `hashline recover` is run with --keep-current, --restore-old or --finish-new."
        ),
        DiskNote::Orphaned(orphaned) => format!(
            "What a broken-off edit left beside {paths} was moved to {}.",
            all_named(&orphaned.kept)
        ),
        DiskNote::NotCleanedUp(_) => {
            format!("All is written; what was replaced could not be removed yet: {paths}.")
        }
        DiskNote::AdvisoryLocks => {
            "Folders cannot be locked here: locking=advisory-file.".to_owned()
        }
        DiskNote::DurabilityUnknown => {
            "The files lie on another machine: durability=unknown.".to_owned()
        }
    }
}

fn fault(why: PathFault) -> &'static str {
    match why {
        PathFault::Empty => "it is empty",
        PathFault::Nul => "it holds a NUL byte",
        PathFault::TooLong => "it is too long",
        PathFault::TrailingSlash => "it ends like a folder",
        PathFault::Upward => "it goes upward with `..`",
        PathFault::NoDirectory => "a name on the way is no folder, or its links go in a circle",
        PathFault::Link => {
            "it is a link; only the file it leads to can be moved or deleted, by its own name"
        }
    }
}

/// Says what is wrong with a part of a search.
fn pattern(bad: &BadPattern) -> String {
    let part = match bad.part {
        PatternPart::Pattern => "the pattern",
        PatternPart::Glob => "the glob",
        PatternPart::FileType => "the file type",
    };
    let why = match &bad.why {
        PatternFault::TooLong { most } => {
            let found = bad.text.len();
            format!("it has {found} bytes; at most {most} are taken")
        }
        PatternFault::TooBig { most } => format!("compiled it needs more than {most} bytes"),
        PatternFault::LineEnd => {
            "it could match the end of a line, and lines are searched one by one".to_owned()
        }
        PatternFault::Unknown => "nobody knows it".to_owned(),
        PatternFault::Malformed { reason } => reason.clone(),
    };
    format!("{part} `{}` cannot be used: {why}", in_one_line(&bad.text))
}

/// Quotes what was sent, line breaks and the like spelled out, backslashes left alone: patterns are full of them.
fn in_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in shortened(text).chars() {
        match letter.is_control() {
            true => line.extend(letter.escape_default()),
            false => line.push(letter),
        }
    }
    line
}

/// Says how a part of a search can be mended.
fn mended(bad: &BadPattern) -> &'static str {
    match (bad.part, &bad.why) {
        (_, PatternFault::TooLong { .. } | PatternFault::TooBig { .. }) => {
            "search for something simpler"
        }
        (_, PatternFault::LineEnd) => "leave the line break out: search for one line of the text",
        (PatternPart::FileType, _) => "use a glob such as `*.rs`",
        (PatternPart::Glob, _) => "mend the glob; braces and brackets must be closed",
        (PatternPart::Pattern, _) => {
            "mend the pattern, or search for it as it stands instead of as a regular expression"
        }
    }
}

fn bytes(bound: &Bound) -> String {
    format!("{} bytes; at most {} are taken", bound.found, bound.most)
}

/// Says that files are too much together: those that are read, up to one of them, or those that would be written.
fn together(bound: &Bound) -> String {
    match &bound.path {
        Some(path) => format!(
            "there is no room left for {}: the files of the request have {} together",
            named(&shortened(path)),
            bytes(bound)
        ),
        None => format!("the files would have {} together", bytes(bound)),
    }
}

fn listed(left: &Unsettled) -> String {
    all_named(&left.paths)
}
