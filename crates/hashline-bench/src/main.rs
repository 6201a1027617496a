//! The benchmarks of hashline: batteries that must not fail, and speed against bars.
//!
//! Each benchmark is a subcommand with a folder of its own, drives the product from outside as a user would, prints tables, and
//! ends with its gates: the program fails if one of them does. Nothing here is published.

mod args;
mod clock;
mod corpus;
mod diff;
mod fidelity;
mod gates;
mod git;
mod landing;
mod made_text;
mod program;
mod rng;
mod serve;
mod speed;
mod table;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};

use args::Args;
use gates::Gates;

/// One benchmark: its name, its line in the list, and what runs it.
struct Benchmark {
    name: &'static str,
    about: &'static str,
    options: &'static str,
    run: fn(&mut Args, &mut dyn Write) -> Result<Gates>,
}

const BENCHMARKS: [Benchmark; 5] = [
    Benchmark {
        name: "landing",
        about: "does an edit land on the lines that were shown, whatever others do to the file meanwhile?",
        options: "[--sample] [--trials N] [--seed S] [--corpus DIR] [--only KIND]",
        run: landing::run,
    },
    Benchmark {
        name: "fidelity",
        about: "do real file changes, sent as edits in every dialect, come out byte for byte?",
        options: "[--sample] [REPOSITORY]",
        run: fidelity::run,
    },
    Benchmark {
        name: "speed",
        about: "hashing, rendering and editing against a plain implementation and the floor",
        options: "[--sample] [--only render|one-edit|growth|ledger|...] [--against PROGRAM [--runs N]]",
        run: speed::run,
    },
    Benchmark {
        name: "serve",
        about: "the service under load, beside the same calls in process and bare commits",
        options: "[--sample] [--only reads|commits|load]",
        run: serve::run,
    },
    Benchmark {
        name: "diff",
        about: "the two diff libraries on a million lines",
        options: "[--sample]",
        run: diff::run,
    },
];

fn main() -> ExitCode {
    match dispatch(Args::from_environment()) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(mut args: Args) -> Result<ExitCode> {
    let out = &mut io::stdout().lock();
    let Some(name) = args.next() else {
        list(out)?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(benchmark) = BENCHMARKS.iter().find(|benchmark| benchmark.name == name) else {
        bail!("no benchmark `{name}`; run without arguments to list them");
    };
    let gates = (benchmark.run)(&mut args, out)?;
    gates.report(out)?;
    Ok(gates.exit_code())
}

fn list(out: &mut dyn Write) -> Result<()> {
    writeln!(out, "Usage: hashline-bench BENCHMARK [OPTIONS]\n")?;
    for benchmark in &BENCHMARKS {
        writeln!(out, "  {:<9} {}", benchmark.name, benchmark.about)?;
        writeln!(out, "  {:<9} {}", "", benchmark.options)?;
    }
    writeln!(
        out,
        "\n--sample is a small run for CI: every gate on results holds, bars on speed are only printed."
    )?;
    Ok(())
}
