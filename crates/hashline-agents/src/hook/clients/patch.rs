//! What a patch of Codex does to which files. Its lines are no matter here.

use crate::hook::event::{How, Touch};

/// What a patch begins with.
const BEGIN: &str = "*** Begin Patch";
/// The command that takes one.
const COMMAND: &str = "apply_patch";

/// Lists what is done to which file, each file once.
pub(super) fn touches(patch: &str) -> Vec<Touch> {
    let mut touches: Vec<Touch> = Vec::new();
    for line in patch.lines() {
        let named = |head: &str| {
            let path = line.strip_prefix(head)?.trim();
            (!path.is_empty()).then(|| path.to_owned())
        };
        let touch = named("*** Add File: ").map(|path| (path, How::Make));
        let touch = touch.or_else(|| Some((named("*** Update File: ")?, How::Edit)));
        let touch = touch.or_else(|| Some((named("*** Delete File: ")?, How::Delete)));
        if let Some((path, how)) = touch
            && !touches.iter().any(|known| known.path == path)
        {
            touches.push(Touch { path, how });
        }
        if let Some((to, last)) = named("*** Move to: ").zip(touches.last_mut()) {
            last.how = How::MoveTo(to);
        }
    }
    touches
}

/// Returns the patch that a command line hands to the command that takes one.
pub(super) fn in_command(command: &str) -> Option<&str> {
    let (before, _) = command.split_once(BEGIN)?;
    // Only the line that the patch follows: the word may stand in any other text.
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
        let told = touches(patch);
        let told: Vec<_> = told
            .iter()
            .map(|touch| (touch.path.as_str(), touch.how.clone()))
            .collect();
        let moved = How::MoveTo("b".to_owned());
        assert_eq!(told, [("a", moved), ("c", How::Make), ("d", How::Delete)]);
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
