//! The engine and its slow, obvious twin agree on a hundred thousand random requests: the same bytes, or the same refusal.
//! `HASHLINE_TWIN_REQUESTS` sets another number.

use std::collections::BTreeMap;

use hashline_core::anchor::{Claim, Tag};
use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditBatch, Occurrences, Operation, Place, Target};
use hashline_core::scheme::{Scheme, sha256};
use hashline_core::text::{Encoding, LineNo, Payload, RevPrefix};
use hashline_core::{Document, Policy, Shown, edit};
use hashline_testing::random::{Random, rounds};

use crate::model::{self, Kind, Name};

const REQUESTS: usize = 100_000;

const LATIN: Encoding = Encoding::new("latin", encode_latin);
const UTF_16: Encoding = Encoding::new("utf-16", encode_utf_16);

/// How often each refusal must have been agreed on, so that the agreement means something.
const AT_LEAST: usize = 500;

#[test]
fn a_slow_obvious_twin_agrees_on_every_request() {
    let mut random = Random::new(2);
    let mut seen: BTreeMap<&'static str, usize> = BTreeMap::new();
    let requests = rounds("HASHLINE_TWIN_REQUESTS", REQUESTS);
    for request in 0..requests {
        let dialect = Dialect::ALL[request % Dialect::ALL.len()];
        let asked = Asked::random(&mut random, dialect);
        let expected = asked.by_the_model();
        let answer = asked.by_the_engine();
        assert_eq!(
            answer
                .as_ref()
                .map(|bytes| bytes.escape_ascii().to_string()),
            expected
                .as_ref()
                .map(|bytes| bytes.escape_ascii().to_string()),
            "request {request}, {}: engine left, model right\n{asked:#?}",
            dialect.name()
        );
        let outcome = match &expected {
            Ok(bytes) if *bytes == asked.bytes => "nothing changed",
            Ok(_) => "done",
            Err(code) => code,
        };
        *seen.entry(outcome).or_default() += 1;
    }
    let count = |outcome| seen.get(outcome).copied().unwrap_or_default();
    for code in [
        "bad_anchor",
        "unknown_rev",
        "out_of_range",
        "stale",
        "bad_range",
        "overlap",
        "stale_file",
        "empty_insert",
        "text_not_found",
        "text_not_unique",
        "not_encodable",
        "escaped_bytes",
    ] {
        assert!(count(code) >= AT_LEAST, "{code} is too rare: {seen:?}");
    }
    assert!(
        count("done") * 100 >= requests * 30,
        "too few are done: {seen:?}"
    );
}

fn encode_latin(_: &str, text: &str) -> Result<Vec<u8>, char> {
    let byte = |c: char| u8::try_from(u32::from(c)).map_err(|_| c);
    text.chars().map(byte).collect()
}

#[expect(clippy::unnecessary_wraps, reason = "the type of an encoder")]
fn encode_utf_16(_: &str, text: &str) -> Result<Vec<u8>, char> {
    Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect())
}

/// A request and all that both sides need to know of it.
struct Asked {
    dialect: Dialect,
    /// The text of the file; its bytes, unless it has another encoding.
    bytes: Vec<u8>,
    encoding: Option<Encoding>,
    revision: Revision,
    file_hash: FileHash,
    edits: Vec<Spelled>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Revision {
    NotGiven,
    Current,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FileHash {
    NotGiven,
    Right,
    Wrong,
}

/// An edit as the model takes it, and how its names and texts are spelled for the engine.
#[derive(Clone, Debug)]
struct Spelled {
    edit: model::Edit,
    claims: Vec<String>,
    is_list: bool,
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "b\"{}\"", self.bytes.escape_ascii())?;
        writeln!(
            f,
            "{:?} {:?} {:?}",
            self.encoding, self.revision, self.file_hash
        )?;
        self.edits.iter().try_for_each(|spelled| {
            writeln!(
                f,
                "{:?} {:?} list: {}",
                spelled.edit, spelled.claims, spelled.is_list
            )
        })
    }
}

impl Asked {
    fn document(&self) -> Document {
        match self.encoding {
            None => Document::new(self.bytes.clone()),
            Some(encoding) => {
                let text = String::from_utf8(self.bytes.clone()).expect("a decoded text is UTF-8");
                let file = encoding.encode(&text).expect("it was decoded");
                Document::decoded(text, file, encoding)
            }
        }
    }

