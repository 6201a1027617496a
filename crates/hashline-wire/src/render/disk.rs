//! What is wrong with files on a disk, in words: what happened, and what to do next.

use hashline_core::disk::{Bound, DiskError, Loss, PathFault, Unsettled};

use super::bad_config;
use crate::error::shortened;

/// Renders a disk's refusal for a model.
pub(crate) fn to_model(error: &DiskError) -> String {
    let written = match error {
        DiskError::NeedsRecovery(left) => format!(
            "It is not known whether anything was written to {}: the disk failed while the change was being taken back.",
            listed(left)
        ),
        _ => format!("Nothing was written: {}.", happened(error)),
    };
    format!("{written}\nNext: {}.", next(error))
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

/// Says what happened.
pub(super) fn happened(error: &DiskError) -> String {
    let path = shortened(error.path().unwrap_or_default());
    match error {
        DiskError::BadPath(bad) => format!("{path:?} cannot name a file here: {}", fault(bad.why)),
        DiskError::Outside(_) => format!("{path} lies outside of the folders that may be touched"),
        DiskError::Protected(_) => format!("{path} is protected"),
        DiskError::NotFound(_) => format!("there is no file {path}"),
        DiskError::Exists(_) => format!("{path} exists already"),
        DiskError::NotAFile(_) => format!("{path} is no regular file"),
        DiskError::Binary(_) => format!("{path} holds NUL bytes: it is no text"),
        DiskError::Encoding(_) => format!("{path} is text of another encoding than UTF-8"),
        DiskError::TooLarge(bound) => format!("{path} has {}", bytes(bound)),
        DiskError::LineTooLong(bound) => format!("a line of {path} has {}", bytes(bound)),
        DiskError::TooMany(Bound { found, most, .. }) => {
            format!("the request names {found} files; at most {most} are taken")
        }
        DiskError::ReadOnly(_) => format!("{path} is read-only"),
        DiskError::HardLinked(_) => format!("{path} has more than one name (hard links)"),
        DiskError::CannotReplace(cannot) => match cannot.why {
            Loss::SpecialMode => format!("{path} is a setuid or setgid file"),
            Loss::Metadata => format!("owner, permissions or attributes of {path} cannot be kept"),
        },
        DiskError::Busy(_) => format!("another program keeps {path} locked"),
        DiskError::Unstable(_) => format!("{path} kept changing while it was read"),
        DiskError::Changed(_) => format!("somebody else wrote {path} at the same moment, twice"),
        DiskError::NeedsRecovery(left) => format!("a change of {} was broken off", listed(left)),
        DiskError::RecoveryConflict(left) => format!(
            "an earlier request was broken off, and {} changed since",
            listed(left)
        ),
        DiskError::SeveralRoots(_) => format!("{path} lies in another root than the other files"),
        DiskError::BadConfig(bad) => bad_config::happened(bad),
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
        DiskError::TooLarge(_) | DiskError::LineTooLong(_) => "work on a smaller file",
        DiskError::TooMany(_) => "send several requests",
        DiskError::ReadOnly(_) => "make it writable first, if it is meant to be changed",
        DiskError::HardLinked(_) | DiskError::CannotReplace(_) => {
            "ask the person who started the program"
        }
        DiskError::Busy(_) => "wait a moment and send the whole request again",
        DiskError::Unstable(_) | DiskError::Changed(_) => {
            "read it again, then send the whole request again"
        }
        DiskError::NeedsRecovery(_) => "run `hashline recover`, then read the files again",
        DiskError::RecoveryConflict(_) => {
            "run `hashline recover` with --keep-current, --restore-old or --finish-new"
        }
        DiskError::SeveralRoots(_) => "send one request for each root",
        DiskError::BadConfig(bad) => bad_config::next(bad),
        DiskError::System(_) => "mend what the system complains about, then send it again",
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
    }
}

fn bytes(bound: &Bound) -> String {
    format!("{} bytes; at most {} are taken", bound.found, bound.most)
}

fn listed(left: &Unsettled) -> String {
    left.paths.join(", ")
}
