//! The document of the API in OpenAPI 3.1, made from the types that requests are parsed into and answers are written from.

use hashline_core::dialect::Dialect;
use hashline_session::words::{FoundAnswer, VerifiedAnswer};
use hashline_wire::answer::{
    CommonAnswer, DialectAnswer, PushAnswer, PushReadAnswer, PushRefused, PushWriteAnswer, Refused,
};
use hashline_wire::request::{PushWrite, VerifyBody};
use hashline_wire::schema::{self, Components, FilesRead, Tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::api::routes::{ApiRoute, ROUTES};
use crate::api::telemetry::{ReportTaken, TaskReport};

/// What a route is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    PushRead,
    PushEdit,
    PushWrite,
    Read,
    Search,
    Edit,
    Write,
    Verify,
    Telemetry,
}

/// What a route answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answers {
    PushRead,
    PushEdit,
    PushWrite,
    Read,
    Search,
    Edit,
    Verify,
    Telemetry,
}

/// A request that was refused before its body was looked at.
#[derive(Serialize, JsonSchema)]
struct Denied {
    /// Always false.
    #[schemars(extend("const" = false))]
    ok: bool,
    /// The reason, such as `unauthorized`. Names are stable.
    code: String,
    /// What is wrong.
    message: String,
}

/// `edit-file` is off for the task of a request.
#[derive(Serialize, JsonSchema)]
struct EditDisabled {
    /// Always false: nothing was written.
    #[schemars(extend("const" = false))]
    ok: bool,
    /// Always `edit_disabled`.
    #[schemars(extend("const" = "edit_disabled"))]
    error: String,
    /// The route to use instead: `write-file`.
    #[serde(rename = "use")]
    #[schemars(extend("const" = "write-file"))]
    instead: String,
    /// What to do next, as text for a model.
    message: String,
}

/// Statuses of requests that were refused before their body was looked at, and what each means.
const DENIED: [(&str, &str); 10] = [
    ("401", "The token is missing or not accepted"),
    (
        "403",
        "The token gives access to another sandbox, or the request comes from a web page",
    ),
    ("405", "The path takes another method"),
    ("408", "The request did not arrive in time"),
    ("411", "The length of the body is missing"),
    ("413", "The request is too large"),
    ("415", "The body is not declared as JSON"),
    ("421", "`Host` is not a name of this server"),
    ("431", "The headers are too large"),
    ("503", "The server is busy or about to end"),
];

/// Returns the document.
pub(crate) fn document() -> Value {
    let mut components = Components::new();
    let mut paths = Map::new();
    for route in ROUTES {
        let operation = operation(route, &mut components);
        paths.insert(route.path.to_owned(), json!({"post": operation}));
    }
    let denied = components.add::<Denied>();
    let plain = |id: &str, about: &str, media: &str| {
        let schema = if media == "application/json" {
            json!({"type": "object"})
        } else {
            json!({"type": "string"})
        };
        let mut responses =
            json!({"200": {"description": about, "content": {media: {"schema": schema}}}});
        for (status, meaning) in DENIED {
            responses[status] = response(meaning, &denied);
        }
        json!({"get": {"operationId": id, "summary": about, "responses": responses}})
    };
    let json_media = "application/json";
    let mut health = plain("healthz", "Whether the server runs", json_media);
    health["get"]["security"] = json!([]);
    paths.insert("/healthz".to_owned(), health);
    let ready = plain("readyz", "Whether all workspaces can be used", json_media);
    paths.insert("/readyz".to_owned(), ready);
    let metrics = plain("metrics", "What was counted, for Prometheus", "text/plain");
    paths.insert("/metrics".to_owned(), metrics);
    let own = plain("openapi", "This document", json_media);
    paths.insert("/openapi.json".to_owned(), own);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "hashline",
            "summary": "Reads with an anchor on every line, and edits that land on the lines that were shown or not at all",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": components.finish(),
        },
    })
}

