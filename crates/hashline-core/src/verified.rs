//! Where anchors of a file land now, as data: `hashline-service` finds it out, `hashline-wire` shows it.

use crate::error::AnchorsRefused;
use crate::resolve::Landed;
use crate::text::Document;

/// Where anchors of a file land now.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The file.
    pub path: String,
    /// Its bytes.
    pub document: Document,
    /// For each anchor or range: how it was spelled, and where it is, or why nowhere.
    pub anchors: Vec<(String, Result<Landed, AnchorsRefused>)>,
}

impl Verified {
    /// Tells whether every anchor has a place.
    #[must_use]
    pub fn is_all_landed(&self) -> bool {
        self.anchors.iter().all(|(_, landed)| landed.is_ok())
    }
}
