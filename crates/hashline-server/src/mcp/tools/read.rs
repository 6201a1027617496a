//! `read`: files with an anchor before every line, as much of them as one answer takes.

use hashline_core::dialect::Dialect;
use hashline_core::text::LineNo;
use hashline_session::{Ask, Lines, View};
use hashline_wire::render::model::{self, Heading};
use hashline_wire::request::{LineRange, ReadFile, parse_read, tidy_read};
use hashline_wire::{Refusal, Terms};
use serde_json::{Map, Value, json};

use super::{ToolCall, body};
use crate::mcp::answer::{PAGE, ToolAnswer, clipped};

/// Said where a commit over several files may have been under way.
const HALF_SEEN: &str = "Note: a change of several files may be half seen: read again to be sure.";
/// The argument that bounds the matches of a file.
const MAX_MATCHES: &str = "maxMatches";
/// However little is left for the last of several files, it is not torn to shreds.
const LEAST: usize = 4 << 10;

pub(super) fn run(arguments: Value, call: &ToolCall<'_>) -> ToolAnswer {
    let limits = call.session.service().request_limits();
    let (arguments, notes) = match tidy_read(arguments, &limits) {
        Ok((arguments, notes)) => (spread(arguments), notes),
        Err(bad) => return ToolAnswer::refused(unread(call, &bad.into())),
    };
    // All dialects read with the same arguments: only the anchors differ.
    let request = match parse_read(&body(&arguments), Dialect::LEAN, &limits) {
        Ok(request) => request,
        Err(bad) => return ToolAnswer::refused(unread(call, &bad.into())),
    };
    let asks: Vec<Ask> = request.files.iter().map(ask).collect();
    let read = call
        .session
        .read_unless(&asks, call.dialect, Some(call.stop));
    let reading = match read {
        Ok(reading) => reading,
        Err(error) => return ToolAnswer::refused(unread(call, &error.into())),
    };
    let mut page = Page::new(call);
    let mut asked = one_by_one(arguments).into_iter();
    for (file, view) in request.files.iter().zip(reading.files) {
        let asked = as_said(file, asked.next());
        page.show(
            Wanted {
                file,
                asked: &asked,
            },
            view,
        );
    }
    let mut lines: Vec<String> = reading.notes.iter().map(model::disk_note).collect();
    if !reading.consistent {
        lines.push(HALF_SEEN.to_owned());
    }
    page.answer()
        .with_notes(&notes)
        .with_notes(&request.notes)
        .with_lines(&lines)
}

/// Gives each of several paths what stands beside them. One path beside several is one more.
fn spread(arguments: Value) -> Value {
    let Value::Object(mut beside) = arguments else {
        return arguments;
    };
    let several = match beside.remove("paths") {
        Some(Value::Array(paths)) => paths,
        Some(path @ Value::String(_)) => vec![path],
        Some(Value::Null) | None => return Value::Object(beside),
        Some(other) => {
            // It is no list: the reader of requests says so.
            beside.insert("paths".to_owned(), other);
            return Value::Object(beside);
        }
    };
    let one = beside.remove("path");
    let one = one.filter(|path| !path.is_null() && !several.contains(path));
    let of_each = |path: Value| match path {
        Value::String(path) => {
            let mut file: Map<String, Value> = beside.clone();
            file.insert("path".to_owned(), path.into());
            Value::Object(file)
        }
        other => other,
    };
    let files = one.into_iter().chain(several).map(of_each);
    json!({"files": files.collect::<Vec<_>>()})
}

/// Returns what was asked of each file, as it was said.
fn one_by_one(arguments: Value) -> Vec<Map<String, Value>> {
    let lists = ["files", "paths"];
    let list = lists.into_iter().find_map(|key| match arguments.get(key) {
        None | Some(Value::Null) => None,
        Some(list) => Some(list.clone()),
    });
    let list = match list.unwrap_or(arguments) {
        Value::Array(list) => list,
        one => vec![one],
    };
    let one = |asked: Value| match asked {
        Value::Object(asked) => asked,
        path => Map::from_iter([("path".to_owned(), path)]),
    };
    list.into_iter().map(one).collect()
}

/// Returns what was said of a file; of one that was named in a way of its own, its name.
fn as_said(file: &ReadFile, said: Option<Map<String, Value>>) -> Map<String, Value> {
    let is_it = |said: &Map<String, Value>| said.get("path").is_some_and(|path| *path == file.path);
    said.filter(is_it)
        .unwrap_or_else(|| Map::from_iter([("path".to_owned(), file.path.clone().into())]))
}

fn ask(file: &ReadFile) -> Ask {
    let lines = match &file.search {
        Some((_, search)) => {
            let first = file.range.first.unwrap_or(1).max(1) - 1;
            let search = search.clone().starting_at(LineNo::from_index(first));
            let search = match file.range.last {
                Some(last) => search.ending_after(last),
                None => search,
            };
            let most = search.max_matches();
            Lines::Matching { search, most }
        }
        None if file.range == LineRange::default() => Lines::All,
        None => Lines::Range(file.range),
    };
    let path = file.path.clone();
    Ask { path, lines }
}

fn unread(call: &ToolCall<'_>, refusal: &Refusal) -> String {
    model::unread(&Terms::new(call.dialect), refusal)
}

/// A file that is to be shown.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    /// Which, and what of it.
    file: &'a ReadFile,
    /// The same as it was said.
    asked: &'a Map<String, Value>,
}

