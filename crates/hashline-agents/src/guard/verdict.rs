//! What the guard answers: a verdict, what it recognised, why it could not tell, and what to do instead.

use std::path::Path;

use hashline_wire::shell;

/// What a command line would do without hashline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither shows nor changes a workspace file, as far as the guard can tell. Has a reason if the guard could not tell.
    Allow(Option<Unsure>),
    /// Shows the content of a workspace file without anchors.
    ReadBypass(Bypass),
    /// Creates or changes a workspace file. A command line that does both is a write.
    WriteBypass(Bypass),
}

impl Verdict {
    /// Nothing to object to, and no doubt about it.
    pub const ALLOW: Self = Self::Allow(None);

    /// Returns the stable name of the verdict.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Allow(_) => "allow",
            Self::ReadBypass(_) => "read-bypass",
            Self::WriteBypass(_) => "write-bypass",
        }
    }
}

/// What was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bypass {
    /// The command that reads or writes, without its directory; the operator if there is only a redirection.
    pub command: String,
    /// The file, unless the command does not name one (`git apply`).
    pub file: Option<BypassFile>,
}

/// A file as the command line names it, after quote removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BypassFile {
    /// A path that is known to the letter.
    Named(String),
    /// A path with a variable, a glob or a substitution in it, or one that a program computes.
    Computed(String),
    /// Files that another command lists: `find`, `fd`, `ls`.
    Listed {
        /// The path, with `{}` for what is not known.
        path: String,
        /// The command that lists them.
        by: String,
    },
}

impl BypassFile {
    /// Returns it as the command line names it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Named(path) | Self::Computed(path) | Self::Listed { path, .. } => path,
        }
    }
}

// Such a command line is allowed: the guard is advice, and a false alarm costs more trust than a missed trick.
/// Why the guard could not tell. It allows such a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsure {
    /// The text is longer than [`LONGEST`](crate::guard::LONGEST).
    TooLong,
    /// Brackets or substitutions are nested deeper than the parser follows.
    TooDeep,
    /// The text, or text in it that is run as shell code, is not shell.
    NotShell,
}

impl Unsure {
    /// Returns the stable name of the reason.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooLong => "too-long",
            Self::TooDeep => "too-deep",
            Self::NotShell => "not-shell",
        }
    }

    /// Returns the reason in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::TooLong => "the command line is longer than 64 KiB",
            Self::TooDeep => "it is nested too deeply",
            Self::NotShell => "it is not a complete shell command",
        }
    }
}

/// Stands for a path that is not known.
const PATH: &str = "PATH";

/// What to do instead of a bypass. People, models and programs get the same sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardAdvice {
    /// What the command line would do.
    pub message: String,
    /// The command that does it with anchors. It has `PATH` in place of a path that is not known.
    pub instead: String,
}

impl Verdict {
    /// Returns what to do instead of a bypass; `None` if there is none.
    #[must_use]
    pub fn advice(&self) -> Option<GuardAdvice> {
        let (bypass, does) = match self {
            Self::Allow(_) => return None,
            Self::ReadBypass(bypass) => (bypass, "shows"),
            Self::WriteBypass(bypass) => (bypass, "changes"),
        };
        let path = match &bypass.file {
            Some(BypassFile::Named(path)) => Some(shell::path(Path::new(path))),
            // What the shell computes would be computed again, and what a command lists is not one file.
            _ => None,
        };
        let instead = match (self, path) {
            // An edit needs the revision that the headline names.
            (Self::ReadBypass(_), path) => {
                format!("hashline read --header {}", path.as_deref().unwrap_or(PATH))
            }
            (_, Some(path)) => format!("hashline apply {path}"),
            // The request names the file.
            (_, None) => "hashline apply".to_owned(),
        };
        let message = format!(
            "`{}` {does} {} without anchors; use `{instead}`",
            bypass.command,
            file(bypass)
        );
        Some(GuardAdvice { message, instead })
    }
}

fn file(bypass: &Bypass) -> String {
    match &bypass.file {
        Some(BypassFile::Listed { by, .. }) => format!("the files that `{by}` lists"),
        Some(file) => file.as_str().to_owned(),
        None => "files".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(file: Option<BypassFile>) -> Verdict {
        let command = "tee".to_owned();
        Verdict::WriteBypass(Bypass { command, file })
    }

    #[test]
    fn a_path_with_a_space_stays_one_word() {
        let advice = write(Some(BypassFile::Named("my notes.md".to_owned()))).advice();
        let instead = advice.map(|advice| advice.instead);
        assert_eq!(instead.as_deref(), Some("hashline apply 'my notes.md'"));
    }

    #[test]
    fn a_path_that_is_computed_is_no_argument() {
        let advice = write(Some(BypassFile::Computed("$f".to_owned()))).advice();
        let message = "`tee` changes $f without anchors; use `hashline apply`".to_owned();
        let instead = "hashline apply".to_owned();
        assert_eq!(advice, Some(GuardAdvice { message, instead }));
    }

    #[test]
    fn files_that_are_listed_are_told_by_who_lists_them() {
        let (path, by) = ("./{}*.js".to_owned(), "find".to_owned());
        let advice = write(Some(BypassFile::Listed { path, by })).advice();
        let message = advice.map(|advice| advice.message).unwrap_or_default();
        let expected =
            "`tee` changes the files that `find` lists without anchors; use `hashline apply`";
        assert_eq!(message, expected);
    }

    #[test]
    fn what_reads_a_file_can_be_run_as_it_stands() {
        let read = |file| {
            let command = "cat".to_owned();
            let advice = Verdict::ReadBypass(Bypass { command, file }).advice();
            advice.map(|advice| advice.instead).unwrap_or_default()
        };
        let named = |path: &str| read(Some(BypassFile::Named(path.to_owned())));
        assert_eq!(named("a.rs"), "hashline read --header a.rs");
        assert_eq!(named("-dash.py"), "hashline read --header ./-dash.py");
        assert_eq!(named("-a b"), "hashline read --header './-a b'");
        let computed = read(Some(BypassFile::Computed("$f".to_owned())));
        assert_eq!(computed, "hashline read --header PATH");
        assert_eq!(read(None), "hashline read --header PATH");
    }

    #[test]
    fn nothing_is_said_of_what_is_allowed() {
        assert_eq!(Verdict::ALLOW.advice(), None);
    }
}
