//! The reply to one call: its status, its JSON, and what is counted about it.

use bytes::Bytes;
use hashline_core::Code;
use hashline_core::files::FilesEdited;
use hashline_core::policy::Mode;
use hashline_wire::answer::{AnswerOptions, Outcome, PushPage};
use http::header::{CONTENT_TYPE, ETAG, HeaderValue};
use http::{Response, StatusCode};
use http_body_util::Full;
use serde::Serialize;

/// The reply to one call, before it is sent.
#[derive(Debug)]
pub(crate) struct Reply {
    status: u16,
    body: Bytes,
    /// The SHA-256 of the file that was read or written, if it is about one.
    version: Option<String>,
    /// What the call came to, for counters and for people who watch.
    pub(crate) verdict: Verdict,
    /// What an edit did or why it was refused, for people who watch.
    pub(crate) outcome: Option<Outcome>,
    /// Whether the edit was only tried, so that nothing was written.
    pub(crate) mode: Mode,
    /// Whether lines were left out that would have had room without their anchors.
    pub(crate) cut_by_anchors: bool,
    /// How many lines are shown with an anchor, if it is a read that is counted.
    pub(crate) anchored: usize,
    /// How many of these have the tag of another one whose text is different.
    pub(crate) tag_collisions: usize,
    /// How many notices there are that shown lines could not be recorded or looked up.
    pub(crate) state_failures: usize,
}

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was done.
    Done,
    /// The file was as the caller has it: nothing was sent.
    NotModified,
    /// It was refused with this code.
    Refused(Code),
    /// It was refused before it was read, with this status and name.
    Denied(u16, &'static str),
}

impl Reply {
    /// Returns a reply to a call that was done.
    pub(crate) fn done(answer: &impl Serialize) -> Self {
        Self::json(200, Verdict::Done, answer)
    }

    /// Returns the reply to an edit or a write.
    pub(crate) fn of(outcome: &Outcome, answer: &impl Serialize) -> Self {
        match outcome {
            Ok(_) => Self::done(answer),
            Err(refusal) => Self::refused(refusal.code(), answer),
        }
    }

    /// Returns the reply to a call for which its route is off.
    pub(crate) fn disabled(answer: &impl Serialize) -> Self {
        Self::json(200, Verdict::Denied(200, "edit_disabled"), answer)
    }

    /// Returns a reply to a call that was refused, with the status of its code.
    pub(crate) fn refused(code: Code, answer: &impl Serialize) -> Self {
        Self::json(code.http_status(), Verdict::Refused(code), answer)
    }

    /// Returns a reply to a call that was refused before its body was looked at.
    pub(crate) fn denied(status: u16, name: &'static str, message: &str) -> Self {
        let answer = serde_json::json!({
            "ok": false, "error": name, "code": name, "message": message, "written": false, "retryable": false,
        });
        Self::json(status, Verdict::Denied(status, name), &answer)
    }

    /// Returns the reply to a call that came while the server was about to end.
    pub(crate) fn stopping() -> Self {
        Self::denied(503, "stopping", "The server is about to end.")
    }

    /// Returns the reply to a call in which hashline itself panicked.
    pub(crate) fn failed() -> Self {
        let answer = serde_json::json!({
            "ok": false, "error": "internal", "code": "internal", "written": "unknown", "retryable": false,
            "message": "It is not known whether anything was written: hashline itself failed. Read the files again.",
        });
        Self::json(500, Verdict::Refused(Code::Internal), &answer)
    }

    /// Returns the reply to a caller that has this version of the file already.
    pub(crate) fn not_modified(version: String) -> Self {
        Self {
            body: Bytes::new(),
            version: Some(version),
            ..Self::json(304, Verdict::NotModified, &())
        }
    }

    fn json(status: u16, verdict: Verdict, answer: &impl Serialize) -> Self {
        // Our answers have only names for keys, so they can be written as JSON.
        let body = serde_json::to_vec(answer).unwrap_or_default();
        Self {
            status,
            body: body.into(),
            version: None,
            verdict,
            outcome: None,
            mode: Mode::Write,
            cut_by_anchors: false,
            anchored: 0,
            tag_collisions: 0,
            state_failures: 0,
        }
    }

    /// Replaces the status: seed 001's routes answer 200 to every request that is well-formed.
    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// Adds the SHA-256 of the file that the reply is about.
    pub(crate) fn with_version(self, version: Option<String>) -> Self {
        Self { version, ..self }
    }

    /// Adds what is counted about a read.
    pub(crate) fn with_page(self, page: &PushPage) -> Self {
        Self {
            cut_by_anchors: page.cut_by_anchors,
            anchored: page.anchored,
            tag_collisions: page.tag_collisions,
            ..self
        }
    }

    /// Adds what is counted about an edit or a write beside its outcome.
    pub(crate) fn with_options(self, options: &AnswerOptions) -> Self {
        Self {
            mode: options.mode,
            state_failures: options.state.len(),
            ..self
        }
    }

    /// Adds what an edit did.
    pub(crate) fn with_outcome(self, outcome: Outcome) -> Self {
        Self {
            outcome: Some(outcome),
            ..self
        }
    }

    /// Returns the status that is sent.
    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    /// Returns the sentences of a refusal, as the answer has them.
    pub(crate) fn message(&self) -> Option<String> {
        let answer: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        Some(answer.get("message")?.as_str()?.to_owned())
    }

    /// Returns the response that is sent.
    pub(crate) fn into_response(self) -> Response<Full<Bytes>> {
        let is_empty = self.body.is_empty();
        let mut response = Response::new(Full::new(self.body));
        let status = StatusCode::from_u16(self.status);
        *response.status_mut() = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        if !is_empty {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let etag = self.version.map(|version| format!("\"{version}\""));
        if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(&etag).ok()) {
            headers.insert(ETAG, etag);
        }
        response
    }
}

/// Returns the SHA-256 of the only file that a request left behind; `None` if there are several, or none.
pub(crate) fn only_version(edited: &FilesEdited) -> Option<String> {
    match edited.files.as_slice() {
        [file] if file.path.is_some() => Some(hashline_core::scheme::sha256(
            file.edited.document.file_bytes(),
        )),
        _ => None,
    }
}
