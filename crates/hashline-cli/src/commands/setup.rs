//! `hashline setup`: hashline is put into an agent's files, or taken out.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use hashline_service::{Start, discover};
use hashline_setup::{
    Agent, Differing, Direction, Editor, Places, Plan, Scope, Turn, Wish, install, own_command,
    uninstall, words, words::Stage,
};
use hashline_workspace::ledger::state_dir;

use crate::args::{Global, SetupArgs};
use crate::exit::Exit;
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
    let wish = Wish {
        agent,
        scope: if args.user {
            Scope::User
        } else {
            Scope::Project
        },
        places: places(global)?,
        command,
        dialect: args.dialect.get(),
    };
    let differing = match args.force {
        true => Differing::Replace,
        false => Differing::Respect,
    };
    Ok(match args.uninstall {
        true => uninstall(wish, state_dir(), differing)?,
        false => install(wish, state_dir(), differing)?,
    })
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
    let mut server = vec!["mcp".to_owned()];
    if let Some(dialect) = args.dialect.get() {
        server.extend(["--dialect".to_owned(), dialect.name().to_owned()]);
    }
    let snippet = editor.snippet(command, &server);
    match out.json {
        true => out.object(&words::snippet_to_program(editor, &snippet)),
        false => out.line(&words::snippet(editor, &snippet)),
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
