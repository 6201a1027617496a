//! `hashline read`: lines with their anchors.

use hashline_core::dialect::Dialect;
use hashline_core::disk::{BadPattern, DiskError, PatternFault, PatternPart};
use hashline_core::render::{ChunkLimits, Comment, chunks, display};
use hashline_core::search::{self, Case, Kind, Search};
use hashline_service::{Ask, Lines, Session, View};
use hashline_wire::request::LineRange;
use hashline_wire::response::FileLines;
use hashline_wire::{Refusal, Terms, response};
use serde_json::json;

use super::{dialect_in, open, revision, with_state_notes};
use crate::args::{Global, ReadArgs};
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::paths::{self, Named};
use crate::progress::while_working;
use crate::trouble::Trouble;

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
    session: Session<'a>,
    args: &'a ReadArgs,
    dialect: Dialect,
    form: Form,
    out: &'a mut Output,
}

pub(super) fn run(global: &Global, args: &ReadArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let lines = wanted(args)?;
    let (start, named) = paths::start(global, &args.paths)?;
    let service = open(&start)?;
    let dialect = dialect_in(&service, args.dialect);
    let session = service.session(global.session());
    let asks: Vec<Ask> = named
        .iter()
        .map(|named| Ask {
            path: named.path.clone(),
            lines: lines.clone(),
        })
        .collect();
    let reading = while_working("reading", None, || session.read(&asks, dialect))?;
    let form = match (args.plain, args.comment) {
        (true, _) => Form::Plain,
        (_, true) => Form::Comment,
        _ => Form::Anchored,
    };
    let mut run = Run {
        session,
        args,
        dialect,
        form,
        out,
    };
    let exit = run.show_all(&named, &reading.files)?;
    run.out.tell_disk(&reading.notes);
    with_state_notes(&service, run.out, None);
    Ok(exit)
}

/// Returns which lines the arguments ask for.
fn wanted(args: &ReadArgs) -> Result<Lines, Trouble> {
    if let Some(anchor) = &args.around {
        return Ok(Lines::Around {
            anchor: anchor.clone(),
            rev: revision(args.rev.as_deref())?,
            context: args.context.unwrap_or(AROUND),
        });
    }
    if let Some(text) = &args.search {
        return matching(args, text).map(Lines::Matching);
    }
    let first = args.start_line;
    let last = match (args.end_line, args.lines) {
        (Some(last), _) => Some(last),
        (None, Some(count)) => Some(first.unwrap_or(1).max(1) - 1 + count),
        (None, None) => None,
    };
    if first.is_none() && last.is_none() {
        return Ok(Lines::All);
    }
    let context = args.context.unwrap_or(0);
    Ok(Lines::Range(LineRange {
        first,
        last,
        context,
    }))
}

fn matching(args: &ReadArgs, text: &str) -> Result<Search, Trouble> {
    let kind = match args.regex {
        true => Kind::Pattern,
        false => Kind::Text,
    };
    let case = match args.case_sensitive {
        true => Case::Sensitive,
        false => Case::Insensitive,
    };
    let bad = |bad: search::BadPattern| {
        DiskError::BadPattern(BadPattern {
            part: PatternPart::Pattern,
            text: text.to_owned(),
            why: PatternFault::Malformed { reason: bad.reason },
        })
    };
    let both = args.context.unwrap_or(0);
    let search = Search::new(text, kind, case)
        .map_err(bad)?
        .with_context(args.before.unwrap_or(both), args.after.unwrap_or(both));
    Ok(match args.max_matches {
        Some(matches) => search.with_max_matches(matches.into()),
        None => search,
    })
}

