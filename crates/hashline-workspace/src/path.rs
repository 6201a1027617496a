//! Checks on the text of requested paths, made before the disk is touched, and the file names that no edit may write.
//!
//! Paths are not trimmed, unquoted or normalised: the bytes that are checked are the bytes that are used.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf, is_separator};

use crate::error::{DiskFault, Error, PathFault};
use crate::protected_names::{PROTECTED_NAMES, ProtectedName};

/// The length limit of a requested path, in bytes.
const LONGEST_PATH: usize = 4096;
/// The length limit of one name in a path, in bytes.
pub(crate) const LONGEST_NAME: usize = 255;

/// Refuses a path that cannot name a file below a root: empty, too long, with `..` or NUL, or with a slash at the end.
pub(crate) fn check(path: &str) -> Result<(), Error> {
    let names = || path.split(is_separator);
    let fault = match path {
        "" => Some(PathFault::Empty),
        _ if path.contains('\0') => Some(PathFault::Nul),
        _ if path.len() > LONGEST_PATH => Some(PathFault::TooLong),
        _ if names().any(|name| name.len() > LONGEST_NAME) => Some(PathFault::TooLong),
        _ if matches!(names().next_back(), Some("" | ".")) => Some(PathFault::TrailingSlash),
        _ if names().any(|name| name == "..") => Some(PathFault::Upward),
        _ => None,
    };
    fault.map_or(Ok(()), |why| Err(DiskFault::BadPath(why).at(path)))
}

/// Returns the part of an absolute path below `root`; `None` if the path is `root` itself or outside it.
pub(crate) fn below(path: &Path, root: &Path) -> Option<PathBuf> {
    path.strip_prefix(root)
        .ok()
        .filter(|rest| !rest.as_os_str().is_empty())
        .map(Path::to_path_buf)
}

/// Iterates over the normal components of a path, without `.`, `..` and the leading `/`.
pub(crate) fn names(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

/// Returns whether a path has a root or drive of its own and so cannot be joined to a folder: absolute paths, and on Windows also `C:a` and
/// `\a`.
pub(crate) fn begins_elsewhere(path: &Path) -> bool {
    let first = path.components().next();
    matches!(first, Some(Component::Prefix(_) | Component::RootDir))
}

/// Names of folders that no edit ever writes to, in any spelling that a file system accepts.
const CLOSED: [&str; 2] = [".git", ".hashline"];

/// The beginnings of the 8.3 short names of the folders in `CLOSED`: `GIT~1` is `.git`.
const SHORT: [&str; 2] = ["git~", "hashli~"];

/// Which files no request may write, by name and by real path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protection {
    /// Names from [`PROTECTED_NAMES`] that the user allows to be written.
    pub unlocked: Vec<String>,
    /// Further names that may not be written, added by the user.
    pub added: Vec<String>,
    /// Real paths of files and folders that may not be written: the user's configuration and hashline's state.
    pub paths: Vec<PathBuf>,
}

impl Protection {
    /// Returns whether a file below a root is protected because of a name in its path.
    #[must_use]
    pub fn covers(&self, path: &Path) -> bool {
        // Every name counts, not only the last: what lies below `.git` is protected too. Some rows need the folder that a name is in.
        let mut folder = String::new();
        names(path).any(|name| {
            let name = folded(name);
            let covered = self.covers_name(&folder, &name);
            folder = name;
            covered
        })
    }

    /// Returns whether a file is protected because its real path is one of `paths` or below one.
    pub(crate) fn covers_place(&self, real: &Path) -> bool {
        self.paths.iter().any(|place| real.starts_with(place))
    }

    /// Returns whether a name in a folder is protected. Both names must be case-folded already, by `folded`.
    fn covers_name(&self, folder: &str, name: &str) -> bool {
        let is = |listed: &String, name: &str| folded(OsStr::new(listed)) == name;
        let locked = |row: &ProtectedName| !self.unlocked.iter().any(|listed| is(listed, row.name));
        is_closed_form(name)
            || self.added.iter().any(|listed| is(listed, name))
            || (PROTECTED_NAMES.iter()).any(|row| row.covers(folder, name) && locked(row))
    }
}

/// Returns whether a folder with this name is closed to edits and searches (`.git`, `.hashline` and their other spellings).
pub(crate) fn is_closed(name: &OsStr) -> bool {
    // Folding is slow, and a search asks for every name: the first byte rules out most.
    let may_be = match name.as_encoded_bytes().first() {
        Some(&first) => !first.is_ascii() || b".gG".contains(&first),
        None => false,
    };
    may_be && is_closed_form(&folded(name))
}

/// Returns whether a name that `folded` returned is closed to edits and searches.
fn is_closed_form(name: &str) -> bool {
    CLOSED.contains(&name) || SHORT.iter().any(|short| name.starts_with(short))
}

/// Folds a name as the most lenient file system would: ignores case, trailing dots and spaces, NTFS streams and ignorable characters.
fn folded(name: &OsStr) -> String {
    let text = String::from_utf8_lossy(name.as_encoded_bytes());
    let plain = text.split(':').next().unwrap_or_default();
    let seen: String = plain.chars().filter(|&c| !is_ignored(c)).collect();
    // Upper case first: that also folds letters like the long s, which has no lower case of its own.
    let capital = seen.trim_end_matches(['.', ' ']).to_uppercase();
    capital.to_lowercase()
}

