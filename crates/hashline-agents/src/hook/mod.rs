//! The hook: a command that an agent (Claude Code, Gemini CLI, ..) runs before and after its own tools, and that can refuse a tool call or
//! change its output.
//!
//! Agents (Claude Code, Codex, Gemini CLI, Cursor, Windsurf, Copilot) send the hook a JSON object on standard input. Each agent has its own
//! format for events and refusals; `clients/` has a file for each. Every event takes the same steps:
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
//! A tool call is allowed if its event cannot be parsed, or if the hook fails or takes too long: a hook that stops an agent by its own fault
//! is worse than none. This module does not read the environment, standard streams or arguments; `hashline-cli` does.

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
    ChangeKind, ChangedFile, EditMode, EventKind, HookEvent, InputError, MAX_INPUT, ReadOutput,
    ToolAction, parse,
};
pub use options::HookOptions;
pub use time_limit::answer_within;

/// Returns the answer to an agent's hook event: parses the event, decides and encodes the decision.
#[must_use]
pub fn answer(input: &[u8], options: &HookOptions) -> HookAnswer {
    match parse(input) {
        Ok(event) => encode(&event, &decide(&event, options)),
        Err(error) => HookAnswer::to_bad_input(&error),
    }
}
