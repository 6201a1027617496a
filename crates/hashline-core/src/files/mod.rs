//! Requests over several files, which change all of the files or none.
//!
//! Steps take effect in request order on a tree of files that exists only in memory. Anchors always refer to the content that a file had
//! before the request, whatever name the file has at that step, because a caller has seen only that content. This module reads and writes
//! no file: the caller passes in the documents and writes what [`FilesEdited::writes`] returns.

mod error;
mod lines;
mod required;
mod tree;

use std::collections::BTreeMap;

pub use error::{EditRefused, FilesError, StepProblem};
use required::Requirements;
use tree::FileTree;

use crate::edit::{EditNo, Operation};
use crate::policy::Policy;
use crate::report::Edited;
use crate::shown::Shown;
use crate::text::{Document, RevPrefix};

/// A request over one or more files: steps in order, and what must be true of the files before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The steps to do, in order.
    pub steps: Vec<Step>,
    /// The revision of each file in which its anchors were shown, by path.
    pub revs: BTreeMap<String, RevPrefix>,
    /// The SHA-256 that each file must have before the request, by path.
    pub file_hashes: BTreeMap<String, String>,
    /// The name of each file's encoding, by path, if the request names it. Who reads the files decodes them.
    pub encodings: BTreeMap<String, String>,
}

/// One step of a request: one action on one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the step in the request as the caller sent it; two steps can share a number.
    pub no: EditNo,
    /// The path of the file, after the moves of the steps before this one.
    pub path: String,
    /// What the step does to the file.
    pub action: FileAction,
}

/// What a step does to its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAction {
    /// Edits lines of the file, or replaces text in it.
    Edit(Operation),
    /// Creates a file with exactly this content.
    Create(String),
    /// Replaces the whole content of the file, if the file still has the revision that the request names.
    Rewrite(String),
    /// Makes these bytes the whole content of the file, text or not. A file that exists must have the revision and SHA-256 that the request names,
    /// if it names them.
    Overwrite(Vec<u8>, Replaces),
    /// Renames the file to this path.
    Move(String),
    /// Deletes the file.
    Delete,
}

/// What the bytes of a whole file may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// Whatever is there: a file, or nothing.
    Anything,
    /// Nothing: the file must not exist.
    Nothing,
}

/// Gives access to the files that a request may name, as they are before the request.
///
/// Paths are compared as strings. Only the caller can know that `./a` and `a` are the same file, so it must normalise the paths before it
/// makes the [`Request`].
pub trait Files {
    /// Returns the content of the file with this path before the request; `None` if there is no such file.
    fn document(&self, path: &str) -> Option<Document>;

    /// Returns the empty document of a file that the request creates: it has the encoding that the file is to have.
    fn new_document(&self, _path: &str) -> Document {
        Document::new("")
    }

    /// Returns the record of which lines were shown to the caller of the file that has this path before the request.
    fn shown(&self, _path: &str) -> Shown<'_> {
        Shown::nothing()
    }
}

impl Files for BTreeMap<String, Document> {
    fn document(&self, path: &str) -> Option<Document> {
        self.get(path).cloned()
    }
}

/// The result of a request all of whose steps can be done.
#[derive(Clone, Debug, Default)]
pub struct FilesEdited {
    /// The files that the request changes, in the order in which it first names them.
    pub files: Vec<FileEdited>,
}

/// What a request does to one file: its old and new name, and its edited content.
#[derive(Clone, Debug)]
pub struct FileEdited {
    /// The file's name before the request; `None` for a new file.
    pub from: Option<String>,
    /// The file's name after the request; `None` for a deleted file.
    pub path: Option<String>,
    /// The file's content after the request (for a deleted file, the content before) and a report of the changed lines.
    pub edited: Edited,
}

/// How a request changes a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The file keeps its name, and its lines were edited.
    Modified,
    /// The file is new.
    Added,
    /// The file has another name; its lines may have been edited too.
    Moved,
    /// The file was deleted.
    Deleted,
}

impl FileEdited {
    /// Returns whether the request modified, added, moved or deleted the file.
    #[must_use]
    pub fn status(&self) -> Status {
        match (&self.from, &self.path) {
            (_, None) => Status::Deleted,
            (None, Some(_)) => Status::Added,
            (Some(from), Some(path)) if from != path => Status::Moved,
            (Some(_), Some(_)) => Status::Modified,
        }
    }

    /// Returns the file's name after the request; for a deleted file, its name before.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path
            .as_deref()
            .or(self.from.as_deref())
            .unwrap_or_default()
    }
}

impl FilesEdited {
    /// Returns what to write to disk: each path with its new content, or `None` to delete the file. Unchanged files are not listed.
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

/// Carries out a whole request in memory: all of its steps, or none.
///
/// # Errors
///
/// The first step that cannot be done; or, if edits are refused, the refusals of all files.
pub fn edit_files(
    mut request: Request,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<FilesEdited, FilesError> {
    let steps = std::mem::take(&mut request.steps);
    let nodes = FileTree::after(steps, files, policy)?;
    let required = Requirements::of(&request, &nodes)?;
    let edits = nodes.first().map_or(0, |node| node.request_edits);
    for (path, required) in required.of_others {
        lines::check_unnamed(path, required, edits, files)?;
    }
    let nodes = nodes.into_iter().zip(required.of_nodes);
    let outcomes = nodes.map(|(node, required)| lines::edit(node, required, files, policy));
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
