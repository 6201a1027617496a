//! Generators for laws: documents and edits that go where editors break.
//!
//! Documents favour what is rare in life and common in bug reports: no lines at all, no last newline, CRLF and mixed endings, a
//! byte order mark, a lone CR, lines that stand twice or differ in white space only, bytes that are not UTF-8. Edits are wishes
//! first (so many lines further down, replace two) and get their lines from a document later, so that a failing case shrinks well.

use std::fmt;

use hashline_core::Document;
use hashline_core::edit::Operation;
use hashline_core::scheme::Scheme;
use hashline_core::text::{LineEnding, LineNo, LineSpan, Payload};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

/// How many cases a law is tried on.
pub const CASES: u32 = 10_000;

/// Returns how many cases a law is tried on: [`CASES`], or more if `HASHLINE_LAW_CASES` says so.
#[must_use]
pub fn cases() -> u32 {
    let wanted = std::env::var("HASHLINE_LAW_CASES").ok();
    wanted
        .and_then(|cases| cases.parse().ok())
        .map_or(CASES, |cases: u32| cases.max(CASES))
}

/// A document that a failing law can print.
#[derive(Clone, PartialEq, Eq)]
pub struct File(pub Document);

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.bytes().escape_ascii())
    }
}

/// Lines that are likely to stand more than once, some of them alike but for white space.
const TWINS: [&str; 10] = [
    "",
    "a",
    "a ",
    " a",
    "\ta",
    "b",
    "}",
    "});",
    " ",
    "let x = 1;",
];

/// Lines that are text, and awkward; the first of them begins with what is a byte order mark elsewhere.
const ODD: [&str; 10] = [
    "\u{feff}x",
    "a\rb",
    "\r",
    "“é”…—",
    "e\u{301}",
    "a\u{2028}b",
    "\u{a0}a\u{3000}",
    "🙂",
    "3:ab|x",
    "\\xFF",
];

/// Lines that are not UTF-8.
const BAD: [&[u8]; 4] = [b"\xff", b"a\xc3", b"\xf0\x9fb", b"\xff "];

/// Returns any document.
pub fn file() -> impl Strategy<Value = File> {
    file_of(text(&ODD), style())
}

/// Returns any document without U+FEFF in its lines: edits can make such a line the first, and then it is a byte order mark.
pub fn tame_file() -> impl Strategy<Value = File> {
    file_of(text(&ODD[1..]), style())
}

/// Returns any document that ends in a newline, or has no lines, and has no U+FEFF in its lines.
pub fn terminated_file() -> impl Strategy<Value = File> {
    file_of(
        text(&ODD[1..]),
        style().prop_map(|(endings, _, bom)| (endings, true, bom)),
    )
}

fn text(odd: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => select(&TWINS[..]).prop_map(|text| text.as_bytes().to_vec()),
        2 => "[ -~]{0,6}".prop_map(String::into_bytes),
        2 => select(odd).prop_map(|text| text.as_bytes().to_vec()),
        1 => select(&BAD[..]).prop_map(<[u8]>::to_vec),
    ]
}

/// Returns a document whose lines are all plain text that is not blank, each ended by `\n`; only the last may be unterminated.
pub fn plain_file() -> impl Strategy<Value = File> {
    let text = prop_oneof![
        3 => select(&["a", "a ", " a", "b", "}", "let x = 1;"][..]).prop_map(|text| text.as_bytes().to_vec()),
        1 => "[!-~]{1,6}".prop_map(String::into_bytes),
    ];
    let style = any::<bool>().prop_map(|terminated| (vec![LineEnding::Lf], terminated, false));
    file_of(text, style)
}

/// How a document's lines end, in turn; whether the last one does; whether there is a byte order mark.
type Style = (Vec<LineEnding>, bool, bool);

fn style() -> impl Strategy<Value = Style> {
    let endings = prop_oneof![
        Just(vec![LineEnding::Lf]),
        Just(vec![LineEnding::CrLf]),
        vec(select(&[LineEnding::Lf, LineEnding::CrLf][..]), 1..6),
    ];
    let bom = prop_oneof![5 => Just(false), 1 => Just(true)];
    (endings, any::<bool>(), bom)
}

fn file_of(
    text: impl Strategy<Value = Vec<u8>>,
    style: impl Strategy<Value = Style>,
) -> impl Strategy<Value = File> {
    let texts = prop_oneof![1 => vec(Just(Vec::new()), 0..2), 12 => vec(text, 0..12)];
    (texts, style).prop_map(|(texts, (endings, terminated, bom))| {
        let mut bytes = if bom {
            b"\xef\xbb\xbf".to_vec()
        } else {
            Vec::new()
        };
        let last = texts.len().saturating_sub(1);
        for (index, text) in texts.iter().enumerate() {
            bytes.extend_from_slice(text);
            if index < last || terminated {
                bytes.extend_from_slice(endings[index % endings.len()].as_bytes());
            }
        }
        File(Document::new(bytes))
    })
}

