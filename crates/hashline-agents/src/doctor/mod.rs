//! The doctor (`hashline doctor`) checks what is installed, set up, trusted and reachable, and shows the command that fixes a problem.
//!
//! Checks change nothing, except that temporary files are created to test whether a folder can be written. Only [`CheckDepth::Simulate`] starts the
//! hashline programs that an agent's files call, in a temporary folder, and never another program: a project's files may come from a stranger.

mod agent;
mod agent_setup;
mod environment;
mod fix_commands;
mod process;
mod simulate;
mod state;
mod switches;
mod trust;

use hashline_session::{Service, ServiceOptions};
use serde::Serialize;
use serde_json::{Value, json};

use crate::setup::program::Programs;
use crate::setup::{Agent, AgentPlaces};
use switches::Switches;

/// What the doctor checks, and with which programs and folders.
#[derive(Clone, Debug)]
pub struct DoctorOptions {
    /// The agent to check; `None` for all that are installed or set up.
    pub agent: Option<Agent>,
    /// Whether servers and hooks are also started.
    pub depth: CheckDepth,
    /// The folders of the agents' configuration files.
    pub places: AgentPlaces,
    /// The roots, the user's configuration file and the state directory, as the program was started with them.
    pub service: ServiceOptions,
    /// The programs that the doctor may start, because they are known to be hashline.
    pub programs: Programs,
    /// The version of the running hashline program.
    pub version: &'static str,
}

/// How thorough the checks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckDepth {
    /// Reads files, and runs the agents with `--version`.
    Look,
    /// Also starts the MCP server and the hook, as the agent would, and edits a scratch file with them.
    Simulate,
}

/// The severity of a finding, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Everything is as it should be.
    Ok,
    /// The user may have intended this.
    Warning,
    /// Something does not work.
    Problem,
}

/// One result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The subject of the finding, such as "configuration" or the name of an agent.
    pub about: &'static str,
    /// The severity of the finding.
    pub level: Level,
    /// The result of the check, in one line.
    pub text: String,
    /// The command, or another action of the user, that fixes the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    pub(crate) fn ok(text: impl Into<String>) -> Self {
        Self::new(Level::Ok, text)
    }

    pub(crate) fn warning(text: impl Into<String>) -> Self {
        Self::new(Level::Warning, text)
    }

    pub(crate) fn problem(text: impl Into<String>) -> Self {
        Self::new(Level::Problem, text)
    }

    // A check does not say what it is about: its caller sets that for all its findings, so that they stay together.
    fn new(level: Level, text: impl Into<String>) -> Self {
        Self {
            about: "",
            level,
            text: text.into(),
            fix: None,
        }
    }

    /// Returns the finding with the command or action that fixes it.
    pub(crate) fn with_fix(self, fix: impl Into<String>) -> Self {
        let fix = Some(fix.into());
        Self { fix, ..self }
    }
}

/// Runs all checks, and returns their results.
#[must_use]
pub fn examine(options: &DoctorOptions) -> Vec<Finding> {
    // Without a usable configuration the other checks are still made, as far as they can be.
    let opened = environment::open(options);
    let config = opened.as_ref().ok().map(Service::config);
    let switches = Switches::find(options, config);
    let mut findings = environment::check(options, &opened);
    findings.extend(about("switches", switches.findings()));
    let agents = match options.agent {
        Some(agent) => vec![agent],
        None => Agent::ALL.to_vec(),
    };
    for agent in agents {
        let found = agent::check(options, agent, &switches, config);
        findings.extend(about(agent.title(), found));
    }
    findings
}

/// Sets the subject of findings.
fn about(
    about: &'static str,
    findings: impl IntoIterator<Item = Finding>,
) -> impl Iterator<Item = Finding> {
    let findings = findings.into_iter();
    findings.map(move |finding| Finding { about, ..finding })
}

/// Returns findings as JSON.
#[must_use]
pub fn to_json(findings: &[Finding]) -> Value {
    json!({
        "ok": findings.iter().all(|finding| finding.level < Level::Problem),
        "findings": findings,
    })
}
