//! Every sentence a reader sees, for a model, a person and a program, as snapshots.

use std::collections::{BTreeMap, BTreeSet};

use hashline_core::Policy;
use hashline_core::anchor::Tag;
use hashline_core::dialect::Dialect;
use hashline_core::files::{Files, edit_files};
use hashline_core::policy::{Context, Landing};
use hashline_core::render::anchored;
use hashline_core::shown::{History, Shown};
use hashline_core::text::{Document, LineNo, LineSpan};
use hashline_reference::seed_policy;
use hashline_wire::answer::{AnswerForm, common, cowboy_read, pi_read, push_read, shown};
use hashline_wire::render::{human, model};
use hashline_wire::request::{Limits, LineRange, parse_read};
use hashline_wire::schema::{answer_schema, common_answer_schema};
use hashline_wire::{AnswerOptions, Outcome, ParseOptions, Profile, Refusal, answer, parse};
use serde_json::Value;

const CODE: &str = "use std::fmt;\n\nfn main() {\n    let total = sum(&items);\n    println!(\"{total}\");\n}\n\nfn sum(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n";

#[derive(Clone, Copy)]
struct Scene {
    dialect: Dialect,
    now: &'static str,
    shown: &'static [&'static str],
    /// How many lines were shown of each, from the first on.
    lines: usize,
    policy: fn(Dialect) -> Policy<'static>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            dialect: Dialect::OMP,
            now: CODE,
            shown: &[CODE],
            lines: usize::MAX,
            policy: Policy::new,
        }
    }
}

struct World {
    files: BTreeMap<String, Document>,
    history: History,
}

impl Files for World {
    fn document(&self, path: &str) -> Option<Document> {
        self.files.get(path).cloned()
    }

    fn shown(&self, path: &str) -> Shown<'_> {
        if path == "src/main.rs" {
            Shown::new(&self.history, None)
        } else {
            Shown::nothing()
        }
    }
}

/// What became of a request, and on what terms it is answered.
struct Run {
    request: String,
    terms: AnswerOptions,
    outcome: Outcome,
    world: World,
}

/// Runs a request; `@3` is the anchor of line 3 of the first showing.
fn run(scene: &Scene, request: &str) -> Run {
    run_with(scene, request, Context::default())
}

/// Runs a request whose answer shows so many lines around a place.
fn run_with(scene: &Scene, request: &str, context: Context) -> Run {
    let mut history = History::default();
    let showings: Vec<Document> = scene
        .shown
        .iter()
        .map(|text| Document::new(*text))
        .collect();
    for showing in &showings {
        let lines = LineSpan::new(0..scene.lines.min(showing.line_count()));
        history.showed(showing, None, scene.dialect.scheme, &[lines]);
    }
    let files = BTreeMap::from([
        ("src/main.rs".to_owned(), Document::new(scene.now)),
        ("b.txt".to_owned(), Document::new("b\n")),
    ]);
    let world = World { files, history };
    let mut request = request.to_owned();
    for line in anchored(&showings[0], showings[0].all(), scene.dialect.scheme)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
    {
        request = request.replace(&format!("@{}", line.number), &line.anchor());
    }
    request = request.replace("@rev", &showings[0].revision().short());
    request = request.replace(
        "@last_rev",
        &showings[showings.len() - 1].revision().short(),
    );
    let policy = (scene.policy)(scene.dialect);
    let profile = if policy.engine.is_some() {
        Profile::Seed
    } else {
        Profile::Default
    };
    let options = ParseOptions {
        dialect: Some(scene.dialect),
        path: Some("src/main.rs"),
        profile,
        ..ParseOptions::default()
    };
    let mut terms = AnswerOptions::new(scene.dialect);
    let outcome: Outcome = parse(request.as_bytes(), &options)
        .map_err(|bad| {
            terms = AnswerOptions::from(&bad);
            Refusal::from(bad)
        })
        .and_then(|parsed| {
            terms = AnswerOptions {
                context: parsed.context.unwrap_or(context),
                ..AnswerOptions::from(&parsed)
            };
            edit_files(parsed.request, &world, &policy)
                .map_err(|error| Refusal::of_files(error, &terms))
        });
    Run {
        request,
        terms,
        outcome,
        world,
    }
}

