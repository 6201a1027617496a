//! The recorded cases over real HTTP, against the real `hashline serve`: every edit of every dialect, and every read.
//!
//! One server answers all of them. Each record has a workspace of its own: an empty folder with the record's files under the paths that the record
//! names, so that requests are sent as they are recorded and no record knows of another. Files are compared as they are on disk afterwards.
//!
//! Some records cannot be said to a program that works on files ([`NotExpressible`]); each is listed with the reason.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_core::scheme::sha256;
use serde_json::{Map, Value, json};

use super::apply::{compare, openagent_request, path_of};
use super::{number, same, text};
use crate::oracle::{self, Record};
use crate::served::{Client, Response, ServerOptions, token_digest};

/// Characters that the longest recorded file has not: a page is never cut.
const READ_CHARS: usize = 100_000_000;
/// The name of the file that a record of a read is about.
const READ: &str = "file.txt";

/// How one file of the corpus fared.
#[derive(Debug)]
pub struct HttpRow {
    /// The file, and with which settings it was run.
    pub file: String,
    /// How many records it has.
    pub records: usize,
    /// The records that failed: id, and what is wrong.
    pub failures: Vec<(String, String)>,
    /// The records that cannot be sent: id and reason.
    pub not_expressible: Vec<(String, NotExpressible)>,
}

impl HttpRow {
    /// Returns how many records passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.records - self.failures.len() - self.not_expressible.len()
    }
}

/// Why a record cannot be said to a program that works on files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotExpressible {
    /// A file has a NUL byte before the request, and is no text file to us.
    NulBefore(String),
    /// A file would have a NUL byte after the request.
    NulAfter(String),
    /// No file can have this path below a folder.
    NoSuchPath(String),
    /// The record wants lines around a range, which no read over HTTP has.
    Context,
}

impl fmt::Display for NotExpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NulBefore(path) => {
                write!(f, "{path} has a NUL byte, so it is not a text file")
            }
            Self::NulAfter(path) => {
                write!(f, "{path} would get a NUL byte, which edits do not write")
            }
            Self::NoSuchPath(path) => write!(f, "no file below a folder can be named {path:?}"),
            Self::Context => f.write_str("no read over HTTP takes `context`"),
        }
    }
}

/// With which settings a workspace is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settings {
    /// Those of the dialect's original tool.
    Seed,
    /// The usual ones.
    Usual,
}

/// A file of the corpus, with what makes cases of its records.
struct Source {
    file: &'static str,
    settings: Settings,
    case: fn(&Value) -> Result<Case, String>,
}

/// The records that are run. Those of push and cowboy must say the same under the dialect's own definition and under our defaults.
const SOURCES: [Source; 7] = [
    source("push-apply", Settings::Seed, push),
    source("push-apply", Settings::Usual, push),
    source("cowboy-apply", Settings::Seed, cowboy),
    source("cowboy-apply", Settings::Usual, cowboy),
    source("openagent-apply", Settings::Seed, openagent),
    source("pi-apply", Settings::Seed, pi),
    source("read-render", Settings::Usual, render),
];

const fn source(
    file: &'static str,
    settings: Settings,
    case: fn(&Value) -> Result<Case, String>,
) -> Source {
    Source {
        file,
        settings,
        case,
    }
}

/// One record, as it is sent.
struct Case {
    route: &'static str,
    dialect: Dialect,
    body: Value,
    /// The files before the request.
    files: BTreeMap<String, String>,
    /// The files that the record expects after it.
    after: BTreeMap<String, String>,
    checks: fn(&Value, &Response, &Files<'_>) -> Result<(), String>,
    /// Whether the record wants lines around a range.
    context: bool,
}

/// The files of a record: before the request, and the folder that they are in.
struct Files<'a> {
    before: &'a BTreeMap<String, String>,
    root: &'a Path,
}

/// A case with the workspace that it has to itself.
struct Placed {
    source: usize,
    record: Record,
    case: Case,
    name: String,
    token: String,
    root: PathBuf,
}

