//! Reading files: finds the lines to show, by line numbers, around an anchor, or by a search.

use std::time::Instant;

use hashline_core::edit::Target;
use hashline_core::error::AnchorsRefused;
use hashline_core::files::{EditRefused, FilesError};
use hashline_core::policy::Context;
use hashline_core::render::shown_range;
use hashline_core::text::{Encoding, RevPrefix};
use hashline_core::{Error, dialect::Dialect};
use hashline_wire::Refusal;
use hashline_wire::answer::{AnswerOptions, Notice, Sent};
use hashline_wire::request::{LineRange, LineSearch};
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::counters::totals::Work;
use hashline_workspace::search::{Case, Extent, Matcher, Pattern};
use hashline_workspace::{CancelToken, Deadline, DiskError, FileRead, FileToRead, Limits};

use crate::service::Session;
use crate::view::{Body, View};
use crate::words::{disk_notice, read_refusal};

/// A file to be read, and which of its lines.
#[derive(Clone, Debug)]
pub struct ReadSpec {
    /// The path of the file.
    pub path: String,
    /// The encoding of the file, if the caller names it.
    pub encoding: Option<String>,
    /// Which lines of the file are read.
    pub lines: ReadLines,
}

/// Which lines of a file are read.
#[derive(Clone, Debug)]
pub enum ReadLines {
    /// All lines.
    All,
    /// A range of line numbers. Of a large file, only these lines are kept in memory.
    Range(LineRange),
    /// The lines around an anchor, wherever the anchor's line is in the file now.
    Around {
        /// The anchor, as the caller wrote it.
        anchor: String,
        /// The revision of the file in which the anchor was shown, if the caller names it.
        rev: Option<RevPrefix>,
        /// How many lines are read before the anchor's line, and how many after it.
        context: usize,
    },
    /// The lines that match a search, with context lines.
    Matching {
        /// The text or pattern that is searched for, and how.
        search: LineSearch,
        /// The range of lines that is searched.
        within: LineRange,
    },
}

/// The result of reading one or several files.
#[derive(Clone, Debug)]
pub struct FilesShown {
    /// One view or refusal for each requested file, in the order of the request; a file that cannot be read does not stop the others.
    pub files: Vec<Result<View, Refusal>>,
    /// Whether the files were certainly not read in the middle of one of our own commits over several files.
    pub consistent: bool,
    /// Notices about the disk, such as an interrupted commit that was recovered.
    pub notes: Vec<Notice>,
}

/// Compiles a search within one file. The default is the one of seed 004 (an original tool that we support): the lower-cased line is searched for the
/// text.
///
/// # Errors
///
/// `bad_pattern` if the pattern cannot be compiled.
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
    /// Reads files. [`FilesShown::consistent`] tells whether all were read at one moment, so that no commit of ours over several files was seen half
    /// done.
    ///
    /// # Errors
    ///
    /// If the workspace itself cannot be used, a search pattern is invalid, or too many files are named.
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
        let whole: Vec<FileToRead<'_>> = specs
            .iter()
            .filter(|spec| !is_part(spec))
            .map(file_to_read)
            .collect::<Result<_, _>>()
            .map_err(|error| read_refusal(&error))?;
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
        let part = file_to_read(spec)
            .and_then(|file| self.service.workspace.read_part(file, wanted))
            .map_err(|error| read_refusal(&error))?;
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
            encoding: part.excerpt.encoding.map(Encoding::name),
            line_count: part.excerpt.line_count,
            spans: vec![part.excerpt.span()],
            matches: None,
            matching: Vec::new(),
            more: false,
            consistent: part.consistent,
            cut: Vec::new(),
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
                let target = Target::line(anchor.as_str()).seen_or_not();
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
            encoding: document.encoding().map(Encoding::name),
            line_count: document.line_count(),
            spans,
            matches,
            matching,
            more,
            consistent,
            cut: Vec::new(),
            body: Body::Whole { file, document },
        })
    }
}

/// Returns the file that a specification names, for the workspace; fails if its encoding is not known.
fn file_to_read(spec: &ReadSpec) -> Result<FileToRead<'_>, DiskError> {
    FileToRead::named(&spec.path, spec.encoding.as_deref())
}

/// Builds the refusal of anchors that resolve to no line, for a request that is not an edit.
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
