//! Whether what an agent has of us speaks one dialect: the server, the hook, the instructions.
//!
//! Anchors of one dialect are refused in another, so an agent that is shown the one and told the other goes round in circles.

use hashline_core::dialect::Dialect;
use hashline_workspace::config::Config;

use super::configured::{Configured, Hooked};
use super::remedy::setup;
use super::{Ask, Finding};
use crate::setup::agent::{Agent, Wish};

/// Says what does not agree. Where a file names no dialect, the configuration does, else it is the usual one.
pub(super) fn look(ask: &Ask, configured: &Configured, config: Option<&Config>) -> Vec<Finding> {
    let Some(call) = &configured.call else {
        return Vec::new();
    };
    let wish = &configured.wish;
    let usual = match wish.agent {
        // Its extension speaks its own, whatever is configured.
        Agent::Pi => None,
        _ => config.and_then(|config| config.dialect),
    };
    let usual = usual.unwrap_or_else(|| wish.agent.caller().dialect());
    let spoken = call.dialect.unwrap_or(usual);
    let mut findings = Vec::new();
    for hook in apart(&configured.hooks, spoken, usual) {
        findings.push(hook_differs(ask, wish, hook, spoken, usual));
    }
    if spoken != wish.spoken() {
        findings.push(instructions_differ(ask, wish, spoken));
    }
    findings
}

/// Returns the hooks that speak otherwise than the server, one of each file.
fn apart(hooks: &[Hooked], spoken: Dialect, usual: Dialect) -> Vec<&Hooked> {
    let mut apart: Vec<&Hooked> = Vec::new();
    for hook in hooks {
        let is_known = apart.iter().any(|known| known.file == hook.file);
        if !is_known && said(hook, usual) != spoken.name() {
            apart.push(hook);
        }
    }
    apart
}

/// Returns what a hook speaks.
fn said(hook: &Hooked, usual: Dialect) -> &str {
    hook.call.dialect.as_deref().unwrap_or(usual.name())
}

fn hook_differs(ask: &Ask, wish: &Wish, hook: &Hooked, spoken: Dialect, usual: Dialect) -> Finding {
    let text = format!(
        "the hook in {} speaks the dialect {}, the server {}: what the one shows the other refuses",
        hook.file.display(),
        said(hook, usual),
        spoken.name()
    );
    Finding::problem(wish.agent.title(), text).mended_by(setup(ask, wish.agent, wish.scope))
}

fn instructions_differ(ask: &Ask, wish: &Wish, spoken: Dialect) -> Finding {
    let (taught, spoken) = (wish.spoken().name(), spoken.name());
    let text = format!(
        "the configuration has it speak the dialect {spoken}, and its instructions teach {taught}"
    );
    let setup = setup(ask, wish.agent, wish.scope);
    Finding::problem(wish.agent.title(), text).mended_by(format!("{setup} --dialect {spoken}"))
}
