//! Guard, hook and setup as their callers use them.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod guard;
mod hook;
mod setup;
