//! Setting up and taking out again, on files as people have them.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod around;
mod cases;
mod doctor;
mod laws;
mod ownership;
mod pages;
mod refusals;
mod stage;
mod texts;
mod trust;
