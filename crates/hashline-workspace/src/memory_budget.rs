//! How many bytes of files one request holds at once.
//!
//! A file has its own bound; many files below it could still fill the memory.

use crate::error::{Bound, Error};
use crate::limits::Limits;
use crate::read::{Snapshot, read};
use crate::root::FilePlace;
use crate::system::System;

/// The bytes of files that a request holds.
pub(crate) struct MemoryBudget<'a> {
    limits: &'a Limits,
    /// What all its files have, by a first look.
    asked: u64,
    bytes: u64,
}

impl<'a> MemoryBudget<'a> {
    /// Holds nothing yet of files that are all to be read.
    pub(crate) fn for_files<'p, S: System + 'p>(
        places: impl IntoIterator<Item = &'p FilePlace<S>>,
        limits: &'a Limits,
    ) -> Self {
        let stats = places.into_iter().filter_map(|place| place.stat);
        Self {
            limits,
            asked: stats.fold(0, |sum, stat| sum.saturating_add(stat.size)),
            bytes: 0,
        }
    }

    /// Reads a file, if there is room for it.
    ///
    /// # Errors
    ///
    /// As [`read`], and `too_large` if it would be too much together with the others. It is refused by its size, before it is read.
    pub(crate) fn read<S: System>(
        &mut self,
        system: &S,
        place: &FilePlace<S>,
    ) -> Result<Snapshot<S>, Error> {
        let room = self.limits.total.saturating_sub(self.bytes);
        let limits = Limits {
            file: self.limits.file.min(room),
            ..*self.limits
        };
        match read(system, place, &limits) {
            Ok(snapshot) => {
                self.bytes += snapshot.document.bytes().len() as u64;
                Ok(snapshot)
            }
            Err(Error::TooLarge(bound)) if bound.found <= self.limits.file => {
                let together = self.bytes.saturating_add(bound.found);
                Err(Error::TooLargeTogether(Bound {
                    found: self.asked.max(together),
                    most: self.limits.total,
                    ..bound
                }))
            }
            Err(Error::TooLarge(bound)) => Err(Error::TooLarge(Bound {
                most: self.limits.file,
                ..bound
            })),
            Err(error) => Err(error),
        }
    }
}

/// Refuses to write more bytes than a request may hold.
pub(crate) fn refuse_much(
    written: impl IntoIterator<Item = usize>,
    limits: &Limits,
) -> Result<(), Error> {
    let sizes = written.into_iter().map(|size| size as u64);
    let found = sizes.fold(0, u64::saturating_add);
    if found <= limits.total {
        return Ok(());
    }
    Err(Error::TooLargeTogether(Bound {
        path: None,
        found,
        most: limits.total,
    }))
}
