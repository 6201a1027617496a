//! Files in other encodings than UTF-8, on a real folder: how they are shown, what is written, and what is refused.

use std::fs;
use std::path::Path;

use hashline_core::dialect::Dialect;
use hashline_core::policy::Context;
use hashline_core::render::display;
use hashline_core::text::{LineSpan, RevPrefix};
use hashline_session::{Overrides, ReadLines, ReadSpec, Service, ServiceOptions, Session, View};
use hashline_testing::random::Random;
use hashline_wire::Refusal;
use hashline_wire::render::{human, model};
use hashline_workspace::FileToRead;
use hashline_workspace::config::{ConfigKey, ConfigOverrides, ConfigValue};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// The bytes of the file, in hex.
    before: String,
    encoding: Option<String>,
    head: Option<String>,
    code: Option<String>,
    #[serde(default)]
    config: Vec<String>,
    #[serde(default)]
    shows: Vec<String>,
    #[serde(default)]
    says: Vec<String>,
    request: Option<String>,
    after: Option<String>,
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[test]
fn every_case_is_shown_and_written_in_its_encoding() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/encodings.toml");
    let cases = fs::read_to_string(path).expect("the cases are there");
    let cases: Cases = toml::from_str(&cases).expect("they are well-formed");
    for case in &cases.case {
        if let Err(why) = check(case) {
            panic!("{}: {why}", case.name);
        }
    }
}

fn check(case: &Case) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("a.txt");
    fs::write(&file, bytes(&case.before)).map_err(|error| error.to_string())?;
    let service = open(folder.path(), &case.config);
    let session = service.session(Some("one"));
    let read = read(&session, case.encoding.as_deref(), Dialect::OMP);
    let refused = match (&read, &case.request) {
        (Err(refusal), _) => Some(refusal.clone()),
        (Ok(view), request) => {
            if let Some(head) = &case.head {
                equal(&view.encoding.unwrap_or_default(), &head.as_str())?;
            }
            let lines: Vec<String> = view.lines().map(|(_, line)| shown(line.text)).collect();
            if !case.shows.is_empty() {
                equal(&lines, &case.shows)?;
            }
            match request {
                Some(request) => edit(&session, view, request, case.encoding.as_deref()).err(),
                None => None,
            }
        }
    };
    let said = refused.as_ref().map(human::refusal).unwrap_or_default();
    let code = refused.as_ref().map(|refusal| refusal.code().as_str());
    if code != case.code.as_deref() {
        return Err(format!("expected {:?}, found {code:?}: {said}", case.code));
    }
    for text in &case.says {
        if !said.contains(text) {
            return Err(format!("{text:?} is not in {said:?}"));
        }
    }
    let after = fs::read(&file).map_err(|error| error.to_string())?;
    let expected = case.after.as_ref().unwrap_or(&case.before);
    equal(&hex(&after), expected)
}

/// Sends a request with the anchors that were shown; `@2` is the anchor of line 2.
fn edit(
    session: &Session<'_>,
    view: &View,
    request: &str,
    encoding: Option<&str>,
) -> Result<(), Refusal> {
    let mut request = request.to_owned();
    for line in view.anchored(Dialect::OMP.scheme) {
        request = request.replace(
            &format!("@{}\"", line.number),
            &format!("{}\"", line.anchor()),
        );
    }
    let mut request: Value = serde_json::from_str(&request).expect("it is JSON");
    request["path"] = "a.txt".into();
    request["rev"] = view.revision.short().into();
    if let Some(encoding) = encoding {
        request["encoding"] = encoding.into();
    }
    let answer = session.apply(request, &Overrides::default());
    answer.outcome.map(drop)
}

