//! Looking without editing: where anchors land now, and what changed since a revision.

use std::path::Path;

use hashline_core::dialect::Dialect;
use hashline_core::disk::DiskError;
use hashline_core::edit::Target;
use hashline_core::error::AnchorsRefused;
use hashline_core::policy::Context;
use hashline_core::since::Since;
use hashline_core::text::{Document, LineSpan, RevPrefix};
use hashline_core::verified::Verified;
use hashline_core::{Landed, Shown, locate};
use hashline_workspace::ledger::ShownBy;

use crate::service::Session;

impl Session<'_> {
    /// Finds where anchors land now; `first..last` is a range. The lines there, or around where they were, count as shown.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn verify(
        &self,
        path: &str,
        rev: Option<&RevPrefix>,
        anchors: &[String],
        dialect: Dialect,
        context: Context,
    ) -> Result<Verified, DiskError> {
        let read = self.service.workspace.read(path)?;
        let document = &read.document;
        let land = |anchor: &String| {
            let target = target(anchor);
            let landed = self.land(&read.path, document, rev, target, dialect);
            (anchor.clone(), landed)
        };
        let anchors: Vec<_> = anchors.iter().map(land).collect();
        let spans = anchors.iter().flat_map(|(_, landed)| match landed {
            Ok(landed) => vec![landed.span],
            Err(refused) => refused.windows(context),
        });
        self.showed_now(&read.path, document, spans.collect(), dialect);
        Ok(Verified {
            path: path.to_owned(),
            document: read.document,
            anchors,
        })
    }

    /// Finds out which lines changed since a revision that was shown. The lines that came count as shown.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn since(&self, path: &str, rev: &RevPrefix, dialect: Dialect) -> Result<Since, DiskError> {
        let read = self.service.workspace.read(path)?;
        let history = self.service.kept.ledger().history(&read.path);
        let since = Since::new(path, &history, rev, &read.document);
        let spans = since.came();
        self.showed_now(&read.path, &read.document, spans, dialect);
        Ok(since)
    }

    /// Finds the lines an anchor names, by what this caller was shown.
    pub(crate) fn land(
        &self,
        file: &Path,
        document: &Document,
        rev: Option<&RevPrefix>,
        target: Target,
        dialect: Dialect,
    ) -> Result<Landed, AnchorsRefused> {
        let history = self.service.kept.ledger().history(file);
        let shown = match self.name {
            Some(name) => Shown::to_session(&history, name),
            None => Shown::to_anyone(&history),
        };
        let policy = self.service.config.policy(dialect);
        locate(document, &shown, rev, target, &policy)
    }

    fn showed_now(&self, file: &Path, document: &Document, spans: Vec<LineSpan>, dialect: Dialect) {
        let spans = spans.into_iter().filter(|span| !span.is_empty());
        let spans = LineSpan::merged(spans.collect());
        let shows = self.shows(dialect.scheme, &spans, None, ShownBy::Read);
        if !spans.is_empty() {
            self.service.kept.ledger().showed(file, document, &shows);
        }
    }
}

/// Reads `first..last` as a range, anything else as one anchor.
fn target(anchor: &str) -> Target {
    match anchor.split_once("..") {
        Some((first, last)) => Target::Range(first.into(), last.into()),
        None => Target::Line(anchor.into()),
    }
}
