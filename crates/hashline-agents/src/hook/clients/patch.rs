//! Finds which files a patch in Codex's `apply_patch` format creates, edits, moves or deletes. The changed lines are ignored.

use crate::hook::event::{ChangeKind, ChangedFile, ToolAction};

/// The first line of a patch in Codex's format.
const BEGIN: &str = "*** Begin Patch";
/// The command that applies a patch in Codex's format.
const COMMAND: &str = "apply_patch";

/// Returns the file changes of a patch as the action of the tool `apply_patch`.
pub(super) fn action(patch: &str) -> ToolAction {
    ToolAction::Change {
        tool: COMMAND.to_owned(),
        files: file_changes(patch),
    }
}

/// Returns the files that a patch changes, each once, and whether it is created, edited, moved or deleted.
fn file_changes(patch: &str) -> Vec<ChangedFile> {
    let mut changes: Vec<ChangedFile> = Vec::new();
    for line in patch.lines() {
        let named = |head: &str| {
            let path = line.strip_prefix(head)?.trim();
            (!path.is_empty()).then(|| path.to_owned())
        };
        let change = named("*** Add File: ").map(|path| (path, ChangeKind::Create));
        let change = change.or_else(|| Some((named("*** Update File: ")?, ChangeKind::Edit)));
        let change = change.or_else(|| Some((named("*** Delete File: ")?, ChangeKind::Delete)));
        if let Some((path, kind)) = change
            && !changes.iter().any(|known| known.path == path)
        {
            changes.push(ChangedFile { path, kind });
        }
        if let Some((to, last)) = named("*** Move to: ").zip(changes.last_mut()) {
            last.kind = ChangeKind::MoveTo(to);
        }
    }
    changes
}

/// Returns the patch that a shell command line passes to `apply_patch`, from its first line to the end of the command line.
pub(super) fn in_command(command: &str) -> Option<&str> {
    let (before, _) = command.split_once(BEGIN)?;
    // Only on the line before the patch: anywhere else the word may be text.
    let begun = before.trim_end().lines().next_back()?;
    let parts = begun.split(['&', ';', '|', '(', '"', '\'']);
    let mut words = parts.filter_map(|part| part.split_whitespace().next());
    words
        .any(|word| word == COMMAND)
        .then(|| &command[before.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_listed_once_with_what_is_done_to_it() {
        let patch = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n*** Add File: c\n+*** Delete File: x\n\
                     *** Delete File: d\n*** Update File: a\n*** Add File: \n*** End Patch";
        let told = file_changes(patch);
        let told: Vec<_> = told
            .iter()
            .map(|change| (change.path.as_str(), change.kind.clone()))
            .collect();
        let moved = ChangeKind::MoveTo("b".to_owned());
        assert_eq!(
            told,
            [
                ("a", moved),
                ("c", ChangeKind::Create),
                ("d", ChangeKind::Delete)
            ]
        );
    }

    #[test]
    fn a_patch_is_found_behind_its_command_alone() {
        for command in [
            "apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF",
            "cd src && apply_patch <<EOF\n*** Begin Patch\nEOF",
            "bash -lc \"apply_patch <<'EOF'\n*** Begin Patch\nEOF\"",
            "apply_patch '*** Begin Patch\n*** End Patch'",
        ] {
            assert!(in_command(command).is_some(), "{command}");
        }
        for command in [
            "apply_patch --help",
            "echo apply_patch <<EOF\n*** Begin Patch\nEOF",
            "grep apply_patch <<EOF\nx\n*** Begin Patch\nEOF",
            "*** Begin Patch",
            "",
        ] {
            assert!(in_command(command).is_none(), "{command}");
        }
    }
}
