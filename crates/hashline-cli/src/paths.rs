//! Paths that the user names on the command line, and the roots for them.

use std::path::{Path, PathBuf};

use hashline_core::Code;
use hashline_session::words::read_refusal;
use hashline_session::{ServiceOptions, around, discover};
use hashline_wire::Refusal;
use hashline_workspace::DiskFault;
use hashline_workspace::config::{ConfigOverrides, UserConfig};

use crate::args::Global;
use crate::refusals;

/// A path from the command line, in two forms.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// The path as it is passed to the workspace.
    pub(crate) path: String,
    /// The path as the user typed it, for answers.
    pub(crate) typed: String,
}

/// Returns the service options and the resolved paths for a command. A path outside all roots makes its own folder a root, for this call only.
pub(crate) fn options(
    global: &Global,
    typed: &[String],
) -> Result<(ServiceOptions, Vec<Named>), Refusal> {
    options_with(global, typed, config_overrides(global)?)
}

/// Does the same as [`options`], for a command with options that override more of the configuration than `--set` does.
pub(crate) fn options_with(
    global: &Global,
    typed: &[String],
    overrides: ConfigOverrides,
) -> Result<(ServiceOptions, Vec<Named>), Refusal> {
    let working = working(global, typed)?;
    // Without a working directory every path is absolute, so that any base will do.
    let base = working.clone().unwrap_or_else(|| PathBuf::from("/"));
    let mut options = ServiceOptions {
        overrides,
        ..ServiceOptions::from_env()
    };
    let config = options.read_config()?;
    options.roots = roots(global, &config, working.as_deref());
    options.config = Some(config);
    let named = typed
        .iter()
        .map(|typed| named(typed, &base, &mut options.roots))
        .collect();
    options.base = Some(base);
    Ok((options, named))
}

/// Returns the service options for a command that uses no files, which works even if the working directory was deleted.
pub(crate) fn options_anywhere(global: &Global) -> Result<ServiceOptions, Refusal> {
    match std::env::current_dir() {
        Err(_) if global.root.is_empty() => Ok(ServiceOptions {
            overrides: config_overrides(global)?,
            ..ServiceOptions::from_env()
        }),
        _ => Ok(options(global, &[])?.0),
    }
}

/// Returns the service options for `hashline doctor`, which continues with the default configuration if the user's is invalid, and reports the error.
pub(crate) fn options_without_config(global: &Global) -> Result<ServiceOptions, Refusal> {
    let working = working(global, &[])?;
    let mut options = ServiceOptions {
        overrides: config_overrides(global)?,
        ..ServiceOptions::from_env()
    };
    options.config = options.read_config().ok();
    let config = options.config.clone().unwrap_or_default();
    options.roots = roots(global, &config, working.as_deref());
    options.base = working;
    Ok(options)
}

/// Parses the configuration overrides of the `--set` options.
pub(crate) fn config_overrides(global: &Global) -> Result<ConfigOverrides, Refusal> {
    let mut pairs = global.set.iter();
    pairs
        .try_fold(ConfigOverrides::default(), |set, pair| set.with_pair(pair))
        .map_err(|error| read_refusal(&error))
}

/// Returns the roots: those from the command line, else those of the configuration, else the project around the working directory.
fn roots(global: &Global, config: &UserConfig, working: Option<&Path>) -> Vec<PathBuf> {
    match (global.root.as_slice(), config.roots()) {
        ([], []) => working.map(discover).into_iter().collect(),
        ([], roots) => roots.to_vec(),
        (roots, _) => {
            let base = working.unwrap_or(Path::new("/"));
            roots.iter().map(|root| base.join(root)).collect()
        }
    }
}

/// Replaces the refusal "outside the roots" by "no such file" for a path in a folder that does not exist, because the path is most likely mistyped.
pub(crate) fn outside_or_missing(refusal: Refusal) -> Refusal {
    let is_missing = |path: &str| {
        let folder = Path::new(path).parent();
        folder.is_some_and(|folder| folder != Path::new("") && !folder.exists())
    };
    match (refusal.code(), refusal.path()) {
        (Code::OutsideRoot, Some(path)) if is_missing(path) => {
            read_refusal(&DiskFault::NotFound.at(path))
        }
        _ => refusal,
    }
}

/// Returns the working directory; `None` if it was deleted and all paths are absolute, so that none depends on it.
fn working(global: &Global, typed: &[String]) -> Result<Option<PathBuf>, Refusal> {
    let whole = |path: &Path| path.is_absolute();
    match std::env::current_dir() {
        Ok(working) => Ok(Some(working)),
        Err(_)
            if !typed.is_empty()
                && typed.iter().all(|typed| whole(Path::new(typed)))
                && global.root.iter().all(|root| whole(root)) =>
        {
            Ok(None)
        }
        Err(error) => Err(refusals::system(
            ".",
            "finding the working directory",
            &error,
        )),
    }
}

fn named(typed: &str, working: &Path, roots: &mut Vec<PathBuf>) -> Named {
    let whole = working.join(typed);
    let is_folder = whole.is_dir();
    let (folder, name) = match (is_folder, whole.file_name()) {
        (false, Some(name)) => (whole.parent().unwrap_or(Path::new("/")), Some(name)),
        _ => (whole.as_path(), None),
    };
    let resolved = std::fs::canonicalize(folder).ok().and_then(|real| {
        // A path that a person types is permission enough to touch its folder; paths in requests never add a root.
        around(roots, &real);
        // A path with `..` or through a link is replaced by its real path: requests may not use such paths, but a person may.
        let there = name.map_or(real.clone(), |name| real.join(name));
        let there = followed(&there, roots).unwrap_or(there);
        (there != whole).then_some(there)
    });
    let resolved = resolved.as_deref().and_then(Path::to_str);
    Named {
        path: resolved.unwrap_or(typed).to_owned(),
        typed: typed.to_owned(),
    }
}

/// Returns the target of a symbolic link if the target is inside a root. A link never adds a root, because another user may have created it.
fn followed(link: &Path, roots: &[PathBuf]) -> Option<PathBuf> {
    let stat = std::fs::symlink_metadata(link).ok()?;
    let target = std::fs::canonicalize(link)
        .ok()
        .filter(|_| stat.is_symlink())?;
    let mut real = roots
        .iter()
        .filter_map(|root| std::fs::canonicalize(root).ok());
    real.any(|root| target.starts_with(root)).then_some(target)
}
