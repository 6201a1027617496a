//! Requests to read: which files, which lines of them, and what to look for.

use hashline_core::dialect::Dialect;
use hashline_core::text::{LineNo, LineSpan};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::parser::{MAX_NOTES, Parser, file_name, is_request_field, signed_number, whole_number};
use super::tolerant::{self, unwrap_call};
use super::{Body, Limits, Note, NoteKind, ParseOptions, Shape, json, request_json, shape};
use crate::error::{BadRequest, Fault};

/// What is to be read.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    /// The files, in order.
    pub files: Vec<ReadFile>,
    /// Whether lines carry anchors.
    pub annotate: bool,
    /// What was understood although it was not well-formed, and what was ignored.
    pub notes: Vec<Note>,
}

/// One file to be read.
#[derive(Clone, Debug)]
pub struct ReadFile {
    /// The file.
    pub path: String,
    /// Which lines.
    pub range: LineRange,
    /// What to search for in it.
    pub search: Option<LineSearch>,
    /// The fields that were sent for this file, so that a caller can be told how to go on reading it.
    pub sent: Map<String, Value>,
}

impl ReadFile {
    fn lines(path: String, range: LineRange) -> Self {
        Self {
            sent: Map::from_iter([("path".to_owned(), path.as_str().into())]),
            path,
            range,
            search: None,
        }
    }
}

/// A search in one file, as seed 004 defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSearch {
    /// The text.
    pub text: String,
    /// Whether it is a regular expression, matched against one line at a time.
    pub regex: bool,
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
    /// How many lines are shown before each match.
    pub before: usize,
    /// How many lines are shown after each match.
    pub after: usize,
    /// How many matching lines are shown at most.
    pub max_matches: usize,
}

impl LineSearch {
    /// How many matching lines are shown, unless a request says otherwise.
    pub const DEFAULT_MATCHES: usize = 200;
    /// The most matching lines that can be asked for.
    pub const MAX_MATCHES: usize = 1000;

    /// Returns the lines to show: the matches and the lines around them, no further than `within`. Spans that touch are merged.
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

/// Which lines are to be read, as people count; nothing means from the start, or to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineRange {
    /// The first line.
    pub first: Option<usize>,
    /// The last line.
    pub last: Option<usize>,
    /// How many lines more each way.
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

/// Reads a request to read, in the shape of a dialect; those without one of their own take seed 004's.
///
/// # Errors
///
/// [`BadRequest`] says where and what. Whether a regular expression can be used is found out when it is searched for.
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

/// Gives each of several `paths` the fields beside them. A `path` beside several is one more.
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

/// Tidies a request to read: no wrapper of a tool call, every file by its `path`, lists as lists, and nothing that is null or that a
/// model filled in with nothing. What there is to note about it comes along. A plain request stays as it is.
///
/// # Errors
///
/// [`BadRequest`] says where and what.
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

/// Reads a list of files that was sent as a string of JSON; any other string is the name of a file, whatever it begins with.
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

/// The names under which a request lists several files.
const LISTS: [&str; 2] = ["files", "paths"];

/// The fields of all requests to read.
const FIELDS: &[&str] = &[
    "annotate",
    "caseSensitive",
    "context",
    "contextAfter",
    "contextBefore",
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

/// Returns the file, and whether its lines are to carry anchors.
fn read_push(parser: &mut Parser<'_>, value: Value) -> Result<(Vec<ReadFile>, bool), BadRequest> {
    let read: PushRead = parser.read(value, "")?;
    let range = LineRange {
        first: read.start_line,
        last: read.end_line,
        context: 0,
    };
    let file = ReadFile::lines(parser.path(read.path)?, range);
    Ok((vec![file], read.annotate == Some(true)))
}

fn read_cowboy(parser: &mut Parser<'_>, value: Value) -> Result<Vec<ReadFile>, BadRequest> {
    let read: CowboyRead = parser.read(value, "")?;
    let range = LineRange {
        first: read.start,
        last: read.end,
        context: read.context.unwrap_or(0),
    };
    Ok(vec![ReadFile::lines(parser.path(read.path)?, range)])
}

/// A path, an object, or a list of these; under `files`, `paths`, or the request itself.
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

/// Refuses what stands beside a list of files and belongs to one of them; notes what nobody knows.
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

/// Refuses negative counts, which only pi's own definition takes.
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
