//! `hashline apply`: a request in, its answer out.

#[cfg(unix)]
mod descriptor;
mod input;

use std::path::Path;

use hashline_core::policy::Context;
use hashline_session::{Answered, Asked, Said, Service};
use hashline_wire::render::model;
use hashline_wire::request::{Mode, Show};
use hashline_wire::response;
use hashline_workspace::config::{ConfigKey, ConfigOverrides};

use super::{open, revision, with_state_notes};
use crate::args::{Answer, ApplyArgs, Emit, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::trouble::Trouble;
use input::Source;

pub(super) fn run(global: &Global, args: &ApplyArgs, out: &mut Output) -> Result<Exit, Trouble> {
    // Before anything else is opened: a descriptor that is open now is the caller's.
    let source = Source::open(args)?;
    let typed: Vec<String> = args.path.iter().cloned().collect();
    let (mut start, named) = paths::start(global, &typed)?;
    start.given = overrides(start.given, args);
    revision(args.rev.as_deref())?;
    let service = open(&start)?;
    let body = source.read(service.config().settings.limits.body, out)?;
    let asked = Asked {
        dialect: args.dialect.get(),
        path: named.first().map(|named| named.path.as_str()),
        rev: args.rev.as_deref(),
        mode: match args.dry_run {
            true => Mode::DryRun,
            false => Mode::Write,
        },
        context: args.context.map(|lines| Context::new(lines.into())),
        show: show(args),
        ..Asked::default()
    };
    let session = service.session(global.session());
    if args.whole {
        return tell(args, &service, session.write(&body, &asked), out);
    }
    refuse_other(&session.said(&body, &asked), &asked, start.base.as_deref())?;
    let answered = session.apply(&body, &asked);
    tell(args, &service, answered, out)
}

/// Refuses a file or revision of the command line that the request contradicts: nobody can tell which is meant.
fn refuse_other(said: &Said, asked: &Asked<'_>, base: Option<&Path>) -> Result<(), Trouble> {
    let base = base.unwrap_or(Path::new(""));
    let mut paths = said.paths.iter();
    if let Some(given) = asked.path
        && let Some(other) = paths.find(|path| !paths::is_same(base, path, given))
    {
        return Err(Trouble::Usage(format!(
            "the command line says {given}, the request {other}; nothing was written"
        )));
    }
    let Some(given) = asked.rev.map(str::to_lowercase) else {
        return Ok(());
    };
    let agrees = |rev: &str| rev.starts_with(&given) || given.starts_with(rev);
    let mut revs = said.revs.iter().map(ToString::to_string);
    match revs.find(|rev| !agrees(rev)) {
        Some(other) => Err(Trouble::Usage(format!(
            "the command line says revision {given}, the request {other}; nothing was written"
        ))),
        None => Ok(()),
    }
}

/// Adds the options of this command to what `--set` sets.
fn overrides(mut set: ConfigOverrides, args: &ApplyArgs) -> ConfigOverrides {
    if let Some(profile) = args.profile {
        set = set.with(ConfigKey::PROFILE, profile);
    }
    if let Some(landing) = args.landing {
        set = set.with(ConfigKey::LANDING, landing);
    }
    if let Some(repair) = args.repair {
        set = set.with(ConfigKey::REPAIR, repair);
    }
    if let Some(durability) = args.durability {
        set = set.with(ConfigKey::DURABILITY, durability);
    }
    set
}

fn show(args: &ApplyArgs) -> Show {
    match args.emit {
        Some(Emit::Window) => Show::Windows,
        Some(Emit::Full) => Show::Everything,
        Some(Emit::Diff) => Show::Diff,
        Some(Emit::None) => Show::Nothing,
        None if args.dry_run && !args.emit_updated => Show::Diff,
        None => Show::Windows,
    }
}

fn tell(
    args: &ApplyArgs,
    service: &Service,
    answered: Answered,
    out: &mut Output,
) -> Result<Exit, Trouble> {
    let Answered { mut terms, outcome } = answered;
    let exit = outcome.as_ref().err();
    let exit = exit.map_or(Exit::Done, |refusal| Exit::of_code(refusal.code()));
    if let (Ok(edited), Mode::Write) = (&outcome, terms.mode) {
        out.changed(edited.writes().into_keys());
    }
    if out.json {
        let mut object = match args.answer {
            Answer::Common | Answer::Words => response::common(&terms, &outcome),
            Answer::Dialect => response::answer(&terms, &outcome),
        };
        with_state_notes(service, out, Some(&mut object));
        out.object(&object);
        return Ok(exit);
    }
    let disk = std::mem::take(&mut terms.disk);
    match outcome {
        Ok(_) => out.line(&model::answer(&terms, &outcome)),
        // Plugins of agents hand this on as it is: a model should read the same refusal wherever it edits.
        Err(_) if args.answer == Answer::Words => out.line(&model::answer(&terms, &outcome)),
        Err(refusal) => {
            let trouble = Trouble::Refused(Box::new(terms), Box::new(refusal));
            out.tell(&trouble.to_text());
        }
    }
    out.finish();
    out.tell_disk(&disk);
    with_state_notes(service, out, None);
    Ok(exit)
}
