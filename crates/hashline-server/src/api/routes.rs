//! The routes of the API. Each row of [`ROUTES`] has its path, the function that carries a call out, and what the document of the API says about it.

use crate::api::call::Call;
use crate::api::openapi::{Answers, Asks};
use crate::api::reply::Reply;
use crate::api::{push, telemetry, v1};

/// A route that carries out calls in a workspace. All of them take `POST`.
pub(crate) struct ApiRoute {
    pub(crate) path: &'static str,
    /// The name of the route in counters and in the document of the API.
    pub(crate) name: &'static str,
    /// Carries out a call, on a blocking thread.
    pub(crate) run: fn(&Call, &[u8]) -> Reply,
    /// What the route does, in one sentence.
    pub(crate) about: &'static str,
    pub(crate) asks: Asks,
    pub(crate) answers: Answers,
}

/// The routes of all workspaces.
pub(crate) const ROUTES: &[ApiRoute] = &[
    ApiRoute {
        path: "/api/sandbox/read-file",
        name: "read-file",
        run: push::read_file,
        about: "Read a file, or a range of its lines",
        asks: Asks::PushRead,
        answers: Answers::PushRead,
    },
    ApiRoute {
        path: "/api/sandbox/edit-file",
        name: "edit-file",
        run: push::edit_file,
        about: "Edit lines of a file by their anchors, all edits or none",
        asks: Asks::PushEdit,
        answers: Answers::PushEdit,
    },
    ApiRoute {
        path: "/api/sandbox/write-file",
        name: "write-file",
        run: push::write_file,
        about: "Write a whole file, over the version that is expected",
        asks: Asks::PushWrite,
        answers: Answers::PushWrite,
    },
    ApiRoute {
        path: "/v1/read",
        name: "read",
        run: v1::read,
        about: "Read files with an anchor on every line",
        asks: Asks::Read,
        answers: Answers::Read,
    },
    ApiRoute {
        path: "/v1/search",
        name: "search",
        run: v1::search,
        about: "Search files for lines, and show them with their anchors",
        asks: Asks::Search,
        answers: Answers::Search,
    },
    ApiRoute {
        path: "/v1/edit",
        name: "edit",
        run: v1::edit,
        about: "Apply a request of anchored edits in any dialect, over one file or several, all or nothing",
        asks: Asks::Edit,
        answers: Answers::Edit,
    },
    ApiRoute {
        path: "/v1/write",
        name: "write",
        run: v1::write,
        about: "Write a whole file: a new one, or one whose revision or version is named",
        asks: Asks::Write,
        answers: Answers::Edit,
    },
    ApiRoute {
        path: "/v1/verify",
        name: "verify",
        run: v1::verify,
        about: "Check where anchors land now",
        asks: Asks::Verify,
        answers: Answers::Verify,
    },
    ApiRoute {
        path: "/v1/telemetry",
        name: "telemetry",
        run: telemetry::report,
        about: "Report what a task took, once at its end",
        asks: Asks::Telemetry,
        answers: Answers::Telemetry,
    },
];
