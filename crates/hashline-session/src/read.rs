//! Reading: which lines of which files are to be shown.

use std::time::Instant;

use hashline_core::edit::Target;
use hashline_core::error::AnchorsRefused;
use hashline_core::files::{EditRefused, FilesError};
use hashline_core::policy::Context;
use hashline_core::render::shown_range;
use hashline_core::text::RevPrefix;
use hashline_core::{Error, dialect::Dialect};
use hashline_wire::Refusal;
use hashline_wire::answer::{AnswerOptions, Notice, Sent};
use hashline_wire::request::{LineRange, LineSearch};
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::counters::totals::Work;
use hashline_workspace::search::{Case, Extent, Matcher, Pattern};
use hashline_workspace::{CancelToken, Deadline, DiskError, FileRead, Limits};

use crate::service::Session;
use crate::view::{Body, View};
use crate::words::{disk_notice, read_refusal};

/// A file to be read.
#[derive(Clone, Debug)]
pub struct ReadSpec {
    /// Its path.
    pub path: String,
    /// Which of its lines.
    pub lines: ReadLines,
}

/// Which lines of a file are read.
#[derive(Clone, Debug)]
pub enum ReadLines {
    /// All.
    All,
    /// Some, by their numbers. Of a large file only these are kept in memory.
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
    /// Those that match a search, with context.
    Matching {
        /// What is searched for.
        search: LineSearch,
        /// Which lines are searched.
        within: LineRange,
    },
}

/// The files that were read.
#[derive(Clone, Debug)]
pub struct FilesShown {
    /// For each file that was asked for, in that order; one that fails does not stop the others.
    pub files: Vec<Result<View, Refusal>>,
    /// Whether no commit of ours over several of them can have been under way.
    pub consistent: bool,
    /// Notices about the disk.
    pub notes: Vec<Notice>,
}

/// Compiles a search in single files. Its defaults are seed 004's: text is found in lower case.
///
/// # Errors
///
/// `bad_pattern`.
pub fn line_matcher(search: &LineSearch, limits: &Limits) -> Result<Matcher, DiskError> {
    let text = search.text.clone();
    let pattern = if search.regex {
        Pattern::Regex(text)
    } else {
        Pattern::Fixed(text)
    };
    let case = if search.case_sensitive {
        Case::Sensitive
    } else {
        Case::LowerCased
    };
    // A read shows whole lines, so it searches whole lines.
    let limits = Limits {
        searched_line: usize::MAX,
        ..*limits
    };
    Matcher::new(&pattern, case, Extent::Anywhere, &limits)
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
        let limits = &self.service.config.settings.limits;
        let deadline = Deadline::after(limits.request_time).with_cancel(cancel);
        let reading = self.read_now(specs, &deadline, dialect);
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
        deadline: &Deadline<'_>,
        dialect: Dialect,
    ) -> Result<FilesShown, Refusal> {
        // Before any file is read: a pattern that cannot be used refuses the whole request.
        let matchers: Vec<Option<Matcher>> = specs
            .iter()
            .map(|spec| self.matcher(&spec.lines))
            .collect::<Result<_, _>>()
            .map_err(|error| read_refusal(&error))?;
        // Ranges are read one by one below: of a large file only their lines are kept in memory. The others are read together, at one
        // moment as far as our own commits go.
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
        for (spec, matcher) in specs.iter().zip(matchers) {
            let view = match &spec.lines {
                ReadLines::Range(range) => self.part(spec, *range, &mut reading),
                _ => match whole.next() {
                    Some(Ok(file)) => self.view(spec, file, matcher, deadline, dialect),
                    Some(Err(error)) => Err(read_refusal(&error)),
                    None => continue,
                },
            };
            reading.files.push(view);
        }
        Ok(reading)
    }

    fn matcher(&self, lines: &ReadLines) -> Result<Option<Matcher>, DiskError> {
        let limits = &self.service.config.settings.limits;
        match lines {
            ReadLines::Matching { search, .. } => line_matcher(search, limits).map(Some),
            _ => Ok(None),
        }
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
        // The same notice can come with every part.
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
        read: FileRead,
        matcher: Option<Matcher>,
        deadline: &Deadline<'_>,
        dialect: Dialect,
    ) -> Result<View, Refusal> {
        let FileRead {
            path: file,
            document,
            consistent,
            ..
        } = read;
        let all = document.all();
        let (mut spans, mut matches, mut matching, mut more) = (vec![all], None, Vec::new(), false);
        match (&spec.lines, matcher) {
            (ReadLines::Matching { search, within }, Some(mut matcher)) => {
                let within = shown_range(within.first, within.last, 0, all.end());
                let most = search.max_matches;
                // One more than is shown, which tells whether there are more.
                matching = matcher
                    .lines_in(&document, within, most, deadline)
                    .map_err(|error| read_refusal(&error))?;
                more = matching.len() > most;
                matching.truncate(most);
                matches = Some(matching.len());
                spans = search.spans(&matching, within);
            }
            (
                ReadLines::Around {
                    anchor,
                    rev,
                    context,
                },
                _,
            ) => {
                let target = Target::Line(anchor.as_str().into());
                let landed = self.land(&file, &document, rev.as_ref(), target, dialect);
                let landed = landed.map_err(|refused| {
                    let context = Context::new(*context);
                    // The refusal shows these lines with anchors, so edits of them must be accepted.
                    let windows = refused.windows(context);
                    self.record_lines(&file, &document, windows, dialect);
                    refusal_of_anchors(&spec.path, refused, dialect, context)
                })?;
                spans = vec![landed.span.widened(*context, all.end())];
            }
            _ => {}
        }
        Ok(View {
            path: spec.path.clone(),
            revision: document.revision(),
            line_count: document.line_count(),
            spans,
            matches,
            matching,
            more,
            consistent,
            body: Body::Whole { file, document },
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
