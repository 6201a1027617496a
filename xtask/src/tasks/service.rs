//! `service`: what others say about the sandbox service: a real Prometheus that scrapes it.

use crate::command::{Command, cargo, target};
use crate::failure::Failure;
use crate::tool;

/// A check of the service by programs of others.
struct Part {
    name: &'static str,
    /// Programs that it needs, and the packages they come in.
    programs: &'static [(&'static str, &'static str)],
    /// The script that carries it out.
    script: &'static str,
}

const PARTS: &[Part] = &[Part {
    name: "monitoring",
    programs: &[("node", "nodejs"), ("prometheus", "prometheus")],
    script: "clients/service/monitoring.mjs",
}];

/// Builds the program, installs what is missing, and runs the parts that are named, or all.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    let unknown = |name: &&String| PARTS.iter().all(|part| part.name != name.as_str());
    if let Some(name) = args.iter().find(unknown) {
        return Err(Failure::Usage(format!("no part `{name}` of this task")));
    }
    cargo("build --locked -p hashline-cli").run()?;
    let named = |part: &&Part| args.is_empty() || args.iter().any(|name| name == part.name);
    PARTS.iter().filter(named).try_for_each(carry_out)
}

fn carry_out(part: &Part) -> Result<(), Failure> {
    for (program, package) in part.programs {
        tool::offer_program(program, package);
    }
    let target = target();
    let places = [
        ("--hashline", target.join("debug/hashline")),
        ("--scratch", target.join("service").join(part.name)),
    ];
    let places = places.map(|(option, path)| [option.to_owned(), path.display().to_string()]);
    Command::new("node", part.script)
        .args(places.as_flattened())
        .run()
}

/// Returns the command of this task, for the steps of another.
pub(super) fn command() -> Command {
    cargo("xtask service")
}
