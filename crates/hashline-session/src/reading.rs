//! Reading: which lines of which files, and what is known of them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use hashline_core::edit::Target;
use hashline_core::error::AnchorsRefused;
use hashline_core::files::{EditRefused, FilesError};
use hashline_core::policy::Context;
use hashline_core::render::shown_range;
use hashline_core::search::{Matches, Search};
use hashline_core::text::{Document, LineNo, LineSpan, RevPrefix, Revision};
use hashline_core::{Error, dialect::Dialect};
use hashline_wire::Refusal;
use hashline_wire::answer::{AnswerOptions, Notice, Sent};
use hashline_wire::request::LineRange;
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::counters::totals::Work;
use hashline_workspace::error::Timeout;
use hashline_workspace::{CancelToken, DiskError, PartRead};

use crate::service::Session;
use crate::words::{disk_notice, read_refusal};

/// A file to be read.
#[derive(Clone, Debug)]
pub struct ReadSpec {
    /// Its path.
    pub path: String,
    /// Which of its lines.
    pub lines: ReadLines,
}

/// Which lines of a file are wanted.
#[derive(Clone, Debug)]
pub enum ReadLines {
    /// All.
    All,
    /// Some, by their numbers. No more of a large file is held than these.
    Range(LineRange),
    /// Those around an anchor, wherever its line is now.
    Around {
        /// The anchor.
        anchor: String,
        /// The revision it was shown in, if that is known.
        rev: Option<RevPrefix>,
        /// How many lines each way.
        context: usize,
    },
    /// Those that match, and what stands around them.
    Matching {
        /// What is looked for.
        search: Search,
        /// How many matching lines at most: 1 to 1000.
        most: usize,
    },
}

/// What came of reading files.
#[derive(Clone, Debug)]
pub struct FilesShown {
    /// For each file that was asked for, in that order; one that fails does not stop the others.
    pub files: Vec<Result<View, Refusal>>,
    /// Whether no commit of ours over several of them can have been under way.
    pub consistent: bool,
    /// What there is to know beside.
    pub notes: Vec<Notice>,
}

/// Lines of one file, to be shown.
#[derive(Clone, Debug)]
pub struct View {
    /// Its path, as it was asked for.
    pub path: String,
    /// Its bytes.
    pub revision: Revision,
    /// How many lines it has.
    pub line_count: usize,
    /// Which of them are shown, ascending.
    pub spans: Vec<LineSpan>,
    /// How many lines match, if it was searched.
    pub matches: Option<usize>,
    /// Which lines match, as far as they were asked for.
    pub matching: Vec<LineNo>,
    /// Whether more lines match than were asked for.
    pub more: bool,
    /// Whether no commit of ours over several files can have been under way.
    pub consistent: bool,
    pub(crate) body: Body,
}

/// How long a search inside files may take.
struct Watch<'a> {
    started: Instant,
    most: Duration,
    cancel: Option<&'a CancelToken>,
}

