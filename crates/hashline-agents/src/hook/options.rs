//! The options of the hook that come from the command line and the environment, not from the event.

use std::path::PathBuf;
use std::time::Duration;

use hashline_core::dialect::Dialect;
use hashline_session::ServiceOptions;

/// Options of the hook from the command line and the environment.
#[derive(Clone, Debug)]
pub struct HookOptions {
    /// Whether the user turned the hook off.
    pub off: bool,
    /// Options for opening the workspace. Without roots, the root is discovered from the client's project folder or working directory.
    pub service: ServiceOptions,
    /// The session name given by the user, which overrides the client's conversation identifier.
    pub session: Option<String>,
    /// The working directory of the hook process, for events that name none.
    pub cwd: Option<PathBuf>,
    /// The project folder that is open in the client, if the environment names it.
    pub project: Option<PathBuf>,
    /// The prefix of our tool names in the client, if it is not the usual one.
    pub tool_prefix: Option<String>,
    /// The dialect that our MCP server was started with, which overrides the configured dialect.
    pub dialect: Option<Dialect>,
    /// The maximum CPU time that the hook may take; the limit on elapsed time is five times as long.
    pub time: Duration,
}

impl Default for HookOptions {
    fn default() -> Self {
        Self {
            off: false,
            service: ServiceOptions::default(),
            session: None,
            cwd: None,
            project: None,
            tool_prefix: None,
            dialect: None,
            time: Duration::from_millis(50),
        }
    }
}
