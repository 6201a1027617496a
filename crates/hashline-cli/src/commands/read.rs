//! `hashline read`: lines with their anchors.

use std::num::NonZeroUsize;

use hashline_core::dialect::Dialect;
use hashline_core::render::{ChunkLimits, Comment, chunks, display};
use hashline_core::search::{self, Case, Kind, Search};
use hashline_core::text::LineNo;
use hashline_session::words::read_refusal;
use hashline_session::{ReadLines, ReadSpec, Service, Session, View};
use hashline_wire::Refusal;
use hashline_wire::answer::{FileLines, Notice};
use hashline_wire::render::model::{self, Heading};
use hashline_wire::request::LineRange;
use hashline_workspace::DiskFault;
use hashline_workspace::error::{BadPattern, PatternFault, PatternPart};
use serde::Serialize;

use super::{dialect_in, open, revision};
use crate::args::{Global, ReadArgs};
use crate::escape;
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::paths::{self, Named};
use crate::progress::while_working;
use crate::refusals;

/// Lines around an anchor, unless told otherwise.
const AROUND: usize = 5;
/// So many lines are more than a pipe takes at once.
const MANY: usize = 2000;

/// How lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Anchored,
    Plain,
    Comment,
}

/// One read under way.
struct Run<'a> {
    service: &'a Service,
    session: Session<'a>,
    args: &'a ReadArgs,
    dialect: Dialect,
    form: Form,
    out: &'a mut Output,
}

