//! Requests to read files: which files, which of their lines, and a text to search for in them.

use hashline_core::dialect::Dialect;
use hashline_core::text::{LineNo, LineSpan};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::parser::{MAX_NOTES, Parser, file_name, is_request_field, signed_number, whole_number};
use super::tolerant::{self, unwrap_call};
use super::{Body, Limits, Note, NoteKind, ParseOptions, Shape, json, request_json, shape};
use crate::error::{BadRequest, Fault};

/// A parsed request to read files.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    /// The files to read, in the order of the request.
    pub files: Vec<ReadFile>,
    /// Whether to show an anchor before every line.
    pub annotate: bool,
    /// Notes about mistakes that the parser accepted and about fields that it ignored.
    pub notes: Vec<Note>,
}

/// One file to be read.
#[derive(Clone, Debug)]
pub struct ReadFile {
    /// The path of the file.
    pub path: String,
    /// The encoding of the file, if the request names it.
    pub encoding: Option<String>,
    /// Which lines to read.
    pub range: LineRange,
    /// A search in the file, to show only the lines that match.
    pub search: Option<LineSearch>,
    /// The fields that the request has for this file, from which the call that reads its next lines is made.
    pub sent: Map<String, Value>,
}

impl ReadFile {
    fn lines(path: String, range: LineRange) -> Self {
        Self {
            sent: Map::from_iter([("path".to_owned(), path.as_str().into())]),
            path,
            range,
            search: None,
            encoding: None,
        }
    }
}

/// A search in one file, as seed 004 defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSearch {
    /// The text or regular expression to search for.
    pub text: String,
    /// Whether `text` is a regular expression, matched against one line at a time.
    pub regex: bool,
    /// Whether the search distinguishes upper and lower case.
    pub case_sensitive: bool,
    /// How many lines to show before each match.
    pub before: usize,
    /// How many lines to show after each match.
    pub after: usize,
    /// The maximum number of matching lines to show.
    pub max_matches: usize,
}

impl LineSearch {
    /// The maximum number of matching lines that are shown if a request does not say.
    pub const DEFAULT_MATCHES: usize = 200;
    /// The maximum number of matching lines that a request can ask for.
    pub const MAX_MATCHES: usize = 1000;

    /// Returns the lines to show: the matching lines and the lines around them, limited to `within`. Spans that touch are merged.
    #[must_use]
    pub fn spans(&self, matches: &[LineNo], within: LineSpan) -> Vec<LineSpan> {
        let around = |line: &LineNo| {
            let start = line.index().saturating_sub(self.before);
            let end = line.get().saturating_add(self.after);
            LineSpan::new(start.max(within.start())..end.min(within.end()))
        };
        LineSpan::merged(matches.iter().map(around).collect())
    }
}

/// Which lines to read, numbered from 1; both ends are inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineRange {
    /// The first line; `None` for the start of the file.
    pub first: Option<usize>,
    /// The last line; `None` for the end of the file.
    pub last: Option<usize>,
    /// How many more lines to show before the first and after the last.
    pub context: usize,
}

/// Seed 001's request to read one file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "push read request")]
pub struct PushRead {
    /// Always "read".
    pub operation: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// The encoding of the file, such as `windows-1252`; detected unless given.
    pub encoding: Option<String>,
    /// Put an anchor before every line.
    pub annotate: Option<bool>,
    /// The first line, counted from 1.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>", range(min = 1))]
    pub start_line: Option<usize>,
    /// The last line.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub end_line: Option<usize>,
}

/// Seed 002's request to read one file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "cowboy read request")]
pub struct CowboyRead {
    /// The file.
    pub path: Option<String>,
    /// The encoding of the file, such as `windows-1252`; detected unless given.
    pub encoding: Option<String>,
    /// The first line, counted from 1.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>", range(min = 1))]
    pub start: Option<usize>,
    /// The last line.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub end: Option<usize>,
    /// How many lines more each way.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub context: Option<usize>,
}

