//! Installs hashline in the configuration files of coding agents, and removes it again.
//!
//! [`SetupOptions`] name the agent, the scope and the folders. `agents` lists the configuration files of each agent, and what setup writes into each
//! file. [`install`] and [`uninstall`] read those files and make a [`SetupPlan`], which can be shown ([`words::diff`]) and written. Making a plan
//! changes no file; writing a plan changes all its files or none.
//!
//! ```
//! use hashline_agents::setup::{EditRights, Agent, OnConflict, AgentPlaces, Scope, SetupOptions, install, uninstall};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let (project, home) = (folder.path().join("project"), folder.path().join("home"));
//! # std::fs::create_dir_all(&project)?;
//! # std::fs::create_dir_all(&home)?;
//! let mine = "{\n  // mine\n  \"mcpServers\": {\n    \"x\": { \"command\": \"x\" }\n  }\n}\n";
//! std::fs::write(project.join(".mcp.json"), mine)?;
//! let options = SetupOptions {
//!     agent: Agent::Claude,
//!     scope: Scope::Project,
//!     places: AgentPlaces { project: project.clone(), home, claude: None, codex: None, config: None, pi: None },
//!     command: "hashline".to_owned(),
//!     dialect: None,
//!     edits: EditRights::default(),
//!     configured: None,
//! };
//! install(options.clone(), None, OnConflict::Keep)?.write()?;
//! assert!(std::fs::read_to_string(project.join(".mcp.json"))?.contains("\"hl\""));
//!
//! uninstall(options, None, OnConflict::Keep)?.write()?;
//! assert_eq!(std::fs::read_to_string(project.join(".mcp.json"))?, mine);
//! assert!(!project.join("CLAUDE.md").exists());
//! # Ok(())
//! # }
//! ```
//!
//! This module does not implement the hooks, servers and plugins that it installs, does not ask the user, and does not print.

// From the inside out: `merge` changes a text, `merged_file` a file with its receipt, `plan` all files of an agent; `agents` says which, and
// `ownership` which entries are ours.
pub(crate) mod agents;
mod editor;
pub(crate) mod error;
mod lock;
pub(crate) mod merge;
pub(crate) mod merged_file;
pub(crate) mod options;
pub(crate) mod ownership;
mod plan;
pub(crate) mod program;
pub(crate) mod read;
mod receipt;
mod text;
pub mod words;

pub use agents::manual_removal_steps;
pub use editor::Editor;
pub use error::{FileError, SetupError};
pub use hashline_wire::agent::Agent;
pub use lock::SetupLock;
pub use merge::OnConflict;
pub use options::{AgentPlaces, EditRights, Scope, SetupOptions};
pub use plan::{SetupAction, SetupPlan, install, uninstall};
pub use program::{Programs, own_command};
