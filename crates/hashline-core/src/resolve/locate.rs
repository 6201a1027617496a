//! Where one anchor, or a range, is now: what an edit there would be told, without an edit.

use super::{Landed, resolve};
use crate::edit::{EditBatch, Operation, Target};
use crate::error::{AnchorsRefused, Error};
use crate::policy::Policy;
use crate::shown::Shown;
use crate::text::{Document, RevPrefix};

/// Finds the lines an anchor or a range names.
///
/// # Errors
///
/// Every reason why an edit there would be refused, with the lines as they are.
pub fn locate(
    document: &Document,
    shown: &Shown<'_>,
    rev: Option<&RevPrefix>,
    target: Target,
    policy: &Policy<'_>,
) -> Result<Landed, AnchorsRefused> {
    let batch = EditBatch {
        rev: rev.cloned(),
        ..EditBatch::new([Operation::Delete { at: target }])
    };
    let nowhere = || AnchorsRefused {
        document: document.clone(),
        problems: Vec::new(),
        standing: Vec::new(),
    };
    match resolve(document, shown, batch, policy) {
        Ok(resolved) => {
            let landed = resolved.edits.first().and_then(|edit| edit.landed);
            landed.ok_or_else(nowhere)
        }
        Err(Error::Anchors(refused)) => Err(refused),
        // Nothing else can be wrong with an anchor alone.
        Err(_) => Err(nowhere()),
    }
}