impl Wanted<'_> {
    /// Returns how many matches were asked for in words.
    fn most(&self) -> Option<usize> {
        let said = self.asked.get(MAX_MATCHES).filter(|most| !most.is_null());
        let search = self.file.search.as_ref();
        said.and_then(|_| search.map(|(_, search)| search.max_matches()))
    }
}

/// What one answer shows of the files.
struct Page<'a> {
    call: &'a ToolCall<'a>,
    /// What is shown so far, a block for each file.
    blocks: Vec<String>,
    /// How much more may be shown.
    left: usize,
    /// The files that have no room.
    unshown: Vec<Map<String, Value>>,
    /// How many could be read.
    read: usize,
}

impl<'a> Page<'a> {
    fn new(call: &'a ToolCall<'a>) -> Self {
        Self {
            call,
            blocks: Vec::new(),
            left: PAGE,
            unshown: Vec::new(),
            read: 0,
        }
    }

    /// Shows one file, or as much of it as there is room for.
    fn show(&mut self, wanted: Wanted<'_>, view: Result<View, Refusal>) {
        let block = match view {
            Err(refusal) => unread(self.call, &refusal),
            Ok(_) if self.left < LEAST => {
                self.unshown.push(wanted.asked.clone());
                return;
            }
            Ok(view) => {
                self.read += 1;
                self.cut(wanted, view)
            }
        };
        self.left = self.left.saturating_sub(block.len());
        self.blocks.push(block);
    }

    /// Cuts a file to the room there is, and says how to go on.
    fn cut(&self, wanted: Wanted<'_>, view: View) -> String {
        let next = view.overflow(self.left);
        match (wanted.file.search.is_some(), next) {
            (true, _) => self.cut_found(wanted, view, next),
            (false, None) => self.lines(&view),
            (false, Some(next)) => self.cut_lines(wanted, view, next),
        }
    }

    /// Shows the lines before one.
    fn cut_lines(&self, wanted: Wanted<'_>, mut view: View, next: LineNo) -> String {
        let file = wanted.file;
        if file.range == LineRange::default() {
            view.cut_at(next);
        } else {
            // Of a part no less can be shown than was read: the part is read anew, as long as it fits.
            let range = LineRange {
                last: Some(next.index()),
                ..file.range
            };
            let lines = Lines::Range(range);
            let path = file.path.clone();
            let again = self
                .call
                .session
                .read(&[Ask { path, lines }], self.call.dialect);
            match again.map(|mut reading| reading.files.pop()) {
                Ok(Some(Ok(part))) => view = part,
                Ok(Some(Err(refusal))) => return unread(self.call, &refusal),
                Ok(None) => {}
                Err(error) => return unread(self.call, &error.into()),
            }
        }
        self.lines(&view) + &go_on(wanted, next, 0)
    }

    /// Shows as many matches as there is room for, and how to go on with the others: up to as many as were asked for in words, else all.
    fn cut_found(&self, wanted: Wanted<'_>, mut view: View, next: Option<LineNo>) -> String {
        let is_bounded = wanted.most().is_some();
        let end = next.unwrap_or(LineNo::from_index(view.line_count));
        if next.is_none() && (!view.more || is_bounded) {
            return self.lines(&view);
        }
        // A match whose surroundings alone are too much is shown as far as there is room.
        let (behind, shown) = view.break_before(end).unwrap_or((end, 1));
        view.cut_at(behind);
        view.matches = Some(shown);
        view.more = true;
        let left = wanted.most().map(|most| most.saturating_sub(shown));
        let text = self.lines(&view);
        match left {
            Some(0) => text,
            _ => text + &go_on(wanted, behind, shown),
        }
    }

    /// Renders the lines of a file below its heading, and writes down that they were shown.
    fn lines(&self, view: &View) -> String {
        let heading = model::heading(&Heading {
            path: &view.path,
            rev: &view.revision.short(),
            lines: view.line_count,
            spans: &view.spans,
            matches: view.matches.map(|matches| (matches, view.more)),
        });
        let mut out = heading.into_bytes();
        out.push(b'\n');
        // A vector takes everything.
        let _ = self.call.session.show(view, self.call.dialect, &mut out);
        if out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
        let text = String::from_utf8(out)
            .unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into());
        clipped(text, PAGE / 2)
    }

    fn answer(mut self) -> ToolAnswer {
        if !self.unshown.is_empty() {
            let call = together(&self.unshown);
            let count = self.unshown.len();
            self.blocks.push(format!(
                "Not shown, there is no room: {count} more.\nNext: read {call}"
            ));
        }
        // No more than the end of the line: white space before it may be the file's own.
        let text = self.blocks.join("\n").trim_end_matches('\n').to_owned();
        match self.read {
            0 => ToolAnswer::refused(text),
            _ => ToolAnswer::read_only(text),
        }
    }
}

/// Says with which call to go on: the same, from another line, for what is left after so many matches.
fn go_on(wanted: Wanted<'_>, next: LineNo, shown: usize) -> String {
    let mut call = wanted.asked.clone();
    call.insert("offset".to_owned(), next.get().into());
    if let Some(last) = wanted.file.range.last {
        let left = last.saturating_sub(next.index());
        call.insert("limit".to_owned(), left.into());
    }
    if let Some(most) = wanted.most() {
        let left = most.saturating_sub(shown);
        call.insert(MAX_MATCHES.to_owned(), left.into());
    }
    let call = Value::Object(call);
    format!("(cut: there is more)\nNext: read {call}\n")
}

/// Makes one call of several: by their paths alone if the same is wanted of each.
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
