//! Policies: what the person who starts the program, or the caller of the library, decides.
//!
//! A model's request never sets landing or repair: otherwise it could turn off the checks that protect the file.

use std::fmt;

use crate::dialect::Dialect;
use crate::edit::EditBatch;
use crate::error::Error;
use crate::report::Edited;
use crate::text::Document;

/// How edits are landed, repaired and reported.
#[derive(Clone, Copy)]
pub struct Policy<'a> {
    /// The dialect spoken.
    pub dialect: Dialect,
    /// How an anchor becomes a place.
    pub landing: Landing,
    /// When new text may be corrected.
    pub repair: RepairPolicy,
    /// Another engine that edits files instead of this crate's, such as `hashline-reference`.
    pub engine: Option<&'a dyn Engine>,
    /// How many bytes a file may have after a substitution, which can multiply text.
    pub max_bytes: usize,
    /// How many lines are shown around a place.
    pub context: Context,
    /// Counts syntax errors, to prove that a correction repairs the file. Without it no text is corrected for its syntax.
    pub judge: Option<&'a dyn SyntaxJudge>,
}

impl Policy<'_> {
    /// Returns the defaults for a dialect.
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

    /// Returns the policy that makes a dialect behave as its own definition says. For omp that needs another engine as well, which
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
    /// It is carried out.
    #[default]
    Write,
    /// Everything is checked, nothing is written.
    DryRun,
}

/// How an anchor becomes a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// By what was shown: the line the caller saw, wherever it is now.
    Shown,
    /// Number and tag must match the current line; a revision must be the current one.
    Strict,
    /// As the dialect's own definition says, relocation included.
    Seed,
}

/// When new text may be corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairPolicy {
    /// Only with a proof.
    Proven,
    /// As the dialect's own definition says.
    Seed,
    /// Never.
    Off,
}

/// Whether a dialect has our defaults or behaves exactly as its own definition says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Our defaults.
    #[default]
    Default,
    /// The dialect's own definition.
    Seed,
}

/// How many lines are shown around a place: 0 to 50.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context(usize);

impl Context {
    /// The most lines that can be asked for.
    pub const MAX: usize = 50;

    /// Takes a number of lines; more than 50 counts as 50.
    #[must_use]
    pub fn new(lines: usize) -> Self {
        Self(lines.min(Self::MAX))
    }

    /// Returns the number of lines.
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

/// Edits one file in place of this crate's own pipeline.
///
/// Seed 000's definition has a text model of its own, which no policy here can express; `hashline-reference` implements it. What a
/// request does with whole files (create, move, delete, rewrite) stays with [`crate::files`].
pub trait Engine {
    /// Edits the lines of a document.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`], with the engine's own message.
    fn edit(&self, path: &str, document: &Document, batch: &EditBatch) -> Result<Edited, Error>;
}

/// Counts syntax errors in files, so that a correction can be proved.
pub trait SyntaxJudge {
    /// Returns the number of syntax errors; `None` if the file cannot be parsed at all, for example in an unknown language.
    fn errors(&self, bytes: &[u8]) -> Option<usize>;
}
