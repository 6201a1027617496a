//! Limits on requests, checked in one pass over the bytes before they are parsed: a list of small edits takes far more memory as JSON values
//! than as text.

use std::collections::HashSet;

use hashline_core::files::{FileAction, Request};
use serde_json::Value;

use crate::error::{BadRequest, Fault};

/// How large a request may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of bytes of JSON.
    pub bytes: usize,
    /// The maximum number of levels of nested JSON lists and objects.
    pub depth: usize,
    /// The maximum number of edits in one request.
    pub edits: usize,
    /// The maximum number of files in one request.
    pub files: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 8 << 20,
            depth: 64,
            edits: 1000,
            files: 256,
        }
    }
}

/// A request may have this many lines of text, plus one for every [`BYTES_A_LINE`] bytes. Each line of new text takes about 200 bytes of
/// memory until it is answered, so a request of millions of empty lines would take far more memory than the file that it makes.
const LINES: usize = 100_000;
const BYTES_A_LINE: usize = 32;

impl Limits {
    /// Checks the unparsed JSON of a request: its bytes, its nesting, the items of its lists of edits and files, and its lines of text.
    pub(crate) fn check(&self, body: &[u8]) -> Result<(), BadRequest> {
        if body.len() > self.bytes {
            return Err(self.too_large(body.len()));
        }
        let seen = survey(body, self.depth);
        if seen.depth > self.depth {
            return Err(self.too_deep());
        }
        if seen.edits > self.edits {
            return Err(self.too_many_edits(seen.edits));
        }
        if seen.files > self.files {
            return Err(self.too_many_files(seen.files));
        }
        // A list that is the whole text may be edits or files that were sent as a string, so it may have as many items as both.
        if seen.others > self.edits.saturating_add(self.files) {
            return Err(self.too_many_edits(seen.others));
        }
        refuse_many_lines(seen.lines, body.len())
    }

    /// Checks only the lines of text of unparsed JSON.
    pub(crate) fn check_lines(&self, body: &[u8]) -> Result<(), BadRequest> {
        refuse_many_lines(survey(body, self.depth).lines, body.len())
    }

    /// Checks a request whose JSON was already parsed: its nesting, the bytes of its keys and strings, and its lines of text.
    pub(crate) fn check_value(&self, value: &Value) -> Result<(), BadRequest> {
        let Size {
            depth,
            bytes,
            lines,
        } = size(value);
        if bytes > self.bytes {
            return Err(self.too_large(bytes));
        }
        if depth > self.depth {
            return Err(self.too_deep());
        }
        refuse_many_lines(lines, bytes)
    }

    fn too_large(&self, bytes: usize) -> BadRequest {
        let message = format!("the request has {bytes} bytes; the limit is {}", self.bytes);
        BadRequest::new(Fault::TooLarge, "", message)
    }

    fn too_deep(&self) -> BadRequest {
        let message = format!("the request is nested deeper than {} levels", self.depth);
        BadRequest::new(Fault::TooDeep, "", message)
    }

    /// Checks the number of edits and of files in a parsed request.
    pub(crate) fn check_request(&self, request: &Request) -> Result<(), BadRequest> {
        if request.steps.len() > self.edits {
            return Err(self.too_many_edits(request.steps.len()));
        }
        let mut files: HashSet<&str> = request
            .steps
            .iter()
            .map(|step| step.path.as_str())
            .collect();
        files.extend(request.steps.iter().filter_map(|step| match &step.action {
            FileAction::Move(to) => Some(to.as_str()),
            _ => None,
        }));
        if files.len() > self.files {
            return Err(self.too_many_files(files.len()));
        }
        Ok(())
    }

    pub(super) fn too_many_files(&self, files: usize) -> BadRequest {
        let message = format!(
            "the request names {files} files; the limit is {}",
            self.files
        );
        BadRequest::new(Fault::TooMany, "", message)
    }

    fn too_many_edits(&self, edits: usize) -> BadRequest {
        let message = format!("the request has {edits} edits; the limit is {}", self.edits);
        BadRequest::new(Fault::TooMany, "", message)
    }
}

/// Refuses a request with too many lines of text for its size.
fn refuse_many_lines(lines: usize, bytes: usize) -> Result<(), BadRequest> {
    let most = LINES + bytes / BYTES_A_LINE;
    if lines <= most {
        return Ok(());
    }
    let message =
        format!("the request has {lines} lines of text; the limit for its size is {most}");
    Err(BadRequest::new(Fault::TooLarge, "", message))
}

