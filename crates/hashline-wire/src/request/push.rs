//! Seed 001's requests: `edits` with `type`, `ref` and `new_content`, and whole files to write.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hashline_core::anchor::Claim;
use hashline_core::edit::{Place, Target};
use hashline_core::files::FileAction;
use hashline_core::text::Payload;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::operations::{Operations, delete, insert_string, needed, replace, row, target};
use super::parser::{Parser, file_name, matters_to_request};
use super::{Anchors, Body, Limits, Note, Parsed, Show, parse_plain};
use crate::error::{BadRequest, Fault};

/// A request to edit one file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "push edit request")]
pub struct PushRequest {
    /// The file.
    pub path: Option<String>,
    /// The edits. All refs are those of the file as it was read.
    #[schemars(with = "Vec<PushEdit>")]
    pub edits: Value,
    /// The SHA-256 the file must have, as the read answer gave it.
    #[serde(alias = "expected_version")]
    pub file_hash: Option<String>,
    /// Answer with the whole annotated file as well.
    pub full_refresh: Option<bool>,
}

/// One edit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PushEdit {
    /// What to do: replace_line, replace_range, insert_after, insert_before, delete_line or delete_range.
    #[serde(rename = "type", alias = "op")]
    pub kind: Option<String>,
    /// The line, as in `12:OcoM`.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// The first line of a range.
    pub start_ref: Option<String>,
    /// The last line of a range.
    pub end_ref: Option<String>,
    /// The new text.
    #[serde(alias = "content")]
    pub new_content: Option<String>,
}

/// A whole file to be written, whatever was there.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "push write request")]
pub struct PushWrite {
    /// The file.
    pub path: String,
    /// Its new content; with `"encoding": "base64"` the bytes of the file in Base64.
    pub content: String,
    /// `base64` for bytes that need not be text; or a text encoding such as `windows-1252`; UTF-8 unless given.
    pub encoding: Option<String>,
    /// The SHA-256 that the file must have, as the last read or write gave it; without it the file is overwritten.
    pub expected_version: Option<String>,
    /// Write lines that begin with their own anchor as they are.
    pub keep_anchors: Option<bool>,
}

/// A parsed [`PushWrite`].
#[derive(Clone, Debug)]
pub struct PushWriteRequest {
    /// The path of the file.
    pub path: String,
    /// The new content of the file.
    pub content: PushContent,
    /// The SHA-256 that the file must have.
    pub expected_version: Option<String>,
    /// Whether lines that begin with their own anchor are refused or written.
    pub anchors: Anchors,
    /// Unknown fields that were ignored.
    pub notes: Vec<Note>,
}

/// The content of a whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushContent {
    /// Bytes that need not be text.
    Bytes(Vec<u8>),
    /// Text, and the encoding in which it is to be written, if the request names one.
    Text(String, Option<String>),
}

/// Parses seed 001's request to write a whole file.
///
/// # Errors
///
/// [`BadRequest`] if the request cannot be parsed: it says where and what is wrong.
pub fn parse_push_write<'b>(
    body: impl Into<Body<'b>>,
    limits: &Limits,
) -> Result<PushWriteRequest, BadRequest> {
    let (body, notes): (PushWrite, _) = parse_plain(body.into(), limits, matters_to_request)?;
    let path = file_name(body.path, "path")?;
    let encoding = body.encoding.filter(|name| !name.is_empty());
    let content = match encoding {
        Some(name) if name.eq_ignore_ascii_case("base64") => {
            let bytes = STANDARD.decode(body.content.as_bytes()).map_err(|error| {
                let message = format!("it is not Base64: {error}");
                BadRequest::new(Fault::BadField, "content", message).of_file(Some(&path))
            });
            PushContent::Bytes(bytes?)
        }
        name => PushContent::Text(body.content, name),
    };
    let expected_version = body.expected_version.filter(|version| !version.is_empty());
    let anchors = if body.keep_anchors == Some(true) {
        Anchors::Kept
    } else {
        Anchors::Refused
    };
    Ok(PushWriteRequest {
        path,
        content,
        expected_version,
        anchors,
        notes,
    })
}

/// The operations of the push dialect. A deletion may have an empty `new_content`.
pub(super) const OPERATIONS: Operations<PushEdit> = Operations {
    keys: &["type", "op"],
    rows: &[
        row("replace_line", LINE, |edit| {
            replace(line(edit.reference)?, text(edit.new_content)?)
        }),
        row("replace_range", RANGE, |edit| {
            replace(
                range(edit.start_ref, edit.end_ref)?,
                text(edit.new_content)?,
            )
        }),
        row("insert_after", LINE, |edit| insert(edit, Place::After)),
        row("insert_before", LINE, |edit| insert(edit, Place::Before)),
        row("delete_line", LINE, |edit| {
            no_text(edit.new_content)?;
            delete(line(edit.reference)?)
        }),
        row("delete_range", RANGE, |edit| {
            no_text(edit.new_content)?;
            delete(range(edit.start_ref, edit.end_ref)?)
        }),
    ],
    instead: &[],
};

/// The fields of push's operations on one line.
const LINE: &[&str] = &["ref", "new_content", "content"];
/// The fields of push's operations on a range of lines.
const RANGE: &[&str] = &["start_ref", "end_ref", "new_content", "content"];

pub(super) fn read(parser: &mut Parser<'_>, mut value: Value) -> Result<Parsed, BadRequest> {
    let edits = parser.list(&mut value, "edits")?;
    let (request, path, mut parsed) = parser.beside_edits::<PushRequest>(value)?;
    parsed.request.steps = OPERATIONS.steps(parser, edits, "edits", &path)?;
    if request.full_refresh == Some(true) {
        parsed.show = Show::Everything;
    }
    let hash = request.file_hash.map(|hash| (path, hash));
    parsed.request.file_hashes.extend(hash);
    Ok(parsed)
}

fn insert(edit: PushEdit, beside: fn(Claim) -> Place) -> Result<FileAction, BadRequest> {
    let line = reference(edit.reference, "ref")?;
    insert_string(beside, line, text(edit.new_content)?)
}

fn line(line: Option<String>) -> Result<Target, BadRequest> {
    Ok(target(reference(line, "ref")?, None))
}

fn range(first: Option<String>, last: Option<String>) -> Result<Target, BadRequest> {
    let first = reference(first, "start_ref")?;
    Ok(target(first, Some(reference(last, "end_ref")?)))
}

fn reference(value: Option<String>, field: &str) -> Result<String, BadRequest> {
    needed(value, Fault::MissingAnchor, field)
}

fn text(value: Option<String>) -> Result<Payload, BadRequest> {
    needed(value, Fault::MissingText, "new_content").map(Payload::Text)
}

fn no_text(value: Option<String>) -> Result<(), BadRequest> {
    if value.is_some_and(|text| !text.is_empty()) {
        let message = "a deletion takes no new content";
        return Err(BadRequest::new(Fault::BadField, "new_content", message));
    }
    Ok(())
}
