//! Puts hashline into the files of coding agents, takes it out again, and says what is wrong with either.
//!
//! A [`Wish`] says for which agent, for whom and where. `targets` is the table of what that means: files, and what goes into each.
//! [`install`] and [`uninstall`] read those files and make a [`Plan`], which can be shown ([`words::diff`]) and carried out. A plan
//! touches nothing; carrying it out changes all files or none.
//!
//! ```
//! use hashline_agents::setup::{Agent, Differing, Places, Scope, Wish, install, uninstall};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let (project, home) = (folder.path().join("project"), folder.path().join("home"));
//! # std::fs::create_dir_all(&project)?;
//! # std::fs::create_dir_all(&home)?;
//! let mine = "{\n  // mine\n  \"mcpServers\": {\n    \"x\": { \"command\": \"x\" }\n  }\n}\n";
//! std::fs::write(project.join(".mcp.json"), mine)?;
//! let wish = Wish {
//!     agent: Agent::Claude,
//!     scope: Scope::Project,
//!     places: Places { project: project.clone(), home, claude: None, codex: None, config: None, pi: None },
//!     command: "hashline".to_owned(),
//!     dialect: None,
//!     configured: None,
//! };
//! let plan = install(wish.clone(), None, Differing::Respect).map_err(|refused| refused.code())?;
//! plan.carry_out().map_err(|refused| refused.code())?;
//! assert!(std::fs::read_to_string(project.join(".mcp.json"))?.contains("\"hl\""));
//!
//! let plan = uninstall(wish, None, Differing::Respect).map_err(|refused| refused.code())?;
//! plan.carry_out().map_err(|refused| refused.code())?;
//! assert_eq!(std::fs::read_to_string(project.join(".mcp.json"))?, mine);
//! assert!(!project.join("CLAUDE.md").exists());
//! # Ok(())
//! # }
//! ```
//!
//! Deliberately absent: what hooks, servers and plugins do; asking the person; printing.

pub(crate) mod agent;
pub(crate) mod disk;
pub(crate) mod error;
pub(crate) mod file;
pub(crate) mod lines;
pub(crate) mod merge;
pub(crate) mod owned;
pub(crate) mod plan;
pub(crate) mod program;
pub(crate) mod receipt;
pub(crate) mod splice;
pub(crate) mod spoken;
pub(crate) mod targets;
pub(crate) mod turn;
pub mod words;
pub(crate) mod write;

pub use agent::{Agent, Places, Scope, Wish};
pub use error::Refused;
pub use merge::Differing;
pub use plan::{Direction, Done, Plan, install, uninstall};
pub use program::{Programs, own_command};
pub use targets::{Editor, left_by_hand};
pub use turn::Turn;
