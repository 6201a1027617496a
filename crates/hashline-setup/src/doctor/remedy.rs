//! What mends a finding, as a person can type it here: this program by a name that is found, every path as one word.

use std::path::Path;

use hashline_wire::render::shell;

use crate::agent::{Agent, Scope};
use crate::program::own_command;

/// Returns a command of this program.
pub(super) fn hashline(args: &str) -> String {
    format!("{} {args}", shell::word(&own_command()))
}

/// Returns the command that sets an agent up.
pub(super) fn setup(agent: Agent, scope: Scope) -> String {
    let option = match scope {
        Scope::Project => "",
        Scope::User => " --user",
    };
    hashline(&format!("setup {}{option}", agent.name()))
}

/// Returns the command that sets an agent up over what somebody changed.
pub(super) fn setup_anew(agent: Agent, scope: Scope) -> String {
    format!("{} --force", setup(agent, scope))
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
