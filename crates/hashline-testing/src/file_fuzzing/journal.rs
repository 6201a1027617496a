//! The target for journals: whatever lies in the journal's folder, recovery loses nothing and touches only what it may.

use std::path::Path;

use hashline_core::policy::Mode;
use hashline_workspace::ConflictChoice;
use hashline_workspace::DiskFault;

use super::lost::{holds, is_copy, is_machinery, is_named, is_torn, lost};
use super::scene::{FREE, PLACES, Scene, beside};
use super::{act, append, open};
use crate::disk::{Disk, Tree};
use crate::input::Input;

/// Plants a journal made of the bytes among files made of the bytes; recovers, twice; settles what is left; reads and edits.
///
/// # Panics
///
/// If recovery fails or goes on for ever, if a protected file or one that the journal does not name changes, if bytes are lost that
/// the journal does not name, if a second recovery changes something, if a file beside cannot be edited.
pub fn journal(data: &[u8]) {
    let mut input = Input(data);
    let settle = input.pick(&[
        ConflictChoice::KeepCurrent,
        ConflictChoice::RestoreOld,
        ConflictChoice::FinishNew,
    ]);
    let edited = input.pick(&PLACES);
    check(&Scene::read(&mut input), settle, edited);
}

fn check(scene: &Scene, settle: ConflictChoice, edited: (&str, &str)) {
    let disk = scene.disk();
    let before = seen(&disk);
    let conflict = recover(&disk, scene);
    let recovered = seen(&disk);
    untouched(&before, &recovered, &scene.journal);
    nothing_lost(&before, &recovered, &scene.journal);
    assert_eq!(conflict, recover(&disk, scene), "the second recovery");
    assert_eq!(recovered, seen(&disk), "the second recovery");
    edit_beside(&disk, &scene.journal);
    if conflict {
        end_conflict(&disk, settle);
    }
    use_files(&disk, edited);
}

fn seen(disk: &Disk) -> Tree {
    disk.now().seen().tree()
}

/// Recovers; tells whether it was left to a person.
fn recover(disk: &Disk, scene: &Scene) -> bool {
    match open(disk).recover(None) {
        Ok(_) => false,
        Err(error) if matches!(error.why, DiskFault::RecoveryConflict(_)) => true,
        Err(error) => panic!("{error:?}\n{:?}", scene.image.tree()),
    }
}

/// What is protected, and what the journal does not name, holds what it held.
fn untouched(before: &Tree, now: &Tree, journal: &[u8]) {
    for (path, file) in before.iter().filter(|(_, file)| file.is_some()) {
        let protected = path.starts_with(".git") || path.starts_with(".claude");
        let ours = path.starts_with(".hashline");
        if protected || !(ours || may_be_named(path, journal)) {
            assert_eq!(now.get(path), Some(file), "{}", path.display());
        }
    }
}

/// Returns whether the journal could name the file or a folder that holds it: the name, or the one it waits beside, stands in it.
fn may_be_named(path: &Path, journal: &[u8]) -> bool {
    path.iter().any(|name| {
        let waits_for = |listed: &&str| {
            let endings = ["new", "old", "tmp"];
            endings.iter().any(|ending| beside(listed, ending) == name)
        };
        let owner = PLACES.iter().map(|(_, name)| *name).find(waits_for);
        let name = owner.map_or(name.as_encoded_bytes(), str::as_bytes);
        holds(journal, name)
    })
}

/// Every content that stood in a file stands in one now, unless the journal names it by its hash.
fn nothing_lost(before: &Tree, now: &Tree, journal: &[u8]) {
    for (bytes, paths) in lost(before, now) {
        let allowed = is_machinery(&paths)
            || is_named(journal, &bytes)
            || is_copy(&paths)
            || is_torn(&bytes, before);
        assert!(allowed, "{bytes:?} of {paths:?} is lost");
    }
}

/// A file that the journal does not name can be edited, whatever the journal is.
fn edit_beside(disk: &Disk, journal: &[u8]) {
    if holds(journal, FREE.as_bytes()) {
        return;
    }
    let before = seen(disk);
    let edited = act(&open(disk), FREE, append("edited"), Mode::Write);
    assert_eq!(edited, Ok(()));
    let now = seen(disk);
    assert_eq!(
        now[Path::new(FREE)].as_deref(),
        Some(&b"free\nedited\n"[..])
    );
    let mut others = (before, now);
    others.0.remove(Path::new(FREE));
    others.1.remove(Path::new(FREE));
    assert_eq!(others.0, others.1);
}

