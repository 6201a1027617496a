//! Plans of setup: the changes to all configuration files of an agent, computed before any file is written.

use std::path::{Path, PathBuf};

use hashline_core::dialect::Dialect;
use hashline_workspace::system::FileAccess;
use hashline_workspace::{PROTECTED_NAMES, Protection, ReplaceError, WholeFile, replace_files};

use crate::setup::agents::{AgentFile, AgentFiles, agent_files, earlier_dialect};
use crate::setup::error::{FileError, SetupError};
use crate::setup::lock::SetupLock;
use crate::setup::merge::OnConflict;
use crate::setup::merged_file::FileMerge;
use crate::setup::options::{AgentPlaces, EditRights, Scope, SetupOptions};
use crate::setup::read::{self, DiskFile, without_links};
use crate::setup::receipt::Receipt;

/// The changes that a setup or its removal would make to an agent's configuration files.
#[derive(Clone, Debug)]
pub struct SetupPlan {
    /// The agent, the scope and the folders that the plan is for.
    pub options: SetupOptions,
    /// Whether the plan installs or removes hashline.
    pub action: SetupAction,
    /// The files that the plan changes, creates or removes.
    pub changes: Vec<FileChange>,
    /// The files that already are as the plan wants them.
    pub unchanged: Vec<PathBuf>,
    /// Entries with the names of ours that the user wrote or changed, and that the plan leaves unchanged.
    pub kept: Vec<KeptEntry>,
    /// What the user has to do by hand, in whole sentences.
    pub manual_steps: Vec<String>,
    /// The path of an earlier receipt that is ignored, because it is damaged or others may write it.
    pub unusable_receipt: Option<PathBuf>,
    /// The receipt that is saved when the plan is written.
    receipt: Receipt,
    /// The folders that an earlier setup created; `None` if there is no receipt that lists them.
    made: Option<Vec<PathBuf>>,
    state: Option<PathBuf>,
}

/// Whether a plan installs or removes hashline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupAction {
    /// Hashline's entries are added to the agent's files.
    Install,
    /// Hashline's entries are removed from the agent's files.
    Uninstall,
}

/// The change of one configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The path of the file as the agent uses it, which may be a symbolic link.
    pub path: PathBuf,
    /// The path of the file with all symbolic links resolved.
    real: PathBuf,
    /// The bytes of the file when the plan was made; `None` if there was no such file.
    pub before: Option<Vec<u8>>,
    /// The bytes that will be written; `None` if the file will be removed.
    pub after: Option<Vec<u8>>,
    /// Who may read the file if it is created.
    access: FileAccess,
}

/// An entry that the user wrote or changed, and that the plan leaves unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptEntry {
    /// The file with the entry.
    pub path: PathBuf,
    /// The name of the entry for messages, such as `mcpServers.hl`.
    pub what: String,
}

/// Plans to add hashline to an agent's configuration files. `state` is the state directory, in which receipts are saved if there is one.
///
/// # Errors
///
/// If a file cannot be read or parsed, or an entry with our name belongs to another program.
pub fn install(
    mut options: SetupOptions,
    state: Option<PathBuf>,
    on_conflict: OnConflict,
) -> Result<SetupPlan, SetupError> {
    refuse_shared(&options)?;
    let earlier = Receipt::read(state.as_deref(), &options).unwrap_or_default();
    // An earlier choice holds: setting up again without --dialect must not change what the agent uses.
    let chosen = earlier.dialect.as_deref().and_then(Dialect::named);
    options.dialect = options
        .dialect
        .or(chosen)
        .or_else(|| earlier_dialect(&options));
    let AgentFiles {
        files,
        manual_steps,
    } = agent_files(&options);
    let mut plan = SetupPlan::new(options, state, SetupAction::Install);
    plan.manual_steps = manual_steps;
    plan.receipt.folders.clone_from(&earlier.folders);
    plan.receipt.dialect = plan
        .options
        .dialect
        .map(|dialect| dialect.name().to_owned());
    for wanted in &files {
        let found = find(wanted, &plan.options)?;
        let receipt = earlier.of(&wanted.path);
        let merge = FileMerge::new(wanted, &found, receipt, &plan.options.command);
        let known = merge.receipt;
        let merged = merge.installed(on_conflict)?;
        let is_same = found.bytes == merged.bytes;
        // A file that does not change needs a new receipt only if the user's own entry is in the place of ours.
        if is_same && (known.is_some() || merged.kept.is_empty()) {
            plan.receipt.files.extend(known.cloned());
        } else {
            let base = merge.base(on_conflict)?.bytes;
            let all = Receipt::all_of(plan.state.as_deref(), &found.real);
            let after = merged.bytes.as_deref().unwrap_or_default();
            let receipt = merge.new_receipt(base.as_deref(), after, &all);
            plan.receipt.files.push(receipt);
        }
        plan.keep(wanted, merged.kept);
        plan.change(wanted, found, merged.bytes)?;
    }
    // What an earlier setup wrote elsewhere is still there, and uninstall has to find it.
    let elsewhere = earlier.elsewhere(&files);
    plan.receipt.files.extend(elsewhere.cloned());
    Ok(plan)
}

