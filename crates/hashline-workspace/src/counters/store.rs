//! The file of the counters: named numbers, in two slots that are written alternately.
//!
//! A slot is `turn | length | checksum | lines`, with a line for each count: its name and its number. The valid slot with the higher turn (a
//! sequence number) is the current one, and the next write goes to the other slot. So a process that dies while writing leaves the previous counts
//! intact, and the file never grows beyond two slots. A lock on the file keeps processes apart; the kernel releases it when a process dies. The file
//! is not synced: a power cut may lose counts. Names that only a newer program knows are kept.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::time::Duration;

use crate::counters::totals::{Tally, Totals, Work};
use xxhash_rust::xxh3::xxh3_64;

use super::CountedEvent;
use crate::system::positioned;

/// The size of a slot, in bytes.
pub(super) const SLOT: usize = 32 << 10;
/// The size of a slot's header (turn, length and checksum), in bytes.
const HEAD: usize = 24;

const DONE: &str = "done";
const CODE: &str = "code";
const RULE: &str = "rule";
const MOVED: &str = "moved";
const NANOS: &str = "nanos";
/// Before the name of a series. It is the name of no kind of request.
const SERIES: &str = "series ";

/// The counts, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts(BTreeMap<String, u64>);

/// The content of the counters' file.
#[derive(Debug)]
pub(super) enum StoredCounts {
    /// The counts, and the turn (sequence number) of their slot.
    Counts(Counts, u64),
    /// The file is empty.
    Nothing,
    /// The file has no valid slot.
    Damaged,
}

impl Counts {
    /// Adds one request to the counts.
    pub(super) fn add(&mut self, event: &CountedEvent) {
        let work = event.work.name();
        match event.refused {
            None => self.increase(format!("{work} {DONE}"), 1),
            Some(code) => self.increase(format!("{work} {CODE} {code}"), 1),
        }
        for rule in &event.repairs {
            self.increase(format!("{work} {RULE} {}", rule.name()), 1);
        }
        if event.moved > 0 {
            self.increase(format!("{work} {MOVED}"), event.moved as u64);
        }
        let nanos = u64::try_from(event.took.as_nanos()).unwrap_or(u64::MAX);
        self.increase(format!("{work} {NANOS}"), nanos);
    }

    /// Adds to the numbers of series.
    pub(super) fn add_series(&mut self, more: &[(String, u64)]) {
        for (series, by) in more {
            self.increase(format!("{SERIES}{series}"), *by);
        }
    }

    /// Returns the numbers of series.
    pub(super) fn series(&self) -> Vec<(String, u64)> {
        let named = self.0.iter().filter_map(|(name, count)| {
            let series = name.strip_prefix(SERIES)?;
            Some((series.to_owned(), *count))
        });
        named.collect()
    }

    fn increase(&mut self, name: String, by: u64) {
        let count = self.0.entry(name).or_default();
        *count = count.saturating_add(by);
    }

    /// Returns the counts as lines, as they are stored.
    pub(super) fn lines(&self) -> String {
        let lines = self
            .0
            .iter()
            .map(|(name, count)| format!("{name} {count}\n"));
        lines.collect()
    }

    /// Parses stored lines; `None` if one of them is not a name and a number.
    pub(super) fn read(lines: &[u8]) -> Option<Self> {
        let lines = std::str::from_utf8(lines).ok()?.lines();
        let counts = lines.map(|line| {
            let (name, count) = line.rsplit_once(' ')?;
            Some((name.to_owned(), count.parse().ok()?))
        });
        counts.collect::<Option<_>>().map(Self)
    }

    /// Returns the counts by kind of request; names that this version does not know are left out.
    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for (name, &count) in &self.0 {
            let mut words = name.split(' ');
            let Some(work) = words.next().and_then(Work::named) else {
                continue;
            };
            let tally = totals.works.entry(work).or_default();
            set(tally, words.next(), words.next(), count);
        }
        totals
    }
}

fn set(tally: &mut Tally, kind: Option<&str>, of: Option<&str>, count: u64) {
    match (kind, of) {
        (Some(DONE), None) => tally.done = count,
        (Some(MOVED), None) => tally.moved = count,
        (Some(NANOS), None) => tally.time = Duration::from_nanos(count),
        (Some(CODE), Some(code)) => _ = tally.refused.insert(code.to_owned(), count),
        (Some(RULE), Some(rule)) => _ = tally.repairs.insert(rule.to_owned(), count),
        _ => {}
    }
}

/// Reads the counts from the file.
pub(super) fn read(file: &File) -> io::Result<StoredCounts> {
    let mut bytes = vec![0; 2 * SLOT];
    let mut filled = 0;
    loop {
        match positioned::read(file, &mut bytes[filled..], filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let slots = bytes[..filled].chunks(SLOT).filter_map(open);
    let newest = slots.max_by_key(|(_, turn)| *turn);
    Ok(match newest {
        Some((counts, turn)) => StoredCounts::Counts(counts, turn),
        None if filled == 0 => StoredCounts::Nothing,
        None => StoredCounts::Damaged,
    })
}

/// Writes counts into the slot that `turn` selects, which holds the older counts.
pub(super) fn write(file: &File, counts: &Counts, turn: u64) -> io::Result<()> {
    let lines = counts.lines();
    if HEAD + lines.len() > SLOT {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut slot = Vec::with_capacity(HEAD + lines.len());
    slot.extend_from_slice(&turn.to_le_bytes());
    slot.extend_from_slice(&(lines.len() as u64).to_le_bytes());
    slot.extend_from_slice(&sum(turn, lines.as_bytes()).to_le_bytes());
    slot.extend_from_slice(lines.as_bytes());
    positioned::write_all(file, &slot, (turn % 2) * SLOT as u64)
}

fn open(slot: &[u8]) -> Option<(Counts, u64)> {
    let (turn, rest) = slot.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (own, rest) = rest.split_first_chunk()?;
    let turn = u64::from_le_bytes(*turn);
    let lines = rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let whole = sum(turn, lines) == u64::from_le_bytes(*own);
    whole
        .then(|| Counts::read(lines))
        .flatten()
        .map(|counts| (counts, turn))
}

/// Returns the checksum of a slot. A wrong length is detected too, since the hash of a shorter or longer slice differs.
fn sum(turn: u64, lines: &[u8]) -> u64 {
    xxh3_64(lines) ^ xxh3_64(&turn.to_le_bytes())
}
