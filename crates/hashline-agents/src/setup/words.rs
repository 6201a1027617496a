//! All messages of setup for the user, as text and as JSON.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;

use hashline_core::{Document, diff as core_diff};
use hashline_wire::{Refusal, Written, shell};
use serde_json::{Value, json};

use crate::setup::editor::{Editor, Snippet, SnippetPart};
use crate::setup::error::{FileError, READING, SetupError};
use crate::setup::merge::MergeProblem;
use crate::setup::options::Scope;
use crate::setup::plan::{FileChange, SetupAction, SetupPlan};

/// The maximum length of a line in a shown diff. Longer lines lose their middle: some agents keep megabytes in one line.
const LONGEST_LINE: usize = 2000;

/// Returns the changes of a plan as a unified diff.
#[must_use]
pub fn diff(changes: &[FileChange]) -> String {
    let diffs = changes.iter().map(|change| {
        let path = change.path.display().to_string();
        let document = |bytes: &Option<Vec<u8>>| Document::new(bytes.clone().unwrap_or_default());
        let name = |bytes: &Option<Vec<u8>>| match bytes {
            Some(_) => path.clone(),
            None => "/dev/null".to_owned(),
        };
        let (before, after) = (&change.before, &change.after);
        let (old, new) = (name(before), name(after));
        let diff = core_diff::between(&document(before), &document(after), &old, &new);
        let lines = diff.text.split_inclusive('\n').map(shortened);
        lines.collect::<String>()
    });
    diffs.collect()
}

/// Returns a line with its middle cut out if it is longer than [`LONGEST_LINE`].
fn shortened(line: &str) -> Cow<'_, str> {
    if line.len() <= LONGEST_LINE {
        return line.into();
    }
    let head = &line[..line.floor_char_boundary(LONGEST_LINE / 2)];
    let tail = &line[line.ceil_char_boundary(line.len() - LONGEST_LINE / 2)..];
    let cut = line.len() - head.len() - tail.len();
    format!("{head} […{cut} bytes…] {tail}").into()
}

/// Returns a summary for the user: what was written, which entries were kept, and what is left to do by hand.
#[must_use]
pub fn summary(plan: &SetupPlan) -> String {
    let title = plan.options.agent.title();
    let scope = match plan.options.scope {
        Scope::Project => format!("in {}", plan.options.places.project.display()),
        Scope::User => "in your user settings".to_owned(),
    };
    let files = match plan.changes.len() {
        0 => String::new(),
        1 => " (1 file)".to_owned(),
        files => format!(" ({files} files)"),
    };
    let (is_same, is_clean) = (plan.changes.is_empty(), plan.kept.is_empty());
    let (before, after) = match (plan.action, is_same, is_clean) {
        (SetupAction::Install, true, _) => {
            ("hashline is already set up for", "; nothing to change")
        }
        (SetupAction::Install, false, _) => ("hashline is set up for", ""),
        (SetupAction::Uninstall, true, true) => {
            ("hashline is not set up for", "; nothing to change")
        }
        (SetupAction::Uninstall, false, true) => ("hashline is removed from", ""),
        (SetupAction::Uninstall, true, false) => {
            ("Nothing was removed from", "; some entries are left")
        }
        (SetupAction::Uninstall, false, false) => {
            ("hashline is removed from", ", but some entries are left")
        }
    };
    let head = format!("{before} {title} {scope}{files}{after}.");
    let mut lines = vec![head];
    lines.extend(kept_lines(plan));
    lines.extend(receipt_note(plan));
    let steps = plan.manual_steps.iter();
    lines.extend(steps.map(|step| format!("To do: {step}")));
    lines.join("\n")
}

/// Returns the question whether to write the planned changes.
#[must_use]
pub fn question(plan: &SetupPlan) -> String {
    match plan.changes.len() {
        1 => "Write this file? [y/N]".to_owned(),
        files => format!("Write these {files} files? [y/N]"),
    }
}