/// Plans to remove hashline from an agent's files: the files that setup would write now, and those that the receipt of an earlier setup lists.
///
/// # Errors
///
/// If a file cannot be read or parsed.
pub fn uninstall(
    options: SetupOptions,
    state: Option<PathBuf>,
    on_conflict: OnConflict,
) -> Result<SetupPlan, SetupError> {
    refuse_shared(&options)?;
    let receipt = Receipt::read(state.as_deref(), &options);
    let mut plan = SetupPlan::new(options, state, SetupAction::Uninstall);
    plan.made = receipt.as_ref().map(|receipt| receipt.folders.clone());
    let receipt = receipt.unwrap_or_default();
    let mut files = files_of_any_rights(&plan.options, &receipt);
    let elsewhere: Vec<AgentFile> = receipt
        .elsewhere(&files)
        .filter(|file| plan.is_in_scope(&file.path))
        .map(|file| AgentFile::new(file.path.clone(), file.content.clone()))
        .collect();
    files.extend(elsewhere);
    for wanted in &files {
        let found = find(wanted, &plan.options)?;
        let known = receipt.of(&wanted.path);
        let merge = FileMerge::new(wanted, &found, known, &plan.options.command);
        let merged = merge.uninstalled(on_conflict)?;
        // What is left is not forgotten, so that it can go another time.
        let left = known.filter(|_| !merged.kept.is_empty());
        plan.receipt.files.extend(left.cloned());
        plan.keep(wanted, merged.kept);
        if found.bytes.is_some() {
            plan.change(wanted, found, merged.bytes)?;
        }
    }
    plan.receipt.folders = receipt.folders;
    plan.receipt.dialect = receipt.dialect;
    Ok(plan)
}

impl SetupPlan {
    fn new(options: SetupOptions, state: Option<PathBuf>, action: SetupAction) -> Self {
        Self {
            unusable_receipt: Receipt::unusable(state.as_deref(), &options),
            options,
            action,
            changes: Vec::new(),
            unchanged: Vec::new(),
            kept: Vec::new(),
            manual_steps: Vec::new(),
            receipt: Receipt::default(),
            made: None,
            state,
        }
    }

    fn keep(&mut self, file: &AgentFile, what: Vec<String>) {
        let path = &file.path;
        let kept = what.into_iter().map(|what| KeptEntry {
            path: path.clone(),
            what,
        });
        self.kept.extend(kept);
    }

    fn change(
        &mut self,
        file: &AgentFile,
        found: DiskFile,
        after: Option<Vec<u8>>,
    ) -> Result<(), SetupError> {
        let path = file.path.clone();
        if found.bytes == after {
            self.unchanged.push(path);
            return Ok(());
        }
        if let Ok(metadata) = std::fs::metadata(&found.real) {
            if metadata.permissions().readonly() {
                return Err(SetupError::ReadOnly(path));
            }
            // A file is replaced by renaming another one over it, so its other names would keep the old text.
            if after.is_some() && has_hard_links(&metadata) {
                return Err(SetupError::HardLinked(path));
            }
        }
        self.changes.push(FileChange {
            path,
            real: found.real,
            before: found.bytes,
            after,
            access: file.access,
        });
        Ok(())
    }

    /// Returns whether a file that only the receipt lists is inside the folders that this plan may change.
    fn is_in_scope(&self, path: &Path) -> bool {
        let places = &self.options.places;
        match self.options.scope {
            Scope::Project => path.starts_with(&places.project),
            Scope::User => {
                let own = places.own_folder(self.options.agent);
                path.starts_with(&places.home) || path.starts_with(own)
            }
        }
    }

    /// Writes the changes, all or none, and saves the receipt. Returns the error if only saving the receipt failed.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; files that were written before it are restored.
    pub fn write(self) -> Result<Option<FileError>, SetupError> {
        let lock = SetupLock::acquire(self.state.as_deref())?;
        self.write_locked(&lock)
    }

    /// Writes the plan like [`SetupPlan::write`], under a lock that the caller took before making the plan, so that no other setup ran in between.
    ///
    /// # Errors
    ///
    /// As [`SetupPlan::write`].
    pub fn write_locked(mut self, _lock: &SetupLock) -> Result<Option<FileError>, SetupError> {
        let made = self.replace_files()?;
        match self.action {
            SetupAction::Install => self.receipt.folders.extend(made),
            SetupAction::Uninstall => self.remove_folders(),
        }
        let Some(state) = &self.state else {
            return Ok(None);
        };
        let kept = self.receipt.write(state, &self.options);
        let failed = kept.err();
        Ok(failed.map(|error| FileError::new(state, "keeping the receipt", &error)))
    }

