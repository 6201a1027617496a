//! The instructions for models: what they show is real, and every request in them can be sent as it stands.

use std::collections::BTreeMap;

use hashline_core::Policy;
use hashline_core::dialect::Dialect;
use hashline_core::files::{FileAction, Files, FilesEdited, edit_files};
use hashline_core::render::{anchored, strip};
use hashline_core::shown::{History, Shown};
use hashline_core::text::Document;
use hashline_wire::prompt::{Caller, SandboxPrompt, edits, files, prompt};
use hashline_wire::request::{Limits, parse_push_write, parse_read};
use hashline_wire::schema::{Tool, offered, schema};
use hashline_wire::{ParseOptions, parse};
use serde_json::Value;

/// The file the instructions speak of, as they show it.
struct Example {
    path: String,
    document: Document,
    history: History,
}

impl Files for Example {
    fn document(&self, path: &str) -> Option<Document> {
        (path == self.path).then(|| self.document.clone())
    }

    fn shown(&self, path: &str) -> Shown<'_> {
        if path == self.path {
            Shown::new(&self.history, None)
        } else {
            Shown::nothing()
        }
    }
}

impl Example {
    /// Takes the file from the block that shows it.
    fn of(text: &str, dialect: Dialect) -> Self {
        let shown = blocks(text, "text");
        let [shown] = shown.as_slice() else {
            panic!("{}: one block shows the file: {shown:?}", dialect.name());
        };
        let (head, lines) = shown.split_once('\n').expect("lines follow the header");
        let (path, _) = head.split_once(" (rev ").expect("the header names a rev");
        let document = Document::new(strip(lines, dialect.scheme) + "\n");
        let mut history = History::default();
        history.showed(&document, None, dialect.scheme, &[document.all()]);
        Self {
            path: path.to_owned(),
            document,
            history,
        }
    }

    /// Renders the file as `hashline read --header` does.
    fn as_read(&self, dialect: Dialect) -> String {
        let (rev, count) = (self.document.revision().short(), self.document.line_count());
        let lines = anchored(&self.document, self.document.all(), dialect.scheme);
        std::iter::once(format!("{} (rev {rev}, {count} lines)", self.path))
            .chain(lines.map(|line| line.to_string()))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Sends a request as a caller who follows the instructions does, and returns what it does.
    fn send(&self, request: &str, dialect: Dialect, caller: Caller) -> FilesEdited {
        let at = format!("{} {}: {request}", dialect.name(), caller.name());
        let options = ParseOptions {
            dialect: match caller {
                // The command of the default dialect does not name it.
                Caller::Tools => Some(dialect),
                _ => Some(dialect).filter(|dialect| *dialect != Dialect::default()),
            },
            ..ParseOptions::default()
        };
        let parsed =
            parse(request.as_bytes(), &options).unwrap_or_else(|error| panic!("{at}\n{error}"));
        assert_eq!(parsed.notes, [], "{at}");
        assert_eq!(parsed.dialect, dialect, "{at}");
        let has_anchors = parsed.request.steps.iter().any(|step| {
            matches!(&step.action, FileAction::Edit(operation) if !operation.claims().is_empty())
        });
        assert!(
            !has_anchors || parsed.request.revs.contains_key(&self.path),
            "a request with anchors carries their rev: {at}"
        );
        edit_files(parsed.request, self, &Policy::new(dialect))
            .unwrap_or_else(|error| panic!("{at}\n{error:?}"))
    }
}

/// Returns the blocks of a kind.
fn blocks<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```{kind}\n");
    let starts = text.match_indices(&fence);
    starts
        .map(|(start, _)| {
            let rest = &text[start + fence.len()..];
            rest.split("\n```").next().unwrap_or_default()
        })
        .collect()
}

/// Returns the requests of a prompt: those that a command sends, then those that stand alone.
fn requests(text: &str) -> Vec<&str> {
    let sent = blocks(text, "sh").into_iter().filter_map(|commands| {
        let (_, request) = commands.split_once(" <<'EOF'\n")?;
        request.strip_suffix("\nEOF")
    });
    sent.chain(blocks(text, "json")).collect()
}

/// Every dialect with every way of calling.
fn all() -> impl Iterator<Item = (Dialect, Caller)> {
    let callers = |dialect| Caller::all().map(move |caller| (dialect, caller));
    Dialect::ALL.into_iter().flat_map(callers)
}

