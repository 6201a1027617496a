//! The tests of the hook.
