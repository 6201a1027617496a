//! What is searched for, where, and how much of it is shown.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicUsize;

use hashline_core::scheme::Scheme;

use crate::ledger::Ledger;

/// A search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// What is looked for.
    pub pattern: Pattern,
    /// Whether upper and lower case differ.
    pub case: Case,
    /// Where in a line it may stand.
    pub extent: Extent,
    /// Files and folders inside the roots; none for everything. A file that is named is searched whatever the rules say.
    pub paths: Vec<String>,
    /// Only files that come after this one in the order of answers: with it a search goes on where an answer ended.
    pub beyond: Option<String>,
    /// Globs below the root. The last one that fits a name decides; one that begins with `!` leaves out.
    pub globs: Vec<String>,
    /// Types of files.
    pub types: Vec<TypeChoice>,
    /// Whether files and folders whose names begin with a dot are searched.
    pub hidden: bool,
    /// Whether `.ignore`, `.gitignore` and `.git/info/exclude` are obeyed. Otherwise they are not even read.
    pub ignore_rules: bool,
    /// How many lines are shown before a match.
    pub before: usize,
    /// How many lines are shown after a match.
    pub after: usize,
    /// How much is shown.
    pub most: Most,
    /// How many threads search; nothing for as many as the machine has.
    pub threads: Option<NonZeroUsize>,
}

/// What is looked for, in one line at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A text, as it stands.
    Fixed(String),
    /// A regular expression.
    Regex(String),
}

/// Whether upper and lower case differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// They do.
    #[default]
    Sensitive,
    /// They do not.
    Insensitive,
    /// They do if the pattern has an upper-case letter.
    Smart,
    /// They do not: a fixed text is found if the line, in lower case by the full Unicode rules, contains the text in lower case. That is
    /// how seed 004 searches; it differs from `Insensitive` for letters such as `İ`, whose lower case is two characters. Regular expressions
    /// and whole words are matched as with `Insensitive`.
    LowerCased,
}

/// Where in a line a match may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Anywhere.
    #[default]
    Anywhere,
    /// Where it is not part of a longer word.
    Words,
}

/// Which files of a type are searched. The names of types are those of ripgrep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeChoice {
    /// Only files of this type, or of others that are chosen so.
    Only(String),
    /// No files of this type.
    Except(String),
}

/// How much is shown. What is beyond is counted, and always the same: the first in the byte order of paths is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Matching lines in all.
    pub matches: usize,
    /// Matching lines of one file.
    pub matches_a_file: usize,
    /// Files.
    pub files: usize,
    /// Bytes of lines in all. A line counts with its text and a little for its anchor.
    pub bytes: usize,
    /// Bytes of lines of one file.
    pub bytes_a_file: usize,
}

/// Who is shown what is found.
#[derive(Clone, Copy)]
pub struct Audience<'a> {
    /// With which tags.
    pub scheme: Scheme,
    /// In which session; nothing for a caller without one.
    pub session: Option<&'a str>,
    /// Where it is written down; nothing if it is not.
    pub ledger: Option<&'a dyn Ledger>,
    /// Counts the files as they are searched, for somebody who watches.
    pub seen: Option<&'a AtomicUsize>,
}

impl Query {
    /// Looks for a pattern in every file of the roots that the rules leave.
    #[must_use]
    pub fn new(pattern: Pattern) -> Self {
        Self {
            pattern,
            case: Case::default(),
            extent: Extent::default(),
            paths: Vec::new(),
            beyond: None,
            globs: Vec::new(),
            types: Vec::new(),
            hidden: false,
            ignore_rules: true,
            before: 0,
            after: 0,
            most: Most::default(),
            threads: None,
        }
    }
}

impl Pattern {
    /// Returns the text or the source of the regular expression.
    #[must_use]
    pub fn source(&self) -> &str {
        match self {
            Self::Fixed(text) | Self::Regex(text) => text,
        }
    }
}

impl Default for Most {
    fn default() -> Self {
        Self {
            matches: 200,
            matches_a_file: 100,
            files: 100,
            bytes: 256 << 10,
            bytes_a_file: 64 << 10,
        }
    }
}

impl Most {
    /// The most matching lines that a request or the configuration can ask for.
    pub const MAX_MATCHES: usize = 1000;

    /// Shows whatever there is, however much.
    #[must_use]
    pub fn everything() -> Self {
        Self {
            matches: usize::MAX,
            matches_a_file: usize::MAX,
            files: usize::MAX,
            bytes: usize::MAX,
            bytes_a_file: usize::MAX,
        }
    }
}

impl std::fmt::Debug for Audience<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Audience")
            .field("scheme", &self.scheme)
            .field("session", &self.session)
            .field("ledger", &self.ledger.is_some())
            .finish()
    }
}
