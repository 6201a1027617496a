//! The answer of `hashline recover`: which interrupted commits were undone or finished.

use hashline_wire::all_named;
use hashline_workspace::DiskNote;
use hashline_workspace::Recovered;
use schemars::JsonSchema;
use serde::Serialize;

use super::disk::disk_notice;

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RecoveredAnswer {
    ok: bool,
    /// The recovered commits of each root.
    roots: Vec<RecoveredRoot>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RecoveredRoot {
    did: &'static str,
    paths: Vec<String>,
    message: String,
    /// The files whose old or new bytes, which the user chose to keep, no longer exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
}

/// Formats which interrupted commits recovery found in one root, and what it did with them.
#[must_use]
pub fn recovered_text(recovered: &Recovered) -> String {
    recovered_root(recovered).message
}

/// Returns the results of `hashline recover` for all roots as an object for JSON.
#[must_use]
pub fn recovered_answer(all: &[Recovered]) -> impl Serialize + use<> {
    RecoveredAnswer {
        ok: true,
        roots: all.iter().map(recovered_root).collect(),
    }
}

fn recovered_root(recovered: &Recovered) -> RecoveredRoot {
    // What a request notices when it recovers by itself is said in the same words.
    let noticed = |note: &DiskNote| RecoveredRoot {
        did: note.name(),
        paths: note.paths().to_vec(),
        message: disk_notice(note).message,
        without: Vec::new(),
    };
    match recovered {
        Recovered::Nothing => RecoveredRoot {
            did: "nothing",
            paths: Vec::new(),
            message: "Nothing to recover.".to_owned(),
            without: Vec::new(),
        },
        Recovered::RolledBack(paths) => noticed(&DiskNote::RolledBack(paths.clone())),
        Recovered::Finished(paths) => noticed(&DiskNote::Finished(paths.clone())),
        Recovered::Foreign => noticed(&DiskNote::ForeignJournal),
        Recovered::ForeignFolder => noticed(&DiskNote::ForeignFolder),
        Recovered::Decided { paths, without } => {
            let mut message = format!("Settled as you chose: {}.", all_named(paths));
            if !without.is_empty() {
                message.push_str(&format!(
                    " The bytes you chose no longer exist for {}: these files stay as they are.",
                    all_named(without)
                ));
            }
            RecoveredRoot {
                did: "decided",
                paths: paths.clone(),
                message,
                without: without.clone(),
            }
        }
    }
}