/// Renders a refusal for a person.
fn to_person(outcome: &Outcome) -> String {
    outcome
        .as_ref()
        .err()
        .map(human::refusal)
        .unwrap_or_default()
}

fn json(answer: impl serde::Serialize) -> Value {
    serde_json::to_value(answer).expect("it is JSON")
}

/// Checks an answer against its published schema.
fn assert_fits(schema: &Value, answer: &Value) {
    if let Err(error) = jsonschema::validate(schema, answer) {
        panic!("{error} at {}: {answer:#}", error.instance_path());
    }
}

/// Runs a request and renders it for all readers.
fn all_readers(scene: &Scene, request: &str) -> String {
    let Run {
        request,
        terms,
        outcome,
        ..
    } = run(scene, request);
    let pretty = |value| serde_json::to_string_pretty(&value).expect("it is JSON");
    let ours = json(common(&terms, &outcome));
    let own = json(answer(&terms, &outcome));
    assert_fits(&common_answer_schema(), &ours);
    assert_fits(&answer_schema(terms.dialect), &own);
    format!(
        "{request}\n\n--- to a model\n{}\n\n--- to a person\n{}\n\n--- to a program\n{}\n\n--- in {}'s own shape\n{}",
        model::answer(&terms, &outcome),
        to_person(&outcome),
        pretty(ours),
        scene.dialect.name(),
        pretty(own),
    )
}

/// A scene, its name and the request that is sent in it.
type Named = (&'static str, Scene, &'static str);

/// One snapshot a scene, named for it.
fn snapshots(scenes: &[Named]) {
    for (name, scene, request) in scenes {
        insta::assert_snapshot!(*name, all_readers(scene, request));
    }
}

const SHIFTED: &str = "// new\nuse std::fmt;\n\nfn main() {\n    let total = sum(&items);\n    println!(\"{total}\");\n}\n\nfn sum(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n";
const CHANGED: &str = "use std::fmt;\n\nfn main() {\n    let total = sum(&things);\n    println!(\"{total}\");\n}\n\nfn sum(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n";

const MOVED: &str = "// new\nuse std::fmt;\n\nfn main() {\n    let total = sum(&items);\n    println!(\"{total}\");\n}\n\nfn sum(items: &[u32]) -> u32 {\n    items.iter().product()\n}\n";

#[test]
fn what_was_done() {
    snapshots(&done());
}

fn done() -> Vec<Named> {
    vec![
        (
            "done_one_edit",
            Scene::default(),
            r#"{"rev":"@rev","edits":[{"set_line":{"anchor":"@5","new_text":"    print!(\"{total}\");"}}]}"#,
        ),
        (
            "done_moved",
            Scene {
                now: SHIFTED,
                ..Scene::default()
            },
            r#"{"rev":"@rev","edits":[{"set_line":{"anchor":"@8","new_text":"fn sum(items: &[u64]) -> u64 {"}}]}"#,
        ),
        (
            "done_repaired",
            Scene::default(),
            r#"{"edits":[{"set_line":{"anchor":"@5","new_text":"@5|    print!();"}}]}"#,
        ),
        (
            "done_hint",
            Scene::default(),
            r#"{"edits":[{"replace_lines":{"start_anchor":"@5","end_anchor":"@5","new_text":"    a();\n}"}}]}"#,
        ),
        (
            "done_nothing",
            Scene::default(),
            r#"{"edits":[{"set_line":{"anchor":"@6","new_text":"}"}}]}"#,
        ),
        (
            "done_dry_run",
            Scene::default(),
            r#"{"dry_run":true,"context":1,"edits":[{"set_line":{"anchor":"@6","new_text":"} // main"}}]}"#,
        ),
        (
            "done_duplicate_and_note",
            Scene::default(),
            r#"{"why":"x","edits":[{"insert_after":{"anchor":"@1","text":"use std::io;"}},{"insert_after":{"anchor":"@1","text":"use std::io;"}}]}"#,
        ),
        (
            "done_several_files",
            Scene::default(),
            r#"{"files":[{"path":"src/main.rs","edits":[{"op":"move","to_path":"src/lib.rs"},{"op":"delete","at":"@1","to":"@2"}]},{"path":"b.txt","edits":[{"op":"delete_file"}]},{"path":"c.txt","edits":[{"op":"create","content":"c\n"}]}]}"#,
        ),
        (
            "done_nothing_left",
            Scene::default(),
            r#"{"path":"n.txt","edits":[{"op":"create","content":"x"},{"op":"delete_file"}]}"#,
        ),
        (
            "done_nothing_left_dry_run_pi",
            Scene {
                dialect: Dialect::PI,
                ..Scene::default()
            },
            r#"{"dry_run":true,"patch":[{"op":"add_file","path":"n.txt","content":"x"},{"op":"delete_file","path":"n.txt"}]}"#,
        ),
        (
            "done_repaired_lines",
            Scene::default(),
            r#"{"edits":[{"replace_lines":{"start_anchor":"@4","end_anchor":"@5","new_text":"@4|    let all = 1;\n@5|    print!();"}}]}"#,
        ),
        (
            "done_unchecked",
            Scene {
                policy: |dialect| Policy {
                    landing: hashline_core::policy::Landing::Strict,
                    ..Policy::new(dialect)
                },
                ..Scene::default()
            },
            r#"{"edits":[{"replace_lines":{"start_anchor":"@3","end_anchor":"@6","new_text":"fn main() {}"}}]}"#,
        ),
    ]
}

