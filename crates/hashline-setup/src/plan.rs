//! Plans: what would become of every file, before any is touched.

use std::path::{Path, PathBuf};

use crate::agent::{Scope, Wish};
use crate::disk::{self, Seen};
use crate::error::{Refused, SystemSaid};
use crate::lines::Position;
use crate::merge::json;
use crate::merge::{Differing, Mend, Merged, Unmerged, section, toml};
use crate::owned::Owned;
use crate::receipt::{FileReceipt, Receipt};
use crate::targets::{Target, Targets, What, targets};
use crate::write::{Change, write_all};

/// What would become of every file.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is to be set up, and where.
    pub wish: Wish,
    /// Whether it comes or goes.
    pub direction: Direction,
    /// The files that change.
    pub changes: Vec<Change>,
    /// The files that stay as they are.
    pub unchanged: Vec<PathBuf>,
    /// What a person wrote or changed in the place of ours, and keeps.
    pub kept: Vec<Kept>,
    /// What the person has to do: whole sentences.
    pub by_hand: Vec<String>,
    receipt: Receipt,
    state: Option<PathBuf>,
}

/// Whether something comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It is set up.
    Install,
    /// It is taken out.
    Uninstall,
}

/// What a person keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// In which file.
    pub path: PathBuf,
    /// What.
    pub what: String,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Why the receipt could not be kept: uninstall then looks for our entries instead.
    pub no_receipt: Option<SystemSaid>,
}

/// Plans to set hashline up for an agent. Receipts are kept in the state directory, if there is one.
///
/// # Errors
///
/// If a file cannot be read or understood, or something stands where ours would.
pub fn install(wish: Wish, state: Option<PathBuf>, differing: Differing) -> Result<Plan, Refused> {
    let Targets { files, by_hand } = targets(&wish);
    let earlier = Receipt::read(state.as_deref(), &wish);
    let mut plan = Plan::new(wish, state, Direction::Install);
    plan.by_hand = by_hand;
    plan.receipt.folders.clone_from(&earlier.folders);
    for target in &files {
        let seen = look(target, &plan.wish)?;
        let known = earlier.of(&target.path);
        let owned = plan.owned(known);
        let merged = with_ours(target, &seen, known, &owned, differing)?;
        plan.keep(target, merged.kept);
        if seen.bytes.as_deref() == Some(&merged.bytes) {
            plan.receipt.files.extend(known.cloned());
            plan.unchanged.push(target.path.clone());
            continue;
        }
        let (base, _) = without_ours(target, &seen, known, &owned)?;
        plan.receipt
            .files
            .push(receipt(target, base.as_deref(), &merged.bytes, known));
        plan.change(target, seen, Some(merged.bytes));
    }
    Ok(plan)
}

/// Plans to take hashline out of an agent's files.
///
/// # Errors
///
/// If a file cannot be read or understood.
pub fn uninstall(wish: Wish, state: Option<PathBuf>) -> Result<Plan, Refused> {
    let receipt = Receipt::read(state.as_deref(), &wish);
    let mut plan = Plan::new(wish, state, Direction::Uninstall);
    for target in &targets(&plan.wish).files {
        let seen = look(target, &plan.wish)?;
        let known = receipt.of(&target.path);
        let (bytes, kept) = without_ours(target, &seen, known, &plan.owned(known))?;
        plan.keep(target, kept);
        match seen.bytes == bytes {
            true if seen.bytes.is_none() => {}
            true => plan.unchanged.push(target.path.clone()),
            false => plan.change(target, seen, bytes),
        }
    }
    plan.receipt = receipt;
    Ok(plan)
}

impl Plan {
    fn new(wish: Wish, state: Option<PathBuf>, direction: Direction) -> Self {
        Self {
            wish,
            direction,
            changes: Vec::new(),
            unchanged: Vec::new(),
            kept: Vec::new(),
            by_hand: Vec::new(),
            receipt: Receipt::default(),
            state,
        }
    }

    fn owned(&self, known: Option<&FileReceipt>) -> Owned {
        let written = known.map_or(&[][..], |known| &known.written);
        Owned::new(&self.wish.command, written)
    }

