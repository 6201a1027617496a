//! The doctor: what is installed, set up, trusted and reachable, and the command that fixes the rest.
//!
//! Checks change nothing; whether a folder can be written is tried with temporary files. Only [`CheckDepth::Simulate`] starts
//! programs, in a temporary folder, and only those that are hashline: files of a project may come from a stranger.

mod agent;
mod agent_setup;
mod environment;
mod fixes;
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

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct DoctorOptions {
    /// Which agent; nothing: all that are installed or set up.
    pub agent: Option<Agent>,
    /// How far to go.
    pub depth: CheckDepth,
    /// Where files lie.
    pub places: AgentPlaces,
    /// How the program starts.
    pub start: ServiceOptions,
    /// The programs that may be started.
    pub programs: Programs,
    /// The version of the program.
    pub version: &'static str,
}

/// How far the doctor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckDepth {
    /// Files are looked at, and agents asked for their version.
    Look,
    /// The server and the hook are started too, as the agent would.
    Simulate,
}

/// How bad something is, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It is as it should be.
    Ok,
    /// It may be meant so.
    Warning,
    /// It does not work.
    Problem,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is about.
    pub about: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What was found, in one line.
    pub text: String,
    /// The command, or what else is to be done, that fixes it.
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

    /// Adds what fixes it.
    pub(crate) fn with_fix(self, fix: impl Into<String>) -> Self {
        let fix = Some(fix.into());
        Self { fix, ..self }
    }
}

/// Checks everything.
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

/// Says what findings are about.
fn about(
    about: &'static str,
    findings: impl IntoIterator<Item = Finding>,
) -> impl Iterator<Item = Finding> {
    let findings = findings.into_iter();
    findings.map(move |finding| Finding { about, ..finding })
}

/// Returns findings as an object.
#[must_use]
pub fn to_json(findings: &[Finding]) -> Value {
    json!({
        "ok": findings.iter().all(|finding| finding.level < Level::Problem),
        "findings": findings,
    })
}
