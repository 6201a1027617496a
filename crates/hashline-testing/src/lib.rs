//! Fixtures, generators and the recorded cases for hashline's own tests.
//!
//! Never published, and no product crate depends on it.

pub mod oracle;