#[test]
fn a_created_file_has_the_encoding_that_is_named() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let service = open(folder.path(), &["*.ru=windows-1251".to_owned()]);
    let session = service.session(None);
    let create = |path: &str, content: &str, encoding: Option<&str>| {
        let mut request = json!({"path": path, "edits": [{"op": "create", "content": content}]});
        if let Some(encoding) = encoding {
            request["encoding"] = encoding.into();
        }
        let answer = session.apply(request, &Overrides::default());
        let code = answer.outcome.map_err(|refusal| refusal.code().as_str());
        code.map(|_| fs::read(folder.path().join(path)).expect("it was created"))
    };
    assert_eq!(create("a", "é\n", None), Ok("é\n".as_bytes().to_vec()));
    assert_eq!(create("b", "é\n", Some("latin1")), Ok(b"\xe9\n".to_vec()));
    assert_eq!(
        create("c", "é\n", Some("utf-16le")),
        Ok(b"\xff\xfe\xe9\0\n\0".to_vec())
    );
    assert_eq!(create("d.ru", "да\n", None), Ok(b"\xe4\xe0\n".to_vec()));
    assert_eq!(create("e", "ł\n", Some("latin1")), Err("not_encodable"));
    assert_eq!(create("f", "e\n", Some("latin-42")), Err("encoding"));
    assert!(!folder.path().join("e").exists() && !folder.path().join("f").exists());
}

#[test]
fn an_empty_file_that_is_filled_in_utf_16_gets_a_byte_order_mark_as_a_created_one_does() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (a, b) = (folder.path().join("a.u16"), folder.path().join("b.u16"));
    let rules = ["*.u16=utf-16le".to_owned()];
    for repair in ["proven", "seed", "off"] {
        let key = ConfigKey::named("repair").expect("there is such a key");
        let word = ConfigValue::Choice(repair);
        let service = open_with(folder.path(), &rules, &[(key, word)]);
        let session = service.session(None);
        fs::write(&a, "").expect("it can be written");
        let _ = fs::remove_file(&b);
        let apply = |path: &str, edit: Value| {
            let request = json!({"path": path, "edits": [edit]});
            let answer = session.apply(request, &Overrides::default());
            answer.outcome.map(drop).map_err(|refusal| refusal.code())
        };
        let filled = json!({"op": "append", "text": "é\n"});
        assert_eq!(apply("a.u16", filled), Ok(()), "{repair}");
        let created = json!({"op": "create", "content": "é\n"});
        assert_eq!(apply("b.u16", created), Ok(()), "{repair}");
        for path in [&a, &b] {
            let bytes = fs::read(path).expect("it is there");
            assert_eq!(hex(&bytes), "fffee9000a00", "{repair}, {}", path.display());
        }
        let changed = json!({"op": "substitute", "old": "é", "new": "e"});
        assert_eq!(apply("a.u16", changed), Ok(()), "{repair}");
        assert_eq!(hex(&fs::read(&a).expect("it is there")), "fffe65000a00");
    }
}

#[test]
fn a_whole_file_is_written_in_the_encoding_it_has() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("a.txt");
    fs::write(&file, b"caf\xe9\n").expect("it can be written");
    let service = open(folder.path(), &[]);
    let session = service.session(None);
    let view = read(&session, None, Dialect::OMP).expect("it can be read");
    let write = |content: &str| {
        let rev = view.revision.short();
        let request = json!({"path": "a.txt", "content": content, "rev": rev});
        let answer = session.write(request, &Overrides::default());
        answer
            .outcome
            .map(drop)
            .map_err(|refusal| refusal.code().as_str())
    };
    assert_eq!(write("ł\n"), Err("not_encodable"));
    assert_eq!(write("thé\n"), Ok(()));
    assert_eq!(fs::read(&file).expect("it is there"), b"th\xe9\n");
}

