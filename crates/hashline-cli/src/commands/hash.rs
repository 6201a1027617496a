//! `hashline hash`: prints the anchors of a file without its text, or one hash over a range of lines.

use hashline_core::dialect::Dialect;
use hashline_core::scheme::rolling_hash;
use hashline_session::{ReadLines, ReadSpec, Service, Session, View};
use serde::Serialize;

use super::{dialect_in, file_to_read, open_for};
use crate::args::{Global, HashArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::refusals;
use hashline_wire::Refusal;

/// The anchors of a file, as JSON.
#[derive(Serialize)]
struct AnchorsAnswer<'a> {
    ok: bool,
    path: &'a str,
    rev: String,
    total_lines: usize,
    anchors: Vec<String>,
}

/// The hash over a range of lines, as JSON.
#[derive(Serialize)]
struct RollingAnswer<'a> {
    ok: bool,
    path: &'a str,
    rev: String,
    start_line: usize,
    end_line: usize,
    rolling: String,
}

pub(super) fn run(global: &Global, args: &HashArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let session = service.session(global.session());
    let printed = match &args.rolling {
        Some(range) => rolling(session, args, &path, range, out),
        // Without their texts, the lines do not count as shown.
        None => whole(session, args, path, dialect).map(|view| {
            anchors(&service, args, &view, dialect, out);
        }),
    };
    out.notices(&service.take_notices());
    printed.map(|()| Exit::Done)
}

fn whole(
    session: Session<'_>,
    args: &HashArgs,
    path: String,
    dialect: Dialect,
) -> Result<View, Refusal> {
    let spec = ReadSpec {
        path,
        encoding: args.encoding.clone(),
        lines: ReadLines::All,
    };
    let mut reading = session.read(&[spec], dialect, None)?;
    match reading.files.pop() {
        Some(Ok(view)) => Ok(view),
        Some(Err(refusal)) => Err(refusal),
        None => Err(refusals::internal()),
    }
}

fn anchors(service: &Service, args: &HashArgs, view: &View, dialect: Dialect, out: &mut Output) {
    let anchors = view.anchored(dialect.scheme).map(|line| line.anchor());
    if out.json {
        let anchors: Vec<String> = anchors.collect();
        let answer = AnchorsAnswer {
            ok: true,
            path: &args.path,
            rev: view.revision.short(),
            total_lines: view.line_count,
            anchors,
        };
        return out.answer(&answer, &service.take_notices());
    }
    anchors.for_each(|anchor| out.line(&anchor));
}

/// Prints one hash over a range of lines. Its ends are current line numbers or anchors; an anchor that no longer matches is refused, with the current
/// anchors.
fn rolling(
    session: Session<'_>,
    args: &HashArgs,
    path: &str,
    range: &str,
    out: &mut Output,
) -> Result<(), Refusal> {
    let service = session.service();
    let dialect = dialect_in(service, args.dialect);
    let (first, last) = ends(range)?;
    let file = file_to_read(path, args.encoding.as_deref())?;
    let (document, span) = session.locate(file, (first, last), dialect)?;
    let hash = rolling_hash(document.lines_in(span).map(|line| line.text));
    if out.json {
        let answer = RollingAnswer {
            ok: true,
            path: &args.path,
            rev: document.revision().short(),
            start_line: span.start() + 1,
            end_line: span.end(),
            rolling: hash,
        };
        out.answer(&answer, &service.take_notices());
    } else {
        out.line(&hash);
    }
    Ok(())
}

/// Parses a range `A..B`, whose ends are line numbers or anchors that begin with a line number.
fn ends(range: &str) -> Result<(&str, &str), Refusal> {
    let number = |end: &str| {
        let digits = end.bytes().take_while(u8::is_ascii_digit).count();
        end.get(..digits)
            .and_then(|digits| digits.parse::<u64>().ok())
    };
    let ends = range.split_once("..");
    let ends = ends.map(|(first, last)| (first.trim(), last.trim()));
    let numbers = ends.and_then(|(first, last)| Some((number(first)?, number(last)?)));
    match (ends, numbers) {
        (_, Some((first, last))) if first > last => Err(refusals::usage(format!(
            "--rolling {range}: the range ends before it starts; write it as {last}..{first}"
        ))),
        (_, Some((0, _))) => Err(refusals::usage(format!(
            "--rolling {range}: the first line is 1"
        ))),
        (Some(ends), Some(_)) => Ok(ends),
        _ => Err(refusals::usage(format!(
            "`{range}` is not a range: write A..B, as in 3..7"
        ))),
    }
}