#[test]
fn why_nothing_was_done() {
    snapshots(&refused());
}

fn refused() -> Vec<Named> {
    let strict = |dialect| Policy {
        landing: hashline_core::policy::Landing::Strict,
        ..Policy::new(dialect)
    };
    let changed = || Scene {
        now: CHANGED,
        ..Scene::default()
    };
    vec![
        (
            "refused_stale",
            changed(),
            r#"{"rev":"@rev","edits":[{"set_line":{"anchor":"@1","new_text":"use x;"}},{"set_line":{"anchor":"@4","new_text":"x"}}]}"#,
        ),
        (
            "refused_beside_edits_that_moved",
            Scene {
                now: MOVED,
                ..Scene::default()
            },
            r#"{"rev":"@rev","edits":[{"set_line":{"anchor":"@9","new_text":"x"}},{"insert_after":{"anchor":"@5","text":"y"}},{"replace_lines":{"start_anchor":"@4","end_anchor":"@5","new_text":"z"}}]}"#,
        ),
        (
            "refused_not_shown_there_but_before",
            Scene {
                now: MOVED,
                shown: &[CODE, MOVED],
                lines: 5,
                ..Scene::default()
            },
            r#"{"rev":"@last_rev","edits":[{"set_line":{"anchor":"@5","new_text":"x"}}]}"#,
        ),
        (
            "refused_inner_changed",
            changed(),
            r#"{"rev":"@rev","edits":[{"replace_lines":{"start_anchor":"@1","end_anchor":"@10","new_text":"x"}}]}"#,
        ),
        (
            "refused_tag_differs",
            Scene {
                now: CHANGED,
                policy: strict,
                ..Scene::default()
            },
            r#"{"edits":[{"set_line":{"anchor":"@4","new_text":"x"}}]}"#,
        ),
        (
            "refused_out_of_range",
            Scene::default(),
            r#"{"edits":[{"set_line":{"anchor":"99:aa","new_text":"x"}}]}"#,
        ),
        (
            "refused_unknown_rev",
            Scene::default(),
            r#"{"rev":"00000000","edits":[{"set_line":{"anchor":"@4","new_text":"x"}}]}"#,
        ),
        (
            "refused_bad_anchor",
            Scene::default(),
            r#"{"edits":[{"set_line":{"anchor":"total","new_text":"x"}}]}"#,
        ),
        (
            "refused_bad_range",
            Scene::default(),
            r#"{"edits":[{"replace_lines":{"start_anchor":"@4","end_anchor":"@3","new_text":"x"}}]}"#,
        ),
        (
            "refused_overlap",
            Scene::default(),
            r#"{"edits":[{"replace_lines":{"start_anchor":"@3","end_anchor":"@6","new_text":"x"}},{"set_line":{"anchor":"@4","new_text":"y"}}]}"#,
        ),
        (
            "refused_text_not_found",
            Scene::default(),
            r#"{"edits":[{"replace":{"old_text":"nowhere","new_text":"x"}}]}"#,
        ),
        (
            "refused_text_not_unique",
            Scene::default(),
            r#"{"edits":[{"replace":{"old_text":"items","new_text":"x"}}]}"#,
        ),
        (
            "refused_file_not_found",
            Scene::default(),
            r#"{"path":"no.txt","edits":[{"set_line":{"anchor":"@3","new_text":"x"}}]}"#,
        ),
        (
            "refused_file_exists",
            Scene::default(),
            r#"{"path":"b.txt","edits":[{"op":"create","content":"x"}]}"#,
        ),
        (
            "refused_conflicting",
            Scene::default(),
            r#"{"path":"n.txt","edits":[{"op":"create","content":"x"},{"op":"append","lines":["y"]}]}"#,
        ),
        (
            "refused_bad_request",
            Scene::default(),
            r#"{"edits":[{"set_line":{"anchor":3,"new_text":"x"}}]}"#,
        ),
        (
            "refused_bad_request_push",
            Scene {
                dialect: Dialect::PUSH,
                ..Scene::default()
            },
            r#"{"path":"src/main.rs","edits":[{"type":"delete_line","ref":"@1"},{"type":"delete_line","start_ref":"@1"}]}"#,
        ),
        (
            "refused_repeated_key",
            Scene {
                dialect: Dialect::COWBOY,
                ..Scene::default()
            },
            r#"{"path":"b.txt","operations":[],"operations":[{"action":"delete","start":"@1"}]}"#,
        ),
        (
            "refused_empty_insert",
            Scene::default(),
            r#"{"edits":[{"op":"append","lines":[]}]}"#,
        ),
        (
            "refused_ambiguous",
            Scene {
                now: "1\n2\n3\nx\n4\n5\n6\na\nb\nc\nx\nd\ne\nf\n",
                shown: &[
                    "a\nb\nc\nx\nd\ne\nf\nx\n",
                    "1\n2\n3\nx\n4\n5\n6\na\nb\nc\nx\nd\ne\nf\n",
                ],
                ..Scene::default()
            },
            r#"{"edits":[{"set_line":{"anchor":"@4","new_text":"X"}}]}"#,
        ),
        (
            "refused_not_shown",
            Scene {
                lines: 2,
                ..Scene::default()
            },
            r#"{"rev":"@rev","edits":[{"set_line":{"anchor":"@4","new_text":"x"}}]}"#,
        ),
        (
            "refused_text_only_in_new_text",
            Scene::default(),
            r#"{"edits":[{"set_line":{"anchor":"@1","new_text":"one\ntwo one"}},{"replace":{"old_text":"one","new_text":"x"}}]}"#,
        ),
        (
            "refused_in_one_of_two_files",
            changed(),
            r#"{"files":[{"path":"b.txt","edits":[{"op":"append","lines":["c"]},{"op":"prepend","lines":["a"]}]},{"path":"src/main.rs","rev":"@rev","edits":[{"op":"delete","at":"@4"}]}]}"#,
        ),
        (
            "refused_in_one_of_two_files_pi",
            Scene {
                dialect: Dialect::PI,
                ..changed()
            },
            r#"{"patch":[{"op":"delete_file","path":"b.txt"},{"op":"delete","path":"src/main.rs","anchor":"@1"},{"op":"delete","anchor":"@4"}],"revs":{"src/main.rs":"@rev"}}"#,
        ),
        (
            "refused_not_shown_openagent",
            Scene {
                dialect: Dialect::OPENAGENT,
                lines: 2,
                ..Scene::default()
            },
            r#"{"rev":"@rev","filePath":"src/main.rs","edits":[{"op":"replace","pos":"@4","lines":["x"]}]}"#,
        ),
        (
            "refused_beyond_counting",
            Scene::default(),
            r#"{"edits":[{"set_line":{"anchor":"99999999999999999999999:aa","new_text":"x"}}]}"#,
        ),
        (
            "refused_no_change_openagent",
            Scene {
                dialect: Dialect::OPENAGENT,
                ..Scene::default()
            },
            r#"{"filePath":"src/main.rs","edits":[{"op":"replace","pos":"@6","lines":["}"]}]}"#,
        ),
        (
            "refused_stale_file_push",
            Scene {
                dialect: Dialect::PUSH,
                ..Scene::default()
            },
            r#"{"file_hash":"00","edits":[{"type":"delete_line","ref":"@1"}]}"#,
        ),
    ]
}

