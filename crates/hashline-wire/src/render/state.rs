//! What could not be remembered or counted, and what recovery did, in words.

use hashline_core::recovered::Recovered;
use hashline_core::state_note::{Exposure, StateNote};

use super::model::capital;
use super::named::{all_named, named};

/// Says what could not be remembered or counted, in one sentence.
#[must_use]
pub fn note(note: &StateNote) -> String {
    match note {
        StateNote::NotPrivate(folder) => {
            let why = match folder.why {
                Exposure::Foreign => "belongs to somebody else",
                Exposure::Writable => "can be written by others",
                Exposure::NotADirectory => "is a link or no folder",
            };
            let path = folder.path.to_string_lossy();
            let path = named(&path);
            format!("Nothing shown is remembered: the state directory {path} {why}.")
        }
        StateNote::Damaged(damaged) => {
            let path = damaged.path.to_string_lossy();
            let path = named(&path);
            format!("The record of {path} was damaged; what came after the damage is forgotten.")
        }
        StateNote::Busy => {
            "Other programs kept the ledger locked; what this answer shows is not remembered."
                .to_owned()
        }
        StateNote::TooMuch => {
            "What this answer shows is more than the ledger may hold; it is not remembered."
                .to_owned()
        }
        StateNote::SessionTooLong => {
            "The session's name is too long; what it is shown is not remembered.".to_owned()
        }
        StateNote::System(refused) => {
            format!(
                "{} failed ({}); what this answer shows may not be remembered.",
                capital(refused.doing),
                refused.kind
            )
        }
    }
}

/// Returns the stable name of a note.
#[must_use]
pub fn name(note: &StateNote) -> &'static str {
    match note {
        StateNote::NotPrivate(_) => "not_private",
        StateNote::Damaged(_) => "damaged",
        StateNote::Busy => "busy",
        StateNote::TooMuch => "too_much",
        StateNote::SessionTooLong => "session_too_long",
        StateNote::System(_) => "system",
    }
}

/// Says what recovery found and did.
#[must_use]
pub fn recovered(recovered: &Recovered) -> String {
    match recovered {
        Recovered::Nothing => "Nothing to recover.".to_owned(),
        Recovered::TakenBack(left) => format!(
            "A request was broken off half done; it was taken back: {}.",
            all_named(&left.paths)
        ),
        Recovered::Finished(left) => format!(
            "A request was broken off when all was written; it was finished: {}.",
            all_named(&left.paths)
        ),
        Recovered::Decided { left, without } if without.is_empty() => {
            format!("Settled as you decided: {}.", all_named(&left.paths))
        }
        Recovered::Decided { left, without } => format!(
            "Settled as you decided: {}. The bytes asked for are gone for {}: they stay as they are.",
            all_named(&left.paths),
            all_named(without)
        ),
        Recovered::Foreign => {
            "A journal of another folder, or a damaged one, was put aside in .hashline/foreign; \
            `hashline recover --trust` takes it as ours."
                .to_owned()
        }
        Recovered::ForeignFolder => {
            "The folder .hashline belongs to somebody else and is left alone.".to_owned()
        }
    }
}
