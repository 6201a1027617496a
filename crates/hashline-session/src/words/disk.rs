//! Sentences about problems with files, the configuration and the ledger: what happened, and what to do next.

use std::path::Path;

use hashline_core::dialect::Dialect;
use hashline_wire::answer::Notice;
use hashline_wire::error::shortened;
use hashline_wire::refusal::{Failure, Refusal, Window, Written};
use hashline_wire::render::capital;
use hashline_wire::{all_named, named};
use hashline_workspace::DiskNote;
use hashline_workspace::config::bad_config::{BadConfig, ConfigFault, ConfigSource};
use hashline_workspace::encoding::EncodingFault;
use hashline_workspace::error::{BadPattern, Excess, Loss, PathFault, PatternFault, PatternPart};
use hashline_workspace::ledger::{Exposure, StateNote};
use hashline_workspace::{DiskError, DiskFault};

/// Builds the refusal of a request to write that failed on the disk.
#[must_use]
pub fn disk_refusal(error: &DiskError, dialect: Dialect) -> Refusal {
    let written = if error.may_have_written() {
        Written::Unknown
    } else {
        Written::Nothing
    };
    refusal(error, dialect, written)
}

/// Builds the refusal of a request that only reads: a read, a search or a lookup.
#[must_use]
pub fn read_refusal(error: &DiskError) -> Refusal {
    refusal(error, Dialect::default(), Written::NotAsked)
}

fn refusal(error: &DiskError, dialect: Dialect, written: Written) -> Refusal {
    let fresh = error.fresh();
    let windows = fresh.iter().flat_map(|fresh| {
        let spans = fresh.spans.iter();
        spans.map(|&span| Window::new(&fresh.document, span, dialect))
    });
    let rev = fresh.map(|fresh| fresh.document.revision().short());
    Refusal {
        written,
        failure: Box::new(Failure {
            path: error.path.clone(),
            details: rev
                .iter()
                .map(|rev| format!("The file is at rev {rev} now."))
                .collect(),
            rev,
            windows: windows.collect(),
            ..Failure::new(error.code(), what_happened(error))
        }),
        also: Vec::new(),
        next: Some(next(error, written).to_owned()),
    }
}

fn encoding_fault(path: &str, why: &EncodingFault) -> String {
    match why {
        EncodingFault::Unknown(name) => format!("{name:?} is not the name of an encoding ({path})"),
        EncodingFault::Utf32 => format!("{path} is UTF-32, which is not supported"),
        EncodingFault::DoesNotFit { name } => format!("{path} is not valid {name}"),
        EncodingFault::Misread { name } => {
            format!("the new content of {path} in {name} would be read back as other text")
        }
    }
}

