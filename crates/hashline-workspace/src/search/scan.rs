//! Searches one file: opens it, refuses binary and too large ones, reads it once, and selects the lines to show. The file is split into lines only if one of them matches.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::search::found::{FoundFile, FoundLine, Role};
use hashline_core::Document;
use hashline_core::render::{AnchoredLine, anchored, line_cost};
use hashline_core::scheme::Scheme;
use hashline_core::text::{Encoding, LineSpan};

use super::Ground;
use super::matcher::{Matcher, Matching};
use super::query::Query;
use crate::deadline::Deadline;
use crate::encoding::EncodingRules;
use crate::error::{DiskFault, Error, io_error};
use crate::limits::Limits;
use crate::read::{
    TRIES, has_longer_line, refuse_large, refuse_long_lines, refuse_nul, refuse_special,
};
use crate::system::{Stat, System, refusal};

/// The byte order mark that a file may begin with; it belongs to no line.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Files larger than this are searched one at a time, to limit the memory that all threads use together.
const LARGE: u64 = 2 << 20;

/// The largest buffer that is kept for the next file.
const ROOM_KEPT: usize = 1 << 20;

/// The state of one search thread: the matcher, a buffer and counts.
pub(super) struct Scanner<'a, S: System> {
    system: &'a S,
    limits: &'a Limits,
    encodings: &'a EncodingRules,
    query: &'a Query,
    matcher: Matcher,
    scheme: Scheme,
    large: &'a Mutex<()>,
    deadline: Deadline<'a>,
    /// The bytes of the current file; the buffer is reused for the next file.
    bytes: Vec<u8>,
    searched: usize,
    cut: usize,
    /// The current file, if it was decoded: its bytes are not UTF-8.
    decoded: Option<Document>,
    /// Whether the current file has a line of which only the beginning is searched.
    is_cut: bool,
}

/// The result of reading and searching a file once.
enum Scan {
    Nothing,
    Found(FoundFile, Document),
    /// The file changed while it was read.
    Changed,
}

impl<'a, S: System> Scanner<'a, S> {
    /// Makes the state of a search thread.
    pub(super) fn new(
        ground: &Ground<'a, S>,
        query: &'a Query,
        matcher: Matcher,
        scheme: Scheme,
        large: &'a Mutex<()>,
    ) -> Self {
        Self {
            system: ground.system,
            limits: ground.limits,
            encodings: ground.encodings,
            query,
            matcher,
            scheme,
            large,
            deadline: ground.deadline,
            bytes: Vec::new(),
            searched: 0,
            cut: 0,
            decoded: None,
            is_cut: false,
        }
    }

    /// Returns how many files this thread has searched to their end.
    pub(super) fn searched(&self) -> usize {
        self.searched
    }

    /// Returns how many of the searched files have a line of which only the beginning was searched.
    pub(super) fn cut(&self) -> usize {
        self.cut
    }

    /// Searches a file; returns `None` if no line matches.
    ///
    /// # Errors
    ///
    /// The same errors as reading a file, such as `file_not_found`; `unstable` if the file keeps changing.
    pub(super) fn scan(
        &mut self,
        dir: &S::Dir,
        name: &OsStr,
        requested: &str,
    ) -> Result<Option<(FoundFile, Document)>, Error> {
        for _ in 0..TRIES {
            match self.scan_once(dir, name, requested)? {
                Scan::Changed => {}
                Scan::Nothing => {
                    self.count();
                    return Ok(None);
                }
                Scan::Found(found, document) => {
                    self.count();
                    return Ok(Some((found, document)));
                }
            }
        }
        Err(DiskFault::Unstable.at(requested))
    }

    fn scan_once(&mut self, dir: &S::Dir, name: &OsStr, requested: &str) -> Result<Scan, Error> {
        let opened = self.system.open_file(dir, name);
        let file = opened.map_err(|error| not_opened(requested, error))?;
        let before = self.stat(&file, requested)?;
        refuse_special(before, requested)?;
        refuse_large(before.size, self.limits, requested)?;
        let _alone = (before.size > LARGE)
            .then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner));
        let most = self.limits.file.saturating_add(1);
        self.system
            .read_into(&file, before.size, most, &mut self.bytes)
            .map_err(|error| io_error(requested, "reading the file", &error))?;
        refuse_large(self.bytes.len() as u64, self.limits, requested)?;
        if self.bytes.len() as u64 != before.size {
            // A file of the kernel has no size: what it holds is made up while it is read.
            let is_generated = before.size == 0 && self.stat(&file, requested)?.size == 0;
            return if is_generated {
                Err(DiskFault::NotAFile.at(requested))
            } else {
                Ok(Scan::Changed)
            };
        }
        let matching = self.matching(requested)?;
        if matching.count == 0 {
            self.bytes.shrink_to(ROOM_KEPT);
            return Ok(Scan::Nothing);
        }
        // Only what is shown must be known to have stood there at one moment.
        let after = self.stat(&file, requested)?;
        Ok(if before == after {
            self.found(requested, &matching)
        } else {
            Scan::Changed
        })
    }

    /// Finds the matching lines of the current file; fails if the file is not text or has a line that is too long.
    fn matching(&mut self, requested: &str) -> Result<Matching, Error> {
        self.decode(requested)?;
        let decoded = self.decoded.as_ref().map(Document::bytes);
        let text = decoded.unwrap_or(&self.bytes);
        refuse_nul(text, requested)?;
        // A byte order mark belongs to no line.
        let text = text.strip_prefix(BOM).unwrap_or(text);
        refuse_long_lines(text, self.limits, requested)?;
        self.is_cut = has_longer_line(text, self.limits.searched_line);
        let wanted = self.query.most.matches_a_file;
        self.matcher.search(text, wanted, &self.deadline)
    }

    /// Decodes the current file if it is not UTF-8.
    fn decode(&mut self, requested: &str) -> Result<(), Error> {
        let choice = self
            .encodings
            .choice(Path::new(requested), self.query.encoding);
        self.decoded = None;
        if !choice.may_decode(&self.bytes) && str::from_utf8(&self.bytes).is_ok() {
            return Ok(());
        }
        let document = choice.decode(std::mem::take(&mut self.bytes));
        self.decoded = Some(document.map_err(|why| why.at(requested))?);
        Ok(())
    }

    /// Adds the current file to the counts of this thread.
    fn count(&mut self) {
        self.searched += 1;
        self.cut += usize::from(self.is_cut);
    }

    fn stat(&self, file: &S::File, requested: &str) -> Result<Stat, Error> {
        let stat = self.system.stat(file);
        stat.map_err(|error| io_error(requested, "looking at the file", &error))
    }

    /// Makes the result from the bytes that were searched: the lines to show, and the document that they are from.
    fn found(&mut self, requested: &str, matching: &Matching) -> Scan {
        let decoded = self.decoded.take();
        let document = decoded.unwrap_or_else(|| Document::new(std::mem::take(&mut self.bytes)));
        let found = FoundFile {
            path: requested.to_owned(),
            revision: document.revision(),
            encoding: document.encoding().map(Encoding::name),
            matches: matching.count,
            lines: shown(&document, matching, self.query, self.scheme),
        };
        Scan::Found(found, document)
    }
}

