//! Which files are ours: those that hashline can show and change itself. Nobody is sent to a tool that would refuse the file, too.
//!
//! Only the beginning of a file is looked at, since the client waits. What stands further down is met by whoever follows our advice.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use hashline_workspace::Limits;

use super::Room;

/// How much of a file is looked at: enough to see that its first line is longer than is taken.
const BEGINNING: u64 = (1 << 20) + 1;

/// What text of another encoding begins with.
const OTHER_ENCODINGS: [&[u8]; 3] = [b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"];

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To show it.
    Show,
    /// To change, replace, move or delete it, or to make it.
    Change,
}

impl Room<'_> {
    /// Tells whether a file is one that we would take: in a root, nothing that we refuse to write, and text as far as can be seen.
    pub(super) fn is_ours(&self, place: &Path, purpose: Purpose) -> bool {
        let path = place.to_str();
        let may_write = path.is_some_and(|path| self.service.may_write(path).is_ok());
        may_write && self.takes(place, purpose)
    }

    fn takes(&self, place: &Path, purpose: Purpose) -> bool {
        let limits = &self.service.config().settings.limits;
        match place.metadata() {
            Ok(facts) => {
                facts.is_file()
                    && facts.len() <= limits.file
                    && (purpose == Purpose::Show || is_writable(&facts))
                    && begins_as_text(place, limits).unwrap_or(false)
            }
            // One that is not there can be made.
            Err(error) => error.kind() == ErrorKind::NotFound,
        }
    }
}

fn begins_as_text(place: &Path, limits: &Limits) -> io::Result<bool> {
    let mut bytes = Vec::new();
    File::open(place)?.take(BEGINNING).read_to_end(&mut bytes)?;
    let is_other = OTHER_ENCODINGS.iter().any(|mark| bytes.starts_with(mark));
    let has_long_line = bytes.len() > limits.line && !bytes.contains(&b'\n');
    Ok(!is_other && !has_long_line && !bytes.contains(&0))
}

/// Tells whether the file may be written by anybody, and be replaced without losing what it may do.
#[cfg(unix)]
fn is_writable(facts: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    const SPECIAL: u32 = 0o6000;
    let permissions = facts.permissions();
    !permissions.readonly() && permissions.mode() & SPECIAL == 0
}

#[cfg(not(unix))]
fn is_writable(facts: &Metadata) -> bool {
    !facts.permissions().readonly()
}
