//! Fixtures, generators and the recorded cases for hashline's own tests.
//!
//! Never published, and no product crate depends on it but for its tests.

pub mod cases;
pub mod conformance;
#[cfg(feature = "files")]
pub mod disk;
#[cfg(feature = "files")]
pub mod faults;
#[cfg(feature = "files")]
pub mod file_fuzzing;
#[cfg(feature = "files")]
mod forge;
pub mod fuzzing;
pub mod generate;
mod input;
pub mod invariants;
pub mod meddling;
pub mod oracle;
pub mod random;
pub mod request_fuzzing;
#[cfg(feature = "served")]
pub mod served;
#[cfg(feature = "servers")]
pub mod server_fuzzing;