/// Returns a warning if files that a project's users share name a program by a path of this machine.
#[must_use]
pub fn command_note(plan: &SetupPlan) -> Option<String> {
    let command = &plan.options.command;
    let is_shared = plan.options.scope == Scope::Project && !plan.changes.is_empty();
    (is_shared && Path::new(command).is_absolute()).then(|| {
        format!(
            "note: the files name {command}, a path on this machine: others who work in the project need the program there too\nhint: put `hashline` on your PATH, or use --command hashline, to write the name instead"
        )
    })
}

/// Returns a line for each entry that is kept because the user wrote or changed it.
#[must_use]
pub fn kept_lines(plan: &SetupPlan) -> Vec<String> {
    let lines = plan.kept.iter().map(|kept| {
        let (path, what) = (kept.path.display(), &kept.what);
        let (done, forced) = match plan.action {
            SetupAction::Install => ("changed", "replaces"),
            SetupAction::Uninstall => ("written or changed", "removes"),
        };
        format!("Kept: {what} in {path} was {done} by hand; --force {forced} it.")
    });
    lines.collect()
}

/// Returns a note if the receipt of an earlier setup was ignored.
#[must_use]
pub fn receipt_note(plan: &SetupPlan) -> Option<String> {
    let path = plan.unusable_receipt.as_ref()?.display();
    let done = match plan.action {
        SetupAction::Install => "a new one is written",
        SetupAction::Uninstall => {
            "hashline's entries were searched for instead, and entries that setup had replaced are not restored"
        }
    };
    Some(format!(
        "Note: the receipt {path} is ignored because it is damaged or others may write it; {done}."
    ))
}

/// Whether the changes of a plan were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanState {
    /// The plan was only computed.
    Planned,
    /// The changes were written to disk.
    Written,
}

/// Returns a plan as JSON; `state` tells whether its changes were written.
#[must_use]
pub fn to_json(plan: &SetupPlan, state: PlanState) -> Value {
    let path = |path: &Path| Value::from(path.to_string_lossy());
    let change = |change: &FileChange| {
        let did = match (&change.before, &change.after) {
            (None, _) => "created",
            (_, None) => "removed",
            _ => "changed",
        };
        json!({"path": path(&change.path), "did": did})
    };
    let kept = plan.kept.iter();
    let mut object = json!({
        "ok": true,
        "agent": plan.options.agent.name(),
        "scope": plan.options.scope.name(),
        "written": state == PlanState::Written && !plan.changes.is_empty(),
        "command": plan.options.command,
        "files": plan.changes.iter().map(change).collect::<Vec<_>>(),
        "unchanged": plan.unchanged.iter().map(|one| path(one)).collect::<Vec<_>>(),
        "kept": kept.map(|kept| json!({"path": path(&kept.path), "what": kept.what})).collect::<Vec<_>>(),
        "diff": diff(&plan.changes),
    });
    if let Some(note) = receipt_note(plan) {
        object["notes"] = vec![note].into();
    }
    if plan.action == SetupAction::Install || !plan.manual_steps.is_empty() {
        object["by_hand"] = plan.manual_steps.clone().into();
    }
    object
}

impl From<&SetupError> for Refusal {
    fn from(error: &SetupError) -> Self {
        let written = match error {
            SetupError::Stuck { .. } => Written::Partly,
            _ => Written::Nothing,
        };
        Self::new(error.code(), error.to_string())
            .with_written(written)
            .with_next(hint(error))
    }
}

impl From<SetupError> for Refusal {
    fn from(error: SetupError) -> Self {
        Self::from(&error)
    }
}

/// Returns the hint below an error: what the user can do about it.
fn hint(error: &SetupError) -> String {
    let whole = match error {
        SetupError::Merge { why, .. } if matches!(why.problem, MergeProblem::Taken(_)) => {
            "rename it, or replace it with --force"
        }
        SetupError::Outside { .. } => "replace the link with a file, or set it up with --user",
        SetupError::Shared(_) => {
            "use --user to set it up for yourself, or run it in the folder of a project"
        }
        SetupError::Busy(_) => "run the command again when that is done",
        SetupError::Changed(_) => "run the command again",
        _ => return format!("{}, then run the command again", first_step(error)),
    };
    whole.to_owned()
}

