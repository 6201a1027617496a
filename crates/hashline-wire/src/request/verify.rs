//! Requests to check where anchors land now.

use hashline_core::text::RevPrefix;
use schemars::JsonSchema;
use serde::Deserialize;

use super::parser::{file_name, is_request_field, revision, whole_number};
use super::{Body, Limits, Note, parse_plain};
use crate::error::{BadRequest, Fault};

/// Anchors of one file, to be checked as an edit would check them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "verify request")]
pub struct VerifyBody {
    /// The file.
    pub path: String,
    /// The anchors; a range is two of them with `..` in between.
    pub anchors: Vec<String>,
    /// The revision that the anchors were read from.
    pub rev: Option<String>,
    /// The encoding of the file, such as `windows-1252`; detected unless given.
    pub encoding: Option<String>,
    /// How many lines to show around the place of an anchor that does not land.
    #[serde(default, deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub context: Option<usize>,
}

/// A parsed [`VerifyBody`].
#[derive(Clone, Debug)]
pub struct VerifyRequest {
    /// The path of the file.
    pub path: String,
    /// The anchors to check.
    pub anchors: Vec<String>,
    /// The revision that the anchors were read from, if the request names it.
    pub rev: Option<RevPrefix>,
    /// The encoding of the file, if the request names it.
    pub encoding: Option<String>,
    /// How many lines to show around the place of an anchor that does not land.
    pub context: Option<usize>,
    /// Unknown fields that were ignored.
    pub notes: Vec<Note>,
}

/// Parses a request to check anchors.
///
/// # Errors
///
/// [`BadRequest`] if the request cannot be parsed, or has no anchors or too many.
pub fn parse_verify<'b>(
    body: impl Into<Body<'b>>,
    limits: &Limits,
) -> Result<VerifyRequest, BadRequest> {
    let (body, notes): (VerifyBody, _) = parse_plain(body.into(), limits, is_request_field)?;
    let path = file_name(body.path, "path")?;
    let refuse = |fault, message: String| {
        Err(BadRequest::new(fault, "anchors", message).of_file(Some(&path)))
    };
    if body.anchors.is_empty() {
        return refuse(Fault::BadField, "there are no anchors".to_owned());
    }
    if body.anchors.len() > limits.edits {
        let (found, most) = (body.anchors.len(), limits.edits);
        return refuse(Fault::TooMany, format!("{found} anchors, at most {most}"));
    }
    let rev = body.rev.filter(|rev| !rev.is_empty());
    let rev = rev.map(|rev| revision(&rev, "rev")).transpose();
    Ok(VerifyRequest {
        rev: rev.map_err(|error| error.of_file(Some(&path)))?,
        path,
        anchors: body.anchors,
        encoding: body.encoding.filter(|name| !name.is_empty()),
        context: body.context,
        notes,
    })
}
