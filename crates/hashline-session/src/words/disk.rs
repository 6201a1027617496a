//! What is wrong with files, the configuration and the ledger: what happened, and what to do next.

use hashline_core::dialect::Dialect;
use hashline_wire::answer::Notice;
use hashline_wire::error::shortened;
use hashline_wire::refusal::{Failure, Refusal, Window, Written};
use hashline_wire::render::capital;
use hashline_wire::{all_named, named};
use hashline_workspace::DiskError;
use hashline_workspace::config::bad_config::{BadConfig, ConfigFault, ConfigSource};
use hashline_workspace::error::{
    BadPattern, Bound, Loss, PathFault, PatternFault, PatternPart, Unsettled,
};
use hashline_workspace::ledger::{Exposure, StateNote};
use hashline_workspace::note::DiskNote;

/// Builds the refusal of a request that was to write.
#[must_use]
pub fn disk_refusal(error: &DiskError, dialect: Dialect) -> Refusal {
    let written = if error.may_have_written() {
        Written::Unknown
    } else {
        Written::Nothing
    };
    refusal(error, dialect, written)
}

/// Builds the refusal of a request to read, search or look something up.
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
            path: error.path().map(str::to_owned),
            details: rev
                .iter()
                .map(|rev| format!("The file is at rev {rev} now."))
                .collect(),
            rev,
            windows: windows.collect(),
            ..Failure::new(error.code(), happened(error))
        }),
        also: Vec::new(),
        next: Some(next(error, written).to_owned()),
    }
}

/// Says what happened.
fn happened(error: &DiskError) -> String {
    let path = shortened(error.path().unwrap_or_default());
    let path = named(&path);
    match error {
        DiskError::BadPath(bad) => {
            let path = shortened(&bad.path);
            format!("{path:?} cannot name a file here: {}", path_fault(bad.why))
        }
        DiskError::Outside(_) => format!("{path} is outside the folders that may be touched"),
        DiskError::Protected(_) => format!("{path} is protected"),
        DiskError::NotFound(_) => format!("there is no file {path}"),
        DiskError::Exists(_) => format!("{path} already exists"),
        DiskError::NotAFile(_) => format!("{path} is not a regular file"),
        DiskError::Binary(_) => format!("{path} contains NUL bytes: it is not a text file"),
        DiskError::Encoding(_) => format!("{path} is text in an encoding other than UTF-8"),
        DiskError::TooLarge(bound) => format!("{path} has {}", bytes(bound)),
        DiskError::TooLargeTogether(bound) => match &bound.path {
            Some(path) => format!(
                "no room is left for {}: the files of the request together have {}",
                named(&shortened(path)),
                bytes(bound)
            ),
            None => format!("the files together would have {}", bytes(bound)),
        },
        DiskError::TooManyLines(Bound { found, most, .. }) => {
            format!("{path} has {found} lines, and the limit for a file of its size is {most}")
        }
        DiskError::LineTooLong(bound) => format!("a line of {path} has {}", bytes(bound)),
        DiskError::TooMany(Bound { found, most, .. }) => {
            format!("the request names {found} files, and the limit is {most}")
        }
        DiskError::TooManyOpen(open) => {
            let files = match open.files {
                0 | 1 => String::new(),
                several => format!("; the request names {several} files"),
            };
            format!("cannot open {path}: too many open files{files}")
        }
        DiskError::ReadOnly(_) => format!("{path} is read-only"),
        DiskError::HardLinked(_) => format!("{path} has more than one name (hard links)"),
        DiskError::CannotReplace(cannot) => match cannot.why {
            Loss::SpecialMode => format!("{path} is a setuid or setgid file"),
            Loss::Metadata => {
                format!("the owner, permissions or attributes of {path} cannot be kept")
            }
            Loss::MountPoint => format!("{path} is a mount point and cannot be replaced"),
            Loss::Directory => format!("cannot create a file in the folder of {path}"),
        },
        DiskError::Busy(_) => format!("another program holds a lock on {path}"),
        DiskError::Unstable(_) => format!("{path} kept changing while it was read"),
        DiskError::Changed(_) => format!("another program wrote {path} at the same time, twice"),
        DiskError::Timeout(timeout) => format!("the request took longer than {} ms", timeout.most),
        DiskError::Cancelled => "the request was cancelled".to_owned(),
        DiskError::NeedsRecovery(left) => format!(
            "the disk failed while a change of {} was being undone",
            listed(left)
        ),
        DiskError::RecoveryConflict(left) => format!(
            "an earlier request was interrupted, and {} changed since",
            listed(left)
        ),
        DiskError::Internal(left) => format!(
            "hashline itself failed while it changed {}; a request over several files was undone or finished",
            listed(left)
        ),
        DiskError::SeveralRoots(_) => format!("{path} is in another root than the other files"),
        DiskError::BadConfig(bad) => bad_config(bad),
        DiskError::BadPattern(bad) => pattern(bad),
        DiskError::System(trouble) => format!("{path}: {}: {}", trouble.doing, trouble.reason),
    }
}