/// Returns new text as requests bring it: strings with and without a newline at the end, lists, blank lines, empty ones.
pub fn payload() -> impl Strategy<Value = Payload> {
    let text = prop_oneof![
        6 => "[a-c ]{1,3}",
        1 => select(&["", "x\n", "\n", "x\r\n", "x\r", "a\nb", "a\r\nb\r\n", "x\n\n", "\nx", "é", "a\r\r\nb"][..])
            .prop_map(str::to_owned),
    ];
    prop_oneof![
        text.clone().prop_map(Payload::Text),
        vec(text, 0..4).prop_map(Payload::Lines),
    ]
}

/// Returns new text that is one or two lines and not blank.
pub fn plain_payload() -> impl Strategy<Value = Payload> {
    vec("[a-c]{1,3}", 1..3).prop_map(Payload::Lines)
}

/// An edit before it has its lines.
#[derive(Clone, Debug)]
pub struct Wish {
    /// How many lines lie between it and the edit before.
    pub skip: usize,
    /// How many lines it names.
    pub length: usize,
    /// What it does to them.
    pub deed: Deed,
}

/// What an edit does to its lines.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Puts new text in their place.
    Replace(Payload),
    /// Takes them away.
    Delete,
    /// Puts new text before the first.
    Before(Payload),
    /// Puts new text after the first.
    After(Payload),
}

/// Returns a list of edits whose new text `payload` makes.
pub fn wishes(
    payload: impl Strategy<Value = Payload> + 'static,
) -> impl Strategy<Value = Vec<Wish>> {
    let payload = payload.boxed();
    let deed = prop_oneof![
        3 => payload.clone().prop_map(Deed::Replace),
        2 => Just(Deed::Delete),
        2 => some_text(payload.clone()).prop_map(Deed::Before),
        2 => some_text(payload).prop_map(Deed::After),
    ];
    let wish =
        (0..4_usize, 1..4_usize, deed).prop_map(|(skip, length, deed)| Wish { skip, length, deed });
    vec(wish, 0..5)
}

/// Returns new text that has a line: an insertion of none is refused.
pub fn some_text(payload: impl Strategy<Value = Payload>) -> impl Strategy<Value = Payload> {
    payload.prop_map(|text| match text {
        Payload::Lines(list) if list.is_empty() => Payload::Lines(vec!["i".to_owned()]),
        text => text,
    })
}

/// An edit with its lines: no two of a list share one.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The lines it names.
    pub span: LineSpan,
    /// What it does to them.
    pub deed: Deed,
}

/// Gives the edits of a list lines of a document that has so many, from the top down; those that find none are left out.
#[must_use]
pub fn placed(wishes: &[Wish], lines: usize) -> Vec<Placed> {
    let mut free = 0;
    let mut placed = Vec::new();
    for Wish { skip, length, deed } in wishes {
        let length = match deed {
            Deed::Replace(_) | Deed::Delete => *length,
            Deed::Before(_) | Deed::After(_) => 1,
        };
        let span = LineSpan::new(free + skip..(free + skip + length).min(lines));
        if !span.is_empty() {
            placed.push(Placed {
                span,
                deed: deed.clone(),
            });
            free = span.end();
        }
    }
    placed
}

impl Placed {
    /// Spells the edit with the anchors its lines have in `document`.
    #[must_use]
    pub fn operation(&self, document: &Document, scheme: Scheme) -> Operation {
        let first = anchor(document, scheme, self.span.start());
        let last = anchor(document, scheme, self.span.end() - 1);
        let one = self.span.len() == 1;
        match self.deed.clone() {
            Deed::Replace(with) if one => Operation::replace_line(first, with),
            Deed::Replace(with) => Operation::replace_range(first, last, with),
            Deed::Delete if one => Operation::delete_line(first),
            Deed::Delete => Operation::delete_range(first, last),
            Deed::Before(text) => Operation::insert_before(first, text),
            Deed::After(text) => Operation::insert_after(first, text),
        }
    }

    /// Returns the lines that go and how many come in their place; a gap for an insertion.
    #[must_use]
    pub fn replacement(&self) -> (LineSpan, Vec<String>) {
        match &self.deed {
            Deed::Replace(with) => (self.span, with.lines()),
            Deed::Delete => (self.span, Vec::new()),
            Deed::Before(text) => (LineSpan::gap(self.span.start()), text.lines()),
            Deed::After(text) => (LineSpan::gap(self.span.start() + 1), text.lines()),
        }
    }
}

/// Returns the anchor of the line at `index`.
///
/// # Panics
///
/// If the document has no such line.
#[must_use]
pub fn anchor(document: &Document, scheme: Scheme, index: usize) -> String {
    let number = LineNo::from_index(index);
    let line = document.line(number).expect("the line is there");
    scheme.anchor(number, scheme.tag(line.text, number))
}