pub(super) fn run(global: &Global, args: &ReadArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let lines = wanted(args)?;
    let (start, named) = paths::start(global, &args.paths)?;
    let service = open(&start)?;
    let dialect = dialect_in(&service, args.dialect);
    let session = service.session(global.session());
    let specs: Vec<ReadSpec> = named
        .iter()
        .map(|named| ReadSpec {
            path: named.path.clone(),
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
    run.out.tell_notices(&reading.notes);
    run.out.tell_notices(&service.take_notices());
    Ok(exit)
}

/// Returns which lines the arguments ask for.
fn wanted(args: &ReadArgs) -> Result<ReadLines, Refusal> {
    if let Some(anchor) = &args.around {
        return Ok(ReadLines::Around {
            anchor: anchor.clone(),
            rev: revision(args.rev.as_deref())?,
            context: args.context.unwrap_or(AROUND),
        });
    }
    if let Some(text) = &args.search {
        let most = args
            .max_matches
            .map_or(Search::DEFAULT_MATCHES, usize::from);
        return matching(args, text).map(|search| ReadLines::Matching { search, most });
    }
    let first = args.start_line.map(NonZeroUsize::get);
    let last = match (args.end_line, args.lines) {
        (Some(last), _) => Some(last.get()),
        (None, Some(count)) => Some((first.unwrap_or(1) - 1).saturating_add(count)),
        (None, None) => None,
    };
    if let (Some(first), Some(last)) = (args.start_line, args.end_line)
        && first > last
    {
        return Err(refusals::usage(format!(
            "--start-line {first} lies behind --end-line {last}"
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

fn matching(args: &ReadArgs, text: &str) -> Result<Search, Refusal> {
    let kind = match args.regex {
        true => Kind::Pattern,
        false => Kind::Text,
    };
    let case = match args.case_sensitive {
        true => Case::Sensitive,
        false => Case::Insensitive,
    };
    let bad = |bad: search::BadPattern| {
        let bad = DiskFault::BadPattern(BadPattern {
            part: PatternPart::Pattern,
            text: text.to_owned(),
            why: PatternFault::Malformed { reason: bad.reason },
        });
        read_refusal(&bad.into())
    };
    let both = args.context.unwrap_or(0);
    let search = Search::new(text, kind, case).map_err(bad)?;
    let search = search.with_context(args.before.unwrap_or(both), args.after.unwrap_or(both));
    let first = args.start_line.map_or(1, NonZeroUsize::get);
    Ok(search.starting_at(LineNo::from_index(first - 1)))
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
            self.out.parts(&[(Part::Quiet, &header(named, view))]);
        }
        let chunked = self.args.chunk_lines.is_some() || self.args.chunk_bytes.is_some();
        match (chunked, self.out.json, self.form) {
            (true, _, _) => self.show_chunks(named, view),
            (_, true, _) => self.show_object(named, view),
            (_, _, Form::Anchored) if !self.out.is_terminal() => {
                if view.line_count > MANY {
                    self.out.widen();
                }
                // What cannot be written is told in the end.
                let _ = self.session.show(view, self.dialect, self.out.data());
            }
            _ => self.show_lines(view),
        }
        if !self.out.json {
            self.tell_more(named, view);
        }
    }

    /// Tells what the lines alone do not say.
    fn tell_more(&mut self, named: &Named, view: &View) {
        let (path, total) = (escape::name(&named.typed), view.line_count);
        let is_none = view.spans.iter().all(|span| span.is_empty());
        match self.args.start_line {
            _ if total == 0 => self.out.tell(&format!("note: {path} is empty")),
            Some(first) if is_none && first.get() > total => {
                let lines = match total {
                    1 => "1 line".to_owned(),
                    _ => format!("{total} lines"),
                };
                let told = format!("note: {path} has {lines}: there is no line {first}");
                self.out.tell(&told);
            }
            _ => {}
        }
        if let (true, Some(matches)) = (view.more, view.matches) {
            self.out.tell(&format!(
                "note: {path}: more lines match than the first {matches}; --max-matches shows more (1000 at most), or narrow the search"
            ));
        }
    }

    /// Returns the lines as they are shown, one by one.
    fn lines<'v>(&self, view: &'v View) -> Box<dyn Iterator<Item = String> + 'v> {
        let scheme = self.dialect.scheme;
        match self.form {
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

    fn show_lines(&mut self, view: &View) {
        self.remember(view);
        let mut before = None;
        let anchored = self.form == Form::Anchored;
        let separator = char::from(self.dialect.scheme.separator());
        let numbers = view.lines().map(|(number, _)| number.get());
        for (number, line) in numbers.zip(self.lines(view)) {
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

    /// Writes down that the lines were shown, if they are shown with anchors.
    fn remember(&self, view: &View) {
        if self.form != Form::Plain {
            self.session.showed(view, self.dialect, None);
        }
    }

    fn show_object(&mut self, named: &Named, view: &View) {
        self.remember(view);
        let scheme = self.dialect.scheme;
        let form = self.form;
        let comment = Comment::of_path(&view.path);
        let lines = || {
            view.anchored(scheme).map(move |line| match form {
                Form::Anchored => line.to_string(),
                Form::Plain => line.text.into_owned(),
                Form::Comment => comment.behind(&line),
            })
        };
        let file = FileLines {
            path: &named.typed,
            rev: view.revision.short(),
            total_lines: view.line_count,
            shown: ends(view),
            matches: view.matches,
            consistent: view.consistent,
            lines,
        };
        self.out.object(&ReadAnswer {
            file,
            more: view.more.then_some(true),
            state: self.service.take_notices(),
        });
    }

    /// Cuts the lines into chunks: a line that names the range between them, or an object a chunk.
    fn show_chunks(&mut self, named: &Named, view: &View) {
        if self.out.json && ends(view).is_none() {
            // Nothing to cut is told as nothing to show.
            return self.show_object(named, view);
        }
        self.remember(view);
        let limits = ChunkLimits::default();
        let limits = ChunkLimits {
            lines: self.args.chunk_lines.unwrap_or(limits.lines),
            bytes: self.args.chunk_bytes.unwrap_or(limits.bytes),
        };
        let mut numbers = view.lines().map(|(number, _)| number.get());
        for (index, chunk) in chunks(self.lines(view), limits).into_iter().enumerate() {
            let count = chunk.split('\n').count();
            let start = numbers.next().unwrap_or(1);
            let end = numbers.by_ref().take(count - 1).last().unwrap_or(start);
            if self.out.json {
                self.out.object(&ChunkAnswer {
                    ok: true,
                    path: &named.typed,
                    rev: view.revision.short(),
                    chunk: index + 1,
                    start_line: start,
                    end_line: end,
                    text: chunk,
                    state: self.service.take_notices(),
                });
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

/// An object for one file: its lines, and what else there is to tell.
#[derive(Serialize)]
struct ReadAnswer<T: Serialize> {
    #[serde(flatten)]
    file: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    state: Vec<Notice>,
}

/// An object for one chunk.
#[derive(Serialize)]
struct ChunkAnswer<'a> {
    ok: bool,
    path: &'a str,
    rev: String,
    chunk: usize,
    start_line: usize,
    end_line: usize,
    text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    state: Vec<Notice>,
}

/// Returns the first line that is shown, and the last; nothing if none is.
fn ends(view: &View) -> Option<(usize, usize)> {
    let (first, last) = (view.spans.first()?, view.spans.last()?);
    (!first.is_empty()).then(|| (first.start() + 1, last.end()))
}

/// Names a file, its revision, and which of its lines are shown.
fn header(named: &Named, view: &View) -> String {
    model::heading(&Heading {
        path: &escape::name(&named.typed),
        rev: &view.revision.short(),
        lines: view.line_count,
        spans: &view.spans,
        matches: view.matches.map(|matches| (matches, view.more)),
    })
}
