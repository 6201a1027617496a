//! `hashline read`: prints lines of files with their anchors.

use std::num::NonZeroUsize;

use hashline_core::dialect::Dialect;
use hashline_core::render::{ChunkLimits, Comment, chunks, display};
use hashline_core::scheme::Scheme;
use hashline_session::words::read_answer;
use hashline_session::{ReadLines, ReadSpec, Service, Session, View};
use hashline_wire::Refusal;
use hashline_wire::request::{Limits, LineRange, LineSearch, ReadFile, parse_read};
use serde::Serialize;
use serde_json::{Value, json};

use super::{dialect_in, revision};
use crate::args::{Global, ReadArgs};
use crate::escape;
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::paths::{self, Named};
use crate::progress::while_working;
use crate::refusals;

/// How many lines are shown before and after an anchor by default.
const AROUND: usize = 5;
/// From this many lines on, it is worth a system call to ask for a larger pipe buffer.
const MANY: usize = 2000;

/// Whether lines are printed with anchors before them, without anchors, or with anchors in a comment after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Anchored,
    Plain,
    Comment,
}

/// The state of one run of `hashline read`.
struct Run<'a> {
    service: &'a Service,
    session: Session<'a>,
    args: &'a ReadArgs,
    dialect: Dialect,
    form: Form,
    out: &'a mut Output,
}

pub(super) fn run(global: &Global, args: &ReadArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let lines = lines_to_read(args)?;
    let (options, named) = paths::options(global, &args.paths)?;
    let service = Service::open(&options)?;
    let dialect = dialect_in(&service, args.dialect);
    let session = service.session(global.session());
    if args.page {
        return show_page(session, dialect, args, &named, out);
    }
    let specs: Vec<ReadSpec> = named
        .iter()
        .map(|named| ReadSpec {
            path: named.path.clone(),
            encoding: args.encoding.clone(),
            lines: lines.clone(),
        })
        .collect();
    let reading = while_working("reading", None, || session.read(&specs, dialect, None))?;
    let form = match (args.plain, args.comment) {
        (true, _) => Form::Plain,
        (_, true) => Form::Comment,
        _ => Form::Anchored,
    };
    let mut run = Run {
        service: &service,
        session,
        args,
        dialect,
        form,
        out,
    };
    let exit = run.show_all(&named, &reading.files);
    run.out.notices(&reading.notes);
    run.out.notices(&service.take_notices());
    Ok(exit)
}

/// Prints one page, as the MCP tool `read` answers: plugins of agents pass it on as it is, with what the program says on standard error.
fn show_page(
    session: Session<'_>,
    dialect: Dialect,
    args: &ReadArgs,
    named: &[Named],
    out: &mut Output,
) -> Result<Exit, Refusal> {
    let service = session.service();
    let files = page_request(args, named, &service.request_limits())?;
    let specs: Vec<ReadSpec> = files.iter().map(ReadSpec::from).collect();
    let mut shown = while_working("reading", None, || session.read(&specs, dialect, None))?;
    let mut exit = Exit::Done;
    for refusal in shown
        .files
        .iter_mut()
        .filter_map(|file| file.as_mut().err())
    {
        *refusal = paths::outside_or_missing(refusal.clone());
        exit = exit.max(Exit::of_code(refusal.code()));
    }
    let size = service.page(None).without_notes();
    let page = session.read_page(&files, shown, dialect, size);
    out.line(&page.text);
    for note in &page.notes {
        out.message(note);
    }
    out.notices(&service.take_notices());
    Ok(if page.is_read { Exit::Done } else { exit })
}

/// Returns the files of the arguments as a request of the MCP tool `read` names them, so that the calls that read the rest are calls of that tool.
fn page_request(
    args: &ReadArgs,
    named: &[Named],
    limits: &Limits,
) -> Result<Vec<ReadFile>, Refusal> {
    let first = args.start_line.map(NonZeroUsize::get);
    let up_to = |last: NonZeroUsize| last.get() + 1 - first.unwrap_or(1);
    let of_file = |named: &Named| {
        json!({
            "path": named.typed,
            "encoding": args.encoding,
            "offset": first,
            "limit": args.end_line.map(up_to).or(args.lines),
            "search": args.search,
            "regex": args.regex.then_some(true),
            "caseSensitive": args.case_sensitive.then_some(true),
            "contextBefore": args.before.or(args.context),
            "contextAfter": args.after.or(args.context),
            "maxMatches": args.max_matches,
        })
    };
    let files: Vec<Value> = named.iter().map(of_file).collect();
    let mut request = parse_read(json!({"files": files}), Dialect::LEAN, limits)?;
    for (file, named) in request.files.iter_mut().zip(named) {
        file.path.clone_from(&named.path);
    }
    Ok(request.files)
}

