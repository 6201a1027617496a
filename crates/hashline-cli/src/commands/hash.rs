//! `hashline hash`: anchors without text.

use hashline_core::dialect::Dialect;
use hashline_core::scheme::rolling_hash;
use hashline_service::{Ask, Lines, View};
use serde_json::json;

use super::{dialect_in, open_for};
use crate::args::{Global, HashArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &HashArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let lines = Lines::All;
    let asks = [Ask { path, lines }];
    let session = service.session(global.session());
    let mut reading = session.read(&asks, dialect)?;
    let view = match reading.files.pop() {
        Some(Ok(view)) => view,
        Some(Err(refusal)) => return Err(Trouble::Unread(dialect, Box::new(refusal))),
        None => return Err(Trouble::internal()),
    };
    match &args.rolling {
        Some(range) => rolling(args, &view, range, out),
        None => {
            session.showed(&view, dialect, None);
            anchors(args, &view, dialect, out)
        }
    }
}

fn anchors(
    args: &HashArgs,
    view: &View,
    dialect: Dialect,
    out: &mut Output,
) -> Result<Exit, Trouble> {
    let anchors = view.anchored(dialect.scheme).map(|line| line.anchor());
    if out.json {
        let anchors: Vec<String> = anchors.collect();
        out.object(&json!({
            "ok": true,
            "path": args.path,
            "rev": view.revision.short(),
            "total_lines": view.line_count,
            "anchors": anchors,
        }))?;
        return Ok(Exit::Done);
    }
    for anchor in anchors {
        writeln!(out.data(), "{anchor}")?;
    }
    Ok(Exit::Done)
}

/// Prints the hash over a range of lines, given by numbers or anchors.
fn rolling(args: &HashArgs, view: &View, range: &str, out: &mut Output) -> Result<Exit, Trouble> {
    let (first, last) = ends(range)?;
    if first < 1 || last < first || last > view.line_count {
        let lines = view.line_count;
        let told = format!("--rolling {range}: the file has lines 1 to {lines}");
        return Err(Trouble::Usage(told));
    }
    let lines = view.lines().skip(first - 1).take(last + 1 - first);
    let hash = rolling_hash(lines.map(|(_, line)| line.text));
    if out.json {
        out.object(&json!({
            "ok": true,
            "path": args.path,
            "rev": view.revision.short(),
            "start_line": first,
            "end_line": last,
            "rolling": hash,
        }))?;
    } else {
        out.line(&hash)?;
    }
    Ok(Exit::Done)
}

/// Reads `A..B`: each a line number, or an anchor that begins with one.
fn ends(range: &str) -> Result<(usize, usize), Trouble> {
    let number = |text: &str| {
        let digits: String = text
            .trim()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse::<usize>().ok()
    };
    let ends = range.split_once("..");
    let ends = ends.and_then(|(first, last)| Some((number(first)?, number(last)?)));
    ends.ok_or_else(|| Trouble::Usage(format!("`{range}` is no range: write A..B, as in 3..7")))
}
