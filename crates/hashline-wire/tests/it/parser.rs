//! Requests that are refused, and where the refusal points.

use hashline_core::dialect::Dialect;
use hashline_wire::request::{Limits, NoteKind, Shape, parse_read};
use hashline_wire::{AnswerOptions, BadRequest, Fault, ParseOptions, Refusal, answer, parse};

fn refusal(dialect: Dialect, body: &str) -> String {
    let options = ParseOptions {
        dialect: Some(dialect),
        path: Some("a"),
        ..ParseOptions::default()
    };
    match parse(body.as_bytes(), &options) {
        Ok(parsed) => format!("taken: {:?}", parsed.shape),
        Err(error) => format!("{}: {error}", error.fault.code().as_str()),
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
        (
            Dialect::OMP,
            r#"{"edits":[{"set_lines":{"anchor":"1:aa","new_text":"x"}}]}"#,
        ),
        (Dialect::OMP, r#"{"edits":[{"op":"apend","lines":["x"]}]}"#),
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
            .map(|error| error.fault.code().as_str())
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

fn parsed(body: &str) -> Result<hashline_wire::Parsed, BadRequest> {
    parse(body.as_bytes(), &ParseOptions::default())
}

#[test]
fn a_field_of_another_operation_is_refused() {
    let cases = [
        (
            Dialect::PUSH,
            r#"{"edits":[{"type":"replace_line","ref":"1:aaaa","end_ref":"2:aaaa","new_content":"x"}]}"#,
        ),
        (
            Dialect::PUSH,
            r#"{"edits":[{"type":"delete_range","start_ref":"1:aaaa","end_ref":"2:aaaa","ref":"1:aaaa"}]}"#,
        ),
        (
            Dialect::PI,
            r#"{"patch":[{"op":"set_line","path":"a","anchor":"1:aa","end_anchor":"2:aa","text":"x"}]}"#,
        ),
        (
            Dialect::PI,
            r#"{"patch":[{"delete":{"anchor":"1:aa","text":"x"},"path":"a"}]}"#,
        ),
        (
            Dialect::PI,
            r#"{"patch":[{"op":"move_file","path":"a","from":"a","to":"b"}]}"#,
        ),
        (
            Dialect::LEAN,
            r#"{"edits":[{"op":"delete","at":"1 aa","lines":["x"]}]}"#,
        ),
    ];
    let said: Vec<String> = cases
        .iter()
        .map(|(dialect, body)| refusal(*dialect, body))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    bad_request: edits[0].end_ref: `replace_line` does not take `end_ref`
    bad_request: edits[0].ref: `delete_range` does not take `ref`
    bad_request: patch[0].end_anchor: `set_line` does not take `end_anchor`
    bad_request: patch[0].text: `delete` does not take `text`
    bad_request: patch[0].path: `move_file` does not take `path`
    bad_request: edits[0].lines: `delete` does not take `lines`
    ");
}

#[test]
fn a_field_that_the_definition_ignores_or_that_is_null_is_taken() {
    let cases = [
        (
            Dialect::PUSH,
            r#"{"edits":[{"type":"delete_line","ref":"1:aaaa","new_content":"","start_ref":null}]}"#,
        ),
        (
            Dialect::COWBOY,
            r#"{"operations":[{"action":"insert_after","start":"1:aa","end":3,"content":"x"}]}"#,
        ),
        (
            Dialect::COWBOY,
            r#"{"operations":[{"action":"delete","start":"1:aa","content":"x"}]}"#,
        ),
        (
            Dialect::OPENAGENT,
            r#"{"edits":[{"op":"append","pos":"1#NK","end":"2#NK","lines":["x"]}]}"#,
        ),
        (
            Dialect::PI,
            r#"{"patch":[{"op":"delete_file","path":"a","text":null}]}"#,
        ),
        (
            Dialect::LEAN,
            r#"{"edits":[{"op":"delete","at":"1 aa","lines":null}]}"#,
        ),
    ];
    for (dialect, body) in cases {
        let said = refusal(dialect, body);
        assert!(said.starts_with("taken"), "{body}: {said}");
    }
}

#[test]
fn what_stands_beside_an_operation_of_pi_and_inside_it_must_be_the_same() {
    let body = |beside: &str, inside: &str| {
        format!(
            r#"{{"patch":[{{"path":"{beside}","delete":{{"path":"{inside}","anchor":"1:aa"}}}}]}}"#
        )
    };
    assert_eq!(refusal(Dialect::PI, &body("a", "a")), "taken: Pi");
    assert_eq!(
        refusal(Dialect::PI, &body("a", "b")),
        "bad_request: patch[0].path: this operation has two different values for this field"
    );
    let body =
        r#"{"patch":[{"op":"insert_after","set_line":{"path":"a","anchor":"1:aa","text":"x"}}]}"#;
    assert_eq!(
        refusal(Dialect::PI, body),
        "bad_request: patch[0].op: this operation has two different values for this field"
    );
}

#[test]
fn a_million_items_of_any_kind_are_refused_before_they_are_read() {
    for item in ["1", "null", "[]", "\"x\""] {
        let list = vec![item; 1_000_000].join(",");
        let bodies = [
            format!(r#"{{"path":"a","edits":[{list}]}}"#),
            format!(r#"{{"files":[{list}]}}"#),
            format!(
                r#"{{"path":"a","edits":"[{}]"}}"#,
                list.replace('"', "\\\"")
            ),
        ];
        for body in bodies {
            let error = parsed(&body).expect_err("there are too many");
            assert_eq!(error.fault, Fault::TooMany);
        }
    }
}

#[test]
fn a_key_that_stands_twice_in_one_object_is_refused() {
    let edit = r#"{"op":"append","lines":["x"]}"#;
    let cases = [
        format!(r#"{{"path":"a","edits":[{edit}],"edits":[]}}"#),
        r#"{"path":"a","edits":[{"op":"append","lines":["x"]},{"op":"append","lines":["x"],"lines":["y"]}]}"#.to_owned(),
        r#"{"path":"a","edits":[{"set_line":{"anchor":"1:aa","anchor":"2:aa","new_text":"x"}}]}"#.to_owned(),
        r#"{"path":"a","edits":"[{\"op\":\"append\",\"op\":\"prepend\",\"lines\":[]}]"}"#.to_owned(),
        r#"{"path":"a","\u0070ath":"b","edits":[]}"#.to_owned(),
    ];
    let said: Vec<String> = cases
        .iter()
        .map(|body| {
            let error = parsed(body).expect_err("it is refused");
            assert_eq!(error.fault, Fault::RepeatedKey);
            format!("{}: {error}", error.fault.code().as_str())
        })
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    bad_request: edits: this key appears twice in one object; send it once
    bad_request: edits[1].lines: this key appears twice in one object; send it once
    bad_request: edits[0].set_line.anchor: this key appears twice in one object; send it once
    bad_request: edits[0].op: this key appears twice in one object; send it once
    bad_request: path: this key appears twice in one object; send it once
    ");
    assert!(parsed(&format!(r#"{{"path":"a","edits":[{edit},{edit}]}}"#)).is_ok());
    let read = parse_read(
        br#"{"path":"a","path":"b"}"#,
        Dialect::PI,
        &Limits::default(),
    );
    assert_eq!(
        read.err().map(|error| error.fault),
        Some(Fault::RepeatedKey)
    );
}

#[test]
fn a_file_without_a_name_is_refused() {
    let cases = [
        r#"{"path":"","edits":[{"op":"append","lines":["x"]}]}"#,
        r#"{"path":"a","edits":[{"op":"move","to_path":""}]}"#,
        r#"{"files":[{"path":"","edits":[{"op":"delete_file"}]}]}"#,
        r#"{"filePath":"a","edits":[{"op":"append","lines":["x"]}],"rename":""}"#,
        r#"{"patch":[{"op":"delete_file","path":"./"}]}"#,
        r#"{"patch":[{"op":"set_line","path":"","anchor":"1:aa","text":"x"}]}"#,
        r#"{"patch":[{"op":"move_file","from":"a","to":""}]}"#,
    ];
    let said: Vec<String> = cases
        .iter()
        .map(|body| {
            let error = parsed(body).expect_err("it is refused");
            format!("{}: {error}", error.fault.code().as_str())
        })
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    bad_request: path: the request names no file
    bad_request: edits[0].to_path: the name of a file must not be empty
    bad_request: files[0].path: the name of a file must not be empty
    bad_request: rename: the name of a file must not be empty
    bad_request: patch[0].path: the name of a file must not be empty
    bad_request: patch[0].path: the name of a file must not be empty
    bad_request: patch[0].to: the name of a file must not be empty
    ");
    let read = parse_read(br#"{"files":["a",""]}"#, Dialect::PI, &Limits::default());
    assert_eq!(
        read.err().map(|error| error.at),
        Some("files[1]".to_owned())
    );
}

#[test]
fn a_refused_request_says_its_file_and_its_dialect_where_they_are_known() {
    let known = |body: &str| {
        let error = parsed(body).expect_err("it is refused");
        (error.dialect.map(|dialect| dialect.name()), error.path)
    };
    let path = |name: &str| Some(name.to_owned());
    let cases = [
        (r#"{"path":"a","#, (None, None)),
        (
            r#"{"path":"a","edits":[{"type":"replace_line","ref":"1:aaaa"}]}"#,
            (Some("push"), path("a")),
        ),
        (
            r#"{"path":"a","operations":[{"action":"replace","start":"1:aa"}]}"#,
            (Some("cowboy"), path("a")),
        ),
        (
            r#"{"filePath":"a","edits":[{"op":"append"}]}"#,
            (Some("openagent"), path("a")),
        ),
        (
            r#"{"patch":[{"op":"delete_file","path":"a"},{"op":"set_line","path":"./b","anchor":"1:aa"}]}"#,
            (Some("pi"), path("b")),
        ),
        (
            r#"{"patch":[{"op":"delete","path":"a","anchor":"1:aa"},{"op":"delete"}]}"#,
            (Some("pi"), path("a")),
        ),
        (r#"{"patch":[]}"#, (Some("pi"), None)),
        (
            r#"{"files":[{"path":"a","edits":[{"op":"delete_file"}]},{"path":"b","edits":[]}]}"#,
            (Some("omp"), path("b")),
        ),
        (
            r#"{"files":[{"path":"a","edits":[{"op":"delete_file"}]}],"rev":"12345678"}"#,
            (Some("omp"), None),
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(known(body), expected, "{body}");
    }
    let options = ParseOptions {
        dialect: Some(Dialect::PUSH),
        ..ParseOptions::default()
    };
    let error = parse(b"no JSON", &options).expect_err("it is refused");
    assert_eq!(error.dialect, Some(Dialect::PUSH));
    let read = br#"{"tool":"read","args":{"path":"a","start":"x"}}"#;
    let error = parse_read(read, Dialect::COWBOY, &Limits::default()).expect_err("it is refused");
    assert_eq!(error.dialect, Some(Dialect::COWBOY));
    assert_eq!(error.path.as_deref(), Some("a"));
}

#[test]
fn a_list_is_never_taken_for_an_object() {
    for item in ["1", r#"["append",["x"]]"#, r#""x""#] {
        for (dialect, key) in [
            (Dialect::OMP, "edits"),
            (Dialect::PUSH, "edits"),
            (Dialect::PI, "patch"),
        ] {
            let said = refusal(dialect, &format!(r#"{{"{key}":[{item}]}}"#));
            assert_eq!(
                said,
                format!("bad_request: {key}[0]: expected a JSON object")
            );
        }
    }
    assert_eq!(
        refusal(Dialect::OMP, r#"{"edits":[{"set_line":["1:aa","x"]}]}"#),
        "bad_request: edits[0].set_line: expected a JSON object"
    );
    let read = parse_read(br#"{"files":[["a",1]]}"#, Dialect::PI, &Limits::default());
    assert_eq!(
        read.err().map(|error| error.to_string()),
        Some("files[0]: expected a JSON object".to_owned())
    );
}

#[test]
fn a_field_that_sounds_like_one_of_an_edit_is_refused_in_every_shape() {
    let cases = [
        (
            Dialect::OMP,
            r#"{"edits":[{"replace_lines":{"start_anchor":"1:aa","end":"2:aa","new_text":"x"}}]}"#,
        ),
        (
            Dialect::OMP,
            r#"{"edits":[{"replace_lines":{"anchor":"1:aa","start_anchor":"2:aa","new_text":"x"}}]}"#,
        ),
        (
            Dialect::OMP,
            r#"{"edits":[{"replace":{"old_text":"a","new_text":"b","replace_all":true}}]}"#,
        ),
        (
            Dialect::OMP,
            r#"{"edits":[{"set_line":{"anchor":"1:aa","new_text":"x"},"path":"b"}]}"#,
        ),
        (
            Dialect::OMP,
            r#"{"edits":[{"insert_after":{"anchor":"1:aa","text":"x","content":"y"}}]}"#,
        ),
        (
            Dialect::OMP,
            r#"{"edits":[{"insert_after":{"anchor":"1:aa"}}]}"#,
        ),
        (
            Dialect::PUSH,
            r#"{"edits":[{"type":"delete_line","ref":"1:aaaa","endLine":2}]}"#,
        ),
        (
            Dialect::COWBOY,
            r#"{"operations":[{"action":"delete","start":"1:aa","last-anchor":"2:aa"}]}"#,
        ),
        (
            Dialect::OPENAGENT,
            r#"{"filePath":"a","edits":[{"op":"replace","pos":"1#NK","end_pos":"2#NK","lines":[]}]}"#,
        ),
        (
            Dialect::PI,
            r#"{"patch":[{"op":"delete","path":"a","anchor":"1:aa","stop":"2:aa"}]}"#,
        ),
        (
            Dialect::LEAN,
            r#"{"files":[{"path":"a","file_hash":"00","edits":[{"op":"append","lines":["x"]}]}]}"#,
        ),
        (
            Dialect::LEAN,
            r#"{"path":"b","files":[{"path":"a","edits":[{"op":"append","lines":["x"]}]}]}"#,
        ),
    ];
    let said: Vec<String> = cases
        .iter()
        .map(|(dialect, body)| refusal(*dialect, body))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    bad_request: edits[0].replace_lines.end: unknown field `end`
    bad_request: edits[0].replace_lines.anchor: unknown field `anchor`
    bad_request: edits[0].replace.replace_all: unknown field `replace_all`
    bad_request: edits[0].path: unknown field `path`
    bad_request: edits[0].insert_after: duplicate field `text`
    bad_request: edits[0].insert_after: missing field `text`
    bad_request: edits[0].endLine: unknown field `endLine`
    bad_request: operations[0].last-anchor: unknown field `last-anchor`
    bad_request: edits[0].end_pos: unknown field `end_pos`
    bad_request: patch[0].stop: unknown field `stop`
    bad_request: files[0].file_hash: a request of this shape has no such field
    bad_request: path: with `files`, each file has its own path
    "#);
    let noted =
        r#"{"edits":[{"set_line":{"anchor":"1:aa","new_text":"x","reason":"y","comment":"z"}}]}"#;
    assert_eq!(refusal(Dialect::OMP, noted), "taken: Omp");
}

#[test]
fn a_path_beside_the_arguments_of_a_call_is_used_or_refused() {
    let edits = r#""edits":[{"op":"append","lines":["x"]}]"#;
    let path_of = |body: &str| {
        let parsed = parsed(body).map_err(|error| error.to_string())?;
        Ok::<_, String>(parsed.request.steps[0].path.clone())
    };
    let beside = format!(r#"{{"tool":"edit","path":"b","args":{{{edits}}}}}"#);
    assert_eq!(path_of(&beside), Ok("b".to_owned()));
    let same = format!(r#"{{"tool":"edit","path":"b","args":{{"filePath":"b",{edits}}}}}"#);
    assert_eq!(path_of(&same), Ok("b".to_owned()));
    let other = format!(r#"{{"tool":"edit","path":"b","args":{{"path":"c",{edits}}}}}"#);
    assert_eq!(
        path_of(&other),
        Err("path: the path next to `args` differs from the one inside".to_owned())
    );
    let inner =
        r#"{"path":"b","patch":{"path":"c","operations":[{"op":"delete","anchor":"1:aa"}]}}"#;
    assert_eq!(
        path_of(inner),
        Err("path: the path of the request differs from the one in `patch`".to_owned())
    );
    let null = format!(r#"{{"tool":"edit","path":"b","args":{{"path":null,{edits}}}}}"#);
    assert_eq!(path_of(&null), Ok("b".to_owned()));
    let noted = format!(r#"{{"tool":"edit","id":7,"args":{{"path":"c",{edits}}}}}"#);
    let notes = parsed(&noted).expect("it is understood").notes;
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].at, "id");
}

#[test]
fn a_read_loses_no_field() {
    let read = |body: &str| match parse_read(body.as_bytes(), Dialect::PI, &Limits::default()) {
        Ok(read) => {
            let files: Vec<&str> = read.files.iter().map(|file| file.path.as_str()).collect();
            let notes: Vec<&str> = read.notes.iter().map(|note| note.at.as_str()).collect();
            format!("reads {files:?}, notes {notes:?}")
        }
        Err(error) => error.to_string(),
    };
    let bodies = [
        r#"{"files":["a"],"verbose":true}"#,
        r#"{"files":["a"],"search":"x"}"#,
        r#"{"files":["a"],"paths":["b"]}"#,
        r#"{"files":["a"],"path":"b"}"#,
        r#"{"files":["a"],"offset":null}"#,
        r#"{"tool":"read","args":{"files":["a"]},"limit":3}"#,
        r#"{"tool":"read","args":{"path":"a"},"path":"b"}"#,
        r#"{"tool":"read","args":{"offset":2},"path":"b","id":1}"#,
        r#"{"tool":"read","path":"b"}"#,
        r#"{"path":"a","offset":"2"}"#,
        r#"{"path":"a","limit":-2}"#,
        r#"{"path":"a","maxMatches":1.5}"#,
    ];
    let said: Vec<String> = bodies
        .iter()
        .map(|body| format!("{body}\n    {}", read(body)))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    {"files":["a"],"verbose":true}
        reads ["a"], notes ["verbose"]
    {"files":["a"],"search":"x"}
        search: not allowed beside `files`: put it into each file
    {"files":["a"],"paths":["b"]}
        paths: not allowed beside `files`: put it into each file
    {"files":["a"],"path":"b"}
        path: not allowed beside `files`: put it into each file
    {"files":["a"],"offset":null}
        reads ["a"], notes []
    {"tool":"read","args":{"files":["a"]},"limit":3}
        limit: this field is next to `args`; put it inside
    {"tool":"read","args":{"path":"a"},"path":"b"}
        path: the path next to `args` differs from the one inside
    {"tool":"read","args":{"offset":2},"path":"b","id":1}
        reads ["b"], notes ["id"]
    {"tool":"read","path":"b"}
        reads ["b"], notes ["tool"]
    {"path":"a","offset":"2"}
        offset: invalid type: string "2", expected a JSON number
    {"path":"a","limit":-2}
        limit: expected 0 or more, not -2
    {"path":"a","maxMatches":1.5}
        maxMatches: expected a whole number, not 1.5
    "#);
}

#[test]
fn a_value_of_the_wrong_kind_is_answered_with_what_belongs_there() {
    let cases = [
        (
            Dialect::OMP,
            r#"{"edits":[{"set_line":{"anchor":"1:aa","new_text":3}}]}"#,
        ),
        (
            Dialect::LEAN,
            r#"{"edits":[{"op":"append","lines":["x",3]}]}"#,
        ),
        (
            Dialect::OPENAGENT,
            r#"{"filePath":"a","edits":[{"op":"append","lines":{"a":1}}]}"#,
        ),
        (
            Dialect::PI,
            r#"{"patch":[{"op":"delete","path":"a","range":["1:aa"]}]}"#,
        ),
        (
            Dialect::PI,
            r#"{"patch":[{"op":"delete","path":"a","range":{"start":"1:aa","end":2}}]}"#,
        ),
        (
            Dialect::LEAN,
            r#"{"context":"5","edits":[{"op":"append","lines":["x"]}]}"#,
        ),
        (
            Dialect::LEAN,
            r#"{"context":-1,"edits":[{"op":"append","lines":["x"]}]}"#,
        ),
    ];
    let said: Vec<String> = cases
        .iter()
        .map(|(dialect, body)| refusal(*dialect, body))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    bad_request: edits[0].set_line.new_text: invalid type: integer `3`, expected a string or a list of strings, one per line
    bad_request: edits[0].lines[1]: invalid type: integer `3`, expected a string
    bad_request: edits[0].lines: invalid type: map, expected a string or a list of strings, one per line
    bad_request: patch[0].range: expected two anchors: [first, last] or {"start": first, "end": last}
    bad_request: patch[0].range: expected two anchors: [first, last] or {"start": first, "end": last}
    bad_request: context: invalid type: string "5", expected a JSON number
    bad_request: context: expected 0 or more, not -1
    "#);
}

#[test]
fn a_request_of_pi_says_of_which_file_a_revision_is() {
    let body = |patch: &str, revs: &str| format!(r#"{{"patch":[{patch}],{revs}}}"#);
    let a = r#"{"op":"delete","path":"a","anchor":"1:aa"}"#;
    let b = r#"{"op":"delete","path":"b","anchor":"1:aa"}"#;
    let moved = r#"{"op":"move_file","from":"a","to":"b"}"#;
    let cases = [
        body(a, r#""rev":"00000000""#),
        body(&format!("{moved},{b}"), r#""rev":"00000000""#),
        body(&format!("{a},{b}"), r#""rev":"00000000""#),
        body(a, r#""revs":{"./a":"00000000"}"#),
        body(a, r#""revs":{"c":"00000000"}"#),
        body(a, r#""revs":{"./a":"00000000","a":"00000001"}"#),
        body(a, r#""rev":"00000000","revs":{"a":"00000001"}"#),
        format!(r#"{{"patch":{{"rev":"00000000","operations":[{a}]}}}}"#),
        format!(r#"{{"patch":[{a}],"operations":[{b}]}}"#),
    ];
    let said: Vec<String> = cases
        .iter()
        .map(|body| refusal(Dialect::PI, body))
        .collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    taken: Pi
    taken: Pi
    bad_request: rev: the request is for several files; send the revision of each: "revs":{path:rev}
    taken: Pi
    bad_request: revs.c: no operation of the request names this file
    bad_request: revs.a: the request gives two revisions of this file
    bad_request: revs.a: the request gives two revisions of this file
    bad_request: patch.rev: a request of this shape has no such field; the revision of each file belongs in `revs`, beside `patch`
    bad_request: operations: a request has `patch` or `operations`, not both
    "#);
}

#[test]
fn a_refusal_is_short_however_long_the_request() {
    let long = "x".repeat(100_000);
    let bodies = [
        format!(r#"{{"edits":[{{"set_line":{{"anchor":"{long}","new_text":3}}}}]}}"#),
        format!(
            r#"{{"edits":[{{"set_line":{{"anchor":"1:aa","new_text":"x"}}}}],"dry_run":"{long}"}}"#
        ),
        format!(r#"{{"edits":[{{"op":"{long}"}}]}}"#),
        format!(
            r#"{{"edits":[{{"set_line":{{"anchor":"1:aa","new_text":"x","end_{long}":1}}}}]}}"#
        ),
        format!(r#"{{"path":"{long}","edits":[{{"op":"append","lines":["x"]}}]}}"#),
        format!(r#"{{"patch":[{{"op":"delete_file","path":"{long}"}}]}}"#),
        format!(r#"{{"{long}":1,"{long}":2}}"#),
        format!(
            r#"{{"patch":[{{"op":"delete_file","path":"a"}}],"revs":{{"{long}":"00000000"}}}}"#
        ),
    ];
    for body in bodies {
        let options = ParseOptions::default();
        let error = parse(body.as_bytes(), &options).expect_err("it is refused");
        let terms = AnswerOptions::from(&error);
        let said = answer(&terms, &Err(Refusal::from(error)));
        let said = serde_json::to_string(&said).expect("it is JSON");
        assert!(
            said.len() < 4000,
            "{} bytes for {}",
            said.len(),
            &body[..60]
        );
    }
    let noted = format!(r#"{{"path":"a","{long}":1,"edits":[{{"op":"append","lines":["x"]}}]}}"#);
    let notes = parsed(&noted).expect("it is understood").notes;
    assert!(notes[0].at.len() < 1000);
}
