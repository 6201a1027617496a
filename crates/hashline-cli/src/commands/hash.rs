//! `hashline hash`: anchors without text.

use hashline_core::dialect::Dialect;
use hashline_core::policy::Context;
use hashline_core::scheme::rolling_hash;
use hashline_session::{Ask, Lines, Service, Session, View};
use serde_json::json;

use super::{dialect_in, open_for, with_state_notes};
use crate::args::{Global, HashArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &HashArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let session = service.session(global.session());
    match &args.rolling {
        Some(range) => {
            let told = rolling(&service, session, args, &path, range, out);
            with_state_notes(&service, out, None);
            told
        }
        None => {
            let view = whole(session, path, dialect)?;
            session.showed(&view, dialect, None);
            anchors(&service, args, &view, dialect, out);
            with_state_notes(&service, out, None);
            Ok(Exit::Done)
        }
    }
}

fn whole(session: Session<'_>, path: String, dialect: Dialect) -> Result<View, Trouble> {
    let lines = Lines::All;
    let mut reading = session.read(&[Ask { path, lines }], dialect)?;
    match reading.files.pop() {
        Some(Ok(view)) => Ok(view),
        Some(Err(refusal)) => Err(Trouble::unread(dialect, refusal)),
        None => Err(Trouble::internal()),
    }
}

fn anchors(service: &Service, args: &HashArgs, view: &View, dialect: Dialect, out: &mut Output) {
    let anchors = view.anchored(dialect.scheme).map(|line| line.anchor());
    if out.json {
        let anchors: Vec<String> = anchors.collect();
        let mut object = json!({
            "ok": true,
            "path": args.path,
            "rev": view.revision.short(),
            "total_lines": view.line_count,
            "anchors": anchors,
        });
        with_state_notes(service, out, Some(&mut object));
        return out.object(&object);
    }
    anchors.for_each(|anchor| out.line(&anchor));
}

/// Prints the hash over a range of lines. Numbers name the lines as they are; anchors must land, and are shown afresh if they do not.
fn rolling(
    service: &Service,
    session: Session<'_>,
    args: &HashArgs,
    path: &str,
    range: &str,
    out: &mut Output,
) -> Result<Exit, Trouble> {
    let dialect = dialect_in(service, args.dialect);
    let (first, last) = ends(range)?;
    let located = session.locate(path, (first, last), dialect, Context::default());
    let (document, span) = located.map_err(|refusal| Trouble::unread(dialect, refusal))?;
    let hash = rolling_hash(document.lines_in(span).map(|line| line.text));
    if out.json {
        let mut object = json!({
            "ok": true,
            "path": args.path,
            "rev": document.revision().short(),
            "start_line": span.start() + 1,
            "end_line": span.end(),
            "rolling": hash,
        });
        with_state_notes(service, out, Some(&mut object));
        out.object(&object);
    } else {
        out.line(&hash);
    }
    Ok(Exit::Done)
}

/// Reads `A..B`: each a line number, or an anchor that begins with one.
fn ends(range: &str) -> Result<(&str, &str), Trouble> {
    let number = |end: &str| {
        let digits = end.bytes().take_while(u8::is_ascii_digit).count();
        end.get(..digits)
            .and_then(|digits| digits.parse::<u64>().ok())
    };
    let ends = range.split_once("..");
    let ends = ends.map(|(first, last)| (first.trim(), last.trim()));
    let numbers = ends.and_then(|(first, last)| Some((number(first)?, number(last)?)));
    match (ends, numbers) {
        (_, Some((first, last))) if first > last => Err(Trouble::Usage(format!(
            "--rolling {range}: the range ends before it starts; write it as {last}..{first}"
        ))),
        (_, Some((0, _))) => Err(Trouble::Usage(format!(
            "--rolling {range}: the first line is 1"
        ))),
        (Some(ends), Some(_)) => Ok(ends),
        _ => Err(Trouble::Usage(format!(
            "`{range}` is no range: write A..B, as in 3..7"
        ))),
    }
}
