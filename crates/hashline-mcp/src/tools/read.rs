//! `read`: files with an anchor before every line, as much of them as one answer takes.

use hashline_core::dialect::Dialect;
use hashline_core::text::LineNo;
use hashline_service::{Ask, Lines, View};
use hashline_wire::render::model::{self, Heading};
use hashline_wire::request::{LineRange, ReadFile, parse_read};
use hashline_wire::{Refusal, Terms};
use serde_json::{Map, Value, json};

use super::{Call, body};
use crate::answer::Answer;

/// So many bytes one answer shows: well below what clients cut themselves, about 16,000 tokens.
pub(super) const PAGE: usize = 48 << 10;
/// However little is left for the last of several files, it is not torn to shreds.
const LEAST: usize = 4 << 10;

pub(super) fn run(arguments: Value, call: &Call<'_>) -> Answer {
    let limits = call.session.service().request_limits();
    // All dialects read with the same arguments: only the anchors differ.
    let request = match parse_read(&body(&spread(arguments)), Dialect::PI, &limits) {
        Ok(request) => request,
        Err(bad) => return Answer::refused(unread(call, &bad.into())),
    };
    let asks: Vec<Ask> = request.files.iter().map(ask).collect();
    let reading = match call.session.read(&asks, call.dialect) {
        Ok(reading) => reading,
        Err(error) => return Answer::refused(unread(call, &error.into())),
    };
    let mut page = Page::new(call);
    for (file, view) in request.files.iter().zip(reading.files) {
        page.show(file, view);
    }
    page.answer()
}

/// Gives each of several paths what stands beside them.
fn spread(arguments: Value) -> Value {
    let Value::Object(mut beside) = arguments else {
        return arguments;
    };
    let Some(Value::Array(paths)) = beside.remove("paths").filter(|paths| !paths.is_null()) else {
        return Value::Object(beside);
    };
    if let Some(path) = beside.remove("path").filter(|path| !path.is_null()) {
        return json!({"files": [path, paths]});
    }
    let of_each = |path: Value| match path {
        Value::String(path) => {
            let mut file: Map<String, Value> = beside.clone();
            file.insert("path".to_owned(), path.into());
            Value::Object(file)
        }
        other => other,
    };
    json!({"files": paths.into_iter().map(of_each).collect::<Vec<_>>()})
}

fn ask(file: &ReadFile) -> Ask {
    let lines = match &file.search {
        Some((_, search)) => {
            let first = file.range.first.unwrap_or(1).max(1) - 1;
            let search = search.clone().starting_at(LineNo::from_index(first));
            let most = search.max_matches();
            Lines::Matching { search, most }
        }
        None if file.range == LineRange::default() => Lines::All,
        None => Lines::Range(file.range),
    };
    let path = file.path.clone();
    Ask { path, lines }
}

fn unread(call: &Call<'_>, refusal: &Refusal) -> String {
    model::unread(&Terms::new(call.dialect), refusal)
}

/// What one answer shows of the files.
struct Page<'a> {
    call: &'a Call<'a>,
    /// What is shown so far, a block for each file.
    blocks: Vec<String>,
    /// How much more may be shown.
    left: usize,
    /// The files that have no room.
    unshown: Vec<String>,
    /// How many could be read.
    read: usize,
}

impl<'a> Page<'a> {
    fn new(call: &'a Call<'a>) -> Self {
        Self {
            call,
            blocks: Vec::new(),
            left: PAGE,
            unshown: Vec::new(),
            read: 0,
        }
    }

    /// Shows one file, or as much of it as there is room for.
    fn show(&mut self, file: &ReadFile, view: Result<View, Refusal>) {
        let block = match view {
            Err(refusal) => unread(self.call, &refusal),
            Ok(_) if self.left < LEAST => {
                self.unshown.push(file.path.clone());
                return;
            }
            Ok(view) => {
                self.read += 1;
                self.cut(file, view)
            }
        };
        self.left = self.left.saturating_sub(block.len());
        self.blocks.push(block);
    }

    /// Cuts a file to the room there is, and says how to go on.
    fn cut(&self, file: &ReadFile, mut view: View) -> String {
        let Some(next) = view.overflow(self.left) else {
            return self.lines(&view);
        };
        if let (None, Some(_)) | (None, None) = (&file.search, view.matches)
            && file.range != LineRange::default()
        {
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
        } else {
            view.cut_at(next);
        }
        let mut text = self.lines(&view);
        text.push_str(&go_on(file, next));
        text
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
        String::from_utf8(out).unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into())
    }

    fn answer(mut self) -> Answer {
        if !self.unshown.is_empty() {
            let call = json!({"paths": self.unshown});
            let count = self.unshown.len();
            self.blocks.push(format!(
                "Not shown, there is no room: {count} more.\nNext: read {call}"
            ));
        }
        let text = self.blocks.join("\n").trim_end().to_owned();
        match self.read {
            0 => Answer::refused(text),
            _ => Answer::looked(text),
        }
    }
}

/// Says with which call to go on.
fn go_on(file: &ReadFile, next: LineNo) -> String {
    let mut call = json!({"path": file.path, "offset": next.get()});
    if let Some(last) = file.range.last {
        call["limit"] = last.saturating_sub(next.index()).into();
    }
    if let Some((text, _)) = &file.search {
        call["search"] = text.as_str().into();
    }
    format!("(cut: there is more)\nNext: read {call}\n")
}
