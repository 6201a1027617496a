//! Notes about the state of the disk that go with an answer, whether the request succeeded or not. `hashline-session` turns the notes into
//! sentences.

/// A fact about the disk that the caller of a request should know, in addition to the result of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskNote {
    /// An earlier request was interrupted in the middle of its commit; these files were restored.
    RolledBack(Vec<String>),
    /// An earlier request was interrupted after all files were written; its commit was finished. The paths are those files.
    Finished(Vec<String>),
    /// A journal that is damaged, or was written for another tree, was moved to `.hashline/foreign`.
    ForeignJournal,
    /// The `.hashline` folder belongs to another user, or others can write to it, so its journal is not used.
    ForeignFolder,
    /// An earlier request was interrupted, and another program changed its files since. These files cannot be written until the user
    /// resolves the conflict.
    Unsettled(Vec<String>),
    /// Staging files that a dead process left beside a file were moved to `.hashline/orphans`.
    Orphaned(Orphaned),
    /// The commit succeeded, but the replaced files could not be removed; the next command removes them.
    NotCleanedUp(Vec<String>),
    /// Directories on this file system cannot be locked, so lock files are used. Only hashline processes of this user respect lock files.
    AdvisoryLocks,
    /// The files are on a network file system: whether they survive a power cut is unknown.
    DurabilityUnknown,
}

/// Staging files that a dead process left beside a file, and that were moved away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphaned {
    /// The file beside which the staging files were.
    pub path: String,
    /// The new paths of the staging files, below the root.
    pub kept: Vec<String>,
}

impl DiskNote {
    /// Returns the stable name of the note, as it appears in JSON answers.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::RolledBack(_) => "taken_back",
            Self::Finished(_) => "finished",
            Self::ForeignJournal => "foreign_journal",
            Self::ForeignFolder => "foreign_folder",
            Self::Unsettled(_) => "unsettled",
            Self::Orphaned(_) => "orphaned",
            Self::NotCleanedUp(_) => "not_cleaned_up",
            Self::AdvisoryLocks => "advisory_locks",
            Self::DurabilityUnknown => "durability_unknown",
        }
    }

    /// Returns the files that the note is about.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        match self {
            Self::RolledBack(paths)
            | Self::Finished(paths)
            | Self::Unsettled(paths)
            | Self::NotCleanedUp(paths) => paths,
            Self::Orphaned(orphaned) => std::slice::from_ref(&orphaned.path),
            Self::ForeignJournal
            | Self::ForeignFolder
            | Self::AdvisoryLocks
            | Self::DurabilityUnknown => &[],
        }
    }
}
