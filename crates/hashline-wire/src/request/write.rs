//! Requests to write a whole file.

use hashline_core::text::RevPrefix;
use schemars::JsonSchema;
use serde::Deserialize;

use super::parser::{file_name, matters_to_request, revision};
use super::{Body, Limits, Note, parse_plain};
use crate::error::BadRequest;

/// A file to be written whole, as it was sent.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "write request")]
pub struct WriteBody {
    /// The file.
    pub path: String,
    /// Its new content, byte for byte.
    pub content: String,
    /// The revision that `read` showed, to replace a file that exists; without it the file is created.
    pub rev: Option<String>,
    /// The encoding of the file, such as `windows-1252`; UTF-8 for a new file, unless given.
    pub encoding: Option<String>,
    /// Write lines that begin with their own anchor as they are.
    pub keep_anchors: Option<bool>,
}

/// A parsed request to write a whole file.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    /// The path of the file.
    pub path: String,
    /// The new content of the file.
    pub content: String,
    /// The revision that the existing file must have; `None` if the file must not exist.
    pub rev: Option<RevPrefix>,
    /// The encoding of the file, if the request names it.
    pub encoding: Option<String>,
    /// Whether lines that begin with their own anchor are refused or written.
    pub anchors: Anchors,
    /// Unknown fields that were ignored.
    pub notes: Vec<Note>,
}

/// What to do if lines of a whole file begin with their own anchor, most likely because they were copied from a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchors {
    /// Refuse the request.
    Refused,
    /// Write the lines unchanged, with the anchors.
    Kept,
}

/// Parses a request to write a whole file.
///
/// # Errors
///
/// [`BadRequest`] if the request cannot be parsed: it says where and what is wrong.
pub fn parse_write<'b>(
    body: impl Into<Body<'b>>,
    limits: &Limits,
) -> Result<WriteRequest, BadRequest> {
    let (body, notes): (WriteBody, _) = parse_plain(body.into(), limits, matters_to_request)?;
    let path = file_name(body.path, "path")?;
    let rev = body.rev.filter(|rev| !rev.is_empty());
    let rev = rev.map(|rev| revision(&rev, "rev")).transpose();
    Ok(WriteRequest {
        rev: rev.map_err(|error| error.of_file(Some(&path)))?,
        path,
        content: body.content,
        encoding: body.encoding.filter(|name| !name.is_empty()),
        anchors: if body.keep_anchors == Some(true) {
            Anchors::Kept
        } else {
            Anchors::Refused
        },
        notes,
    })
}
