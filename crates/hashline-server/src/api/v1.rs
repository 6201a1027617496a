//! Our own routes: read, search, edit, write and verify, with the requests of every dialect and the answers of the command line with `--json`.

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_core::policy::Context;
use hashline_core::render::{display, shown_range};
use hashline_core::text::LineSpan;
use hashline_session::words::{
    found_answer, read_answer, read_refusal, refused_answer, verified_answer,
};
use hashline_session::{
    EditAnswer, Overrides, ReadLines, ReadSpec, SearchOptions, View, search_failure,
};
use hashline_wire::answer::{AnswerForm, Outcome, answer, common};
use hashline_wire::request::{
    LineRange, ReadFile, parse_read, parse_search, parse_verify, parse_write,
};
use hashline_wire::{AnswerOptions, BadRequest, Refusal, Written};
use hashline_workspace::FileToRead;
use serde_json::Value;

use crate::api::call::{Call, Role};
use crate::api::conditions::Versions;
use crate::api::reply::{Reply, only_version};

/// Reads one file or several.
pub(crate) fn read(call: &Call, body: &[u8]) -> Reply {
    let body = match call.body(body) {
        Ok(body) => body,
        Err(problem) => return problem.reply(unparsed),
    };
    let is_list = ["files", "paths"]
        .iter()
        .any(|key| body.get(*key).is_some());
    let anchors = body.get("annotate").and_then(Value::as_bool);
    let anchors = anchors.unwrap_or(call.headers.role != Some(Role::Orchestrator));
    let body = without(body, "annotate");
    // All dialects read with the same arguments: only the anchors differ.
    let request = match parse_read(body, Dialect::LEAN, &call.limits()) {
        Ok(request) => request,
        Err(bad) => return unparsed(bad),
    };
    let session = call.session();
    let specs: Vec<ReadSpec> = request.files.iter().map(whole).collect();
    let dialect = call.dialect_or_default();
    let read = match session.read(&specs, dialect, Some(&call.cancel)) {
        Ok(read) => read,
        Err(refusal) => return refused(refusal),
    };
    let mut views: Vec<Result<View, Refusal>> = read
        .files
        .into_iter()
        .zip(&request.files)
        .map(|(view, file)| view.map(|view| narrowed(view, file)))
        .collect();
    let show = |view: &View| {
        if anchors {
            session.showed(view, dialect, None);
        }
        shown(view, dialect, anchors)
    };
    match views.as_mut_slice() {
        [one] if !is_list => match one {
            Ok(view) => {
                let version = view.sha256();
                let known = version.clone();
                let known = known.filter(|version| call.headers.conditions.has(version));
                if let Some(version) = known {
                    return Reply::not_modified(version);
                }
                Reply::done(&show(view)).with_version(version)
            }
            Err(refusal) => refused(refusal.clone()),
        },
        several => {
            let ok = several.iter().all(Result::is_ok);
            let files = several.iter().map(|view| match view {
                Ok(view) => show(view),
                Err(refusal) => {
                    let refusal = refusal.clone().with_written(Written::NotAsked);
                    json(&refused_answer(&refusal, dialect))
                }
            });
            let files: Vec<Value> = files.collect();
            Reply::done(&serde_json::json!({"ok": ok, "files": files}))
        }
    }
}

/// Returns what is to be read of a file: all of it, since the answer names the version of the whole file.
fn whole(file: &ReadFile) -> ReadSpec {
    let spec = ReadSpec::from(file);
    match spec.lines {
        ReadLines::Range(_) => ReadSpec {
            lines: ReadLines::All,
            ..spec
        },
        _ => spec,
    }
}

/// Limits the view of a file to the range of lines that was requested.
fn narrowed(mut view: View, file: &ReadFile) -> View {
    if file.search.is_none() && file.range != LineRange::default() {
        let LineRange {
            first,
            last,
            context,
        } = file.range;
        let span: LineSpan = shown_range(first, last, context, view.line_count);
        view.spans = vec![span];
    }
    view
}

fn shown(view: &View, dialect: Dialect, anchors: bool) -> Value {
    if anchors {
        let lines = || view.anchored(dialect.scheme).map(|line| line.to_string());
        json(&read_answer(view, &view.path, lines))
    } else {
        let lines = || {
            view.lines()
                .map(|(_, line)| display(line.text).into_owned())
        };
        json(&read_answer(view, &view.path, lines))
    }
}