/// What one pass over the JSON of a request counts.
#[derive(Default)]
struct Survey {
    depth: usize,
    /// How many items the lists of edits have, of any type.
    edits: usize,
    /// How many items the lists of files have.
    files: usize,
    /// How many items may be edits or files although they are under no known key: the items of a top-level list, and the objects in lists other than `edits` and `files`.
    others: usize,
    /// How many lines of text the request may have: the items of lists that are not of edits or files, and the line breaks in strings.
    lines: usize,
}

/// A JSON object or list whose closing bracket was not reached yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Object,
    List(Listed),
}

/// What a JSON list contains, judged by the key it is under.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    Edits,
    Files,
    /// The list is the whole JSON text: it was sent as a string inside a request, or the text is not a request.
    Whole,
    Other,
}

impl Listed {
    /// Returns what the list under a key contains. A key with escapes may stand for any key, so its list counts as a list of edits.
    fn under(key: &[u8]) -> Self {
        match key {
            b"edits" | b"operations" | b"patch" => Self::Edits,
            b"files" | b"paths" => Self::Files,
            // Unescaping keys here would be a second JSON parser; without this case `"\u0065dits"` would get around the limit.
            key if key.contains(&b'\\') => Self::Edits,
            _ => Self::Other,
        }
    }
}

impl Survey {
    /// Counts one item of a list of the given kind.
    fn item(&mut self, list: Listed) {
        match list {
            Listed::Edits => self.edits += 1,
            Listed::Files => self.files += 1,
            Listed::Whole => self.others += 1,
            Listed::Other => self.lines += 1,
        }
    }
}

/// Counts nesting and list items without building JSON values. For malformed text the counts mean nothing; the JSON parser refuses it
/// afterwards. A list counts as one item and one more for each comma, so an empty list counts as one.
fn survey(body: &[u8], deep_enough: usize) -> Survey {
    let mut seen = Survey::default();
    let mut open: Vec<Open> = Vec::new();
    let mut key: &[u8] = &[];
    let mut place = 0;
    // Stops at the first level beyond the limit: text that nests a million levels deep must not grow `open` to a million entries.
    while let Some(&byte) = body.get(place)
        && open.len() <= deep_enough
    {
        match (byte, open.last().copied()) {
            (b'"', _) => {
                let end = end_of_string(body, place);
                // The last string before a list in an object is the list's key.
                key = &body[place + 1..end];
                seen.lines += line_breaks(key);
                place = end;
            }
            (b',', Some(Open::List(list))) => seen.item(list),
            (b'{', around) => {
                seen.others += usize::from(around == Some(Open::List(Listed::Other)));
                open.push(Open::Object);
            }
            (b'[', around) => {
                let list = match around {
                    Some(Open::Object) => Listed::under(key),
                    Some(Open::List(_)) => Listed::Other,
                    None => Listed::Whole,
                };
                seen.item(list);
                open.push(Open::List(list));
            }
            (b'}' | b']', _) => {
                open.pop();
            }
            _ => {}
        }
        seen.depth = seen.depth.max(open.len());
        place += 1;
    }
    seen
}

/// Counts the line breaks in a JSON string that is still escaped. Two escaped backslashes before an `n` are none, but counting them would not
/// matter: the limit is far above what text needs.
fn line_breaks(string: &[u8]) -> usize {
    let mut rest = string;
    let mut count = 0;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        rest = &rest[at + 1..];
        let is_break = rest.first() == Some(&b'n')
            || rest
                .get(..5)
                .is_some_and(|code| code.eq_ignore_ascii_case(b"u000a"));
        count += usize::from(is_break);
        rest = rest.get(1..).unwrap_or_default();
    }
    count
}

/// Returns the index of the closing quote of the JSON string that begins at `start`, or the length of the text if there is none.
fn end_of_string(body: &[u8], start: usize) -> usize {
    let mut place = start + 1;
    while let Some(&byte) = body.get(place) {
        match byte {
            b'\\' => place += 1,
            b'"' => return place,
            _ => {}
        }
        place += 1;
    }
    body.len()
}

/// How large a JSON value is.
#[derive(Default)]
struct Size {
    /// How deep it is nested.
    depth: usize,
    /// The bytes of its keys and strings.
    bytes: usize,
    /// The strings in its lists, and the line breaks in all strings.
    lines: usize,
}

impl Size {
    /// Adds a value that is inside this one.
    fn add(&mut self, inner: &Self) {
        self.depth = self.depth.max(inner.depth + 1);
        self.bytes += inner.bytes;
        self.lines += inner.lines;
    }
}

