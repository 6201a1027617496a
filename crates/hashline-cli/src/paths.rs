//! Paths that a person names on the command line, and the roots they lie in.

use std::path::{Path, PathBuf};

use hashline_core::Code;
use hashline_session::words::read_refusal;
use hashline_session::{Start, around, discover};
use hashline_wire::Refusal;
use hashline_workspace::DiskFault;
use hashline_workspace::config::UserConfig;

use crate::args::Global;
use crate::given::given;
use crate::refusals;

/// A path that was named: how the workspace is asked for it, and how it was typed.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// How it is asked for.
    pub(crate) path: String,
    /// How it was typed.
    pub(crate) typed: String,
}

/// Returns the start of a command that was given some paths. One that lies outside of the roots adds its own folder, for this call.
pub(crate) fn start(global: &Global, typed: &[String]) -> Result<(Start, Vec<Named>), Refusal> {
    let working = working(global, typed)?;
    let mut start = Start {
        given: given(global)?,
        ..Start::of_user()
    };
    let allowed = match global.root.as_slice() {
        [] => UserConfig::read(start.user_file.as_deref(), &start.given)
            .map_err(|error| read_refusal(&error))?,
        _ => UserConfig::default(),
    };
    start.roots = roots(global, &allowed, &working);
    let named = typed
        .iter()
        .map(|typed| named(typed, working.path(), &mut start.roots))
        .collect();
    start.base = Some(working.path().to_path_buf());
    Ok((start, named))
}

/// Returns the start of a command that is about no file: it works where there is no working directory any more.
pub(crate) fn start_anywhere(global: &Global) -> Result<Start, Refusal> {
    match std::env::current_dir() {
        Err(_) if global.root.is_empty() => Ok(Start {
            given: given(global)?,
            ..Start::of_user()
        }),
        _ => Ok(start(global, &[])?.0),
    }
}

/// Returns the start of a command that looks at what is wrong: a configuration that cannot be used names no roots.
pub(crate) fn start_without_config(global: &Global) -> Result<Start, Refusal> {
    let working = working(global, &[])?;
    let start = Start {
        given: given(global)?,
        ..Start::of_user()
    };
    let allowed = UserConfig::read(start.user_file.as_deref(), &start.given);
    Ok(Start {
        roots: roots(global, &allowed.unwrap_or_default(), &working),
        base: Some(working.path().to_path_buf()),
        ..start
    })
}

/// Returns the roots: those on the command line, else those of the configuration, else the one around the working directory.
fn roots(global: &Global, allowed: &UserConfig, working: &Working) -> Vec<PathBuf> {
    match (global.root.as_slice(), allowed.roots(), working) {
        ([], [], Working::Here(working)) => vec![discover(working)],
        ([], [], Working::Gone) => Vec::new(),
        ([], roots, _) => roots.to_vec(),
        (roots, _, _) => roots.iter().map(|root| working.path().join(root)).collect(),
    }
}

/// Says of a path in a folder that is not there that there is no such file: that it lies outside helps nobody who mistyped it.
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

/// Where relative paths begin.
enum Working {
    Here(PathBuf),
    /// Somebody deleted it. Relative paths begin at the very top then, and lie in no root that was not given.
    Gone,
}

impl Working {
    fn path(&self) -> &Path {
        match self {
            Self::Here(working) => working,
            Self::Gone => Path::new("/"),
        }
    }
}

/// Finds the working directory. Whoever names everything by its whole path can do without.
fn working(global: &Global, typed: &[String]) -> Result<Working, Refusal> {
    let whole = |path: &Path| path.is_absolute();
    match std::env::current_dir() {
        Ok(working) => Ok(Working::Here(working)),
        Err(_)
            if !typed.is_empty()
                && typed.iter().all(|typed| whole(Path::new(typed)))
                && global.root.iter().all(|root| whole(root)) =>
        {
            Ok(Working::Gone)
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
    let asked = std::fs::canonicalize(folder).ok().and_then(|real| {
        around(roots, &real);
        // What goes upward or through a link is taken by where it really leads: no request can say so, but a person can.
        let there = name.map_or(real.clone(), |name| real.join(name));
        let there = followed(&there, roots).unwrap_or(there);
        (there != whole).then_some(there)
    });
    let asked = asked.as_deref().and_then(Path::to_str);
    Named {
        path: asked.unwrap_or(typed).to_owned(),
        typed: typed.to_owned(),
    }
}

/// Returns where a link leads, if that lies in a folder that may be touched. A link adds no folder: whoever made it may be somebody else.
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
