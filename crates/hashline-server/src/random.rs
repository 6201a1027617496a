//! Random names and secrets.

use std::io;

/// Returns this many random bytes of the system as lower-case hexadecimal digits.
///
/// # Errors
/// The system has no randomness to give.
pub(crate) fn random_hex<const BYTES: usize>() -> io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