/// Measures a JSON value. The recursion is safe: the parser limits nesting.
fn size(value: &Value) -> Size {
    // A list or an object is a level of its own, even if it is empty.
    let mut whole = Size {
        depth: usize::from(value.is_array() || value.is_object()),
        ..Size::default()
    };
    match value {
        Value::String(text) => {
            whole.bytes = text.len();
            whole.lines = text.bytes().filter(|&byte| byte == b'\n').count();
        }
        Value::Array(list) => {
            for item in list {
                whole.add(&size(item));
                whole.lines += usize::from(item.is_string());
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                whole.add(&size(value));
                whole.bytes += key.len();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::Limits;

    fn code(body: &str) -> Option<&'static str> {
        Limits::default()
            .check(body.as_bytes())
            .err()
            .map(|error| error.fault.code().as_str())
    }

    #[test]
    fn each_bound_holds_at_the_bound_and_breaks_one_beyond() {
        let limits = Limits::default();
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(code(&nested(limits.depth)), None);
        assert_eq!(code(&nested(limits.depth + 1)), Some("bad_request"));
        let listed = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
        assert_eq!(code(&listed(limits.edits + limits.files)), None);
        assert_eq!(
            code(&listed(limits.edits + limits.files + 1)),
            Some("too_many")
        );
        let long = |bytes: usize| format!("\"{}\"", "x".repeat(bytes - 2));
        assert_eq!(code(&long(limits.bytes)), None);
        assert_eq!(code(&long(limits.bytes + 1)), Some("too_large"));
    }

    #[test]
    fn items_of_lists_of_edits_and_files_count_whatever_they_are() {
        let limits = Limits::default();
        let body = |key: &str, item: &str, count: usize| {
            format!(r#"{{"{key}" : [ {} ]}}"#, vec![item; count].join(" , "))
        };
        let items = ["1", "\"x, y\"", "null", "[1,2]", "{\"a\":[1,2]}"];
        let bounds = [
            ("edits", limits.edits),
            ("operations", limits.edits),
            ("patch", limits.edits),
            ("files", limits.files),
            ("paths", limits.files),
            ("\\u0065dits", limits.edits),
        ];
        for (key, bound) in bounds {
            for item in items {
                assert_eq!(code(&body(key, item, bound)), None, "{key} {item}");
                let beyond = code(&body(key, item, bound + 1));
                assert_eq!(beyond, Some("too_many"), "{key} {item}");
            }
        }
        let whole = format!("[{}]", vec!["1"; 1_000_000].join(","));
        assert_eq!(code(&whole), Some("too_many"));
    }

    #[test]
    fn lists_of_lines_are_not_bounded_as_lists_of_edits_are() {
        let lines = vec!["\"x\""; 100_000].join(",");
        let body = format!(r#"{{"edits":[{{"op":"append","lines":[{lines}]}}]}}"#);
        assert_eq!(code(&body), None);
    }

    #[test]
    fn lines_of_text_are_bounded_by_the_size_of_the_request() {
        let listed = |count: usize| {
            let lines = vec!["\"\""; count].join(",");
            format!(r#"{{"edits":[{{"op":"append","lines":[{lines}]}}]}}"#)
        };
        let broken = |escaped: &str, count: usize| {
            let text = escaped.repeat(count);
            format!(r#"{{"edits":[{{"op":"append","text":"{text}"}}]}}"#)
        };
        let makes: [&dyn Fn(usize) -> String; 3] =
            [&listed, &|count| broken("\\n", count), &|count| {
                broken("\\u000A", count)
            }];
        for make in makes {
            assert_eq!(code(&make(100_000)), None);
            assert_eq!(code(&make(1_200_000)), Some("too_large"));
            let value = serde_json::from_str(&make(1_200_000)).expect("it is JSON");
            let refused = Limits::default().check_value(&value).expect_err("too many");
            assert_eq!(refused.fault.code().as_str(), "too_large");
        }
        // At the limit and one beyond it: a body of this length allows 31,249 lines more.
        let body = |breaks: usize| {
            let text = "\\n".repeat(breaks);
            format!(
                "{{\"text\":\"{text}{}\"}}",
                "x".repeat(999_988 - text.len())
            )
        };
        assert_eq!(body(1).len() / 32, 31_249);
        assert_eq!(code(&body(131_249)), None);
        assert_eq!(code(&body(131_250)), Some("too_large"));
        // What people write has longer lines.
        let text = "a line of usual length, with some words\\n".repeat(200_000);
        assert_eq!(code(&format!(r#"{{"path":"a","content":"{text}"}}"#)), None);
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert_eq!(
            code(&format!(
                "[\"{}\\\"{}\"]",
                "[".repeat(100),
                "{".repeat(2000)
            )),
            None
        );
    }
}
