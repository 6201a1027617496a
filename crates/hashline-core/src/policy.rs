//! Policies: settings of an edit that the user of the program or the caller of the library decides, and not the request.
//!
//! A model's request never sets the policies for landing (finding the line of an anchor) or repair: it could turn off the checks that
//! protect the file.

use std::fmt;

use crate::dialect::Dialect;
use crate::edit::EditBatch;
use crate::error::Error;
use crate::report::Edited;
use crate::text::Document;

/// How edits find their lines, how mistakes are corrected and what is reported.
#[derive(Clone, Copy)]
pub struct Policy<'a> {
    /// The edit format of the request.
    pub dialect: Dialect,
    /// How the line that an anchor means is found.
    pub landing: Landing,
    /// When the new text of an edit may be corrected.
    pub repair: RepairPolicy,
    /// An engine that edits files instead of this crate's own, such as `hashline-reference`.
    pub engine: Option<&'a dyn Engine>,
    /// How many bytes a file may have after a substitution, which can multiply text.
    pub max_bytes: usize,
    /// How many lines are shown around each changed or refused line.
    pub context: Context,
    /// Counts syntax errors, to prove that a correction of the new text makes the file parse. Without a judge no text is corrected
    /// because of its syntax.
    pub judge: Option<&'a dyn SyntaxJudge>,
}

impl Policy<'_> {
    /// Returns the default policy for a dialect.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            landing: Landing::Shown,
            repair: RepairPolicy::Proven,
            engine: None,
            max_bytes: 64 << 20,
            context: Context::default(),
            judge: None,
        }
    }

    /// Returns the policy with which a dialect behaves as its original tool does. Dialect omp also needs another engine, which
    /// `hashline_reference::seed_policy` adds.
    #[must_use]
    pub fn seed(dialect: Dialect) -> Self {
        Self {
            landing: Landing::Seed,
            repair: RepairPolicy::Seed,
            ..Self::new(dialect)
        }
    }
}

impl Default for Policy<'_> {
    fn default() -> Self {
        Self::new(Dialect::default())
    }
}

impl fmt::Debug for Policy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("dialect", &self.dialect.name())
            .field("landing", &self.landing)
            .field("repair", &self.repair)
            .field("engine", &self.engine.is_some())
            .field("context", &self.context)
            .field("judge", &self.judge.is_some())
            .finish()
    }
}

/// Whether a request is carried out or only checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The request is carried out.
    #[default]
    Write,
    /// The request is checked as usual, and nothing is written.
    DryRun,
}

/// How the line that an anchor means is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// The anchor means the line that was shown with it, also if that line is at another number now.
    Shown,
    /// The anchor's number and tag must match the current line; a revision in the request must be the current one.
    Strict,
    /// The anchor is looked up as the original tool of the dialect does, which may search for the line by its tag.
    Seed,
}

/// When the new text of an edit may be corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairPolicy {
    /// New text is corrected only if there is a proof that it contains a mistake.
    Proven,
    /// New text is corrected whenever the original tool of the dialect does so.
    Seed,
    /// New text is never corrected.
    Off,
}

/// Whether a dialect gets hashline's default policy or behaves exactly as its original tool does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Hashline's default policy.
    #[default]
    Default,
    /// The behaviour of the dialect's original tool.
    Seed,
}

/// How many lines are shown around each changed or refused line: 0 to 50.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context(usize);

impl Context {
    /// The largest number of context lines that a caller can request.
    pub const MAX: usize = 50;

    /// Returns a context of this many lines; more than 50 counts as 50.
    #[must_use]
    pub fn new(lines: usize) -> Self {
        Self(lines.min(Self::MAX))
    }

    /// Returns the number of context lines.
    #[must_use]
    pub fn lines(self) -> usize {
        self.0
    }
}

impl Default for Context {
    fn default() -> Self {
        Self(5)
    }
}

/// An engine that edits one file instead of this crate's own steps.
///
/// Seed 000, one of the original tools, treats text in a way that no [`Policy`] can express; `hashline-reference` implements it as an
/// engine. Creating, moving, deleting and rewriting whole files stays with [`crate::files`].
pub trait Engine {
    /// Edits the lines of a document and returns the new document with its report.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`], with a message that the engine wrote.
    fn edit(&self, path: &str, document: &Document, batch: &EditBatch) -> Result<Edited, Error>;
}

/// Counts the syntax errors of a file, to prove that a correction makes the file parse.
pub trait SyntaxJudge {
    /// Returns the number of syntax errors in a file; `None` if the file cannot be parsed, for example because its language is unknown.
    fn errors(&self, bytes: &[u8]) -> Option<usize>;
}
