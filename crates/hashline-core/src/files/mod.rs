//! Requests over several files: all of them, or none.
//!
//! File operations take effect in request order on a tree that exists only here; anchors always refer to the content a file had
//! before the request, under whatever name it has at that point. Nothing is read or written: the caller brings the documents and
//! carries out what [`FilesEdited::writes`] says.

mod error;
mod lines;
mod tree;

use std::collections::BTreeMap;

pub use error::{EditRefused, FileTrouble, FilesError};
use lines::Claims;
use tree::FileTree;

use crate::edit::{EditNo, Operation};
use crate::policy::Policy;
use crate::report::Edited;
use crate::shown::Shown;
use crate::text::{Document, RevPrefix};

/// What was asked for, over one or more files.
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
    /// Its number, as its reader counts.
    pub no: EditNo,
    /// The file, by the name it has at this point.
    pub path: String,
    /// What to do.
    pub action: FileAction,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAction {
    /// Edits lines.
    Edit(Operation),
    /// Makes a new file with exactly this content.
    Create(String),
    /// Gives the file exactly this content instead, if it still has the bytes of the revision that the request names.
    Rewrite(String),
    /// Gives the file another name.
    Move(String),
    /// Removes the file.
    Delete,
}

/// The files a request may touch, as they are now.
///
/// A file is its path, letter by letter: that `./a` and `a` are one file only the caller can know, who brings each path into one
/// form before it makes the [`Request`].
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

/// What a request does, once all of it is known to be possible.
#[derive(Clone, Debug, Default)]
pub struct FilesEdited {
    /// The files that were touched, in the order in which the request first names them.
    pub files: Vec<FileEdited>,
}

/// What a request does to one file.
#[derive(Clone, Debug)]
pub struct FileEdited {
    /// Its name before the request; nothing for a new file.
    pub from: Option<String>,
    /// Its name after the request; nothing for a deleted file.
    pub path: Option<String>,
    /// Its content after the request (before it, for a deleted file) and what was done to its lines.
    pub edited: Edited,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its lines were edited.
    Modified,
    /// It is new.
    Added,
    /// It has another name; its lines may have been edited too.
    Moved,
    /// It is gone.
    Deleted,
}

impl FileEdited {
    /// Returns what became of the file.
    #[must_use]
    pub fn status(&self) -> Status {
        match (&self.from, &self.path) {
            (_, None) => Status::Deleted,
            (None, Some(_)) => Status::Added,
            (Some(from), Some(path)) if from != path => Status::Moved,
            (Some(_), Some(_)) => Status::Modified,
        }
    }

    /// Returns the name to speak of the file by.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path
            .as_deref()
            .or(self.from.as_deref())
            .unwrap_or_default()
    }
}

impl FilesEdited {
    /// Returns what is to be written: each path with its new content, or nothing where a file goes. Files that stay as they are are
    /// not listed.
    #[must_use]
    pub fn writes(&self) -> BTreeMap<String, Option<Document>> {
        let mut writes: BTreeMap<String, Option<Document>> = BTreeMap::new();
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

/// Does a whole request, in memory: every step is possible, or nothing is done.
///
/// # Errors
///
/// The first step that is not possible, as [`FilesError`] says, and with edits that are refused those of the other files.
pub fn edit_files(
    request: Request,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<FilesEdited, FilesError> {
    let nodes = FileTree::after(request.steps, files, policy)?;
    let outcomes = nodes.into_iter().map(|node| {
        let claims = Claims {
            rev: node.claimed(&request.revs),
            file_hash: node.claimed(&request.file_hashes),
        };
        lines::edit(node, claims, files, policy)
    });
    let (mut done, mut refused) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Ok(file) => done.extend(file),
            Err(error) => refused.push(error),
        }
    }
    match told(refused) {
        Some(error) => Err(error),
        None => Ok(FilesEdited { files: done }),
    }
}

/// Returns the refusal that stands first in the request, with those of the other files.
fn told(mut refused: Vec<(usize, FilesError)>) -> Option<FilesError> {
    refused.sort_by_key(|(position, _)| *position);
    let mut refused = refused.into_iter().map(|(_, error)| error);
    let mut first = refused.next()?;
    if let FilesError::Edit(first) = &mut first {
        first.also = refused
            .filter_map(|error| match error {
                FilesError::Edit(refused) => Some(*refused),
                _ => None,
            })
            .collect();
    }
    Some(first)
}
