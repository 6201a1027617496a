//! The answer of one page to a request to read files: as much of them as a model gets in one answer, and the calls that read the rest.
//!
//! The MCP tool `read` and `hashline read --page` answer with it. What the page shows is recorded as shown, and nothing else: a line of which only the
//! beginning is on the page is recorded as cut.

use hashline_core::dialect::Dialect;
use hashline_core::render::line_cost;
use hashline_core::text::LineNo;
use hashline_wire::answer::AnswerOptions;
use hashline_wire::page::{PageSize, clipped, cost_of, shown_bytes};
use hashline_wire::render::model;
use hashline_wire::request::{LineRange, ReadFile};
use hashline_wire::schema::Tool;
use hashline_wire::{Refusal, Written};
use serde_json::{Map, Value, json};

use crate::read::{FilesShown, ReadLines, ReadSpec};
use crate::service::Session;
use crate::view::View;

/// The note in an answer when a commit over several files may have been under way during the read.
const HALF_SEEN: &str = "Note: a change of several files may be half seen: read again to be sure.";
/// The argument that limits how many matches of a file are shown.
const MAX_MATCHES: &str = "maxMatches";
/// A file is left for the next call if fewer bytes than this remain in the answer, because a few lines of it would be useless.
const LEAST: usize = 4 << 10;
/// The part of a page that a line may take, so that one line does not fill the whole answer.
const LONGEST_LINE_PART: usize = 2;
/// The part of a page that is kept for what is said below the lines: the call that reads on, and the files that are not shown.
const SAID_PART: usize = 8;

/// One page of files, for a model.
#[derive(Clone, Debug)]
pub struct ReadPage {
    /// What the model reads: each file with a heading and its lines, or why it cannot be read, and the calls that read the rest.
    pub text: String,
    /// Whether at least one of the files could be read.
    pub is_read: bool,
    /// What else happened, such as an interrupted commit that was recovered.
    pub notes: Vec<String>,
}

impl From<&ReadFile> for ReadSpec {
    fn from(file: &ReadFile) -> Self {
        let lines = match &file.search {
            Some(search) => ReadLines::Matching {
                search: search.clone(),
                within: file.range,
            },
            None if file.range == LineRange::default() => ReadLines::All,
            None => ReadLines::Range(file.range),
        };
        Self {
            path: file.path.clone(),
            encoding: file.encoding.clone(),
            lines,
        }
    }
}

impl Session<'_> {
    /// Shows what was read of the requested files on one page, and records the lines that are on it as shown.
    #[must_use]
    pub fn read_page(
        &self,
        files: &[ReadFile],
        shown: FilesShown,
        dialect: Dialect,
        size: PageSize,
    ) -> ReadPage {
        let mut page = Page::new(*self, dialect, size);
        for (file, view) in files.iter().zip(shown.files) {
            page.show(file, view);
        }
        let mut notes: Vec<String> = shown
            .notes
            .into_iter()
            .map(|notice| notice.message)
            .collect();
        if !shown.consistent {
            notes.push(HALF_SEEN.to_owned());
        }
        page.finish(notes)
    }
}

/// Returns the limit of matches that the request gives explicitly, if any.
fn requested_matches(file: &ReadFile) -> Option<usize> {
    let sent = file.sent.get(MAX_MATCHES).filter(|most| !most.is_null());
    let search = file.search.as_ref();
    sent.and_then(|_| search.map(|search| search.max_matches))
}

/// The part of the requested files that one answer shows.
struct Page<'a> {
    session: Session<'a>,
    dialect: Dialect,
    size: PageSize,
    /// The text shown so far, one block for each file.
    blocks: Vec<String>,
    /// How many more bytes the answer may show.
    left: usize,
    /// The arguments for reading the files that did not fit into the answer.
    unshown: Vec<Map<String, Value>>,
    /// Whether one of the files could be read.
    is_read: bool,
}

impl<'a> Page<'a> {
    fn new(session: Session<'a>, dialect: Dialect, size: PageSize) -> Self {
        Self {
            session,
            dialect,
            size,
            blocks: Vec::new(),
            left: size.bytes() - size.bytes() / SAID_PART,
            unshown: Vec::new(),
            is_read: false,
        }
    }

    /// Adds one file to the answer, or as much of the file as fits.
    fn show(&mut self, file: &ReadFile, view: Result<View, Refusal>) {
        let block = match view {
            _ if self.left < LEAST => None,
            Err(refusal) => {
                let refused = self.refused(refusal);
                Some(refused).filter(|refused| cost_of(refused) <= self.left)
            }
            Ok(view) => {
                self.is_read = true;
                Some(self.cut(file, view))
            }
        };
        let Some(block) = block else {
            self.unshown.push(file.sent.clone());
            return;
        };
        self.left = self.left.saturating_sub(cost_of(&block) + line_cost(0));
        self.blocks.push(block);
    }

    fn refused(&self, refusal: Refusal) -> String {
        let options = AnswerOptions {
            page: Some(self.size),
            ..AnswerOptions::new(self.dialect)
        };
        model::refusal(&options, &refusal.with_written(Written::NotAsked))
    }