    fn by_the_model(&self) -> Result<Vec<u8>, &'static str> {
        if self.encoding == Some(LATIN) {
            let mut edits = self.edits.iter().map(|spelled| &spelled.edit);
            // The text that is replaced may have any characters.
            let new = |edit: &model::Edit| match edit.kind {
                Kind::SubstituteOne | Kind::SubstituteAll => edit.texts[1].clone(),
                Kind::Delete => String::new(),
                _ => edit.texts.concat(),
            };
            if edits.any(|edit| new(edit).chars().any(|c| u32::from(c) > 0xFF)) {
                return Err("not_encodable");
            }
        }
        if self.file_hash == FileHash::Wrong {
            return Err("stale_file");
        }
        let scheme = self.dialect.scheme;
        let fits = |tag: &str, text: &[u8], number: u64| {
            let (tag, line) = (Tag::new(tag), LineNo::new(number));
            tag.zip(line)
                .is_some_and(|(tag, line)| scheme.fits(tag, text, line))
        };
        let edits: Vec<model::Edit> = self
            .edits
            .iter()
            .map(|spelled| spelled.edit.clone())
            .collect();
        let known = self.revision != Revision::Unknown;
        model::edit(&self.bytes, &edits, self.dialect.name(), known, &fits)
    }

    fn by_the_engine(&self) -> Result<Vec<u8>, &'static str> {
        let document = self.document();
        let mut batch = EditBatch::new(self.edits.iter().map(Spelled::operation));
        batch.rev = match self.revision {
            Revision::NotGiven => None,
            Revision::Current => Some(RevPrefix::from(document.revision())),
            Revision::Unknown => RevPrefix::parse("0123456789abcdef"),
        };
        batch.file_hash = match self.file_hash {
            FileHash::NotGiven => None,
            FileHash::Right => Some(sha256(document.file_bytes()).to_uppercase()),
            FileHash::Wrong => Some(sha256(b"something else")),
        };
        let policy = Policy::new(self.dialect);
        edit(&document, &Shown::nothing(), batch, &policy)
            .map(|edited| {
                let text = edited.document.bytes();
                if let Some(encoding) = self.encoding {
                    let text = std::str::from_utf8(text).expect("edited text is UTF-8");
                    let file = encoding.encode(text).expect("it was checked");
                    assert_eq!(edited.document.file_bytes(), file);
                    assert_eq!(edited.document.encoding(), self.encoding);
                }
                text.to_vec()
            })
            .map_err(|refused| refused.code().as_str())
    }

    fn random(random: &mut Random, dialect: Dialect) -> Self {
        let file = File::random(random);
        let mut maker = Maker {
            dialect,
            document: Document::new(file.bytes.clone()),
            mixed: file.mixed,
            wild: random.chance(33),
            free: 0,
        };
        let mut edits: Vec<Spelled> = Vec::new();
        for _ in 0..1 + random.below(4) {
            edits.extend(maker.edit(random));
            if random.chance(4) && !edits.is_empty() {
                edits.push(edits[random.below(edits.len())].respelled(random, dialect.scheme));
            }
        }
        let text = std::str::from_utf8(&file.bytes).ok();
        let is_latin = text.is_some_and(|text| text.chars().all(|c| u32::from(c) <= 0xFF));
        let encoding = match random.below(100) {
            0..25 if is_latin => Some(LATIN),
            25..40 if text.is_some() => Some(UTF_16),
            _ => None,
        };
        Self {
            dialect,
            encoding,
            bytes: file.bytes,
            revision: match random.below(100) {
                0..2 => Revision::Unknown,
                2..12 => Revision::Current,
                _ => Revision::NotGiven,
            },
            file_hash: match random.below(100) {
                0..2 => FileHash::Wrong,
                2..6 => FileHash::Right,
                _ => FileHash::NotGiven,
            },
            edits,
        }
    }
}

impl Spelled {
    /// Returns the same edit, its names spelled anew.
    fn respelled(&self, random: &mut Random, scheme: Scheme) -> Self {
        let again = |name: &Name| {
            let (number, tag) = name.as_ref()?;
            Some(spell(random, scheme, LineNo::new(*number)?, Tag::new(tag)?))
        };
        let claims: Option<Vec<String>> = self.edit.names.iter().map(again).collect();
        Self {
            claims: claims.unwrap_or_else(|| self.claims.clone()),
            ..self.clone()
        }
    }

