//! Requests: JSON in, a request over files out.
//!
//! One parser takes the shapes and aliases of all dialects and the common request. What can only be meant one way is accepted and noted;
//! what could be meant two ways is refused. Limits are checked before any work is done.
//!
//! In the order of the work: `json` (bytes to values), `tolerant` (common mistakes of models), `shape` (whose shape it is), then the
//! dialect's own file, which reads fields with `parser` and edits by a table of `operations`; `several` for several files, `rev` for the
//! revision.

mod common;
mod cowboy;
mod json;
mod limits;
mod omp;
mod openagent;
mod operations;
mod parser;
mod pi;
mod push;
mod read;
mod rev;
mod search;
mod several;
mod shape;
mod tolerant;
mod write;

use hashline_core::dialect::Dialect;
use hashline_core::files::Request;
use hashline_core::policy::Context;
pub use hashline_core::policy::{Mode, Profile};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use common::{CommonEdit, CommonFile, CommonRequest};
pub use cowboy::{CowboyOperation, CowboyRequest};
pub use limits::Limits;
pub use omp::{OmpEdit, OmpRequest};
pub use openagent::{OpenagentEdit, OpenagentRequest};
pub use operations::Text;
pub use parser::Extras;
pub use pi::{PiOperation, PiRequest};
pub use push::{PushEdit, PushRequest};
pub use read::{
    CowboyRead, LineRange, LineSearch, PiRead, PushRead, ReadFile, ReadRequest, parse_read,
};
pub use rev::RevRule;
pub use search::{SearchRequest, parse_search};
pub use shape::Shape;
pub use write::{Anchors, WriteBody, WriteRequest, parse_write};

use crate::error::{BadRequest, Fault, shortened};
use parser::{Parser, has, matters_to_request};

/// A request as it arrives.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// The bytes of a JSON text.
    Bytes(&'a [u8]),
    /// JSON that was parsed already, by a server whose messages are JSON. Whoever parsed it bounds its bytes and refuses repeated keys.
    Json(Value),
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Body<'a> {
    fn from(bytes: &'a T) -> Self {
        Self::Bytes(bytes.as_ref())
    }
}

impl From<Value> for Body<'_> {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

/// How a request is parsed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions<'a> {
    /// The dialect that was chosen; without one the request's shape decides, and anchors in the common shape are the default's.
    pub dialect: Option<Dialect>,
    /// The file that edits without a path are for.
    pub path: Option<&'a str>,
    /// The revision that anchors were read from, for a request over one file that names none.
    pub rev: Option<&'a str>,
    /// Whether a request must say which revision its anchors were read from.
    pub rev_rule: RevRule,
    /// `Seed`: parse like the dialect's original tool (seed 000's list of keys).
    pub profile: Profile,
    /// The limits.
    pub limits: Limits,
}

/// A parsed request.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The dialect its anchors are spelled in and its answer is given in.
    pub dialect: Dialect,
    /// The shape it came in.
    pub shape: Shape,
    /// Its edits, and the revisions of its files.
    pub request: Request,
    /// Whether anything is to be written.
    pub mode: Mode,
    /// How many lines of context its answer should show, if given.
    pub context: Option<Context>,
    /// What its answer should show.
    pub show: Show,
    /// Where such a request names the revision its anchors were read from.
    pub rev_field: RevField,
    /// What was accepted although it was not well-formed, and unknown fields that were ignored.
    pub notes: Vec<Note>,
}

/// What an answer shows of the new content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// The places that were touched.
    #[default]
    Windows,
    /// The whole file as well.
    Everything,
    /// A unified diff.
    Diff,
    /// Nothing of it.
    Nothing,
}

/// Where a request names the revision that the anchors of a file were read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RevField {
    /// In its own `rev`: it is for one file.
    #[default]
    Own,
    /// In the `rev` of the file's entry under `files`.
    InEntry,
    /// In `revs`, by path.
    ByPath,
}

/// Something about a request's shape that its sender should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where, as in `edits[2].anchor`.
    pub at: String,
    /// What.
    pub kind: NoteKind,
}

impl Note {
    /// Notes a field that was ignored.
    fn unknown_field(at: &str) -> Self {
        Self {
            at: shortened(at),
            kind: NoteKind::UnknownField,
        }
    }
}

/// What there is to note about a request's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A list was sent as a string of JSON.
    ListInString,
    /// One object was sent where a list belongs.
    ObjectForList,
    /// An unknown field was ignored.
    UnknownField,
    /// A field was sent under another name than it has here.
    OtherName {
        /// What it is called.
        name: &'static str,
    },
    /// A field was ignored because of another, as the dialect defines.
    Overruled {
        /// The one that counts.
        by: &'static str,
    },
}

