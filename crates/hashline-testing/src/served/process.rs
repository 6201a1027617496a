//! The server as a process: started, asked to reload, ended, killed, and measured from outside.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use hashline_core::scheme::sha256;
use rustix::process::{Pid, kill_process};
use serde_json::Value;

pub use rustix::process::Signal;

use super::client::{Address, Client};

/// How a server is started.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The program.
    pub program: PathBuf,
    /// A folder for its state, its configuration and what it prints to standard error.
    pub home: PathBuf,
    /// Arguments before `serve`, such as `--set`.
    pub global: Vec<String>,
    /// Arguments of `serve`.
    pub args: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
}

/// A server that runs. It is killed when this is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    addresses: Vec<Address>,
    /// What it printed at start.
    announced: Value,
    home: PathBuf,
}

impl ServerOptions {
    /// Returns the options of a server with these arguments of `serve`.
    #[must_use]
    pub fn new(program: &Path, home: &Path, args: &[&str]) -> Self {
        Self {
            program: program.to_owned(),
            home: home.to_owned(),
            global: Vec::new(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            environment: Vec::new(),
        }
    }

    /// Overrides a configuration key.
    #[must_use]
    pub fn set(mut self, pair: &str) -> Self {
        self.global.extend(["--set".to_owned(), pair.to_owned()]);
        self
    }

    /// Sets a variable of the environment.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the file with what the server writes to standard error.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.home.join("serve.log")
    }

    /// Starts the server, and waits until it listens.
    ///
    /// # Errors
    ///
    /// It cannot be started, or ends before it listens: with what it wrote to standard error.
    pub fn start(&self) -> io::Result<Server> {
        fs::create_dir_all(&self.home)?;
        let log = File::options().create(true).append(true).open(self.log())?;
        // A server of many workspaces has many open folders.
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -n $(ulimit -Hn); exec \"$0\" \"$@\""])
            .arg(&self.program)
            .arg("--json")
            .args(&self.global)
            .arg("serve")
            .args(&self.args)
            .current_dir(&self.home)
            .env("HOME", &self.home)
            .env("XDG_STATE_HOME", self.home.join("state"))
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .env_remove("HASHLINE_SESSION")
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let announced: Value = serde_json::from_str(&line).unwrap_or_default();
        let urls = announced["urls"].as_array();
        let Some(urls) = urls.filter(|urls| !urls.is_empty()) else {
            let _ = child.wait();
            let log = fs::read_to_string(self.log()).unwrap_or_default();
            return Err(io::Error::other(format!("{line}{log}")));
        };
        let urls = urls.iter().filter_map(Value::as_str);
        Ok(Server {
            addresses: urls.map(Address::parse).collect(),
            child,
            announced,
            home: self.home.clone(),
        })
    }
}

impl Server {
    /// Returns the first address on which the server listens.
    ///
    /// # Panics
    ///
    /// Never: a server that listens has an address.
    #[must_use]
    pub fn address(&self) -> &Address {
        self.addresses
            .first()
            .expect("a server that listens has an address")
    }

    /// Returns the number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the token that the server made for a workspace; for the empty name that of the operator.
    ///
    /// # Errors
    ///
    /// It made none, or its file cannot be read.
    pub fn token(&self, workspace: &str) -> io::Result<String> {
        let file = if workspace.is_empty() {
            &self.announced["operator_token_file"]
        } else {
            let all = self.announced["workspaces"].as_array();
            let found = all.and_then(|all| all.iter().find(|one| one["name"] == workspace));
            found.map_or(&Value::Null, |one| &one["token_file"])
        };
        let file = file.as_str().ok_or(io::ErrorKind::NotFound)?;
        Ok(fs::read_to_string(file)?.trim_end().to_owned())
    }

    /// Returns a client with the token that the server made for a workspace.
    ///
    /// # Errors
    ///
    /// As for [`token`](Self::token).
    pub fn client(&self, workspace: &str) -> io::Result<Client> {
        Ok(self.client_with(&self.token(workspace)?))
    }

    /// Returns a client with any token.
    #[must_use]
    pub fn client_with(&self, token: &str) -> Client {
        Client::new(self.address().clone(), token)
    }

    /// Sends the process a signal.
    ///
    /// # Errors
    ///
    /// There is no such process any more.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let id = id.ok_or(io::ErrorKind::NotFound)?;
        Ok(kill_process(id, signal)?)
    }

    /// Waits until the process has ended.
    ///
    /// # Errors
    ///
    /// The system cannot say.
    pub fn wait(mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }

    /// Ends the server as a service is ended, and waits for it.
    ///
    /// # Errors
    ///
    /// As for [`signal`](Self::signal) and [`wait`](Self::wait).
    pub fn end(self) -> io::Result<ExitStatus> {
        self.signal(Signal::TERM)?;
        self.wait()
    }

    /// Kills the server, whatever it does, and waits for it.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Returns how many bytes of memory the process has.
    ///
    /// # Errors
    ///
    /// The process has ended, or the system does not say.
    pub fn memory(&self) -> io::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        Ok(kib.ok_or(io::ErrorKind::InvalidData)? * 1024)
    }

    /// Returns what the server wrote to standard error.
    #[must_use]
    pub fn log(&self) -> String {
        fs::read_to_string(self.home.join("serve.log")).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the SHA-256 of a token, as a file of workspaces has it.
#[must_use]
pub fn token_digest(token: &str) -> String {
    sha256(token.as_bytes())
}
