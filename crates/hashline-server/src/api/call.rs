//! One call of the API: who sent it, to which workspace, on behalf of which task, and its body.

use std::sync::Arc;

use hashline_core::dialect::Dialect;
use hashline_session::{Overrides, Session};
use hashline_wire::answer::AnswerForm;
use hashline_wire::request::{Limits, parse_json};
use hashline_wire::schema::Tool;
use hashline_wire::{BadRequest, Fault};
use hashline_workspace::CancelToken;
use http::HeaderMap;
use serde_json::Value;

use crate::api::conditions::{Conditions, Versions};
use crate::api::reply::Reply;
use crate::api::workspaces::ServedWorkspace;

/// The session that the anchors of a request belong to.
const SESSION: &str = "hashline-session";
/// The task on behalf of which a request is sent.
const TASK: &str = "hashline-task";
/// Which of a task's agents sends a request.
const ROLE: &str = "hashline-role";
/// The dialect of the anchors in a request.
const DIALECT: &str = "hashline-dialect";
/// The form of the answer to an edit.
const ANSWER: &str = "hashline-answer";
/// The most bytes of the name of a session or a task.
const MOST_NAME: usize = 256;

/// What the headers of a request say.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallHeaders {
    pub(crate) session: Option<String>,
    pub(crate) task: Option<String>,
    pub(crate) role: Option<Role>,
    /// The dialect of the request's anchors; `None`: that of the workspace, or recognised by the shape of the request.
    pub(crate) dialect: Option<Dialect>,
    /// The form of an answer to an edit.
    pub(crate) form: AnswerForm,
    pub(crate) conditions: Conditions,
}

/// Which of a task's agents sends a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The one that edits: files are shown with anchors unless a request says otherwise.
    Coder,
    /// The one that plans: files are shown without.
    Orchestrator,
}

/// One call, on the thread that carries it out.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) workspace: Arc<ServedWorkspace>,
    pub(crate) headers: CallHeaders,
    /// Cancels the call if nothing has been written yet.
    pub(crate) cancel: Arc<CancelToken>,
}

impl CallHeaders {
    /// Parses the headers of a request.
    ///
    /// # Errors
    ///
    /// What is wrong with one of them.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, String> {
        let role = match value(headers, ROLE)?.as_deref() {
            None => None,
            Some("coder") => Some(Role::Coder),
            Some("orchestrator") => Some(Role::Orchestrator),
            Some(other) => {
                return Err(format!(
                    "Hashline-Role is `coder` or `orchestrator`, not `{other}`"
                ));
            }
        };
        let dialect = match value(headers, DIALECT)? {
            None => None,
            Some(name) => Some(Dialect::named(&name).ok_or_else(|| {
                let known = Dialect::ALL.map(Dialect::name).join(", ");
                format!("Hashline-Dialect is one of {known}, not `{name}`")
            })?),
        };
        let form = match value(headers, ANSWER)?.as_deref() {
            None | Some("common") => AnswerForm::Common,
            Some("dialect") => AnswerForm::Dialect,
            Some(other) => {
                return Err(format!(
                    "Hashline-Answer is `common` or `dialect`, not `{other}`"
                ));
            }
        };
        let conditions = Conditions::of(headers).map_err(|name| {
            format!("{name} is a list of versions in double quotes, as ETag has them, or *")
        })?;
        Ok(Self {
            session: value(headers, SESSION)?,
            task: value(headers, TASK)?,
            role,
            dialect,
            form,
            conditions,
        })
    }
}

/// Returns the value of a header that may be sent once.
fn value(headers: &HeaderMap, name: &str) -> Result<Option<String>, String> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let text = value.to_str().ok().filter(|_| values.next().is_none());
    let text = text.map(str::trim).filter(|text| text.len() <= MOST_NAME);
    let text = text.ok_or_else(|| {
        format!("{name} must be sent once, as at most {MOST_NAME} visible ASCII characters")
    })?;
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

