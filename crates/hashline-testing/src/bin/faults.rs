//! Runs the fault suite on the driver that lies beside it: `faults [--full] [T1]`.

use std::io::Write;
use std::process::ExitCode;

use hashline_testing::faults::{Bench, Extent, run};

fn main() -> ExitCode {
    let extent = if std::env::args_os().any(|arg| arg == "--full") {
        Extent::Full
    } else {
        Extent::Sample
    };
    let only = std::env::args().skip(1).find(|arg| arg.starts_with('T'));
    let Ok(here) = std::env::current_exe() else {
        return ExitCode::from(2);
    };
    let driver = here.with_file_name("driver");
    let scratch = std::env::temp_dir().join(format!("hashline-faults-{}", std::process::id()));
    let bench = Bench {
        driver,
        scratch: scratch.clone(),
    };
    let mut out = std::io::stdout();
    let _ = writeln!(
        out,
        "{:<18} {:>7} {:>11} {:>8}",
        "test", "cases", "violations", "control"
    );
    let mut holds = true;
    run(&bench, extent, only.as_deref(), |row| {
        let _ = writeln!(
            out,
            "{:<18} {:>7} {:>11} {:>8}",
            row.test,
            row.cases,
            row.violations.len(),
            row.control
        );
        for violation in row.violations.iter().take(10) {
            let _ = writeln!(out, "    {violation}");
        }
        holds &= row.violations.is_empty() && row.control > 0 && row.cases > 0;
    });
    let _ = std::fs::remove_dir_all(scratch);
    if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
