//! Standard output whose writes never fail: the first error is kept until the command is done.

use std::io::{self, Stdout, Write};

/// Standard output; after a failed write, further bytes are discarded.
pub(crate) struct Sink {
    /// The handle of standard output; it is not locked permanently, because a server writes to standard output from other threads too.
    out: Stdout,
    failed: Option<io::Error>,
    /// How many more bytes standard output may take if it is a file under a limit on sizes (`ulimit -f`), once that is known.
    room: Option<u64>,
}

impl Sink {
    pub(crate) fn new() -> Self {
        Self {
            out: io::stdout(),
            failed: None,
            room: None,
        }
    }

    /// Takes the room for these bytes. Writing beyond the limit on file sizes would end the process by a signal, before it could say which files it changed.
    fn take_room(&mut self, bytes: usize) -> io::Result<()> {
        let room = self.room.get_or_insert_with(room);
        *room = room
            .checked_sub(bytes as u64)
            .ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(())
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
        let room = self.take_room(bytes.len());
        self.failed = room.and_then(|()| self.out.write_all(bytes)).err();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
        Ok(())
    }
}

/// Returns how many bytes standard output may take: as many as fit below the limit on file sizes if it is a file, otherwise any number.
#[cfg(target_os = "linux")]
fn room() -> u64 {
    use rustix::fs::{FileType, OFlags, SeekFrom, fcntl_getfl, fstat, seek};
    use rustix::process::{Resource, getrlimit};

    let Some(most) = getrlimit(Resource::Fsize).current else {
        return u64::MAX;
    };
    let out = io::stdout();
    let end = || {
        let stat = fstat(&out).ok()?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return None;
        }
        let appends = fcntl_getfl(&out).is_ok_and(|flags| flags.contains(OFlags::APPEND));
        if appends {
            u64::try_from(stat.st_size).ok()
        } else {
            seek(&out, SeekFrom::Current(0)).ok()
        }
    };
    end().map_or(u64::MAX, |end| most.saturating_sub(end))
}

#[cfg(not(target_os = "linux"))]
fn room() -> u64 {
    u64::MAX
}
