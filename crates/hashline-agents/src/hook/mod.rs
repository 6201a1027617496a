//! The hook: a command that an agent runs before and after its own tools, and that can refuse or correct them.
//!
//! Agents (Claude Code, Codex, Gemini CLI, Cursor, Windsurf, Copilot) hand it a JSON object on standard input. Each has its own format, and
//! its own way to be told no; `clients/` has a file for each. All take the same steps:
//!
//! | step | takes -> gives |
//! |---|---|
//! | [`parse`] | the client's object -> [`HookEvent`], or an [`InputError`] |
//! | [`decide`] | [`HookEvent`] + [`HookOptions`] -> [`Decision`], the same for every client |
//! | [`encode`] | [`Decision`] -> [`HookAnswer`]: the client's object, standard error, an exit code |
//!
//! ```
//! use hashline_agents::hook::{HookOptions, answer};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("a.txt"), "one\n")?;
//! let cwd = folder.path().display();
//! let input = format!(
//!     r#"{{"hook_event_name":"PreToolUse","cwd":"{cwd}","tool_name":"Edit","tool_input":{{"file_path":"{cwd}/a.txt"}}}}"#
//! );
//! let answer = answer(input.as_bytes(), &HookOptions::default());
//! let out = answer.out.ok_or("it is refused")?;
//! assert_eq!(out["hookSpecificOutput"]["permissionDecision"], "deny");
//! # Ok(())
//! # }
//! ```
//!
//! Whatever cannot be parsed, fails or takes too long passes: a hook that stops an agent for a reason of its own is worse than none.
//! Deliberately absent: the environment, standard input and output, arguments. Those are the program's.

// Only `clients` knows formats. `decide` asks a client what it is able to do and never looks at its JSON, so a new client changes no decision.
mod answer;
mod clients;
mod decide;
mod event;
mod location;
mod options;
mod suggestion;
mod time_limit;
mod words;

pub use answer::{AnchoredRead, AnchoredText, Decision, HookAnswer, PassReason, ShownEnd, encode};
pub use clients::Client;
pub use decide::decide;
pub use event::{
    ChangeKind, ChangedFile, EventKind, HookEvent, InputError, MAX_INPUT, ReadOutput, ToolAction,
    parse,
};
pub use options::HookOptions;
pub use time_limit::answer_within;

/// Answers a client: parse, decide, encode.
#[must_use]
pub fn answer(input: &[u8], options: &HookOptions) -> HookAnswer {
    match parse(input) {
        Ok(event) => encode(&event, &decide(&event, options)),
        Err(error) => HookAnswer::to_bad_input(&error),
    }
}
