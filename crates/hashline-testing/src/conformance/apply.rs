//! The dialects' edits: `dialects/*-apply.jsonl`, each from its JSON request to its own answer.

use std::collections::BTreeMap;

use hashline_core::Policy;
use hashline_core::dialect::Dialect;
use hashline_core::files::{FilesEdited, Request, edit_files};
use hashline_core::text::Document;
use hashline_wire::{AnswerOptions, Outcome, ParseOptions, Profile, Refusal, answer, parse};
use serde_json::{Value, json};

use super::same;

type Tree = BTreeMap<String, Document>;

/// Under the dialect's own definition, and under our defaults: both must say the same.
pub(super) fn push(record: &Value) -> Result<(), String> {
    for policy in [Policy::seed(Dialect::PUSH), Policy::new(Dialect::PUSH)] {
        one_file(record, record["request"].clone(), &policy)?;
    }
    Ok(())
}

/// Under the dialect's own definition, and under our defaults: both must say the same.
pub(super) fn cowboy(record: &Value) -> Result<(), String> {
    for policy in [Policy::seed(Dialect::COWBOY), Policy::new(Dialect::COWBOY)] {
        one_file(record, record["request"].clone(), &policy)?;
    }
    Ok(())
}

pub(super) fn openagent(record: &Value) -> Result<(), String> {
    let request = openagent_request(record);
    one_file(record, request, &Policy::seed(Dialect::OPENAGENT))
}

/// Returns the request of a record that has only its edits.
pub(super) fn openagent_request(record: &Value) -> Value {
    let mut request = json!({"filePath": "src/file.txt", "edits": record["edits"]});
    if let Some(delete) = record.get("delete") {
        request["delete"] = delete.clone();
    }
    if record.get("rename") == Some(&Value::Bool(true)) {
        request["rename"] = "src/renamed.txt".into();
    }
    request
}

pub(super) fn pi(record: &Value) -> Result<(), String> {
    let files = record["files"].as_object().ok_or("no files")?;
    let tree: Tree = files
        .iter()
        .map(|(path, text)| {
            (
                path.clone(),
                Document::new(text.as_str().unwrap_or_default()),
            )
        })
        .collect();
    let policy = Policy::seed(Dialect::PI);
    let (outcome, fields) = run(record["request"].clone(), |_| tree.clone(), &policy);
    compare(record, fields, |key, value| {
        (key == "files").then(|| resulting(&tree, &outcome, value))
    })
}

/// Compares every field that a record expects: with what `left` finds in the files that are left, if the field is about them, otherwise with the field
/// of the answer.
pub(super) fn compare(
    record: &Value,
    mut fields: Value,
    left: impl Fn(&str, &Value) -> Option<Value>,
) -> Result<(), String> {
    // The recorded relocations do not have the text of the line, which ours have.
    if let Some(relocations) = fields.get_mut("relocations").and_then(Value::as_array_mut) {
        for relocation in relocations.iter_mut().filter_map(Value::as_object_mut) {
            relocation.remove("text");
        }
    }
    let expected = record["expect"].as_object().ok_or("no expectation")?;
    for (key, value) in expected {
        let found = left(key, value).unwrap_or_else(|| fields[key.as_str()].clone());
        same(key, value, &found)?;
    }
    Ok(())
}

/// Runs a request on a tree of at most one file and compares every field that is expected. The request is handed on as it is recorded, so the
/// file has the path that the parser finds in it.
fn one_file(record: &Value, request: Value, policy: &Policy<'_>) -> Result<(), String> {
    let tree = |request: &Request| {
        let content = record["content"].as_str().map(Document::new);
        let path = request.steps.first().map(|step| step.path.clone());
        path.zip(content).into_iter().collect()
    };
    let (outcome, fields) = run(request, tree, policy);
    compare(record, fields, |key, _| {
        (key == "content").then(|| content(&outcome))
    })
}