/// Runs all records against a program; `scratch` is a folder that may be filled.
///
/// # Errors
///
/// Says which file of the corpus cannot be read, or why there is no server.
pub fn run(program: &Path, scratch: &Path) -> Result<Vec<HttpRow>, String> {
    let (mut rows, mut placed) = (Vec::new(), Vec::new());
    for (index, source) in SOURCES.iter().enumerate() {
        let records = oracle::records(&format!("dialects/{}.jsonl", source.file))?;
        let settings = match source.settings {
            Settings::Seed => "as its tool",
            Settings::Usual => "as usual",
        };
        let mut row = HttpRow {
            file: format!("{}, {settings}", source.file),
            records: records.len(),
            failures: Vec::new(),
            not_expressible: Vec::new(),
        };
        for record in records {
            match (source.case)(&record.value) {
                Err(why) => row.failures.push((record.id, why)),
                Ok(case) => match case.not_expressible() {
                    Some(why) => row.not_expressible.push((record.id, why)),
                    None => placed.push(Placed::new(scratch, placed.len(), index, record, case)),
                },
            }
        }
        rows.push(row);
    }
    let failed = |error: io::Error| format!("the service: {error}");
    serve(program, scratch, &placed, &mut rows).map_err(failed)?;
    Ok(rows)
}

/// Starts the server of all cases, and sends each its own.
fn serve(
    program: &Path,
    scratch: &Path,
    placed: &[Placed],
    rows: &mut [HttpRow],
) -> io::Result<()> {
    let mut list = String::new();
    for one in placed {
        one.lay_out()?;
        list.push_str(&one.entry());
    }
    let file = scratch.join("workspaces.toml");
    fs::write(&file, list)?;
    let args = ["--workspaces", &file.display().to_string(), "--http", "0"];
    let server = ServerOptions::new(program, &scratch.join("home"), &args).start()?;
    for one in placed {
        let mut client = server.client_with(&one.token);
        if let Err(why) = one.send(&mut client) {
            let failures = &mut rows[one.source].failures;
            failures.push((one.record.id.clone(), why));
        }
    }
    server.end().map(drop)
}

impl Placed {
    fn new(scratch: &Path, number: usize, source: usize, record: Record, case: Case) -> Self {
        let name = format!("r{number}");
        Self {
            root: scratch.join("records").join(&name),
            token: format!("the-token-of-the-workspace-of-record-{number}"),
            name,
            source,
            record,
            case,
        }
    }

    /// Makes the folder with the files of the record.
    fn lay_out(&self) -> io::Result<()> {
        fs::create_dir_all(&self.root)?;
        for (path, text) in &self.case.files {
            let path = self.root.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
            fs::write(path, text)?;
        }
        Ok(())
    }

    /// Returns the workspace as the file of workspaces lists it.
    fn entry(&self) -> String {
        let set = match SOURCES[self.source].settings {
            Settings::Seed => "set = [\"profile=seed\"]\n",
            Settings::Usual => "",
        };
        let (name, root) = (&self.name, self.root.display());
        let digest = token_digest(&self.token);
        format!(
            "[[workspace]]\nname = \"{name}\"\nroot = \"{root}\"\ntoken_sha256 = \"{digest}\"\nread_chars = {READ_CHARS}\n{set}"
        )
    }

    /// Sends the request, and compares what came of it.
    fn send(&self, client: &mut Client) -> Result<(), String> {
        let case = &self.case;
        let headers = [
            ("Hashline-Dialect", case.dialect.name()),
            ("Hashline-Answer", "dialect"),
        ];
        let is_push = case.route.starts_with("/api/");
        let headers = if is_push { &[][..] } else { &headers[..] };
        let body = case.body.to_string();
        let response = client.post(case.route, headers, body.as_bytes());
        let response = response.map_err(|error| format!("no answer: {error}"))?;
        let files = Files {
            before: &case.files,
            root: &self.root,
        };
        (case.checks)(&self.record.value, &response, &files)?;
        same(
            "status",
            &status(is_push, &response).into(),
            &response.status.into(),
        )
    }
}

/// Returns the status that belongs to an answer: seed 001's routes answer 200 to every request that is JSON, ours with that of the code.
fn status(is_push: bool, response: &Response) -> u16 {
    let code = response.json()["code"].as_str().and_then(Code::named);
    match code {
        Some(code) if !is_push => code.http_status(),
        _ => 200,
    }
}

impl Case {
    /// Makes a case of an edit, without files.
    fn new(dialect: Dialect, route: &'static str, body: Value) -> Self {
        Self {
            route,
            dialect,
            body,
            files: BTreeMap::new(),
            after: BTreeMap::new(),
            checks: applied,
            context: false,
        }
    }