/// Seed 004's request to read one file; a request holds one, or a list of them under `files`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(
    title = "read request",
    description = "What to read: a file under `path`, or several under `paths`."
)]
pub struct PiRead {
    /// The file.
    pub path: Option<String>,
    /// The encoding of the file, such as `windows-1252`; detected unless given.
    pub encoding: Option<String>,
    /// The first line, counted from 1.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>", range(min = 1))]
    pub offset: Option<usize>,
    /// How many lines at most.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub limit: Option<usize>,
    /// A text to search for; only lines that contain it are shown.
    pub search: Option<String>,
    /// Treat the text as a regular expression.
    pub regex: Option<bool>,
    /// Do not ignore case in `search`; the default is false.
    #[serde(rename = "caseSensitive")]
    pub case_sensitive: Option<bool>,
    /// How many lines to show before each match.
    #[serde(rename = "contextBefore", deserialize_with = "signed_number")]
    #[schemars(with = "Option<usize>")]
    pub context_before: Option<i64>,
    /// How many lines to show after each match.
    #[serde(rename = "contextAfter", deserialize_with = "signed_number")]
    #[schemars(with = "Option<usize>")]
    pub context_after: Option<i64>,
    /// How many matching lines to show: 1 to 1000, 200 unless given; 0 counts as 1.
    #[serde(rename = "maxMatches", deserialize_with = "signed_number")]
    #[schemars(with = "Option<usize>", range(min = 1, max = 1000))]
    pub max_matches: Option<i64>,
}

/// Parses a request to read files in the shape of a dialect; dialects without a read request of their own accept seed 004's.
///
/// # Errors
///
/// [`BadRequest`] if the request cannot be parsed: it says where and what is wrong. Regular expressions are not checked before the search.
pub fn parse_read<'b>(
    body: impl Into<Body<'b>>,
    dialect: Dialect,
    limits: &Limits,
) -> Result<ReadRequest, BadRequest> {
    let in_dialect = |error: BadRequest| error.in_dialect(Some(dialect));
    let value = request_json(body.into(), limits).map_err(in_dialect)?;
    let (value, notes) = tidy_read(value, limits).map_err(in_dialect)?;
    let path = shape::one_file(Shape::Common, &value, None).map(str::to_owned);
    let value = spread(value);
    read(value, dialect, limits, notes).map_err(|error| in_dialect(error.of_file(path.as_deref())))
}

/// Turns a request with `paths` into one with `files`: each path gets a copy of the other fields. A `path` next to `paths` is one more file.
fn spread(request: Value) -> Value {
    let Value::Object(mut beside) = request else {
        return request;
    };
    if beside.get("files").is_some_and(|files| !files.is_null()) {
        // Two lists of files are refused later.
        return Value::Object(beside);
    }
    let several = match beside.remove("paths") {
        Some(Value::Array(paths)) => paths,
        Some(path @ Value::String(_)) => vec![path],
        Some(Value::Null) | None => return Value::Object(beside),
        Some(other) => {
            // It is not a list, and is refused as such later.
            beside.insert("paths".to_owned(), other);
            return Value::Object(beside);
        }
    };
    let one = beside.remove("path");
    let one = one.filter(|path| !path.is_null() && !several.contains(path));
    let of_each = |path: Value| match path {
        Value::String(path) => {
            let mut file = beside.clone();
            file.insert("path".to_owned(), path.into());
            Value::Object(file)
        }
        other => other,
    };
    let files: Vec<Value> = one.into_iter().chain(several).map(of_each).collect();
    Value::Object(Map::from_iter([("files".to_owned(), files.into())]))
}

