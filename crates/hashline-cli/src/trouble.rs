//! Why a command could not do its work, as the command line tells it.

use std::io;

use hashline_core::dialect::Dialect;
use hashline_core::disk::{DiskError, SystemTrouble};
use hashline_wire::render::human;
use hashline_wire::{Refusal, Terms, response};
use serde_json::{Value, json};

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// A request was refused: nothing was written.
    Refused(Box<Terms>, Box<Refusal>),
    /// Something could not be read, searched or looked up.
    Unread(Box<Terms>, Box<Refusal>),
    /// The arguments cannot be understood.
    Usage(String),
    /// A server cannot begin to listen.
    Front {
        /// The stable name of what is wrong.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
    /// Files of an agent could not be changed.
    Setup(Box<hashline_agents::setup::SetupError>),
    /// The program itself failed.
    Internal,
}

impl Trouble {
    /// The arguments cannot be understood.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        let told = error.to_string();
        let plain = told.strip_prefix("error: ").unwrap_or(&told);
        Self::Usage(plain.trim_end().to_owned())
    }

    /// The program itself failed.
    pub(crate) fn internal() -> Self {
        Self::Internal
    }

    /// Something could not be read, by a caller of a dialect.
    pub(crate) fn unread(dialect: Dialect, refusal: Refusal) -> Self {
        Self::Unread(Box::new(Terms::new(dialect)), Box::new(refusal))
    }

    /// Something that is no file of a root could not be read.
    pub(crate) fn system(what: &str, doing: &'static str, error: &io::Error) -> Self {
        DiskError::System(SystemTrouble {
            path: what.to_owned(),
            doing,
            reason: error.to_string(),
        })
        .into()
    }

    /// Returns the stable name of what is wrong.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Refused(_, refusal) | Self::Unread(_, refusal) => refusal.code(),
            Self::Usage(_) => "bad_request",
            Self::Front { code, .. } => code,
            Self::Setup(error) => error.code(),
            Self::Internal => "internal",
        }
    }

    /// Renders it for a person, and for an agent that runs the program in a shell.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Refused(terms, refusal) => human::refusal_in_full(terms, refusal),
            Self::Unread(terms, refusal) => human::trouble(terms, refusal),
            Self::Usage(message) => {
                format!("error: {message}\nhint: run `hashline --help`")
            }
            Self::Front { message, .. } => {
                format!("error: {message}\nhint: `hashline mcp --help` says where it can listen")
            }
            Self::Setup(error) => hashline_agents::setup::words::describe_error(error),
            Self::Internal => {
                "error: hashline itself failed; a request over several files was taken back or \
                finished\nhint: read the files again, and tell the authors of hashline"
                    .to_owned()
            }
        }
    }

    /// Returns it as an object.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Refused(terms, refusal) | Self::Unread(terms, refusal) => {
                response::common(terms, &Err(refusal.as_ref().clone()))
            }
            other => {
                let written = match other {
                    Self::Internal => json!("unknown"),
                    Self::Setup(error) => json!(error.has_written()),
                    _ => json!(false),
                };
                json!({
                    "ok": false,
                    "code": other.code(),
                    "message": other.to_text(),
                    "written": written,
                    "retryable": false,
                })
            }
        }
    }
}

impl From<hashline_agents::setup::SetupError> for Trouble {
    fn from(error: hashline_agents::setup::SetupError) -> Self {
        Self::Setup(Box::new(error))
    }
}

impl From<DiskError> for Trouble {
    fn from(error: DiskError) -> Self {
        Self::unread(Dialect::default(), error.into())
    }
}

/// Says that an answer could not be written, and what became of the files nevertheless.
pub(crate) fn answer_lost(error: &io::Error, changed: &[String]) -> String {
    match changed {
        [] => format!(
            "error: the answer cannot be written: {error}; no file was changed\n\
            hint: mend where the answer goes, then run the command again"
        ),
        paths => format!(
            "error: the answer cannot be written: {error}; these files were written: {}\n\
            hint: do not send the request again; `hashline read` shows them as they are now",
            paths.join(", ")
        ),
    }
}
