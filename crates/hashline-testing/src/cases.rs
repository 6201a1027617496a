//! Cases as data: what stood there, what was asked, what must come of it.
//!
//! One `check` knows the engine; a case is text. `@2` in a request stands for the anchor of line 2 as it was shown, so that a change
//! of hash does not rewrite the suite. The examples of `docs/spec.md` and the files under `testdata/cases/` are such cases.

use std::collections::BTreeMap;

use hashline_core::Policy;
use hashline_core::dialect::Dialect;
use hashline_core::files::{Files, edit_files};
use hashline_core::policy::{Context, Landing, RepairPolicy};
use hashline_core::render::anchored;
use hashline_core::shown::{CutLine, History, Showing, Shown};
use hashline_core::text::{Document, LineNo, LineSpan};
use hashline_wire::render::model;
use hashline_wire::{AnswerOptions, Outcome, ParseOptions, Profile, Refusal, answer, parse};
use serde::Deserialize;
use serde_json::Value;

/// One case.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows, as a sentence.
    #[serde(default)]
    pub name: String,
    /// The dialect; omp unless given.
    #[serde(default)]
    pub dialect: Option<String>,
    /// `seed`, `strict` or `off` (no repairs); our defaults unless given.
    #[serde(default)]
    pub policy: Option<String>,
    /// The file `a.txt` as it is when the request comes.
    #[serde(default)]
    pub before: Option<String>,
    /// The same as bytes in hex, for files that are not UTF-8.
    #[serde(default)]
    pub before_hex: Option<String>,
    /// The encoding of `a.txt`: a name, or `detect`; UTF-8 unless given.
    #[serde(default)]
    pub encoding: Option<String>,
    /// Other files, by path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The file as it was shown, where somebody changed it since.
    #[serde(default)]
    pub shown: Option<String>,
    /// Several showings, oldest first.
    #[serde(default)]
    pub showings: Vec<String>,
    /// The session that the showings were for; none unless given.
    #[serde(default)]
    pub shown_to: Option<String>,
    /// Which lines of each showing were shown, from 1; all unless given.
    #[serde(default)]
    pub shown_lines: Option<Vec<usize>>,
    /// Lines of each showing of which only the first two bytes were shown, from 1.
    #[serde(default)]
    pub cut_lines: Vec<usize>,
    /// The session that the request comes from; none unless given.
    #[serde(default)]
    pub session: Option<String>,
    /// How many more lines follow, in everything shown and in the file before and after.
    #[serde(default)]
    pub more_lines: usize,
    /// Which showing's revision the request carries, counted from 1; none unless given. 0 is the current one.
    #[serde(default)]
    pub rev: Option<usize>,
    /// The request; `@2` is the anchor of line 2 of what was shown last, `@1.2` that of the first showing.
    #[serde(default)]
    pub request: Option<String>,
    /// The file after the request.
    #[serde(default)]
    pub after: Option<String>,
    /// The same as bytes in hex.
    #[serde(default)]
    pub after_hex: Option<String>,
    /// Other files after the request; an empty list of lines means gone.
    #[serde(default)]
    pub after_files: BTreeMap<String, String>,
    /// Files that are gone after the request.
    #[serde(default)]
    pub gone: Vec<String>,
    /// The code of the error, if the request is refused.
    #[serde(default)]
    pub code: Option<String>,
    /// How the file is shown before the request.
    #[serde(default)]
    pub shows: Option<Vec<String>>,
    /// Texts that the answer to a model must hold.
    #[serde(default)]
    pub says: Vec<String>,
    /// Fields that the dialect's own answer must have, as JSON.
    #[serde(default)]
    pub answer: Option<String>,
}

/// A file of cases.
#[derive(Clone, Debug, Deserialize)]
pub struct Cases {
    /// The cases.
    pub case: Vec<Case>,
}

const PATH: &str = "a.txt";

struct World {
    files: BTreeMap<String, Document>,
    history: History,
    session: Option<String>,
}

impl Files for World {
    fn document(&self, path: &str) -> Option<Document> {
        self.files.get(path).cloned()
    }

    fn shown(&self, path: &str) -> Shown<'_> {
        if path == PATH {
            Shown::new(&self.history, self.session.as_deref())
        } else {
            Shown::nothing()
        }
    }
}

