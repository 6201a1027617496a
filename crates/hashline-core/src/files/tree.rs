//! The files of a request while its steps are taken: a tree that exists only here.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{FileAction, FileTrouble, Files, FilesError, Step};
use crate::dialect::MissingFile;
use crate::edit::{Edit, EditNo, Operation, Place};
use crate::policy::Policy;
use crate::text::Document;

/// The files of a request, as its steps leave them.
pub(super) struct FileTree<'a> {
    files: &'a dyn Files,
    policy: &'a Policy<'a>,
    /// Missing files that come into being when a step edits them.
    to_create: HashSet<String>,
    /// What a name stands for at this point.
    names: HashMap<String, NameState>,
    nodes: Vec<FileNode>,
}

/// What a name stands for, once a request has spoken of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameState {
    /// A file.
    File(usize),
    /// Nothing: the request moved the file away.
    Moved,
    /// Nothing: the request deleted the file.
    Deleted,
}

/// One file of a request.
pub(super) struct FileNode {
    pub(super) origin: FileOrigin,
    /// Its name after the request; nothing if it is gone.
    pub(super) name: Option<String>,
    /// The edits of its lines, with their place in the request.
    pub(super) edits: Vec<(usize, Edit)>,
    /// The content that takes the place of all its lines, and the step that says so, with its place in the request.
    pub(super) rewrite: Option<(usize, EditNo, String)>,
    /// The first step that moves or deletes it, with its place in the request.
    pub(super) taken: Option<(usize, EditNo)>,
    /// How many edits the whole request has.
    pub(super) request_edits: usize,
    /// Whether its name after the request was another file's name before it.
    inherits_name: bool,
}

impl FileNode {
    /// Tells whether no step says anything of its lines.
    fn is_untouched(&self) -> bool {
        self.edits.is_empty() && self.rewrite.is_none()
    }

    /// Returns the name the file had before the request; one that was not there has the name it is given.
    pub(super) fn first_name(&self) -> &str {
        match &self.origin {
            FileOrigin::Found(path, _) => path,
            FileOrigin::Created(..) | FileOrigin::Filled => {
                self.name.as_deref().unwrap_or_default()
            }
        }
    }

    /// Returns what a request says of the file under its name before the request, else under its name after it. What is said of a
    /// name that another file had first is said of that file.
    pub(super) fn claimed<T: Clone>(&self, said: &BTreeMap<String, T>) -> Option<T> {
        let later = self.name.as_deref().filter(|_| !self.inherits_name);
        let names = [Some(self.first_name()), later];
        let found = names.into_iter().flatten().find_map(|name| said.get(name));
        found.cloned()
    }
}

/// Where a file comes from.
pub(super) enum FileOrigin {
    /// It was there, under this name.
    Found(String, Document),
    /// The request makes it, with this content.
    Created(EditNo, String),
    /// It was not there and edits fill it, as the dialect allows.
    Filled,
}

impl<'a> FileTree<'a> {
    /// Takes all steps of a request, one after the other, and returns the files as they leave them.
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
        tree.mark_inherited_names();
        Ok(tree.nodes)
    }

    /// Marks the files whose new name was another file's before the request.
    fn mark_inherited_names(&mut self) {
        let owners: HashMap<String, usize> = self
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(index, node)| match &node.origin {
                FileOrigin::Found(path, _) => Some((path.clone(), index)),
                FileOrigin::Created(..) | FileOrigin::Filled => None,
            })
            .collect();
        for (index, node) in self.nodes.iter_mut().enumerate() {
            let owner = node.name.as_ref().and_then(|name| owners.get(name));
            node.inherits_name = owner.is_some_and(|owner| *owner != index);
        }
    }

    /// Lists the missing files that the dialect lets edits create: every edit puts text at the start or the end.
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

    /// Takes one step.
    fn take(&mut self, position: usize, step: Step) -> Result<(), FilesError> {
        let Step { no, path, action } = step;
        let trouble = |path: &str| FileTrouble {
            step: no,
            path: path.to_owned(),
        };
        match action {
            FileAction::Edit(operation) => {
                let node = self
                    .find_to_edit(&path)
                    .map_err(|error| error(trouble(&path)))?;
                let edit = Edit { no, operation };
                self.nodes[node].edits.push((position, edit));
            }
            FileAction::Create(content) => {
                if self.find(&path).is_some() {
                    return Err(FilesError::Exists(trouble(&path)));
                }
                self.add(FileOrigin::Created(no, content), &path);
            }
            FileAction::Rewrite(content) => {
                let node = self
                    .find_to_edit(&path)
                    .map_err(|error| error(trouble(&path)))?;
                if !self.nodes[node].edits.is_empty() {
                    return Err(FilesError::Conflicting(trouble(&path)));
                }
                self.nodes[node].rewrite = Some((position, no, content));
            }
            FileAction::Move(to) => {
                let node = self.find(&path);
                let node = node.ok_or_else(|| FilesError::NotFound(trouble(&path)))?;
                if self.find(&to).is_some() {
                    return Err(FilesError::Exists(trouble(&to)));
                }
                self.names.insert(path, NameState::Moved);
                self.names.insert(to.clone(), NameState::File(node));
                self.nodes[node].name = Some(to);
                self.nodes[node].taken.get_or_insert((position, no));
            }
            FileAction::Delete => {
                let node = self.find(&path);
                let node = node.ok_or_else(|| FilesError::NotFound(trouble(&path)))?;
                if !self.nodes[node].is_untouched() {
                    return Err(FilesError::Conflicting(trouble(&path)));
                }
                self.names.insert(path, NameState::Deleted);
                self.nodes[node].name = None;
                self.nodes[node].taken.get_or_insert((position, no));
            }
        }
        Ok(())
    }

    /// Returns the file whose lines a step edits; it may be one that the edits fill, never one that the request makes or deletes.
    fn find_to_edit(&mut self, path: &str) -> Result<usize, fn(FileTrouble) -> FilesError> {
        let node = match self.find(path) {
            None if self.to_create.contains(path) => self.add(FileOrigin::Filled, path),
            None if self.names.get(path) == Some(&NameState::Deleted) => {
                return Err(FilesError::Conflicting);
            }
            None => return Err(FilesError::NotFound),
            Some(node) => node,
        };
        match self.nodes[node].origin {
            FileOrigin::Created(..) => Err(FilesError::Conflicting),
            _ if self.nodes[node].rewrite.is_some() => Err(FilesError::Conflicting),
            FileOrigin::Found(..) | FileOrigin::Filled => Ok(node),
        }
    }

    /// Returns the file that has this name at this point.
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
            taken: None,
            request_edits: 0,
            inherits_name: false,
        });
        self.names
            .insert(path.to_owned(), NameState::File(self.nodes.len() - 1));
        self.nodes.len() - 1
    }
}

/// Tells whether an action can be done to a file that is not there yet.
fn fills(action: &FileAction) -> bool {
    match action {
        FileAction::Edit(Operation::Insert { place, .. }) => {
            matches!(place, Place::Start | Place::End)
        }
        FileAction::Move(_) => true,
        FileAction::Edit(_)
        | FileAction::Create(_)
        | FileAction::Rewrite(_)
        | FileAction::Delete => false,
    }
}