#[test]
fn lines_are_looked_up_in_the_encoding_that_is_named() {
    let files: [(&str, &[u8], &[u8]); 3] = [
        (
            "koi8-r",
            b"\xcb\xcf\xd4\n\xc4\xcf\xcd\nc\nd\ne\n",
            b"\xc5\xd6\n",
        ),
        ("windows-1252", b"\xc3\xa9\nb\nc\nd\ne\n", b"\xc3\xa8\n"),
        (
            "utf-16le",
            b"a\0\n\0b\0\n\0c\0\n\0d\0\n\0e\0\n\0",
            b"f\0\n\0",
        ),
    ];
    for (encoding, before, above) in files {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("a.txt");
        fs::write(&file, before).expect("it can be written");
        let service = open(folder.path(), &[]);
        let session = service.session(Some("one"));
        let view = read(&session, Some(encoding), Dialect::OMP).expect("it can be read");
        let anchors: Vec<String> = view
            .anchored(Dialect::OMP.scheme)
            .map(|line| line.anchor())
            .collect();
        let rev = RevPrefix::parse(&view.revision.short()).expect("it is a revision");

        // Somebody else puts a line on top.
        fs::write(&file, [above, before].concat()).expect("it can be written");
        let named = FileToRead::named("a.txt", Some(encoding)).expect("it is known");
        let (dialect, context) = (Dialect::OMP, Context::default());
        let verified = session.verify(named, Some(&rev), &anchors, dialect, context);
        let landed = verified.expect("it can be read").anchors;
        let landed = landed.into_iter().map(|(_, landed)| landed);
        let lines: Vec<_> = landed
            .map(|landed| landed.map(|landed| landed.span.start()).ok())
            .collect();
        assert_eq!(lines, (1..6).map(Some).collect::<Vec<_>>(), "{encoding}");

        let since = session.since(named, &rev, dialect).expect("it is recorded");
        let (old, new) = (LineSpan::new(0..0), LineSpan::new(0..1));
        let changes: Vec<_> = since
            .changes
            .iter()
            .map(|change| (change.old, change.new))
            .collect();
        assert_eq!(changes, [(old, new)], "{encoding}");
        let (_, span) = session
            .locate(named, ("2", "6"), dialect)
            .expect("both are lines");
        assert_eq!(span, LineSpan::new(1..6), "{encoding}");
    }
    let unknown = FileToRead::named("a.txt", Some("latin-42"));
    assert_eq!(
        unknown.map_err(|error| error.code().as_str()),
        Err("encoding")
    );
}

/// The law of every encoding and ending, in every dialect: a line that is replaced by itself, as it was shown, keeps every byte of the file. (A line
/// that is shown with escapes is refused.)
#[test]
fn rewriting_any_shown_line_as_itself_changes_no_byte() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("a.txt");
    let service = open(folder.path(), &[]);
    let mut random = Random::new(14);
    let (mut written, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let dialect = Dialect::ALL[round % Dialect::ALL.len()];
        let (bytes, encoding) = random_file(&mut random);
        fs::write(&file, &bytes).expect("it can be written");
        let name = round.to_string();
        let session = service.session(Some(&name));
        let Ok(view) = read(&session, encoding, dialect) else {
            continue;
        };
        let lines: Vec<(String, String, bool)> = view
            .anchored(dialect.scheme)
            .zip(view.lines())
            .map(|(anchored, (_, line))| {
                let is_text = std::str::from_utf8(line.text).is_ok();
                (anchored.anchor(), anchored.text.into_owned(), is_text)
            })
            .collect();
        for (anchor, text, is_text) in lines {
            let request = rewriting(dialect, &anchor, &text, &view, encoding);
            let overrides = Overrides {
                dialect: Some(dialect),
                ..Overrides::default()
            };
            let answer = session.apply(request.clone(), &overrides);
            let code = answer.outcome.as_ref().err().map(Refusal::code);
            let said = model::answer(&answer.options, &answer.outcome);
            match code.map(|code| code.as_str()) {
                None => written += 1,
                Some("escaped_bytes") if !is_text => refused += 1,
                // openagent refuses a request that changes nothing.
                Some("no_change") => written += 1,
                Some(_) => panic!("{}\n{request}\n{said}", bytes.escape_ascii()),
            }
            let now = fs::read(&file).expect("it is there");
            assert_eq!(hex(&now), hex(&bytes), "{request}\n{said}");
        }
    }
    assert!(
        written > ROUNDS && refused > ROUNDS / 100,
        "{written} {refused}"
    );
}

const ROUNDS: usize = 3000;

