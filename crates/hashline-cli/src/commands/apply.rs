//! `hashline apply`: reads an edit request, carries it out and prints the answer.

#[cfg(unix)]
mod descriptor;
mod input;

use hashline_core::policy::Context;
use hashline_session::{EditAnswer, Overrides, Service};
use hashline_wire::answer::AnswerForm;
use hashline_wire::refusal::Cause;
use hashline_wire::render::{human, model};
use hashline_wire::request::{Mode, Show};
use hashline_wire::{Refusal, answer};
use hashline_workspace::config::{ConfigKey, ConfigOverrides, ConfigValue};

use super::revision;
use crate::args::{AnswerShape, ApplyArgs, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use input::Source;

pub(super) fn run(global: &Global, args: &ApplyArgs, out: &mut Output) -> Result<Exit, Refusal> {
    // First of all: --fd names a descriptor of the caller's, and a file of ours could get that number.
    let source = Source::open(args)?;
    let typed: Vec<String> = args.path.iter().cloned().collect();
    let set = config_overrides(paths::config_overrides(global)?, args);
    let (options, named) = paths::options_with(global, &typed, set)?;
    // Checked before the request is read: a person who mistyped --rev should not have to type the request again.
    args.rev.as_deref().map(revision).transpose()?;
    let service = Service::open(&options)?;
    let body = source.read(service.config().settings.limits.body, out)?;
    let overrides = Overrides {
        dialect: args.dialect.get(),
        path: named.first().map(|named| named.path.as_str()),
        rev: args.rev.as_deref(),
        encoding: args.encoding.as_deref(),
        mode: if args.dry_run {
            Mode::DryRun
        } else {
            Mode::Write
        },
        context: args.context.map(|lines| Context::new(lines.into())),
        show: args.emit.unwrap_or(if args.dry_run && !args.emit_updated {
            Show::Diff
        } else {
            Show::Windows
        }),
        // What plugins of agents pass on to a model is one page, together with what the program says on standard error.
        page: (args.answer == AnswerShape::Words).then(|| service.page(None).without_notes()),
        form: match (out.json, args.answer) {
            (false, _) => AnswerForm::Text,
            (true, AnswerShape::Dialect) => AnswerForm::Dialect,
            (true, AnswerShape::Common | AnswerShape::Words) => AnswerForm::Common,
        },
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

/// Adds the options of `hashline apply` (such as `--landing`) to the configuration overrides of `--set`.
fn config_overrides(set: ConfigOverrides, args: &ApplyArgs) -> ConfigOverrides {
    let options: [Option<(ConfigKey, ConfigValue)>; 4] = [
        args.profile.map(|value| (ConfigKey::PROFILE, value.into())),
        args.landing.map(|value| (ConfigKey::LANDING, value.into())),
        args.repair.map(|value| (ConfigKey::REPAIR, value.into())),
        args.durability
            .map(|value| (ConfigKey::DURABILITY, value.into())),
    ];
    let options = options.into_iter().flatten();
    options.fold(set, |set, (key, value)| set.with(key, value))
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
    // If the answer cannot be written, the caller must learn that the files were.
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
        // With --answer words the refusal goes to standard output in a model's words: plugins of agents pass it on as it is.
        Err(refusal) if args.answer != AnswerShape::Words => {
            out.message(&human::refusal(refusal));
            if matches!(refusal.failure.cause, Cause::Request(_)) && !args.whole {
                let dialect = options.dialect.name();
                out.message(&format!(
                    "hint: `hashline schema --dialect {dialect}` prints the format of a request"
                ));
            }
        }
        _ => out.line(&model::answer(&options, &outcome)),
    }
    out.finish();
    out.notices(&disk);
    out.notices(&options.state);
    exit
}
