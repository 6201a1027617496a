//! Every sentence about setting up.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;

use hashline_wire::render::shell;
use serde_json::{Value, json};
use similar::TextDiff;

use crate::setup::error::{READING, Refused, SystemSaid};
use crate::setup::lines::Position;
use crate::setup::merge::Unmerged;
use crate::setup::plan::{Direction, Plan};
use crate::setup::targets::{Editor, Snippet};
use crate::setup::write::Change;

/// A longer line of a diff is shown without its middle: some agents keep megabytes in one line.
const LONGEST_LINE: usize = 2000;

/// Shows what becomes of the files, as a unified diff.
#[must_use]
pub fn diff(changes: &[Change]) -> String {
    changes.iter().map(diff_of).collect()
}

fn diff_of(change: &Change) -> String {
    let text = |bytes: &Option<Vec<u8>>| {
        String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned()
    };
    let (before, after) = (text(&change.before), text(&change.after));
    let path = change.path.display().to_string();
    let name = |bytes: &Option<Vec<u8>>| match bytes {
        Some(_) => path.clone(),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::from_lines(&before, &after);
    let mut shown = diff.unified_diff();
    let shown = shown
        .context_radius(2)
        .header(&name(&change.before), &name(&change.after))
        .to_string();
    shown.split_inclusive('\n').map(shortened).collect()
}

/// Returns a line without its middle, if it is too long.
fn shortened(line: &str) -> Cow<'_, str> {
    if line.len() <= LONGEST_LINE {
        return line.into();
    }
    let head = &line[..line.floor_char_boundary(LONGEST_LINE / 2)];
    let tail = &line[line.ceil_char_boundary(line.len() - LONGEST_LINE / 2)..];
    let cut = line.len() - head.len() - tail.len();
    format!("{head} […{cut} bytes…] {tail}").into()
}

/// Says what came of it, behind the diff: what was written, kept, and what is left to do by hand.
#[must_use]
pub fn outcome(plan: &Plan) -> String {
    let title = plan.wish.agent.title();
    let scope = match plan.wish.scope {
        crate::setup::Scope::Project => format!("in {}", plan.wish.places.project.display()),
        crate::setup::Scope::User => "for you".to_owned(),
    };
    let files = counted(plan.changes.len());
    let (is_same, is_clean) = (plan.changes.is_empty(), plan.kept.is_empty());
    let head = match (plan.direction, is_same, is_clean) {
        (Direction::Install, true, _) => {
            format!("{title} is set up {scope} already; nothing to change.")
        }
        (Direction::Install, false, _) => format!("{title} is set up {scope} ({files})."),
        (Direction::Uninstall, true, true) => {
            format!("{title} has nothing of hashline's {scope}; nothing to change.")
        }
        (Direction::Uninstall, false, true) => {
            format!("hashline is out of {title} {scope} ({files}).")
        }
        (Direction::Uninstall, true, false) => {
            format!("Nothing was taken out of {title} {scope}; something is left.")
        }
        (Direction::Uninstall, false, false) => {
            format!("hashline is out of {title} {scope} ({files}), but something is left.")
        }
    };
    let mut lines = vec![head];
    lines.extend(kept(plan));
    lines.extend(doubted(plan));
    let steps = plan.by_hand.iter().map(|step| format!("By hand: {step}"));
    lines.extend(steps);
    lines.join("\n")
}

/// Asks whether the changes are wanted.
#[must_use]
pub fn question(plan: &Plan) -> String {
    match plan.changes.len() {
        1 => "Write this file? [y/N]".to_owned(),
        files => format!("Write these {files} files? [y/N]"),
    }
}

/// Says that files that others use too name a path of this machine, if they do.
#[must_use]
pub fn command_note(plan: &Plan) -> Option<String> {
    let shared = plan.wish.scope == crate::setup::Scope::Project && !plan.changes.is_empty();
    let is_path = Path::new(&plan.wish.command).is_absolute();
    (shared && is_path).then(|| {
        format!(
            "note: the files name {}, a place on this machine: others who work in the project need it there too\nhint: with `hashline` on your PATH, or with --command hashline, they name that instead",
            plan.wish.command
        )
    })
}

/// Says what a person keeps, line by line.
#[must_use]
pub fn kept(plan: &Plan) -> Vec<String> {
    let lines = plan.kept.iter().map(|kept| {
        let (path, what) = (kept.path.display(), &kept.what);
        match plan.direction {
            Direction::Install => format!(
                "Kept: {what} in {path} was changed by somebody and stays as it is; --force replaces it."
            ),
            Direction::Uninstall => {
                format!("Kept: {what} of {path} was written or changed by somebody and stays; --force takes it out.")
            }
        }
    });
    lines.collect()
}

/// Says that the receipt is not believed, if it is not.
#[must_use]
pub fn doubted(plan: &Plan) -> Option<String> {
    let path = plan.doubted.as_ref()?.display();
    let done = match plan.direction {
        Direction::Install => "a new one is kept from now on",
        Direction::Uninstall => {
            "hashline's entries were looked for instead, and what setup had replaced does not come back"
        }
    };
    Some(format!(
        "Note: the receipt {path} is damaged, or others than you may write it, and is not believed; {done}."
    ))
}

