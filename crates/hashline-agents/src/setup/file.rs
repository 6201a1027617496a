//! One file: with ours in it, and without.

use crate::setup::disk::Seen;
use crate::setup::error::Refused;
use crate::setup::lines::Position;
use crate::setup::merge::json::{self, Entry};
use crate::setup::merge::{Differing, Leave, Mend, Merged, Reach, Unmerged, section, toml};
use crate::setup::owned::{Calls, Owned};
use crate::setup::receipt::{FileReceipt, Origin};
use crate::setup::targets::{Target, What};

/// A file, as it is and as it is known.
#[derive(Debug)]
pub(crate) struct File<'a> {
    target: &'a Target,
    seen: &'a Seen,
    known: Option<&'a FileReceipt>,
    /// A receipt that speaks of another file than is there now.
    stale: Option<&'a FileReceipt>,
    owned: Owned,
}

/// A file with ours in it, or without.
#[derive(Debug)]
pub(crate) struct Made {
    /// Its bytes; nothing if there is to be no such file.
    pub(crate) bytes: Option<Vec<u8>>,
    /// What a person wrote or changed, and keeps.
    pub(crate) kept: Vec<String>,
}

impl Made {
    fn bytes(bytes: impl Into<Option<Vec<u8>>>) -> Self {
        Self {
            bytes: bytes.into(),
            kept: Vec::new(),
        }
    }
}

impl<'a> File<'a> {
    /// Brings together what is wanted, what is there, what a receipt says, and by which command ours are known.
    pub(crate) fn new(
        target: &'a Target,
        seen: &'a Seen,
        known: Option<&'a FileReceipt>,
        command: &str,
    ) -> Self {
        let written = known.map(FileReceipt::written).unwrap_or_default();
        let owned = Owned::new(command, &written);
        let is_still = |known: &&FileReceipt| is_still(known, target, seen, &owned);
        Self {
            target,
            seen,
            known: known.filter(is_still),
            stale: known.filter(|known| !is_still(known)),
            owned,
        }
    }