/// Runs one case.
///
/// # Errors
///
/// Says what came out otherwise than it should.
pub fn check(case: &Case) -> Result<(), String> {
    let dialect =
        Dialect::named(case.dialect.as_deref().unwrap_or("omp")).ok_or("an unknown dialect")?;
    let more = "more\n".repeat(case.more_lines);
    let before = bytes(case.before.as_deref(), case.before_hex.as_deref())?
        .map(|bytes| document([&bytes, more.as_bytes()].concat(), case))
        .transpose()?;
    let mut showings: Vec<Document> = case
        .showings
        .iter()
        .chain(&case.shown)
        .map(|text| Document::new(text.clone() + &more))
        .collect();
    if showings.is_empty() {
        showings.extend(before.clone());
    }
    if let (Some(expected), Some(before)) = (&case.shows, &before) {
        let lines: Vec<String> = anchored(before, before.all(), dialect.scheme)
            .map(|line| line.to_string())
            .collect();
        compare("the file is shown", expected, &lines)?;
    }
    let Some(request) = &case.request else {
        return Ok(());
    };
    let mut world = World {
        files: BTreeMap::new(),
        history: History::default(),
        session: case.session.clone(),
    };
    world
        .files
        .extend(before.map(|document| (PATH.to_owned(), document)));
    world.files.extend(
        case.files
            .iter()
            .map(|(path, text)| (path.clone(), Document::new(text.as_str()))),
    );
    for showing in &showings {
        let session = case.shown_to.as_deref();
        let line = |number: &usize| LineSpan::new(number - 1..*number);
        let spans = match &case.shown_lines {
            Some(lines) => lines.iter().map(line).collect(),
            None => vec![showing.all()],
        };
        let cut = case.cut_lines.iter().map(|number| CutLine {
            index: number - 1,
            bytes: 2,
        });
        let shown = Showing::of(showing, session, dialect.scheme, &spans);
        let shown = shown.fingerprinted(showing, world.history.key());
        world.history.saw(showing);
        world
            .history
            .restore_showing(shown.with_cut_lines(cut.collect::<Vec<_>>()));
    }
    let request = with_anchors(request, &showings, dialect)?;
    let request = with_revision(&request, case, &showings, world.files.get(PATH))?;
    judge(case, dialect, &world, &request)
}

fn judge(case: &Case, dialect: Dialect, world: &World, request: &str) -> Result<(), String> {
    let (policy, profile) = policy(case, dialect)?;
    let options = ParseOptions {
        dialect: case.dialect.is_some().then_some(dialect),
        path: Some(PATH),
        profile,
        ..ParseOptions::default()
    };
    let mut answer_options = AnswerOptions::new(dialect);
    answer_options.context = Context::new(2);
    let outcome: Outcome = parse(request.as_bytes(), &options)
        .map_err(Refusal::from)
        .and_then(|parsed| {
            answer_options = AnswerOptions {
                context: parsed.context.unwrap_or(Context::new(2)),
                ..AnswerOptions::from(&parsed)
            };
            let policy = Policy {
                dialect: parsed.dialect,
                ..policy
            };
            edit_files(parsed.request, world, &policy)
                .map_err(|error| Refusal::of_files(error, &answer_options))
        });
    let answer_text = model::answer(&answer_options, &outcome);
    for text in &case.says {
        if !answer_text.contains(text.as_str()) {
            return Err(format!("the answer does not say {text:?}:\n{answer_text}"));
        }
    }
    if let Some(expected) = &case.answer {
        let expected: Value =
            serde_json::from_str(expected).map_err(|error| format!("answer: {error}"))?;
        let given = serde_json::to_value(answer(&answer_options, &outcome))
            .map_err(|error| error.to_string())?;
        for (key, value) in expected.as_object().ok_or("the answer is no object")? {
            compare(&format!("{key} in the answer"), value, &given[key.as_str()])?;
        }
    }
    match (&outcome, &case.code) {
        (Err(refusal), Some(code)) => compare("the code", &code.as_str(), &refusal.code().as_str()),
        (Err(_), None) => Err(format!("it was refused:\n{answer_text}")),
        (Ok(_), Some(code)) => Err(format!("it was not refused with {code}:\n{answer_text}")),
        (Ok(edited), None) => {
            let mut after = world.files.clone();
            for (path, document) in edited.writes() {
                match document {
                    Some(document) => after.insert(path, document),
                    None => after.remove(&path),
                };
            }
            compare_files(case, &after)
        }
    }
}