/// Searches files.
pub(crate) fn search(call: &Call, body: &[u8]) -> Reply {
    let body = match call.body(body) {
        Ok(body) => body,
        Err(problem) => return problem.reply(unparsed),
    };
    let request = match parse_search(body, &call.limits()) {
        Ok((request, _)) => request,
        Err(bad) => return unparsed(bad),
    };
    let service = &call.workspace.service;
    let query = match service.query(&request) {
        Ok(query) => query,
        Err(refusal) => return refused(refusal),
    };
    let options = SearchOptions {
        cancel: Some(&call.cancel),
        ..SearchOptions::default()
    };
    match call
        .session()
        .search(&query, call.dialect_or_default(), &options)
    {
        Ok(found) => {
            let failed = search_failure(&query, &found).map(read_refusal);
            let answer = found_answer(&found, failed.as_ref());
            match failed {
                Some(refusal) => Reply::refused(refusal.code(), &answer),
                None => Reply::done(&answer),
            }
        }
        Err(refusal) => refused(refusal),
    }
}

/// Edits files, in the request format of any dialect.
pub(crate) fn edit(call: &Call, body: &[u8]) -> Reply {
    let body = match call.body(body) {
        Ok(body) => body,
        Err(problem) => return problem.reply(unparsed),
    };
    let required = call.required_version(|| call.version_of(call.headers.dialect, &body));
    let overrides = Overrides {
        dialect: call.headers.dialect,
        form: call.headers.form,
        ..call.overrides(required.as_deref())
    };
    answered(call, call.session().apply(body, &overrides))
}

/// Writes a whole file: a new one, or one whose revision or version the caller names.
pub(crate) fn write(call: &Call, body: &[u8]) -> Reply {
    let body = match call.body(body) {
        Ok(body) => body,
        Err(problem) => return problem.reply(unparsed),
    };
    let required = call.required_version(|| {
        let write = parse_write(body.clone(), &call.limits()).ok()?;
        call.workspace.service.version(&write.path)
    });
    let overrides = Overrides {
        dialect: call.headers.dialect,
        form: AnswerForm::Common,
        ..call.overrides(required.as_deref())
    };
    let answer = call.session().write(body, &overrides);
    let creates = call.headers.conditions.none_matching == Some(Versions::Any);
    let exists = answer
        .outcome
        .as_ref()
        .is_err_and(|refusal| refusal.code() == Code::FileExists);
    let reply = answered(call, answer);
    if creates && exists {
        reply.with_status(412)
    } else {
        reply
    }
}

/// Checks where anchors land now.
pub(crate) fn verify(call: &Call, body: &[u8]) -> Reply {
    let body = match call.body(body) {
        Ok(body) => body,
        Err(problem) => return problem.reply(unparsed),
    };
    let request = match parse_verify(body, &call.limits()) {
        Ok(request) => request,
        Err(bad) => return unparsed(bad),
    };
    let file = match FileToRead::named(&request.path, request.encoding.as_deref()) {
        Ok(file) => file,
        Err(error) => return refused(read_refusal(&error)),
    };
    let context = request.context.map_or_else(Context::default, Context::new);
    let dialect = call.dialect_or_default();
    let session = call.session();
    match session.verify(
        file,
        request.rev.as_ref(),
        &request.anchors,
        dialect,
        context,
    ) {
        // That anchors do not land is an answer, not an error.
        Ok(verified) => Reply::done(&verified_answer(&verified)),
        Err(refusal) => refused(refusal),
    }
}

/// Replies with the answer to an edit or a write.
fn answered(call: &Call, answered: EditAnswer) -> Reply {
    let EditAnswer {
        mut options,
        outcome,
    } = answered;
    options.state = call.workspace.service.take_notices();
    let reply = match options.form {
        AnswerForm::Dialect => Reply::of(&outcome, &answer(&options, &outcome)),
        AnswerForm::Text | AnswerForm::Common => Reply::of(&outcome, &common(&options, &outcome)),
    };
    let is_missing = outcome
        .as_ref()
        .is_err_and(|refusal| refusal.code() == Code::FileNotFound);
    // A file that is not there has no version that `If-Match` could name.
    let reply = if is_missing && call.headers.conditions.matching.is_some() {
        reply.with_status(412)
    } else {
        reply
    };
    let version = outcome.as_ref().ok().and_then(only_version);
    let reply = reply.with_options(&options);
    reply.with_version(version).with_outcome(outcome)
}

/// Replies to a request that cannot be parsed.
pub(crate) fn unparsed(bad: BadRequest) -> Reply {
    refused(Refusal::from(bad))
}

/// Replies to a request that was refused before anything was to be written.
pub(crate) fn refused(refusal: Refusal) -> Reply {
    let options = AnswerOptions::new(Dialect::default());
    let refusal = refusal.with_written(Written::NotAsked);
    let code = refusal.code();
    let outcome: Outcome = Err(refusal);
    Reply::refused(code, &common(&options, &outcome))
}

fn without(mut body: Value, field: &str) -> Value {
    if let Some(fields) = body.as_object_mut() {
        fields.shift_remove(field);
    }
    body
}

fn json(answer: &impl serde::Serialize) -> Value {
    // Our answers have only names for keys, so they can be written as JSON.
    serde_json::to_value(answer).unwrap_or_default()
}
