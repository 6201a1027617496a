//! The commands that put hashline into agents, and that say what is wrong with it.

use clap::Args;
use clap::builder::PossibleValuesParser;
use hashline_agents::setup::{Agent, Editor};

use super::DialectArg;

/// Put hashline into an agent's own files, or take it out
///
/// Shows a diff first. On a terminal it asks before it writes, elsewhere it just writes; --dry-run only shows. All files are written or
/// none. What is there stays as it is: comments, order, indentation. A second run changes nothing. Entries that you changed since are kept.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/setup.txt"))]
pub(crate) struct SetupArgs {
    /// The agent; for cursor, vscode, windsurf and zed what to put where is printed
    #[arg(value_name = "AGENT", value_parser = agents_and_editors())]
    pub(crate) agent: String,
    /// For everybody who works in this project (the default)
    #[arg(long, group = "scope")]
    pub(crate) project: bool,
    /// For yourself, wherever you work
    #[arg(long, group = "scope")]
    pub(crate) user: bool,
    /// Only show what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take hashline out again
    ///
    /// A file that is as setup left it gets every byte back; from one that was changed since only hashline's entries go.
    #[arg(long)]
    pub(crate) uninstall: bool,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Replace, or with --uninstall take out, what somebody else wrote or changed
    #[arg(long)]
    pub(crate) force: bool,
    /// The program that the agent is to run; else hashline if that is this program, else the path of this program
    #[arg(long, value_name = "PATH")]
    pub(crate) command: Option<String>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

/// Say what is installed, set up, trusted and reachable, and what mends the rest
///
/// Exit code 2 if there is a problem. Nothing is changed.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/doctor.txt"))]
pub(crate) struct DoctorArgs {
    /// Only this agent
    #[arg(value_name = "AGENT", value_parser = PossibleValuesParser::new(Agent::ALL.map(Agent::name)))]
    pub(crate) agent: Option<String>,
    /// Also start the server and the hook as the agent would, and edit a scratch file with them
    #[arg(long)]
    pub(crate) simulate: bool,
}

fn agents_and_editors() -> PossibleValuesParser {
    let agents = Agent::ALL.map(Agent::name);
    let editors = Editor::ALL.map(Editor::name);
    PossibleValuesParser::new(agents.into_iter().chain(editors))
}
