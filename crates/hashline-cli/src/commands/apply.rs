//! `hashline apply`: a request in, its answer out.

#[cfg(unix)]
mod descriptor;
mod input;

use hashline_core::policy::Context;
use hashline_session::{EditAnswer, Overrides, Service};
use hashline_wire::refusal::Cause;
use hashline_wire::render::{human, model};
use hashline_wire::request::{Mode, Show};
use hashline_wire::{Refusal, answer};
use hashline_workspace::config::{ConfigKey, ConfigOverrides};

use super::revision;
use crate::args::{AnswerShape, ApplyArgs, Emit, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use input::Source;

pub(super) fn run(global: &Global, args: &ApplyArgs, out: &mut Output) -> Result<Exit, Refusal> {
    // Before anything else is opened: a descriptor that is open now is the caller's.
    let source = Source::open(args)?;
    let typed: Vec<String> = args.path.iter().cloned().collect();
    let set = config_overrides(paths::config_overrides(global)?, args);
    let (start, named) = paths::start_with(global, &typed, set)?;
    args.rev.as_deref().map(revision).transpose()?;
    let service = Service::open(&start)?;
    let body = source.read(service.config().settings.limits.body, out)?;
    let overrides = Overrides {
        dialect: args.dialect.get(),
        path: named.first().map(|named| named.path.as_str()),
        rev: args.rev.as_deref(),
        mode: if args.dry_run {
            Mode::DryRun
        } else {
            Mode::Write
        },
        context: args.context.map(|lines| Context::new(lines.into())),
        show: show(args),
        ..Overrides::default()
    };
    let session = service.session(global.session());
    let answer = if args.whole {
        session.write(&body, &overrides)
    } else {
        session.apply(&body, &overrides)
    };
    Ok(print_answer(args, &service, answer, out))
}

/// Adds the options of this command to what `--set` sets.
fn config_overrides(mut set: ConfigOverrides, args: &ApplyArgs) -> ConfigOverrides {
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

fn print_answer(args: &ApplyArgs, service: &Service, answer: EditAnswer, out: &mut Output) -> Exit {
    let EditAnswer {
        mut options,
        outcome,
    } = answer;
    let exit = match &outcome {
        Ok(_) => Exit::Done,
        Err(refusal) => Exit::of_code(refusal.code()),
    };
    if let (Ok(edited), Mode::Write) = (&outcome, options.mode) {
        out.changed(edited.writes().into_keys());
    }
    options.state = service.take_notices();
    if out.json {
        match args.answer {
            AnswerShape::Common | AnswerShape::Words => {
                out.object(&answer::common(&options, &outcome));
            }
            AnswerShape::Dialect => out.object(&answer::answer(&options, &outcome)),
        }
        return exit;
    }
    let disk = std::mem::take(&mut options.disk);
    match &outcome {
        // Plugins of agents pass refusals on as they are: a model should read the same refusal wherever it edits.
        Err(refusal) if args.answer != AnswerShape::Words => {
            out.tell(&human::refusal(refusal));
            if matches!(refusal.failure.cause, Cause::Request(_)) && !args.whole {
                let dialect = options.dialect.name();
                out.tell(&format!(
                    "hint: `hashline schema --dialect {dialect}` prints the shape of a request"
                ));
            }
        }
        _ => out.line(&model::answer(&options, &outcome)),
    }
    out.finish();
    out.tell_notices(&disk);
    out.tell_notices(&options.state);
    exit
}
