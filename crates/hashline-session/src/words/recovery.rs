//! What recovery did, for `hashline recover`.

use hashline_wire::all_named;
use hashline_wire::answer::Notice;
use hashline_workspace::Recovered;
use schemars::JsonSchema;
use serde::Serialize;

use super::disk::FOREIGN_JOURNAL;

/// The answer of `recover` as an object.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RecoveredAnswer {
    ok: bool,
    /// What was done in each root.
    roots: Vec<RecoveredRoot>,
    /// What there is to know about the ledger and the counters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<Notice>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RecoveredRoot {
    did: &'static str,
    paths: Vec<String>,
    message: String,
    /// Files for which the bytes that were wanted are gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
}

/// Says what recovery found and did.
#[must_use]
pub fn recovered_text(recovered: &Recovered) -> String {
    match recovered {
        Recovered::Nothing => "Nothing to recover.".to_owned(),
        Recovered::RolledBack(paths) => format!(
            "A request was interrupted half way; it was undone: {}.",
            all_named(paths)
        ),
        Recovered::Finished(paths) => format!(
            "A request was interrupted when everything was written; it was finished: {}.",
            all_named(paths)
        ),
        Recovered::Decided { paths, without } if without.is_empty() => {
            format!("Settled as you chose: {}.", all_named(paths))
        }
        Recovered::Decided { paths, without } => format!(
            "Settled as you chose: {}. The bytes you chose no longer exist for {}: these files stay as they are.",
            all_named(paths),
            all_named(without)
        ),
        Recovered::Foreign => FOREIGN_JOURNAL.to_owned(),
        Recovered::ForeignFolder => {
            "The folder .hashline belongs to another user and is left alone.".to_owned()
        }
    }
}

/// Returns what recovery did, root by root.
#[must_use]
pub fn recovered_answer(all: &[Recovered]) -> RecoveredAnswer {
    let one = |recovered: &Recovered| {
        let (did, paths, without) = match recovered {
            Recovered::Nothing => ("nothing", &[][..], &[][..]),
            Recovered::RolledBack(paths) => ("taken_back", paths.as_slice(), &[][..]),
            Recovered::Finished(paths) => ("finished", paths.as_slice(), &[][..]),
            Recovered::Decided { paths, without } => {
                ("decided", paths.as_slice(), without.as_slice())
            }
            Recovered::Foreign => ("foreign_journal", &[][..], &[][..]),
            Recovered::ForeignFolder => ("foreign_folder", &[][..], &[][..]),
        };
        RecoveredRoot {
            did,
            paths: paths.to_vec(),
            message: recovered_text(recovered),
            without: without.to_vec(),
        }
    };
    RecoveredAnswer {
        ok: true,
        roots: all.iter().map(one).collect(),
        state: Vec::new(),
    }
}
