//! Shell commands that fix a finding, ready to be pasted: they call hashline by a name that the shell finds, and paths are quoted.

use std::path::Path;

use hashline_session::discover;
use hashline_wire::shell;

use super::DoctorOptions;
use crate::setup::program::own_command;
use crate::setup::read::without_links;
use crate::setup::{Agent, Scope};

/// Returns a shell command that runs hashline with the given arguments.
pub(super) fn hashline(args: &str) -> String {
    format!("{} {args}", shell::word(&own_command()))
}

/// Returns a shell command that runs hashline for the project, with `--root` unless it finds the project from the working directory.
pub(super) fn hashline_there(options: &DoctorOptions, args: &str) -> String {
    let project = &options.places.project;
    let base = options.service.base.as_deref();
    let found = base.map(|base| without_links(&discover(base)));
    match found {
        Some(Ok(found)) if found != *project => {
            hashline(&format!("{args} --root {}", shell::path(project)))
        }
        _ => hashline(args),
    }
}

/// Returns the `hashline setup` command for an agent.
pub(super) fn setup(options: &DoctorOptions, agent: Agent, scope: Scope) -> String {
    let agent = agent.name();
    match scope {
        Scope::Project => hashline_there(options, &format!("setup {agent}")),
        Scope::User => hashline(&format!("setup {agent} --user")),
    }
}

/// Returns the `hashline setup --force` command for an agent, which replaces entries that were changed by hand.
pub(super) fn forced_setup(options: &DoctorOptions, agent: Agent, scope: Scope) -> String {
    format!("{} --force", setup(options, agent, scope))
}

/// Returns a shell command with a quoted path as its last argument.
pub(super) fn on(command: &str, path: &Path) -> String {
    format!("{command} {}", shell::path(path))
}

/// Returns the `mv` command that renames a file which is in the place of a needed folder.
pub(super) fn move_away(path: &Path) -> String {
    let mut to = path.as_os_str().to_owned();
    to.push(".old");
    format!("{} {}", on("mv", path), shell::path(Path::new(&to)))
}
