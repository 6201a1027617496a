//! Looking without editing: where anchors land now, and what changed since a revision.

use std::path::Path;

use hashline_core::anchor::{Anchor, Tag};
use hashline_core::dialect::Dialect;
use hashline_core::disk::DiskError;
use hashline_core::edit::{EditNo, Target};
use hashline_core::error::{AnchorProblem, AnchorsRefused, Problem};
use hashline_core::policy::Context;
use hashline_core::since::Since;
use hashline_core::text::{Document, LineNo, LineSpan, RevPrefix};
use hashline_core::verified::Verified;
use hashline_core::{Landed, Shown, locate};
use hashline_wire::Refusal;
use hashline_workspace::ledger::ShownBy;

use crate::reading::refuse;
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

    /// Finds the lines from one end to another, for somebody who is not shown them: an end is the number of a line as it is now, or an
    /// anchor. If one has no place, the lines around where it was are part of the refusal, and count as shown.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or an end has no place.
    pub fn locate(
        &self,
        path: &str,
        (first, last): (&str, &str),
        dialect: Dialect,
        context: Context,
    ) -> Result<(Document, LineSpan), Refusal> {
        let read = self.service.workspace.read(path)?;
        let document = &read.document;
        let one = |target| self.land(&read.path, document, None, target, dialect);
        let end = |end: &str| match end.parse::<u64>() {
            Ok(number) => numbered(document, number, end),
            Err(_) => one(Target::Line(end.into())).map(|landed| landed.span),
        };
        let is_number = |end: &str| end.parse::<u64>().is_ok();
        let span = match is_number(first) || is_number(last) {
            true => end(first).and_then(|first| Ok((first, end(last)?))),
            false => one(Target::Range(first.into(), last.into()))
                .map(|landed| (landed.span, landed.span)),
        };
        match span {
            Ok((first, last)) => {
                let end = last.end().max(first.end());
                Ok((read.document, LineSpan::new(first.start()..end)))
            }
            Err(refused) => {
                let windows = refused.windows(context);
                self.showed_now(&read.path, &read.document, windows, dialect);
                Err(refuse(path, refused))
            }
        }
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

    pub(crate) fn showed_now(
        &self,
        file: &Path,
        document: &Document,
        spans: Vec<LineSpan>,
        dialect: Dialect,
    ) {
        let spans = spans.into_iter().filter(|span| !span.is_empty());
        let spans = LineSpan::merged(spans.collect());
        let shows = self.shows(dialect.scheme, &spans, None, ShownBy::Read);
        if !spans.is_empty() {
            self.service.kept.ledger().showed(file, document, &shows);
        }
    }
}

/// Finds a line by its number as it is now.
fn numbered(document: &Document, number: u64, spelled: &str) -> Result<LineSpan, AnchorsRefused> {
    let lines = document.line_count();
    match LineNo::from_claim(number).filter(|line| line.index() < lines) {
        Some(line) => Ok(LineSpan::of(line)),
        None => Err(AnchorsRefused {
            document: document.clone(),
            problems: vec![Problem {
                edit: EditNo::from_index(0),
                claim: spelled.into(),
                // Nobody named a tag; the number is what the words are made from.
                anchor: Tag::new("0").map(|tag| Anchor {
                    line: number,
                    tag,
                    text: None,
                }),
                trouble: AnchorProblem::OutOfRange,
                near: LineSpan::new(lines.saturating_sub(1)..lines),
                excerpt: None,
            }],
            standing: Vec::new(),
        }),
    }
}

/// Reads `first..last` as a range, anything else as one anchor.
fn target(anchor: &str) -> Target {
    match anchor.split_once("..") {
        Some((first, last)) => Target::Range(first.into(), last.into()),
        None => Target::Line(anchor.into()),
    }
}
