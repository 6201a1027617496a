//! Runs every recorded case and prints one row a file: `oracle [--through http]`. Exits with 1 if any failed.
//!
//! With `--through http` the cases are sent to `hashline serve`, which lies beside this program, and those that cannot be sent are listed.

use std::io::{self, Write};
use std::process::ExitCode;

use hashline_testing::conformance::http::{self, HttpRow};
use hashline_testing::conformance::{FILES, run};

fn main() -> io::Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let passed = match args.as_slice() {
        [] => in_process()?,
        ["--through", "http"] => through_http()?,
        _ => {
            writeln!(io::stderr(), "usage: oracle [--through http]")?;
            return Ok(ExitCode::from(2));
        }
    };
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs the cases in this process; returns whether all passed.
fn in_process() -> io::Result<bool> {
    let mut out = io::stdout().lock();
    let mut failed = 0;
    writeln!(
        out,
        "{:<36} {:>8} {:>8} {:>8}  first failure",
        "file", "records", "passed", "failed"
    )?;
    for &(file, check) in FILES {
        match run(file, check) {
            Ok(row) => {
                let bad = row.failures.len();
                failed += bad;
                let first = row
                    .failures
                    .first()
                    .map(|(id, why)| format!("{id}: {}", shortened(why)))
                    .unwrap_or_default();
                writeln!(
                    out,
                    "{file:<36} {:>8} {:>8} {bad:>8}  {first}",
                    row.records,
                    row.records - bad
                )?;
            }
            Err(why) => {
                failed += 1;
                writeln!(out, "{file:<36} {:>8} {:>8} {:>8}  {why}", "-", "-", "-")?;
            }
        }
    }
    Ok(failed == 0)
}

/// Runs the cases over HTTP; returns whether all that can be sent passed.
fn through_http() -> io::Result<bool> {
    let program = std::env::current_exe()?.with_file_name("hashline");
    let scratch = tempfile::tempdir()?;
    let rows = http::run(&program, scratch.path()).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:<36} {:>8} {:>8} {:>8} {:>15}",
        "file", "records", "passed", "failed", "not expressible"
    )?;
    for row in &rows {
        let HttpRow { file, records, .. } = row;
        let (passed, failed) = (row.passed(), row.failures.len());
        let left_out = row.not_expressible.len();
        writeln!(
            out,
            "{file:<36} {records:>8} {passed:>8} {failed:>8} {left_out:>15}"
        )?;
        for (id, why) in &row.failures {
            writeln!(out, "    failed: {id}: {}", shortened(why))?;
        }
        for (id, why) in &row.not_expressible {
            writeln!(out, "    not expressible: {id}: {why}")?;
        }
    }
    let sent = rows.iter().any(|row| row.passed() > 0);
    Ok(sent && rows.iter().all(|row| row.failures.is_empty()))
}

fn shortened(why: &str) -> String {
    const ENOUGH: usize = 400;
    why.chars().take(ENOUGH).collect()
}
