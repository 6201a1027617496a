//! JSON Schemas of requests and answers, generated from the types that are deserialized and serialized.
//!
//! Schemas of requests are simple enough for model vendors with strict rules: an object at the top, no unions, no null types. The parser
//! accepts more than these schemas say. Schemas of answers are for programs, and exact.

use hashline_core::dialect::Dialect;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use crate::answer::{
    CommonAnswer, CowboyAnswer, LinesAnswer, OmpAnswer, OpenagentAnswer, PiAnswer, PushAnswer,
    Refused,
};
use crate::request::{
    CommonRequest, CowboyRead, CowboyRequest, Extras, OmpRequest, OpenagentRequest, PiRead,
    PiRequest, PushRead, PushRequest, SearchRequest, WriteBody,
};

/// A tool that a model can call, whose requests have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Reading files.
    Read,
    /// Searching files.
    Search,
    /// Editing files.
    Edit,
    /// Writing whole files.
    Write,
}

impl Tool {
    /// All tools, in the order in which a server lists them.
    pub const ALL: [Self; 4] = [Self::Read, Self::Search, Self::Edit, Self::Write];

    /// Returns the tool's name in a call, such as `read`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Search => "search",
            Self::Edit => "edit",
            Self::Write => "write",
        }
    }
}

/// Returns the schema of a tool's request in a dialect.
#[must_use]
pub fn schema(dialect: Dialect, tool: Tool) -> Value {
    match (tool, dialect) {
        (Tool::Search, _) => plain::<SearchRequest>(&["pattern"]),
        (Tool::Write, _) => plain::<WriteBody>(&["path", "content"]),
        (Tool::Read, Dialect::PUSH) => plain::<PushRead>(&["path"]),
        (Tool::Read, Dialect::COWBOY) => plain::<CowboyRead>(&["path"]),
        (Tool::Read, _) => plain::<PiRead>(&["path"]),
        (Tool::Edit, Dialect::OMP) => with_extras(plain::<OmpRequest>(&["path", "edits"])),
        (Tool::Edit, Dialect::PUSH) => with_extras(plain::<PushRequest>(&["path", "edits"])),
        (Tool::Edit, Dialect::COWBOY) => {
            with_extras(plain::<CowboyRequest>(&["path", "operations"]))
        }
        (Tool::Edit, Dialect::OPENAGENT) => {
            with_extras(plain::<OpenagentRequest>(&["filePath", "edits"]))
        }
        (Tool::Edit, Dialect::PI) => with_extras(plain::<PiRequest>(&["patch"])),
        (Tool::Edit, _) => with_extras(plain::<CommonRequest>(&[])),
    }
}

/// Returns the schema of a tool's request as a server lists it: a read also takes several paths, and an edit must name the revision of its
/// file and may change further files.
#[must_use]
pub fn offered(dialect: Dialect, tool: Tool) -> Value {
    match tool {
        Tool::Read => several_paths(plain::<PiRead>(&[])),
        Tool::Edit if dialect == Dialect::PI => {
            with_required(schema(dialect, tool), &["patch", "revs"])
        }
        Tool::Edit => several_files(schema(dialect, tool)),
        Tool::Search | Tool::Write => schema(dialect, tool),
    }
}

/// Adds the field `paths`, for several files, to the schema of a read.
fn several_paths(mut schema: Value) -> Value {
    schema["properties"]["paths"] = json!({
        "type": "array",
        "items": {"type": "string"},
        "description": "Several files at once, instead of `path`.",
    });
    schema
}

/// Makes `rev` required in the schema of an edit, and adds the field `files` for further files.
fn several_files(mut schema: Value) -> Value {
    let has = |key: &&str| schema["properties"].get(*key).is_some();
    let path = ["path", "filePath"].into_iter().find(has).unwrap_or("path");
    let list = ["edits", "operations"]
        .into_iter()
        .find(has)
        .unwrap_or("edits");
    let required = [path, "rev", list];
    let of_file = required.map(|key| (key.to_owned(), schema["properties"][key].clone()));
    let file = json!({
        "type": "object",
        "properties": Value::Object(of_file.into_iter().collect()),
        // A file that is made has no revision yet.
        "required": [path, list],
    });
    schema["properties"]["files"] = json!({
        "type": "array",
        "items": file,
        "description": "Further files to change in the same request: all are written, or none.",
    });
    with_required(schema, &required)
}

fn with_required(mut schema: Value, required: &[&str]) -> Value {
    schema["required"] = required.into();
    schema
}

/// Returns the schema of the common request, which every dialect accepts.
#[must_use]
pub fn common_schema() -> Value {
    with_extras(plain::<CommonRequest>(&[]))
}