#[test]
fn the_example_is_shown_with_its_real_anchors_and_revision() {
    for (dialect, caller) in all() {
        let text = prompt(dialect, caller);
        let example = Example::of(&text, dialect);
        assert_eq!(blocks(&text, "text"), [example.as_read(dialect)]);
    }
}

#[test]
fn every_request_lands_as_written() {
    for (dialect, caller) in all() {
        let text = prompt(dialect, caller);
        let example = Example::of(&text, dialect);
        let requests = requests(&text);
        let mut of_dialect = blocks(edits(dialect), "json");
        if caller != Caller::Tools {
            of_dialect.extend(blocks(files(dialect), "json"));
        }
        assert_eq!(requests, of_dialect, "{} {caller:?}", dialect.name());
        for request in requests {
            let done = example.send(request, dialect, caller);
            assert!(!done.writes().is_empty(), "it changes nothing: {request}");
            for file in &done.files {
                let report = &file.edited.report;
                assert!(report.repairs.is_empty(), "it was corrected: {request}");
                assert!(report.hints.is_empty(), "it looks odd: {request}");
            }
        }
    }
}

#[test]
fn every_request_fits_the_published_schema() {
    for dialect in Dialect::ALL {
        let schema = schema(dialect, Tool::Edit);
        for request in blocks(edits(dialect), "json") {
            let request: Value = serde_json::from_str(request).expect("it is JSON");
            if let Err(error) = jsonschema::validate(&schema, &request) {
                panic!("{}: {error}", dialect.name());
            }
        }
    }
}

/// Returns the operations of a dialect, as its schema lists them.
fn operations(dialect: Dialect) -> Vec<String> {
    let schema = schema(dialect, Tool::Edit);
    let lists = ["edits", "operations", "patch"];
    let edit = lists
        .iter()
        .map(|list| &schema["properties"][list]["items"]["properties"])
        .find(|edit| edit.is_object())
        .and_then(Value::as_object)
        .expect("the schema has a list of edits");
    let listed = ["op", "action", "type"]
        .iter()
        .find_map(|key| edit.get(*key)?["description"].as_str());
    match listed {
        Some(listed) => listed
            .trim_start_matches("What to do: ")
            .trim_end_matches('.')
            .replace(" or ", ", ")
            .split(", ")
            .map(str::to_owned)
            .collect(),
        None => edit.keys().cloned().collect(),
    }
}

#[test]
fn every_operation_of_a_dialect_is_taught() {
    for dialect in Dialect::ALL {
        let operations = operations(dialect);
        assert!(operations.len() >= 3, "{operations:?}");
        for operation in operations {
            assert!(
                edits(dialect).contains(&format!("`{operation}`")),
                "{} does not explain {operation}",
                dialect.name()
            );
        }
    }
}

#[test]
fn what_the_examples_do() {
    let mut told = String::new();
    for dialect in Dialect::ALL {
        let example = Example::of(edits(dialect), dialect);
        for (index, request) in blocks(edits(dialect), "json").iter().enumerate() {
            let done = example.send(request, dialect, Caller::Tools).writes();
            let done: BTreeMap<String, Option<String>> = done
                .into_iter()
                .map(|(path, document)| {
                    let text =
                        document.map(|new| String::from_utf8_lossy(new.bytes()).into_owned());
                    (path, text)
                })
                .collect();
            for (path, text) in done {
                let text = text.unwrap_or_else(|| "(deleted)\n".to_owned());
                told.push_str(&format!(
                    "--- {}, request {}: {path}\n{text}\n",
                    dialect.name(),
                    index + 1
                ));
            }
        }
    }
    insta::assert_snapshot!(told);
}

/// Tokens cost, so the size stands where a change of it is seen.
#[test]
fn the_prompts_as_models_read_them() {
    for (dialect, caller) in all() {
        let text = prompt(dialect, caller);
        let letters = text.chars().count();
        insta::assert_snapshot!(
            format!("prompt_{}_{}", caller.name(), dialect.name()),
            format!(
                "{letters} characters, about {} tokens\n\n{text}",
                letters.div_ceil(4)
            )
        );
    }
}

#[test]
fn no_placeholder_is_left() {
    for (dialect, caller) in all() {
        let text = prompt(dialect, caller);
        for placeholder in ["{edits}", "{dialect}", "{route}", "{agent}"] {
            assert!(!text.contains(placeholder), "{placeholder}: {text}");
        }
        let names_dialect = text.contains(&format!("hashline apply --dialect {} ", dialect.name()));
        let must = caller != Caller::Tools && dialect != Dialect::default();
        assert_eq!(names_dialect, must, "{} {caller:?}", dialect.name());
    }
}

