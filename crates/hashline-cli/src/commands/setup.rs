//! `hashline setup`: hashline is put into an agent's files, or taken out.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use hashline_agents::setup::{
    Agent, Differing, Direction, Editor, Places, Plan, Scope, Turn, Wish, install, left_by_hand,
    own_command, uninstall, words, words::Stage,
};
use hashline_core::dialect::Dialect;
use hashline_session::{Service, Start, discover};
use hashline_workspace::ledger::state_dir;

use crate::args::{Global, SetupArgs};
use crate::exit::Exit;
use crate::given::given;
use crate::output::{Output, Part};
use crate::paths;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &SetupArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let command = command(args)?;
    if let Some(editor) = Editor::named(&args.agent) {
        show_snippet(editor, &command, args, out);
        return Ok(Exit::Done);
    }
    let asks = !out.json && !args.yes && out.is_terminal() && std::io::stdin().is_terminal();
    // Where nobody is asked, several at once follow one another; nobody waits for a person who thinks.
    let turn = match asks || args.dry_run {
        true => None,
        false => Some(Turn::wait(state_dir().as_deref())?),
    };
    let plan = plan(global, args, command)?;
    if !out.json {
        show_diff(&plan, out);
    }
    if plan.changes.is_empty() || args.dry_run {
        return Ok(told(&plan, Stage::Planned, out));
    }
    if asks && !is_wanted(&plan, out) {
        out.tell("Nothing was written.");
        return Ok(Exit::Failed);
    }
    let done = match &turn {
        Some(turn) => plan.clone().carry_out_in(turn)?,
        None => plan.clone().carry_out()?,
    };
    let changed = plan.changes.iter();
    out.changed(changed.map(|change| change.path.display().to_string()));
    if let Some(said) = &done.no_receipt {
        out.tell(&words::no_receipt(said));
    }
    Ok(told(&plan, Stage::CarriedOut, out))
}

fn plan(global: &Global, args: &SetupArgs, command: String) -> Result<Plan, Trouble> {
    // Only names of agents and editors get here.
    let Some(agent) = Agent::named(&args.agent) else {
        return Err(Trouble::internal());
    };
    let scope = match args.user {
        true => Scope::User,
        false => Scope::Project,
    };
    let places = places(global)?;
    let wish = Wish {
        agent,
        scope,
        configured: configured(global, scope, &places)?,
        places,
        command,
        dialect: args.dialect.get(),
    };
    let differing = match args.force {
        true => Differing::Replace,
        false => Differing::Respect,
    };
    if !args.uninstall {
        return Ok(install(wish, state_dir(), differing)?);
    }
    let by_hand = left_by_hand(&wish);
    let mut plan = uninstall(wish, state_dir(), differing)?;
    plan.by_hand = by_hand;
    Ok(plan)
}

/// Returns the dialect that is configured, for the project or wherever the person works. A configuration that cannot be used says nothing.
fn configured(global: &Global, scope: Scope, places: &Places) -> Result<Option<Dialect>, Trouble> {
    let start = Start {
        roots: match scope {
            Scope::Project => vec![places.project.clone()],
            Scope::User => Vec::new(),
        },
        given: given(global)?,
        ..Start::of_user()
    };
    let service = Service::open(&start).ok();
    Ok(service.and_then(|service| service.config().dialect))
}

/// Returns where the agents look for their files. The project is the one that the person stands in, unless another is named: roots in
/// the configuration say what may be touched, not what is meant.
fn places(global: &Global) -> Result<Places, Trouble> {
    places_of(global, &paths::start(global, &[])?.0)
}

/// Returns the same for a start that is known already.
pub(super) fn places_of(global: &Global, start: &Start) -> Result<Places, Trouble> {
    let working = start.base.clone().unwrap_or_else(|| PathBuf::from("/"));
    let root = match global.root.first() {
        Some(root) => working.join(root),
        None => discover(&working),
    };
    if !root.is_dir() {
        let root = root.display();
        return Err(Trouble::Usage(format!(
            "--root {root}: there is no such folder"
        )));
    }
    let root = std::fs::canonicalize(&root).unwrap_or(root);
    Places::of_user(root)
        .ok_or_else(|| Trouble::Usage("the home of the user is not known: set HOME".to_owned()))
}

/// Returns what the agent is to run.
fn command(args: &SetupArgs) -> Result<String, Trouble> {
    match &args.command {
        None => Ok(own_command()),
        Some(command) if command.trim().is_empty() => {
            Err(Trouble::Usage("--command names no program".to_owned()))
        }
        Some(command) => Ok(command.clone()),
    }
}

fn show_snippet(editor: Editor, command: &str, args: &SetupArgs, out: &mut Output) {
    let snippet = editor.snippet(command, args.dialect.get());
    match (out.json, args.uninstall) {
        (true, false) => out.object(&words::snippet_to_program(editor, &snippet)),
        (true, true) => out.object(&words::snippet_out_to_program(editor, &snippet)),
        (false, false) => out.line(&words::snippet(editor, &snippet)),
        (false, true) => out.line(&words::snippet_out(editor, &snippet)),
    }
}

fn show_diff(plan: &Plan, out: &mut Output) {
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

/// Asks the person, who sees the diff.
fn is_wanted(plan: &Plan, out: &mut Output) -> bool {
    out.tell(&words::question(plan));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

fn told(plan: &Plan, stage: Stage, out: &mut Output) -> Exit {
    if out.json {
        out.object(&words::to_program(plan, stage));
        return Exit::Done;
    }
    if stage == Stage::Planned && !plan.changes.is_empty() {
        for line in words::kept(plan) {
            out.line(&line);
        }
        out.tell("Nothing was written (--dry-run).");
        return Exit::Done;
    }
    out.line(&words::outcome(plan));
    if let (Direction::Install, Some(note)) = (plan.direction, words::command_note(plan)) {
        out.tell(&note);
    }
    Exit::Done
}
