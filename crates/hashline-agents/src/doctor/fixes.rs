//! Commands that fix a finding, ready to be typed into a shell: this program by a name that the shell finds, paths quoted.

use std::path::Path;

use hashline_session::discover;
use hashline_wire::shell;

use super::DoctorOptions;
use crate::setup::program::own_command;
use crate::setup::read::without_links;
use crate::setup::{Agent, Scope};

/// Returns a command of this program.
pub(super) fn hashline(args: &str) -> String {
    format!("{} {args}", shell::word(&own_command()))
}

/// Returns a command of this program about the project, with `--root` unless the project is found from the working directory.
pub(super) fn hashline_there(options: &DoctorOptions, args: &str) -> String {
    let project = &options.places.project;
    let base = options.start.base.as_deref();
    let found = base.map(|base| without_links(&discover(base)));
    match found {
        Some(Ok(found)) if found != *project => {
            hashline(&format!("{args} --root {}", shell::path(project)))
        }
        _ => hashline(args),
    }
}

/// Returns the command that sets an agent up.
pub(super) fn setup(options: &DoctorOptions, agent: Agent, scope: Scope) -> String {
    let agent = agent.name();
    match scope {
        Scope::Project => hashline_there(options, &format!("setup {agent}")),
        Scope::User => hashline(&format!("setup {agent} --user")),
    }
}

/// Returns the command that sets an agent up and replaces entries that were changed by hand.
pub(super) fn forced_setup(options: &DoctorOptions, agent: Agent, scope: Scope) -> String {
    format!("{} --force", setup(options, agent, scope))
}

/// Returns a command about one path.
pub(super) fn on(command: &str, path: &Path) -> String {
    format!("{command} {}", shell::path(path))
}

/// Returns the command that moves a file away where a folder is needed.
pub(super) fn move_away(path: &Path) -> String {
    let mut to = path.as_os_str().to_owned();
    to.push(".old");
    format!("{} {}", on("mv", path), shell::path(Path::new(&to)))
}
