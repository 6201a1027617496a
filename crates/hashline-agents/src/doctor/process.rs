//! A program that is run for a while: its output, or that it took too long.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often a program that is waited for is looked at.
const INTERVAL: Duration = Duration::from_millis(5);

/// What a program printed, and how it ended.
#[derive(Clone, Debug)]
pub(super) struct ProcessOutput {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl ProcessOutput {
    /// Returns the first line that it printed on standard error.
    pub(super) fn first_error(&self) -> &str {
        self.err.lines().next().unwrap_or_default()
    }
}

/// The folder of configurations in the folder that a program runs in.
pub(super) const CONFIG: &str = "config";

/// Returns a program that will run in a folder with a state and configurations of its own, so that nothing of the person's is touched.
pub(super) fn command(program: &Path, args: &[String], folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("XDG_CONFIG_HOME", folder.join(CONFIG))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs a program to its end with something on standard input.
pub(super) fn run(
    mut command: Command,
    input: &[u8],
    limit: Duration,
) -> Result<ProcessOutput, String> {
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program need not read all of its input.
        let _ = stdin.write_all(input);
    }
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (out, err) = (read_all(out), read_all(err));
    let code = wait(&mut child, limit)?;
    let text = |bytes: mpsc::Receiver<Vec<u8>>| {
        let bytes = bytes.recv_timeout(limit).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(ProcessOutput {
        code,
        out: text(out),
        err: text(err),
    })
}

/// Reads to the end in a thread of its own: a pipe that is full would keep the program from ending.
fn read_all(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// Waits for the end; kills what takes too long.
pub(super) fn wait(child: &mut Child, limit: Duration) -> Result<Option<i32>, String> {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) if started.elapsed() < limit => std::thread::sleep(INTERVAL),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it took longer than {} s", limit.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}