fn operation(route: &ApiRoute, components: &mut Components) -> Value {
    let (answer, refused) = match route.answers {
        Answers::PushRead => (components.add::<PushReadAnswer>(), None),
        Answers::PushEdit => (components.add::<PushAnswer>(), None),
        Answers::PushWrite => (components.add::<PushWriteAnswer>(), None),
        Answers::Read => (components.add::<FilesRead>(), Some(())),
        Answers::Search => (components.add::<FoundAnswer>(), Some(())),
        // The headers of this route choose the form of the answer.
        Answers::Edit if route.asks == Asks::Edit => (components.add::<DialectAnswer>(), Some(())),
        Answers::Edit => (components.add::<CommonAnswer>(), Some(())),
        Answers::Verify => (components.add::<VerifiedAnswer>(), Some(())),
        Answers::Telemetry => (components.add::<ReportTaken>(), Some(())),
    };
    let denied = components.add::<Denied>();
    let mut responses = json!({});
    match refused {
        // Seed 001's routes answer 200 to every request that is JSON.
        None => {
            let refused = components.add::<PushRefused>();
            let mut all = vec![answer, refused.clone()];
            if route.answers == Answers::PushEdit {
                all.push(components.add::<EditDisabled>());
            }
            responses["200"] = response("The answer, or why the request was refused", &any(&all));
            responses["400"] = response(
                "The body is not JSON, or a header cannot be used",
                &any(&[refused, denied.clone()]),
            );
            responses["412"] = response("A condition of the headers does not hold", &any(&all));
        }
        Some(()) => {
            let refused = any(&[components.add::<Refused>(), denied.clone(), answer.clone()]);
            responses["200"] = response("The answer", &answer);
            for status in [
                "400", "403", "404", "409", "412", "413", "422", "499", "500", "503",
            ] {
                responses[status] = response("The request was refused; `code` says why", &refused);
            }
        }
    }
    if matches!(route.answers, Answers::PushRead | Answers::Read) {
        responses["304"] =
            json!({"description": "The caller has this version already (`If-None-Match`)"});
    }
    for (status, meaning) in DENIED {
        if responses.get(status).is_none() {
            responses[status] = response(meaning, &denied);
        }
    }
    for status in ["200", "412"] {
        if let Some(one) = responses.get_mut(status) {
            one["headers"]["ETag"] = json!({
                "description": "The SHA-256 of the file, in quotes, if the answer is about one file",
                "schema": {"type": "string"},
            });
        }
    }
    json!({
        "operationId": route.name,
        "summary": route.about,
        "parameters": parameters(route),
        "requestBody": {"required": true, "content": {"application/json": {"schema": request(route.asks)}}},
        "responses": responses,
    })
}

fn parameters(route: &ApiRoute) -> Value {
    let header = |name: &str, about: &str, schema: Value| json!({"name": name, "in": "header", "required": false, "description": about, "schema": schema});
    let text = || json!({"type": "string", "pattern": "^[!-~]{1,256}$"});
    let mut all = vec![
        header(
            "Hashline-Session",
            "The session that the anchors belong to",
            text(),
        ),
        header(
            "Hashline-Task",
            "The task on behalf of which the request is sent",
            text(),
        ),
        header(
            "Hashline-Role",
            "Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not",
            json!({"enum": ["coder", "orchestrator"]}),
        ),
    ];
    let version = || json!({"type": "string", "pattern": "^\"[0-9a-f]{64}\"$"});
    if matches!(route.answers, Answers::PushRead | Answers::Read) {
        all.push(header(
            "If-None-Match",
            "The version of the file that the caller has",
            version(),
        ));
    } else if matches!(
        route.asks,
        Asks::PushEdit | Asks::PushWrite | Asks::Edit | Asks::Write
    ) {
        all.push(header(
            "If-Match",
            "The version that the file must have",
            version(),
        ));
    }
    if matches!(
        route.asks,
        Asks::Read | Asks::Search | Asks::Edit | Asks::Write | Asks::Verify
    ) {
        let names = Dialect::ALL.map(Dialect::name);
        all.push(header(
            "Hashline-Dialect",
            "The dialect of the anchors",
            json!({"enum": names}),
        ));
    }
    if route.asks == Asks::Edit {
        let forms = json!({"enum": ["common", "dialect"]});
        all.push(header("Hashline-Answer", "The form of the answer", forms));
    }
    all.into()
}

fn request(asks: Asks) -> Value {
    let mut schema = match asks {
        Asks::PushRead => schema::schema(Dialect::PUSH, Tool::Read),
        Asks::PushEdit => schema::schema(Dialect::PUSH, Tool::Edit),
        Asks::PushWrite => schema::request::<PushWrite>(&["path", "content"]),
        Asks::Read => schema::offered(Dialect::LEAN, Tool::Read),
        Asks::Search => schema::schema(Dialect::LEAN, Tool::Search),
        Asks::Write => schema::schema(Dialect::LEAN, Tool::Write),
        Asks::Verify => schema::request::<VerifyBody>(&["path", "anchors"]),
        Asks::Telemetry => schema::request::<TaskReport>(&["task", "outcome"]),
        Asks::Edit => {
            let all = Dialect::ALL.map(|dialect| schema::schema(dialect, Tool::Edit));
            return any(&all);
        }
    };
    schema["properties"]["sandbox_id"] = json!({
        "type": "string",
        "description": "The name of the workspace, which must be that of the token.",
    });
    if asks == Asks::Read {
        schema["properties"]["annotate"] = json!({
            "type": "boolean",
            "description": "Put an anchor before every line; true unless given, but for an orchestrator.",
        });
    }
    schema
}

fn any(schemas: &[Value]) -> Value {
    json!({"anyOf": schemas})
}

fn response(description: &str, schema: &Value) -> Value {
    json!({"description": description, "content": {"application/json": {"schema": schema}}})
}