    fn keep(&mut self, target: &Target, what: Vec<String>) {
        let path = &target.path;
        let kept = what.into_iter().map(|what| Kept {
            path: path.clone(),
            what,
        });
        self.kept.extend(kept);
    }

    fn change(&mut self, target: &Target, seen: Seen, after: Option<Vec<u8>>) {
        self.changes.push(Change {
            path: target.path.clone(),
            real: seen.real,
            before: seen.bytes,
            after,
        });
    }

    /// Makes the changes, all or none, and keeps the receipt.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; those before it are put back.
    pub fn carry_out(mut self) -> Result<Done, Refused> {
        let made = write_all(&self.changes)?;
        let state = self.state.as_deref();
        let kept = match self.direction {
            Direction::Install => {
                self.receipt.folders.extend(made);
                state.map(|state| self.receipt.write(state, &self.wish))
            }
            Direction::Uninstall => {
                self.remove_folders();
                state.map(|state| Receipt::forget(state, &self.wish))
            }
        };
        let failed = kept.and_then(Result::err);
        Ok(Done {
            no_receipt: failed.map(|error| {
                let state = state.unwrap_or(Path::new(""));
                SystemSaid::new(state, "keeping the receipt", &error)
            }),
        })
    }

    /// Removes the folders that setup made, if nobody else uses them. Without a receipt those count as made that a file was removed from.
    fn remove_folders(&self) {
        let top = match self.wish.scope {
            Scope::Project => &self.wish.places.project,
            Scope::User => &self.wish.places.home,
        };
        let made = &self.receipt.folders;
        let may = |folder: &&Path| match made.as_slice() {
            [] => *folder != top && folder.starts_with(top),
            made => made.iter().any(|made| made == *folder),
        };
        let gone = self.changes.iter().filter(|change| change.after.is_none());
        for file in gone {
            let mut above = file.real.ancestors().skip(1);
            // One that is not empty stays, and so does everything above it.
            while let Some(folder) = above.next().filter(may) {
                if std::fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
    }
}

/// Looks at a file. Whoever wrote the files of a project may be a stranger: no link of theirs leads us out of it.
fn look(target: &Target, wish: &Wish) -> Result<Seen, Refused> {
    let seen = disk::look(&target.path)?;
    let project = &wish.places.project;
    let project = std::fs::canonicalize(project).unwrap_or_else(|_| project.clone());
    match wish.scope {
        Scope::Project if !seen.real.starts_with(&project) => Err(Refused::Outside {
            path: target.path.clone(),
            real: seen.real,
        }),
        Scope::Project | Scope::User => Ok(seen),
    }
}

/// A file with ours in it.
struct WithOurs {
    bytes: Vec<u8>,
    kept: Vec<String>,
}

/// Returns the bytes of a file with ours in it.
fn with_ours(
    target: &Target,
    seen: &Seen,
    known: Option<&FileReceipt>,
    owned: &Owned,
    differing: Differing,
) -> Result<WithOurs, Refused> {
    let bytes = seen.bytes.as_deref();
    if let What::Whole(ours) = &target.what {
        return Ok(whole(bytes, ours, known, differing));
    }
    let (mark, text) = decoded(target, bytes.unwrap_or_default())?;
    let mend = Mend { owned, differing };
    let merged = match &target.what {
        What::Json(entries) => json::install(text, entries, &mend),
        What::Toml(table) => toml::install(text, table, &mend),
        What::Section(section) => section::install(text, section, differing),
        What::Whole(_) => Ok(Merged::from(text.to_owned())),
    };
    let merged = merged.map_err(|why| unmerged(target, why))?;
    Ok(WithOurs {
        bytes: [mark, &merged.text].concat().into_bytes(),
        kept: merged.kept,
    })
}

/// Returns a file that is ours as a whole, unless a person changed it.
fn whole(
    bytes: Option<&[u8]>,
    ours: &str,
    known: Option<&FileReceipt>,
    differing: Differing,
) -> WithOurs {
    let theirs = bytes.filter(|bytes| {
        *bytes != ours.as_bytes()
            && differing == Differing::Respect
            && !known.is_some_and(|known| known.is_as_left(bytes))
    });
    match theirs {
        None => WithOurs {
            bytes: ours.as_bytes().to_vec(),
            kept: Vec::new(),
        },
        Some(theirs) => WithOurs {
            bytes: theirs.to_vec(),
            kept: vec!["the whole file".to_owned()],
        },
    }
}

/// Returns the bytes of a file without ours: nothing if it goes. Also what is a person's and stays.
fn without_ours(
    target: &Target,
    seen: &Seen,
    known: Option<&FileReceipt>,
    owned: &Owned,
) -> Result<(Option<Vec<u8>>, Vec<String>), Refused> {
    let Some(bytes) = &seen.bytes else {
        return Ok((None, Vec::new()));
    };
    if let Some(restored) = known.and_then(|known| known.restored(bytes)) {
        return Ok((restored, Vec::new()));
    }
    if let What::Whole(ours) = &target.what {
        return Ok(match bytes == ours.as_bytes() {
            true => (None, Vec::new()),
            false => (Some(bytes.clone()), vec!["the whole file".to_owned()]),
        });
    }
    let (mark, text) = decoded(target, bytes)?;
    let (without, blank) = match &target.what {
        What::Json(entries) => {
            let stood = known.map_or(&[][..], |known| &known.stood);
            let without = json::uninstall(text, entries, owned, stood);
            (without, json::is_blank as fn(&str) -> bool)
        }
        What::Toml(table) => (toml::uninstall(text, table, owned), blank as _),
        What::Section(section) => (section::uninstall(text, section), blank as _),
        What::Whole(_) => (Ok(text.to_owned()), blank as _),
    };
    let mut without = without.map_err(|why| unmerged(target, why))?;
    // What was appended to a line without an ending brought one along.
    if known.is_some_and(|known| known.unended) && without != text && text.starts_with(&without) {
        let bare = without.strip_suffix('\n').unwrap_or(&without);
        without.truncate(bare.strip_suffix('\r').unwrap_or(bare).len());
    }
    let is_ours = without != text && known.is_none_or(|known| known.created);
    let bytes = [mark, &without].concat().into_bytes();
    let stays = !(is_ours && blank(&without));
    Ok((stays.then_some(bytes), Vec::new()))
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn receipt(
    target: &Target,
    base: Option<&[u8]>,
    after: &[u8],
    earlier: Option<&FileReceipt>,
) -> FileReceipt {
    let mut receipt = FileReceipt::new(&target.path, base, after);
    receipt.created |= earlier.is_some_and(|earlier| earlier.created);
    match &target.what {
        What::Json(entries) => {
            receipt.written = entries.iter().map(json::Entry::value).collect();
            let text = base.and_then(|base| std::str::from_utf8(base).ok());
            let text = text.map(|text| text.trim_start_matches('\u{feff}'));
            receipt.stood = text
                .map(|text| json::standing(text, entries))
                .unwrap_or_default();
        }
        What::Toml(table) => receipt.written = vec![table.value()],
        // Where nothing else stands than other agents' sections, the last to go takes the file along.
        What::Section(_) => {
            let text = base.and_then(|base| std::str::from_utf8(base).ok());
            receipt.created |= text.is_some_and(|text| !blank(text) && section::is_blank(text));
        }
        What::Whole(_) => {}
    }
    receipt
}

/// Returns the text of a file, and the mark before it that some editors put there.
fn decoded<'a>(target: &Target, bytes: &'a [u8]) -> Result<(&'a str, &'a str), Refused> {
    const MARK: &str = "\u{feff}";
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let at = Position::of(&valid, valid.len());
        unmerged(target, Unmerged::NotText { at })
    })?;
    Ok(match text.strip_prefix(MARK) {
        Some(rest) => (MARK, rest),
        None => ("", text),
    })
}

fn unmerged(target: &Target, why: Unmerged) -> Refused {
    let path = target.path.clone();
    Refused::Unmerged { path, why }
}
