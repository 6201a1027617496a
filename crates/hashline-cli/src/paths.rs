//! Paths that a person names on the command line, and the roots they lie in.

use std::path::{Component, Path, PathBuf};

use hashline_service::{Start, around, discover};
use hashline_workspace::config::Allowed;

use crate::args::Global;
use crate::given::given;
use crate::trouble::Trouble;

/// A path that was named: how the workspace is asked for it, and how it was typed.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// How it is asked for.
    pub(crate) path: String,
    /// How it was typed.
    pub(crate) typed: String,
}

/// Returns the start of a command that was given some paths. One that lies outside of the roots adds its own folder, for this call.
pub(crate) fn start(global: &Global, typed: &[String]) -> Result<(Start, Vec<Named>), Trouble> {
    let working = std::env::current_dir()
        .map_err(|error| Trouble::system(".", "finding the working directory", &error))?;
    let mut start = Start {
        given: given(global)?,
        ..Start::of_user()
    };
    start.roots = match global.root.as_slice() {
        [] => {
            let allowed = Allowed::read(start.user_file.as_deref(), &start.given)?;
            match allowed.roots() {
                [] => vec![discover(&working)],
                roots => roots.to_vec(),
            }
        }
        roots => roots.iter().map(|root| working.join(root)).collect(),
    };
    let named = typed
        .iter()
        .map(|typed| named(typed, &working, &mut start.roots))
        .collect();
    start.base = Some(working);
    Ok((start, named))
}

fn named(typed: &str, working: &Path, roots: &mut Vec<PathBuf>) -> Named {
    let path = Path::new(typed);
    let whole = working.join(path);
    let is_folder = whole.is_dir();
    let (folder, name) = match (is_folder, whole.file_name()) {
        (false, Some(name)) => (whole.parent().unwrap_or(Path::new("/")), Some(name)),
        _ => (whole.as_path(), None),
    };
    let real = std::fs::canonicalize(folder);
    if let Ok(real) = &real {
        around(roots, real);
    }
    // What goes upward is taken by where it really leads: no request can say so, but a person can.
    let upward = path.components().any(|part| part == Component::ParentDir);
    let asked = match real {
        Ok(real) if upward => name.map_or(real.clone(), |name| real.join(name)),
        _ => path.to_path_buf(),
    };
    Named {
        path: asked.to_str().unwrap_or(typed).to_owned(),
        typed: typed.to_owned(),
    }
}