/// Returns whether a file system ignores the character when it compares names: HFS+ ignores a few, ext4 with case folding ignores all that
/// Unicode calls ignorable.
fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::path::Path;

    use super::{PROTECTED_NAMES, Protection, check, folded, is_closed};

    #[test]
    fn what_cannot_name_a_file_is_refused_before_the_disk_is_touched() {
        let long = "x".repeat(256);
        let refused = [
            "", "a\0b", "a/", "a/.", ".", "..", "../a", "a/../b", "a/..", &long,
        ];
        for path in refused {
            assert!(check(path).is_err(), "{path:?}");
        }
        let (name, path) = ("x".repeat(255), "x/".repeat(2047) + "xx");
        assert_eq!(path.len(), 4096);
        for longest in [&name, &path] {
            assert!(check(longest).is_ok());
            assert!(check(&format!("{longest}x")).is_err());
        }
        for path in ["a", "a b", "\"a\"", "~", "a/./b", "...", "a..b", " a"] {
            assert!(check(path).is_ok(), "{path:?}");
        }
    }

    #[test]
    fn every_guarded_name_is_protected_unless_it_is_unlocked() {
        let usual = Protection::default();
        for (index, row) in PROTECTED_NAMES.iter().enumerate() {
            assert_eq!(folded(OsStr::new(row.name)), row.name, "as it is compared");
            assert!(!row.why.is_empty());
            let again = PROTECTED_NAMES[..index]
                .iter()
                .any(|before| before.name == row.name);
            assert!(!again, "{} is listed twice", row.name);
            let open = Protection {
                unlocked: vec![row.name.to_owned()],
                ..Protection::default()
            };
            let name = row.name.replace('*', "some");
            let spellings = [
                name.clone(),
                name.to_uppercase(),
                format!("deep/down/{name}"),
                format!("{name}/below"),
                format!("{name}."),
                format!("{name} "),
                format!("{name}::$DATA"),
                format!("\u{200d}{name}\u{ad}"),
            ];
            for path in spellings {
                assert!(usual.covers(Path::new(&path)), "{path}");
                assert!(!open.covers(Path::new(&path)), "{path}");
            }
            for path in [format!("x{}", name.replace('/', "x/x")), format!("{name}x")] {
                let other = PROTECTED_NAMES.iter().any(|other| other.name == path);
                let covered = usual.covers(Path::new(&path));
                assert!(!covered || other || row.name.starts_with('*'), "{path}");
            }
        }
    }

    #[test]
    fn what_shells_git_and_agents_obey_when_they_start_is_protected() {
        let obeyed = [
            ".bashrc",
            "home/.zshenv",
            ".profile",
            ".gitconfig",
            ".gitmodules",
            ".ripgreprc",
            "mise/config.toml",
            "simple-git-hooks.cjs",
            ".lintstagedrc.mjs",
            ".run/Test.run.xml",
            ".agents/skills/a/SKILL.md",
            ".rules",
        ];
        for path in obeyed {
            assert!(Protection::default().covers(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_only_a_build_runs_is_not_protected() {
        let everyday = [
            "package.json",
            "Makefile",
            "build.rs",
            ".npmrc",
            ".env",
            ".gitignore",
            ".github/workflows/ci.yml",
            "src/hooks/use.ts",
            ".cargo/config.toml",
            "AGENTS.md",
            "code-workspace",
            "my.code-workspace.md",
            "src/mise.toml.rs",
            "config.toml",
            "run",
            "rules",
            "agents/mod.rs",
        ];
        for path in everyday {
            assert!(!Protection::default().covers(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn protected_names_are_known_in_every_spelling() {
        let protection = Protection::default();
        let closed = [
            ".git/config",
            "sub/.git/hooks/pre-commit",
            ".GIT/config",
            ".git./config",
            ".git /config",
            ".git::$INDEX_ALLOCATION/config",
            ".g\u{200c}it/config",
            "git~1/config",
            "HASHLI~1/journal",
            ".g\u{ad}it/config",
            ".ha\u{17f}hline/journal",
            ".v\u{17f}code/tasks.json",
            ".hashline/journal",
            ".claude/settings.json",
            "sub/.MCP.json",
            ".vscode/tasks.json",
        ];
        for path in closed {
            assert!(protection.covers(Path::new(path)), "{path}");
        }
        for path in [".gitignore", "git/a", "src/.github", "a.git"] {
            assert!(!protection.covers(Path::new(path)), "{path}");
        }
        let open = Protection {
            unlocked: vec![".claude".to_owned()],
            added: vec!["secret".to_owned()],
            ..Protection::default()
        };
        assert!(!open.covers(Path::new(".claude/settings.json")));
        assert!(open.covers(Path::new("a/Secret")));
        let folded = Protection {
            added: ["straße", "a.", "x:y"].map(str::to_owned).to_vec(),
            ..Protection::default()
        };
        for name in ["straße", "STRASSE", "a", "A.", "x:z"] {
            assert!(folded.covers(Path::new(name)), "{name}");
        }
        assert!(open.covers(Path::new(".git/config")));
    }

    #[test]
    fn no_search_enters_a_closed_name_however_it_is_spelled() {
        for name in [
            ".git",
            ".GIT",
            "GIT~1",
            ".hashline",
            "\u{200c}.git",
            "g\u{200c}it~1",
        ] {
            assert!(is_closed(OsStr::new(name)), "{name:?}");
        }
        for name in ["", ".", ".gitignore", ".claude", "git", "Git", "é", "src"] {
            assert!(!is_closed(OsStr::new(name)), "{name:?}");
        }
    }
}
