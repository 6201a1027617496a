//! What mends a finding, as a person can type it here: this program by a name that is found, every path as one word.

use std::path::Path;

use hashline_session::discover;
use hashline_wire::render::shell;

use super::Ask;
use crate::setup::agent::{Agent, Scope};
use crate::setup::disk;
use crate::setup::program::own_command;

/// Returns a command of this program.
pub(super) fn hashline(args: &str) -> String {
    format!("{} {args}", shell::word(&own_command()))
}

/// Returns a command of this program about the project, which is named unless it is found from where the person stands.
pub(super) fn hashline_there(ask: &Ask, args: &str) -> String {
    let project = &ask.places.project;
    let base = ask.start.base.as_deref();
    let found = base.map(|base| disk::without_links(&discover(base)));
    match found {
        Some(Ok(found)) if found != *project => {
            hashline(&format!("{args} --root {}", shell::path(project)))
        }
        _ => hashline(args),
    }
}

/// Returns the command that sets an agent up.
pub(super) fn setup(ask: &Ask, agent: Agent, scope: Scope) -> String {
    let agent = agent.name();
    match scope {
        Scope::Project => hashline_there(ask, &format!("setup {agent}")),
        Scope::User => hashline(&format!("setup {agent} --user")),
    }
}

/// Returns the command that sets an agent up over what somebody changed.
pub(super) fn setup_anew(ask: &Ask, agent: Agent, scope: Scope) -> String {
    format!("{} --force", setup(ask, agent, scope))
}

/// Returns a command about one path.
pub(super) fn on(command: &str, path: &Path) -> String {
    format!("{command} {}", shell::path(path))
}

/// Returns the command that puts aside what stands where a folder is to be.
pub(super) fn aside(path: &Path) -> String {
    let mut there = path.as_os_str().to_owned();
    there.push(".old");
    format!("{} {}", on("mv", path), shell::path(Path::new(&there)))
}

/// Returns what helps with a state directory that belongs to somebody else.
pub(super) fn own_state(path: &Path) -> String {
    let chown = on("sudo chown -R \"$(id -u)\"", path);
    format!("{chown}, or set XDG_STATE_HOME to a folder of yours")
}
