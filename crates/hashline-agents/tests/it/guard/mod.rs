//! The tests of the guard: recorded verdicts, our own, and random text.

mod hostile;
mod recorded;
mod told;
