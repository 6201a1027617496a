//! What to do instead: the words for a bypass, the same for a person, a model and an object.

use crate::guard::verdict::{Bypass, BypassFile, Verdict};

/// Stands for a path that nobody can know.
const PATH: &str = "PATH";

/// What is said to somebody whose command line goes past the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardAdvice {
    /// What the command line would do.
    pub message: String,
    /// The command that does it with anchors. `PATH` in it stands for a path that nobody can know.
    pub instead: String,
}

impl Verdict {
    /// Returns what to do instead of a bypass; nothing if there is none.
    #[must_use]
    pub fn advice(&self) -> Option<GuardAdvice> {
        let (bypass, does) = match self {
            Self::Allow(_) => return None,
            Self::ReadBypass(bypass) => (bypass, "shows"),
            Self::WriteBypass(bypass) => (bypass, "changes"),
        };
        let path = match &bypass.file {
            Some(BypassFile::Named(path)) => Some(quoted(path)),
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
        Some(file) => file.as_str().to_owned(),
        None => "files".to_owned(),
    }
}

/// Writes a path as a shell reads it as one word, and as no program takes it for an option.
fn quoted(path: &str) -> String {
    let path = match path.starts_with('-') {
        true => format!("./{path}"),
        false => path.to_owned(),
    };
    match shlex::try_quote(&path) {
        Ok(word) => word.into_owned(),
        // Only a NUL cannot be quoted, and no command line has one.
        Err(_) => path,
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
