//! `hashline guard`: judges whether a shell command reads or writes files without anchors.

use std::io::Read;
use std::path::{Path, PathBuf};

use hashline_agents::guard::{Guard, LONGEST, Verdict};
use serde_json::{Value, json};

use crate::args::{Global, GuardArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::refusals;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &GuardArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let (root, cwd) = places(global, args)?;
    let command = match args.command.as_deref() {
        None | Some("-") => from_input()?,
        Some(command) => command.to_owned(),
    };
    let verdict = Guard::new(&root, &cwd).judge(&command);
    if out.json {
        out.object(&object(&verdict));
    } else {
        print_verdict(&verdict, out);
    }
    Ok(match verdict {
        Verdict::Allow(_) => Exit::Done,
        _ => Exit::Bypass,
    })
}

/// Returns the root and the working directory of the shell command, as absolute paths; neither has to exist.
fn places(global: &Global, args: &GuardArgs) -> Result<(PathBuf, PathBuf), Refusal> {
    let root = match global.root.as_slice() {
        [] => None,
        [root] => Some(whole(root)?),
        _ => return Err(refusals::usage("the guard takes one --root".to_owned())),
    };
    let cwd = match (&args.cwd, &root) {
        (Some(cwd), _) => whole(cwd)?,
        (None, Some(root)) => root.clone(),
        (None, None) => here()?,
    };
    Ok((root.unwrap_or_else(|| cwd.clone()), cwd))
}

fn whole(path: &Path) -> Result<PathBuf, Refusal> {
    if path.is_absolute() {
        return Ok(path.to_path_buf());
    }
    Ok(here()?.join(path))
}

fn here() -> Result<PathBuf, Refusal> {
    std::env::current_dir()
        .map_err(|error| refusals::system(".", "finding the working directory", &error))
}

/// Reads the shell command from standard input, at most one byte more than the limit, which is enough to refuse it as too long.
fn from_input() -> Result<String, Refusal> {
    let mut bytes = Vec::new();
    let longest = u64::try_from(LONGEST).unwrap_or(u64::MAX);
    let input = std::io::stdin().lock();
    let read = input.take(longest + 1).read_to_end(&mut bytes);
    match read {
        Ok(_) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => Err(refusals::system("standard input", "reading", &error)),
    }
}

fn object(verdict: &Verdict) -> Value {
    let mut object = json!({"verdict": verdict.name()});
    match verdict {
        Verdict::Allow(None) => {}
        Verdict::Allow(Some(unsure)) => object["unsure"] = json!(unsure.name()),
        Verdict::ReadBypass(bypass) | Verdict::WriteBypass(bypass) => {
            object["command"] = json!(bypass.command);
            if let Some(file) = &bypass.file {
                object["file"] = json!(file.as_str());
            }
        }
    }
    if let Some(advice) = verdict.advice() {
        object["message"] = json!(advice.message);
        object["instead"] = json!(advice.instead);
    }
    object
}

fn print_verdict(verdict: &Verdict, out: &mut Output) {
    match verdict.advice() {
        Some(advice) => out.line(&format!("{}: {}", verdict.name(), advice.message)),
        None => out.line(verdict.name()),
    }
    if let Verdict::Allow(Some(unsure)) = verdict {
        out.message(&format!(
            "note: the command could not be checked: {}",
            unsure.words()
        ));
    }
}
