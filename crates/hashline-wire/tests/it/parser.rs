//! Requests that are refused, and where the refusal points.

use hashline_core::dialect::Dialect;
use hashline_wire::request::{Limits, NoteKind, Shape, parse_read};
use hashline_wire::{ParseOptions, parse};

fn refusal(dialect: Dialect, body: &str) -> String {
    let options = ParseOptions {
        dialect: Some(dialect),
        path: Some("a"),
        ..ParseOptions::default()
    };
    match parse(body.as_bytes(), &options) {
        Ok(parsed) => format!("taken: {:?}", parsed.shape),
        Err(error) => format!("{}: {error}", error.fault.code()),
    }
}

#[test]
fn refusals_name_the_place() {
    let cases = [
        (
            Dialect::OMP,
            r#"{"edits":[{"set_line":{"anchor":"1:aa"}}]}"#,
        ),
        (
            Dialect::OMP,
            r#"{"edits":[{"set_line":{"anchor":["1:aa"],"new_text":"x"}}]}"#,
        ),
        (Dialect::OMP, r#"{"edits":[{}]}"#),
        (Dialect::OMP, r#"{"edits":[]}"#),
        (Dialect::OMP, r#"{"edits":"no list"}"#),
        (Dialect::OMP, r#"{"edits":"[broken"}"#),
        (Dialect::OMP, r#"[1,2]"#),
        (Dialect::OMP, r#"{"edits":"#),
        (
            Dialect::OMP,
            r#"{"rev":"xyz","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}]}"#,
        ),
        (
            Dialect::PUSH,
            r#"{"edits":[{"type":"replace_line","ref":"1:aaaa"}]}"#,
        ),
        (
            Dialect::PUSH,
            r#"{"edits":[{"type":"delete_line","ref":"1:aaaa","new_content":"x"}]}"#,
        ),
        (
            Dialect::PUSH,
            r#"{"edits":[{"type":"swap","ref":"1:aaaa"}]}"#,
        ),
        (
            Dialect::PUSH,
            r#"{"edits":[{"type":"delete_line","op":"delete_line","ref":"1:aaaa"}]}"#,
        ),
        (
            Dialect::COWBOY,
            r#"{"operations":[{"action":"replace","start":"1:aa","content":3}]}"#,
        ),
        (
            Dialect::COWBOY,
            r#"{"operations":[{"action":"shift","start":"1:aa"}]}"#,
        ),
        (
            Dialect::OPENAGENT,
            r#"{"filePath":"a","edits":[{"op":"set_line","pos":"1#NK","lines":[]}]}"#,
        ),
        (
            Dialect::OPENAGENT,
            r#"{"filePath":"a","edits":[{"op":"append","lines":null}]}"#,
        ),
        (
            Dialect::OPENAGENT,
            r#"{"filePath":"a","edits":[{"op":"append"}]}"#,
        ),
        (Dialect::PI, r#"{"patch":[{"op":"delete","path":"a"}]}"#),
        (Dialect::PI, r#"{"patch":[{"op":"add_file","path":"a"}]}"#),
        (Dialect::PI, r#"{"patch":[]}"#),
        (
            Dialect::LEAN,
            r#"{"edits":[{"op":"replace","lines":["x"]}]}"#,
        ),
        (
            Dialect::LEAN,
            r#"{"edits":[{"op":"substitute","old":"","new":"x"}]}"#,
        ),
        (Dialect::LEAN, r#"{"files":[{"path":"a","edits":[]}]}"#),
        (
            Dialect::LEAN,
            r#"{"rev":"12345678","files":[{"path":"a","edits":[{"op":"append","lines":["x"]}]}]}"#,
        ),
    ];
    let said: Vec<String> = cases
        .iter()
        .map(|(dialect, body)| {
            format!(
                "{:<9} {body}\n          {}",
                dialect.name(),
                refusal(*dialect, body)
            )
        })
        .collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn the_shape_decides_where_no_dialect_is_chosen() {
    let cases = [
        (
            r#"{"path":"a","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}]}"#,
            Shape::Omp,
        ),
        (
            r#"{"tool":"sandbox_edit_file","args":{"path":"a","edits":[{"type":"delete_line","ref":"1:aaaa"}]}}"#,
            Shape::Push,
        ),
        (
            r#"{"path":"a","operations":[{"action":"delete","start":"1:aa"}]}"#,
            Shape::Cowboy,
        ),
        (
            r#"{"path":"a","edits":[{"action":"delete","start":"1:aa"}]}"#,
            Shape::Cowboy,
        ),
        (
            r#"{"path":"a","edits":[{"op":"replace","pos":"1#NK","lines":["x"]}]}"#,
            Shape::Openagent,
        ),
        (
            r#"{"patch":{"path":"a","operations":[{"set_line":{"anchor":"1:aa","text":"x"}}]}}"#,
            Shape::Pi,
        ),
        (
            r#"{"operations":[{"op":"set_line","path":"a","anchor":"1:aa","text":"x"}]}"#,
            Shape::Pi,
        ),
        (
            r#"{"path":"a","edits":[{"op":"append","lines":["x"]}]}"#,
            Shape::Common,
        ),
        (
            r#"{"path":"a","edits":[{"op":"replace","at":"1:aa","lines":"x"}]}"#,
            Shape::Common,
        ),
    ];
    for (body, shape) in cases {
        let parsed = parse(body.as_bytes(), &ParseOptions::default())
            .unwrap_or_else(|error| panic!("{body}: {error}"));
        assert_eq!(parsed.shape, shape, "{body}");
    }
}

#[test]
fn bounds_are_checked_before_work_is_done() {
    let many = |count: usize| {
        let edit = r#"{"set_line":{"anchor":"1:aa","new_text":"x"}}"#;
        format!(
            r#"{{"path":"a","edits":[{}]}}"#,
            vec![edit; count].join(",")
        )
    };
    let code = |body: &str| {
        parse(body.as_bytes(), &ParseOptions::default())
            .err()
            .map(|error| error.fault.code())
    };
    assert_eq!(code(&many(1000)), None);
    assert_eq!(code(&many(1001)), Some("too_many"));
    assert_eq!(
        code(&format!(
            r#"{{"path":"a","edits":[{}]}}"#,
            vec!["{}"; 1_000_000].join(",")
        )),
        Some("too_many")
    );
    assert_eq!(code(&"[".repeat(100_000)), Some("bad_request"));
    let files = |count: usize| {
        let file = |i: usize| format!(r#"{{"path":"f{i}","edits":[{{"op":"delete_file"}}]}}"#);
        format!(
            r#"{{"files":[{}]}}"#,
            (0..count).map(file).collect::<Vec<_>>().join(",")
        )
    };
    assert_eq!(code(&files(256)), None);
    assert_eq!(code(&files(257)), Some("too_many"));
}

#[test]
fn a_read_takes_a_path_an_object_or_a_list() {
    let paths = |body: &str| {
        let read = parse_read(body.as_bytes(), Dialect::PI, &Limits::default());
        read.map(|read| {
            read.files
                .into_iter()
                .map(|file| file.path)
                .collect::<Vec<_>>()
        })
        .map_err(|error| error.to_string())
    };
    assert_eq!(paths(r#"{"path":"a"}"#), Ok(vec!["a".to_owned()]));
    assert_eq!(paths(r#"{"files":"a"}"#), Ok(vec!["a".to_owned()]));
    assert_eq!(
        paths(r#"{"paths":["a","b"]}"#),
        Ok(vec!["a".to_owned(), "b".to_owned()])
    );
    assert_eq!(
        paths(r#"{"files":[{"path":"a","search":"x"},"b"]}"#),
        Ok(vec!["a".to_owned(), "b".to_owned()])
    );
    insta::assert_snapshot!(
        paths(r#"{"files":[{"path":"a","search":"(","regex":true}]}"#).expect_err("the pattern is broken"),
        @r"
    files[0].search: regex parse error:
        (
        ^
    error: unclosed group
    "
    );
}

#[test]
fn unknown_fields_are_noted_not_refused() {
    let body = r#"{"path":"a","reason":"why","edits":[{"op":"append","lines":["x"],"note":1}]}"#;
    let parsed = parse(body.as_bytes(), &ParseOptions::default()).expect("it is understood");
    let notes: Vec<(&str, NoteKind)> = parsed
        .notes
        .iter()
        .map(|note| (note.at.as_str(), note.kind))
        .collect();
    assert_eq!(
        notes,
        [
            ("reason", NoteKind::UnknownField),
            ("edits[0].note", NoteKind::UnknownField)
        ]
    );
}