#[test]
fn each_dialect_in_its_own_shape() {
    snapshots(&own_shapes());
}

fn own_shapes() -> Vec<Named> {
    let changed = |dialect| Scene {
        dialect,
        now: CHANGED,
        policy: hashline_reference::seed_policy,
        ..Scene::default()
    };
    vec![
        (
            "omp_mismatch",
            changed(Dialect::OMP),
            r#"{"edits":[{"set_line":{"anchor":"@4","new_text":"x"}}]}"#,
        ),
        (
            "push_stale",
            changed(Dialect::PUSH),
            r#"{"edits":[{"type":"delete_line","ref":"@4"}]}"#,
        ),
        (
            "cowboy_mismatch",
            changed(Dialect::COWBOY),
            r#"{"operations":[{"action":"delete","start":"@4"}]}"#,
        ),
        (
            "openagent_mismatch",
            changed(Dialect::OPENAGENT),
            r#"{"filePath":"src/main.rs","edits":[{"op":"replace","pos":"@4","lines":["x"]}]}"#,
        ),
        (
            "pi_recovery",
            changed(Dialect::PI),
            r#"{"patch":[{"op":"set_line","path":"src/main.rs","anchor":"@4","text":"x"}]}"#,
        ),
        (
            "push_done",
            Scene {
                dialect: Dialect::PUSH,
                ..Scene::default()
            },
            r#"{"full_refresh":true,"edits":[{"type":"insert_before","ref":"@3","new_content":"/// Main."}]}"#,
        ),
        (
            "cowboy_done",
            Scene {
                dialect: Dialect::COWBOY,
                ..Scene::default()
            },
            r#"{"operations":[{"action":"delete","start":"@1","end":"@2"}]}"#,
        ),
        (
            "openagent_done",
            Scene {
                dialect: Dialect::OPENAGENT,
                ..Scene::default()
            },
            r#"{"filePath":"src/main.rs","edits":[{"op":"append","pos":"@1","lines":["use std::io;"]}],"rename":"src/lib.rs"}"#,
        ),
        (
            "pi_done",
            Scene {
                dialect: Dialect::PI,
                now: SHIFTED,
                ..Scene::default()
            },
            r#"{"patch":[{"op":"set_line","path":"src/main.rs","anchor":"@8","text":"fn sum() {"}],"revs":{"src/main.rs":"@rev"}}"#,
        ),
        (
            "lean_done",
            Scene {
                dialect: Dialect::LEAN,
                ..Scene::default()
            },
            r#"{"edits":[{"op":"replace","at":"@9","lines":["    items.iter().copied().sum()"]}]}"#,
        ),
    ]
}