/// Formats the first sentence of a refusal: what went wrong with the file.
fn what_happened(error: &DiskError) -> String {
    let full = shortened(error.path.as_deref().unwrap_or_default());
    let path = named(&full);
    match &error.why {
        // Quoted and escaped: it may be empty or contain control characters.
        DiskFault::BadPath(why) => {
            format!("{full:?} cannot name a file here: {}", path_fault(*why))
        }
        DiskFault::Outside => format!("{path} is outside the folders that may be touched"),
        DiskFault::Protected => format!("{path} is protected"),
        DiskFault::NotFound => format!("there is no file {path}"),
        DiskFault::Exists => format!("{path} already exists"),
        DiskFault::NotAFile => format!("{path} is not a regular file"),
        DiskFault::Binary => format!("{path} contains NUL bytes: it is not a text file"),
        DiskFault::Encoding(why) => encoding_fault(&path, why),
        DiskFault::TooLarge(_)
        | DiskFault::TooManyLines(_)
        | DiskFault::LineTooLong(_)
        | DiskFault::WouldBe(_) => over_limit(&path, &error.why, "has"),
        DiskFault::TooLargeTogether(excess) => {
            too_large_together(error.path.as_ref().map(|_| &*path), excess)
        }
        DiskFault::TooMany(Excess { found, most }) => {
            format!("the request names {found} files, and the limit is {most}")
        }
        DiskFault::TooManyOpen { files } => too_many_open(&path, *files),
        DiskFault::ReadOnly => format!("{path} is read-only"),
        DiskFault::HardLinked => format!("{path} has more than one name (hard links)"),
        DiskFault::SameFile { other } => format!(
            "{path} and {} are one file (the same device and inode)",
            named(&shortened(other))
        ),
        DiskFault::TwoPaths { other, field } => format!(
            "{path} and {} are one file, and the request does not give the same `{field}` for both",
            named(&shortened(other))
        ),
        DiskFault::CannotReplace(loss) => cannot_replace(&path, *loss),
        DiskFault::Busy => format!("another program holds a lock on {path}"),
        DiskFault::Unstable => format!("{path} kept changing while it was read"),
        DiskFault::Changed(_) => format!("another program wrote {path} at the same time, twice"),
        DiskFault::Timeout { most } => format!("the request took longer than {most} ms"),
        DiskFault::Cancelled => "the request was cancelled".to_owned(),
        DiskFault::NeedsRecovery(paths) => format!(
            "the disk failed while a change of {} was being undone",
            all_named(paths)
        ),
        DiskFault::RecoveryConflict(paths) => format!(
            "an earlier request was interrupted, and {} changed since",
            all_named(paths)
        ),
        DiskFault::Internal(paths) => format!(
            "hashline itself failed while it changed {}; a request over several files was undone or finished",
            all_named(paths)
        ),
        DiskFault::SeveralRoots => format!("{path} is in another root than the other files"),
        DiskFault::OtherDevice => format!(
            "{path} is on another file system than `.hashline`, the folder of the journal that this request needs"
        ),
        DiskFault::BadConfig(bad) => bad_config(bad),
        DiskFault::BadPattern(bad) => pattern(bad),
        DiskFault::System { doing, reason } => format!("{path}: {doing}: {reason}"),
    }
}

/// Says which limit a file is over; `has` is the verb, since a file that is refused may not be written yet.
fn over_limit(path: &str, why: &DiskFault, has: &str) -> String {
    match why {
        DiskFault::TooManyLines(Excess { found, most }) => {
            format!("{path} {has} {found} lines, and the limit for a file of its size is {most}")
        }
        DiskFault::LineTooLong(excess) => format!("a line of {path} {has} {}", bytes(excess)),
        DiskFault::TooLarge(excess) => format!("{path} {has} {}", bytes(excess)),
        DiskFault::WouldBe(why) => over_limit(path, why, "would have"),
        other => what_happened(&other.clone().at(path)),
    }
}

/// Says that the files of a request are too large together: those up to the file at `path`, or all of them.
fn too_large_together(path: Option<&str>, excess: &Excess) -> String {
    let bytes = bytes(excess);
    match path {
        Some(path) => {
            format!("no room is left for {path}: the files of the request together have {bytes}")
        }
        None => format!("the files together would have {bytes}"),
    }
}

fn too_many_open(path: &str, files: usize) -> String {
    let files = match files {
        0 | 1 => String::new(),
        several => format!("; the request names {several} files"),
    };
    format!("cannot open {path}: too many open files{files}")
}

fn cannot_replace(path: &str, loss: Loss) -> String {
    match loss {
        Loss::SpecialMode => format!("{path} is a setuid or setgid file"),
        Loss::Metadata => {
            format!("the owner, permissions or attributes of {path} cannot be kept")
        }
        Loss::MountPoint => format!("{path} is a mount point and cannot be replaced"),
        Loss::Directory => format!("cannot create a file in the folder of {path}"),
    }
}