/// Normalizes a request to read files: removes the wrapper of a tool call and null or empty fields, renames aliases of `path`, and parses
/// lists that were sent as strings. Also returns notes about the mistakes it corrected.
///
/// # Errors
///
/// [`BadRequest`] if the request exceeds a limit, or a field next to the wrapped arguments would be lost.
fn tidy_read(request: Value, limits: &Limits) -> Result<(Value, Vec<Note>), BadRequest> {
    let mut notes = Vec::new();
    let is_field = |field: &str| FIELDS.contains(&field) || is_request_field(field);
    let mut request = unwrap_call(request, is_field, &mut notes)?;
    tolerant::drop_nulls(&mut request);
    tolerant::rename_path(&mut request, "", &mut notes);
    for key in LISTS {
        let Some(list) = request.get_mut(key) else {
            continue;
        };
        *list = listed(list.take(), key, limits, &mut notes)?;
        for (index, file) in list.as_array_mut().into_iter().flatten().enumerate() {
            tolerant::drop_nulls(file);
            tolerant::rename_path(file, &format!("{key}[{index}]"), &mut notes);
        }
    }
    let named = ["path"].iter().chain(&LISTS);
    let names = named.filter(|key| {
        request
            .get(**key)
            .is_some_and(|value| !tolerant::is_empty(value))
    });
    if names.count() > 0
        && let Some(request) = request.as_object_mut()
    {
        let is_name = |key: &str| key == "path" || LISTS.contains(&key);
        request.retain(|key, value| !is_name(key) || !tolerant::is_empty(value));
    }
    notes.truncate(MAX_NOTES);
    Ok((request, notes))
}

/// Parses a list of files that was sent as a string of JSON, and notes it; any other string is a path, even if it begins like JSON.
fn listed(
    list: Value,
    at: &str,
    limits: &Limits,
    notes: &mut Vec<Note>,
) -> Result<Value, BadRequest> {
    let Value::String(text) = &list else {
        return Ok(list);
    };
    match json::read(text.as_bytes(), limits, Fault::BadField, "") {
        Ok(inner @ Value::Array(_)) => {
            let kind = NoteKind::ListInString;
            let at = at.to_owned();
            notes.push(Note { at, kind });
            Ok(inner)
        }
        Err(error) if error.fault != Fault::BadField => Err(error.within(at)),
        Ok(_) | Err(_) => Ok(list),
    }
}

/// The names of the fields that list several files to read.
const LISTS: [&str; 2] = ["files", "paths"];

/// The fields of read requests in all dialects.
const FIELDS: &[&str] = &[
    "annotate",
    "caseSensitive",
    "context",
    "contextAfter",
    "contextBefore",
    "encoding",
    "end",
    "end_line",
    "files",
    "limit",
    "maxMatches",
    "offset",
    "path",
    "paths",
    "regex",
    "search",
    "start",
    "start_line",
];

fn read(
    value: Value,
    dialect: Dialect,
    limits: &Limits,
    notes: Vec<Note>,
) -> Result<ReadRequest, BadRequest> {
    let options = ParseOptions {
        dialect: Some(dialect),
        limits: *limits,
        ..ParseOptions::default()
    };
    let mut parser = Parser::new(&options, notes);
    let (files, annotate) = match dialect {
        Dialect::PUSH => read_push(&mut parser, value)?,
        Dialect::COWBOY => (read_cowboy(&mut parser, value)?, true),
        _ => (read_many(&mut parser, value)?, true),
    };
    if files.len() > limits.files {
        return Err(limits.too_many_files(files.len()).within("files"));
    }
    Ok(ReadRequest {
        files,
        annotate,
        notes: parser.into_notes(is_request_field)?,
    })
}

/// Parses seed 001's read request: returns its one file, and whether to show anchors.
fn read_push(parser: &mut Parser<'_>, value: Value) -> Result<(Vec<ReadFile>, bool), BadRequest> {
    let read: PushRead = parser.read(value, "")?;
    let range = LineRange {
        first: read.start_line,
        last: read.end_line,
        context: 0,
    };
    let file = ReadFile {
        encoding: named_encoding(read.encoding),
        ..ReadFile::lines(parser.path(read.path)?, range)
    };
    Ok((vec![file], read.annotate == Some(true)))
}

fn read_cowboy(parser: &mut Parser<'_>, value: Value) -> Result<Vec<ReadFile>, BadRequest> {
    let read: CowboyRead = parser.read(value, "")?;
    let range = LineRange {
        first: read.start,
        last: read.end,
        context: read.context.unwrap_or(0),
    };
    Ok(vec![ReadFile {
        encoding: named_encoding(read.encoding),
        ..ReadFile::lines(parser.path(read.path)?, range)
    }])
}