impl Watch<'_> {
    /// Searches a document.
    fn search(&self, search: &Search, document: &Document) -> Result<Matches, DiskError> {
        let is_cancelled = || self.cancel.is_some_and(CancelToken::is_cancelled);
        let is_over = || is_cancelled() || self.started.elapsed() > self.most;
        let found = search.run_unless(document, is_over);
        found.ok_or_else(|| {
            if is_cancelled() {
                DiskError::Cancelled
            } else {
                let most = u64::try_from(self.most.as_millis()).unwrap_or(u64::MAX);
                DiskError::Timeout(Timeout { most })
            }
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    Whole { file: PathBuf, document: Document },
    Part(Box<PartRead>),
}

impl Session<'_> {
    /// Reads files; those that are read whole, all at one moment as far as our own commits go.
    ///
    /// # Errors
    ///
    /// Only for what is wrong with the workspace itself, or if too many files are named.
    pub fn read(
        &self,
        specs: &[ReadSpec],
        dialect: Dialect,
        cancel: Option<&CancelToken>,
    ) -> Result<FilesShown, Refusal> {
        let started = Instant::now();
        let watch = Watch {
            started,
            most: self.service.config.settings.limits.request_time,
            cancel,
        };
        let reading = self.read_now(specs, &watch, dialect);
        let refused = match &reading {
            Err(error) => Some(error.code()),
            Ok(reading) => match reading.files.as_slice() {
                [Err(refusal)] => Some(refusal.code()),
                _ => None,
            },
        };
        let took = started.elapsed();
        let event = match refused {
            Some(code) => CountedEvent::refused(Work::Read, code, took),
            None => CountedEvent::done(Work::Read, took),
        };
        self.service.state.counters.record(&event);
        reading
    }

    fn read_now(
        &self,
        specs: &[ReadSpec],
        watch: &Watch<'_>,
        dialect: Dialect,
    ) -> Result<FilesShown, Refusal> {
        let is_part = |spec: &&ReadSpec| matches!(spec.lines, ReadLines::Range(_));
        let whole: Vec<&str> = specs
            .iter()
            .filter(|spec| !is_part(spec))
            .map(|spec| spec.path.as_str())
            .collect();
        let read = self.service.workspace.read_all(&whole);
        let read = read.map_err(|error| read_refusal(&error))?;
        let mut reading = FilesShown {
            files: Vec::new(),
            consistent: read.consistent,
            notes: read.notes.iter().map(disk_notice).collect(),
        };
        let mut whole = read.files.into_iter();
        for spec in specs {
            let view = match (&spec.lines, is_part(&spec)) {
                (ReadLines::Range(range), _) => self.part(spec, *range, &mut reading),
                _ => match whole.next() {
                    Some(Ok(file)) => {
                        let body = Body::Whole {
                            file: file.path,
                            document: file.document,
                        };
                        self.view(spec, body, file.consistent, watch, dialect)
                    }
                    Some(Err(error)) => Err(read_refusal(&error)),
                    None => continue,
                },
            };
            reading.files.push(view);
        }
        Ok(reading)
    }

    fn part(
        &self,
        spec: &ReadSpec,
        range: LineRange,
        reading: &mut FilesShown,
    ) -> Result<View, Refusal> {
        let wanted = shown_range(range.first, range.last, range.context, usize::MAX);
        let part = self.service.workspace.read_part(&spec.path, wanted);
        let part = part.map_err(|error| read_refusal(&error))?;
        reading.consistent &= part.consistent;
        for notice in part.notes.iter().map(disk_notice) {
            if !reading.notes.contains(&notice) {
                reading.notes.push(notice);
            }
        }
        Ok(View {
            path: spec.path.clone(),
            revision: part.excerpt.revision,
            line_count: part.excerpt.line_count,
            spans: vec![part.excerpt.span()],
            matches: None,
            matching: Vec::new(),
            more: false,
            consistent: part.consistent,
            body: Body::Part(Box::new(part)),
        })
    }

    fn view(
        &self,
        spec: &ReadSpec,
        body: Body,
        consistent: bool,
        watch: &Watch<'_>,
        dialect: Dialect,
    ) -> Result<View, Refusal> {
        let Body::Whole { file, document } = &body else {
            let missing = DiskError::NotFound(hashline_workspace::error::At::new(&spec.path));
            return Err(read_refusal(&missing));
        };
        let (mut more, mut matching) = (false, Vec::new());
        let (spans, matches) = match &spec.lines {
            ReadLines::All | ReadLines::Range(_) => (vec![document.all()], None),
            ReadLines::Matching { search, most } => {
                let search = search.clone().with_max_matches(*most);
                let found = watch
                    .search(&search, document)
                    .map_err(|error| read_refusal(&error))?;
                more = match found.lines.last() {
                    Some(last) if found.count >= *most => {
                        let behind = search.behind(*last).with_max_matches(1);
                        watch
                            .search(&behind, document)
                            .map_err(|error| read_refusal(&error))?
                            .count
                            > 0
                    }
                    _ => false,
                };
                matching = found.lines;
                (found.spans, Some(found.count))
            }
            ReadLines::Around {
                anchor,
                rev,
                context,
            } => {
                let target = Target::Line(anchor.as_str().into());
                let landed = self.land(file, document, rev.as_ref(), target, dialect);
                let landed = landed.map_err(|refused| {
                    let context = Context::new(*context);
                    let windows = refused.windows(context);
                    self.record_lines(file, document, windows, dialect);
                    refusal_of_anchors(&spec.path, refused, dialect, context)
                })?;
                let lines = document.line_count();
                (vec![landed.span.widened(*context, lines)], None)
            }
        };
        Ok(View {
            path: spec.path.clone(),
            revision: document.revision(),
            line_count: document.line_count(),
            spans,
            matches,
            matching,
            more,
            consistent,
            body,
        })
    }
}

/// Builds the refusal of anchors that have no place, for a caller who did not edit.
pub(crate) fn refusal_of_anchors(
    path: &str,
    refused: AnchorsRefused,
    dialect: Dialect,
    context: Context,
) -> Refusal {
    let error = FilesError::Edits {
        first: Box::new(EditRefused {
            path: path.to_owned(),
            edits: 1,
            document: refused.document.clone(),
            error: Error::Anchors(refused),
        }),
        others: Vec::new(),
    };
    let options = AnswerOptions {
        context,
        sent: Sent::Anchors,
        ..AnswerOptions::new(dialect)
    };
    Refusal::of_files(error, &options)
}
