//! Standard output that never fails half-way through a command: a failure is kept until the work is done.

use std::io::{self, Stdout, Write};

/// Standard output; after a failed write, further bytes are dropped.
pub(crate) struct Sink {
    /// Not locked for good: a server writes there as well, from other threads.
    out: Stdout,
    failed: Option<io::Error>,
}

impl Sink {
    pub(crate) fn new() -> Self {
        Self {
            out: io::stdout(),
            failed: None,
        }
    }

    /// Returns the failure, once. A closed pipe is not one: its reader wants no more.
    pub(crate) fn take_failure(&mut self) -> Option<io::Error> {
        let failed = self.failed.take();
        failed.filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_some() {
            return Ok(bytes.len());
        }
        match self.out.write(bytes) {
            Ok(written) if written > 0 || bytes.is_empty() => Ok(written),
            // Nothing is lost: `write_all` tries again after a signal.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Ok(_) => {
                self.failed = Some(io::ErrorKind::WriteZero.into());
                Ok(bytes.len())
            }
            Err(error) => {
                self.failed = Some(error);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
        Ok(())
    }
}