/// Parses seed 004's read request: a path, an object or a list of these, under `files` or `paths` or as the whole request.
fn read_many(parser: &mut Parser<'_>, mut value: Value) -> Result<Vec<ReadFile>, BadRequest> {
    let key = LISTS
        .into_iter()
        .find(|key| value.get(key).is_some_and(|files| !files.is_null()));
    let (at, files) = match key {
        Some(key) => {
            let files = value.get_mut(key).map(Value::take).unwrap_or_default();
            check_beside(parser, &value, key)?;
            (key, files)
        }
        None => ("", value),
    };
    let list = match files {
        Value::Array(list) => list,
        one => vec![one],
    };
    if list.is_empty() {
        return Err(BadRequest::new(
            Fault::NoEdits,
            at,
            "the request names no file",
        ));
    }
    let many = list.len() > 1;
    let items = list.into_iter().enumerate();
    items
        .map(|(index, item)| {
            let at = if many || !at.is_empty() {
                format!("{at}[{index}]")
            } else {
                String::new()
            };
            match item {
                Value::String(path) => {
                    let path = file_name(path, &at)?;
                    Ok(ReadFile::lines(path, LineRange::default()))
                }
                item => {
                    let sent = item.as_object().cloned().unwrap_or_default();
                    let read = parser.read::<PiRead>(item, &at)?;
                    let file = read_one(parser, read, &at)?;
                    Ok(ReadFile { sent, ..file })
                }
            }
        })
        .collect()
}

/// Refuses fields next to a list of files that belong inside its entries, such as `offset`; notes unknown fields.
fn check_beside(parser: &mut Parser<'_>, request: &Value, key: &str) -> Result<(), BadRequest> {
    let fields = request.as_object().into_iter().flatten();
    for (field, _) in fields.filter(|(_, value)| !value.is_null()) {
        if FIELDS.contains(&field.as_str()) {
            let message = format!("not allowed beside `{key}`: put it into each file");
            return Err(BadRequest::new(Fault::BadField, field, message));
        }
        parser.note_unknown(field);
    }
    Ok(())
}

fn read_one(parser: &Parser<'_>, read: PiRead, at: &str) -> Result<ReadFile, BadRequest> {
    let first = read.offset.map(|offset| offset.max(1));
    let last = read
        .limit
        .map(|limit| first.unwrap_or(1).saturating_add(limit).saturating_sub(1));
    if parser.dialect() != Some(Dialect::PI) {
        check_counts(&read).map_err(|error| error.within(at))?;
    }
    Ok(ReadFile {
        search: read.search.as_deref().map(|text| search(&read, text)),
        encoding: named_encoding(read.encoding),
        ..ReadFile::lines(
            parser.path(read.path)?,
            LineRange {
                first,
                last,
                context: 0,
            },
        )
    })
}

/// Returns the encoding that a request names; a caller that must fill in every field sends an empty one.
fn named_encoding(encoding: Option<String>) -> Option<String> {
    encoding.filter(|name| !name.is_empty())
}

/// Refuses negative numbers of lines and matches, which only the pi dialect accepts.
fn check_counts(read: &PiRead) -> Result<(), BadRequest> {
    let counts = [
        ("contextBefore", read.context_before),
        ("contextAfter", read.context_after),
        ("maxMatches", read.max_matches),
    ];
    let negative =
        |(field, count): (_, Option<i64>)| Some((field, count.filter(|count| *count < 0)?));
    match counts.into_iter().find_map(negative) {
        None => Ok(()),
        Some((field, count)) => {
            let message = format!("expected 0 or more, not {count}");
            Err(BadRequest::new(Fault::BadField, field, message))
        }
    }
}

fn search(read: &PiRead, text: &str) -> LineSearch {
    let count = |number: i64| usize::try_from(number.max(0)).unwrap_or(usize::MAX);
    let matches = read.max_matches.map(count);
    LineSearch {
        text: text.to_owned(),
        regex: read.regex == Some(true),
        case_sensitive: read.case_sensitive == Some(true),
        before: read.context_before.map_or(0, count),
        after: read.context_after.map_or(0, count),
        max_matches: matches
            .unwrap_or(LineSearch::DEFAULT_MATCHES)
            .clamp(1, LineSearch::MAX_MATCHES),
    }
}
