//! Which file each revision and SHA-256 of a request is about. None is ignored: what is about no file of the request is checked as well.

use std::collections::BTreeMap;

use super::tree::{FileNode, FileOrigin};
use super::{FilesError, Request, StepProblem};
use crate::edit::EditNo;
use crate::text::RevPrefix;

/// What a request says about the bytes that a file must have before it is edited.
#[derive(Clone, Debug, Default)]
pub(super) struct RequiredBytes {
    /// The revision of the file in which its anchors were shown, if the request names it.
    pub(super) rev: Option<RevPrefix>,
    /// The SHA-256 of the file, if the request names it.
    pub(super) file_hash: Option<String>,
}

/// What a request says about the bytes of its files.
pub(super) struct Requirements {
    /// For each file of the request, in the order of the nodes.
    pub(super) of_nodes: Vec<RequiredBytes>,
    /// For the files that no step of the request names.
    pub(super) of_others: BTreeMap<String, RequiredBytes>,
}

impl Requirements {
    /// Finds the file that each revision and SHA-256 is about: the one that has the name before the request, else one that is moved there.
    ///
    /// # Errors
    ///
    /// [`StepProblem::NewFile`] for a file that the request creates; [`StepProblem::TwoRevisions`] for one that has different values under
    /// its names.
    pub(super) fn of(request: &Request, nodes: &[FileNode]) -> Result<Self, FilesError> {
        let mut required = Self {
            of_nodes: vec![RequiredBytes::default(); nodes.len()],
            of_others: BTreeMap::new(),
        };
        for (path, rev) in &request.revs {
            for bytes in required.about(path, nodes)? {
                let agreed = bytes
                    .rev
                    .as_ref()
                    .map_or(Some(rev.clone()), |other| other.agreed(rev));
                bytes.rev = Some(agreed.ok_or_else(|| two_revisions(path, nodes))?);
            }
        }
        for (path, hash) in &request.file_hashes {
            for bytes in required.about(path, nodes)? {
                let kept = bytes.file_hash.get_or_insert_with(|| hash.clone());
                if !kept.eq_ignore_ascii_case(hash) {
                    return Err(two_revisions(path, nodes));
                }
            }
        }
        Ok(required)
    }

    /// Returns the requirements of the files that a path in the request is about; never empty.
    fn about(
        &mut self,
        path: &str,
        nodes: &[FileNode],
    ) -> Result<Vec<&mut RequiredBytes>, FilesError> {
        let had_name =
            |node: &FileNode| matches!(&node.origin, FileOrigin::Found(name, _) if name == path);
        let is_moved_here =
            |node: &FileNode| matches!(node.origin, FileOrigin::Found(..)) && has_name(node, path);
        let indexes = |is_it: &dyn Fn(&FileNode) -> bool| -> Vec<usize> {
            (0..nodes.len())
                .filter(|&index| is_it(&nodes[index]))
                .collect()
        };
        let mut found = indexes(&had_name);
        if found.is_empty() {
            found = indexes(&is_moved_here);
        }
        if !found.is_empty() {
            let all = self.of_nodes.iter_mut().enumerate();
            return Ok(all
                .filter(|(index, _)| found.contains(index))
                .map(|(_, bytes)| bytes)
                .collect());
        }
        match nodes.iter().find(|node| has_name(node, path)) {
            Some(new) => Err(FilesError::Step {
                step: new.first_step(),
                path: path.to_owned(),
                reason: StepProblem::NewFile,
            }),
            None => Ok(vec![self.of_others.entry(path.to_owned()).or_default()]),
        }
    }
}

fn has_name(node: &FileNode, path: &str) -> bool {
    node.names.iter().any(|name| name == path)
}

fn two_revisions(path: &str, nodes: &[FileNode]) -> FilesError {
    let node = nodes.iter().find(|node| has_name(node, path));
    FilesError::Step {
        step: node.map_or(EditNo::from_index(0), FileNode::first_step),
        path: path.to_owned(),
        reason: StepProblem::TwoRevisions,
    }
}