    fn not_expressible(&self) -> Option<NotExpressible> {
        let nul = |files: &BTreeMap<String, String>| {
            let mut files = files.iter();
            let found = files.find(|(_, text)| text.contains('\0'));
            found.map(|(path, _)| path.clone())
        };
        let mut paths = self.files.keys().chain(self.after.keys());
        let unusable = paths.find(|path| !is_usable(path)).cloned();
        let unusable = unusable.map(NotExpressible::NoSuchPath);
        let before = || nul(&self.files).map(NotExpressible::NulBefore);
        let after = || nul(&self.after).map(NotExpressible::NulAfter);
        let context = || self.context.then_some(NotExpressible::Context);
        unusable.or_else(before).or_else(after).or_else(context)
    }
}

/// Returns whether a file below a folder can have this path.
fn is_usable(path: &str) -> bool {
    let is_name =
        |part: Component<'_>| matches!(part, Component::Normal(name) if name.len() <= 255);
    let mut parts = Path::new(path).components();
    !path.is_empty() && !path.ends_with('/') && !path.contains('\0') && parts.all(is_name)
}

fn push(record: &Value) -> Result<Case, String> {
    let request = record["request"].clone();
    Ok(one_file(
        record,
        request,
        Dialect::PUSH,
        "/api/sandbox/edit-file",
    ))
}

fn cowboy(record: &Value) -> Result<Case, String> {
    Ok(one_file(
        record,
        record["request"].clone(),
        Dialect::COWBOY,
        "/v1/edit",
    ))
}

fn openagent(record: &Value) -> Result<Case, String> {
    let request = openagent_request(record);
    Ok(one_file(record, request, Dialect::OPENAGENT, "/v1/edit"))
}

/// Makes a case of a record about one file, which has the path that the parser finds in the request.
fn one_file(record: &Value, request: Value, dialect: Dialect, route: &'static str) -> Case {
    let path = path_of(&request, dialect);
    let named = |text: &Value| {
        let text = text.as_str().map(str::to_owned);
        path.clone().zip(text).into_iter().collect()
    };
    Case {
        files: named(&record["content"]),
        after: named(&record["expect"]["content"]),
        ..Case::new(dialect, route, request)
    }
}

fn pi(record: &Value) -> Result<Case, String> {
    let files = |tree: &Value| {
        let files = tree.as_object().into_iter().flatten();
        let texts =
            files.filter_map(|(path, text)| Some((path.clone(), text.as_str()?.to_owned())));
        texts.collect()
    };
    Ok(Case {
        files: files(&record["files"]),
        after: files(&record["expect"]["files"]),
        ..Case::new(Dialect::PI, "/v1/edit", record["request"].clone())
    })
}