/// Returns the lines that the arguments select: all, a range, those around an anchor, or those that match.
fn lines_to_read(args: &ReadArgs) -> Result<ReadLines, Refusal> {
    if let Some(anchor) = &args.around {
        return Ok(ReadLines::Around {
            anchor: anchor.clone(),
            rev: args.rev.as_deref().map(revision).transpose()?,
            context: args.context.unwrap_or(AROUND),
        });
    }
    let first = args.start_line.map(NonZeroUsize::get);
    if let Some(text) = &args.search {
        return Ok(ReadLines::Matching {
            search: line_search(args, text),
            within: LineRange {
                first,
                ..LineRange::default()
            },
        });
    }
    let last = match (args.end_line, args.lines) {
        (Some(last), _) => Some(last.get()),
        (None, Some(count)) => Some((first.unwrap_or(1) - 1).saturating_add(count)),
        (None, None) => None,
    };
    if let (Some(first), Some(last)) = (args.start_line, args.end_line)
        && first > last
    {
        return Err(refusals::usage(format!(
            "--start-line {first} is after --end-line {last}"
        )));
    }
    if first.is_none() && last.is_none() {
        return Ok(ReadLines::All);
    }
    let context = args.context.unwrap_or(0);
    Ok(ReadLines::Range(LineRange {
        first,
        last,
        context,
    }))
}

fn line_search(args: &ReadArgs, text: &str) -> LineSearch {
    let around = args.context.unwrap_or(0);
    let matches = args.max_matches.map(usize::from);
    LineSearch {
        text: text.to_owned(),
        regex: args.regex,
        case_sensitive: args.case_sensitive,
        before: args.before.unwrap_or(around),
        after: args.after.unwrap_or(around),
        max_matches: matches.unwrap_or(LineSearch::DEFAULT_MATCHES),
    }
}

