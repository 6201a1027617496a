//! A folder with files and a state directory of its own, in which the real program is run.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const HASHLINE: &str = env!("CARGO_BIN_EXE_hashline");

/// A folder with files, made for one test.
pub(crate) struct Stage(tempfile::TempDir);

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Stage {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let stage = Self(tempfile::tempdir().unwrap());
        fs::create_dir(stage.root()).unwrap();
        for (name, text) in files {
            stage.write(name, text);
        }
        stage
    }

    /// Begins with the files that the help texts speak of.
    pub(crate) fn example() -> Self {
        Self::new(&[
            ("greet.py", include_str!("../example/greet.py")),
            ("edit.json", include_str!("../example/edit.json")),
        ])
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.0.path().join("files")
    }

    /// Returns the home of the person who runs the program.
    pub(crate) fn home(&self) -> PathBuf {
        self.0.path().to_path_buf()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// Returns a program that will run in the folder, with an environment of its own.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let programs = Path::new(HASHLINE).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .current_dir(self.root())
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("HOME", self.0.path())
            .env("XDG_STATE_HOME", self.0.path().join("state"))
            .env("XDG_CONFIG_HOME", self.0.path().join("config"))
            .env_remove("HASHLINE_SESSION")
            .env_remove("HASHLINE_HOOK")
            .env_remove("CLAUDE_PROJECT_DIR")
            .env_remove("GEMINI_PROJECT_DIR")
            .env_remove("CLAUDE_PLUGIN_ROOT")
            // What a machine is busy with beside must not decide a test.
            .env("HASHLINE_HOOK_TIME", "600000")
            .env_remove("NO_COLOR")
            .env_remove("HASHLINE_HOOK")
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            .env_remove("PI_CODING_AGENT_DIR")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        ran(self.command(HASHLINE).args(args).output().unwrap())
    }

    /// Runs the program with something on standard input.
    pub(crate) fn feed(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self
            .command(HASHLINE)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let feeder = std::thread::spawn(move || {
            // A program that has heard enough does not listen to the end.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        ran(output)
    }

    /// Runs a script in a shell.
    pub(crate) fn sh(&self, script: &str) -> Ran {
        ran(self.command("sh").args(["-c", script]).output().unwrap())
    }
}

impl Ran {
    /// Returns the object on standard output.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns standard output of what was done.
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }
}

pub(crate) fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
