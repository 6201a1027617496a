//! Plans: what would become of every file, before any is touched.

use std::path::{Path, PathBuf};

use hashline_core::dialect::Dialect;
use hashline_workspace::{PROTECTED_NAMES, Protection};

use crate::setup::agent::{Places, Scope, Wish};
use crate::setup::disk::{self, Seen};
use crate::setup::error::{Refused, SystemSaid};
use crate::setup::file::File;
use crate::setup::merge::Differing;
use crate::setup::receipt::Receipt;
use crate::setup::spoken::spoken;
use crate::setup::targets::{Target, Targets, targets};
use crate::setup::turn::Turn;
use crate::setup::write::{Change, write_all};

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
    /// A receipt that is there and cannot be believed.
    pub doubted: Option<PathBuf>,
    /// What is known from now on.
    receipt: Receipt,
    /// The folders that an earlier setup made; nothing if nobody knows.
    made: Option<Vec<PathBuf>>,
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
pub fn install(
    mut wish: Wish,
    state: Option<PathBuf>,
    differing: Differing,
) -> Result<Plan, Refused> {
    refuse_shared(&wish)?;
    let earlier = Receipt::read(state.as_deref(), &wish).unwrap_or_default();
    let told = earlier.dialect.as_deref().and_then(Dialect::named);
    wish.dialect = wish.dialect.or(told).or_else(|| spoken(&wish));
    let Targets { files, by_hand } = targets(&wish);
    let mut plan = Plan::new(wish, state, Direction::Install);
    plan.by_hand = by_hand;
    plan.receipt.folders.clone_from(&earlier.folders);
    plan.receipt.dialect = plan.wish.dialect.map(|dialect| dialect.name().to_owned());
    for target in &files {
        let seen = look(target, &plan.wish)?;
        let file = File::new(target, &seen, earlier.of(&target.path), &plan.wish.command);
        let known = file.known();
        let with = file.with_ours(differing)?;
        let is_same = seen.bytes == with.bytes;
        // Of a file that stays as it is there is something to remember only if a person's own entry stands in the place of ours.
        if is_same && (known.is_some() || with.kept.is_empty()) {
            plan.receipt.files.extend(known.cloned());
        } else {
            let base = file.base(differing)?.bytes;
            let all = Receipt::all_of(plan.state.as_deref(), &seen.real);
            let after = with.bytes.as_deref().unwrap_or_default();
            let receipt = file.receipt(base.as_deref(), after, &all);
            plan.receipt.files.push(receipt);
        }
        plan.keep(target, with.kept);
        match is_same {
            true => plan.unchanged.push(target.path.clone()),
            false => plan.change(target, seen, with.bytes)?,
        }
    }
    // What an earlier setup wrote elsewhere is still there, and uninstall has to find it.
    let elsewhere = earlier.elsewhere(&files);
    plan.receipt.files.extend(elsewhere.cloned());
    Ok(plan)
}

/// Plans to take hashline out of an agent's files: those that setup would write now, and those that a receipt says it wrote.
///
/// # Errors
///
/// If a file cannot be read or understood.
pub fn uninstall(
    wish: Wish,
    state: Option<PathBuf>,
    differing: Differing,
) -> Result<Plan, Refused> {
    refuse_shared(&wish)?;
    let receipt = Receipt::read(state.as_deref(), &wish);
    let mut plan = Plan::new(wish, state, Direction::Uninstall);
    plan.made = receipt.as_ref().map(|receipt| receipt.folders.clone());
    let receipt = receipt.unwrap_or_default();
    let mut files = targets(&plan.wish).files;
    let elsewhere = receipt
        .elsewhere(&files)
        .filter(|file| plan.may_hold(&file.path));
    let elsewhere = elsewhere.map(|file| Target::new(file.path.clone(), file.what.clone()));
    let elsewhere: Vec<Target> = elsewhere.collect();
    files.extend(elsewhere);
    for target in &files {
        let seen = look(target, &plan.wish)?;
        let known = receipt.of(&target.path);
        let file = File::new(target, &seen, known, &plan.wish.command);
        let without = file.without_ours(differing)?;
        // What is left is not forgotten, so that it can go another time.
        let left = known.filter(|_| !without.kept.is_empty());
        plan.receipt.files.extend(left.cloned());
        plan.keep(target, without.kept);
        match seen.bytes == without.bytes {
            true if seen.bytes.is_none() => {}
            true => plan.unchanged.push(target.path.clone()),
            false => plan.change(target, seen, without.bytes)?,
        }
    }
    plan.receipt.folders = receipt.folders;
    plan.receipt.dialect = receipt.dialect;
    Ok(plan)
}

