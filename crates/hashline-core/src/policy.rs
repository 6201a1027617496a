//! Policies: what the person who starts the program, or the caller of the library, decides.

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
    /// Another engine that edits files in place of ours, as `hashline-reference` does.
    pub engine: Option<&'a dyn Engine>,
    /// How many bytes a file may have after an edit that multiplies text.
    pub max_bytes: usize,
    /// How many lines are shown around a place.
    pub context: Context,
    /// Who can prove that a correction mends the file; without a judge no text is corrected for its syntax.
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

    /// Returns the policies that make a dialect behave as its own definition says. For omp that takes another engine too, which
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

/// Whether a request is carried out or only tried.
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
    /// By what was shown: the line the caller saw, wherever it stands now.
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

/// Whether our defaults hold, or a dialect's own definition to the letter.
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
/// Seed 000's definition has a text model of its own and cannot be expressed as policies of ours; `hashline-reference` is that
/// engine. What a request does with whole files (create, move, delete, rewrite) stays with [`crate::files`].
pub trait Engine {
    /// Edits the lines of a document, or says why not.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`], in the engine's own words.
    fn edit(&self, path: &str, document: &Document, batch: &EditBatch) -> Result<Edited, Error>;
}

/// Judges the syntax of whole files, so that a correction can be proved.
pub trait SyntaxJudge {
    /// Counts the syntax errors in a file's bytes, or returns nothing if it cannot tell.
    fn errors(&self, bytes: &[u8]) -> Option<usize>;
}
