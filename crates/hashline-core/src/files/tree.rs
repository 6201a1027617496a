//! The files of a request while its steps are done one after the other, in memory only.
//!
//! Names and files are stored separately, because a request can move a file and create another one under the old name.

use std::collections::{HashMap, HashSet};

use super::{FileAction, Files, FilesError, Replaces, Step, StepProblem};
use crate::dialect::MissingFile;
use crate::edit::{Edit, EditNo, Operation, Place};
use crate::policy::Policy;
use crate::text::Document;

/// The files that a request names, as the steps so far leave them.
pub(super) struct FileTree<'a> {
    files: &'a dyn Files,
    policy: &'a Policy<'a>,
    /// The paths of missing files that are created when a step edits them, as some dialects allow.
    to_create: HashSet<String>,
    /// What each path names after the steps so far.
    names: HashMap<String, NameState>,
    nodes: Vec<FileNode>,
}

/// What a path names, once a step of the request has used it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameState {
    /// A file, by its index in the list of nodes.
    File(usize),
    /// No file: a step moved the file away.
    Moved,
    /// No file: a step deleted the file.
    Deleted,
}

/// One file that a request names, and what the request's steps do to it.
pub(super) struct FileNode {
    pub(super) origin: FileOrigin,
    /// The file's name after the request; `None` if the request deletes the file.
    pub(super) name: Option<String>,
    /// The edits of the file's lines, each with the position of its step in the request.
    pub(super) edits: Vec<(usize, Edit)>,
    /// The content that replaces the whole file, with the position and the number of the step that replaces it.
    pub(super) rewrite: Option<(usize, EditNo, NewContent)>,
    /// The position and the number of the first step that moves or deletes the file.
    pub(super) moved_by: Option<(usize, EditNo)>,
    /// How many edits the whole request has, over all its files.
    pub(super) request_edits: usize,
    /// Every name that the file has at some step, in order.
    pub(super) names: Vec<String>,
}

impl FileNode {
    /// Returns whether no step edits or rewrites the file.
    fn is_untouched(&self) -> bool {
        self.edits.is_empty() && self.rewrite.is_none()
    }

    /// Returns the file's name before the request; for a new file, its name after.
    pub(super) fn first_name(&self) -> &str {
        match &self.origin {
            FileOrigin::Found(path, _) => path,
            FileOrigin::Created(..) | FileOrigin::Filled => {
                self.name.as_deref().unwrap_or_default()
            }
        }
    }

    /// Returns the number of the first step that creates, edits, moves or deletes the file.
    pub(super) fn first_step(&self) -> EditNo {
        let created = match &self.origin {
            FileOrigin::Created(no, _) => Some(*no),
            FileOrigin::Found(..) | FileOrigin::Filled => None,
        };
        let edited = self.edits.first().map(|(_, edit)| edit.no);
        let rewritten = self.rewrite.as_ref().map(|(_, no, _)| *no);
        let moved = self.moved_by.map(|(_, no)| no);
        let steps = [created, edited, rewritten, moved].into_iter().flatten();
        steps.min().unwrap_or(EditNo::from_index(0))
    }
}

/// The new content of a whole file.
pub(super) enum NewContent {
    /// Text, which is encoded as the file is.
    Text(String),
    /// Bytes, which are taken as they are.
    Bytes(Vec<u8>),
}

/// Where the content of a file comes from before its lines are edited.
pub(super) enum FileOrigin {
    /// The file existed before the request, with this path and content.
    Found(String, Document),
    /// The step with this number creates the file with this content.
    Created(EditNo, NewContent),
    /// The file did not exist, and the insertions of the request create it, as the dialect allows.
    Filled,
}

impl<'a> FileTree<'a> {
    /// Does all steps of a request in memory and returns the files that the request names.
    pub(super) fn after(
        steps: Vec<Step>,
        files: &'a dyn Files,
        policy: &'a Policy<'a>,
    ) -> Result<Vec<FileNode>, FilesError> {
        let mut tree = Self {
            files,
            policy,
            to_create: HashSet::new(),
            names: HashMap::new(),
            nodes: Vec::new(),
        };
        tree.to_create = tree.files_to_create(&steps);
        let numbers = steps.iter().map(|step| step.no.index() + 1);
        let request_edits = numbers.max().unwrap_or(0);
        for (position, step) in steps.into_iter().enumerate() {
            tree.take(position, step)?;
        }
        for node in &mut tree.nodes {
            node.request_edits = request_edits;
        }
        Ok(tree.nodes)
    }

    /// Lists the missing files that edits may create in this dialect: files for which every edit inserts text at the start or the end, or
    /// moves the file.
    fn files_to_create(&self, steps: &[Step]) -> HashSet<String> {
        if self.policy.dialect.missing_file != MissingFile::Created {
            return HashSet::new();
        }
        let mut only_filled: HashMap<&str, bool> = HashMap::new();
        for step in steps {
            *only_filled.entry(&step.path).or_insert(true) &= fills(&step.action);
        }
        only_filled
            .into_iter()
            .filter(|(path, filled)| *filled && self.files.document(path).is_none())
            .map(|(path, _)| path.to_owned())
            .collect()
    }

