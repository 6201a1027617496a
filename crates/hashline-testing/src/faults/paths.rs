//! T12: paths that try to lead out, to protected files, or nowhere, and the code each must get.
//!
//! The cases are data: `testdata/faults/paths.toml` says what they mean.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::exact::{self, Exact};
use super::launch::Launch;
use super::trace::Run;
use super::{Bench, Extent, Row};

const CORPUS: &str = include_str!("../../../../testdata/faults/paths.toml");
/// What stands in every file outside, and must never be seen.
const CANARY: &str = "canary";

/// T12: every path gets the code it must get, from the system's own resolution and from ours; nothing outside is seen or touched.
pub(super) fn every_spelling(bench: &Bench, extent: Extent) -> Row {
    let mut row = Row::new("T12 path corpus");
    let corpus: Corpus = toml::from_str(CORPUS).expect("the corpus is well-formed");
    let place = Place::new(&bench.scratch.join("paths"));
    place.make(&corpus.tree);
    let cases: Vec<Case> = corpus.group.iter().flat_map(Group::cases).collect();
    for (turn, case) in cases.iter().enumerate() {
        row.cases += 1;
        let plain = try_one(bench, &corpus, &place, case, &[]);
        row.violations.extend(plain);
        row.control += usize::from(case.way == "read" && careless_tool_escapes(&place, case));
        if turn % extent.every(7) == 0 {
            row.cases += 1;
            let fallback = try_one(bench, &corpus, &place, case, &OLD_SYSTEM);
            row.violations
                .extend(fallback.map(|what| format!("without openat2, {what}")));
        }
    }
    row
}

/// A system that cannot resolve a path beneath a folder in one call.
const OLD_SYSTEM: [&str; 7] = [
    "strace",
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    "inject=openat2:error=ENOSYS",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Corpus {
    tree: Planted,
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Planted {
    files: BTreeMap<String, String>,
    links: BTreeMap<String, String>,
}

/// Paths that are to be treated alike.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    name: String,
    #[serde(default)]
    raw: bool,
    root: Option<PathBuf>,
    read: Option<String>,
    edit: Option<String>,
    create: Option<String>,
    delete: Option<String>,
    from: Option<String>,
    to: Option<String>,
    paths: BTreeMap<String, String>,
}

/// One path, used in one way.
struct Case<'a> {
    group: &'a Group,
    name: &'a str,
    path: &'a str,
    way: &'static str,
    code: &'a str,
}

impl Group {
    fn cases(&self) -> Vec<Case<'_>> {
        let ways = [
            ("read", &self.read),
            ("edit", &self.edit),
            ("create", &self.create),
            ("delete", &self.delete),
            ("from", &self.from),
            ("to", &self.to),
        ];
        let mut cases = Vec::new();
        for (name, path) in &self.paths {
            for (way, code) in ways {
                cases.extend(code.as_ref().map(|code| Case {
                    group: self,
                    name,
                    path,
                    way,
                    code,
                }));
            }
        }
        cases
    }
}