/// Returns what the user has to do with a file before running setup again.
pub(crate) fn first_step(error: &SetupError) -> String {
    let step = match error {
        SetupError::Merge { why, .. } => match why.problem {
            MergeProblem::NotText => "save it as UTF-8",
            MergeProblem::Entangled(_) => "put it on lines of its own",
            MergeProblem::TornSection => "remove the rest of the section",
            _ => "fix the file",
        },
        SetupError::NotAFile(_) => "move it away",
        SetupError::Protected { .. } => "replace the link with a file",
        SetupError::HardLinked(path) => {
            let path = shell::path(path);
            return format!(
                "give it a copy of its own (cp -p {path} {path}.new && mv {path}.new {path}), or make it a symbolic link"
            );
        }
        SetupError::ReadOnly(path) => {
            let path = shell::path(path);
            return format!("if it is meant to be changed, chmod u+w {path}");
        }
        SetupError::System(error) => return system_hint(error),
        _ => "fix this",
    };
    step.to_owned()
}

/// Returns what the user can do about an I/O error.
fn system_hint(error: &FileError) -> String {
    let folder = shell::path(error.path.parent().unwrap_or(&error.path));
    match error.kind {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            let path = shell::path(&error.path);
            let may = match error.doing {
                READING => "read it",
                _ => "write there",
            };
            format!("check who may {may} (ls -ld {folder} {path})")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("free some space (df -h {folder})")
        }
        _ => format!("check what is there (ls -ld {folder})"),
    }
}

/// Returns a note that the receipt could not be saved, with the reason.
#[must_use]
pub fn receipt_error_note(error: &FileError) -> String {
    format!(
        "note: {error}; uninstall will search for hashline's entries instead of restoring every byte"
    )
}

/// Returns the instructions for an editor that setup writes no files for: which JSON to add to which file.
#[must_use]
pub fn snippet(editor: Editor, snippet: &Snippet) -> String {
    let name = editor.name();
    let mut text = format!(
        "Setup does not write files for {name}. This is taken from its documentation and was not tested with the program itself:\n"
    );
    for part in snippet.parts() {
        let value = serde_json::to_string_pretty(&part.value).unwrap_or_default();
        let file = part.file;
        text += &format!("\nAdd to {file}:\n{value}\n");
    }
    format!("{text}\n{}", snippet.remark)
}

/// Returns the instructions for removing hashline from an editor that setup writes no files for.
#[must_use]
pub fn snippet_removal(editor: Editor, snippet: &Snippet) -> String {
    let name = editor.name();
    let mut text = format!("Setup has not written files for {name}. To remove hashline:\n");
    for part in snippet.parts() {
        text += &format!("\nRemove {} from {}.", part.keys, part.file);
    }
    format!("{text}\n{REMOVE_INSTRUCTIONS}")
}

/// The sentence that says how to remove hashline's instructions for the model.
const REMOVE_INSTRUCTIONS: &str =
    "Remove the output of `hashline prompt` from AGENTS.md or wherever you put it.";

/// Returns the JSON for adding hashline to an editor that setup writes no files for: the snippets and their files.
#[must_use]
pub fn snippet_to_json(editor: Editor, snippet: &Snippet) -> Value {
    let mut object = snippet_head(editor);
    object["file"] = snippet.server.file.into();
    object["snippet"] = snippet.server.value.clone();
    object["remark"] = snippet.remark.as_str().into();
    if let Some(hook) = &snippet.hook {
        object["hook"] = json!({"file": hook.file, "snippet": hook.value});
    }
    object
}

/// Returns the JSON for removing hashline from an editor that setup writes no files for.
#[must_use]
pub fn snippet_removal_to_json(editor: Editor, snippet: &Snippet) -> Value {
    let part = |part: &SnippetPart| json!({"file": part.file, "what": part.keys});
    let mut object = snippet_head(editor);
    object["remove"] = snippet.parts().map(part).collect();
    object["remark"] = REMOVE_INSTRUCTIONS.into();
    object
}

fn snippet_head(editor: Editor) -> Value {
    json!({"ok": true, "agent": editor.name(), "source": "documentation", "written": false})
}