#[test]
fn reads_in_each_dialects_shape() {
    let document = Document::new(CODE);
    let range = LineRange {
        first: Some(3),
        last: Some(4),
        context: 1,
    };
    let push = push_read(
        &document,
        LineRange {
            context: 0,
            ..range
        },
        true,
        1000,
    )
    .expect("the range is one")
    .answer;
    let asked = parse_read(br#"{"files":[{"path":"a.rs","search":"SUM","contextBefore":1},"b.rs",{"path":"c.rs","offset":9,"limit":1}]}"#, Dialect::PI, &Limits::default())
        .expect("it is understood");
    let mut files: Vec<_> = asked
        .files
        .into_iter()
        .map(|file| (file, Ok((document.clone(), Vec::new()))))
        .collect();
    let found = [4, 8, 9].map(|line| LineNo::new(line).expect("lines count from 1"));
    files[0].1 = Ok((document.clone(), found.to_vec()));
    files[1].1 = Err("b.rs cannot be read".to_owned());
    let (pi, collapse) = pi_read(&files, Dialect::PI);
    insta::assert_snapshot!(format!(
        "{}\n\n{}\n\n{pi}\n(collapse: {collapse})",
        serde_json::to_string_pretty(&push).expect("it is JSON"),
        serde_json::to_string_pretty(&cowboy_read("a.rs", &document, range)).expect("it is JSON"),
    ));
    let reversed = LineRange {
        first: Some(4),
        last: Some(3),
        context: 0,
    };
    assert!(push_read(&document, reversed, true, 1000).is_none());
}

#[test]
fn a_push_read_shows_as_many_whole_lines_as_have_room() {
    let all = LineRange::default();
    let read = |text: &str, annotate, most| {
        let document = Document::new(text);
        let page = push_read(&document, all, annotate, most).expect("the range is one");
        let cut = page.cut.map(|cut| (cut.index, cut.bytes));
        let answer = page.answer;
        assert!(answer.content.chars().count() <= most);
        let shown = (answer.truncated, answer.end_line, page.span.len());
        (answer.content, shown, cut, page.cut_by_anchors)
    };
    let text = "one\ntwo\nthree\n";
    for (annotate, most, content, shown, cut, by_anchors) in [
        (false, 13, "one\ntwo\nthree", (false, 3, 3), None, false),
        (false, 12, "one\ntwo", (true, 2, 2), None, false),
        (false, 3, "one", (true, 1, 1), None, false),
        (false, 2, "on", (true, 1, 1), Some((0, 2)), false),
        (
            true,
            34,
            "1:TqGf|one\n2:th5y|two\n3:sP5B|three",
            (false, 3, 3),
            None,
            false,
        ),
        (true, 33, "1:TqGf|one\n2:th5y|two", (true, 2, 2), None, true),
        (true, 12, "1:TqGf|one", (true, 1, 1), None, false),
        (true, 9, "1:TqGf|on", (true, 1, 1), Some((0, 2)), false),
        (true, 5, "1:TqG", (true, 1, 1), Some((0, 0)), false),
    ] {
        let found = read(text, annotate, most);
        assert_eq!(
            found,
            (content.to_owned(), shown, cut, by_anchors),
            "{annotate} {most}"
        );
    }
    // Characters count, not bytes, and no character is cut in two.
    assert_eq!(read("éé\n", false, 1).2, Some((0, 2)));
    assert_eq!(read("", true, 10).1, (false, 0, 0));
}

#[test]
fn what_a_refusal_shows_is_enough_to_try_again_by_the_record() {
    let dialect = Dialect::OMP;
    let mut world = World {
        files: BTreeMap::from([("src/main.rs".to_owned(), Document::new(CHANGED))]),
        history: History::default(),
    };
    let run = |world: &World, request: &str| {
        let parsed = parse(request.as_bytes(), &ParseOptions::default()).expect("it is understood");
        let terms = AnswerOptions::from(&parsed);
        let outcome: Outcome = edit_files(parsed.request, world, &Policy::new(dialect))
            .map_err(|error| Refusal::of_files(error, &terms));
        (terms, outcome)
    };
    let request = |rev: &str, anchor: &str| {
        format!(
            r#"{{"path":"src/main.rs","rev":"{rev}","edits":[{{"set_line":{{"anchor":"{anchor}","new_text":"x"}}}}]}}"#
        )
    };
    let read = Document::new(CODE);
    let shown_first = [read.all()];
    world
        .history
        .showed(&read, None, dialect.scheme, &shown_first);
    let anchor_of = |document: &Document, number: usize| {
        let mut lines = anchored(document, document.all(), dialect.scheme);
        lines
            .nth(number - 1)
            .expect("there is such a line")
            .anchor()
    };
    let stale = request(&read.revision().short(), &anchor_of(&read, 4));
    let (terms, outcome) = run(&world, &stale);
    let places = shown(&terms, &outcome);
    assert_eq!(
        outcome
            .map(|_| ())
            .expect_err("the line changed")
            .code()
            .as_str(),
        "stale"
    );
    for place in &places {
        world
            .history
            .showed(&place.document, None, dialect.scheme, &place.spans);
    }
    // Somebody puts a line on top before the second try: only the record can tell where the line is now.
    let now = format!("// new\n{CHANGED}");
    world
        .files
        .insert("src/main.rs".to_owned(), Document::new(now.as_str()));
    let seen = &places[0].document;
    let again = request(&seen.revision().short(), &anchor_of(seen, 4));
    let (_, outcome) = run(&world, &again);
    let edited = outcome.expect("it lands");
    assert_eq!(
        edited.files[0].edited.document.bytes(),
        now.replace("    let total = sum(&things);", "x").as_bytes()
    );
}

/// Collects the texts in an answer, but for those that quote what was sent.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.extend(text.split('\n').map(str::to_owned)),
        Value::Array(list) => list.iter().for_each(|item| texts(item, found)),
        Value::Object(object) => {
            let answered = object.iter().filter(|(key, _)| *key != "repairs");
            answered.for_each(|(_, value)| texts(value, found));
        }
        _ => {}
    }
}