    fn operation(&self) -> Operation {
        let claim = |index: usize| Claim::from(self.claims[index].clone());
        let target = || match self.claims.len() {
            1 => Target::line(claim(0)),
            _ => Target::range(claim(0), claim(1)),
        };
        let texts = &self.edit.texts;
        let text = || match texts.as_slice() {
            [text] if !self.is_list => Payload::Text(text.clone()),
            texts => Payload::Lines(texts.to_vec()),
        };
        let insert = |place| Operation::Insert {
            place,
            text: text(),
        };
        let substitute = |count| Operation::Substitute {
            old: texts[0].clone(),
            new: texts[1].clone(),
            count,
        };
        match self.edit.kind {
            Kind::Replace => Operation::Replace {
                at: target(),
                with: text(),
            },
            Kind::Delete => Operation::Delete { at: target() },
            Kind::Before => insert(Place::Before(claim(0))),
            Kind::After => insert(Place::After(claim(0))),
            Kind::Start => insert(Place::Start),
            Kind::End => insert(Place::End),
            Kind::SubstituteOne => substitute(Occurrences::One),
            Kind::SubstituteAll => substitute(Occurrences::All),
        }
    }
}

/// A random file.
struct File {
    bytes: Vec<u8>,
    mixed: bool,
}

impl File {
    fn random(random: &mut Random) -> Self {
        const LINES: [&[u8]; 21] = [
            b"",
            b"",
            b"a",
            b"a",
            b"a ",
            b" a",
            b"}",
            b"});",
            b"b c",
            b"let x = 1;",
            b"let y = x;",
            b"a\rb",
            b"a\rb",
            "“é”…".as_bytes(),
            b"\xff a",
            b"a\r",
            b"\xff\xc3\xa9 b \xc3",
            "é".as_bytes(),
            b" ",
            b"b",
            "\u{feff}b".as_bytes(),
        ];
        let mut bytes = if random.chance(10) {
            b"\xef\xbb\xbf".to_vec()
        } else {
            Vec::new()
        };
        let count = if random.chance(6) {
            0
        } else {
            1 + random.below(9)
        };
        let style = random.below(3);
        let terminated = random.chance(60);
        for index in 0..count {
            bytes.extend_from_slice(random.pick(&LINES));
            let windows = style == 1 || (style == 2 && random.chance(50));
            if index + 1 < count || terminated {
                bytes.extend_from_slice(if windows { b"\r\n" } else { b"\n" });
            }
        }
        Self {
            bytes,
            mixed: style == 2,
        }
    }
}

/// Makes edits of one file: in a tame request they keep clear of each other and name lines as they are.
struct Maker {
    dialect: Dialect,
    document: Document,
    mixed: bool,
    wild: bool,
    /// The first line that no edit of a tame request names.
    free: usize,
}

impl Maker {
    fn edit(&mut self, random: &mut Random) -> Option<Spelled> {
        let kind = match random.below(100) {
            0..30 => Kind::Replace,
            30..45 => Kind::Delete,
            45..60 => Kind::Before,
            60..75 => Kind::After,
            75..80 => Kind::Start,
            80..86 => Kind::End,
            86..91 => Kind::SubstituteOne,
            _ => Kind::SubstituteAll,
        };
        let (names, claims) = match kind {
            Kind::Replace | Kind::Delete if random.chance(50) => self.names(random, 2)?,
            Kind::Replace | Kind::Delete | Kind::Before | Kind::After => self.names(random, 1)?,
            _ => (Vec::new(), Vec::new()),
        };
        let texts = match kind {
            Kind::Delete => Vec::new(),
            Kind::SubstituteOne | Kind::SubstituteAll => self.substitution(random),
            Kind::Replace if random.chance(10) => Vec::new(),
            _ if random.chance(2) => Vec::new(),
            _ => (0..1 + random.below(2)).map(|_| new_text(random)).collect(),
        };
        let edit = model::Edit { kind, names, texts };
        Some(Spelled {
            edit,
            claims,
            is_list: random.chance(30),
        })
    }

    /// Names one line, or the two ends of a range; nothing if a tame request has no line left.
    fn names(&mut self, random: &mut Random, count: usize) -> Option<(Vec<Name>, Vec<String>)> {
        let lines = self.document.line_count();
        let (first, last) = if self.wild {
            (random.below(lines + 1), random.below(lines + 1))
        } else {
            let first = self.free + random.below(3);
            let last = first + if count == 2 { random.below(3) } else { 0 };
            (first, last.min(lines.saturating_sub(1)))
        };
        if !self.wild && first >= lines {
            return None;
        }
        self.free = last + 1;
        let both = [
            first,
            if self.wild && random.chance(50) {
                first.max(last)
            } else {
                last
            },
        ];
        let named = both[..count].iter().map(|&index| self.name(random, index));
        Some(named.unzip())
    }

