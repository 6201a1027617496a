//! `hashline tour`: demonstrates hashline by running real commands in a temporary folder.

mod steps;

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, io};

use serde_json::{Value, json};

use crate::args::TourArgs;
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::refusals;
use hashline_wire::Refusal;
use steps::{STEPS, Step};

/// The content of the file that the tour edits.
const FLEET: &str = include_str!("tour/fleet.py");

/// The result of running one command of the tour.
struct Ran {
    exit: i32,
    /// Standard output and standard error of the command together, in the order they were written.
    output: String,
}

pub(super) fn run(args: &TourArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let folder =
        prepared().map_err(|error| refusals::system("the tour's folder", "making it", &error))?;
    let mut steps = Vec::new();
    for (index, step) in STEPS.iter().enumerate() {
        let ran = do_step(step, folder.path())
            .map_err(|error| refusals::system("sh", "running a command of the tour", &error))?;
        if ran.exit != step.exit {
            return Err(astray(index, step, &ran));
        }
        if out.json {
            steps.push(as_object(step, &ran));
        } else {
            show(index, step, &ran, out);
        }
    }
    let kept = args.keep.then(|| folder.keep());
    if out.json {
        let mut object = json!({"ok": true, "steps": steps});
        if let Some(folder) = &kept {
            object["folder"] = folder.join("files").to_string_lossy().into();
            object["state_home"] = folder.join("state").to_string_lossy().into();
        }
        out.object(&object);
    } else {
        end(kept.as_deref(), out);
    }
    Ok(Exit::Done)
}

/// Creates the temporary folder of the tour: the file to edit, and a link to this program (a copy on Windows) under the name that the commands use.
fn prepared() -> io::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new()
        .prefix("hashline-tour-")
        .tempdir()?;
    let (files, programs) = (folder.path().join("files"), folder.path().join("bin"));
    fs::create_dir(&files)?;
    fs::create_dir(&programs)?;
    fs::write(files.join("fleet.py"), FLEET)?;
    let program = std::env::current_exe()?;
    let named = programs.join(format!("hashline{}", std::env::consts::EXE_SUFFIX));
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, named)?;
    #[cfg(not(unix))]
    fs::copy(program, named)?;
    Ok(folder)
}

/// Builds the refusal for a command of the tour that ended with an unexpected exit code.
fn astray(index: usize, step: &Step, ran: &Ran) -> Refusal {
    let (exit, planned) = (ran.exit, step.exit);
    let message = format!(
        "exit code {exit} instead of {planned}: {}",
        ran.output.trim_end()
    );
    let what = format!("step {} of the tour", index + 1);
    refusals::system(&what, "running it", &io::Error::other(message))
}

/// Runs a command of the tour in a shell that finds this program on its `PATH`, with state and configuration folders separate from the user's.
fn do_step(step: &Step, folder: &Path) -> io::Result<Ran> {
    let mut path = vec![folder.join("bin")];
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
        output: String::from_utf8_lossy(&ran.stdout).into_owned(),
    })
}

fn show(index: usize, step: &Step, ran: &Ran, out: &mut Output) {
    let headline = format!("{}. {}", index + 1, step.text);
    out.parts(&[(Part::Headline, &headline)]);
    let marks = std::iter::once('$').chain(std::iter::repeat('>'));
    for (line, mark) in step.command.lines().zip(marks) {
        out.parts(&[(Part::Command, &format!("{mark} {line}"))]);
    }
    out.text(&ran.output);
    if ran.exit != 0 {
        out.parts(&[(Part::Quiet, &format!("(exit code {})", ran.exit))]);
    }
    out.line("");
}

fn as_object(step: &Step, ran: &Ran) -> Value {
    json!({"text": step.text, "command": step.command, "exit": ran.exit, "output": ran.output})
}

fn end(kept: Option<&Path>, out: &mut Output) {
    if let Some(folder) = kept {
        let (files, state) = (folder.join("files"), folder.join("state"));
        out.line("The folder and the record of what was shown are kept. To continue there:");
        out.line(&format!("  cd {}", files.display()));
        out.line(&format!("  export XDG_STATE_HOME={}", state.display()));
    }
    out.line("Next: `hashline prompt` prints instructions for a model, `hashline apply --help` documents requests.");
}