/// Whether a plan was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It was only made.
    Planned,
    /// Its changes were made.
    CarriedOut,
}

/// Returns what came of it as an object.
#[must_use]
pub fn to_program(plan: &Plan, stage: Stage) -> Value {
    let path = |path: &Path| Value::from(path.to_string_lossy());
    let change = |change: &Change| {
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
        "agent": plan.wish.agent.name(),
        "scope": plan.wish.scope.name(),
        "written": stage == Stage::CarriedOut && !plan.changes.is_empty(),
        "command": plan.wish.command,
        "files": plan.changes.iter().map(change).collect::<Vec<_>>(),
        "unchanged": plan.unchanged.iter().map(|one| path(one)).collect::<Vec<_>>(),
        "kept": kept.map(|kept| json!({"path": path(&kept.path), "what": kept.what})).collect::<Vec<_>>(),
        "diff": diff(&plan.changes),
    });
    if let Some(note) = doubted(plan) {
        object["notes"] = vec![note].into();
    }
    if plan.direction == Direction::Install || !plan.by_hand.is_empty() {
        object["by_hand"] = plan.by_hand.clone().into();
    }
    object
}

/// Says why nothing was done, and what to do.
#[must_use]
pub fn refused(refused: &Refused) -> String {
    let written = match refused {
        Refused::Stuck { left, .. } => {
            let left: Vec<String> = left.iter().map(|path| path.display().to_string()).collect();
            format!("these files could not be put back: {}", left.join(", "))
        }
        _ => "nothing was written".to_owned(),
    };
    let error = format!("error: {}; {written}", happened(refused));
    format!("{error}\nhint: {}", hint(refused))
}

/// Says what happened, and nothing else.
pub(crate) fn happened(refused: &Refused) -> String {
    match refused {
        Refused::Unmerged { path, why } => unmerged(path, why),
        Refused::NotAFile { path } => format!("{} is no file", path.display()),
        Refused::Outside { path, real } => format!(
            "{} leads out of the project, to {}",
            path.display(),
            real.display()
        ),
        Refused::Protected { path, real } => format!(
            "{} leads to {}, which is no file for instructions or settings",
            path.display(),
            real.display()
        ),
        Refused::HardLinked { path } => format!(
            "{} has more than one name, and only this one would lead to the new text",
            path.display()
        ),
        Refused::ReadOnly { path } => format!("{} is read-only", path.display()),
        Refused::Shared { project } => format!(
            "the files of {} are your own, which count wherever you work",
            project.display()
        ),
        Refused::Busy { path } => format!(
            "another setup is at work and does not end ({} is locked)",
            path.display()
        ),
        Refused::System(said) => system(said),
        Refused::Stuck { first, .. } => happened(first),
        Refused::Changed { path } => {
            format!("{} was changed by somebody meanwhile", path.display())
        }
    }
}

/// Says what is to be done to a file before setup can be run.
pub(crate) fn first_step(refused: &Refused) -> String {
    match refused {
        Refused::NotAFile { path } => format!("move {} away", shell::path(path)),
        Refused::Unmerged {
            path,
            why: Unmerged::NotText { .. },
        } => format!("save {} as UTF-8", shell::path(path)),
        Refused::System(said) => format!("see who may read it (ls -l {})", shell::path(&said.path)),
        Refused::HardLinked { path } => single(path),
        Refused::ReadOnly { path } => writable(path),
        _ => "mend it".to_owned(),
    }
}

/// The command that gives a file of several names one of its own.
fn single(path: &Path) -> String {
    let path = shell::path(path);
    format!("cp -p {path} {path}.new && mv {path}.new {path}")
}

/// The command that lets its owner write a file.
fn writable(path: &Path) -> String {
    format!("chmod u+w {}", shell::path(path))
}

/// Says what to do.
fn hint(refused: &Refused) -> String {
    let hint = match refused {
        Refused::Unmerged { why, .. } => match why {
            Unmerged::Invalid { .. } | Unmerged::WrongKind { .. } => {
                "mend it there, then run the command again"
            }
            Unmerged::NotText { .. } => "save it as UTF-8, then run the command again",
            Unmerged::Entangled { .. } => {
                "give it lines of its own there, then run the command again"
            }
            Unmerged::Taken { .. } => "rename it, or replace it with --force",
            Unmerged::TornSection { .. } => {
                "remove what is left of the section, then run the command again"
            }
        },
        Refused::NotAFile { .. } => "move what is there away, then run the command again",
        Refused::Outside { .. } => "put a file there instead of the link, or set it up with --user",
        Refused::Protected { .. } => {
            "put a file there instead of the link, then run the command again"
        }
        Refused::HardLinked { path } => {
            return format!(
                "give it a copy of its own ({}), or make it a symbolic link, then run the command again",
                single(path)
            );
        }
        Refused::ReadOnly { path } => {
            return format!(
                "if it is meant to be changed, {}, then run the command again",
                writable(path)
            );
        }
        Refused::Shared { .. } => {
            "run it with --user to set it up for yourself, or in the folder of a project"
        }
        Refused::Busy { .. } => "run the command again when that is done",
        Refused::System(said) => return remedy(said),
        Refused::Changed { .. } => "run the command again",
        Refused::Stuck { .. } => "run the command again when that is mended",
    };
    hint.to_owned()
}

