//! What goes back to the client: an object on standard output, a line on standard error, an exit code.

use serde_json::Value;

use crate::hook::parse::Unheard;
use crate::hook::words;

/// What goes back to the client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The object for standard output; nothing else ever goes there.
    pub out: Option<Value>,
    /// What is told on standard error.
    pub err: Option<String>,
    /// Whether the exit code says no. Only for a client that knows no other way.
    pub blocks: bool,
}

impl Answer {
    /// Returns the answer to something that is no event: it passes, and standard error says why nothing was done.
    #[must_use]
    pub fn unheard(unheard: &Unheard) -> Self {
        Self {
            err: Some(words::unheard(unheard)),
            ..Self::default()
        }
    }

    /// Returns the answer that is an object.
    pub(crate) fn object(out: Value) -> Self {
        Self {
            out: Some(out),
            ..Self::default()
        }
    }

    /// Returns the answer that only standard error tells of.
    pub(crate) fn told(err: String) -> Self {
        Self {
            err: Some(err),
            ..Self::default()
        }
    }
}
