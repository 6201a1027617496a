//! Memory of this process, as Linux tells it. Elsewhere nothing is known.

use std::fs;

/// Returns how many bytes are in use.
pub(super) fn in_use() -> Option<u64> {
    field("VmRSS:")
}

/// Returns how many bytes were in use at most.
pub(super) fn peak() -> Option<u64> {
    field("VmHWM:")
}

fn field(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