fn render(record: &Value) -> Result<Case, String> {
    let dialect = Dialect::named(text(record, "dialect")?).ok_or("an unknown dialect")?;
    let mut body = json!({"path": READ});
    let (first, last) = (number(record, "start_line"), number(record, "end_line"));
    let is_push = dialect == Dialect::PUSH;
    let (route, checks): (_, fn(&Value, &Response, &Files<'_>) -> _) = if is_push {
        body["annotate"] = true.into();
        set(&mut body, "start_line", first);
        set(&mut body, "end_line", last);
        ("/api/sandbox/read-file", push_rendered)
    } else {
        let lines = |last: usize| (last + 1).saturating_sub(first.unwrap_or(1).max(1));
        set(&mut body, "offset", first);
        set(&mut body, "limit", last.map(lines));
        ("/v1/read", rendered)
    };
    let content = text(record, "content")?.to_owned();
    Ok(Case {
        files: [(READ.to_owned(), content)].into(),
        checks,
        context: number(record, "context").is_some_and(|lines| lines > 0),
        ..Case::new(dialect, route, body)
    })
}

fn set(body: &mut Value, key: &str, number: Option<usize>) {
    if let Some(number) = number {
        body[key] = number.into();
    }
}

/// Compares the answer to an edit, and the files that it left. A refused request leaves every file as it was.
fn applied(record: &Value, response: &Response, files: &Files<'_>) -> Result<(), String> {
    let left = files.left().map_err(|error| error.to_string())?;
    let answer = response.json();
    let is_dry = answer["dry_run"] == true;
    if (is_dry || record["expect"]["ok"] == false) && left != *files.before {
        return Err(format!("nothing was to be written, but it left {left:?}"));
    }
    // What a dry run would write is nowhere but in its hash.
    let would_be = |value: &Value| {
        let text = value.as_str().filter(|_| is_dry)?;
        (answer["file_hash"] == sha256(text.as_bytes())).then(|| value.clone())
    };
    compare(record, answer.clone(), |key, value| match key {
        "content" => Some(would_be(value).unwrap_or_else(|| only(&left))),
        "files" => Some(tree(&left, value)),
        _ => None,
    })
}

/// Returns the text of the only file that is left; null if there is none.
fn only(left: &BTreeMap<String, String>) -> Value {
    let texts: Vec<&String> = left.values().collect();
    match texts.as_slice() {
        [] => Value::Null,
        [one] => Value::from(one.as_str()),
        _ => json!(left),
    }
}

/// Returns the files that are left, and null for those that are expected to be gone and are.
fn tree(left: &BTreeMap<String, String>, expected: &Value) -> Value {
    let gone = expected.as_object().into_iter().flatten();
    let gone = gone.map(|(path, _)| (path.clone(), Value::Null));
    let left = left
        .iter()
        .map(|(path, text)| (path.clone(), text.as_str().into()));
    gone.chain(left).collect::<Map<_, _>>().into()
}

fn push_rendered(record: &Value, response: &Response, _: &Files<'_>) -> Result<(), String> {
    let lines = super::texts(record, "rendered")?.join("\n");
    let answer = response.json();
    same("ok", &true.into(), &answer["ok"])?;
    same("truncated", &false.into(), &answer["truncated"])?;
    same("content", &lines.into(), &answer["content"])
}

fn rendered(record: &Value, response: &Response, _: &Files<'_>) -> Result<(), String> {
    same("rendered", &record["rendered"], &response.json()["lines"])
}

impl Files<'_> {
    /// Reads the files that are in the folder now.
    fn left(&self) -> io::Result<BTreeMap<String, String>> {
        let mut left = BTreeMap::new();
        let mut open = vec![self.root.to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let name = path.strip_prefix(self.root).unwrap_or(&path);
                if name == Path::new(".hashline") {
                    continue;
                }
                if path.is_dir() {
                    open.push(path);
                } else {
                    let bytes = fs::read(&path)?;
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    left.insert(name.display().to_string(), text);
                }
            }
        }
        Ok(left)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{NotExpressible, is_usable, pi, push};

    fn record(content: &str, path: &str) -> serde_json::Value {
        let edit = json!({"type": "delete_line", "ref": "1:0000"});
        json!({"content": content, "request": {"path": path, "edits": [edit]}, "expect": {"ok": true, "content": "x\n"}})
    }

    #[test]
    fn a_record_is_left_out_only_for_a_reason_that_lies_in_files() {
        let why = |record| push(&record).map(|case| case.not_expressible());
        assert_eq!(why(record("a\nb\n", "a/b.txt")), Ok(None));
        let nul = Some(NotExpressible::NulBefore("a".to_owned()));
        assert_eq!(why(record("a\0\n", "a")), Ok(nul));
        let mut after = record("a\n", "a");
        after["expect"]["content"] = "\0".into();
        assert_eq!(
            why(after),
            Ok(Some(NotExpressible::NulAfter("a".to_owned())))
        );
        let outside = NotExpressible::NoSuchPath("../a".to_owned());
        assert_eq!(why(record("a\n", "../a")), Ok(Some(outside)));
        let wrapped = json!({"tool": "sandbox_edit_file", "args": record("a\n", "q")["request"]});
        let mut inside = record("a\n", "q");
        inside["request"] = wrapped;
        let case = push(&inside);
        assert!(case.is_ok_and(|case| case.files.contains_key("q")));
    }

    #[test]
    fn a_path_is_usable_if_a_folder_can_have_such_a_file() {
        let usable = ["a", "a/b c/日本.rs", "a/.x"].map(is_usable);
        assert_eq!(usable, [true; 3]);
        let unusable = ["", "/a", "../a", "a/../b", "a/", "a\0"].map(is_usable);
        assert_eq!(unusable, [false; 6]);
        assert!(!is_usable(&"n".repeat(256)));
    }

    #[test]
    fn every_file_of_a_tree_is_laid_out() {
        let tree = json!({"files": {"a": "1\n", "b/c": "2\n"}, "request": {"patch": []}, "expect": {"ok": false}});
        let paths = pi(&tree).map(|case| case.files.into_keys().collect::<Vec<_>>());
        assert_eq!(paths, Ok(vec!["a".to_owned(), "b/c".to_owned()]));
    }
}
