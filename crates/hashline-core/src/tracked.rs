//! A document and its history in one value: the simplest API, for callers that do not store histories themselves.

use std::fmt;

use crate::edit::EditBatch;
use crate::error::Error;
use crate::policy::{Context, Policy};
use crate::render;
use crate::report::{Edited, Report};
use crate::scheme::Scheme;
use crate::shown::{History, Shown};
use crate::text::{Document, LineSpan};

/// A document with the record of its revisions and of the lines that were shown.
///
/// A `TrackedDocument` records the lines it shows, its own edits and changes by other programs, so that anchors stay valid after the
/// caller's edits and across changes from outside. A `TrackedDocument` opens no file: the caller reads and writes the bytes.
#[derive(Clone, Debug)]
pub struct TrackedDocument {
    document: Document,
    history: History,
}

/// The result of an edit that was applied.
#[derive(Clone, Debug)]
pub struct TrackedEdit {
    /// What the edit did to the document.
    pub report: Report,
    /// The lines around each change with their new anchors, to be shown to the sender of the edit.
    pub lines: Vec<String>,
}

/// The reason why an edit was refused; the document is unchanged.
#[derive(Clone, Debug)]
pub struct TrackedRefusal {
    /// Why the edit was refused.
    pub error: Error,
    /// The lines that the refusal is about with their current anchors, to be shown to the sender of the edit, who needs them to try
    /// again.
    pub lines: Vec<String>,
}

impl TrackedDocument {
    /// Makes a tracked document of any bytes; they need not be UTF-8.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let document = Document::new(bytes);
        let mut history = History::default();
        history.saw(&document);
        Self { document, history }
    }

    /// Returns the document as it is now.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Replaces the content by bytes that another program wrote.
    pub fn set_bytes(&mut self, bytes: impl Into<Vec<u8>>) {
        self.document = Document::new(bytes);
        self.history.saw(&self.document);
    }

    /// Returns the lines of `span` with their anchors, and records them as shown.
    pub fn show(&mut self, span: LineSpan, scheme: Scheme) -> Vec<String> {
        self.show_all(&[span], scheme)
    }

    /// Applies a batch of edits to the document. The lines in the result or in the refusal are recorded as shown.
    ///
    /// # Errors
    ///
    /// The errors of [`crate::edit()`]; the document is then unchanged.
    pub fn edit(
        &mut self,
        batch: EditBatch,
        policy: &Policy<'_>,
    ) -> Result<TrackedEdit, Box<TrackedRefusal>> {
        let (scheme, context) = (policy.dialect.scheme, policy.context);
        match crate::edit(
            &self.document,
            &Shown::new(&self.history, None),
            batch,
            policy,
        ) {
            Ok(Edited { document, report }) => {
                self.history
                    .wrote(&self.document, &document, &report.changes, None);
                self.document = document;
                let lines = self.show_all(&report.windows(context), scheme);
                Ok(TrackedEdit { report, lines })
            }
            Err(error) => {
                let lines = self.show_all(&fresh_lines(&error, &self.document, context), scheme);
                Err(Box::new(TrackedRefusal { error, lines }))
            }
        }
    }

    fn show_all(&mut self, spans: &[LineSpan], scheme: Scheme) -> Vec<String> {
        self.history.showed(&self.document, None, scheme, spans);
        let lines = spans
            .iter()
            .flat_map(|&span| render::anchored(&self.document, span, scheme));
        lines.map(|line| line.to_string()).collect()
    }
}

/// Returns the lines that a refusal is about, with `context` lines before and after, merged so that no line is repeated.
fn fresh_lines(error: &Error, document: &Document, context: Context) -> Vec<LineSpan> {
    let places = match error {
        Error::Anchors(refused) => return refused.windows(context),
        Error::Overlap(overlap) => vec![overlap.lines],
        Error::FileHash(differs) => differs.near.clone(),
        Error::TextNotUnique(found) => found.lines.iter().map(|&line| LineSpan::of(line)).collect(),
        _ => Vec::new(),
    };
    let wide = places
        .into_iter()
        .map(|span| span.widened(context.lines(), document.line_count()));
    LineSpan::merged(wide.filter(|span| !span.is_empty()).collect())
}

impl fmt::Display for TrackedRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for TrackedRefusal {}