impl Run<'_> {
    fn show_all(&mut self, named: &[Named], files: &[Result<View, Refusal>]) -> Exit {
        let several = named.len() > 1;
        let mut exit = Exit::Done;
        for (named, file) in named.iter().zip(files) {
            if several && !self.out.json {
                let head = format!("--- {} ---", escape::name(&named.typed));
                self.out.parts(&[(Part::Headline, &head)]);
            }
            match file {
                Ok(view) => self.show(named, view),
                Err(refusal) => exit = exit.max(self.refuse(refusal)),
            }
        }
        exit
    }

    fn refuse(&mut self, refusal: &Refusal) -> Exit {
        let refusal = paths::outside_or_missing(refusal.clone());
        self.out.refuse(&refusal)
    }

    fn show(&mut self, named: &Named, view: &View) {
        if self.args.header && !self.out.json {
            self.out
                .parts(&[(Part::Quiet, &view.heading(&escape::name(&named.typed)))]);
        }
        let chunked = self.args.chunk_lines.is_some() || self.args.chunk_bytes.is_some();
        match (chunked, self.out.json, self.form) {
            (true, _, _) => self.show_chunks(named, view),
            (_, true, _) => self.show_object(named, view),
            (_, _, Form::Anchored) if !self.out.is_terminal() => {
                if view.line_count > MANY {
                    self.out.widen();
                }
                // A failed write is reported by `Output::settle`.
                let _ = self.session.show(view, self.dialect, self.out.data());
            }
            _ => self.show_lines(view),
        }
        if !self.out.json {
            self.tell_more(named, view);
        }
    }

    /// Prints notes about an empty file, a first line after the end of the file, and matches that are not shown.
    fn tell_more(&mut self, named: &Named, view: &View) {
        let (path, total) = (escape::name(&named.typed), view.line_count);
        let is_none = view.spans.iter().all(|span| span.is_empty());
        match self.args.start_line {
            _ if total == 0 => self.out.message(&format!("note: {path} is empty")),
            Some(first) if is_none && first.get() > total => {
                let lines = match total {
                    1 => "1 line".to_owned(),
                    _ => format!("{total} lines"),
                };
                self.out.message(&format!(
                    "note: {path} has only {lines}; there is no line {first}"
                ));
            }
            _ => {}
        }
        if let (true, Some(matches)) = (view.more, view.matches) {
            self.out.message(&format!(
                "note: {path}: only the first {matches} matching lines are shown; use --max-matches (at most 1000) or narrow the search"
            ));
        }
    }

    fn show_lines(&mut self, view: &View) {
        self.record(view);
        let mut before = None;
        let anchored = self.form == Form::Anchored;
        let separator = char::from(self.dialect.scheme.separator());
        let numbers = view.lines().map(|(number, _)| number.get());
        for (number, line) in numbers.zip(lines(view, self.form, self.dialect.scheme)) {
            if before.is_some_and(|before| before + 1 != number) {
                self.out.line("--");
            }
            before = Some(number);
            match line.find(separator).filter(|_| anchored) {
                Some(end) => {
                    let (anchor, text) = line.split_at(end + separator.len_utf8());
                    let parts = [(Part::Quiet, anchor), (Part::Plain, text)];
                    self.out.parts(&parts);
                }
                None => self.out.line(&line),
            }
        }
    }

    /// Records that the lines were shown, if they are printed with anchors. Plain lines are not recorded, because without anchors an edit cannot name
    /// them.
    fn record(&self, view: &View) {
        if self.form != Form::Plain {
            self.session.showed(view, self.dialect, None);
        }
    }

    fn show_object(&mut self, named: &Named, view: &View) {
        self.record(view);
        let (form, scheme) = (self.form, self.dialect.scheme);
        let answer = read_answer(view, &named.typed, || lines(view, form, scheme));
        self.out.answer(&answer, &self.service.take_notices());
    }

    /// Prints the lines in chunks: as one JSON object for each, or as text with a line that names the range before each chunk but the first.
    fn show_chunks(&mut self, named: &Named, view: &View) {
        if self.out.json && view.ends().is_none() {
            // There is no chunk to print, so print the object of an empty read.
            return self.show_object(named, view);
        }
        self.record(view);
        let limits = ChunkLimits::default();
        let limits = ChunkLimits {
            lines: self.args.chunk_lines.unwrap_or(limits.lines),
            bytes: self.args.chunk_bytes.unwrap_or(limits.bytes),
        };
        let mut numbers = view.lines().map(|(number, _)| number.get());
        let shown = lines(view, self.form, self.dialect.scheme);
        for (index, chunk) in chunks(shown, limits).into_iter().enumerate() {
            let count = chunk.split('\n').count();
            let start = numbers.next().unwrap_or(1);
            let end = numbers.by_ref().take(count - 1).last().unwrap_or(start);
            if self.out.json {
                let answer = ChunkAnswer {
                    ok: true,
                    path: &named.typed,
                    rev: view.revision.short(),
                    chunk: index + 1,
                    start_line: start,
                    end_line: end,
                    text: chunk,
                };
                self.out.answer(&answer, &self.service.take_notices());
                continue;
            }
            if index > 0 {
                let total = view.line_count;
                let head = format!("--- lines {start}-{end} of {total} ---");
                self.out.parts(&[(Part::Quiet, &head)]);
            }
            self.out.line(&chunk);
        }
    }
}

/// One chunk of a file's lines, as JSON.
#[derive(Serialize)]
struct ChunkAnswer<'a> {
    ok: bool,
    path: &'a str,
    rev: String,
    chunk: usize,
    start_line: usize,
    end_line: usize,
    text: String,
}

/// Returns the lines of a view as they are printed.
fn lines(view: &View, form: Form, scheme: Scheme) -> Box<dyn Iterator<Item = String> + '_> {
    match form {
        Form::Anchored => Box::new(view.anchored(scheme).map(|line| line.to_string())),
        Form::Plain => Box::new(
            view.lines()
                .map(|(_, line)| display(line.text).into_owned()),
        ),
        Form::Comment => {
            let comment = Comment::of_path(&view.path);
            Box::new(view.anchored(scheme).map(move |line| comment.behind(&line)))
        }
    }
}
