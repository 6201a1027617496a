//! Lookups: where anchors land now, and what changed since a revision.

use std::path::Path;

use hashline_core::anchor::{Anchor, Tag};
use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditNo, Target};
use hashline_core::error::{AnchorProblem, AnchorsRefused, Problem};
use hashline_core::policy::Context;
use hashline_core::text::{Change, Document, LineNo, LineSpan, RevPrefix, Revision};
use hashline_core::{Code, Landed, Shown, diff, locate};
use hashline_wire::named;
use hashline_wire::refusal::{Failure, Refusal, Written};
use hashline_workspace::ledger::ShownBy;
use hashline_workspace::{FileRead, FileToRead};

use crate::read::refusal_of_anchors;
use crate::service::Session;
use crate::words::read_refusal;

/// The result of checking where anchors of a file land now.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The path of the file.
    pub path: String,
    /// The file as it is now.
    pub document: Document,
    /// For each anchor or range: how the caller wrote it, and the lines it resolves to or why it resolves to none.
    pub anchors: Vec<(String, Result<Landed, AnchorsRefused>)>,
    /// The dialect in which the anchors are written.
    pub dialect: Dialect,
    /// How many lines are shown around an anchor that resolves to no line.
    pub context: Context,
}

/// The changes of a file since a revision that was shown. The changes are given as line numbers, because the ledger stores no text of that revision.
#[derive(Clone, Debug)]
pub struct Since {
    /// The path of the file.
    pub path: String,
    /// The revision as the caller wrote it, possibly shortened.
    pub rev: RevPrefix,
    /// The full revision that the caller's prefix identifies.
    pub from: Revision,
    /// The file as it is now.
    pub document: Document,
    /// The removed lines of the old revision, and the lines that replace them now.
    pub changes: Vec<Change>,
    /// The dialect in which new lines get their anchors.
    pub dialect: Dialect,
}