    /// Names the line at `index`, in one of the spellings its dialect takes; in a wild request perhaps wrongly.
    fn name(&self, random: &mut Random, index: usize) -> (Name, String) {
        let scheme = self.dialect.scheme;
        let number = LineNo::from_index(index);
        if self.wild && random.chance(6) {
            return (None, random.pick(malformed(scheme)).to_owned());
        }
        let Some(line) = self.document.line(number) else {
            let number = random.pick(&[number.get() as u64, 99_999_999_999]);
            let tag = scheme.spell(0);
            return (
                Some((number, tag.to_string())),
                format!("{number}{}{tag}", char::from(scheme.joint())),
            );
        };
        let tag = if self.wild && random.chance(10) {
            scheme.spell(7)
        } else {
            scheme.tag(line.text, number)
        };
        let name = Some((number.get() as u64, tag.to_string()));
        (name, spell(random, scheme, number, tag))
    }

    /// Returns a text to find, mostly one that is there, and what to put in its place.
    fn substitution(&self, random: &mut Random) -> Vec<String> {
        let mut texts: Vec<String> = self
            .document
            .lines()
            .filter_map(|line| std::str::from_utf8(line.text).ok())
            .map(str::to_owned)
            .collect();
        let new = random
            .pick(&["", "z", "z\nz", "zz\n", "a", "\n"])
            .to_owned();
        if texts.is_empty() || random.chance(5) {
            return vec![random.pick(&["nowhere", ""]).to_owned(), new];
        }
        let at = random.below(texts.len());
        let old = match random.below(6) {
            // A part of a line: its last character.
            4 | 5 => texts[at].chars().next_back().into_iter().collect(),
            0 if !self.mixed => format!("{}\n", texts[at]),
            1 if !self.mixed && at + 1 < texts.len() => format!("{}\n{}", texts[at], texts[at + 1]),
            2 if !self.mixed => format!("\n{}", texts[at]),
            _ => texts.swap_remove(at),
        };
        vec![old, new]
    }
}

/// Spells an anchor in one of the ways its dialect takes.
fn spell(random: &mut Random, scheme: Scheme, number: LineNo, tag: Tag) -> String {
    let plain = scheme.anchor(number, tag);
    let upper = || format!("{number}:{}", tag.as_str().to_uppercase());
    match (scheme, random.below(12)) {
        (_, 0) => format!(" {plain} "),
        (Scheme::Lean, 1) => format!("{plain}\tcopied"),
        (_, 1) => format!("{plain}|copied"),
        (Scheme::Omp | Scheme::Cowboy | Scheme::Pi, 2) => upper(),
        (Scheme::Openagent, 2) => format!("{number} # {tag}"),
        (Scheme::Lean, 2) => format!("{number}:{tag}"),
        (Scheme::Lean, 3) => format!("{number}{tag}"),
        (Scheme::Omp | Scheme::Openagent, 3) => format!(">>> {plain}"),
        (Scheme::Openagent, 4) => format!("line {plain} please"),
        _ => plain,
    }
}

/// Lists texts that are no anchor in a scheme.
fn malformed(scheme: Scheme) -> &'static [&'static str] {
    match scheme {
        Scheme::Omp => &["", "2", ":ab", "x", "0:ab", "2#ab", "two:ab"],
        Scheme::Push => &[
            "", "2", ":OcoM", "OcoM", "0:OcoM", "2:Oc", "2#OcoM", "2:Oc-M", "2:OcoMoc",
        ],
        Scheme::Cowboy | Scheme::Pi => {
            &["", "2", ":ab", "0:ab", "2:a", "2:abc", "2:xy", "2#ab", "ab"]
        }
        Scheme::Openagent => &["", "2:NK", "2#nk", "2#", "#NK", "NK", "LINE#NK", "2#AB"],
        Scheme::Lean => &["", "2", "ab", "0 ab", "2 AB", "2 a", "2 abc", "2#ab"],
    }
}

fn new_text(random: &mut Random) -> String {
    const TEXTS: [&str; 19] = [
        "n",
        "n",
        "m",
        "a",
        "",
        "\n",
        "n\n",
        "n\r\n",
        "n\nm",
        "n\r\nm\r\n",
        "\nn",
        "n\n\n",
        "n\r",
        "n\r\r\nm",
        "\u{feff}n",
        "é\r",
        "\\xFF a",
        "\\xFF",
        "n \\xC3\nm\r\r",
    ];
    random.pick(&TEXTS).to_owned()
}