impl Plan {
    fn new(wish: Wish, state: Option<PathBuf>, direction: Direction) -> Self {
        Self {
            doubted: Receipt::doubted(state.as_deref(), &wish),
            wish,
            direction,
            changes: Vec::new(),
            unchanged: Vec::new(),
            kept: Vec::new(),
            by_hand: Vec::new(),
            receipt: Receipt::default(),
            made: None,
            state,
        }
    }

    fn keep(&mut self, target: &Target, what: Vec<String>) {
        let path = &target.path;
        let kept = what.into_iter().map(|what| Kept {
            path: path.clone(),
            what,
        });
        self.kept.extend(kept);
    }

    fn change(
        &mut self,
        target: &Target,
        seen: Seen,
        after: Option<Vec<u8>>,
    ) -> Result<(), Refused> {
        let path = target.path.clone();
        if let Ok(facts) = std::fs::metadata(&seen.real) {
            if facts.permissions().readonly() {
                return Err(Refused::ReadOnly { path });
            }
            if after.is_some() && disk::has_other_names(&facts) {
                return Err(Refused::HardLinked { path });
            }
        }
        self.changes.push(Change {
            path,
            real: seen.real,
            before: seen.bytes,
            after,
            access: target.access,
        });
        Ok(())
    }

    /// Tells whether a file that only a receipt names may be one of this wish.
    fn may_hold(&self, path: &Path) -> bool {
        let places = &self.wish.places;
        match self.wish.scope {
            Scope::Project => path.starts_with(&places.project),
            Scope::User => {
                let own = places.own_folder(self.wish.agent);
                path.starts_with(&places.home) || path.starts_with(own)
            }
        }
    }

    /// Makes the changes, all or none, and keeps the receipt.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; those before it are put back.
    pub fn carry_out(self) -> Result<Done, Refused> {
        let turn = Turn::wait(self.state.as_deref())?;
        self.carry_out_in(&turn)
    }

    /// Does the same in a turn that the caller has taken; if that was before the plan was made, no other setup can have come between.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; those before it are put back.
    pub fn carry_out_in(mut self, _turn: &Turn) -> Result<Done, Refused> {
        let made = write_all(&self.changes)?;
        match self.direction {
            Direction::Install => self.receipt.folders.extend(made),
            Direction::Uninstall => self.remove_folders(),
        }
        let state = self.state.as_deref();
        let kept = state.map(|state| self.receipt.write(state, &self.wish));
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
        let may = |folder: &&Path| match &self.made {
            None => *folder != top && folder.starts_with(top),
            Some(made) => made.iter().any(|made| made == *folder),
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

/// Refuses a project whose files are the person's own, as in their home: what is set up for one could not be told from the other.
fn refuse_shared(wish: &Wish) -> Result<(), Refused> {
    let real = |path: &Path| disk::without_links(path).unwrap_or_else(|_| path.to_path_buf());
    let files = |scope| {
        let wish = Wish {
            scope,
            ..wish.clone()
        };
        let files = targets(&wish).files.into_iter();
        files.map(|target| real(&target.path)).collect::<Vec<_>>()
    };
    let Places { project, home, .. } = &wish.places;
    let shares = || {
        let own = files(Scope::User);
        files(Scope::Project).iter().any(|path| own.contains(path))
    };
    match wish.scope {
        Scope::Project if real(project) == real(home) || shares() => Err(Refused::Shared {
            project: project.clone(),
        }),
        Scope::Project | Scope::User => Ok(()),
    }
}

/// Looks at a file. Whoever wrote the files of a project may be a stranger: no link of theirs leads us out of it.
fn look(target: &Target, wish: &Wish) -> Result<Seen, Refused> {
    let seen = disk::look(&target.path)?;
    let project = &wish.places.project;
    let real_project = std::fs::canonicalize(project).unwrap_or_else(|_| project.clone());
    let below = match (wish.scope, seen.real.strip_prefix(&real_project)) {
        (Scope::User, _) => return Ok(seen),
        (Scope::Project, below) => below.ok().map(Path::to_path_buf),
    };
    let (path, real) = (target.path.clone(), seen.real.clone());
    match (below, target.path.strip_prefix(project)) {
        (None, _) => Err(Refused::Outside { path, real }),
        (Some(below), Ok(own)) if protection(own).covers(&below) => {
            Err(Refused::Protected { path, real })
        }
        _ => Ok(seen),
    }
}

/// Returns what no link of a project may lead to: where the file itself has a name that agents obey, only what no edit ever writes.
fn protection(own: &Path) -> Protection {
    let usual = Protection::default();
    match usual.covers(own) {
        false => usual,
        true => Protection {
            unlocked: PROTECTED_NAMES
                .iter()
                .map(|row| row.name.to_owned())
                .collect(),
            ..usual
        },
    }
}
