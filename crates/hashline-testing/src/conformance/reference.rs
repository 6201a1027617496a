//! Seed 000's reference: `reference/*.jsonl`.

use std::collections::BTreeMap;

use hashline_core::Error;
use hashline_core::anchor::{Anchor, Tag};
use hashline_core::dialect::Dialect;
use hashline_core::error::EngineRefusal;
use hashline_core::files::edit_files;
use hashline_core::render::ChunkLimits;
use hashline_core::scheme::Scheme;
use hashline_core::text::{Document, LineNo};
use hashline_reference::{self as reference, ReferenceEdit, seed_policy};
use hashline_wire::{AnswerOptions, Outcome, ParseOptions, Profile, Refusal, answer};
use serde_json::{Map, Value, json};

use super::{number, same, text, texts};

pub(super) fn hash(record: &Value) -> Result<(), String> {
    let line = text(record, "line")?;
    same(
        "reference hash",
        &record["hash"],
        &reference::hash(line).into(),
    )?;
    let tag = Scheme::Omp.tag(line.as_bytes(), LineNo::FIRST).to_string();
    same("tag", &record["hash"], &tag.into())
}

pub(super) fn format(record: &Value) -> Result<(), String> {
    let start = record["start_line"].as_u64().unwrap_or(1);
    same(
        "formatted",
        &record["formatted"],
        &reference::format(text(record, "content")?, start).into(),
    )
}

pub(super) fn stream(record: &Value) -> Result<(), String> {
    let start = record["start_line"].as_u64().unwrap_or(1);
    let default = ChunkLimits::default();
    let limits = ChunkLimits {
        lines: number(record, "max_chunk_lines").unwrap_or(default.lines),
        bytes: number(record, "max_chunk_bytes").unwrap_or(default.bytes),
    };
    let lines: Vec<&str> = if record["source"] == "lines" {
        texts(record, "lines")?
    } else {
        let content = text(record, "content")?;
        content
            .strip_prefix('\u{feff}')
            .unwrap_or(content)
            .split('\n')
            .collect()
    };
    let chunks = reference::chunks(lines.into_iter(), start, limits);
    same("chunks", &record["chunks"], &chunks.into())
}

pub(super) fn parse(record: &Value) -> Result<(), String> {
    let sent = text(record, "ref")?;
    let (own, engine) = (reference::parse_ref(sent), Scheme::Omp.parse(sent));
    if record["ok"].get("line_js").is_some() {
        return Ok(());
    }
    match own {
        Ok(own) => {
            let read = json!({"line": own.line, "hash": own.tag.as_str()});
            same("ok", &record["ok"], &read)?;
            let anchor = engine.map_err(|error| format!("the engine refuses it: {error}"))?;
            same(
                "anchor",
                &record["ok"],
                &json!({"line": anchor.line, "hash": anchor.tag.as_str()}),
            )
        }
        Err(error) => {
            same("error", &record["error"], &error.to_string().into())?;
            engine.map_or(Ok(()), |anchor| {
                Err(format!("the engine takes it: {anchor:?}"))
            })
        }
    }
}

pub(super) fn validate(record: &Value) -> Result<(), String> {
    let line = record["ref"]["line"].as_u64().ok_or("no line")?;
    let tag = Tag::new(text(&record["ref"], "hash")?).ok_or("no tag")?;
    let reference = Anchor {
        line,
        tag,
        text: None,
    };
    let found = match reference::validate(&texts(record, "lines")?, &reference) {
        Ok(()) => json!({"ok": true}),
        Err(failure) => failed(&failure),
    };
    same("expect", &record["expect"], &found)
}

pub(super) fn apply(record: &Value) -> Result<(), String> {
    let edits: Vec<ReferenceEdit> = record["edits"]
        .as_array()
        .ok_or("no edits")?
        .iter()
        .map(as_defined)
        .collect::<Result<_, String>>()?;
    let found = match reference::apply(text(record, "content")?, &edits) {
        Err(failure) => failed(&failure),
        Ok(applied) => {
            let mut found = json!({"content": applied.content, "first_changed_line": applied.first_changed_line});
            if !applied.warnings.is_empty() {
                found["warnings"] = applied.warnings.into();
            }
            if !applied.noop_edits.is_empty() {
                let noops = applied.noop_edits.iter().map(|noop| {
                    json!({"edit_index": noop.edit_index, "loc": noop.loc, "current_content": noop.current_content})
                });
                found["noop_edits"] = noops.collect::<Vec<_>>().into();
            }
            found
        }
    };
    same("expect", &record["expect"], &found)
}

