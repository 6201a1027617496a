//! The limit on the size of files (`ulimit -f`), checked before a write.
//!
//! A process that writes beyond this limit is killed by SIGXFSZ. A program could ignore the signal, but a library should not decide that
//! for its program, so the limit is checked first, and the same error is returned as if the signal were ignored. This holds for every file that
//! this crate writes: edited files, the journal, and the state (ledger and counters), whose errors never fail a request.

use std::io;

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

/// Refuses a write that ends at the offset `end`, if that is beyond the process's limit on file sizes.
pub(super) fn allow(end: u64) -> io::Result<()> {
    fits(end, getrlimit(Resource::Fsize).current)
}

fn fits(end: u64, most: Option<u64>) -> io::Result<()> {
    match most {
        Some(most) if end > most => Err(Errno::FBIG.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_file_may_reach_the_limit_and_not_pass_it() {
        assert!(fits(100, Some(100)).is_ok());
        assert!(fits(u64::MAX, None).is_ok());
        let refused = fits(101, Some(100)).expect_err("it is beyond the limit");
        assert_eq!(refused.kind(), std::io::ErrorKind::FileTooLarge);
    }
}
