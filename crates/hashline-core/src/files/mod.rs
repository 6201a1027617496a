//! Requests over several files: all of them, or none.
//!
//! Steps take effect in request order on a tree of files that exists only in memory. Anchors always refer to the content a file had
//! before the request, under whatever name it has at that step: a caller has seen only that content. Nothing is read or written
//! here: the caller brings the documents and carries out what [`FilesEdited::writes`] says.

mod error;
mod lines;
mod tree;

use std::collections::BTreeMap;

pub use error::{EditRefused, FilesError, StepProblem};
use lines::RequiredBytes;
use tree::FileTree;

use crate::edit::{EditNo, Operation};
use crate::policy::Policy;
use crate::report::Edited;
use crate::shown::Shown;
use crate::text::{Document, RevPrefix};

/// A request over one or more files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What to do, in order.
    pub steps: Vec<Step>,
    /// The revisions that anchors were read from, by path.
    pub revs: BTreeMap<String, RevPrefix>,
    /// The SHA-256 that files must have, by path.
    pub file_hashes: BTreeMap<String, String>,
}

/// One step of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number in the request as the caller sent it; two steps can share one.
    pub no: EditNo,
    /// The file, by the name it has at this step.
    pub path: String,
    /// What to do.
    pub action: FileAction,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAction {
    /// Edits lines.
    Edit(Operation),
    /// Creates a file with exactly this content.
    Create(String),
    /// Replaces the whole content, if the file still has the revision that the request names.
    Rewrite(String),
    /// Renames the file.
    Move(String),
    /// Deletes the file.
    Delete,
}

/// The files a request may touch, as they are now.
///
/// Paths are compared as strings. That `./a` and `a` are one file only the caller can know: it must bring paths into one form before
/// it makes the [`Request`].
pub trait Files {
    /// Returns the file that has this path before the request, if there is one.
    fn document(&self, path: &str) -> Option<Document>;

    /// Returns what was shown of the file that has this path before the request.
    fn shown(&self, _path: &str) -> Shown<'_> {
        Shown::nothing()
    }
}

impl Files for BTreeMap<String, Document> {
    fn document(&self, path: &str) -> Option<Document> {
        self.get(path).cloned()
    }
}

/// The result of a request all of whose steps are possible.
#[derive(Clone, Debug, Default)]
pub struct FilesEdited {
    /// The files it changes, in the order in which the request first names them.
    pub files: Vec<FileEdited>,
}

/// What a request does to one file.
#[derive(Clone, Debug)]
pub struct FileEdited {
    /// Its name before the request; `None` for a new file.
    pub from: Option<String>,
    /// Its name after the request; `None` for a deleted file.
    pub path: Option<String>,
    /// Its content after the request (before it, for a deleted file) and what was done to its lines.
    pub edited: Edited,
}

/// What a request did to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its lines were edited.
    Modified,
    /// It is new.
    Added,
    /// It has another name; its lines may have been edited too.
    Moved,
    /// It was deleted.
    Deleted,
}

impl FileEdited {
    /// Returns what the request did to the file.
    #[must_use]
    pub fn status(&self) -> Status {
        match (&self.from, &self.path) {
            (_, None) => Status::Deleted,
            (None, Some(_)) => Status::Added,
            (Some(from), Some(path)) if from != path => Status::Moved,
            (Some(_), Some(_)) => Status::Modified,
        }
    }

    /// Returns its name after the request; the old one for a deleted file.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path
            .as_deref()
            .or(self.from.as_deref())
            .unwrap_or_default()
    }
}

impl FilesEdited {
    /// Returns what to write: each path with its new content, or `None` to delete it. Unchanged files are not listed.
    #[must_use]
    pub fn writes(&self) -> BTreeMap<String, Option<Document>> {
        let mut writes: BTreeMap<String, Option<Document>> = BTreeMap::new();
        // Deletions first: another file may take over the old name, and then it is written and not deleted.
        for file in &self.files {
            if let Some(from) = file.from.as_ref().filter(|_| file.from != file.path) {
                writes.entry(from.clone()).or_insert(None);
            }
        }
        for file in &self.files {
            if let Some(path) = file
                .path
                .as_ref()
                .filter(|_| file.from != file.path || file.edited.report.is_changed())
            {
                writes.insert(path.clone(), Some(file.edited.document.clone()));
            }
        }
        writes
    }
}

/// Carries out a whole request in memory: every step is possible, or nothing is done.
///
/// # Errors
///
/// The first step that is not possible; for refused edits, those of all files.
pub fn edit_files(
    request: Request,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<FilesEdited, FilesError> {
    let nodes = FileTree::after(request.steps, files, policy)?;
    let outcomes = nodes.into_iter().map(|node| {
        let required = RequiredBytes {
            rev: node.value_in(&request.revs),
            file_hash: node.value_in(&request.file_hashes),
        };
        lines::edit(node, required, files, policy)
    });
    let (mut done, mut refused) = (Vec::new(), Vec::new());
    // All files are tried, even after a refusal: the caller then learns of every stale line at once.
    for outcome in outcomes {
        match outcome {
            Ok(file) => done.extend(file),
            Err(error) => refused.push(error),
        }
    }
    refused.sort_by_key(|(position, _)| *position);
    let mut refused = refused.into_iter().map(|(_, refused)| refused);
    match refused.next() {
        None => Ok(FilesEdited { files: done }),
        Some(first) => Err(FilesError::Edits {
            first,
            others: refused.map(|other| *other).collect(),
        }),
    }
}
