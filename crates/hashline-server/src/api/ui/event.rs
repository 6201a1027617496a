//! The events that a watcher gets: one for each call, built only if someone watches, and cut to a size that a page can show.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use hashline_core::files::{FileEdited, FilesEdited, Status};
use hashline_wire::Refusal;
use hashline_wire::request::Mode;
use serde::Serialize;
use serde_json::{Value, json};

use super::watchers::{Scope, Watchers};
use crate::api::call::Call;
use crate::api::reply::{Reply, Verdict};
use crate::api::routes::ApiRoute;
use crate::api::workspaces::ServedWorkspace;

/// The most bytes of all diffs of an event together.
const DIFF_BYTES: usize = 64 << 10;
/// The most bytes of a sentence or a line in an event.
const TEXT_BYTES: usize = 4 << 10;
/// The most files, moves of a file and repairs of a file that an event lists.
const LISTED: usize = 50;

/// What a watcher sees of one call.
#[derive(Serialize)]
struct CallSeen<'a> {
    kind: &'static str,
    /// The number of the event, from 1, over all workspaces.
    no: u64,
    /// When the call was answered, in milliseconds since 1970.
    at: u64,
    workspace: &'a str,
    route: &'static str,
    session: Option<&'a str>,
    task: Option<&'a str>,
    path: Option<String>,
    /// `done`, `not_modified`, `refused` or `denied`.
    verdict: &'static str,
    /// Why it was refused or denied.
    code: Option<&'static str>,
    status: u16,
    /// Whether it was an edit that was only tried.
    dry_run: bool,
    /// How long it took from its arrival, in milliseconds.
    ms: f64,
    /// Why it was refused, in sentences.
    message: Option<String>,
    /// The files that an edit changed.
    files: Vec<FileSeen>,
    /// How many further files were changed.
    more_files: usize,
}

/// What a watcher sees of one edited file.
#[derive(Serialize)]
struct FileSeen {
    path: String,
    /// The old name of a file that was moved.
    from: Option<String>,
    status: &'static str,
    added: usize,
    removed: usize,
    diff: String,
    /// How many bytes of the diff are left out.
    diff_cut: usize,
    /// Lines that were found at another place than their anchors name.
    moves: Vec<MoveSeen>,
    move_count: usize,
    repairs: Vec<RepairSeen>,
    repair_count: usize,
}

/// Lines that were found at another place than their anchors name.
#[derive(Serialize)]
struct MoveSeen {
    edit: usize,
    from: String,
    to: String,
    text: String,
}

/// A correction of new text.
#[derive(Serialize)]
struct RepairSeen {
    edit: usize,
    rule: &'static str,
}

/// Tells those who watch about a call, if anyone does. Whatever goes wrong here, the call is answered.
pub(crate) fn publish(
    watchers: &Watchers,
    route: &ApiRoute,
    call: &Call,
    body: &[u8],
    reply: &Reply,
    started: Instant,
) {
    let workspace = &call.workspace.options.name;
    if watchers.watch(workspace) {
        let ms = started.elapsed().as_secs_f64() * 1000.0;
        let event = AssertUnwindSafe(|| framed("call", &seen(route, call, body, reply, ms)));
        if let Ok(event) = catch_unwind(event) {
            watchers.send(workspace, &event);
        }
    }
}

/// Returns the first event of a stream: what its token gives access to.
pub(super) fn hello(workspace: Option<&ServedWorkspace>, scope: &Scope) -> Bytes {
    let dialect = workspace.and_then(|one| one.dialect).unwrap_or_default();
    let hello = json!({
        "kind": "hello",
        "workspace": workspace.map(|one| &one.options.name),
        "all": *scope == Scope::All,
        "dialect": dialect.name(),
        "version": env!("CARGO_PKG_VERSION"),
    });
    framed("hello", &hello)
}

/// Returns the event that tells how many were lost.
pub(super) fn missed(count: u64) -> Bytes {
    framed("missed", &json!({"kind": "missed", "count": count}))
}

/// Writes an event as a server-sent event. JSON on one line has no line breaks.
fn framed(kind: &str, event: &impl Serialize) -> Bytes {
    // Our events have only names for keys, so they can be written as JSON.
    let json = serde_json::to_string(event).unwrap_or_default();
    format!("event: {kind}\ndata: {json}\n\n").into()
}