/// Says why the receipt could not be kept.
#[must_use]
pub fn no_receipt(said: &SystemSaid) -> String {
    format!(
        "note: {}; uninstall will look for hashline's entries instead of giving every byte back",
        system(said)
    )
}

/// Shows what to put where for an editor that setup writes nothing for.
#[must_use]
pub fn snippet(editor: Editor, snippet: &Snippet) -> String {
    let mut text = format!(
        "Setup writes nothing for {}. From documentation, not tried with the program itself:\n",
        editor.name()
    );
    for piece in [Some(&snippet.server), snippet.hook.as_ref()]
        .into_iter()
        .flatten()
    {
        let value = serde_json::to_string_pretty(&piece.value).unwrap_or_default();
        text += &format!(
            "\nPut into {}, beside what is there:\n{value}\n",
            piece.file
        );
    }
    format!("{text}\n{}", snippet.remark)
}

/// Says how it gets out again.
#[must_use]
pub fn snippet_out(editor: Editor, snippet: &Snippet) -> String {
    let mut text = format!(
        "Setup wrote nothing for {}. To take hashline out:\n",
        editor.name()
    );
    for piece in [Some(&snippet.server), snippet.hook.as_ref()]
        .into_iter()
        .flatten()
    {
        text += &format!("\nTake {} out of {}.", piece.keys, piece.file);
    }
    format!("{text}\n{OUT_OF_RULES}")
}

/// What becomes of the instructions.
const OUT_OF_RULES: &str =
    "Take what `hashline prompt` printed out of AGENTS.md or where else you put it.";

/// Returns what to put where as an object.
#[must_use]
pub fn snippet_to_program(editor: Editor, snippet: &Snippet) -> Value {
    let server = &snippet.server;
    let mut object = json!({
        "ok": true,
        "agent": editor.name(),
        "source": "documentation",
        "written": false,
        "file": server.file,
        "snippet": server.value,
        "remark": snippet.remark,
    });
    if let Some(hook) = &snippet.hook {
        object["hook"] = json!({"file": hook.file, "snippet": hook.value});
    }
    object
}

/// Returns how it gets out again as an object.
#[must_use]
pub fn snippet_out_to_program(editor: Editor, snippet: &Snippet) -> Value {
    let pieces = [Some(&snippet.server), snippet.hook.as_ref()]
        .into_iter()
        .flatten();
    let pieces = pieces.map(|piece| json!({"file": piece.file, "what": piece.keys}));
    json!({
        "ok": true,
        "agent": editor.name(),
        "source": "documentation",
        "written": false,
        "remove": pieces.collect::<Vec<_>>(),
        "remark": OUT_OF_RULES,
    })
}

fn unmerged(path: &Path, why: &Unmerged) -> String {
    let path = path.display();
    let place = |at: &Position| format!("line {}, column {}", at.line, at.column);
    match why {
        Unmerged::Invalid { at, why } => format!("{path} cannot be read: {why} ({})", place(at)),
        Unmerged::NotText { at } => format!("{path} is no UTF-8 text ({})", place(at)),
        Unmerged::WrongKind { name, at, wanted } => {
            format!("{name} in {path} is not {wanted} ({})", place(at))
        }
        Unmerged::Taken { name, at } => format!(
            "{name} in {path} is there already and runs something else ({})",
            place(at)
        ),
        Unmerged::Entangled { name, at } => format!(
            "{name} in {path} cannot be changed without changing what stands around it ({})",
            place(at)
        ),
        Unmerged::TornSection { at } => format!(
            "the marks of hashline's section in {path} do not match ({})",
            place(at)
        ),
    }
}

/// Says what helps where the system said no.
fn remedy(said: &SystemSaid) -> String {
    let folder = shell::path(said.path.parent().unwrap_or(&said.path));
    match said.kind {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            let may = match said.doing {
                READING => "read it",
                _ => "write there",
            };
            format!(
                "see who may {may} (ls -ld {folder} {}), then run the command again",
                shell::path(&said.path)
            )
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("make room (df -h {folder}), then run the command again")
        }
        _ => format!("see what is there (ls -ld {folder}), then run the command again"),
    }
}

fn system(said: &SystemSaid) -> String {
    let SystemSaid {
        path,
        doing,
        reason,
        ..
    } = said;
    format!("{}: {doing} failed: {reason}", path.display())
}

fn counted(files: usize) -> String {
    match files {
        1 => "1 file".to_owned(),
        files => format!("{files} files"),
    }
}