#[test]
fn every_request_fits_the_schema_that_a_server_offers() {
    for dialect in Dialect::ALL {
        let schema = offered(dialect, Tool::Edit);
        for request in blocks(edits(dialect), "json") {
            let value: Value = serde_json::from_str(request).expect("it is JSON");
            let fits = jsonschema::validate(&schema, &value);
            assert!(fits.is_ok(), "{}: {fits:?}: {request}", dialect.name());
        }
    }
}

#[test]
fn what_a_server_says_of_itself_and_its_tools() {
    let tools = Tool::ALL.map(|tool| {
        let said = hashline_wire::prompt::tool(tool, Dialect::default());
        format!("=== {}\n{said}", tool.name())
    });
    let server = hashline_wire::prompt::server(Dialect::default());
    insta::assert_snapshot!(format!("=== server\n{server}{}", tools.join("")));
}

#[test]
fn a_server_shows_lines_as_its_dialect_does() {
    for dialect in Dialect::ALL {
        let said = hashline_wire::prompt::server(dialect);
        let shown = said.split('`').find(|part| part.ends_with("text"));
        let read = shown.and_then(|shown| dialect.scheme.read_shown(shown));
        let (anchor, text) = read.unwrap_or_else(|| panic!("{}: {said}", dialect.name()));
        assert_eq!((anchor.line, text), (12, "text"), "{}", dialect.name());
    }
}

#[test]
fn the_sandbox_prompts_show_real_refs() {
    for sandbox in SandboxPrompt::ALL {
        let text = sandbox.text();
        let example = Example::of(&text, Dialect::PUSH);
        assert_eq!(blocks(&text, "text"), [example.as_read(Dialect::PUSH)]);
    }
}

#[test]
fn every_call_in_a_sandbox_prompt_is_taken_as_it_stands() {
    let limits = Limits::default();
    for sandbox in SandboxPrompt::ALL {
        let text = sandbox.text();
        let example = Example::of(&text, Dialect::PUSH);
        let mut called = Vec::new();
        for block in blocks(&text, "json") {
            let call: Value = serde_json::from_str(block).expect("it is JSON");
            let (tool, args) = (call["tool"].as_str(), call["args"].clone());
            match tool {
                Some("sandbox_read_file") => {
                    let read = parse_read(args, Dialect::PUSH, &limits);
                    assert_eq!(read.expect(block).files[0].path, example.path);
                }
                Some("sandbox_edit_file") => {
                    let schema = schema(Dialect::PUSH, Tool::Edit);
                    let fits = jsonschema::validate(&schema, &args);
                    assert!(fits.is_ok(), "{fits:?}: {block}");
                    let done = example.send(block, Dialect::PUSH, Caller::Tools);
                    assert!(!done.writes().is_empty(), "it changes nothing: {block}");
                    let reports = done.files.iter().map(|file| &file.edited.report);
                    assert!(
                        reports.clone().all(|report| report.repairs.is_empty()),
                        "it was corrected: {block}"
                    );
                    assert!(reports.clone().all(|report| report.hints.is_empty()));
                }
                Some("sandbox_write_file") => {
                    parse_push_write(args, &limits).expect(block);
                }
                _ => panic!("no such tool: {block}"),
            }
            called.extend(tool.map(str::to_owned));
        }
        let all = [
            "sandbox_read_file",
            "sandbox_edit_file",
            "sandbox_write_file",
        ];
        assert_eq!(called, all);
    }
}

#[test]
fn the_sandbox_prompts_teach_every_operation_and_what_to_do_without_edit_file() {
    for sandbox in SandboxPrompt::ALL {
        let text = sandbox.text();
        for operation in operations(Dialect::PUSH) {
            assert!(text.contains(&format!("`{operation}`")), "{operation}");
        }
        let (_, without_edits) = text.split_once("`edit_disabled`").expect("it is named");
        assert!(without_edits.contains("`sandbox_write_file`"), "{text}");
        for placeholder in ["{edits}", "{tools}", "hashline"] {
            assert!(!text.contains(placeholder), "{placeholder}: {text}");
        }
        let letters = text.chars().count();
        insta::assert_snapshot!(
            format!("prompt_{}", sandbox.name()),
            format!(
                "{letters} characters, about {} tokens\n\n{text}",
                letters.div_ceil(4)
            )
        );
    }
}