/// A person ends a conflict: whatever loses is kept, and there is nothing left to recover.
fn end_conflict(disk: &Disk, settle: ConflictChoice) {
    let before = seen(disk);
    let ended = open(disk).recover(Some(settle));
    assert!(ended.is_ok(), "{settle:?}: {ended:?}\n{before:?}");
    let now = seen(disk);
    for (bytes, paths) in lost(&before, &now) {
        assert!(
            is_machinery(&paths),
            "{bytes:?} of {paths:?} is lost by {settle:?}"
        );
    }
    let again = open(disk).recover(None);
    assert!(again.is_ok(), "{again:?}");
    assert_eq!(now, seen(disk), "{settle:?} and a recovery");
}

/// Reads lose nothing at all, and an edit only what it replaces.
fn use_files(disk: &Disk, (dir, name): (&str, &str)) {
    let before = seen(disk);
    let workspace = open(disk);
    for (dir, name) in PLACES {
        let path = Path::new(dir).join(name);
        let read = workspace.read(&path.to_string_lossy());
        let file = before.get(&path).and_then(Option::as_deref);
        match (read, file) {
            (Ok(read), file) => assert_eq!(Some(read.document.bytes()), file),
            (Err(error), _) => assert_known(error.code().as_str()),
        }
    }
    assert!(lost(&before, &seen(disk)).is_empty(), "by reading");
    let path = Path::new(dir).join(name);
    let path_text = path.to_string_lossy();
    let edited = act(&workspace, &path_text, append("edited"), Mode::Write);
    edited.err().iter().for_each(|code| assert_known(code));
    for (bytes, paths) in lost(&before, &seen(disk)) {
        let replaced = edited.is_ok() && paths == [path.clone()];
        assert!(replaced, "{bytes:?} of {paths:?} is lost by {edited:?}");
    }
}

#[track_caller]
fn assert_known(code: &str) {
    let known = [
        "bad_path",
        "binary",
        "file_not_found",
        "hardlinked",
        "not_a_file",
        "protected",
        "too_large",
    ];
    assert!(known.contains(&code), "{code}");
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use hashline_workspace::ConflictChoice;

    use super::super::scene::{Scene, beside, copies};
    use super::check;
    use crate::disk::{Image, Offers};
    use crate::forge::{Bytes, Entry, Forged};

    const OLD: &[u8] = b"old\n";
    const NEW: &[u8] = b"new\n";

    /// Recovers a journal about `one` among other files, and ends what is left in every way.
    fn holds(overwritten: bool, files: &[(&Path, &[u8])]) {
        let mut image = Image::with(&[
            ("free.txt", b"free\n"),
            ("other", NEW),
            (".hashline/.gitignore", b"*\n"),
        ]);
        for (path, bytes) in files {
            image.put(path, bytes);
        }
        let root = image.identity(Path::new("")).expect("there is a root");
        let forged = Forged {
            records: vec![Entry {
                identity: Some(root),
                name: b"one".to_vec(),
                overwritten,
                old: Some(Bytes::of(OLD)),
                new: Some(Bytes::of(NEW)),
                ..Entry::default()
            }],
            ..Forged::default()
        };
        let journal = forged.encode_for(root);
        image.put(Path::new(".hashline/journal"), &journal);
        image.change_mode(Path::new(".hashline/journal"), 0o600);
        for settle in [
            ConflictChoice::KeepCurrent,
            ConflictChoice::RestoreOld,
            ConflictChoice::FinishNew,
        ] {
            for offers in [Offers::All, Offers::Less] {
                let scene = Scene {
                    image: image.clone(),
                    offers,
                    journal: journal.clone(),
                };
                check(&scene, settle, ("", "one"));
            }
        }
    }

    #[test]
    fn a_folder_under_a_name_of_ours_does_not_stop_recovery() {
        for ending in ["new", "old", "tmp"] {
            let folder = Path::new(&beside("one", ending)).join("inside");
            holds(false, &[(Path::new("one"), OLD), (&folder, b"theirs\n")]);
        }
    }

    #[test]
    fn whatever_loses_when_an_overwritten_file_was_changed_is_kept() {
        let copies: Vec<_> = copies().take(2).collect();
        let copies = [(&*copies[0], OLD), (&*copies[1], NEW)];
        let changed: (&Path, &[u8]) = (Path::new("one"), b"theirs\n");
        holds(true, &[copies[0], copies[1], changed]);
        // Somebody removed it, or put a folder in its place.
        holds(true, &copies);
        holds(
            true,
            &[copies[0], copies[1], (Path::new("one/inside"), OLD)],
        );
    }
}
