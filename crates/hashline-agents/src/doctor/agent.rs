//! Checks one agent: whether it is installed, whether hashline is set up and trusted in it, and whether it can start hashline.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use hashline_workspace::config::Config;

use super::agent_setup::{AgentSetup, FileState, HookEntry};
use super::fix_commands::{forced_setup, setup};
use super::switches::Switches;
use super::{CheckDepth, DoctorOptions, Finding, process, simulate, trust};
use crate::setup::program::{find, own_command, own_path};
use crate::setup::words::first_step;
use crate::setup::{Agent, EditRights, Scope, SetupOptions};

/// How long an agent may take to print its version; some start slowly.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Checks an agent. Returns no findings if the user did not name the agent, and it is neither installed nor set up.
pub(super) fn check(
    options: &DoctorOptions,
    agent: Agent,
    switches: &Switches,
    config: Option<&Config>,
) -> Vec<Finding> {
    let scopes = [Scope::Project, Scope::User].map(|scope| {
        let setup = SetupOptions {
            agent,
            scope,
            places: options.places.clone(),
            command: own_command(),
            dialect: None,
            edits: EditRights::default(),
            configured: None,
        };
        AgentSetup::read(setup, &options.programs)
    });
    let program = find(agent.name());
    let is_absent = scopes.iter().all(AgentSetup::is_absent);
    if options.agent.is_none() && program.is_none() && is_absent {
        return Vec::new();
    }
    let mut findings = vec![installed(agent, program)];
    if is_absent {
        findings.push(not_set_up(options, agent));
    }
    for found in scopes.iter().filter(|found| !found.is_absent()) {
        findings.extend(files(options, found));
        let programs = found.programs().into_iter();
        findings.extend(programs.map(|(program, files)| called(options, found, program, &files)));
        let mismatches = dialects(options, found, config);
        let agree = mismatches.is_empty();
        findings.extend(mismatches);
        findings.extend(trust::check(found));
        findings.extend(rights(found));
        if options.depth == CheckDepth::Simulate {
            findings.extend(simulate::simulate(options, found, switches, agree));
        }
    }
    findings
}

fn installed(agent: Agent, program: Option<PathBuf>) -> Finding {
    let Some(program) = program else {
        return Finding::warning(format!("`{}` is not on PATH", agent.name()));
    };
    let mut version = Command::new(&program);
    version.arg("--version").current_dir(std::env::temp_dir());
    let program = program.display();
    match process::run(version, b"", TIMEOUT) {
        Ok(ran) if ran.code == Some(0) => {
            // Some print it to the other output.
            let mut lines = ran.out.lines().chain(ran.err.lines());
            let line = lines.next().unwrap_or_default().trim();
            Finding::ok(format!("installed: {program} ({line})"))
        }
        Ok(ran) => {
            let code = ran.code.map(|code| format!("exit code {code}"));
            let code = code.unwrap_or_else(|| "no exit code".to_owned());
            let line = ran.first_error().trim();
            Finding::warning(format!("{program} --version fails ({code}): {line}"))
        }
        Err(why) => Finding::warning(format!("{program} --version fails: {why}")),
    }
}

/// Reports whether the agent asks before edits. OpenCode asks as it does for its own tools, and pi never asks: for them setup decides nothing.
fn rights(found: &AgentSetup) -> Option<Finding> {
    let of = match found.options.agent {
        Agent::Claude | Agent::Codex | Agent::Gemini => found.options.scope.name(),
        Agent::OpenCode | Agent::Pi => return None,
    };
    Some(Finding::ok(match found.options.edits {
        EditRights::Ask => format!("edits ask, as the modes of the agent say ({of})"),
        EditRights::Allow => format!("edits do not ask: set up with --allow-edits ({of})"),
    }))
}

fn not_set_up(options: &DoctorOptions, agent: Agent) -> Finding {
    let text = "hashline is not set up, neither in this project nor in your user settings";
    let found = match options.agent {
        Some(_) => Finding::problem(text),
        None => Finding::warning(text),
    };
    found.with_fix(setup(options, agent, Scope::Project))
}

