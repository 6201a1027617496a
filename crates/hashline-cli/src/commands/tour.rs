//! `hashline tour`: what hashline does, in a temporary folder, with the real program.

mod steps;

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::args::TourArgs;
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::trouble::Trouble;
use steps::{STEPS, Step};

/// The file that is edited.
const FLEET: &str = include_str!("tour/fleet.py");

/// What came of a command.
struct Ran {
    exit: i32,
    /// Both of its outputs, in the order they were written.
    told: String,
}

pub(super) fn run(args: &TourArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let failed = |error: io::Error| Trouble::system("the tour's folder", "making it", &error);
    let folder = tempfile::Builder::new()
        .prefix("hashline-tour-")
        .tempdir()
        .map_err(failed)?;
    let files = folder.path().join("files");
    std::fs::create_dir(&files).map_err(failed)?;
    std::fs::write(files.join("fleet.py"), FLEET).map_err(failed)?;
    let mut told = Vec::new();
    for (index, step) in STEPS.iter().enumerate() {
        let ran = do_step(step, folder.path())
            .map_err(|error| Trouble::system("sh", "running a command of the tour", &error))?;
        match out.json {
            true => told.push(as_object(step, &ran)),
            false => show(index, step, &ran, out)?,
        }
    }
    if out.json {
        out.object(&json!({"ok": true, "steps": told}))?;
    } else {
        end(args, &files, out)?;
    }
    if args.keep {
        let _ = folder.keep();
    }
    Ok(Exit::Done)
}

/// Runs a command in a shell that finds this program by its name, and keeps its record apart from the user's.
fn do_step(step: &Step, folder: &Path) -> io::Result<Ran> {
    let program = std::env::current_exe()?;
    let mut path = vec![program.parent().unwrap_or(Path::new(".")).to_path_buf()];
    path.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    let path = std::env::join_paths(path).map_err(io::Error::other)?;
    let ran = Command::new("sh")
        .arg("-c")
        .arg(format!("{{ {}\n}} 2>&1", step.command))
        .current_dir(folder.join("files"))
        .env("PATH", path)
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .env_remove("HASHLINE_SESSION")
        .stdin(Stdio::null())
        .output()?;
    Ok(Ran {
        exit: ran.status.code().unwrap_or(2),
        told: String::from_utf8_lossy(&ran.stdout).into_owned(),
    })
}

fn show(index: usize, step: &Step, ran: &Ran, out: &mut Output) -> Result<(), Trouble> {
    let said = format!("{}. {}", index + 1, step.said);
    let said = out.painted(Part::Headline, &said);
    out.line(&said)?;
    let marks = std::iter::once('$').chain(std::iter::repeat('>'));
    for (line, mark) in step.command.lines().zip(marks) {
        let line = out.painted(Part::Command, &format!("{mark} {line}"));
        out.line(&line)?;
    }
    out.data().write_all(ran.told.as_bytes())?;
    if ran.exit != 0 {
        let exit = out.painted(Part::Quiet, &format!("(exit code {})", ran.exit));
        out.line(&exit)?;
    }
    out.line("")
}

fn as_object(step: &Step, ran: &Ran) -> Value {
    json!({"said": step.said, "command": step.command, "exit": ran.exit, "told": ran.told})
}

fn end(args: &TourArgs, files: &Path, out: &mut Output) -> Result<(), Trouble> {
    if args.keep {
        out.line(&format!("The folder is kept: {}", files.display()))?;
    }
    out.line("That is all there is to it. Next: `hashline prompt` teaches it to a model, `hashline apply --help` tells the rest.")
}
