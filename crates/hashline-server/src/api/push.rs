//! Seed 001's routes: `read-file`, `edit-file` and `write-file`. They answer 200 to every request that is JSON, and 400 to others; conditions of HTTP
//! that do not hold are answered 412, as everywhere.

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_core::files::Replaces;
use hashline_session::{EditAnswer, Overrides, PushRead};
use hashline_wire::answer::{AnswerForm, Outcome, answer, push_refused, push_written};
use hashline_wire::request::{parse_push_write, parse_read};
use hashline_wire::{BadRequest, Refusal, Written};
use serde_json::json;

use crate::api::call::{Call, Role};
use crate::api::conditions::Versions;
use crate::api::reply::{Reply, only_version};

/// Reads a file, or a range of its lines, with anchors if the request says so or the coder sends it.
pub(crate) fn read_file(call: &Call, body: &[u8]) -> Reply {
    let mut body = match call.body(body) {
        Ok(body) => body,
        Err(problem) => return problem.reply(unparsed),
    };
    let is_coder = call.headers.role == Some(Role::Coder);
    if let Some(fields) = body.as_object_mut() {
        fields.entry("annotate").or_insert(is_coder.into());
    }
    let request = match parse_read(body, Dialect::PUSH, &call.limits()) {
        Ok(request) => request,
        Err(bad) => return unparsed(bad),
    };
    let [file] = request.files.as_slice() else {
        let message = "read-file reads one file";
        return refused(&Refusal::new(Code::BadRequest, message));
    };
    let (annotate, most) = (request.annotate, call.workspace.options.read_chars);
    let has = |version: &str| call.headers.conditions.has(version);
    let session = call.session();
    match session.push_read(file, annotate, most, Some(&call.cancel), &has) {
        Ok(PushRead::Page(page)) => {
            let version = page.answer.file_hash.clone();
            Reply::done(&page.answer)
                .with_version(Some(version))
                .with_page(&page)
        }
        Ok(PushRead::Known(version)) => Reply::not_modified(version),
        Err(refusal) => refused(&refusal.with_written(Written::NotAsked)),
    }
}

/// Edits lines of a file by anchors, if `edit-file` is on for the task.
pub(crate) fn edit_file(call: &Call, body: &[u8]) -> Reply {
    let body = match call.body(body) {
        Ok(body) => body,
        Err(problem) => return problem.reply(unparsed),
    };
    let options = &call.workspace.options;
    let task = call.headers.task.as_deref();
    if !options.edit_file.includes(&options.name, task) {
        let answer = json!({
            "ok": false,
            "error": "edit_disabled",
            "use": "write-file",
            "message": "Nothing was written. edit-file is off for this task.\nNext: send the whole file with write-file.",
        });
        return Reply::disabled(&answer);
    }
    let session = call.session();
    let required = call.required_version(|| call.version_of(Some(Dialect::PUSH), &body));
    let overrides = Overrides {
        dialect: Some(Dialect::PUSH),
        form: AnswerForm::Dialect,
        ..call.overrides(required.as_deref())
    };
    let EditAnswer {
        mut options,
        outcome,
    } = session.apply(body, &overrides);
    options.state = call.workspace.service.take_notices();
    let reply = Reply::of(&outcome, &answer(&options, &outcome)).with_options(&options);
    conditional(reply, required.as_deref(), outcome)
}

/// Writes a whole file, of any bytes.
pub(crate) fn write_file(call: &Call, body: &[u8]) -> Reply {
    let parsed = match call.body(body) {
        Ok(body) => parse_push_write(body, &call.limits()),
        Err(problem) => return problem.reply(unparsed),
    };
    let request = match parsed {
        Ok(request) => request,
        Err(bad) => return unparsed(bad),
    };
    let required = call.required_version(|| version_at(call, &request.path));
    let expected = request.expected_version.clone();
    let differ = |(one, other): (&String, &String)| !one.eq_ignore_ascii_case(other);
    if required.as_ref().zip(expected.as_ref()).is_some_and(differ) {
        let message = "If-Match and `expected_version` name different versions";
        return refused(&Refusal::new(Code::BadRequest, message));
    }
    let replaces = match call.headers.conditions.none_matching {
        Some(Versions::Any) => Replaces::Nothing,
        Some(Versions::Listed(_)) | None => Replaces::Anything,
    };
    let path = request.path.clone();
    let overrides = call.overrides(required.as_deref());
    let EditAnswer {
        mut options,
        outcome,
    } = call.session().push_write(request, replaces, &overrides);
    options.state = call.workspace.service.take_notices();
    let expected = expected.or_else(|| required.clone());
    let written = push_written(&path, expected.as_deref(), &options, &outcome);
    let reply = Reply::of(&outcome, &written).with_options(&options);
    let condition = required.or((replaces == Replaces::Nothing).then(String::new));
    conditional(reply, condition.as_deref(), outcome)
}

/// Gives a reply the status of this API: 412 if a condition of the headers does not hold, otherwise 200.
fn conditional(reply: Reply, condition: Option<&str>, outcome: Outcome) -> Reply {
    let fails = |code: Code| {
        matches!(
            code,
            Code::StaleFile | Code::FileExists | Code::FileNotFound
        )
    };
    let failed = outcome.as_ref().is_err_and(|refusal| fails(refusal.code()));
    let status = if condition.is_some() && failed {
        412
    } else {
        200
    };
    let version = outcome.as_ref().ok().and_then(only_version);
    reply
        .with_status(status)
        .with_version(version)
        .with_outcome(outcome)
}

/// Returns the SHA-256 of a file; `None` if it cannot be read.
fn version_at(call: &Call, path: &str) -> Option<String> {
    call.workspace.service.version(path)
}

/// Replies to a request that cannot be parsed.
fn unparsed(bad: BadRequest) -> Reply {
    let bad = BadRequest {
        dialect: Some(Dialect::PUSH),
        ..bad
    };
    refused(&Refusal::from(bad))
}

fn refused(refusal: &Refusal) -> Reply {
    Reply::refused(refusal.code(), &push_refused(refusal)).with_status(200)
}
