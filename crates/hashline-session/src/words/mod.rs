//! Sentences and JSON answers about the disk, the configuration, the ledger, searches, lookups and counters.
//!
//! Sentences about what an edit did, or why it was refused, are in `hashline-wire`.

mod disk;
mod lookup;
mod read;
mod recovery;
mod search;
mod stats;

pub use disk::{counter_notice, disk_notice, disk_refusal, read_refusal, state_notice};
pub use lookup::{
    VerifiedAnswer, landed_text, lost_hint, lost_text, since_answer, since_text, verified_answer,
};
pub use read::{read_answer, refused_answer};
pub use recovery::{recovered_answer, recovered_text};
pub use search::{
    FoundAnswer, found_answer, found_files, found_sentences, found_summary, found_text,
};
pub use stats::{stats_answer, stats_table};

use hashline_wire::Refusal;
use hashline_wire::answer::AnswerOptions;
use hashline_wire::render::model;
use schemars::JsonSchema;
use serde::Serialize;

/// The fields of a refusal, which a JSON answer has in addition to its own.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RefusalFields {
    code: &'static str,
    /// The text of the refusal, in the wording for a model.
    message: String,
    written: bool,
    retryable: bool,
}

impl RefusalFields {
    fn new(refusal: &Refusal) -> Self {
        let options = AnswerOptions::new(hashline_core::dialect::Dialect::default());
        Self {
            code: refusal.code().as_str(),
            message: model::refusal(&options, refusal),
            written: false,
            retryable: refusal.code().is_retryable(),
        }
    }
}