#[test]
fn every_line_an_answer_shows_is_written_down_as_shown() {
    let scenes: Vec<Named> = [done(), refused(), own_shapes()]
        .into_iter()
        .flatten()
        .collect();
    let mut seen = 0;
    for (name, scene, request) in scenes {
        for dialect in Dialect::ALL {
            for context in [0, 1, 5] {
                let scene = Scene { dialect, ..scene };
                let run = run_with(&scene, request, Context::new(context));
                for form in [AnswerForm::Text, AnswerForm::Common, AnswerForm::Dialect] {
                    let what = format!("{name} in {}, {form:?}", dialect.name());
                    seen += check_shown(&run, form, &what);
                }
            }
        }
    }
    assert!(seen > 3000, "only {seen} lines were looked at");
}

fn strict(dialect: Dialect) -> Policy<'static> {
    Policy {
        landing: Landing::Strict,
        ..Policy::new(dialect)
    }
}

#[test]
fn a_line_past_the_end_is_answered_with_the_last_lines_in_every_form() {
    let document = Document::new(CODE);
    let last = LineNo::from_index(document.line_count() - 1);
    let text = document.line(last).expect("there is such a line").text;
    let policies: [fn(Dialect) -> Policy<'static>; 3] = [Policy::new, strict, seed_policy];
    for dialect in Dialect::ALL {
        let tag_of = |text: &[u8]| dialect.scheme.tag(text, last);
        let other = (0..).map(|n| tag_of(format!("no line reads {n}").as_bytes()));
        let is_free = |tag: &Tag| document.lines().all(|line| tag_of(line.text) != *tag);
        let free = other
            .into_iter()
            .find(is_free)
            .expect("there are many tags");
        let [last, past] = [(last, tag_of(text)), (LineNo::from_index(98), free)]
            .map(|(number, tag)| dialect.scheme.anchor(number, tag));
        let edits = [
            format!(r#"{{"op":"replace","at":"{past}","lines":["x"]}}"#),
            format!(r#"{{"op":"replace","at":"@1","to":"{past}","lines":["x"]}}"#),
            format!(r#"{{"op":"insert_after","at":"{past}","lines":["x"]}}"#),
        ];
        for (edit, policy) in edits
            .iter()
            .flat_map(|edit| policies.map(|policy| (edit, policy)))
        {
            let scene = Scene {
                dialect,
                policy,
                ..Scene::default()
            };
            let run = run(&scene, &format!(r#"{{"edits":[{edit}]}}"#));
            let refused = run.outcome.as_ref().expect_err("there is no such line");
            // Some original tools search for the tag first.
            let code = refused.code().as_str();
            assert!(["out_of_range", "stale"].contains(&code), "{edit}: {code}");
            for form in [AnswerForm::Text, AnswerForm::Common, AnswerForm::Dialect] {
                let what = format!("{edit} in {}, {form:?}", dialect.name());
                let terms = AnswerOptions {
                    form,
                    ..run.terms.clone()
                };
                let answered = match form {
                    AnswerForm::Text => model::answer(&terms, &run.outcome),
                    AnswerForm::Common => json(common(&terms, &run.outcome)).to_string(),
                    AnswerForm::Dialect => json(answer(&terms, &run.outcome)).to_string(),
                };
                assert!(answered.contains(&last), "{what}: {answered}");
                assert!(check_shown(&run, form, &what) > 0, "{what}: {answered}");
            }
        }
    }
}

/// Checks that the anchored lines of an answer are exactly those that are written down; returns how many there were.
fn check_shown(run: &Run, form: AnswerForm, what: &str) -> usize {
    let Run { terms, outcome, .. } = run;
    let terms = &AnswerOptions {
        form,
        ..terms.clone()
    };
    let mut found = Vec::new();
    match form {
        AnswerForm::Text => {
            for text in [model::answer(terms, outcome), to_person(outcome)] {
                texts(&text.into(), &mut found);
            }
        }
        AnswerForm::Common => texts(&json(common(terms, outcome)), &mut found),
        AnswerForm::Dialect => texts(&json(answer(terms, outcome)), &mut found),
    }
    let places = shown(terms, outcome);
    let mut documents: Vec<&Document> = places.iter().map(|places| &places.document).collect();
    if places.is_empty() {
        documents.extend(run.world.files.values());
    }
    let scheme = terms.dialect.scheme;
    let lines_of = |document: &Document| -> Vec<String> {
        let lines = anchored(document, document.all(), scheme);
        lines.map(|line| line.to_string()).collect()
    };
    let all: BTreeSet<String> = documents.into_iter().flat_map(lines_of).collect();
    let written_down: BTreeSet<String> = places
        .iter()
        .flat_map(|places| {
            let spans = places.spans.iter();
            let lines = spans.flat_map(|span| anchored(&places.document, *span, scheme));
            lines.map(|line| line.to_string()).collect::<Vec<_>>()
        })
        .collect();
    let bare = |line: &str| {
        let unmarked = line.strip_prefix(">>> ").or(line.strip_prefix("    "));
        unmarked.unwrap_or(line).to_owned()
    };
    let offered: Vec<String> = found
        .iter()
        .map(|line| bare(line))
        .filter(|line| all.contains(line))
        .collect();
    for line in &offered {
        assert!(written_down.contains(line), "{what}: {line}\n{found:#?}");
    }
    let offered: BTreeSet<String> = offered.into_iter().collect();
    // The answer of seed 000's tool replaces the text by its own words where only tags differ.
    if form != AnswerForm::Dialect {
        assert_eq!(offered, written_down, "{what}");
    }
    offered.len()
}

#[test]
fn a_refusal_quotes_no_more_of_a_request_than_is_needed() {
    let long = "x".repeat(100_000);
    for dialect in Dialect::ALL {
        let requests = [
            format!(r#"{{"path":"src/main.rs","edits":[{{"op":"delete","at":"{long}"}}]}}"#),
            format!(r#"{{"path":"src/main.rs","edits":[{{"op":"delete","at":"@4|{long}"}}]}}"#),
            format!(
                r#"{{"path":"src/main.rs","edits":[{{"op":"substitute","old":"{long}","new":"y"}}]}}"#
            ),
            format!(
                r#"{{"path":"src/main.rs","file_hash":"{long}","edits":[{{"type":"delete_line","ref":"@4"}}]}}"#
            ),
        ];
        for request in requests {
            let scene = Scene {
                dialect,
                now: CHANGED,
                ..Scene::default()
            };
            let run = run(&scene, &request);
            assert!(run.outcome.is_err(), "{}", dialect.name());
            let renderings = [
                model::answer(&run.terms, &run.outcome),
                to_person(&run.outcome),
                json(common(&run.terms, &run.outcome)).to_string(),
                json(answer(&run.terms, &run.outcome)).to_string(),
            ];
            for said in renderings {
                let start: String = said.chars().take(300).collect();
                assert!(said.len() < 5000, "{}: {start}", dialect.name());
            }
        }
    }
}
