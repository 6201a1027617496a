//! The hook as a client meets it: its object in, an answer out, and what stands in the ledger afterwards.

mod elsewhere;
mod hostile;
mod recorded;
mod remembered;
mod rights;
mod stage;
mod switches;
mod untaken;