impl Call {
    /// Returns the session that the call belongs to.
    pub(crate) fn session(&self) -> Session<'_> {
        let name = self.headers.session.as_deref();
        self.workspace.service.session(name)
    }

    /// Returns the limits of a request to this workspace.
    pub(crate) fn limits(&self) -> Limits {
        self.workspace.service.request_limits()
    }

    /// Returns the options of an edit or a write in a dialect, which require the version that the headers name.
    pub(crate) fn overrides<'c>(&'c self, version: Option<&'c str>) -> Overrides<'c> {
        Overrides {
            file_hash: version,
            cancel: Some(&self.cancel),
            ..Overrides::default()
        }
    }

    /// Returns the dialect in which lines are shown: the one that the headers name, else that of the workspace, else the usual one.
    pub(crate) fn dialect_or_default(&self) -> Dialect {
        let dialect = self.headers.dialect.or(self.workspace.dialect);
        dialect.unwrap_or_default()
    }

    /// Parses the body of the call, and removes the name of the sandbox from it, which must be that of the workspace.
    pub(crate) fn body(&self, bytes: &[u8]) -> Result<Value, BodyProblem> {
        let mut body = parse_json(bytes, &self.limits()).map_err(BodyProblem::NotJson)?;
        let name = self.workspace.options.name.as_str();
        // A call may name it beside the arguments, or among them, or both.
        let named = [
            body.get_mut("args").and_then(take_sandbox),
            take_sandbox(&mut body),
        ];
        let mut named = named.iter().flatten();
        if named.any(|sandbox| !sandbox.is_null() && sandbox.as_str() != Some(name)) {
            return Err(BodyProblem::OtherSandbox);
        }
        Ok(body)
    }

    /// Returns the SHA-256 of the file that a request of edits is about, if it is about one that can be read.
    pub(crate) fn version_of(&self, dialect: Option<Dialect>, body: &Value) -> Option<String> {
        let overrides = Overrides {
            dialect,
            ..Overrides::default()
        };
        let session = self.session();
        let paths = session.paths_to_change(Tool::Edit, body.clone(), &overrides);
        let mut paths = paths.ok()?;
        paths.dedup();
        match paths.as_slice() {
            [path] => self.workspace.service.version(path),
            _ => None,
        }
    }

    /// Returns the version that the file must have by `If-Match`: the one that it has now if that is among those listed, so that the commit compares it
    /// once more; otherwise one that it does not have.
    pub(crate) fn required_version(
        &self,
        current: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        let required = self.headers.conditions.matching.as_ref()?;
        match required {
            Versions::Listed(listed) if listed.len() == 1 => listed.first().cloned(),
            _ => {
                let current = current().filter(|current| required.name(current));
                Some(current.unwrap_or_else(|| "0".repeat(64)))
            }
        }
    }
}

/// Removes the name of the sandbox from the fields of a request.
fn take_sandbox(fields: &mut Value) -> Option<Value> {
    fields.as_object_mut()?.shift_remove("sandbox_id")
}

/// Why the body of a call cannot be used, whatever the call.
#[derive(Debug)]
pub(crate) enum BodyProblem {
    /// It is not JSON.
    NotJson(BadRequest),
    /// It names another sandbox than the token.
    OtherSandbox,
}

impl BodyProblem {
    /// Returns the reply; `refused` answers a request that cannot be parsed in the shape of the route.
    pub(crate) fn reply(self, refused: impl FnOnce(BadRequest) -> Reply) -> Reply {
        match self {
            Self::OtherSandbox => Reply::denied(
                403,
                "wrong_sandbox",
                "`sandbox_id` is not the workspace of this token.",
            ),
            Self::NotJson(bad) => {
                let is_json = bad.fault != Fault::NotARequest;
                let reply = refused(bad);
                if is_json {
                    reply
                } else {
                    reply.with_status(400)
                }
            }
        }
    }
}
