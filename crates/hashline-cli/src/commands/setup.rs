//! `hashline setup`: adds hashline to the configuration files of an agent, or removes it from them.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use hashline_agents::setup::words::{self, PlanState};
use hashline_agents::setup::{
    Agent, AgentPlaces, EditRights, Editor, OnConflict, Scope, SetupAction, SetupLock,
    SetupOptions, SetupPlan, install, manual_removal_steps, own_command, uninstall,
};
use hashline_core::dialect::Dialect;
use hashline_session::{Service, ServiceOptions, discover};
use hashline_workspace::ledger::state_dir;

use crate::args::{Global, SetupArgs, SetupTarget};
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::paths;
use crate::refusals;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &SetupArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let command = command(args)?;
    let agent = match args.agent {
        SetupTarget::Agent(agent) => agent,
        SetupTarget::Editor(editor) => {
            show_snippet(editor, &command, args, out);
            return Ok(Exit::Done);
        }
    };
    let asks = !out.json && !args.yes && out.is_terminal() && std::io::stdin().is_terminal();
    // Without a question the lock is held from the plan to the write, so that several setups at once run one after the other. With one it
    // is not: they would wait for a person to answer.
    let lock = if asks || args.dry_run {
        None
    } else {
        Some(SetupLock::acquire(state_dir().as_deref())?)
    };
    let plan = plan(global, args, agent, command)?;
    if !out.json {
        show_diff(&plan, out);
    }
    if plan.changes.is_empty() || args.dry_run {
        return Ok(print_result(&plan, PlanState::Planned, out));
    }
    if asks && !is_wanted(&plan, out) {
        out.message("Nothing was written.");
        return Ok(Exit::Failed);
    }
    let receipt_error = match &lock {
        Some(lock) => plan.clone().write_locked(lock)?,
        None => plan.clone().write()?,
    };
    let changed = plan.changes.iter();
    out.changed(changed.map(|change| change.path.display().to_string()));
    if let Some(error) = &receipt_error {
        out.message(&words::receipt_error_note(error));
    }
    Ok(print_result(&plan, PlanState::Written, out))
}

fn plan(
    global: &Global,
    args: &SetupArgs,
    agent: Agent,
    command: String,
) -> Result<SetupPlan, Refusal> {
    let scope = if args.user {
        Scope::User
    } else {
        Scope::Project
    };
    let (options, _) = paths::options(global, &[])?;
    let places = places_of(global, &options)?;
    let options = SetupOptions {
        agent,
        scope,
        configured: configured_dialect(options, scope, &places),
        places,
        command,
        dialect: args.dialect.get(),
        edits: if args.allow_edits {
            EditRights::Allow
        } else {
            EditRights::Ask
        },
    };
    let on_conflict = if args.force {
        OnConflict::Replace
    } else {
        OnConflict::Keep
    };
    if !args.uninstall {
        return Ok(install(options, state_dir(), on_conflict)?);
    }
    let manual_steps = manual_removal_steps(&options);
    let mut plan = uninstall(options, state_dir(), on_conflict)?;
    plan.manual_steps = manual_steps;
    Ok(plan)
}

/// Returns the dialect configured for the project or for the user, depending on the scope. Returns `None` if the configuration is invalid.
fn configured_dialect(
    options: ServiceOptions,
    scope: Scope,
    places: &AgentPlaces,
) -> Option<Dialect> {
    let roots = match scope {
        Scope::Project => vec![places.project.clone()],
        Scope::User => Vec::new(),
    };
    let service = Service::open(&ServiceOptions { roots, ..options }).ok();
    service.and_then(|service| service.config().dialect)
}

/// Returns the folders in which the agents look for their files. The project is the one around the working directory, unless `--root` names another;
/// roots in the configuration are ignored, because they say which files may be used, not which project is meant.
pub(super) fn places_of(global: &Global, options: &ServiceOptions) -> Result<AgentPlaces, Refusal> {
    let working = options.base.clone().unwrap_or_else(|| PathBuf::from("/"));
    let root = match global.root.first() {
        Some(root) => working.join(root),
        None => discover(&working),
    };
    if !root.is_dir() {
        let root = root.display();
        return Err(refusals::usage(format!("--root {root}: no such folder")));
    }
    let root = std::fs::canonicalize(&root).unwrap_or(root);
    AgentPlaces::from_env(root)
        .ok_or_else(|| refusals::usage("the home directory is unknown: set HOME".to_owned()))
}

/// Returns the command by which the agent is to run hashline.
fn command(args: &SetupArgs) -> Result<String, Refusal> {
    match &args.command {
        None => Ok(own_command()),
        Some(command) if command.trim().is_empty() => {
            Err(refusals::usage("--command names no program".to_owned()))
        }
        Some(command) => Ok(command.clone()),
    }
}

fn show_snippet(editor: Editor, command: &str, args: &SetupArgs, out: &mut Output) {
    let snippet = editor.snippet(command, args.dialect.get());
    match (out.json, args.uninstall) {
        (true, false) => out.object(&words::snippet_to_json(editor, &snippet)),
        (true, true) => out.object(&words::snippet_removal_to_json(editor, &snippet)),
        (false, false) => out.line(&words::snippet(editor, &snippet)),
        (false, true) => out.line(&words::snippet_removal(editor, &snippet)),
    }
}

fn show_diff(plan: &SetupPlan, out: &mut Output) {
    for line in words::diff(&plan.changes).lines() {
        let part = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => Part::Headline,
            [b'+', ..] => Part::Good,
            [b'-', ..] => Part::Bad,
            [b'@', ..] => Part::Quiet,
            _ => Part::Plain,
        };
        out.parts(&[(part, line)]);
    }
}

/// Asks the user, who has seen the diff, whether to write the files.
fn is_wanted(plan: &SetupPlan, out: &mut Output) -> bool {
    out.message(&words::question(plan));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

fn print_result(plan: &SetupPlan, state: PlanState, out: &mut Output) -> Exit {
    if out.json {
        out.object(&words::to_json(plan, state));
        return Exit::Done;
    }
    if state == PlanState::Planned && !plan.changes.is_empty() {
        for line in words::kept_lines(plan) {
            out.line(&line);
        }
        out.message("Nothing was written (--dry-run).");
        return Exit::Done;
    }
    out.line(&words::summary(plan));
    if let (SetupAction::Install, Some(note)) = (plan.action, words::command_note(plan)) {
        out.message(&note);
    }
    Exit::Done
}