/// Reads an edit as §7.1 says: the first key that is present decides.
fn as_defined(edit: &Value) -> Result<ReferenceEdit, String> {
    let string = |part: &Value, key: &str| part[key].as_str().unwrap_or_default().to_owned();
    let set = &edit["set_line"];
    let range = &edit["replace_lines"];
    let insert = &edit["insert_after"];
    if set.is_object() {
        return Ok(ReferenceEdit::SetLine {
            anchor: string(set, "anchor"),
            new_text: string(set, "new_text"),
        });
    }
    if range.is_object() {
        return Ok(ReferenceEdit::ReplaceLines {
            start_anchor: string(range, "start_anchor"),
            end_anchor: range["end_anchor"].as_str().map(str::to_owned),
            new_text: string(range, "new_text"),
        });
    }
    if edit["replace"].is_object() {
        return Ok(ReferenceEdit::Replace);
    }
    if insert.is_object() {
        let text = insert["text"]
            .as_str()
            .or(insert["content"].as_str())
            .unwrap_or_default()
            .to_owned();
        return Ok(ReferenceEdit::InsertAfter {
            anchor: string(insert, "anchor"),
            text,
        });
    }
    Err(format!("no known key in {edit}"))
}

/// A whole file, through the same front door that every surface uses.
pub(super) fn file(record: &Value) -> Result<(), String> {
    let path = text(record, "path")?;
    let options = ParseOptions {
        dialect: Some(Dialect::OMP),
        profile: Profile::Seed,
        ..ParseOptions::default()
    };
    let files = BTreeMap::from([(path.to_owned(), Document::new(text(record, "raw")?))]);
    let request = json!({"path": path, "edits": record["edits"]});
    let options_of_answer = AnswerOptions::new(Dialect::OMP);
    let outcome: Outcome = hashline_wire::parse(request, &options)
        .map_err(Refusal::from)
        .and_then(|parsed| {
            edit_files(parsed.request, &files, &seed_policy(Dialect::OMP))
                .map_err(|error| Refusal::of_files(error, &options_of_answer))
        });
    let fields = serde_json::to_value(answer(&options_of_answer, &outcome)).unwrap_or_default();
    let found = match &outcome {
        Ok(edited) => {
            let raw = edited
                .files
                .first()
                .map(|file| String::from_utf8_lossy(file.edited.document.bytes()).into_owned());
            json!({"raw": raw, "text": fields["text"], "first_changed_line": fields["first_changed_line"]})
        }
        Err(_) => {
            let mut fields = fields.as_object().cloned().unwrap_or_default();
            fields.retain(|key, _| ["error", "mismatch"].contains(&key.as_str()));
            Value::Object(fields)
        }
    };
    let no_edits = record["edits"].as_array().is_some_and(Vec::is_empty);
    if no_edits && outcome.is_ok() {
        return Err("an empty list of edits was taken".to_owned());
    }
    same("expect", &record["expect"], &found)
}

fn failed(refusal: &EngineRefusal) -> Value {
    let message = Error::Engine(refusal.clone()).to_string();
    let EngineRefusal::Stale {
        mismatches, remaps, ..
    } = refusal
    else {
        return json!({"error": message});
    };
    let mismatches: Vec<Value> = mismatches
        .iter()
        .map(|m| json!({"line": m.line, "expected": m.expected, "actual": m.actual}))
        .collect();
    let remaps: Map<String, Value> = remaps
        .iter()
        .map(|(stale, fresh)| (stale.clone(), fresh.as_str().into()))
        .collect();
    json!({"mismatch": {"message": message, "mismatches": mismatches, "remaps": remaps}})
}