/// Returns the last sentence of a refusal: what the caller should do next.
fn next(error: &DiskError, written: Written) -> &'static str {
    let is_read = written == Written::NotAsked;
    match &error.why {
        DiskFault::BadPath(_) | DiskFault::NotFound | DiskFault::NotAFile => "check the path",
        DiskFault::Outside => {
            "use a path inside a root, or start hashline with its folder as a root (`--root`)"
        }
        DiskFault::Protected => {
            "leave it; only the person who starts hashline can unlock such files"
        }
        DiskFault::Exists => "edit it, or choose another path",
        DiskFault::Binary | DiskFault::Encoding(EncodingFault::Utf32) => {
            "use a tool made for such files"
        }
        DiskFault::Encoding(EncodingFault::Unknown(_)) => {
            "send a name such as \"windows-1252\", \"shift_jis\" or \"utf-16le\""
        }
        DiskFault::Encoding(EncodingFault::DoesNotFit { .. }) => "send the encoding of the file",
        DiskFault::Encoding(EncodingFault::Misread { .. }) => {
            "send the request with this `encoding`, and name it in later reads"
        }
        DiskFault::TooLarge(_) if is_read => {
            "read a part of it, by a first line and a number of lines, or start hashline with a higher `limits.file`"
        }
        DiskFault::TooManyLines(_) if is_read => {
            "read a part of it, by a first line and a number of lines"
        }
        DiskFault::TooLarge(_) | DiskFault::TooManyLines(_) | DiskFault::LineTooLong(_) => {
            "work on a smaller file"
        }
        DiskFault::WouldBe(_) => {
            "write less to this file, or split its long lines: what is over a limit could not be read again"
        }
        DiskFault::TooMany(_) => "send several requests",
        DiskFault::TooLargeTogether(_) => "send several requests, each with fewer files",
        DiskFault::TooManyOpen { .. } => {
            "send several requests, each with fewer files, or start hashline with a higher limit (`ulimit -n`)"
        }
        DiskFault::ReadOnly => "make it writable first, if it is meant to be changed",
        DiskFault::HardLinked | DiskFault::CannotReplace(_) => {
            "ask the person who started hashline"
        }
        DiskFault::SameFile { .. } | DiskFault::TwoPaths { .. } => {
            "use one of the two paths for all edits of the file"
        }
        DiskFault::Busy => "wait a moment and send the whole request again",
        DiskFault::Changed(_) if error.fresh().is_some() => {
            "send the whole request again; if the lines above are not what you expect, with their anchors and \"rev\""
        }
        DiskFault::Unstable | DiskFault::Changed(_) => {
            "read it again, then send the whole request again"
        }
        DiskFault::Timeout { .. } => "send it again, in parts if it is large",
        DiskFault::Cancelled => "send it again if it is still wanted",
        DiskFault::NeedsRecovery(_) => "run `hashline recover`, then read the files again",
        DiskFault::RecoveryConflict(_) => {
            "run `hashline recover` with --keep-current, --restore-old or --finish-new"
        }
        DiskFault::Internal(_) => "read the files again, and report this as a bug of hashline",
        DiskFault::SeveralRoots => "send one request for each root",
        DiskFault::OtherDevice => {
            "edit it in a request by itself; to create a folder, or to move or delete a file there, start hashline with a folder of that file system as the root (`--root`)"
        }
        DiskFault::BadConfig(bad) => config_next(bad),
        DiskFault::BadPattern(bad) => pattern_next(bad),
        DiskFault::System { .. } => "fix this, then retry",
    }
}

fn path_fault(why: PathFault) -> &'static str {
    match why {
        PathFault::Empty => "it is empty",
        PathFault::Nul => "it contains a NUL byte",
        PathFault::TooLong => "it is too long",
        PathFault::TrailingSlash => "it ends with a slash, like a folder",
        PathFault::Upward => "it contains `..`",
        PathFault::NoDirectory => "a part of it is not a folder, or its links form a loop",
        PathFault::Link => {
            "it is a link; only the file it points to can be moved or deleted, by its own name"
        }
    }
}

/// Formats what is wrong with a search pattern, glob or other part of a search.
fn pattern(bad: &BadPattern) -> String {
    let part = match bad.part {
        PatternPart::Pattern => "pattern",
        PatternPart::Glob => "glob",
        PatternPart::FileType => "file type",
    };
    let why = match &bad.why {
        PatternFault::TooLong { most } => {
            format!("it has {} bytes, and the limit is {most}", bad.text.len())
        }
        PatternFault::TooBig { most } => format!("it needs more than {most} bytes when compiled"),
        PatternFault::LineEnd => {
            "it could match the end of a line, and lines are searched one by one".to_owned()
        }
        PatternFault::Unknown => "it is unknown".to_owned(),
        PatternFault::Malformed { reason } => reason.clone(),
    };
    format!("cannot use the {part} `{}`: {why}", on_one_line(&bad.text))
}

