//! What became of what a dead process left, as data.

use crate::disk::Unsettled;

/// What recovery found and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// There was nothing to do.
    Nothing,
    /// A request that was half done was taken back.
    TakenBack(Unsettled),
    /// A request that was all done was finished.
    Finished(Unsettled),
    /// A conflict was ended as a person decided.
    Decided {
        /// The files it was about.
        left: Unsettled,
        /// Those that do not hold what was decided: the bytes are not there any more, and the files stay as they are.
        without: Vec<String>,
    },
    /// A journal that is damaged or belongs to another tree was put aside.
    Foreign,
    /// The journal's folder belongs to somebody else: it is left alone.
    ForeignFolder,
}
