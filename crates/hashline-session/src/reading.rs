//! Reading: which lines of which files, and what is known of them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use hashline_core::disk::{DiskError, Timeout};
use hashline_core::disk_note::DiskNote;
use hashline_core::edit::Target;
use hashline_core::error::AnchorsRefused;
use hashline_core::files::{EditRefused, FilesError};
use hashline_core::policy::Context;
use hashline_core::render::shown_range;
use hashline_core::search::{Matches, Search};
use hashline_core::text::{Document, LineNo, LineSpan, RevPrefix, Revision};
use hashline_core::totals::Work;
use hashline_core::{Error, dialect::Dialect};
use hashline_wire::Refusal;
use hashline_wire::request::LineRange;
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::{CancelToken, PartRead};

use crate::service::Session;

/// A file to be read.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Its path.
    pub path: String,
    /// Which of its lines.
    pub lines: Lines,
}

/// Which lines of a file are wanted.
#[derive(Clone, Debug)]
pub enum Lines {
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
pub struct Reading {
    /// For each file that was asked for, in that order; one that fails does not stop the others.
    pub files: Vec<Result<View, Refusal>>,
    /// Whether no commit of ours over several of them can have been under way.
    pub consistent: bool,
    /// What there is to know beside.
    pub notes: Vec<DiskNote>,
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

/// How long a search in files may take, and the word that ends it before.
struct Watch<'a> {
    started: Instant,
    most: Duration,
    stop: Option<&'a CancelToken>,
}

impl Watch<'_> {
    /// Searches a document.
    fn search(&self, search: &Search, document: &Document) -> Result<Matches, DiskError> {
        let is_taken_back = || self.stop.is_some_and(CancelToken::is_cancelled);
        let is_over = || is_taken_back() || self.started.elapsed() > self.most;
        let found = search.run_unless(document, is_over);
        found.ok_or_else(|| match is_taken_back() {
            true => DiskError::Cancelled,
            false => DiskError::Timeout(Timeout {
                most: u64::try_from(self.most.as_millis()).unwrap_or(u64::MAX),
            }),
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    Whole { file: PathBuf, document: Document },
    Part(Box<PartRead>),
}

impl Session<'_> {
    /// Reads files, those that are read whole all at one moment as far as our own commits go.
    ///
    /// # Errors
    ///
    /// Only for what is wrong with the workspace itself, or if too many files are asked for.
    pub fn read(&self, asks: &[Ask], dialect: Dialect) -> Result<Reading, DiskError> {
        self.read_unless(asks, dialect, None)
    }

    /// Does the same for a caller who may take it back.
    ///
    /// # Errors
    ///
    /// As [`Session::read`].
    pub fn read_unless(
        &self,
        asks: &[Ask],
        dialect: Dialect,
        stop: Option<&CancelToken>,
    ) -> Result<Reading, DiskError> {
        let started = Instant::now();
        let watch = Watch {
            started,
            most: self.service.config.settings.limits.request_time,
            stop,
        };
        let reading = self.read_now(asks, &watch, dialect);
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
        self.service.kept.counters.record(&event);
        reading
    }

    fn read_now(
        &self,
        asks: &[Ask],
        watch: &Watch<'_>,
        dialect: Dialect,
    ) -> Result<Reading, DiskError> {
        let is_part = |ask: &&Ask| matches!(ask.lines, Lines::Range(_));
        let whole: Vec<&str> = asks
            .iter()
            .filter(|ask| !is_part(ask))
            .map(|ask| ask.path.as_str())
            .collect();
        let read = self.service.workspace.read_all(&whole)?;
        let mut reading = Reading {
            files: Vec::new(),
            consistent: read.consistent,
            notes: read.notes,
        };
        let mut whole = read.files.into_iter();
        for ask in asks {
            let view = match (&ask.lines, is_part(&ask)) {
                (Lines::Range(range), _) => self.part(ask, *range, &mut reading),
                _ => match whole.next() {
                    Some(Ok(file)) => {
                        let body = Body::Whole {
                            file: file.path,
                            document: file.document,
                        };
                        self.view(ask, body, file.consistent, watch, dialect)
                    }
                    Some(Err(error)) => Err(error.into()),
                    None => continue,
                },
            };
            reading.files.push(view);
        }
        Ok(reading)
    }

    fn part(&self, ask: &Ask, range: LineRange, reading: &mut Reading) -> Result<View, Refusal> {
        let wanted = shown_range(range.first, range.last, range.context, usize::MAX);
        let part = self.service.workspace.read_part(&ask.path, wanted)?;
        reading.consistent &= part.consistent;
        for note in &part.notes {
            if !reading.notes.contains(note) {
                reading.notes.push(note.clone());
            }
        }
        Ok(View {
            path: ask.path.clone(),
            revision: part.excerpt.revision(),
            line_count: part.excerpt.line_count(),
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
        ask: &Ask,
        body: Body,
        consistent: bool,
        watch: &Watch<'_>,
        dialect: Dialect,
    ) -> Result<View, Refusal> {
        let Body::Whole { file, document } = &body else {
            return Err(DiskError::NotFound(hashline_core::disk::At::new(&ask.path)).into());
        };
        let (mut more, mut matching) = (false, Vec::new());
        let (spans, matches) = match &ask.lines {
            Lines::All | Lines::Range(_) => (vec![document.all()], None),
            Lines::Matching { search, most } => {
                let search = search.clone().with_max_matches(*most);
                let found = watch.search(&search, document)?;
                more = match found.lines.last() {
                    Some(last) if found.count >= *most => {
                        let behind = search.behind(*last).with_max_matches(1);
                        watch.search(&behind, document)?.count > 0
                    }
                    _ => false,
                };
                matching = found.lines;
                (found.spans, Some(found.count))
            }
            Lines::Around {
                anchor,
                rev,
                context,
            } => {
                let target = Target::Line(anchor.as_str().into());
                let landed = self.land(file, document, rev.as_ref(), target, dialect);
                let landed = landed.map_err(|refused| {
                    let windows = refused.windows(Context::new(*context));
                    self.showed_now(file, document, windows, dialect);
                    refuse(&ask.path, refused)
                })?;
                let lines = document.line_count();
                (vec![landed.span.widened(*context, lines)], None)
            }
        };
        Ok(View {
            path: ask.path.clone(),
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

/// Says of anchors that have no place what an edit there would be told.
pub(crate) fn refuse(path: &str, refused: AnchorsRefused) -> Refusal {
    FilesError::Edit(Box::new(EditRefused {
        path: path.to_owned(),
        edits: 1,
        document: refused.document.clone(),
        error: Error::Anchors(refused),
        also: Vec::new(),
    }))
    .into()
}