impl Run<'_> {
    fn show_all(
        &mut self,
        named: &[Named],
        files: &[Result<View, Refusal>],
    ) -> Result<Exit, Trouble> {
        let several = named.len() > 1;
        let mut exit = Exit::Done;
        for (named, file) in named.iter().zip(files) {
            if several && !self.out.json {
                let head = self
                    .out
                    .painted(Part::Headline, &format!("--- {} ---", named.typed));
                self.out.line(&head)?;
            }
            match file {
                Ok(view) => self.show(named, view)?,
                Err(refusal) => exit = self.refuse(refusal)?,
            }
        }
        Ok(exit)
    }

    fn refuse(&mut self, refusal: &Refusal) -> Result<Exit, Trouble> {
        let trouble = Trouble::Unread(self.dialect, Box::new(refusal.clone()));
        if self.out.json {
            let answer = response::common(&Terms::new(self.dialect), &Err(refusal.clone()));
            self.out.object(&answer)?;
        } else {
            self.out.finish()?;
            self.out.tell(&trouble.to_text());
        }
        Ok(Exit::of_code(trouble.code()))
    }

    fn show(&mut self, named: &Named, view: &View) -> Result<(), Trouble> {
        if self.args.header && !self.out.json {
            let head = self.out.painted(Part::Quiet, &header(named, view));
            self.out.line(&head)?;
        }
        let chunked = self.args.chunk_lines.is_some() || self.args.chunk_bytes.is_some();
        match (chunked, self.out.json, self.form) {
            (true, _, _) => self.show_chunks(named, view)?,
            (_, true, _) => self.show_object(named, view)?,
            (_, _, Form::Anchored) if !self.out.is_coloured() => {
                if view.line_count > MANY {
                    self.out.widen();
                }
                self.session.show(view, self.dialect, self.out.data())?;
            }
            _ => self.show_lines(view)?,
        }
        if view.line_count == 0 && !self.out.json {
            self.out.tell(&format!("note: {} is empty", named.typed));
        }
        Ok(())
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

    fn show_lines(&mut self, view: &View) -> Result<(), Trouble> {
        self.remember(view);
        let mut before = None;
        let coloured = self.form == Form::Anchored;
        let numbers = view.lines().map(|(number, _)| number.get());
        for (number, line) in numbers.zip(self.lines(view)) {
            if before.is_some_and(|before| before + 1 != number) {
                self.out.line("--")?;
            }
            before = Some(number);
            let separator = char::from(self.dialect.scheme.separator());
            match line.split_once(separator).filter(|_| coloured) {
                Some((anchor, text)) => {
                    let anchor = self
                        .out
                        .painted(Part::Quiet, &format!("{anchor}{separator}"));
                    self.out.line(&format!("{anchor}{text}"))?;
                }
                None => self.out.line(&line)?,
            }
        }
        Ok(())
    }

    /// Writes down that the lines were shown, if they are shown with anchors.
    fn remember(&self, view: &View) {
        if self.form != Form::Plain {
            self.session.showed(view, self.dialect, None);
        }
    }

    fn show_object(&mut self, named: &Named, view: &View) -> Result<(), Trouble> {
        self.remember(view);
        let ends = (view.spans.first(), view.spans.last());
        let shown = match ends {
            (Some(first), Some(last)) if !first.is_empty() => Some((first.start() + 1, last.end())),
            _ => None,
        };
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
        let object = FileLines {
            path: &named.typed,
            rev: view.revision.short(),
            total_lines: view.line_count,
            shown,
            matches: view.matches,
            consistent: view.consistent,
            lines,
        };
        serde_json::to_writer(self.out.data(), &object)?;
        self.out.line("")
    }

    /// Cuts the lines into chunks: a line that names the range between them, or an object a chunk.
    fn show_chunks(&mut self, named: &Named, view: &View) -> Result<(), Trouble> {
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
                self.out.object(&json!({
                    "path": named.typed,
                    "rev": view.revision.short(),
                    "chunk": index + 1,
                    "start_line": start,
                    "end_line": end,
                    "text": chunk,
                }))?;
                continue;
            }
            if index > 0 {
                let total = view.line_count;
                let head = format!("--- lines {start}-{end} of {total} ---");
                let head = self.out.painted(Part::Quiet, &head);
                self.out.line(&head)?;
            }
            self.out.line(&chunk)?;
        }
        Ok(())
    }
}

/// Names a file, its revision, and which of its lines are shown.
fn header(named: &Named, view: &View) -> String {
    let (path, rev, total) = (&named.typed, view.revision.short(), view.line_count);
    let lines = match (view.matches, view.spans.as_slice()) {
        (Some(matches), _) => format!("{matches} matching of {total} lines"),
        (None, [span]) if span.len() < total => format!("lines {span} of {total}"),
        _ => format!("{total} lines"),
    };
    format!("{path} (rev {rev}, {lines})")
}
