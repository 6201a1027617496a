//! Runs every recorded case and prints one row a file. Exits with 1 if any failed.

use std::io::{self, Write};
use std::process::ExitCode;

use hashline_testing::conformance::{FILES, run};

fn main() -> io::Result<ExitCode> {
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
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn shortened(why: &str) -> String {
    const ENOUGH: usize = 400;
    why.chars().take(ENOUGH).collect()
}
