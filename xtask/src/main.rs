//! The tasks of this repository, as one program: `cargo xtask` lists them.
//!
//! A task is a handful of cargo commands, each printed before it runs, so that any of them can be typed by hand. There
//! is no logic of the product in here and there are no dependencies: a fresh clone builds this in seconds.

mod command;
mod failure;
mod screen;
mod tasks;
mod tool;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match tasks::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            screen::note(format_args!("\n{failure}"));
            failure.exit_code()
        }
    }
}
