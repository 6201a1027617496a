//! The hook as a client meets it: its object in, an answer out, and what stands in the ledger afterwards.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod elsewhere;
mod hostile;
mod recorded;
mod remembered;
mod stage;
mod switches;
mod untaken;
