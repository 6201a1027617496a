//! The recorded cases against the engine: one check per file of the corpus.
//!
//! A check gets one record and says what is wrong, if anything. Adding a case is adding a line of data.

mod apply;
#[cfg(feature = "served")]
pub mod http;
mod read;
mod reference;

use serde_json::Value;

use crate::oracle;

/// Checks one record.
pub type Check = fn(&Value) -> Result<(), String>;

/// Every file of the corpus that the engine answers for, and its check. (`shell-guard.jsonl` belongs to the shell guard.)
pub const FILES: &[(&str, Check)] = &[
    ("reference/hash.jsonl", reference::hash),
    ("reference/format.jsonl", reference::format),
    ("reference/stream.jsonl", reference::stream),
    ("reference/parse.jsonl", reference::parse),
    ("reference/validate.jsonl", reference::validate),
    ("reference/apply.jsonl", reference::apply),
    ("reference/replace.jsonl", reference::file),
    ("reference/tool.jsonl", reference::file),
    ("dialects/push-crc32.jsonl", read::push_crc32),
    (
        "dialects/push-shipped-sha256.jsonl",
        read::push_shipped_sha256,
    ),
    ("dialects/cowboy-fnv.jsonl", read::cowboy_fnv),
    ("dialects/cowboy-rolling.jsonl", read::cowboy_rolling),
    ("dialects/openagent-lineid.jsonl", read::openagent_lineid),
    ("dialects/pi-prd.jsonl", read::pi_prd),
    ("dialects/read-render.jsonl", read::render),
    // The search engine is the workspace's.
    #[cfg(feature = "files")]
    ("dialects/pi-search.jsonl", read::pi_search),
    ("dialects/push-apply.jsonl", apply::push),
    ("dialects/cowboy-apply.jsonl", apply::cowboy),
    ("dialects/openagent-apply.jsonl", apply::openagent),
    ("dialects/pi-apply.jsonl", apply::pi),
];

/// How one file of the corpus fared.
#[derive(Clone, Debug)]
pub struct Row {
    /// The file.
    pub file: &'static str,
    /// How many records it has.
    pub records: usize,
    /// The records that failed: id, and what is wrong.
    pub failures: Vec<(String, String)>,
}

/// Checks every record of one file.
///
/// # Errors
///
/// Says what is wrong with the file itself.
pub fn run(file: &'static str, check: Check) -> Result<Row, String> {
    let records = oracle::records(file)?;
    let failures = records
        .iter()
        .filter_map(|record| {
            check(&record.value)
                .err()
                .map(|why| (record.id.clone(), why))
        })
        .collect();
    Ok(Row {
        file,
        records: records.len(),
        failures,
    })
}

/// Compares one field of an answer.
fn same(what: &str, expected: &Value, actual: &Value) -> Result<(), String> {
    if expected == actual {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected}, got {actual}"))
    }
}

/// Returns a field that is text.
fn text<'a>(record: &'a Value, key: &str) -> Result<&'a str, String> {
    record
        .get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("the record has no text {key:?}"))
}

/// Returns a field that is a whole number, if it is there.
fn number(record: &Value, key: &str) -> Option<usize> {
    record
        .get(key)
        .and_then(Value::as_u64)
        .and_then(|number| usize::try_from(number).ok())
}

/// Returns a list of texts.
fn texts<'a>(record: &'a Value, key: &str) -> Result<Vec<&'a str>, String> {
    let list = record
        .get(key)
        .and_then(Value::as_array)
        .ok_or_else(|| format!("the record has no list {key:?}"))?;
    list.iter()
        .map(|item| {
            item.as_str()
                .ok_or_else(|| format!("{key:?} has an item that is no text"))
        })
        .collect()
}