/// Returns the schema of the answer to an edit in a dialect's own shape. Only pi's shape has room for several files; in the other dialects a
/// request over several files is answered in the common shape.
#[must_use]
pub fn answer_schema(dialect: Dialect) -> Value {
    match dialect {
        Dialect::OMP => exact::<OneOrSeveralFiles<OmpAnswer>>(),
        Dialect::PUSH => exact::<OneOrSeveralFiles<PushAnswer>>(),
        Dialect::COWBOY => exact::<OneOrSeveralFiles<CowboyAnswer>>(),
        Dialect::OPENAGENT => exact::<OneOrSeveralFiles<OpenagentAnswer>>(),
        Dialect::PI => exact::<PiAnswer>(),
        _ => common_answer_schema(),
    }
}

/// Returns the schema of the common answer to an edit, which is the same for every dialect.
#[must_use]
pub fn common_answer_schema() -> Value {
    exact::<CommonAnswer>()
}

/// Returns the schema of the answer to a read of one file; a read of several files is answered with one such object per file.
#[must_use]
pub fn read_answer_schema() -> Value {
    exact::<LinesOrRefused>()
}

/// The answer to an edit.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(
    dead_code,
    reason = "only its schema is used: `DialectAnswer` is written"
)]
enum OneOrSeveralFiles<T> {
    OneFile(T),
    SeveralFiles(CommonAnswer),
}

/// The answer to a read of one file.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(
    dead_code,
    reason = "only its schema is used: the two are written apart"
)]
enum LinesOrRefused {
    Lines(LinesAnswer<'static, Vec<String>>),
    Refused(Box<Refused>),
}

/// The answer to a read of one file or several.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum FilesRead {
    /// The answer to a request for one file.
    One(FileRead),
    /// The answer to a request for a list of files.
    Several(SeveralRead),
}

/// The files of a read, in the order of the request.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct SeveralRead {
    /// Whether all files could be read.
    ok: bool,
    /// The files, each with its lines or the reason why it could not be read.
    files: Vec<FileRead>,
}

/// One file of a read: its lines, or why it could not be read.
#[derive(JsonSchema)]
#[schemars(transparent)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct FileRead(LinesOrRefused);

/// The schemas of answers, for a document that collects them under `/components/schemas`, such as one in OpenAPI.
#[derive(Debug)]
pub struct Components(SchemaGenerator);

impl Components {
    /// Returns an empty collection.
    #[must_use]
    pub fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let settings = settings.with(|settings| {
            "/components/schemas".clone_into(settings.definitions_path.to_mut());
        });
        Self(settings.into_generator())
    }

    /// Adds the schema of a type, and returns a reference to it.
    pub fn add<T: JsonSchema>(&mut self) -> Value {
        self.0.subschema_for::<T>().to_value()
    }

    /// Returns the schemas by their names.
    #[must_use]
    pub fn finish(mut self) -> serde_json::Map<String, Value> {
        self.0.take_definitions(true)
    }
}

impl Default for Components {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the schema of a request, of which these fields are required.
#[must_use]
pub fn request<T: JsonSchema>(required: &[&str]) -> Value {
    plain::<T>(required)
}

fn exact<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

fn plain<T: JsonSchema>(required: &[&str]) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .with_transform(NoNulls);
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        if !required.is_empty() {
            object.insert("required".to_owned(), required.into());
        }
    }
    schema
}

/// Adds the fields that a request in any dialect may have, such as `rev` and `dry_run`, to a schema.
fn with_extras(mut schema: Value) -> Value {
    let mut extras = plain::<Extras>(&[]);
    let own = schema.get_mut("properties").and_then(Value::as_object_mut);
    if let (Some(own), Some(Value::Object(more))) =
        (own, extras.get_mut("properties").map(Value::take))
    {
        own.extend(more);
    }
    schema
}

/// Removes the null type from the schemas of optional fields: to leave a field out means the same as null.
#[derive(Clone, Debug)]
struct NoNulls;

impl Transform for NoNulls {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else {
            return;
        };
        if let Some(Value::Array(types)) = object.get_mut("type") {
            types.retain(|kind| kind != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                object.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
            choices.retain(|choice| choice.get("type").and_then(Value::as_str) != Some("null"));
            if let [Value::Object(only)] = choices.as_mut_slice() {
                let only = std::mem::take(only);
                object.remove("anyOf");
                for (key, value) in only {
                    object.entry(key).or_insert(value);
                }
            }
        }
        // Strict vendors take few keywords. schemars writes formats of its own, such as `uint`, and a default for every optional field.
        object.remove("default");
        object.remove("format");
    }
}
