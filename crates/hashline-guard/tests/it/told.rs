//! Text that no shell would take: the guard answers, and does not panic.
