//! Standard output whose writes never fail: the first error is kept until the command is done.

use std::io::{self, Stdout, Write};

/// Standard output; after a failed write, further bytes are discarded.
pub(crate) struct Sink {
    /// The handle of standard output; it is not locked permanently, because a server writes to standard output from other threads too.
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

    /// Returns the first write error and clears it. A closed pipe does not count as an error, because its reader wants no more data.
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
