//! Requests over several files: all of them, or none.
//!
//! File operations take effect in request order on a tree that exists only here; anchors always refer to the content a file had
//! before the request, under whatever name it has at that point. Nothing is read or written: the caller brings the documents and
//! carries out what [`FilesEdited::writes`] says.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::dialect::{MissingFile, NoChange};
use crate::edit::{Edit, EditBatch, EditNo, Operation, Place};
use crate::error::{Error, NothingChanged};
use crate::policy::Policy;
use crate::reference;
use crate::report::{Edited, Report};
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
    /// Gives the file another name.
    Move(String),
    /// Removes the file.
    Delete,
}

/// The files a request may touch, as they are now.
pub trait Files {
    /// Returns the file, if there is one.
    fn document(&self, path: &str) -> Option<Document>;

    /// Returns what was shown of the file.
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

/// Why a request was refused. Nothing was done to any file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesError {
    /// A step names a file that is not there.
    NotFound(FileTrouble),
    /// A step makes a file that is there already.
    Exists(FileTrouble),
    /// A step edits lines of a file that the request also makes or deletes.
    Conflicting(FileTrouble),
    /// The edits of one file are refused.
    Edit(EditRefused),
}

/// The step and the file that are in trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTrouble {
    /// The step.
    pub step: EditNo,
    /// The file.
    pub path: String,
}

/// A file whose edits are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRefused {
    /// The file.
    pub path: String,
    /// How many edits the request has for it.
    pub edits: usize,
    /// Why.
    pub error: Error,
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

impl FilesError {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "file_not_found",
            Self::Exists(_) => "file_exists",
            Self::Conflicting(_) => "conflicting_operations",
            Self::Edit(refused) => refused.error.code(),
        }
    }
}

impl fmt::Display for FilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(trouble) => write!(
                f,
                "edit {}: there is no file {}",
                trouble.step, trouble.path
            ),
            Self::Exists(trouble) => write!(
                f,
                "edit {}: there is a file {} already",
                trouble.step, trouble.path
            ),
            Self::Conflicting(trouble) => {
                write!(
                    f,
                    "edit {}: {} is edited and made or deleted in one request",
                    trouble.step, trouble.path
                )
            }
            Self::Edit(refused) => write!(f, "{}: {}", refused.path, refused.error),
        }
    }
}

impl std::error::Error for FilesError {}

/// Does a whole request, in memory: every step is possible, or nothing is done.
///
/// # Errors
///
/// The first step that is not possible, as [`FilesError`] says.
pub fn edit_files(
    request: Request,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<FilesEdited, FilesError> {
    let mut tree = Tree {
        files,
        policy,
        names: HashMap::new(),
        nodes: Vec::new(),
    };
    let created = tree.files_to_create(&request);
    for (position, step) in request.steps.into_iter().enumerate() {
        tree.take(position, step, &created)?;
    }
    let mut done = Vec::with_capacity(tree.nodes.len());
    let mut refused: Option<(usize, FilesError)> = None;
    for node in &tree.nodes {
        match finish(node, files, &request.revs, &request.file_hashes, policy) {
            Ok(file) => done.extend(file),
            Err((position, error))
                if refused.as_ref().is_none_or(|(first, _)| position < *first) =>
            {
                refused = Some((position, error));
            }
            Err(_) => {}
        }
    }
    refused.map_or(Ok(FilesEdited { files: done }), |(_, error)| Err(error))
}

/// The files of a request, as its steps leave them.
struct Tree<'a> {
    files: &'a dyn Files,
    policy: &'a Policy<'a>,
    /// What a name stands for at this point.
    names: HashMap<String, Name>,
    nodes: Vec<Node>,
}

/// What a name stands for, once a request has spoken of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    /// A file.
    File(usize),
    /// Nothing: the request moved the file away.
    Moved,
    /// Nothing: the request deleted the file.
    Deleted,
}

/// One file of a request.
struct Node {
    origin: Origin,
    name: Option<String>,
    /// The edits of its lines, with their place in the request.
    edits: Vec<(usize, Edit)>,
}

enum Origin {
    /// It was there, under this name.
    Found(String, Document),
    /// The request makes it, with this content.
    Created(Document),
    /// It was not there and edits fill it, as the dialect allows.
    Filled,
}

