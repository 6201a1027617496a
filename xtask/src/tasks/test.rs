//! `test`: what CI runs, in order of how soon a step can fail.
//!
//! The first failing step ends the run; the table at the end still names the steps that were not reached.

use std::time::Instant;

use super::{api, bench, faults, oracle, sdk, service, typescript, ui};
use crate::command::{Command, cargo};
use crate::failure::Failure;
use crate::screen;
use crate::tool;

struct Step {
    name: String,
    command: Command,
}

/// Runs every step until one fails; `args` go to the test runner.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    tool::FMT.ensure()?;
    tool::CLIPPY.ensure()?;
    faults::offer_programs();
    tool::offer_program("redis-server", "redis-server");
    let steps = steps(args)?;
    let mut rows = Vec::with_capacity(steps.len());
    let mut result = Ok(());
    for Step { name, command } in steps {
        if result.is_err() {
            rows.push([name, "not run".to_owned(), String::new()]);
            continue;
        }
        screen::heading(&name);
        let started = Instant::now();
        result = command.run();
        let outcome = if result.is_ok() { "passed" } else { "FAILED" };
        let time = screen::elapsed(started.elapsed());
        screen::note(format_args!("-- {name}: {outcome} in {time}"));
        rows.push([name, outcome.to_owned(), time]);
    }
    screen::heading("summary");
    screen::table(&rows);
    result
}

fn steps(args: &[String]) -> Result<Vec<Step>, Failure> {
    let runner = if tool::is_there("nextest")? {
        "nextest run"
    } else {
        "test"
    };
    let tests = format!("{runner} --workspace --all-targets --features redis --locked");
    let docs = cargo("doc --workspace --no-deps --features redis --locked");
    let mut steps = vec![
        step("format", cargo("fmt --all --check")),
        step(
            "clippy",
            cargo("clippy --workspace --all-targets --features redis --locked -- -D warnings"),
        ),
        step(
            "clippy without features",
            cargo(
                "clippy -p hashline-session -p hashline-workspace --all-targets --locked -- -D warnings",
            ),
        ),
        step("tests", cargo(&tests).args(args)),
        step(
            "doctests",
            cargo("test --doc --workspace --features redis --locked"),
        ),
        step("docs", docs.env("RUSTDOCFLAGS", "-D warnings")),
        step("oracle", oracle::command()),
        step("sdk", sdk::command()),
        step("typescript", typescript::command()),
        step("ui", ui::command()),
        step("api", api::command()),
        step("service", service::command()),
    ];
    steps.push(step("build driver", bench::build_driver()));
    steps.push(step("oracle over HTTP", oracle::through_http()));
    steps.push(step("faults", faults::command()));
    steps.extend(
        bench::SAMPLED
            .iter()
            .map(|&name| step(&format!("bench {name}"), bench::sampled(name))),
    );
    Ok(steps)
}

fn step(name: &str, command: Command) -> Step {
    Step {
        name: name.to_owned(),
        command,
    }
}
