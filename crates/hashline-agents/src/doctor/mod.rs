//! The doctor: what is installed, set up, trusted and reachable, and the command that mends the rest.
//!
//! Everything is looked at as it is; what can be written is tried with files that are gone afterwards. Only [`Depth::Simulate`] starts
//! programs, in a temporary folder, and only those that are hashline: files of a project may come from a stranger.

mod agents;
mod child;
mod configured;
mod here;
mod remedy;
mod server;
mod simulate;
mod spoken;
mod state;
mod switches;
mod trust;

use hashline_session::Start;
use serde_json::{Value, json};

use crate::setup::agent::{Agent, Places};
use crate::setup::program::Programs;
use here::Opened;
use switches::Switches;

/// What is to be looked at.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Which agent; nothing: all that are installed or set up.
    pub agent: Option<Agent>,
    /// How far to go.
    pub depth: Depth,
    /// Where files lie.
    pub places: Places,
    /// How the program starts.
    pub start: Start,
    /// The programs that may be started.
    pub programs: Programs,
    /// The version of the program.
    pub version: &'static str,
}

/// How far the doctor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Files are looked at, and agents asked for their version.
    Look,
    /// The server and the hook are started too, as the agent would.
    Simulate,
}

/// How bad something is, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It is as it should be.
    Ok,
    /// It may be meant so.
    Warning,
    /// It does not work.
    Problem,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub about: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What is so, in one line.
    pub text: String,
    /// The command, or what else is to be done, that mends it.
    pub fix: Option<String>,
}

impl Finding {
    pub(crate) fn ok(about: &'static str, text: impl Into<String>) -> Self {
        Self::new(about, Level::Ok, text)
    }

    pub(crate) fn warning(about: &'static str, text: impl Into<String>) -> Self {
        Self::new(about, Level::Warning, text)
    }

    pub(crate) fn problem(about: &'static str, text: impl Into<String>) -> Self {
        Self::new(about, Level::Problem, text)
    }

    fn new(about: &'static str, level: Level, text: impl Into<String>) -> Self {
        Self {
            about,
            level,
            text: text.into(),
            fix: None,
        }
    }

    /// Adds what mends it.
    pub(crate) fn mended_by(self, fix: impl Into<String>) -> Self {
        let fix = Some(fix.into());
        Self { fix, ..self }
    }
}

/// Looks at everything.
#[must_use]
pub fn examine(ask: &Ask) -> Vec<Finding> {
    let opened = Opened::new(ask);
    let switches = Switches::look(ask, opened.config());
    let mut findings = here::look(ask, &opened);
    findings.extend(switches.findings());
    let agents = match ask.agent {
        Some(agent) => vec![agent],
        None => Agent::ALL.to_vec(),
    };
    for agent in agents {
        findings.extend(agents::look(ask, agent, &switches, opened.config()));
    }
    findings
}

/// Returns findings as an object.
#[must_use]
pub fn to_program(findings: &[Finding]) -> Value {
    let level = |level| match level {
        Level::Ok => "ok",
        Level::Warning => "warning",
        Level::Problem => "problem",
    };
    let object = |finding: &Finding| {
        let mut object = json!({
            "about": finding.about,
            "level": level(finding.level),
            "text": finding.text,
        });
        if let Some(fix) = &finding.fix {
            object["fix"] = fix.as_str().into();
        }
        object
    };
    json!({
        "ok": findings.iter().all(|finding| finding.level < Level::Problem),
        "findings": findings.iter().map(object).collect::<Vec<_>>(),
    })
}