/// Returns the error for a file that cannot be opened: it may have been removed or replaced by a link since its folder was listed.
fn not_opened(requested: &str, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => DiskFault::NotFound.at(requested),
        _ if refusal::is_link(&error) => DiskFault::NotAFile.at(requested),
        _ => io_error(requested, "opening the file", &error),
    }
}

/// The most bytes of what a renderer writes around the lines of a file, without its path: its revision above them, and how much is not shown below.
pub(super) const AROUND: usize = 120;

/// Selects the lines of a file to show: matching lines and their context.
///
/// The context after a match stops before the next matching line, so that a matching line is never shown as context.
pub(super) fn shown(
    document: &Document,
    matching: &Matching,
    query: &Query,
    scheme: Scheme,
) -> Vec<FoundLine> {
    let mut lines = Vec::new();
    let (mut next, mut bytes) = (0, 0_usize);
    // What is written above and below the lines is counted when the files are put together.
    let in_all = query.most.bytes.saturating_sub(AROUND);
    let most = query.most.bytes_a_file.min(in_all);
    let wanted = matching
        .first
        .iter()
        .take(query.most.matches_a_file.min(query.most.matches));
    for (order, &at) in wanted.enumerate() {
        let following = matching.first.get(order + 1).copied();
        let end = following.unwrap_or(document.line_count());
        let around = at.saturating_sub(query.before).max(next)
            ..at.saturating_add(1).saturating_add(query.after).min(end);
        next = around.end;
        let span = LineSpan::new(around);
        // Far too much is not even taken out of the file.
        if bytes.saturating_add(least_cost(document, span)) > most {
            break;
        }
        let taken: Vec<_> = anchored(document, span, scheme)
            .map(|line| owned(line, at))
            .collect();
        bytes = bytes.saturating_add(cost_of(&taken));
        if bytes > most {
            break;
        }
        lines.extend(taken);
    }
    lines
}

/// Returns the bytes of a page that shown lines take, each with its anchor. If there is context, a renderer also names the numbers of the matching
/// lines, and puts a mark between blocks.
pub(super) fn cost_of(lines: &[FoundLine]) -> usize {
    const NUMBER: usize = 12;
    let lines_cost: usize = lines.iter().map(|line| line.line.cost()).sum();
    let is_match = |line: &&FoundLine| line.role == Role::Match;
    let matches = lines.iter().filter(is_match).count();
    match lines.len() - matches {
        0 => lines_cost,
        _ => lines_cost + matches * (NUMBER + line_cost(0)),
    }
}

/// Keeps the first `matches` matching lines, and at most `after` lines of context after the last of them.
pub(super) fn keep_first(lines: &mut Vec<FoundLine>, matches: usize, after: usize) {
    let is_match = |line: &FoundLine| line.role == Role::Match;
    let mut matching = lines.iter().enumerate().filter(|(_, line)| is_match(line));
    let Some(last) = matches.checked_sub(1).and_then(|last| matching.nth(last)) else {
        if matches == 0 {
            lines.clear();
        }
        return;
    };
    let last_number = last.1.line.number.get();
    let rest = lines[last.0 + 1..].iter();
    let after = rest
        .take_while(|line| !is_match(line))
        .take_while(|line| line.line.number.get() - last_number <= after);
    let kept = last.0 + 1 + after.count();
    lines.truncate(kept);
}

/// Returns the least that a span's lines can be charged when shown; bytes that are not UTF-8 take more, because they are escaped.
fn least_cost(document: &Document, span: LineSpan) -> usize {
    let lines = document.lines_in(span);
    lines.map(|line| line_cost(line.text.len())).sum()
}

fn owned(line: AnchoredLine<'_>, matching: usize) -> FoundLine {
    let role = if line.number.index() == matching {
        Role::Match
    } else {
        Role::Context
    };
    FoundLine {
        role,
        line: AnchoredLine {
            scheme: line.scheme,
            number: line.number,
            tag: line.tag,
            text: line.text.into_owned().into(),
        },
    }
}
