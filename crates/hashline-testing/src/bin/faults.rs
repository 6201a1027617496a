//! Runs the fault suite on the driver that lies beside it: `faults [--full] [T1]`.
//!
//! It runs itself in a mount namespace of its own where that is allowed, so that nothing stays mounted if it is killed.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use hashline_testing::faults::{Bench, Extent, Row, Skips, run};

/// Set in the process that has its own mount namespace.
const ALONE: &str = "HASHLINE_FAULTS_ALONE";

fn main() -> ExitCode {
    let Ok(here) = std::env::current_exe() else {
        return ExitCode::from(2);
    };
    if std::env::var_os(ALONE).is_none() {
        start_alone(&here);
    }
    let extent = if std::env::args_os().any(|arg| arg == "--full") {
        Extent::Full
    } else {
        Extent::Sample
    };
    let skips = match std::env::var_os("CI") {
        Some(_) => Skips::Failures,
        None => Skips::Allowed,
    };
    let only = std::env::args().skip(1).find(|arg| arg.starts_with('T'));
    let scratch = std::env::temp_dir().join(format!("hashline-faults-{}", std::process::id()));
    let bench = Bench {
        driver: here.with_file_name("driver"),
        scratch: scratch.clone(),
    };
    line(&["test", "cases", "violations", "control"]);
    // A single test is listed in full.
    let most = only.as_ref().map_or(10, |_| usize::MAX);
    let mut holds = true;
    run(&bench, extent, only.as_deref(), |row| {
        print(&row, most);
        holds &= row.holds(skips);
    });
    let _ = std::fs::remove_dir_all(scratch);
    if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs the program again in its own mount namespace. Returns only if that cannot be done; tests that need mounts then say so.
fn start_alone(here: &Path) {
    let allowed = Command::new("unshare").args(["--mount", "true"]).output();
    if allowed.is_ok_and(|tried| tried.status.success()) {
        let mut anew = Command::new("unshare");
        anew.arg("--mount")
            .arg(here)
            .args(std::env::args_os().skip(1));
        let _ = anew.env(ALONE, "1").exec();
    }
}

fn print(row: &Row, most: usize) {
    let figures = [row.cases, row.violations.len(), row.control].map(|figure| figure.to_string());
    line(&[row.test, &figures[0], &figures[1], &figures[2]]);
    list("", &row.violations, most);
    list("note: ", &row.notes, most);
    list("skipped: ", &row.skipped, usize::MAX);
}

fn list(head: &str, lines: &[String], most: usize) {
    for text in lines.iter().take(most) {
        print_line(&format!("    {head}{text}"));
    }
    let left_out = lines.len().saturating_sub(most);
    if left_out > 0 {
        print_line(&format!("    {head}and {left_out} more"));
    }
}

fn line([test, cases, violations, control]: &[&str; 4]) {
    print_line(&format!(
        "{test:<18} {cases:>7} {violations:>11} {control:>8}"
    ));
}

fn print_line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