fn seen<'a>(route: &ApiRoute, call: &'a Call, body: &[u8], reply: &Reply, ms: f64) -> CallSeen<'a> {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let (verdict, code) = match reply.verdict {
        Verdict::Done => ("done", None),
        Verdict::NotModified => ("not_modified", None),
        Verdict::Refused(code) => ("refused", Some(code.as_str())),
        Verdict::Denied(_, name) => ("denied", Some(name)),
    };
    let outcome = reply.outcome.as_ref();
    let edited = outcome.and_then(|outcome| outcome.as_ref().ok());
    let refusal = outcome.and_then(|outcome| outcome.as_ref().err());
    let message = match refusal {
        Some(refusal) => Some(sentences(refusal)),
        None => code.and_then(|_| reply.message()),
    };
    let files = edited.map(files_seen).unwrap_or_default();
    let path = files.first().map(|file| file.path.clone());
    let path = path.or_else(|| refusal?.path().map(str::to_owned));
    let at = SystemTime::now().duration_since(UNIX_EPOCH);
    CallSeen {
        kind: "call",
        no: NUMBER.fetch_add(1, Ordering::Relaxed),
        at: at.map_or(0, |at| u64::try_from(at.as_millis()).unwrap_or(0)),
        workspace: &call.workspace.options.name,
        route: route.name,
        session: call.headers.session.as_deref(),
        task: call.headers.task.as_deref(),
        path: path.or_else(|| path_in(body)).map(cut),
        verdict,
        code,
        status: reply.status(),
        dry_run: reply.mode == Mode::DryRun,
        ms,
        message: message.map(cut),
        more_files: edited.map_or(0, |edited| edited.files.len() - files.len()),
        files,
    }
}

/// Returns what is seen of the files that an edit changed; the diffs share one limit.
fn files_seen(edited: &FilesEdited) -> Vec<FileSeen> {
    let mut room = DIFF_BYTES;
    let files = edited.files.iter().take(LISTED);
    files
        .map(|file| {
            let seen = file_seen(file, room);
            room -= seen.diff.len();
            seen
        })
        .collect()
}

fn file_seen(file: &FileEdited, room: usize) -> FileSeen {
    let report = &file.edited.report;
    let name = file.name();
    let diff = report.diff(file.from.as_deref().unwrap_or(name), name);
    let shown = whole_lines(&diff.text, room);
    let moves = report.moves.iter().take(LISTED).map(|moved| MoveSeen {
        edit: moved.edit.index() + 1,
        from: moved.from.to_string(),
        to: moved.to.to_string(),
        text: cut(moved.text.clone()),
    });
    let repairs = report.repairs.iter().take(LISTED).map(|repair| RepairSeen {
        edit: repair.edit.index() + 1,
        rule: repair.rule.name(),
    });
    FileSeen {
        path: cut(name.to_owned()),
        from: file.from.clone().filter(|from| from != name).map(cut),
        status: match file.status() {
            Status::Modified => "modified",
            Status::Added => "added",
            Status::Moved => "moved",
            Status::Deleted => "deleted",
        },
        added: diff.added,
        removed: diff.removed,
        diff_cut: diff.text.len() - shown.len(),
        diff: shown.to_owned(),
        moves: moves.collect(),
        move_count: report.moves.len(),
        repairs: repairs.collect(),
        repair_count: report.repairs.len(),
    }
}

/// Returns what a refusal says.
fn sentences(refusal: &Refusal) -> String {
    let what = refusal.failures().map(|failure| failure.what.join("; "));
    what.collect::<Vec<_>>().join("\n")
}

/// Returns the first file that a request names.
fn path_in(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let named = |value: &Value| {
        let path = value.get("path").or_else(|| value.get("filePath"))?;
        path.as_str().map(str::to_owned)
    };
    let first = |key: &str| {
        let one = body.get(key)?.get(0)?;
        one.as_str().map(str::to_owned).or_else(|| named(one))
    };
    named(&body)
        .or_else(|| named(body.get("args")?))
        .or_else(|| first("files"))
        .or_else(|| first("paths"))
}

/// Returns the whole lines at the start of a text that fit into a number of bytes.
fn whole_lines(text: &str, room: usize) -> &str {
    if text.len() <= room {
        return text;
    }
    let fits = text
        .get(..text.floor_char_boundary(room))
        .unwrap_or_default();
    let end = fits.rfind('\n').map_or(0, |at| at + 1);
    fits.get(..end).unwrap_or_default()
}

/// Cuts a text to the size of a sentence or a line.
fn cut(mut text: String) -> String {
    if text.len() > TEXT_BYTES {
        text.truncate(text.floor_char_boundary(TEXT_BYTES));
        text.push('…');
    }
    text
}
