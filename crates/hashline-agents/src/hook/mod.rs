//! The hook: what hashline answers when an agent tells it that a tool is about to run, or has run.
//!
//! Agents (Claude Code, Codex, Gemini CLI, Cursor, Windsurf, Copilot) run a command at certain moments and hand it an object on standard
//! input. Each has names and shapes of its own, and its own way to be told no. Here they all go one way:
//!
//! | step | takes -> gives |
//! |---|---|
//! | [`parse`] | the client's object -> [`Event`], or why there is none |
//! | [`decide`] | [`Event`] + [`Surroundings`] -> [`Decision`], the same for every client |
//! | [`encode`] | [`Decision`] -> [`Answer`]: the client's object, standard error, an exit code |
//!
//! ```
//! use hashline_agents::hook::{Surroundings, answer};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("a.txt"), "one\n")?;
//! let cwd = folder.path().display();
//! let input = format!(
//!     r#"{{"hook_event_name":"PreToolUse","cwd":"{cwd}","tool_name":"Edit","tool_input":{{"file_path":"{cwd}/a.txt"}}}}"#
//! );
//! let answer = answer(input.as_bytes(), &Surroundings::default());
//! let out = answer.out.ok_or("it is refused")?;
//! assert_eq!(out["hookSpecificOutput"]["permissionDecision"], "deny");
//! # Ok(())
//! # }
//! ```
//!
//! Whatever is not understood, broken or slow is let pass: a hook that stops an agent for a reason of its own is worse than none.
//! Deliberately absent: the environment, standard input and output, arguments. Those are the program's.

mod answer;
mod budget;
mod client;
mod decide;
mod decision;
mod encode;
mod event;
mod parse;
mod surroundings;
mod within;
mod words;

pub use answer::Answer;
pub use client::Client;
pub use decide::decide;
pub use decision::{AnchoredText, Decision, Ends, Note, Showing};
pub use encode::encode;
pub use event::{Action, Event, How, Moment, ReadAnswer, Touch};
pub use parse::{LONGEST, Unheard, parse};
pub use surroundings::Surroundings;
pub use within::answer_within;

/// Answers a client: parse, decide, encode.
#[must_use]
pub fn answer(input: &[u8], surroundings: &Surroundings) -> Answer {
    match parse(input) {
        Ok(event) => encode(&event, &decide(&event, surroundings)),
        Err(unheard) => Answer::unheard(&unheard),
    }
}
