//! What there is to know about a disk although all went well, as data.

/// Something to know about the disk although all went well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskNote {
    /// A request that a dead process left half done was taken back.
    TakenBack(Vec<String>),
    /// A request that a dead process left all but done was finished.
    Finished(Vec<String>),
    /// A journal that is damaged, or of another tree, was put aside.
    ForeignJournal,
    /// The journal's folder belongs to somebody else, or others can write it: it is not used.
    ForeignFolder,
    /// A request was broken off, and somebody changed its files since: they cannot be written until a person settles it.
    Unsettled(Vec<String>),
    /// What a dead process left beside a file was moved out of the way, and is kept.
    Orphaned(Orphaned),
    /// What the edit displaced could not be removed; the next command does it.
    NotCleanedUp(Vec<String>),
    /// Directories cannot be locked here: lock files are used, which only we obey.
    AdvisoryLocks,
    /// The files lie on another machine: what a power cut leaves there is not known.
    DurabilityUnknown,
}

/// What was moved out of the way of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphaned {
    /// The file.
    pub path: String,
    /// The names under which it is kept, below the root.
    pub kept: Vec<String>,
}

impl DiskNote {
    /// Returns the stable name of the note.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::TakenBack(_) => "taken_back",
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
            Self::TakenBack(paths)
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