/// Quotes text from a request on one line, with line breaks and control characters escaped. Backslashes are not escaped, because search patterns have
/// many of them.
fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in shortened(text).chars() {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

fn pattern_next(bad: &BadPattern) -> &'static str {
    match (bad.part, &bad.why) {
        (_, PatternFault::TooLong { .. } | PatternFault::TooBig { .. }) => {
            "search for something simpler"
        }
        (_, PatternFault::LineEnd) => "leave out the line break: search for one line of the text",
        (PatternPart::FileType, _) => "use a glob such as `*.rs`",
        (PatternPart::Glob, _) => "fix the glob: braces and brackets must be closed",
        (PatternPart::Pattern, _) => {
            "fix the pattern, or search for it as literal text instead of a regular expression"
        }
    }
}

/// Formats what is wrong with a configuration file or option, and where.
fn bad_config(bad: &BadConfig) -> String {
    let mut place = match &bad.source {
        ConfigSource::Root(path) => named(&shortened(path)).into_owned(),
        ConfigSource::User => "the user's `config.toml`".to_owned(),
        ConfigSource::Start => "the command line".to_owned(),
    };
    if let Some(spot) = bad.spot {
        place.push_str(&format!(", line {}, column {}", spot.line, spot.column));
    }
    match &bad.why {
        ConfigFault::Unreadable(reason) => {
            format!("{place} cannot be used: {}", what_happened(reason))
        }
        ConfigFault::NotToml(reason) => format!("{place}: this is not TOML: {reason}"),
        ConfigFault::UnknownKey { key, nearest } => {
            let nearest = nearest.as_ref();
            let meant = nearest.map(|nearest| format!(" (did you mean `{nearest}`?)"));
            format!(
                "{place}: unknown key `{}`{}",
                shortened(key),
                meant.unwrap_or_default()
            )
        }
        ConfigFault::BadValue { key, found, takes } => {
            format!("{place}: `{key}` takes {takes}, not {}", shortened(found))
        }
        ConfigFault::Widens {
            key,
            asked,
            allowed,
        } => format!(
            "{place}: `{key}` may only narrow what the person who starts hashline allows, which is {}, not {}",
            shortened(allowed),
            shortened(asked)
        ),
        ConfigFault::NotForRoots(key) => {
            format!("{place}: only the person who starts hashline may set `{key}`")
        }
    }
}

fn config_next(bad: &BadConfig) -> &'static str {
    match &bad.why {
        ConfigFault::Unreadable(_) => {
            "the person who starts hashline must put a text file of at most 64 KiB there, or remove it"
        }
        ConfigFault::NotToml(_) | ConfigFault::UnknownKey { .. } | ConfigFault::BadValue { .. } => {
            "the person who starts hashline must correct it; `docs/configuration.md` lists every key"
        }
        ConfigFault::Widens { .. } | ConfigFault::NotForRoots(_) => {
            "remove the key there; the person who starts hashline can set it in their own `config.toml` or on the command line"
        }
    }
}

fn bytes(excess: &Excess) -> String {
    format!("{} bytes, and the limit is {}", excess.found, excess.most)
}

/// Converts a note of the workspace about the disk into a notice with a sentence.
#[must_use]
pub fn disk_notice(note: &DiskNote) -> Notice {
    let paths = all_named(note.paths());
    let message = match note {
        DiskNote::RolledBack(_) => {
            format!("An earlier request was interrupted half way; it was undone: {paths}.")
        }
        DiskNote::Finished(_) => format!(
            "An earlier request was interrupted when everything was written; it was finished: {paths}."
        ),
        DiskNote::ForeignJournal => {
            "A journal of another folder, or a damaged one, was moved to .hashline/foreign; \
            `hashline recover --trust` uses it as ours."
                .to_owned()
        }
        DiskNote::ForeignFolder => "The folder .hashline belongs to another user and is not used: \
            requests over several files are not possible here."
            .to_owned(),
        DiskNote::Unsettled(_) => format!(
            "An earlier request was interrupted, and its files changed since: {paths} cannot be written until \
            `hashline recover` is run with --keep-current, --restore-old or --finish-new."
        ),
        DiskNote::Orphaned(orphaned) => format!(
            "What an interrupted edit left beside {paths} was moved to {}.",
            all_named(&orphaned.kept)
        ),
        DiskNote::NotCleanedUp(_) => {
            format!("All is written; what was replaced could not be removed yet: {paths}.")
        }
        DiskNote::AdvisoryLocks => {
            "Folders cannot be locked here: locking=advisory-file.".to_owned()
        }
        DiskNote::DurabilityUnknown => {
            "The files are on another machine: durability=unknown.".to_owned()
        }
    };
    Notice {
        note: note.name(),
        message,
        paths: Some(note.paths().to_vec()),
        kept: match note {
            DiskNote::Orphaned(orphaned) => orphaned.kept.clone(),
            _ => Vec::new(),
        },
    }
}