impl Tree<'_> {
    /// Lists the missing files that the dialect lets edits create: every edit puts text at the start or the end.
    fn files_to_create(&self, request: &Request) -> Vec<String> {
        if self.policy.dialect.missing_file != MissingFile::Created {
            return Vec::new();
        }
        let fills = |step: &Step| match &step.action {
            FileAction::Edit(operation) => {
                matches!(
                    operation,
                    Operation::Insert {
                        place: Place::Start | Place::End,
                        ..
                    }
                )
            }
            FileAction::Move(_) => true,
            FileAction::Create(_) | FileAction::Delete => false,
        };
        let all_fill = |path: &String| {
            request
                .steps
                .iter()
                .filter(|step| step.path == *path)
                .all(fills)
        };
        let paths = request.steps.iter().map(|step| &step.path);
        paths
            .filter(|path| self.files.document(path).is_none() && all_fill(path))
            .cloned()
            .collect()
    }

    fn take(&mut self, position: usize, step: Step, created: &[String]) -> Result<(), FilesError> {
        let Step { no, path, action } = step;
        let trouble = |path: &str| FileTrouble {
            step: no,
            path: path.to_owned(),
        };
        match action {
            FileAction::Edit(operation) => {
                if created.contains(&path) && self.find(&path).is_none() {
                    self.add(Origin::Filled, &path);
                }
                let Some(node) = self.find(&path) else {
                    let error = if self.names.get(&path) == Some(&Name::Deleted) {
                        FilesError::Conflicting
                    } else {
                        FilesError::NotFound
                    };
                    return Err(error(trouble(&path)));
                };
                if matches!(self.nodes[node].origin, Origin::Created(_)) {
                    return Err(FilesError::Conflicting(trouble(&path)));
                }
                self.nodes[node]
                    .edits
                    .push((position, Edit { no, operation }));
            }
            FileAction::Create(content) => {
                if self.find(&path).is_some() {
                    return Err(FilesError::Exists(trouble(&path)));
                }
                self.add(Origin::Created(Document::new(content)), &path);
            }
            FileAction::Move(to) => {
                let node = self
                    .find(&path)
                    .ok_or_else(|| FilesError::NotFound(trouble(&path)))?;
                if self.find(&to).is_some() {
                    return Err(FilesError::Exists(trouble(&to)));
                }
                self.names.insert(path, Name::Moved);
                self.names.insert(to.clone(), Name::File(node));
                self.nodes[node].name = Some(to);
            }
            FileAction::Delete => {
                let node = self
                    .find(&path)
                    .ok_or_else(|| FilesError::NotFound(trouble(&path)))?;
                if !self.nodes[node].edits.is_empty() {
                    return Err(FilesError::Conflicting(trouble(&path)));
                }
                self.names.insert(path, Name::Deleted);
                self.nodes[node].name = None;
            }
        }
        Ok(())
    }

    /// Returns the file that has this name at this point.
    fn find(&mut self, path: &str) -> Option<usize> {
        match self.names.get(path) {
            Some(Name::File(node)) => return Some(*node),
            Some(Name::Moved | Name::Deleted) => return None,
            None => {}
        }
        let document = self.files.document(path)?;
        Some(self.add(Origin::Found(path.to_owned(), document), path))
    }

    fn add(&mut self, origin: Origin, path: &str) -> usize {
        self.nodes.push(Node {
            origin,
            name: Some(path.to_owned()),
            edits: Vec::new(),
        });
        self.names
            .insert(path.to_owned(), Name::File(self.nodes.len() - 1));
        self.nodes.len() - 1
    }
}

/// Edits the lines of one file. An error comes with the place in the request of the edit it is about.
fn finish(
    node: &Node,
    files: &dyn Files,
    revs: &BTreeMap<String, RevPrefix>,
    file_hashes: &BTreeMap<String, String>,
    policy: &Policy<'_>,
) -> Result<Option<FileEdited>, (usize, FilesError)> {
    let (from, before) = match &node.origin {
        Origin::Found(path, document) => (Some(path.clone()), document.clone()),
        Origin::Created(document) => {
            return Ok(node.name.clone().map(|path| new_file(path, document)));
        }
        Origin::Filled => (None, Document::new("")),
    };
    let name = from
        .clone()
        .or_else(|| node.name.clone())
        .unwrap_or_default();
    let names = [Some(&name), node.name.as_ref()];
    let batch = EditBatch {
        rev: names
            .iter()
            .flatten()
            .find_map(|name| revs.get(*name))
            .cloned(),
        file_hash: names
            .iter()
            .flatten()
            .find_map(|name| file_hashes.get(*name))
            .cloned(),
        edits: node.edits.iter().map(|(_, edit)| edit.clone()).collect(),
    };
    let renamed = node.name.as_ref() != Some(&name);
    let outcome = edit_one(&name, &before, &files.shown(&name), batch, policy).and_then(|edited| {
        let refused = policy.dialect.no_change == NoChange::Refused
            && !renamed
            && !edited.report.is_changed();
        if refused {
            Err(nothing_changed(&before, &edited))
        } else {
            Ok(edited)
        }
    });
    match outcome {
        Ok(edited) => Ok(Some(FileEdited {
            from,
            path: node.name.clone(),
            edited,
        })),
        Err(error) => {
            let at = error
                .edit()
                .and_then(|no| node.edits.iter().find(|(_, edit)| edit.no == no));
            let position = at
                .or(node.edits.first())
                .map_or(0, |(position, _)| *position);
            let position = if matches!(error, Error::Anchors(_) | Error::FileHash(_)) {
                position
            } else {
                usize::MAX
            };
            let refused = EditRefused {
                path: name,
                edits: node.edits.len(),
                error,
            };
            Err((position, FilesError::Edit(refused)))
        }
    }
}

/// Edits one document, by the engine the policy asks for.
fn edit_one(
    path: &str,
    document: &Document,
    shown: &Shown<'_>,
    batch: EditBatch,
    policy: &Policy<'_>,
) -> Result<Edited, Error> {
    if batch.edits.is_empty() {
        let report = Report::of_rewrite(document.clone(), document.clone(), 0);
        return Ok(Edited {
            document: document.clone(),
            report,
        });
    }
    if policy.is_reference() {
        reference::edit(path, document, &batch)
    } else {
        crate::edit(document, shown, batch, policy)
    }
}

fn new_file(path: String, document: &Document) -> FileEdited {
    let report = Report::of_rewrite(Document::new(""), document.clone(), 1);
    FileEdited {
        from: None,
        path: Some(path),
        edited: Edited {
            document: document.clone(),
            report,
        },
    }
}

fn nothing_changed(document: &Document, edited: &Edited) -> Error {
    Error::NoChange(NothingChanged {
        document: document.clone(),
        noops: edited.report.noops().to_vec(),
    })
}