/// Parses a request.
///
/// # Errors
///
/// [`BadRequest`] says where and what, with a stable code; nothing was done.
pub fn parse<'b>(
    body: impl Into<Body<'b>>,
    options: &ParseOptions<'_>,
) -> Result<Parsed, BadRequest> {
    let value = request_json(body.into(), &options.limits)
        .map_err(|error| error.in_dialect(options.dialect))?;
    let mut notes = Vec::new();
    let value = tolerant::normalize(value, options, &mut notes)
        .map_err(|error| error.in_dialect(options.dialect))?;
    // Before anything is read: an error must be about the shape that was meant, and its answer in that dialect.
    let shape = shape::detect(&value, options.dialect.unwrap_or_default());
    let dialect = options.dialect.or(shape.dialect()).unwrap_or_default();
    let path = shape::one_file(shape, &value, options.path).map(str::to_owned);
    let mut parser = Parser::new(options, notes);
    let parsed = parse_shape(&mut parser, shape, value, options).and_then(|parsed| {
        let notes = parser.into_notes(matters_to_request)?;
        Ok(Parsed {
            dialect,
            shape,
            notes,
            ..parsed
        })
    });
    parsed.map_err(|error| error.of_file(path.as_deref()).in_dialect(Some(dialect)))
}

/// Refuses JSON in which a key appears twice in one object, for callers whose own parser keeps the last.
///
/// # Errors
///
/// [`BadRequest`] says which key.
pub fn no_key_twice(body: &[u8], limits: &Limits) -> Result<(), BadRequest> {
    match request_json(Body::Bytes(body), limits) {
        Err(bad) if bad.fault == Fault::RepeatedKey => Err(bad),
        // Other errors are reported by the caller's parser.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Parses the JSON of a request.
fn request_json(body: Body<'_>, limits: &Limits) -> Result<Value, BadRequest> {
    match body {
        Body::Bytes(bytes) => {
            json::read(bytes, limits, Fault::NotARequest, "the request is not JSON")
        }
        Body::Json(value) => limits.check_value(&value).map(|()| value),
    }
}

/// Parses a request that has one shape in every dialect, as an object of type `T`. Refuses an unknown field that `matters`.
fn parse_plain<T: DeserializeOwned>(
    body: Body<'_>,
    limits: &Limits,
    matters: fn(&str) -> bool,
) -> Result<(T, Vec<Note>), BadRequest> {
    let mut value = request_json(body, limits)?;
    let mut notes = Vec::new();
    tolerant::drop_nulls(&mut value);
    tolerant::rename_path(&mut value, "", &mut notes);
    let options = ParseOptions::default();
    let mut parser = Parser::new(&options, notes);
    let request = parser.read(value, "")?;
    Ok((request, parser.into_notes(matters)?))
}

/// Parses a request of a shape, and checks its limits and revisions.
fn parse_shape(
    parser: &mut Parser<'_>,
    shape: Shape,
    value: Value,
    options: &ParseOptions<'_>,
) -> Result<Parsed, BadRequest> {
    let mut parsed = match shape {
        Shape::Omp if options.profile == Profile::Seed => omp::read_as_defined(parser, value)?,
        Shape::Common if has(&value, "files") => {
            several::read(parser, value, options.dialect.unwrap_or_default())?
        }
        shape => of_shape(parser, shape, value)?,
    };
    // Again: of JSON that a server parsed only the size was checked, and a move adds a file.
    options.limits.check_request(&parsed.request)?;
    if let Some(rev) = options.rev {
        rev::add_default(&mut parsed.request, rev)?;
    }
    if options.rev_rule == RevRule::Required {
        rev::require(&parsed)?;
    }
    Ok(parsed)
}

/// Parses a request of a shape over one file, or a `patch`.
fn of_shape(parser: &mut Parser<'_>, shape: Shape, mut value: Value) -> Result<Parsed, BadRequest> {
    parser.one_list(shape, &value)?;
    if shape == Shape::Openagent {
        // `filePath` is the name it has there: nothing to note.
        tolerant::rename_path(&mut value, "", &mut Vec::new());
    } else {
        parser.rename_path(&mut value);
    }
    match shape {
        Shape::Omp => omp::read(parser, value),
        Shape::Push => push::read(parser, value),
        Shape::Cowboy => cowboy::read(parser, value),
        Shape::Openagent => openagent::read(parser, value),
        Shape::Pi => pi::read(parser, value),
        Shape::Common => common::read(parser, value),
    }
}