    /// Returns how many bytes of a page the lines of a file may take: what is left besides its heading and the call that reads on.
    fn room(&self, view: &View) -> usize {
        let heading = cost_of(&view.heading(&view.path));
        let next = self.size.next_step() + line_cost(0);
        self.left.saturating_sub(heading + next)
    }

    /// Renders as much of a file as fits into the answer, and the call that reads the rest.
    fn cut(&self, file: &ReadFile, mut view: View) -> String {
        let next = view.overflow(self.room(&view), self.dialect.scheme);
        match (file.search.is_some(), next) {
            (true, _) => self.cut_found(file, view, next),
            (false, None) => self.lines(&mut view),
            (false, Some(next)) => self.cut_lines(file, view, next),
        }
    }

    /// Renders the lines before the line `next`, and the call that reads from `next` on.
    fn cut_lines(&self, file: &ReadFile, mut view: View, next: LineNo) -> String {
        view.cut_at(next);
        self.lines(&mut view) + &self.go_on(file, next, 0)
    }

    /// Renders as many matches as fit into the answer, and the call that reads the others: up to the limit that the request gives explicitly, else
    /// all.
    fn cut_found(&self, file: &ReadFile, mut view: View, next: Option<LineNo>) -> String {
        let is_bounded = requested_matches(file).is_some();
        let end = next.unwrap_or(LineNo::from_index(view.line_count));
        if next.is_none() && (!view.more || is_bounded) {
            return self.lines(&mut view);
        }
        // A match whose surroundings alone are too much is shown as far as there is room.
        let (behind, shown) = view.break_before(end).unwrap_or((end, 1));
        view.cut_at(behind);
        view.matches = Some(shown);
        view.more = true;
        let left = requested_matches(file).map(|most| most.saturating_sub(shown));
        let text = self.lines(&mut view);
        match left {
            Some(0) => text,
            _ => text + &self.go_on(file, behind, shown),
        }
    }

    /// Renders the lines of a file below its heading, and records that they were shown, or of long lines only the beginning.
    fn lines(&self, view: &mut View) -> String {
        // A line that is cut short does not count as shown: an edit of the whole line is refused.
        let longest = (self.size.bytes() / LONGEST_LINE_PART).min(self.room(view));
        view.cut_long_lines(self.dialect.scheme, longest, shown_bytes);
        let view = &*view;
        let mut out = view.heading(&view.path).into_bytes();
        out.push(b'\n');
        // A vector takes everything.
        let _ = self.session.show(view, self.dialect, &mut out);
        if out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
        let text = String::from_utf8(out)
            .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into());
        // Nearly always no line is too long, and to copy each of them would cost a fifth of the call.
        if view.cut.is_empty() && view.heading(&view.path).len() <= longest {
            return text;
        }
        let lines = text.split_terminator('\n');
        lines
            .map(|line| clipped(line.to_owned(), Some(longest)) + "\n")
            .collect()
    }

    fn finish(mut self, notes: Vec<String>) -> ReadPage {
        if !self.unshown.is_empty() {
            let count = self.unshown.len();
            let next = model::next_call(
                self.size,
                Tool::Read,
                &together(&self.unshown),
                "read the files of this call that are not shown",
            );
            self.blocks.push(format!(
                "Not shown, there is no room: {count} more.\n{next}"
            ));
        }
        let mut text = self.blocks.join("\n");
        // No more than the end of the line: white space before it may be the file's own.
        text.truncate(text.trim_end_matches('\n').len());
        ReadPage {
            text,
            is_read: self.is_read,
            notes,
        }
    }

    /// Formats the call that reads the rest of a file: the same arguments, from line `next` on, with the limit of matches reduced by those already
    /// shown.
    fn go_on(&self, file: &ReadFile, next: LineNo, shown: usize) -> String {
        let in_words = format!("read the same with \"offset\": {next}");
        let call = Value::Object(rest_of(file, next, shown));
        let next = model::next_call(self.size, Tool::Read, &call, &in_words);
        format!("(cut: there is more)\n{next}\n")
    }
}

/// Returns the arguments of the call that reads the rest of a file.
fn rest_of(file: &ReadFile, next: LineNo, shown: usize) -> Map<String, Value> {
    let mut call = file.sent.clone();
    call.insert("offset".to_owned(), next.get().into());
    if let Some(last) = file.range.last {
        let left = last.saturating_sub(next.index());
        call.insert("limit".to_owned(), left.into());
    }
    if let Some(most) = requested_matches(file) {
        let left = most.saturating_sub(shown);
        call.insert(MAX_MATCHES.to_owned(), left.into());
    }
    call
}

/// Combines several calls into one: a list of `paths` if all other arguments are equal, else a list of `files`.
fn together(calls: &[Map<String, Value>]) -> Value {
    let mut paths = Vec::new();
    let mut beside = calls.to_vec();
    for one in &mut beside {
        paths.extend(one.remove("path"));
    }
    let first = beside.first().cloned().unwrap_or_default();
    if beside.iter().any(|one| *one != first) {
        return json!({"files": calls});
    }
    let mut call = Map::from_iter([("paths".to_owned(), paths.into())]);
    call.extend(first);
    Value::Object(call)
}
