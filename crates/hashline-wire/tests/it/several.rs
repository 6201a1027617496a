//! Several files in one request, each in any shape; the revision that a server asks for; whole files; searches.

use hashline_core::dialect::Dialect;
use hashline_core::files::FileAction;
use hashline_wire::request::{
    Anchors, Limits, ParseOptions, RevRule, parse, parse_search, parse_write,
};

fn read(dialect: Option<Dialect>, rev_rule: RevRule, request: &str) -> String {
    let options = ParseOptions {
        dialect,
        rev_rule,
        ..ParseOptions::default()
    };
    match parse(request.as_bytes(), &options) {
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
                format!("{} {what} {}", step.no, step.path)
            });
            let revs = parsed.request.revs.iter();
            let revs = revs.map(|(path, rev)| format!("{path}@{rev}"));
            let notes = parsed.notes.iter().map(|note| format!("note {}", note.at));
            steps
                .chain(revs)
                .chain(notes)
                .collect::<Vec<_>>()
                .join("; ")
        }
    }
}

#[test]
fn a_file_among_several_has_any_shape() {
    let requests = [
        r#"{"files":[{"path":"a","rev":"11111111","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}]},{"path":"b","rev":"22222222","edits":[{"op":"append","lines":["y"]}]}]}"#,
        r#"{"files":[{"path":"a","rev":"11111111","operations":[{"action":"replace","start":"1:aa","content":"x"}]},{"path":"b","edits":[{"op":"create","content":"y"}]}]}"#,
        r#"{"path":"a","rev":"11111111","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}},{"set_line":{"anchor":"2:aa","new_text":"x"}}],"files":[{"path":"b","rev":"22222222","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}]}],"dry_run":true}"#,
        r#"{"path":"","edits":[],"files":[{"path":"b","rev":"22222222","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}]}]}"#,
        r#"{"path":"a","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}],"files":[{"path":"a","edits":[{"set_line":{"anchor":"2:aa","new_text":"x"}}]}]}"#,
        r#"{"files":[{"path":"a","dry_run":true,"edits":[{"op":"append","lines":["y"]}]}]}"#,
        r#"{"files":[{"path":"a","edits":[{"set_line":{"anchor":"1:aa"}}]}]}"#,
        r#"{"files":[{"path":"a","odd":1,"edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}]}]}"#,
        r#"{"files":[{"patch":[]}]}"#,
        r#"{"files":[[]]}"#,
    ];
    let told = requests
        .map(|request| format!("{request}\n    {}", read(None, RevRule::Optional, request)));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_server_wants_the_revision_of_every_file_whose_lines_are_named() {
    let requests = [
        r#"{"path":"a","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}]}"#,
        r#"{"path":"a","rev":"11111111","edits":[{"set_line":{"anchor":"1:aa","new_text":"x"}}]}"#,
        r#"{"path":"a","edits":[{"op":"append","lines":["x"]}]}"#,
        r#"{"path":"a","edits":[{"op":"substitute","old":"x","new":"y"}]}"#,
        r#"{"path":"a","edits":[{"op":"create","content":"x"}]}"#,
        r#"{"path":"a","edits":[{"op":"rewrite","content":"x"}]}"#,
        r#"{"files":[{"path":"a","rev":"11111111","edits":[{"op":"delete","at":"1:aa"}]},{"path":"b","edits":[{"op":"delete","at":"1:aa"}]}]}"#,
        r#"{"patch":[{"op":"delete","path":"a","anchor":"1:aa"}]}"#,
        r#"{"patch":[{"op":"move_file","from":"a","to":"b"},{"op":"delete","path":"b","anchor":"1:aa"}],"revs":{"a":"11111111"}}"#,
    ];
    let told = requests
        .map(|request| format!("{request}\n    {}", read(None, RevRule::Required, request)));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn requests_to_write_and_to_search() {
    let limits = Limits::default();
    let writes = [
        r#"{"path":"a","content":"x"}"#,
        r#"{"path":"a","content":"x","rev":"11111111","keep_anchors":true}"#,
        r#"{"path":"","content":"x"}"#,
        r#"{"path":"a"}"#,
        r#"{"path":"a","content":"x","rev":"no"}"#,
    ];
    let written = writes.map(|body| match parse_write(body.as_bytes(), &limits) {
        Ok(write) => {
            let rev = write.rev.map(|rev| rev.to_string());
            let kept = write.anchors == Anchors::Kept;
            format!(
                "{body}\n    {} rev {rev:?} anchors kept: {kept}",
                write.path
            )
        }
        Err(bad) => format!("{body}\n    {}: {bad}", bad.fault.code().as_str()),
    });
    let searches = [
        r#"{"pattern":"x"}"#,
        r#"{"pattern":"x","path":"src","contextBefore":"2","odd":1}"#,
        r#"{"pattern":""}"#,
        r#"{}"#,
    ];
    let searched = searches.map(|body| match parse_search(body.as_bytes(), &limits) {
        Ok((search, notes)) => format!(
            "{body}\n    {:?} in {:?}, {:?} before, {} noted",
            search.pattern,
            search.path,
            search.context_before,
            notes.len()
        ),
        Err(bad) => format!("{body}\n    {}: {bad}", bad.fault.code().as_str()),
    });
    insta::assert_snapshot!(
        written
            .into_iter()
            .chain(searched)
            .collect::<Vec<_>>()
            .join("\n")
    );
}
