//! The query of a search: the pattern, the files to search, and limits on what is shown.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicUsize;

use hashline_core::scheme::Scheme;

use crate::encoding::TextEncoding;
use crate::ledger::Ledger;

/// The query of a search over files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The text or regular expression to search for.
    pub pattern: Pattern,
    /// Whether upper and lower case letters differ.
    pub case: Case,
    /// Whether a match may be part of a longer word.
    pub extent: Extent,
    /// Files and folders inside the roots; empty to search all roots. A file that is listed is searched even if ignore rules exclude it.
    pub paths: Vec<String>,
    /// Only files after this one, in the order of paths, are searched: so the next search continues where an answer ended.
    pub beyond: Option<String>,
    /// Globs relative to the root. The last glob that matches a path decides; a glob that begins with `!` excludes.
    pub globs: Vec<String>,
    /// File types to search or to leave out.
    pub types: Vec<TypeChoice>,
    /// The encoding of all files, if the caller names one.
    pub encoding: Option<TextEncoding>,
    /// Whether files and folders whose names begin with a dot are searched.
    pub hidden: bool,
    /// Whether `.ignore`, `.gitignore` and `.git/info/exclude` are obeyed. If not, they are not read.
    pub ignore_rules: bool,
    /// How many lines are shown before a match.
    pub before: usize,
    /// How many lines are shown after a match.
    pub after: usize,
    /// Limits on how much is shown.
    pub most: Most,
    /// The number of threads; `None` for as many as the machine has.
    pub threads: Option<NonZeroUsize>,
}

/// The pattern that is matched against each line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A literal text.
    Fixed(String),
    /// A regular expression.
    Regex(String),
}

/// Whether upper and lower case letters differ in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// Upper and lower case differ.
    #[default]
    Sensitive,
    /// Upper and lower case do not differ.
    Insensitive,
    /// Upper and lower case differ only if the pattern has an upper-case letter.
    Smart,
    /// Upper and lower case do not differ: a fixed text matches if the line in lower case, by the full Unicode rules, contains the text in lower
    /// case. The original tool 004 searches like this; the result differs from `Insensitive` for letters such as `İ`, whose lower case is two
    /// characters. Regular expressions and whole words are matched as with `Insensitive`.
    LowerCased,
}

/// Whether a match may be part of a longer word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// A match may be anywhere in the line.
    #[default]
    Anywhere,
    /// A match must not be part of a longer word.
    Words,
}

/// A file type to search or to leave out. The names of file types are those of ripgrep, such as `rust`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeChoice {
    /// Only files of this type are searched, or of another type chosen with `Only`.
    Only(String),
    /// Files of this type are not searched.
    Except(String),
}

/// Limits on how much of the result is shown. The first matches in the byte order of paths are shown, the others are only counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// The maximum number of matching lines in all files together.
    pub matches: usize,
    /// The maximum number of matching lines in one file.
    pub matches_a_file: usize,
    /// The maximum number of files.
    pub files: usize,
    /// The maximum number of bytes in all files together: of lines with their anchors, and of what is written above them. A line counts as
    /// [`line_cost`] bytes.
    ///
    /// [`line_cost`]: hashline_core::render::line_cost
    pub bytes: usize,
    /// The maximum number of bytes of shown lines in one file.
    pub bytes_a_file: usize,
}

/// The caller who is shown the result, and where the shown lines are recorded.
#[derive(Clone, Copy)]
pub struct Audience<'a> {
    /// The scheme with which tags are computed.
    pub scheme: Scheme,
    /// The caller's session; `None` for a caller without one.
    pub session: Option<&'a str>,
    /// The ledger that records the shown lines; `None` to record nothing.
    pub ledger: Option<&'a dyn Ledger>,
    /// A counter of searched files, for a progress display.
    pub seen: Option<&'a AtomicUsize>,
}

impl Query {
    /// Makes a query for a pattern in all files of the roots that are not hidden or ignored.
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
            encoding: None,
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
    /// The largest limit on matching lines that a request or the configuration can set.
    pub const MAX_MATCHES: usize = 1000;

    /// Returns limits that show the whole result.
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
