//! The recorded cases: where they lie and how they are read.
//!
//! The folder is the one named by `HASHLINE_ORACLE_DIR` (holding `reference/` and `dialects/`), else this repository's copy.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// One recorded case and where it stands.
#[derive(Debug, Clone)]
pub struct Record {
    /// The case's own id, or `line N` of its file.
    pub id: String,
    /// The case itself.
    pub value: Value,
}

/// Returns the folder that holds `reference/` and `dialects/`.
#[must_use]
pub fn dir() -> PathBuf {
    std::env::var_os("HASHLINE_ORACLE_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/oracle"),
        PathBuf::from,
    )
}

/// Reads every record of `file`, a path such as `reference/apply.jsonl`.
///
/// # Errors
///
/// Says which file cannot be read, or which line is not JSON.
pub fn records(file: &str) -> Result<Vec<Record>, String> {
    let path = dir().join(file);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    text.split('\n')
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            let value: Value = serde_json::from_str(line)
                .map_err(|e| format!("{file}, line {}: {e}", index + 1))?;
            let id = value
                .get("id")
                .and_then(Value::as_str)
                .map_or_else(|| format!("line {}", index + 1), str::to_owned);
            Ok(Record { id, value })
        })
        .collect()
}