    /// Does one step of the request, at this position.
    fn take(&mut self, position: usize, step: Step) -> Result<(), FilesError> {
        let Step { no, path, action } = step;
        let refuse = |path: &str, reason| FilesError::Step {
            step: no,
            path: path.to_owned(),
            reason,
        };
        match action {
            FileAction::Edit(operation) => {
                let node = self.find_to_edit(&path);
                let node = node.map_err(|reason| refuse(&path, reason))?;
                let edit = Edit { no, operation };
                self.nodes[node].edits.push((position, edit));
            }
            FileAction::Create(content) => {
                if self.find(&path).is_some() {
                    return Err(refuse(&path, StepProblem::Exists));
                }
                self.add(FileOrigin::Created(no, NewContent::Text(content)), &path);
            }
            FileAction::Rewrite(content) => {
                let rewrite = (position, no, NewContent::Text(content));
                let rewritten = self.rewrite(&path, rewrite);
                rewritten.map_err(|reason| refuse(&path, reason))?;
            }
            FileAction::Overwrite(bytes, replaces) => {
                let content = NewContent::Bytes(bytes);
                if self.find(&path).is_some() {
                    if replaces == Replaces::Nothing {
                        return Err(refuse(&path, StepProblem::Exists));
                    }
                    let rewritten = self.rewrite(&path, (position, no, content));
                    rewritten.map_err(|reason| refuse(&path, reason))?;
                } else {
                    self.add(FileOrigin::Created(no, content), &path);
                }
            }
            FileAction::Move(to) => {
                let node = self.find(&path);
                let node = node.ok_or_else(|| refuse(&path, StepProblem::NotFound))?;
                if self.find(&to).is_some() {
                    return Err(refuse(&to, StepProblem::Exists));
                }
                self.names.insert(path, NameState::Moved);
                self.names.insert(to.clone(), NameState::File(node));
                self.nodes[node].names.push(to.clone());
                self.nodes[node].name = Some(to);
                self.nodes[node].moved_by.get_or_insert((position, no));
            }
            FileAction::Delete => {
                let node = self.find(&path);
                let node = node.ok_or_else(|| refuse(&path, StepProblem::NotFound))?;
                if !self.nodes[node].is_untouched() {
                    return Err(refuse(&path, StepProblem::Conflicting));
                }
                self.names.insert(path, NameState::Deleted);
                self.nodes[node].name = None;
                self.nodes[node].moved_by.get_or_insert((position, no));
            }
        }
        Ok(())
    }

    /// Replaces the whole content of a file, if no other step edits it.
    fn rewrite(
        &mut self,
        path: &str,
        rewrite: (usize, EditNo, NewContent),
    ) -> Result<(), StepProblem> {
        let node = self.find_to_edit(path)?;
        if !self.nodes[node].edits.is_empty() {
            return Err(StepProblem::Conflicting);
        }
        self.nodes[node].rewrite = Some(rewrite);
        Ok(())
    }

    /// Returns the index of the file whose lines a step edits. Edits of a file that the request creates, rewrites or deletes are refused,
    /// because their anchors would refer to content that the caller has not seen.
    fn find_to_edit(&mut self, path: &str) -> Result<usize, StepProblem> {
        let node = match self.find(path) {
            None if self.to_create.contains(path) => self.add(FileOrigin::Filled, path),
            None if self.names.get(path) == Some(&NameState::Deleted) => {
                return Err(StepProblem::Conflicting);
            }
            None => return Err(StepProblem::NotFound),
            Some(node) => node,
        };
        match self.nodes[node].origin {
            FileOrigin::Created(..) => Err(StepProblem::Conflicting),
            _ if self.nodes[node].rewrite.is_some() => Err(StepProblem::Conflicting),
            FileOrigin::Found(..) | FileOrigin::Filled => Ok(node),
        }
    }

    /// Returns the index of the file that has this path after the steps so far.
    fn find(&mut self, path: &str) -> Option<usize> {
        match self.names.get(path) {
            Some(NameState::File(node)) => return Some(*node),
            Some(NameState::Moved | NameState::Deleted) => return None,
            None => {}
        }
        let document = self.files.document(path)?;
        Some(self.add(FileOrigin::Found(path.to_owned(), document), path))
    }

    fn add(&mut self, origin: FileOrigin, path: &str) -> usize {
        self.nodes.push(FileNode {
            origin,
            name: Some(path.to_owned()),
            edits: Vec::new(),
            rewrite: None,
            moved_by: None,
            request_edits: 0,
            names: vec![path.to_owned()],
        });
        self.names
            .insert(path.to_owned(), NameState::File(self.nodes.len() - 1));
        self.nodes.len() - 1
    }
}

/// Returns whether an action is allowed for a file that its edits create: an insertion at the start or end of the file, or a move.
fn fills(action: &FileAction) -> bool {
    match action {
        FileAction::Edit(Operation::Insert { place, .. }) => {
            matches!(place, Place::Start | Place::End)
        }
        FileAction::Move(_) => true,
        FileAction::Edit(_)
        | FileAction::Create(_)
        | FileAction::Rewrite(_)
        | FileAction::Overwrite(..)
        | FileAction::Delete => false,
    }
}
