//! Nothing that a request says is lost without a word: it is done, noted, or the request is refused.

use hashline_core::dialect::Dialect;
use hashline_core::files::FileAction;
use hashline_wire::request::{
    Limits, Note, ParseOptions, parse, parse_read, parse_search, parse_write,
};

/// An edit of a dialect that needs nothing else.
fn an_edit(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OMP => r#"{"set_line":{"anchor":"1:aa","new_text":"x"}}"#,
        Dialect::PUSH => r#"{"type":"delete_line","ref":"1:aaaa"}"#,
        Dialect::COWBOY => r#"{"action":"delete","start":"1:aa"}"#,
        Dialect::OPENAGENT => r##"{"op":"replace","pos":"1#NK","lines":["x"]}"##,
        Dialect::PI => r#"{"op":"delete","path":"a","anchor":"1:aa"}"#,
        _ => r#"{"op":"delete","at":"1 aa"}"#,
    }
}

fn notes(notes: &[Note]) -> String {
    let told = notes.iter().map(hashline_wire::render::model::note);
    told.map(|note| format!("; {note}")).collect()
}

fn told(dialect: Dialect, body: &str) -> String {
    let options = ParseOptions {
        dialect: Some(dialect),
        ..ParseOptions::default()
    };
    match parse(body.as_bytes(), &options) {
        Err(bad) => format!("{}: {bad}", bad.fault.code().as_str()),
        Ok(parsed) => {
            let steps = parsed.request.steps.iter().map(|step| {
                let what = match &step.action {
                    FileAction::Edit(_) => "edit",
                    FileAction::Create(_) => "create",
                    FileAction::Rewrite(_) => "rewrite",
                    FileAction::Overwrite(..) => "overwrite",
                    FileAction::Move(_) => "move",
                    FileAction::Delete => "delete",
                };
                format!("{what} {}", step.path)
            });
            let steps: Vec<String> = steps.collect();
            format!("{}{}", steps.join(", "), notes(&parsed.notes))
        }
    }
}