    /// Returns what is known of the file that is there.
    pub(crate) fn known(&self) -> Option<&'a FileReceipt> {
        self.known
    }

    /// Returns the file with ours in it.
    pub(crate) fn with_ours(&self, differing: Differing) -> Result<Made, Refused> {
        let bytes = self.seen.bytes.as_deref();
        if let What::Whole(ours) = &self.target.what {
            return Ok(self.whole(bytes, ours, differing));
        }
        let (mark, text) = self.decoded(bytes.unwrap_or_default())?;
        let owned = &self.owned;
        let mend = Mend { owned, differing };
        let merged = match &self.target.what {
            What::Json(entries) => self
                .without_obsolete(text, entries)
                .and_then(|text| json::install(&text, entries, &mend)),
            What::Toml(table) => toml::install(text, table, &mend),
            What::Section(section) => section::install(text, section, differing),
            What::Whole(_) => Ok(Merged::from(text.to_owned())),
        };
        let merged = merged.map_err(|why| self.unmerged(why))?;
        Ok(Made {
            bytes: Some([mark, &merged.text].concat().into_bytes()),
            kept: merged.kept,
        })
    }

    /// Returns the file as it would be had setup never been run: what uninstall gives back.
    pub(crate) fn base(&self, differing: Differing) -> Result<Made, Refused> {
        let (reach, edited) = match (self.known, &self.target.what) {
            (Some(_), _) if differing == Differing::Replace => (Reach::Running, differing),
            (Some(_), _) => (Reach::Ours, differing),
            (None, What::Whole(_)) => (Reach::AsWritten, Differing::Respect),
            (None, _) => (Reach::AsWritten, differing),
        };
        match self.restored() {
            Some(bytes) => Ok(Made::bytes(bytes)),
            None => self.without(reach, edited),
        }
    }

    /// Returns the file without ours. Texts that could be anybody's by now stay, and are named.
    pub(crate) fn without_ours(&self, differing: Differing) -> Result<Made, Refused> {
        let mut made = self.surely_without(differing)?;
        let (Some(stale), Some(bytes)) = (self.stale, &made.bytes) else {
            return Ok(made);
        };
        if let (What::Json(entries), (_, text)) = (&stale.what, self.decoded(bytes)?) {
            let left = json::standing_texts(text, entries).into_iter();
            let is_theirs = |name: &String| stale.theirs.iter().any(|one| one.name == *name);
            made.kept.extend(left.filter(|name| !is_theirs(name)));
        }
        Ok(made)
    }

    fn surely_without(&self, differing: Differing) -> Result<Made, Refused> {
        let reach = match differing {
            Differing::Respect => Reach::Ours,
            Differing::Replace => Reach::Forced,
        };
        let has_theirs = self.known.is_some_and(|known| !known.theirs.is_empty());
        match self.restored() {
            Some(bytes) if !has_theirs => Ok(Made::bytes(bytes)),
            // What stood there before may run hashline as well, which is to be said, or to go.
            Some(Some(bytes)) => {
                let real = self.seen.real.clone();
                let seen = Seen {
                    real,
                    bytes: Some(bytes),
                };
                let owned = self.owned.clone();
                let before = File {
                    seen: &seen,
                    owned,
                    ..*self
                };
                before.without(reach, differing)
            }
            _ => self.without(reach, differing),
        }
    }

    /// Writes down what becomes of the file. What receipts of all agents say about it helps where several share it.
    pub(crate) fn receipt(
        &self,
        base: Option<&[u8]>,
        after: &[u8],
        all: &[FileReceipt],
    ) -> FileReceipt {
        let mut receipt = FileReceipt::new(self.target, self.seen, base, after);
        receipt.origin.created |= self.known.is_some_and(|known| known.origin.created);
        let text = base.and_then(|base| std::str::from_utf8(base).ok());
        let Some(text) = text.map(|text| text.trim_start_matches('\u{feff}')) else {
            return receipt;
        };
        match &self.target.what {
            What::Json(entries) => {
                receipt.stood = json::standing(text, entries);
                receipt.theirs = json::theirs(text, entries, &self.owned);
            }
            What::Toml(table) => receipt.theirs = toml::theirs(text, table).into_iter().collect(),
            What::Section(_) if section::has_any(text) => {
                let known = all.first().map(|other| other.origin);
                // Where nothing else stands than other agents' sections, the last to go takes the file along.
                receipt.origin = known.unwrap_or(Origin {
                    unended: false,
                    created: section::is_blank(text),
                });
            }
            What::Section(_) | What::Whole(_) => {}
        }
        receipt
    }

    /// Returns the bytes that the receipt has kept, if the file is as setup left it.
    fn restored(&self) -> Option<Option<Vec<u8>>> {
        let bytes = self.seen.bytes.as_deref()?;
        self.known.and_then(|known| known.restored(bytes))
    }

    /// Takes out what an earlier setup wrote and this one has no use for.
    fn without_obsolete(&self, text: &str, entries: &[Entry]) -> Result<String, Unmerged> {
        let Some(What::Json(earlier)) = self.known.map(|known| &known.what) else {
            return Ok(text.to_owned());
        };
        let is_wanted = |entry: &Entry| entries.iter().any(|one| one.name() == entry.name());
        let obsolete: Vec<Entry> = earlier
            .iter()
            .filter(|one| !is_wanted(one))
            .cloned()
            .collect();
        json::uninstall(text, &obsolete, &self.leave(Reach::AsWritten)).map(|merged| merged.text)
    }

    fn leave(&self, reach: Reach) -> Leave<'_> {
        Leave {
            owned: &self.owned,
            reach,
            known: self.known.map(FileReceipt::known),
        }
    }

    /// Returns a file that is ours as a whole, unless a person changed it.
    fn whole(&self, bytes: Option<&[u8]>, ours: &str, differing: Differing) -> Made {
        let is_theirs = |bytes: &&[u8]| {
            *bytes != ours.as_bytes()
                && differing == Differing::Respect
                && !self.known.is_some_and(|known| known.is_as_left(bytes))
        };
        match bytes.filter(is_theirs) {
            None => Made::bytes(ours.as_bytes().to_vec()),
            Some(theirs) => kept_whole(theirs),
        }
    }

    /// Takes out what is ours, as far as it reaches; sections and whole files that a person edited by another rule.
    fn without(&self, reach: Reach, edited: Differing) -> Result<Made, Refused> {
        let Some(bytes) = &self.seen.bytes else {
            return Ok(Made::bytes(None));
        };
        let what = self.target.what.with(self.known.map(|known| &known.what));
        if let What::Whole(ours) = &what {
            let goes = bytes == ours.as_bytes() || edited == Differing::Replace;
            return Ok(match self.known.map(FileReceipt::original) {
                _ if !goes => kept_whole(bytes),
                None | Some(Some(None)) => Made::bytes(None),
                Some(Some(original)) => Made::bytes(original),
                // It was a person's before, and setup has never written it.
                Some(None) => Made::bytes(bytes.clone()),
            });
        }
        let (mark, text) = self.decoded(bytes)?;
        let leave = self.leave(reach);
        let (without, is_blank) = match &what {
            What::Json(entries) => (
                json::uninstall(text, entries, &leave),
                json::is_blank as fn(&str) -> bool,
            ),
            What::Toml(table) => (toml::uninstall(text, table, &leave), blank as _),
            What::Section(section) => (section::uninstall(text, section, edited), blank as _),
            What::Whole(_) => (Ok(Merged::from(text.to_owned())), blank as _),
        };
        let without = without.map_err(|why| self.unmerged(why))?;
        let bare = self.without_ending(text, &without.text);
        let is_made = self.stale.is_none() && self.known.is_none_or(|known| known.origin.created);
        let is_ours = bare != text && is_made;
        let stays = !(is_ours && is_blank(bare));
        Ok(Made {
            bytes: stays.then(|| [mark, bare].concat().into_bytes()),
            kept: without.kept,
        })
    }

    /// Takes the ending of the last line away that came along with what was appended to it.
    fn without_ending<'t>(&self, text: &str, without: &'t str) -> &'t str {
        let was_unended = self.known.is_some_and(|known| known.origin.unended);
        let is_last = without != text && text.starts_with(without) && !section::has_any(without);
        match was_unended && is_last {
            true => {
                let bare = without.strip_suffix('\n').unwrap_or(without);
                bare.strip_suffix('\r').unwrap_or(bare)
            }
            false => without,
        }
    }

    /// Returns the text of the file, and the mark before it that some editors put there.
    fn decoded<'b>(&self, bytes: &'b [u8]) -> Result<(&'b str, &'b str), Refused> {
        const MARK: &str = "\u{feff}";
        let text = text_of(bytes).map_err(|why| self.unmerged(why))?;
        Ok(match text.strip_prefix(MARK) {
            Some(rest) => (MARK, rest),
            None => ("", text),
        })
    }

    fn unmerged(&self, why: Unmerged) -> Refused {
        let path = self.target.path.clone();
        Refused::Unmerged { path, why }
    }
}

/// Returns bytes as text, if they are UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, Unmerged> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let at = Position::of(&valid, valid.len());
        Unmerged::NotText { at }
    })
}

/// Tells whether a receipt speaks of the file that is there: it is as setup left it, or something in it is surely ours. One that came from
/// elsewhere in its place is all its owner's.
fn is_still(known: &FileReceipt, target: &Target, seen: &Seen, owned: &Owned) -> bool {
    let Some(bytes) = &seen.bytes else {
        return false;
    };
    let text = std::str::from_utf8(bytes).map(|text| text.trim_start_matches('\u{feff}'));
    let (false, Ok(text)) = (known.is_as_left(bytes), text) else {
        return true;
    };
    match &target.what.with(Some(&known.what)) {
        What::Json(entries) => json::runs_us(text, entries, owned),
        What::Toml(table) => toml::look_up(text, table)
            .is_ok_and(|found| found.is_some_and(|found| owned.runs_us(&found, Calls::Anything))),
        What::Section(section) => section::is_current(text, section) != Ok(None),
        What::Whole(_) => true,
    }
}

fn kept_whole(bytes: &[u8]) -> Made {
    Made {
        bytes: Some(bytes.to_vec()),
        kept: vec!["the whole file".to_owned()],
    }
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}