/// Converts a note about an entry of the ledger that could not be written into a notice with a sentence.
#[must_use]
pub fn state_notice(note: &StateNote) -> Notice {
    let message = match note {
        StateNote::NotPrivate { path, why } => {
            let exposed = exposed(path, *why);
            format!("Nothing shown is remembered: {exposed}.")
        }
        StateNote::Damaged { path } => {
            let path = path.to_string_lossy();
            let path = named(&path);
            format!("The record of {path} was damaged; what came after the damage is lost.")
        }
        StateNote::Busy => {
            "Other programs held the ledger locked; what this answer shows is not remembered."
                .to_owned()
        }
        StateNote::TooMuch => {
            "This answer shows more than the ledger may hold; it is not remembered.".to_owned()
        }
        StateNote::SessionTooLong => {
            "The name of the session is too long; what it is shown is not remembered.".to_owned()
        }
        StateNote::RedisDown { kind } => format!(
            "Redis does not answer ({kind}): lines shown before count as never shown, and what this answer shows may not be remembered."
        ),
        StateNote::RedisRefused { code } => format!(
            "Redis refused a command ({code}): lines shown before may count as never shown, and what this answer shows may not be remembered."
        ),
        StateNote::System { doing, kind } => format!(
            "{} failed ({kind}); what this answer shows may not be remembered.",
            capital(doing)
        ),
    };
    notice_of_state(note, message)
}

/// Converts a note about the counters into a notice with a sentence.
#[must_use]
pub fn counter_notice(note: &StateNote) -> Notice {
    let message = match note {
        StateNote::NotPrivate { path, why } => {
            let exposed = exposed(path, *why);
            format!("Nothing is counted: {exposed}.")
        }
        StateNote::Damaged { path } => {
            let path = path.to_string_lossy();
            let path = named(&path);
            format!("The counters in {path} were damaged; counting starts again at zero.")
        }
        StateNote::System { doing, kind } => {
            let doing = capital(doing);
            format!("{doing} failed ({kind}); the counts may be too low.")
        }
        StateNote::Busy
        | StateNote::TooMuch
        | StateNote::SessionTooLong
        | StateNote::RedisDown { .. }
        | StateNote::RedisRefused { .. } => {
            "Other programs held the counters locked; the counts may be too low.".to_owned()
        }
    };
    notice_of_state(note, message)
}

/// Says why other users can change the state directory.
fn exposed(path: &Path, why: Exposure) -> String {
    let why = match why {
        Exposure::Foreign => "belongs to another user",
        Exposure::Writable => "can be written by others",
        Exposure::NotADirectory => "is a link or not a folder",
    };
    let path = path.to_string_lossy();
    format!("the state directory {} {why}", named(&path))
}

fn notice_of_state(note: &StateNote, message: String) -> Notice {
    let name = match note {
        StateNote::NotPrivate { .. } => "not_private",
        StateNote::Damaged { .. } => "damaged",
        StateNote::Busy => "busy",
        StateNote::TooMuch => "too_much",
        StateNote::SessionTooLong => "session_too_long",
        StateNote::RedisDown { .. } => "redis_down",
        StateNote::RedisRefused { .. } => "redis_refused",
        StateNote::System { .. } => "system",
    };
    Notice {
        note: name,
        message,
        paths: None,
        kept: Vec::new(),
    }
}