    /// Replaces the files on disk, unless one changed since the plan was made; returns the folders that were created for them.
    fn replace_files(&self) -> Result<Vec<PathBuf>, SetupError> {
        for change in &self.changes {
            // A link may lead elsewhere by now.
            let found = read::read(&change.path)?;
            if found.bytes != change.before || found.real != change.real {
                return Err(SetupError::Changed(change.path.clone()));
            }
        }
        let changes = self.changes.iter();
        let files = changes.map(|change| WholeFile {
            path: &change.real,
            before: change.before.as_deref(),
            after: change.after.as_deref(),
            access: change.access,
        });
        let files: Vec<WholeFile<'_>> = files.collect();
        let lock_files = self.state.as_ref().map(|state| state.join("locks"));
        replace_files(&files, lock_files.as_deref()).map_err(|failed| self.not_replaced(failed))
    }

    fn not_replaced(&self, failed: ReplaceError) -> SetupError {
        let path = |file: usize| self.changes[file].path.clone();
        let first = match failed.error {
            None => SetupError::Changed(path(failed.file)),
            Some(error) => FileError::new(&path(failed.file), failed.doing, &error).into(),
        };
        if failed.left.is_empty() {
            return first;
        }
        SetupError::Stuck {
            first: Box::new(first),
            left: failed.left.into_iter().map(path).collect(),
        }
    }

    /// Removes the empty folders that setup created. Without a receipt, every folder that a file was removed from counts as created by setup.
    fn remove_folders(&self) {
        let top = match self.options.scope {
            Scope::Project => &self.options.places.project,
            Scope::User => &self.options.places.home,
        };
        let may = |folder: &&Path| match &self.made {
            None => *folder != top && folder.starts_with(top),
            Some(made) => made.iter().any(|made| made == *folder),
        };
        let removed = self.changes.iter().filter(|change| change.after.is_none());
        for file in removed {
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

/// Returns the files of an agent. Where no receipt says how a file was set up, its entries are those of a setup with `--allow-edits` and of one
/// without: either may be in it.
fn files_of_any_rights(options: &SetupOptions, receipt: &Receipt) -> Vec<AgentFile> {
    let with = |edits| {
        let options = SetupOptions {
            edits,
            ..options.clone()
        };
        agent_files(&options).files
    };
    let files = with(EditRights::Ask)
        .into_iter()
        .zip(with(EditRights::Allow));
    let both = files.map(|(file, allowing)| match receipt.of(&file.path) {
        Some(_) => file,
        None => AgentFile {
            content: file.content.with(Some(&allowing.content)),
            ..file
        },
    });
    both.collect()
}

/// Refuses a project setup that would write the user's own files, as in the home directory: uninstall could not tell the two scopes apart.
fn refuse_shared(options: &SetupOptions) -> Result<(), SetupError> {
    let real = |path: &Path| without_links(path).unwrap_or_else(|_| path.to_path_buf());
    let files = |scope| {
        let options = SetupOptions {
            scope,
            ..options.clone()
        };
        let files = agent_files(&options).files.into_iter();
        files.map(|file| real(&file.path)).collect::<Vec<_>>()
    };
    let AgentPlaces { project, home, .. } = &options.places;
    let shares = || {
        let own = files(Scope::User);
        files(Scope::Project).iter().any(|path| own.contains(path))
    };
    if options.scope == Scope::Project && (real(project) == real(home) || shares()) {
        return Err(SetupError::Shared(project.clone()));
    }
    Ok(())
}

/// Reads a configuration file. A project may come from a stranger, so symbolic links out of the project or to protected files are refused.
fn find(wanted: &AgentFile, options: &SetupOptions) -> Result<DiskFile, SetupError> {
    let found = read::read(&wanted.path)?;
    if options.scope == Scope::User {
        return Ok(found);
    }
    let project = &options.places.project;
    let real_project = std::fs::canonicalize(project).unwrap_or_else(|_| project.clone());
    let (path, real) = (wanted.path.clone(), found.real.clone());
    let Ok(below) = found.real.strip_prefix(&real_project) else {
        return Err(SetupError::Outside { path, real });
    };
    match wanted.path.strip_prefix(project) {
        Ok(own) if protection(own).covers(below) => Err(SetupError::Protected { path, real }),
        _ => Ok(found),
    }
}

/// Returns the paths that a link at `own` may not lead to: all protected names, or, if `own` has a protected name itself, only those that no setting
/// unlocks.
fn protection(own: &Path) -> Protection {
    let usual = Protection::default();
    if !usual.covers(own) {
        return usual;
    }
    Protection {
        unlocked: PROTECTED_NAMES
            .iter()
            .map(|row| row.name.to_owned())
            .collect(),
        ..usual
    }
}

/// Returns whether a file has more than one hard link.
#[cfg(unix)]
fn has_hard_links(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink() > 1
}

#[cfg(not(unix))]
fn has_hard_links(_metadata: &std::fs::Metadata) -> bool {
    false
}