/// Returns a request that replaces one line by itself, in a dialect's own shape.
fn rewriting(
    dialect: Dialect,
    anchor: &str,
    text: &str,
    view: &View,
    encoding: Option<&str>,
) -> Value {
    // Empty text deletes in omp.
    let ended = if text.is_empty() { "\n" } else { text };
    let mut request = match dialect.name() {
        "omp" => json!({"edits": [{"set_line": {"anchor": anchor, "new_text": ended}}]}),
        "push" => json!({"edits": [{"type": "replace_line", "ref": anchor, "new_content": text}]}),
        "cowboy" => {
            json!({"operations": [{"action": "replace", "start": anchor, "content": text}]})
        }
        "openagent" => json!({"edits": [{"op": "replace", "pos": anchor, "lines": [text]}]}),
        "pi" => {
            json!({"patch": [{"op": "set_line", "path": "a.txt", "anchor": anchor, "text": text}]})
        }
        _ => json!({"edits": [{"op": "replace", "at": anchor, "lines": [text]}]}),
    };
    request["path"] = "a.txt".into();
    request["rev"] = view.revision.short().into();
    if let Some(encoding) = encoding {
        request["encoding"] = encoding.into();
    }
    request
}

/// Returns the bytes of a file, and the encoding to name for it, if it is not to be detected.
fn random_file(random: &mut Random) -> (Vec<u8>, Option<&'static str>) {
    const LINES: [&str; 14] = [
        "",
        "",
        "a",
        "b\r",
        "\r",
        "c\r\r",
        "d\re",
        " indented",
        "café",
        "naïve é",
        "1:60|one",
        "}",
        "\u{a0}",
        "x\u{85}y",
    ];
    const WIDE: [&str; 4] = ["日本語", "Привет", "🎉 party", "\u{feff}mark"];
    const ENDINGS: [&str; 3] = ["\n", "\r\n", "\n"];
    let mut text = String::new();
    let utf_16 = random.chance(25);
    for _ in 0..random.below(8) {
        let line = if utf_16 && random.chance(30) {
            random.pick(&WIDE)
        } else {
            random.pick(&LINES)
        };
        text.push_str(line);
        text.push_str(random.pick(&ENDINGS));
    }
    if random.chance(30) {
        text.push_str(random.pick(&LINES));
    }
    if utf_16 {
        let units = text.encode_utf16();
        if random.chance(50) {
            let marked = [0xFEFF].into_iter().chain(units);
            return (marked.flat_map(u16::to_be_bytes).collect(), None);
        }
        return (units.flat_map(u16::to_le_bytes).collect(), Some("utf-16le"));
    }
    let latin = |text: &str| {
        text.chars()
            .map(|c| u32::from(c).to_le_bytes()[0])
            .collect()
    };
    match random.below(4) {
        0 => (text.into_bytes(), None),
        // Text in two encodings, which is shown with escapes.
        1 => {
            let mut bytes: Vec<u8> = "é\n".as_bytes().to_vec();
            let second: Vec<u8> = latin(&text);
            bytes.extend(second);
            (bytes, None)
        }
        2 => (latin(&text), Some("latin1")),
        _ => (latin(&text), None),
    }
}

fn open(root: &Path, encodings: &[String]) -> Service {
    open_with(root, encodings, &[])
}

fn open_with(root: &Path, encodings: &[String], also: &[(ConfigKey, ConfigValue)]) -> Service {
    let key = ConfigKey::named("encodings").expect("there is such a key");
    let value = ConfigValue::Names(encodings.to_vec());
    let overrides = also.iter().cloned();
    let overrides = overrides.fold(ConfigOverrides::default(), |all, (key, value)| {
        all.with(key, value)
    });
    let options = ServiceOptions {
        roots: vec![root.to_path_buf()],
        overrides: overrides.with(key, value),
        ..ServiceOptions::in_memory()
    };
    Service::open(&options).expect("the folder is there")
}

fn read(session: &Session<'_>, encoding: Option<&str>, dialect: Dialect) -> Result<View, Refusal> {
    let spec = ReadSpec {
        path: "a.txt".to_owned(),
        encoding: encoding.map(str::to_owned),
        lines: ReadLines::All,
    };
    let mut read = session.read(&[spec], dialect, None)?;
    let view = read.files.pop().expect("one file was named")?;
    session.showed(&view, dialect, None);
    Ok(view)
}

fn shown(text: &[u8]) -> String {
    display(text).into_owned()
}

fn equal<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("expected {expected:?}, found {found:?}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits");
    (0..hex.len()).step_by(2).map(digits).collect()
}
