//! The service as its clients meet it: the real program, spoken to over HTTP.

mod conditions;
mod files;
mod secrets;
mod stop;
mod workspaces;

use std::fs;
use std::path::{Path, PathBuf};

use hashline_testing::served::{Client, Response, Server, ServerOptions};
use serde_json::{Value, json};

use crate::stage::HASHLINE;

/// Folders for the files and the state of servers.
struct Place(tempfile::TempDir);

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.root()).unwrap();
        for (name, text) in files {
            place.write(name, text.as_bytes());
        }
        place
    }

    /// The folder that is served.
    fn root(&self) -> PathBuf {
        self.at("root")
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.root().join(name)).unwrap()
    }

    fn options(&self, args: &[&str]) -> ServerOptions {
        ServerOptions::new(Path::new(HASHLINE), &self.at("home"), args)
    }

    /// Serves the folder as the workspace `main`, with further arguments.
    fn serve(&self, args: &[&str]) -> Server {
        let workspace = format!("main={}", self.root().display());
        let args = [&["--workspace", workspace.as_str()], args].concat();
        self.options(&args).start().unwrap()
    }

    /// Serves the workspaces of a file.
    fn serve_listed(&self, list: &str) -> Server {
        let file = self.at("workspaces.toml");
        fs::write(&file, list).unwrap();
        let args = ["--workspaces", file.to_str().unwrap()];
        self.options(&args).start().unwrap()
    }
}

/// Sends a request, and returns the answer with its status.
fn post(client: &mut Client, path: &str, body: &Value) -> (u16, Value) {
    let response = client.call(path, body).unwrap();
    (response.status, response.json())
}

fn post_with(client: &mut Client, path: &str, headers: &[(&str, &str)], body: &Value) -> Response {
    let body = body.to_string();
    client.post(path, headers, body.as_bytes()).unwrap()
}

fn read(client: &mut Client, path: &str) -> (u16, Value) {
    post(client, "/api/sandbox/read-file", &json!({"path": path}))
}

/// Returns a request to replace line 1 of a file, given its anchor.
fn replace(path: &str, anchor: &str, text: &str) -> Value {
    let edit = json!({"type": "replace_line", "ref": anchor, "new_content": text});
    json!({"path": path, "edits": [edit]})
}

/// Returns the anchor of line 1 of a file.
fn first_anchor(client: &mut Client, path: &str) -> String {
    let body = json!({"path": path, "annotate": true});
    let (_, answer) = post(client, "/api/sandbox/read-file", &body);
    let content = answer["content"].as_str().unwrap();
    content.split_once('|').unwrap().0.to_owned()
}
