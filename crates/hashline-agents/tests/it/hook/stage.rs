//! A project of its own for each test: files, a state directory, and what a client says with its paths filled in.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use hashline_agents::hook::{HookAnswer, HookOptions, answer};
use hashline_session::{Service, ServiceOptions};
use hashline_workspace::config::ConfigOverrides;
use serde_json::Value;

/// Stands for the folder of the project in what a client says.
const ROOT: &str = "$ROOT";

/// The files there are, unless a test writes others.
const FILES: [(&str, &[u8]); 9] = [
    ("a.txt", b"one\ntwo\nthree\n"),
    ("src/b c.txt", b"one\ntwo\n"),
    ("crlf.txt", b"one\r\ntwo\r\n"),
    ("bom.txt", b"\xef\xbb\xbfone\ntwo"),
    ("bad.txt", b"one\n\xff\nthree\n"),
    ("empty.txt", b""),
    ("blank.txt", b"one\n\n\nfour\n"),
    (".claude/settings.json", b"{}\n"),
    (".git/HEAD", b"ref\n"),
];

/// A project.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
    pub(crate) around: HookOptions,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let around = HookOptions {
            service: ServiceOptions {
                state: Some(folder.path().join("state")),
                ..ServiceOptions::in_memory()
            },
            // What a machine is busy with beside must not decide a test.
            time: Duration::from_secs(600),
            ..HookOptions::default()
        };
        let stage = Self { folder, around };
        for (name, bytes) in FILES {
            stage.write(name, bytes);
        }
        stage
    }

    /// Has the client say that the folder of the project was opened.
    pub(crate) fn opened(mut self) -> Self {
        self.around.project = Some(self.root());
        self
    }

    /// Sets a key of the configuration, said as `key=value`.
    pub(crate) fn with(mut self, pair: &str) -> Self {
        self.around.service.overrides = ConfigOverrides::default().with_pair(pair).unwrap();
        self
    }

    pub(crate) fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path())
            .unwrap()
            .join("project")
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = fs::canonicalize(self.folder.path()).unwrap();
        let path = path.join("project").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    /// Answers what a client says.
    pub(crate) fn hear(&self, said: &Value) -> HookAnswer {
        answer(self.filled(&said.to_string()).as_bytes(), &self.around)
    }

    /// Puts the folder in where it is meant.
    pub(crate) fn filled(&self, text: &str) -> String {
        text.replace(ROOT, self.root().to_str().unwrap())
    }

    /// Takes it out again, so that an answer reads the same in every run.
    pub(crate) fn emptied(&self, text: &str) -> String {
        text.replace(self.root().to_str().unwrap(), ROOT)
    }

    /// Opens the workspace as any other program of the user would.
    pub(crate) fn service(&self) -> Service {
        Service::open(&ServiceOptions {
            roots: vec![self.root()],
            ..self.around.service.clone()
        })
        .unwrap()
    }

    /// Applies a request of a session; returns the code of a refusal.
    pub(crate) fn apply(&self, session: &str, request: &Value) -> Result<(), &'static str> {
        let service = self.service();
        let session = service.session(Some(session));
        let answered = session.apply(request.to_string().as_bytes(), &Default::default());
        answered
            .outcome
            .map(|_| ())
            .map_err(|refusal| refusal.code().as_str())
    }
}
