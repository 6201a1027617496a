//! The sandbox service: the JSON API of hashline over HTTP, for back ends that give sandboxes to agents.
//!
//! A server has any number of workspaces (`workspaces`). The token of a request selects its workspace, so no request can name another one. Routes
//! (`routes`) are those of seed 001 (`push`), whose shapes and answers are those of that tool, and our own (`v1`), which have the requests and answers of
//! the command line with `--json`. Both take conditions on versions from HTTP (`conditions`: `ETag`, `If-Match`, `If-None-Match`).
//!
//! A request passes through these files in order: the front admits it, `call` reads its headers and finds its workspace, one blocking thread parses the
//! body and carries it out (`push` or `v1`), and the `reply` is counted (`metrics`) and sent. `scrape` shows what was counted; `telemetry` takes what tasks took.
//!
//! With `--ui`, a person can watch the calls on a page (`ui`).
//!
//! Deliberately absent: edit logic, and everything about connections.

mod call;
mod conditions;
mod metrics;
mod openapi;
mod push;
mod reply;
mod rollout;
mod routes;
mod scrape;
mod serve;
mod telemetry;
mod ui;
mod v1;
pub mod workspace_file;
mod workspaces;

pub use rollout::Rollout;
pub use serve::serve_api;
pub use workspaces::{ApiError, ApiOptions, ApiServer, ServedWorkspace, Ui, WorkspaceOptions};