/// Reports the agent's files that differ from what setup would write.
fn files(options: &DoctorOptions, found: &AgentSetup) -> Vec<Finding> {
    let SetupOptions { agent, scope, .. } = found.options;
    let fix = setup(options, agent, scope);
    let of = match scope {
        Scope::Project => "in this project",
        Scope::User => "in your user settings",
    };
    let partly = |what: String| {
        Finding::problem(format!("partly set up {of}: {what}")).with_fix(fix.clone())
    };
    let differing = |(path, state): &(PathBuf, FileState)| {
        let path = path.display();
        Some(match state {
            FileState::Current => return None,
            FileState::Missing => partly(format!("{path} has no entries of hashline")),
            FileState::InPart(missing) => partly(format!("{path} lacks {}", missing.join(", "))),
            FileState::Differs(what) => {
                let what = what.join(", ");
                Finding::warning(format!("{what} in {path} differs from what setup writes"))
                    .with_fix(forced_setup(options, agent, scope))
            }
            FileState::Unreadable(error) => Finding::problem(error.to_string())
                .with_fix(format!("{}, then {fix}", first_step(error))),
        })
    };
    let mut findings: Vec<Finding> = found.files.iter().filter_map(differing).collect();
    if findings.is_empty() {
        let files = found.files.len();
        findings.push(Finding::ok(format!("set up {of} ({files} files)")));
    }
    findings
}

/// Reports whether the program that the agent's files call exists, and whether it is the running hashline.
fn called(options: &DoctorOptions, found: &AgentSetup, command: &str, files: &[&Path]) -> Finding {
    let SetupOptions { agent, scope, .. } = found.options;
    let files: Vec<String> = (files.iter())
        .map(|file| file.display().to_string())
        .collect();
    let they_call = match files.as_slice() {
        [file] => format!("{file} calls `{command}`"),
        files => format!("{} call `{command}`", files.join(" and ")),
    };
    let finding = match (find(command), options.programs.find(command)) {
        (None, _) => Finding::problem(format!("{they_call}, which does not exist")),
        (Some(other), None) => {
            let other = other.display();
            Finding::problem(format!("{they_call} ({other}), which is not hashline"))
        }
        (_, Some(ours)) => {
            let real = std::fs::canonicalize(&ours).unwrap_or_else(|_| ours.clone());
            if own_path() == Some(real) {
                return Finding::ok(format!("calls this program, as `{command}`"));
            }
            let ours = ours.display();
            Finding::warning(format!(
                "{they_call}, which is another program than this one: {ours}"
            ))
        }
    };
    finding.with_fix(forced_setup(options, agent, scope))
}

/// Reports if the server, the hook and the instructions use different dialects: the server would refuse the anchors that the hook shows. A file
/// without `--dialect` uses the configured dialect, else the agent's default.
fn dialects(options: &DoctorOptions, found: &AgentSetup, config: Option<&Config>) -> Vec<Finding> {
    let setup_options = &found.options;
    let SetupOptions { agent, scope, .. } = *setup_options;
    let Some(call) = &found.call else {
        return Vec::new();
    };
    let configured = match agent {
        // Its extension speaks its own, whatever is configured.
        Agent::Pi => None,
        _ => config.and_then(|config| config.dialect),
    };
    let usual = configured.unwrap_or_else(|| agent.dialect());
    let spoken = call.dialect.unwrap_or(usual).name();
    let fix = setup(options, agent, scope);
    let mut findings = Vec::new();
    let mut files: Vec<&Path> = Vec::new();
    for HookEntry { file, call, .. } in &found.hooks {
        let by_hook = call.dialect.as_deref().unwrap_or(usual.name());
        // One finding is enough for each file.
        if by_hook == spoken || files.contains(&file.as_path()) {
            continue;
        }
        files.push(file);
        let text = format!(
            "the hook in {} uses the dialect {by_hook}, the server {spoken}: the server refuses the anchors that the hook shows",
            file.display()
        );
        findings.push(Finding::problem(text).with_fix(fix.clone()));
    }
    let taught = setup_options.spoken_dialect().name();
    if taught != spoken {
        let text = format!(
            "the configuration selects the dialect {spoken}, but the agent's instructions teach {taught}"
        );
        let fix = format!("{fix} --dialect {spoken}");
        findings.push(Finding::problem(text).with_fix(fix));
    }
    findings
}
