//! Standard output that never fails a command half-way: what cannot be written is remembered, and judged when the work is done.

use std::io::{self, Stdout, Write};

/// Standard output, until it takes no more; from then on nothing.
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

    /// Returns why something could not be written, once. A reader that is gone is no reason: nobody misses the rest.
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
