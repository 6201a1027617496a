//! The instructions that teach a model to use hashline: Markdown files, put together for a dialect and a way of calling.
//!
//! Every request in them is fed to the real parser by a test, every command is run.

use hashline_core::dialect::Dialect;

/// How a model calls hashline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// As a program in a shell.
    Shell,
    /// As the tools `read` and `edit`.
    Tools,
}

/// Returns the instructions for a dialect.
#[must_use]
pub fn prompt(dialect: Dialect, caller: Caller) -> String {
    let frame = match caller {
        Caller::Shell => include_str!("../prompts/shell.md"),
        Caller::Tools => include_str!("../prompts/tools.md"),
    };
    let flag = match dialect {
        Dialect::OMP => String::new(),
        other => format!(" --dialect {}", other.name()),
    };
    frame
        .replace("{edits}", edits(dialect).trim_end())
        .replace("{dialect}", &flag)
}

/// Returns what is said about the edits of a dialect.
#[must_use]
pub fn edits(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::PUSH => include_str!("../prompts/edits/push.md"),
        Dialect::COWBOY => include_str!("../prompts/edits/cowboy.md"),
        Dialect::OPENAGENT => include_str!("../prompts/edits/openagent.md"),
        Dialect::PI => include_str!("../prompts/edits/pi.md"),
        Dialect::LEAN => include_str!("../prompts/edits/lean.md"),
        _ => include_str!("../prompts/edits/omp.md"),
    }
}