fn table(rows: &[(Dialect, String)]) -> String {
    let rows = rows.iter().map(|(dialect, body)| {
        format!("{:<9} {body}\n    {}", dialect.name(), told(*dialect, body))
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// The dialects whose requests hold a list of edits of one file.
const OF_ONE_FILE: [Dialect; 5] = [
    Dialect::OMP,
    Dialect::PUSH,
    Dialect::COWBOY,
    Dialect::OPENAGENT,
    Dialect::LEAN,
];

#[test]
fn of_two_lists_of_edits_none_is_dropped_in_silence() {
    let mut rows: Vec<(Dialect, String)> = Vec::new();
    for dialect in Dialect::ALL {
        let edit = an_edit(dialect);
        rows.push((
            dialect,
            format!(r#"{{"path":"a","edits":[{edit}],"operations":[{edit}]}}"#),
        ));
    }
    let edit = an_edit(Dialect::COWBOY);
    let lists = format!(r#""edits":[{edit}],"operations":[{edit}]"#);
    rows.push((
        Dialect::COWBOY,
        format!(r#"{{"files":[{{"path":"a",{lists}}}]}}"#),
    ));
    rows.push((
        Dialect::OMP,
        format!(r#"{{"files":[{{"path":"a",{lists}}}]}}"#),
    ));
    rows.push((
        Dialect::OMP,
        format!(r#"{{"path":"a",{lists},"files":[{{"path":"b","operations":[{edit}]}}]}}"#),
    ));
    rows.push((
        Dialect::COWBOY,
        r#"{"path":"a","operations":[{"action":"replace","start":"1:aa","content":"x","new_text":"y"},{"action":"replace","start":"2:aa","content":"x","new_text":"x"}]}"#.to_owned(),
    ));
    insta::assert_snapshot!(table(&rows));
}

#[test]
fn a_field_beside_the_edits_that_carries_a_change_refuses_the_request() {
    let fields = [
        r#""set_line":{"anchor":"1:aa","new_text":"x"}"#,
        r#""replace":{"old_text":"x","new_text":"y"}"#,
        r#""old_string":"x""#,
        r#""new_string":"x""#,
        r#""old_text":"x""#,
        r#""new_text":"x""#,
        r#""replace_all":true"#,
        r#""endLine":3"#,
        r#""to_path":"b""#,
        r#""content":"x""#,
        r#""lines":["x"]"#,
        r#""text":"x""#,
        r#""dry":true"#,
        r#""append":"x""#,
        r#""op":"delete_file""#,
        r#""operation":"delete_file""#,
        r#""mode":"append""#,
        r#""offset":3"#,
    ];
    for dialect in Dialect::ALL {
        let edit = an_edit(dialect);
        let list = match dialect {
            Dialect::PI => "patch",
            _ => "edits",
        };
        for field in fields {
            let name = field.split('"').nth(1).expect("a field has a name");
            let body = format!(r#"{{"path":"a","{list}":[{edit}],{field}}}"#);
            let said = told(dialect, &body);
            let expected =
                format!("bad_request: {name}: a request of this shape has no such field");
            assert_eq!(said, expected, "{body}");
            let body =
                format!(r#"{{"tool":"edit","args":{{"path":"a","{list}":[{edit}]}},{field}}}"#);
            let said = told(dialect, &body);
            assert!(said.starts_with("bad_request"), "{body}: {said}");
            if dialect == Dialect::PI {
                continue;
            }
            let body = format!(r#"{{"files":[{{"path":"a","edits":[{edit}],{field}}}]}}"#);
            let said = told(dialect, &body);
            let expected = expected.replace("bad_request: ", "bad_request: files[0].");
            assert_eq!(said, expected, "{body}");
        }
        let called = format!(
            r#"{{"type":"function","tool":"edit","args":{{"type":"edit","path":"a","{list}":[{edit}]}}}}"#
        );
        let said = told(dialect, &called);
        let noted = "; Note: unknown field type was ignored.".repeat(2);
        assert_eq!(said, format!("edit a{noted}"), "{called}");
        let harmless =
            format!(r#"{{"path":"a","{list}":[{edit}],"reason":"x","title":1,"new_text":null}}"#);
        let said = told(dialect, &harmless);
        let noted =
            "; Note: unknown field reason was ignored.; Note: unknown field title was ignored.";
        assert_eq!(said, format!("edit a{noted}"), "{harmless}");
    }
}

#[test]
fn a_file_beside_files_is_the_first_of_them() {
    let append = r#"{"op":"append","lines":["new"]}"#;
    let null = r#"{"op":"append","pos":null,"lines":["new"]}"#;
    let rows = [append, null].map(|edit| {
        (
            Dialect::OPENAGENT,
            format!(
                r#"{{"filePath":"n1.txt","edits":[{edit}],"files":[{{"filePath":"n2.txt","edits":[{edit}]}}]}}"#
            ),
        )
    });
    insta::assert_snapshot!(table(&rows));
}

#[test]
fn what_is_null_or_empty_counts_as_absent() {
    let mut rows: Vec<(Dialect, String)> = Vec::new();
    for dialect in OF_ONE_FILE {
        let edit = an_edit(dialect);
        for empty in ["null", "[]"] {
            rows.push((
                dialect,
                format!(r#"{{"path":"a","rev":"","edits":[{edit}],"files":{empty}}}"#),
            ));
            rows.push((
                dialect,
                format!(
                    r#"{{"path":"a","rev":"","edits":{empty},"files":[{{"path":"b","rev":"","edits":[{edit}]}}]}}"#
                ),
            ));
        }
        rows.push((
            dialect,
            format!(r#"{{"path":"a","edits":[{edit}],"operations":[],"patch":[],"files":[]}}"#),
        ));
    }
    let edit = an_edit(Dialect::PI);
    for empty in [
        r#""revs":null"#,
        r#""revs":{}"#,
        r#""revs":{"a":""}"#,
        r#""operations":[]"#,
        r#""edits":[],"files":[]"#,
    ] {
        rows.push((Dialect::PI, format!(r#"{{"patch":[{edit}],{empty}}}"#)));
    }
    rows.push((
        Dialect::OPENAGENT,
        r#"{"filePath":"a","edits":[],"delete":true,"files":[{"path":"b","edits":[{"op":"append","lines":["x"]}]}]}"#.to_owned(),
    ));
    rows.push((Dialect::OMP, r#"{"files":[]}"#.to_owned()));
    insta::assert_snapshot!(table(&rows));
}

#[test]
fn a_create_may_have_an_empty_revision() {
    for dialect in Dialect::ALL {
        let body = r#"{"path":"a","rev":"","edits":[{"op":"create","content":"x"}]}"#;
        assert_eq!(told(dialect, body), "create a", "{}", dialect.name());
        let body = r#"{"files":[{"path":"a","rev":"","edits":[{"op":"create","content":"x"}]}]}"#;
        assert_eq!(told(dialect, body), "create a", "{}", dialect.name());
    }
}

#[test]
fn common_operations_are_taken_in_every_dialect_whatever_holds_them() {
    let edits = [
        (r#"{"op":"create","content":"x"}"#, "create a"),
        (r#"{"op":"create","content":"x","reason":null}"#, "create a"),
        (r#"{"op":"create","content":"x","ref":null}"#, "create a"),
        (r#"{"op":"rewrite","content":"x"}"#, "rewrite a"),
        (r#"{"op":"delete_file"}"#, "delete a"),
        (r#"{"op":"move","to_path":"b"}"#, "move a"),
        (
            r#"{"op":"substitute","old":"x","new":"y","all":true}"#,
            "edit a",
        ),
        (
            r#"{"op":"replace","at":"1 aa","to":"2 aa","lines":["x"]}"#,
            "edit a",
        ),
        (r#"{"op":"replace","at":"1 aa","text":"x"}"#, "edit a"),
        (r#"{"op":"delete","at":"1 aa"}"#, "edit a"),
        (
            r#"{"op":"insert_before","at":"1 aa","lines":["x"]}"#,
            "edit a",
        ),
        (
            r#"{"op":"insert_after","at":"1 aa","lines":["x"]}"#,
            "edit a",
        ),
        (r#"{"op":"prepend","lines":["x"]}"#, "edit a"),
        (r#"{"op":"append","lines":["x"]}"#, "edit a"),
        (r#"{"op":"append","text":"x"}"#, "edit a"),
        (
            r#"{"op":"append","lines":["x"]},{"op":"substitute","old":"x","new":"y"}"#,
            "edit a, edit a",
        ),
    ];
    for dialect in Dialect::ALL {
        for (edit, expected) in edits {
            for path in ["path", "filePath"] {
                let body = format!(r#"{{"{path}":"a","edits":[{edit}]}}"#);
                let said = told(dialect, &body);
                let done = said.split("; ").next().unwrap_or_default();
                assert_eq!(done, expected, "{} {body}: {said}", dialect.name());
            }
            let body = format!(r#"{{"files":[{{"path":"a","edits":[{edit}]}}]}}"#);
            assert_eq!(told(dialect, &body), expected, "{} {body}", dialect.name());
        }
    }
    let body = r#"{"path":"a","operations":[{"op":"create","content":"x"}]}"#;
    assert_eq!(told(Dialect::COWBOY, body), "create a");
}

#[test]
fn a_file_goes_by_any_of_its_names() {
    let limits = Limits::default();
    let mut rows = Vec::new();
    for name in ["filePath", "file_path", "file"] {
        let read = format!(r#"{{"{name}":"a","offset":2.0}}"#);
        rows.push(read_told(Dialect::OMP, &read));
        let both = format!(r#"{{"path":"a","{name}":"b"}}"#);
        rows.push(read_told(Dialect::OMP, &both));
        let write = format!(r#"{{"{name}":"a","content":"x"}}"#);
        let wrote = match parse_write(write.as_bytes(), &limits) {
            Ok(write) => format!("writes {}{}", write.path, notes(&write.notes)),
            Err(bad) => bad.to_string(),
        };
        rows.push(format!("{write}\n    {wrote}"));
        let search = format!(r#"{{"{name}":"a","pattern":"x","maxMatches":3.0}}"#);
        let searched = match parse_search(search.as_bytes(), &limits) {
            Ok((search, noted)) => format!("searches {:?}{}", search.path, notes(&noted)),
            Err(bad) => bad.to_string(),
        };
        rows.push(format!("{search}\n    {searched}"));
        let edit = an_edit(Dialect::OMP);
        let edit = format!(r#"{{"{name}":"a","edits":[{edit}]}}"#);
        rows.push(format!("{edit}\n    {}", told(Dialect::OMP, &edit)));
    }
    for dialect in [Dialect::PUSH, Dialect::COWBOY] {
        rows.push(read_told(dialect, r#"{"filePath":"a"}"#));
    }
    for body in [
        r#"{"paths":"[\"a.txt\",\"b.txt\"]"}"#,
        r#"{"paths":"[a].txt"}"#,
        r#"{"paths":"a.txt"}"#,
        r#"{"path":"a.txt","paths":[],"files":null}"#,
        r#"{"path":"","paths":["a.txt"]}"#,
        r#"{"files":[{"filePath":"a"},{"file":"b"}]}"#,
        r#"{"paths":[]}"#,
    ] {
        rows.push(read_told(Dialect::OMP, body));
    }
    insta::assert_snapshot!(rows.join("\n"));
}

fn read_told(dialect: Dialect, body: &str) -> String {
    let said = match parse_read(body.as_bytes(), dialect, &Limits::default()) {
        Ok(read) => {
            let files = read.files.iter();
            let files: Vec<String> = files
                .map(|file| match &file.search {
                    Some(search) => format!("{} for {search:?}", file.path),
                    None => format!("{} from {:?}", file.path, file.range.first),
                })
                .collect();
            format!("reads {}{}", files.join(", "), notes(&read.notes))
        }
        Err(bad) => bad.to_string(),
    };
    format!("{body}\n    {said}")
}

#[test]
fn fields_of_another_request_refuse_a_write() {
    let fields = [
        r#""lines":["x"]"#,
        r#""append":true"#,
        r#""mode":"append""#,
        r#""edits":[]"#,
        r#""old_string":"x""#,
        r#""new_string":"x""#,
        r#""old_text":"x""#,
        r#""text":"x""#,
        r#""offset":3"#,
        r#""dry_run":true"#,
    ];
    for field in fields {
        let body = format!(r#"{{"path":"a","content":"x",{field}}}"#);
        let bad = parse_write(body.as_bytes(), &Limits::default());
        let said = bad.map(|write| write.path).map_err(|bad| bad.to_string());
        let name = field.split('"').nth(1).expect("a field has a name");
        let expected = format!("{name}: a request of this shape has no such field");
        assert_eq!(said, Err(expected), "{body}");
    }
    let body = r#"{"path":"a","content":"x","reason":"y","lines":null,"rev":null}"#;
    let write = parse_write(body.as_bytes(), &Limits::default()).expect("it is understood");
    assert_eq!(write.notes.len(), 1);
}

#[test]
fn numbers_are_whole_however_they_are_written() {
    let numbers = ["3.0", "3e0", "0", "0.0", "-1", "-1.0", "2.5", "1e300"];
    let mut rows = Vec::new();
    for number in numbers {
        for field in ["offset", "limit", "contextBefore", "maxMatches"] {
            let body = format!(r#"{{"path":"a","search":"x","{field}":{number}}}"#);
            let read = parse_read(body.as_bytes(), Dialect::OMP, &Limits::default());
            let read = read.map(|read| {
                let search = read.files[0]
                    .search
                    .as_ref()
                    .map(|search| search.max_matches);
                format!("{:?} {search:?}", read.files[0].range)
            });
            rows.push(format!("read {field} {number}: {}", said(read)));
        }
        let body = format!(r#"{{"pattern":"x","maxMatches":{number}}}"#);
        let search = parse_search(body.as_bytes(), &Limits::default());
        let search = search.map(|(search, _)| format!("{:?}", search.max_matches));
        rows.push(format!("search maxMatches {number}: {}", said(search)));
    }
    // By its own definition pi takes these.
    let body = r#"{"path":"a","search":"x","maxMatches":-1,"contextBefore":-1}"#;
    let read = parse_read(body.as_bytes(), Dialect::PI, &Limits::default());
    rows.push(format!(
        "pi {}",
        said(read.map(|read| format!("{} file", read.files.len())))
    ));
    insta::assert_snapshot!(rows.join("\n"));
}

fn said(read: Result<String, hashline_wire::BadRequest>) -> String {
    read.unwrap_or_else(|bad| bad.to_string())
}