fn compare_files(case: &Case, after: &BTreeMap<String, Document>) -> Result<(), String> {
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    if let Some(mut expected) = bytes(case.after.as_deref(), case.after_hex.as_deref())? {
        expected.extend("more\n".repeat(case.more_lines).bytes());
        let found = after.get(PATH).map(|document| shown(document.file_bytes()));
        compare("the file", &Some(shown(&expected)), &found)?;
    }
    for (path, expected) in &case.after_files {
        let found = after.get(path).map(|document| shown(document.bytes()));
        compare(path, &Some(shown(expected.as_bytes())), &found)?;
    }
    case.gone
        .iter()
        .try_for_each(|path| compare(path, &false, &after.contains_key(path)))
}

fn policy(case: &Case, dialect: Dialect) -> Result<(Policy<'static>, Profile), String> {
    let default = Policy::new(dialect);
    match case.policy.as_deref() {
        None => Ok((default, Profile::Default)),
        Some("seed") => Ok((hashline_reference::seed_policy(dialect), Profile::Seed)),
        Some("strict") => Ok((
            Policy {
                landing: Landing::Strict,
                ..default
            },
            Profile::Default,
        )),
        Some("off") => Ok((
            Policy {
                repair: RepairPolicy::Off,
                ..default
            },
            Profile::Default,
        )),
        Some(other) => Err(format!("an unknown policy {other:?}")),
    }
}

fn bytes(text: Option<&str>, hex: Option<&str>) -> Result<Option<Vec<u8>>, String> {
    let Some(hex) = hex else {
        return Ok(text.map(|text| text.as_bytes().to_vec()));
    };
    let pairs: Vec<char> = hex.chars().filter(|c| !c.is_whitespace()).collect();
    let byte = |pair: &[char]| {
        u8::from_str_radix(&pair.iter().collect::<String>(), 16).map_err(|error| error.to_string())
    };
    pairs
        .chunks(2)
        .map(byte)
        .collect::<Result<Vec<u8>, String>>()
        .map(Some)
}

/// Decodes the file of a case.
#[cfg(feature = "files")]
fn document(bytes: Vec<u8>, case: &Case) -> Result<Document, String> {
    use hashline_workspace::encoding::{TextEncoding, decode};
    let named = match case.encoding.as_deref() {
        None => return Ok(Document::new(bytes)),
        Some("detect") => None,
        Some(name) => Some(TextEncoding::named(name).ok_or("an unknown encoding")?),
    };
    decode(bytes, named).map_err(|why| format!("{why:?}"))
}

#[cfg(not(feature = "files"))]
fn document(bytes: Vec<u8>, case: &Case) -> Result<Document, String> {
    match case.encoding {
        None => Ok(Document::new(bytes)),
        Some(_) => Err("decoding needs the feature `files`".to_owned()),
    }
}

/// Puts anchors where a request has `@2` (the last showing) or `@1.2` (the first).
fn with_anchors(request: &str, showings: &[Document], dialect: Dialect) -> Result<String, String> {
    let mut parts = request.split('@');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        // A dot belongs to it only before a digit: `@1..@3` is two anchors with dots between them.
        let line = digits(part);
        let of_showing = part[line..].strip_prefix('.').map_or(0, digits);
        let end = if of_showing > 0 {
            line + 1 + of_showing
        } else {
            line
        };
        let (place, rest) = part.split_at(end);
        let number = |text: &str| {
            text.parse::<usize>()
                .map_err(|_| format!("@{place} is no line"))
        };
        let (showing, line) = match place.split_once('.') {
            Some((showing, line)) => (
                showings.get(number(showing)?.wrapping_sub(1)),
                number(line)?,
            ),
            None => (showings.last(), number(place)?),
        };
        let line = LineNo::new(line).ok_or("lines count from 1")?;
        let text = showing
            .and_then(|document| document.line(line))
            .ok_or(format!("@{place} was not shown"))?;
        filled.push_str(
            &dialect
                .scheme
                .anchor(line, dialect.scheme.tag(text.text, line)),
        );
        filled.push_str(rest);
    }
    Ok(filled)
}

fn with_revision(
    request: &str,
    case: &Case,
    showings: &[Document],
    now: Option<&Document>,
) -> Result<String, String> {
    let Some(which) = case.rev else {
        return Ok(request.to_owned());
    };
    let document = if which == 0 {
        now
    } else {
        showings.get(which - 1)
    };
    let rev = document.ok_or("no such showing")?.revision().short();
    let mut value: Value = serde_json::from_str(request).map_err(|error| error.to_string())?;
    value["rev"] = rev.into();
    Ok(value.to_string())
}

fn compare<T: PartialEq + std::fmt::Debug>(
    what: &str,
    expected: &T,
    found: &T,
) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected:?}, found {found:?}"))
    }
}