/// Parses a request and carries it out on the tree that `tree` returns for it; returns the outcome and the dialect's answer.
fn run(
    request: Value,
    tree: impl FnOnce(&Request) -> Tree,
    policy: &Policy<'_>,
) -> (Outcome, Value) {
    let options = parse_options(policy.dialect);
    let mut answer_options = AnswerOptions::new(policy.dialect);
    let outcome: Outcome = parse(request, &options)
        .map_err(Refusal::from)
        .and_then(|parsed| {
            answer_options = AnswerOptions::from(&parsed);
            let tree = tree(&parsed.request);
            edit_files(parsed.request, &tree, policy)
                .map_err(|error| Refusal::of_files(error, &answer_options))
        });
    let fields = serde_json::to_value(answer(&answer_options, &outcome)).unwrap_or_default();
    (outcome, fields)
}

fn parse_options(dialect: Dialect) -> ParseOptions<'static> {
    ParseOptions {
        dialect: Some(dialect),
        profile: Profile::Seed,
        ..ParseOptions::default()
    }
}

/// Returns the path of the file that a request is about, as the parser finds it; `None` if the request cannot be parsed.
#[cfg(feature = "served")]
pub(super) fn path_of(request: &Value, dialect: Dialect) -> Option<String> {
    let parsed = parse(request.clone(), &parse_options(dialect)).ok()?;
    let step = parsed.request.steps.first();
    step.map(|step| step.path.clone())
}

fn content(outcome: &Outcome) -> Value {
    let document = outcome
        .as_ref()
        .ok()
        .and_then(|edited| edited.files.first())
        .map(|file| &file.edited.document);
    document
        .map(|document| String::from_utf8_lossy(document.bytes()).into_owned())
        .into()
}

/// Returns the files after the request, for the paths that are expected.
fn resulting(tree: &Tree, outcome: &Outcome, expected: &Value) -> Value {
    let writes = outcome
        .as_ref()
        .map(FilesEdited::writes)
        .unwrap_or_default();
    let mut after: BTreeMap<&str, Option<&Document>> = tree
        .iter()
        .map(|(path, text)| (path.as_str(), Some(text)))
        .collect();
    after.extend(
        writes
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_ref())),
    );
    let shown =
        |document: &Document| Value::from(String::from_utf8_lossy(document.bytes()).into_owned());
    let paths = expected
        .as_object()
        .map(|files| files.keys().map(String::as_str).collect::<Vec<_>>())
        .unwrap_or_default();
    let extra = after
        .iter()
        .filter(|(_, text)| text.is_some())
        .map(|(path, _)| *path);
    let all: std::collections::BTreeSet<&str> = paths.into_iter().chain(extra).collect();
    all.into_iter()
        .map(|path| {
            (
                path.to_owned(),
                after
                    .get(path)
                    .copied()
                    .flatten()
                    .map_or(Value::Null, shown),
            )
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{cowboy, push};

    /// Wraps the request of a record as a tool call: its path is only inside `args` then.
    fn wrapped(mut record: Value) -> Value {
        record["request"] = json!({"tool": "edit", "args": record["request"]});
        record
    }

    #[test]
    fn a_request_inside_a_tool_call_is_handed_on_as_it_is_recorded() {
        let line = json!({"type": "replace_line", "ref": "2:OcoM", "new_content": "x"});
        let before = "function hello() {\n  return \"world\";\n}\n";
        let record = json!({
            "content": before,
            "request": {"path": "src/hello.ts", "edits": [line]},
            "expect": {"ok": true, "path": "src/hello.ts", "content": "function hello() {\nx\n}\n"},
        });
        assert_eq!(push(&record), Ok(()));
        assert_eq!(push(&wrapped(record.clone())), Ok(()));
        let mut missing = record;
        missing["content"] = Value::Null;
        missing["expect"] = json!({"ok": false, "error": "not_found"});
        assert_eq!(push(&wrapped(missing)), Ok(()));
        let operation = json!({"action": "delete", "start": "2:c5"});
        let record = json!({
            "content": "fn main() {\n\n",
            "request": {"path": "a.rs", "operations": [operation]},
            "expect": {"ok": true, "path": "a.rs", "content": "fn main() {\n"},
        });
        assert_eq!(cowboy(&wrapped(record)), Ok(()));
    }
}