/// Says what to do next.
fn next(error: &DiskError, written: Written) -> &'static str {
    let is_read = written == Written::NotAsked;
    match error {
        DiskError::BadPath(_) | DiskError::NotFound(_) | DiskError::NotAFile(_) => "check the path",
        DiskError::Outside(_) => {
            "use a path inside a root, or start hashline with its folder as a root (`--root`)"
        }
        DiskError::Protected(_) => {
            "leave it; only the person who starts hashline can unlock such files"
        }
        DiskError::Exists(_) => "edit it, or choose another path",
        DiskError::Binary(_) | DiskError::Encoding(_) => "use a tool made for such files",
        DiskError::TooLarge(_) if is_read => {
            "read a part of it, by a first line and a number of lines, or start hashline with a higher `limits.file`"
        }
        DiskError::TooManyLines(_) if is_read => {
            "read a part of it, by a first line and a number of lines"
        }
        DiskError::TooLarge(_) | DiskError::TooManyLines(_) | DiskError::LineTooLong(_) => {
            "work on a smaller file"
        }
        DiskError::TooMany(_) => "send several requests",
        DiskError::TooLargeTogether(_) => "send several requests, each with fewer files",
        DiskError::TooManyOpen(_) => {
            "send several requests, each with fewer files, or start hashline with a higher limit (`ulimit -n`)"
        }
        DiskError::ReadOnly(_) => "make it writable first, if it is meant to be changed",
        DiskError::HardLinked(_) | DiskError::CannotReplace(_) => {
            "ask the person who started hashline"
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
        DiskError::Internal(_) => "read the files again, and report this as a bug of hashline",
        DiskError::SeveralRoots(_) => "send one request for each root",
        DiskError::BadConfig(bad) => config_next(bad),
        DiskError::BadPattern(bad) => pattern_next(bad),
        DiskError::System(_) => "fix this, then retry",
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

/// Says what is wrong with a part of a search.
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

/// Quotes what was sent with line breaks and the like escaped. Backslashes stay: patterns are full of them.
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

/// Says what is wrong with a configuration, and where.
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
            format!("{place} cannot be used: {}", happened(reason))
        }
        ConfigFault::NotToml(reason) => format!("{place}: this is not TOML: {reason}"),
        ConfigFault::UnknownKey(unknown) => {
            let nearest = unknown.nearest.as_ref();
            let meant = nearest.map(|nearest| format!(" (did you mean `{nearest}`?)"));
            format!(
                "{place}: unknown key `{}`{}",
                shortened(&unknown.key),
                meant.unwrap_or_default()
            )
        }
        ConfigFault::BadValue(bad) => format!(
            "{place}: `{}` takes {}, not {}",
            bad.key,
            bad.takes,
            shortened(&bad.found)
        ),
        ConfigFault::Widens(wide) => format!(
            "{place}: `{}` may only narrow what the person who starts hashline allows, which is {}, not {}",
            wide.key,
            shortened(&wide.allowed),
            shortened(&wide.asked)
        ),
        ConfigFault::NotForRoots(key) => format!(
            "{place}: only the person who starts hashline may set `{}`",
            key.key
        ),
    }
}

fn config_next(bad: &BadConfig) -> &'static str {
    match &bad.why {
        ConfigFault::Unreadable(_) => {
            "the person who starts hashline must put a text file of at most 64 KiB there, or remove it"
        }
        ConfigFault::NotToml(_) | ConfigFault::UnknownKey(_) | ConfigFault::BadValue(_) => {
            "the person who starts hashline must correct it; `docs/configuration.md` lists every key"
        }
        ConfigFault::Widens(_) | ConfigFault::NotForRoots(_) => {
            "remove the key there; the person who starts hashline can set it in their own `config.toml` or on the command line"
        }
    }
}

fn bytes(bound: &Bound) -> String {
    format!("{} bytes, and the limit is {}", bound.found, bound.most)
}

fn listed(left: &Unsettled) -> String {
    all_named(&left.paths)
}

/// Says that a journal is not ours; recovery says the same.
pub(super) const FOREIGN_JOURNAL: &str = "A journal of another folder, or a damaged one, was moved to .hashline/foreign; \
    `hashline recover --trust` uses it as ours.";

/// Says what there is to know about the disk although all went well.
#[must_use]
pub fn disk_notice(note: &DiskNote) -> Notice {
    let paths = all_named(note.paths());
    let message = match note {
        DiskNote::TakenBack(_) => {
            format!("An earlier request was interrupted half way; it was undone: {paths}.")
        }
        DiskNote::Finished(_) => format!(
            "An earlier request was interrupted when everything was written; it was finished: {paths}."
        ),
        DiskNote::ForeignJournal => FOREIGN_JOURNAL.to_owned(),
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

/// Says what could not be recorded or counted.
#[must_use]
pub fn state_notice(note: &StateNote) -> Notice {
    let (name, message) = match note {
        StateNote::NotPrivate(folder) => {
            let why = match folder.why {
                Exposure::Foreign => "belongs to another user",
                Exposure::Writable => "can be written by others",
                Exposure::NotADirectory => "is a link or not a folder",
            };
            let path = folder.path.to_string_lossy();
            let path = named(&path);
            (
                "not_private",
                format!("Nothing shown is remembered: the state directory {path} {why}."),
            )
        }
        StateNote::Damaged(damaged) => {
            let path = damaged.path.to_string_lossy();
            let path = named(&path);
            (
                "damaged",
                format!("The record of {path} was damaged; what came after the damage is lost."),
            )
        }
        StateNote::Busy => (
            "busy",
            "Other programs held the ledger locked; what this answer shows is not remembered."
                .to_owned(),
        ),
        StateNote::TooMuch => (
            "too_much",
            "This answer shows more than the ledger may hold; it is not remembered.".to_owned(),
        ),
        StateNote::SessionTooLong => (
            "session_too_long",
            "The name of the session is too long; what it is shown is not remembered.".to_owned(),
        ),
        StateNote::System(refused) => (
            "system",
            format!(
                "{} failed ({}); what this answer shows may not be remembered.",
                capital(refused.doing),
                refused.kind
            ),
        ),
    };
    Notice {
        note: name,
        message,
        paths: None,
        kept: Vec::new(),
    }
}
