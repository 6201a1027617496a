//! Parsing of JSON requests into the engine's [`Request`] over files.
//!
//! One parser accepts the shapes and aliases of all dialects and the common request. A mistake that leaves only one possible meaning is
//! accepted and noted; an ambiguous request is refused. Limits are checked before any other work.
//!
//! The modules, in the order of the work: `json` (bytes to values), `tolerant` (common mistakes of models), `shape` (which dialect's shape a
//! request has), then the dialect's own module, which parses fields with `parser` and edits with a table of `operations`; `several` for
//! requests over several files, `rev` for revisions.

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
mod verify;
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
pub use push::{PushContent, PushEdit, PushRequest, PushWrite, PushWriteRequest, parse_push_write};
pub use read::{
    CowboyRead, LineRange, LineSearch, PiRead, PushRead, ReadFile, ReadRequest, parse_read,
};
pub use rev::RevRule;
pub use search::{SearchRequest, parse_search};
pub use shape::Shape;
pub use verify::{VerifyBody, VerifyRequest, parse_verify};
pub use write::{Anchors, WriteBody, WriteRequest, parse_write};

use crate::error::{BadRequest, Fault, shortened};
use parser::{Parser, has, matters_to_request};

/// A request as the caller sends it, before its fields are parsed.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// JSON text that is not parsed yet.
    Bytes(&'a [u8]),
    /// JSON that a server already parsed as part of its own messages. The server must limit the bytes and refuse repeated keys.
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

/// How to parse a request: the dialect and defaults that the caller chose, and limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions<'a> {
    /// The dialect that the caller chose. `None`: the request's shape decides, and a request in the common shape has the default dialect.
    pub dialect: Option<Dialect>,
    /// The file to edit if the request names none.
    pub path: Option<&'a str>,
    /// The revision that the anchors were read from, if a request over one file names none.
    pub rev: Option<&'a str>,
    /// Whether a request must name the revision its anchors were read from.
    pub rev_rule: RevRule,
    /// With `Seed`, an `omp` request is parsed like seed 000's original tool does: the first known key of an edit decides.
    pub profile: Profile,
    /// How large a request may be.
    pub limits: Limits,
}

/// A parsed edit request.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The dialect of the request's anchors, in which it is also answered.
    pub dialect: Dialect,
    /// The shape of the request's JSON.
    pub shape: Shape,
    /// The edits for the engine, and the revisions that their anchors were read from.
    pub request: Request,
    /// Whether to write files, or only to check the request (a dry run).
    pub mode: Mode,
    /// How many lines the answer should show around each change; `None` if the request does not say.
    pub context: Option<Context>,
    /// What the answer should show of the edited files.
    pub show: Show,
    /// Where a request of this shape names the revision its anchors were read from.
    pub rev_field: RevField,
    /// Notes about mistakes that the parser accepted and about fields that it ignored.
    pub notes: Vec<Note>,
}

/// What an answer shows of the new content of an edited file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// The changed places, with lines around them.
    #[default]
    Windows,
    /// The changed places, and the whole file.
    Everything,
    /// A unified diff.
    Diff,
    /// No lines of the file.
    Nothing,
}

/// Where a request names the revision that the anchors of a file were read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RevField {
    /// In the field `rev` of the request, which is for one file.
    #[default]
    Own,
    /// In the field `rev` of the file's entry in the list `files`.
    InEntry,
    /// In the object `revs`, which maps paths to revisions.
    ByPath,
}

/// A mistake in a request that the parser accepted, or a field that it ignored; reported to the sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where in the request, as in `edits[2].anchor`.
    pub at: String,
    /// What was accepted or ignored.
    pub kind: NoteKind,
}

impl Note {
    /// Returns a note about an unknown field that was ignored.
    fn unknown_field(at: &str) -> Self {
        Self {
            at: shortened(at),
            kind: NoteKind::UnknownField,
        }
    }
}

/// Which mistake the parser accepted, or why it ignored a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A list was sent as a string of JSON.
    ListInString,
    /// A single object was sent instead of a list.
    ObjectForList,
    /// An unknown field was ignored.
    UnknownField,
    /// A field was sent under an alias, such as `file_path` for `path`.
    OtherName {
        /// The proper name of the field.
        name: &'static str,
    },
    /// A field was ignored because the dialect gives another field precedence.
    Overruled {
        /// The field that takes precedence.
        by: &'static str,
    },
}

/// Parses an edit request in any dialect's shape or in the common shape.
///
/// # Errors
///
/// [`BadRequest`] if the request cannot be parsed or exceeds a limit: it says where and what is wrong.
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

/// Parses the JSON of a request, for a server that looks at some of its fields itself before it hands the request on as [`Body::Json`].
///
/// # Errors
///
/// [`BadRequest`] if it is not JSON, has a key twice in one object, or exceeds a limit.
pub fn parse_json(body: &[u8], limits: &Limits) -> Result<Value, BadRequest> {
    request_json(Body::Bytes(body), limits)
}

/// Refuses JSON in which a key appears twice in one object, for callers whose own JSON parser silently keeps the last.
///
/// # Errors
///
/// [`BadRequest`] names the key that appears twice.
pub fn no_key_twice(body: &[u8], limits: &Limits) -> Result<(), BadRequest> {
    match request_json(Body::Bytes(body), limits) {
        Err(bad) if bad.fault == Fault::RepeatedKey => Err(bad),
        // Other errors are reported by the caller's parser.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Refuses JSON with too many lines of text for its size, for callers that parse a request with a JSON parser of their own: parsed, each line takes
/// far more memory than as text.
///
/// # Errors
///
/// [`BadRequest`] has the number of lines and the limit.
pub fn not_too_many_lines(body: &[u8], limits: &Limits) -> Result<(), BadRequest> {
    limits.check_lines(body)
}

/// Parses the JSON of a request if it is text, and checks the limits.
fn request_json(body: Body<'_>, limits: &Limits) -> Result<Value, BadRequest> {
    match body {
        Body::Bytes(bytes) => {
            json::read(bytes, limits, Fault::NotARequest, "the request is not JSON")
        }
        Body::Json(value) => limits.check_value(&value).map(|()| value),
    }
}

/// Parses a request that has the same shape in every dialect into a `T`. Refuses unknown fields for which `matters` is true; notes others.
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

/// Parses a request that has the given shape, and checks its limits and revisions.
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

/// Parses a request over one file that has the given shape, or pi's `patch` over any number of files.
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
