//! One agent: whether it is installed, set up, trusted, and reaches us.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_workspace::config::Config;

use super::configured::{Configured, Standing};
use super::remedy::{setup, setup_anew};
use super::switches::Switches;
use super::{Ask, Depth, Finding, child, simulate, spoken, trust};
use crate::setup::agent::{Agent, Scope, Wish};
use crate::setup::program::{find, own_command, own_path};
use crate::setup::words;

/// Agents take their time to say their version.
const PATIENCE: Duration = Duration::from_secs(15);

/// Looks at an agent. One that nobody asked for, that is not installed and not set up, is not worth a word.
pub(super) fn look(
    ask: &Ask,
    agent: Agent,
    switches: &Switches,
    config: Option<&Config>,
) -> Vec<Finding> {
    let scopes = [Scope::Project, Scope::User]
        .map(|scope| Configured::look(wish(ask, agent, scope), &ask.programs));
    let program = find(agent.name());
    let is_absent = scopes.iter().all(Configured::is_absent);
    if ask.agent.is_none() && program.is_none() && is_absent {
        return Vec::new();
    }
    let mut findings = vec![installed(agent, program)];
    if is_absent {
        findings.push(not_set_up(ask, agent));
    }
    for configured in scopes.iter().filter(|configured| !configured.is_absent()) {
        findings.extend(set_up(ask, configured));
        findings.extend(called(ask, configured));
        let spoken = spoken::look(ask, configured, config);
        let agree = spoken.is_empty();
        findings.extend(spoken);
        findings.extend(trust::look(configured));
        if ask.depth == Depth::Simulate {
            findings.extend(simulate::simulate(ask, configured, switches, agree));
        }
    }
    findings
}

fn wish(ask: &Ask, agent: Agent, scope: Scope) -> Wish {
    Wish {
        agent,
        scope,
        places: ask.places.clone(),
        command: own_command(),
        dialect: None,
        configured: None,
    }
}

fn installed(agent: Agent, program: Option<PathBuf>) -> Finding {
    let about = agent.title();
    let Some(program) = program else {
        return Finding::warning(about, format!("`{}` is not on PATH", agent.name()));
    };
    let folder = std::env::temp_dir();
    let mut version = std::process::Command::new(&program);
    version
        .arg("--version")
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    match child::run(version, b"", PATIENCE) {
        Ok(ran) if ran.code == Some(0) => {
            // Some say it on the other output.
            let mut lines = ran.out.lines().chain(ran.err.lines());
            let line = lines.next().unwrap_or_default().trim();
            Finding::ok(about, format!("installed: {} ({line})", program.display()))
        }
        Ok(ran) => {
            let code = ran.code.map_or("no exit code".to_owned(), |code| {
                format!("exit code {code}")
            });
            let line = ran.err.lines().next().unwrap_or_default().trim().to_owned();
            Finding::warning(
                about,
                format!("{} --version fails ({code}): {line}", program.display()),
            )
        }
        Err(why) => Finding::warning(
            about,
            format!("{} --version fails: {why}", program.display()),
        ),
    }
}

fn not_set_up(ask: &Ask, agent: Agent) -> Finding {
    let (about, text) = (
        agent.title(),
        "hashline is not set up, neither in this project nor for you",
    );
    let found = match ask.agent {
        Some(_) => Finding::problem(about, text),
        None => Finding::warning(about, text),
    };
    found.mended_by(setup(ask, agent, Scope::Project))
}

/// Says how the files stand.
fn set_up(ask: &Ask, configured: &Configured) -> Vec<Finding> {
    let Wish { agent, scope, .. } = configured.wish;
    let (about, fix) = (agent.title(), setup(ask, agent, scope));
    let of = match scope {
        Scope::Project => "in this project",
        Scope::User => "for you",
    };
    let mut findings = Vec::new();
    for (path, standing) in &configured.files {
        let path = path.display();
        findings.extend(match standing {
            Standing::Current => None,
            Standing::Missing => {
                let text = format!("set up in part {of}: {path} has nothing of hashline's");
                Some(Finding::problem(about, text).mended_by(fix.clone()))
            }
            Standing::InPart(missing) => {
                let text = format!("set up in part {of}: {path} lacks {}", missing.join(", "));
                Some(Finding::problem(about, text).mended_by(fix.clone()))
            }
            Standing::Differs(what) => {
                let text = format!(
                    "{} in {path} differs from what setup writes",
                    what.join(", ")
                );
                Some(Finding::warning(about, text).mended_by(setup_anew(ask, agent, scope)))
            }
            Standing::Unreadable(refused) => {
                let text = words::happened(refused);
                let first = words::first_step(refused);
                Some(Finding::problem(about, text).mended_by(format!("{first}, then {fix}")))
            }
        });
    }
    if findings.is_empty() {
        let files = configured.files.len();
        findings.push(Finding::ok(about, format!("set up {of} ({files} files)")));
    }
    findings
}

/// Says whether what the files call is there, and is this program.
fn called(ask: &Ask, configured: &Configured) -> Vec<Finding> {
    let programs = configured.programs().into_iter();
    programs
        .map(|(program, files)| one_called(ask, configured, program, &files))
        .collect()
}

fn one_called(ask: &Ask, configured: &Configured, command: &str, files: &[&Path]) -> Finding {
    let Wish { agent, scope, .. } = configured.wish;
    let about = agent.title();
    let anew = || setup_anew(ask, agent, scope);
    let shown: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let they_call = match shown.as_slice() {
        [file] => format!("{file} calls `{command}`"),
        files => format!("{} call `{command}`", files.join(" and ")),
    };
    let Some(found) = find(command) else {
        let text = format!("{they_call}, which is not there");
        return Finding::problem(about, text).mended_by(anew());
    };
    let Some(ours) = ask.programs.find(command) else {
        let text = format!("{they_call} ({}), which is not hashline", found.display());
        return Finding::problem(about, text).mended_by(anew());
    };
    let real = |path: PathBuf| std::fs::canonicalize(&path).unwrap_or(path);
    match own_path() == Some(real(ours.clone())) {
        true => Finding::ok(about, format!("calls this program, as `{command}`")),
        false => {
            let text = format!(
                "{they_call}, another program than this one: {}",
                ours.display()
            );
            Finding::warning(about, text).mended_by(anew())
        }
    }
}
