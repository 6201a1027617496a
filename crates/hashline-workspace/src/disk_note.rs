//! Notes on the disk that come with an answer, whether the request succeeded or not. `hashline-session` puts them into words.

/// Something to know about the disk beside the result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskNote {
    /// A request was interrupted half way; it was undone.
    RolledBack(Vec<String>),
    /// A request was interrupted when all files were written; it was finished.
    Finished(Vec<String>),
    /// A journal that is damaged, or belongs to another tree, was moved away.
    ForeignJournal,
    /// The journal's folder belongs to another user, or others can write to it, so it is not used.
    ForeignFolder,
    /// A request was interrupted, and another program changed its files since. They cannot be written until the user resolves it.
    Unsettled(Vec<String>),
    /// A staging file that a dead process left beside a file was moved to the orphans.
    Orphaned(Orphaned),
    /// The replaced files could not be removed; the next command does it.
    NotCleanedUp(Vec<String>),
    /// Directories cannot be locked here, so lock files are used. Only hashline processes of this user respect those.
    AdvisoryLocks,
    /// The files are on a network file system: whether they survive a power cut is unknown.
    DurabilityUnknown,
}

/// Staging files that were moved away from beside a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphaned {
    /// The file.
    pub path: String,
    /// Their new paths below the root.
    pub kept: Vec<String>,
}

impl DiskNote {
    /// Returns the stable name of the note.
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

    /// Returns the files it is about.
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