impl Case<'_> {
    /// Returns the request as bytes; paths that are no text are put into it as they are.
    fn request(&self, path: &[u8]) -> Vec<u8> {
        let path = if self.group.raw {
            [b"\"", path, b"\""].concat()
        } else {
            let text = String::from_utf8_lossy(path);
            serde_json::to_vec(&text).expect("any text can be quoted")
        };
        let (path, edit): (&[u8], &[u8]) = match self.way {
            "edit" => (
                &path,
                br#"{"op":"substitute","old":"inside","new":"INSIDE"}"#,
            ),
            "create" => (&path, br#"{"op":"create","content":"made\n"}"#),
            "delete" => (&path, br#"{"op":"delete_file"}"#),
            "from" => (&path, br#"{"op":"move","to_path":"moved-away"}"#),
            _ => {
                let edit = [&br#"{"op":"move","to_path":"#[..], &path, b"}"].concat();
                return wrapped(br#""file""#, &edit);
            }
        };
        wrapped(path, edit)
    }

    /// Says which case it is, so that it can be found in the corpus.
    fn describe(&self, what: &str) -> String {
        format!("{}: {}: {}: {what}", self.group.name, self.name, self.way)
    }
}

fn wrapped(path: &[u8], edit: &[u8]) -> Vec<u8> {
    [br#"{"path":"#, path, br#","edits":["#, edit, b"]}"].concat()
}

/// Where the tree lies.
struct Place {
    scratch: PathBuf,
}

impl Place {
    fn new(scratch: &Path) -> Self {
        let _ = fs::remove_dir_all(scratch);
        fs::create_dir_all(scratch).expect("the scratch folder can be written");
        let scratch = scratch.canonicalize().expect("it is there");
        Self { scratch }
    }

    fn root(&self) -> PathBuf {
        self.scratch.join("root")
    }

    fn given(&self) -> PathBuf {
        self.scratch.join("given")
    }

    /// Makes the tree anew.
    fn make(&self, tree: &Planted) {
        let fine = "the scratch folder can be written";
        let _ = fs::remove_dir_all(&self.scratch);
        for (name, text) in &tree.files {
            let path = self.scratch.join(self.expand(name));
            fs::create_dir_all(path.parent().unwrap_or(&self.scratch)).expect(fine);
            fs::write(path, text).expect(fine);
        }
        for (name, target) in &tree.links {
            let target = OsString::from_vec(unescape(&self.expand(target)));
            symlink(target, self.scratch.join(name)).expect(fine);
        }
        let no_text = self
            .root()
            .join(OsString::from_vec(b"\xff\xfe-dir".to_vec()));
        fs::create_dir_all(&no_text).expect(fine);
        fs::write(no_text.join("file"), "inside\n").expect(fine);
    }

    /// Puts in what stands in braces.
    fn expand(&self, text: &str) -> String {
        let at = |name: &str| self.scratch.join(name).to_string_lossy().into_owned();
        let mut text = text
            .replace("{given}", &at("given"))
            .replace("{real}", &at("root"))
            .replace("{outside}", &at("outside"));
        while let Some((before, rest)) = text.split_once("{x:") {
            let (count, after) = rest.split_once('}').expect("braces are closed");
            let count = count.parse().expect("a count");
            text = format!("{before}{}{after}", "x".repeat(count));
        }
        if let Some(rest) = text.strip_prefix("{path:") {
            let count: usize = rest.trim_end_matches('}').parse().expect("a count");
            let deep = format!("{}/", "p".repeat(199)).repeat(count / 200 + 1);
            text = format!("{}f", &deep[..count - 1]);
        }
        text
    }
}

/// Turns `\xNN` into that byte.
fn unescape(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
        bytes.extend(rest.as_bytes());
    }
    bytes
}

/// Runs one case; tells what went wrong, if anything. The tree is as it was afterwards.
fn try_one(
    bench: &Bench,
    corpus: &Corpus,
    place: &Place,
    case: &Case<'_>,
    through: &[&str],
) -> Option<String> {
    let path = unescape(&place.expand(case.path));
    let root = case.group.root.clone().unwrap_or_else(|| place.given());
    // Which code a path gets does not depend on what is synced.
    let launch = Launch::new(bench, &root)
        .through(through)
        .with("HASHLINE_DURABILITY", "fast");
    let before = exact::look(&place.scratch);
    let run = match case.way {
        "read" => launch.run(["read".into(), OsString::from_vec(path)], ""),
        _ => launch.run(["apply"], case.request(&path)),
    };
    let after = exact::look(&place.scratch);
    let wrong = wrong(case, &run, &before, &after);
    if before != after {
        place.make(&corpus.tree);
    }
    wrong.map(|what| case.describe(&what))
}

fn wrong(case: &Case<'_>, run: &Run, before: &Exact, after: &Exact) -> Option<String> {
    let outcome = run.outcome();
    if !case.code.split('|').any(|code| code == outcome) {
        return Some(format!("{outcome} instead of {}", case.code));
    }
    if run.text.contains(CANARY) {
        return Some("it saw what lies outside".to_owned());
    }
    let closed = |name: &&String| {
        let kept = name.strip_prefix("root/").unwrap_or(name);
        !name.starts_with("root/") || kept.starts_with(".git/") || kept.starts_with(".claude")
    };
    let changed = exact::differences(before, after);
    let may_change = outcome == "ok" && case.way != "read";
    let touched = changed.iter().find(|name| !may_change || closed(name));
    touched.map(|name| format!("{name} was touched"))
}

/// The control: a tool that compares the beginning of the path and then opens it.
fn careless_tool_escapes(place: &Place, case: &Case<'_>) -> bool {
    let root = case.group.root.clone().unwrap_or_else(|| place.root());
    let path = place.expand(case.path);
    let whole = if path.starts_with('/') {
        path
    } else {
        format!("{}/{path}", root.to_string_lossy())
    };
    whole.starts_with(&*root.to_string_lossy())
        && fs::read(whole).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(CANARY))
}
