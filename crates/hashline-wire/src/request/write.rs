//! Requests to write a whole file.

use hashline_core::text::RevPrefix;
use schemars::JsonSchema;
use serde::Deserialize;

use super::typed::{Reader, carries_change, file_name, revision};
use super::{Body, Limits, Note, ParseOptions, request_json, tolerant};
use crate::error::BadRequest;

/// A file to be written whole, as it was sent.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "write request")]
pub struct WriteBody {
    /// The file.
    pub path: String,
    /// What it shall hold, byte for byte.
    pub content: String,
    /// The revision that `read` showed, to replace a file that exists; without it the file is created.
    #[serde(default)]
    pub rev: Option<String>,
    /// Write lines that begin with an anchor of theirs as they are.
    #[serde(default)]
    pub keep_anchors: Option<bool>,
}

/// A file to be written whole.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    /// The file.
    pub path: String,
    /// What it shall hold.
    pub content: String,
    /// The revision it must have; nothing if it must not be there.
    pub rev: Option<RevPrefix>,
    /// What becomes of lines that begin with an anchor that is right.
    pub anchors: Anchors,
    /// What was not understood and ignored.
    pub notes: Vec<Note>,
}

/// What becomes of lines that begin with an anchor that is right: somebody copied what was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchors {
    /// The request is refused.
    Refused,
    /// They are meant so.
    Kept,
}

/// Reads a request to write a whole file.
///
/// # Errors
///
/// [`BadRequest`] says where and what.
pub fn parse_write<'b>(
    body: impl Into<Body<'b>>,
    limits: &Limits,
) -> Result<WriteRequest, BadRequest> {
    let mut value = request_json(body.into(), limits)?;
    let mut notes = Vec::new();
    tolerant::drop_nulls(&mut value);
    tolerant::name_path(&mut value, "", &mut notes);
    let options = ParseOptions {
        limits: *limits,
        ..ParseOptions::default()
    };
    let mut reader = Reader::new(&options, notes);
    let body: WriteBody = reader.read(value, "")?;
    let path = file_name(body.path, "path")?;
    let rev = body.rev.filter(|rev| !rev.is_empty());
    let rev = rev.map(|rev| revision(&rev, "rev")).transpose();
    Ok(WriteRequest {
        rev: rev.map_err(|error| error.of_file(Some(&path)))?,
        path,
        content: body.content,
        anchors: match body.keep_anchors {
            Some(true) => Anchors::Kept,
            _ => Anchors::Refused,
        },
        notes: reader.into_notes(carries_change)?,
    })
}