impl Session<'_> {
    /// Finds the lines that anchors resolve to now; `first..last` is a range of two anchors. Lines that an edit could not replace, because they were
    /// never shown, are refused here too. The lines found, or those that the refusal of an anchor shows, are recorded as shown.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn verify<'f>(
        &self,
        file: impl Into<FileToRead<'f>>,
        rev: Option<&RevPrefix>,
        anchors: &[String],
        dialect: Dialect,
        context: Context,
    ) -> Result<Verified, Refusal> {
        let file = file.into();
        let read = self.read_one(file)?;
        let document = &read.document;
        let land = |anchor: &String| {
            let target = target(anchor);
            let landed = self.land(&read.path, document, rev, target, dialect);
            (anchor.clone(), landed)
        };
        let anchors: Vec<_> = anchors.iter().map(land).collect();
        let spans = anchors.iter().flat_map(|(_, landed)| match landed {
            // Of a range only the first line is printed.
            Ok(landed) => vec![LineSpan::new(landed.span.start()..landed.span.start() + 1)],
            Err(refused) => refused.windows(context),
        });
        self.record_lines(&read.path, document, spans.collect(), dialect);
        Ok(Verified {
            path: file.path.to_owned(),
            document: read.document,
            anchors,
            dialect,
            context,
        })
    }

    /// Finds the range of lines between two ends without showing them; an end is a current line number or an anchor. If an anchor resolves to no
    /// line, the refusal shows the lines around its former place, and they are recorded as shown.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or an end resolves to no line.
    pub fn locate<'f>(
        &self,
        file: impl Into<FileToRead<'f>>,
        (first, last): (&str, &str),
        dialect: Dialect,
    ) -> Result<(Document, LineSpan), Refusal> {
        let file = file.into();
        let read = self.read_one(file)?;
        let document = &read.document;
        let one = |target: Target| {
            let target = target.seen_or_not();
            self.land(&read.path, document, None, target, dialect)
        };
        let end = |end: &str| match end.parse::<u64>() {
            Ok(number) => numbered(document, number, end),
            Err(_) => one(Target::line(end)).map(|landed| landed.span),
        };
        let is_number = |end: &str| end.parse::<u64>().is_ok();
        let span = if is_number(first) || is_number(last) {
            end(first).and_then(|first| Ok((first, end(last)?)))
        } else {
            one(Target::range(first, last)).map(|landed| (landed.span, landed.span))
        };
        match span {
            Ok((first, last)) => {
                let end = last.end().max(first.end());
                Ok((read.document, LineSpan::new(first.start()..end)))
            }
            Err(refused) => {
                let context = Context::default();
                let windows = refused.windows(context);
                self.record_lines(&read.path, &read.document, windows, dialect);
                Err(refusal_of_anchors(file.path, refused, dialect, context))
            }
        }
    }

    /// Finds the lines that changed since a revision that was shown. The ledger records the new lines as shown, so that their anchors can be used.
    ///
    /// # Errors
    ///
    /// If the file cannot be read; `unknown_rev` if that revision was never shown, or had too many lines for the ledger to record them.
    pub fn since<'f>(
        &self,
        file: impl Into<FileToRead<'f>>,
        rev: &RevPrefix,
        dialect: Dialect,
    ) -> Result<Since, Refusal> {
        let file = file.into();
        let read = self.read_one(file)?;
        let document = read.document;
        let history = self.service.state.ledger().history(&read.path);
        let mut recorded = history.recorded().iter().rev();
        let (from, changes) = match recorded.find(|one| rev.matches(one.revision)) {
            _ if rev.matches(document.revision()) => (document.revision(), Vec::new()),
            Some(recorded) => match recorded.fingerprints() {
                Some(before) => {
                    let now = document.fingerprints(history.key());
                    let changes = diff::changes_of(&before, &now);
                    (recorded.revision, changes)
                }
                None => {
                    let why = format!(
                        "the file is too long: its lines at revision {rev} were not recorded"
                    );
                    return Err(unknown_rev(file.path, &why, &document));
                }
            },
            None => {
                let why = format!("revision {rev} was never shown and is not the current one");
                return Err(unknown_rev(file.path, &why, &document));
            }
        };
        let added = changes.iter().map(|change| change.new).collect();
        self.record_lines(&read.path, &document, added, dialect);
        Ok(Since {
            path: file.path.to_owned(),
            rev: rev.clone(),
            from,
            document,
            changes,
            dialect,
        })
    }

    fn read_one(&self, file: FileToRead<'_>) -> Result<FileRead, Refusal> {
        let read = self.service.workspace.read(file);
        read.map_err(|error| read_refusal(&error))
    }

    /// Resolves an anchor or range to lines of the current file, by the lines that this caller was shown.
    pub(crate) fn land(
        &self,
        file: &Path,
        document: &Document,
        rev: Option<&RevPrefix>,
        target: Target,
        dialect: Dialect,
    ) -> Result<Landed, AnchorsRefused> {
        let ledger = self.service.state.ledger();
        let (history, partly_shown) = (ledger.history(file), ledger.partly_shown());
        let shown = Shown::new(&history, self.name).with_partly_shown(&partly_shown);
        let policy = self.service.config.policy(dialect);
        locate(document, &shown, rev, target, &policy)
    }

    /// Records in the ledger that lines of a file were shown to this caller.
    pub(crate) fn record_lines(
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
            self.service.state.ledger().showed(file, document, &shows);
        }
    }
}

fn unknown_rev(path: &str, why: &str, document: &Document) -> Refusal {
    let rev = document.revision().short();
    Refusal {
        written: Written::NotAsked,
        failure: Box::new(Failure {
            path: Some(path.to_owned()),
            rev: Some(rev.clone()),
            ..Failure::new(Code::UnknownRev, format!("{}: {why}", named(path)))
        }),
        also: Vec::new(),
        next: Some(format!("read it again: the file is at rev {rev}")),
    }
}

/// Finds a line of the current file by its number.
fn numbered(document: &Document, number: u64, spelled: &str) -> Result<LineSpan, AnchorsRefused> {
    let lines = document.line_count();
    let last = LineSpan::new(lines.saturating_sub(1)..lines);
    match LineNo::new(number).filter(|line| line.index() < lines) {
        Some(line) => Ok(LineSpan::of(line)),
        None => Err(AnchorsRefused {
            document: document.clone(),
            problems: vec![Problem {
                edit: EditNo::from_index(0),
                claim: spelled.into(),
                // The caller named no tag; the sentence uses only the number.
                anchor: Tag::new("0").map(|tag| Anchor {
                    line: number,
                    tag,
                    text: None,
                }),
                reason: AnchorProblem::OutOfRange,
                near: last,
                places: vec![last],
                left_out: 0,
            }],
            landed: Vec::new(),
        }),
    }
}

/// Parses `first..last` as a range of anchors, and any other text as one anchor.
fn target(anchor: &str) -> Target {
    match anchor.split_once("..") {
        Some((first, last)) => Target::range(first, last),
        None => Target::line(anchor),
    }
}
