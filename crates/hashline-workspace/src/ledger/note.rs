//! How a refusal of the system becomes a note.

use std::io;

pub use hashline_core::state_note::{Damaged, Exposure, NotPrivate, Refused, StateNote as Note};

/// Returns what makes a note of an error, by what was being done.
pub(crate) fn system(doing: &'static str) -> impl Fn(io::Error) -> Note {
    move |error| {
        Note::System(Refused {
            doing,
            kind: error.kind(),
        })
    }
}
