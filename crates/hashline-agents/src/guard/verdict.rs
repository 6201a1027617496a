//! The guard's answer about a command line: the verdict, the command and file it found, why it could not decide, and what to run instead.

use std::path::Path;

use hashline_wire::shell;

/// Whether a shell command line would read or write workspace files without hashline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The guard found no command that shows or changes a workspace file. The value is the reason if the guard could not check the whole
    /// command line.
    Allow(Option<Unsure>),
    /// The command line shows the content of a workspace file without anchors.
    ReadBypass(Bypass),
    /// The command line creates or changes a workspace file. A command line that both shows and changes files gets this verdict.
    WriteBypass(Bypass),
}

impl Verdict {
    /// The verdict for a command line that was checked completely and neither shows nor changes a workspace file.
    pub const ALLOW: Self = Self::Allow(None);

    /// Returns the name of the verdict for programs; it does not change between versions.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Allow(_) => "allow",
            Self::ReadBypass(_) => "read-bypass",
            Self::WriteBypass(_) => "write-bypass",
        }
    }
}

/// The command, and the file it would read or write, that made the guard object to a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bypass {
    /// The name of the command that reads or writes, without its directory; `>` for a redirection without a command.
    pub command: String,
    /// The file that is read or written; `None` if the command does not name it, as with `git apply`.
    pub file: Option<BypassFile>,
}

/// A file as the command line names it, after quote removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BypassFile {
    /// A path that is written out in the command line.
    Named(String),
    /// A path that contains a variable, a glob or a substitution, or that an inline program computes.
    Computed(String),
    /// Files whose names another command prints, such as `find` before `xargs`.
    Listed {
        /// The path, with `{}` for the part that is not known.
        path: String,
        /// The name of the command that prints the file names, such as `find`.
        by: String,
    },
}

impl BypassFile {
    /// Returns the path of the file as the command line writes it, without quotes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Named(path) | Self::Computed(path) | Self::Listed { path, .. } => path,
        }
    }
}

// Such a command line is allowed: the guard is advice, and a false alarm costs more trust than a missed trick.
/// Why the guard could not check a command line, which it then allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsure {
    /// The command line is longer than [`LONGEST`](crate::guard::LONGEST).
    TooLong,
    /// Brackets, substitutions or shells inside shells are nested too deeply.
    TooDeep,
    /// The command line, or code inside it such as the argument of `bash -c`, is not valid shell syntax.
    NotShell,
}

impl Unsure {
    /// Returns the name of the reason for programs; it does not change between versions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooLong => "too-long",
            Self::TooDeep => "too-deep",
            Self::NotShell => "not-shell",
        }
    }

    /// Returns the reason as a clause for a sentence to the user.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::TooLong => "the command line is longer than 64 KiB",
            Self::TooDeep => "it is nested too deeply",
            Self::NotShell => "it is not a complete shell command",
        }
    }
}

/// Placeholder in a suggested command for a path that is not known.
const PATH: &str = "PATH";

/// What to run instead of a command that reads or writes files without hashline. People, models and programs get the same sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardAdvice {
    /// A sentence that says what the command line would do and which command to use instead.
    pub message: String,
    /// The `hashline` command to use instead, with `PATH` as a placeholder if `hashline read` needs a path that is not known.
    pub instead: String,
}

impl Verdict {
    /// Returns what to run instead of the command line; `None` if the command line is allowed.
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
