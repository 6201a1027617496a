//! What the guard answers: a verdict, what it recognised, and why it could not tell.

/// What a command line would do behind the editor's back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither reads nor writes past the editor, as far as can be told. The reason is there if it could not be told.
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
    /// The command that reads or writes, without its directory; the operator if a redirection stands alone.
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
}

impl BypassFile {
    /// Returns it as the command line names it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Named(path) | Self::Computed(path) => path,
        }
    }
}

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
            Self::TooDeep => "it is nested too deep",
            Self::NotShell => "it is not a complete shell command",
        }
    }
}
