//! The commands that set agents up, and that check whether that works.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hashline_agents::setup::{Agent, Editor};

use super::DialectArg;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/setup.txt"))]
pub(crate) struct SetupArgs {
    /// The agent; for cursor, vscode, windsurf and zed, only print the entry and where to put it
    #[arg(value_name = "AGENT", value_parser = one_of(agents_and_editors()))]
    pub(crate) agent: SetupTarget,
    /// For everybody who works in this project (the default)
    #[arg(long, group = "scope")]
    pub(crate) project: bool,
    /// For yourself, wherever you work
    #[arg(long, group = "scope")]
    pub(crate) user: bool,
    /// Show what would be written, without writing anything
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Remove hashline again
    ///
    /// A file that is unchanged since setup is restored byte for byte; from others only hashline's entries are removed.
    #[arg(long)]
    pub(crate) uninstall: bool,
    /// Let the agent edit through hashline without asking you, in all modes in which it changes files
    ///
    /// Without this, reading and searching are allowed, and edits ask as the agent's modes and settings say. Setting up again without it takes the
    /// permission back.
    #[arg(long, conflicts_with = "uninstall")]
    pub(crate) allow_edits: bool,
    /// Do not ask before writing
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Replace, or with --uninstall remove, entries that somebody else wrote or changed
    #[arg(long)]
    pub(crate) force: bool,
    /// Program that the agent runs [default: hashline if that is this program, else the path of this program]
    #[arg(long, value_name = "PATH")]
    pub(crate) command: Option<String>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

/// What hashline is set up for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SetupTarget {
    /// An agent whose files setup writes.
    Agent(Agent),
    /// An editor for which setup only prints what to put where.
    Editor(Editor),
}

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/doctor.txt"))]
pub(crate) struct DoctorArgs {
    /// Check only this agent
    #[arg(value_name = "AGENT", value_parser = one_of(agents()))]
    pub(crate) agent: Option<Agent>,
    /// Also start the server and the hook as the agent would, and edit a scratch file with them
    #[arg(long)]
    pub(crate) simulate: bool,
}

/// Returns a parser that accepts the names of these values, and turns a name into its value.
pub(crate) fn one_of<T: Clone + Send + Sync + 'static>(
    values: Vec<(PossibleValue, T)>,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<PossibleValue> = values.iter().map(|(name, _)| name.clone()).collect();
    PossibleValuesParser::new(names).try_map(move |name| {
        let mut values = values.iter();
        let found = values.find(|(value, _)| value.get_name() == name);
        found.map(|(_, value)| value.clone()).ok_or("unknown name")
    })
}

fn agents() -> Vec<(PossibleValue, Agent)> {
    let agents = Agent::ALL.into_iter();
    agents.map(|agent| (agent.name().into(), agent)).collect()
}

fn agents_and_editors() -> Vec<(PossibleValue, SetupTarget)> {
    let agents = agents().into_iter();
    let agents = agents.map(|(name, agent)| (name, SetupTarget::Agent(agent)));
    let editors = Editor::ALL.into_iter();
    let editors = editors.map(|editor| (editor.name().into(), SetupTarget::Editor(editor)));
    agents.chain(editors).collect()
}
