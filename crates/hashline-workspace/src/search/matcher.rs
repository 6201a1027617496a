//! Finds the lines of a text that match a pattern.
//!
//! Each line is matched by itself, without its line ending, and only up to [`Limits::searched_line`] bytes. For speed the whole text is searched at
//! once where that cannot miss a line: if no line is longer than the limit, and the pattern has no assertion for the begin or end of the text. Other
//! texts are searched line by line.

use grep_matcher::{LineTerminator, Matcher as _};
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use hashline_core::text::{Document, LineEnding, LineNo, LineSpan};
use regex_syntax::hir::{Look, LookSet};

use super::query::{Case, Extent, Pattern};
use crate::deadline::Deadline;
use crate::error::{BadPattern, DiskFault, Error, PatternFault, PatternPart};
use crate::limits::Limits;
use crate::read::has_longer_line;

/// The maximum length of a UTF-8 character, in bytes.
const LONGEST_CHAR: usize = 4;

/// How many bytes are searched between two checks of the deadline.
const PIECE: usize = 1 << 20;

/// A compiled pattern that finds matching lines. Each thread has its own clone.
#[derive(Clone, Debug)]
pub struct Matcher {
    test: LineTest,
    /// How many bytes of a line are searched.
    searched: usize,
}

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each thread: a box would save nothing"
)]
enum LineTest {
    /// The line in lower case must contain this text.
    LowerCased(String),
    Regex {
        regex: RegexMatcher,
        searcher: Searcher,
        looks: LookSet,
        /// Whether the pattern has an assertion about the text after a match, such as `$` or `\b`.
        looks_ahead: bool,
    },
}

/// The lines of a text that match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Matching {
    /// The number of matching lines.
    pub(super) count: usize,
    /// The indexes of the first matching lines: one more than was asked for, if there are more.
    pub(super) first: Vec<usize>,
}

impl Matcher {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// `bad_pattern` if the pattern is malformed, too long, too big when compiled, or could match a line ending.
    pub fn new(
        pattern: &Pattern,
        case: Case,
        extent: Extent,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let source = pattern.source();
        let bad = |why| {
            let text = source.to_owned();
            let part = PatternPart::Pattern;
            Error::from(DiskFault::BadPattern(BadPattern { part, text, why }))
        };
        if source.len() > limits.pattern {
            let most = limits.pattern;
            return Err(bad(PatternFault::TooLong { most }));
        }
        let test = match (pattern, case, extent) {
            (Pattern::Fixed(text), Case::LowerCased, Extent::Anywhere) => {
                if text.contains('\n') {
                    return Err(bad(PatternFault::LineEnd));
                }
                LineTest::LowerCased(text.to_lowercase())
            }
            _ => regex_test(pattern, case, extent, limits.compiled_pattern).map_err(bad)?,
        };
        Ok(Self {
            test,
            searched: limits.searched_line,
        })
    }

    /// Returns the numbers of the first `most` matching lines of a span, and one more if there are more.
    ///
    /// # Errors
    ///
    /// `timeout` or `cancelled` if the deadline passes or the request is cancelled.
    pub fn lines_in(
        &mut self,
        document: &Document,
        span: LineSpan,
        most: usize,
        deadline: &Deadline<'_>,
    ) -> Result<Vec<LineNo>, Error> {
        let mut lines = Vec::new();
        // In pieces, so that a large file is not searched to its end once there are enough matches.
        for piece in document.slice(span).cut(PIECE) {
            let found = self.search(piece.bytes(), most - lines.len(), deadline)?;
            let start = piece.span().start();
            let found = found.first.into_iter();
            lines.extend(found.map(|index| LineNo::from_index(start + index)));
            if lines.len() > most {
                break;
            }
        }
        Ok(lines)
    }

    /// Counts the matching lines of a text, and returns the indexes of the first `wanted` ones, and one more if there are more.
    ///
    /// # Errors
    ///
    /// `timeout` or `cancelled` if the deadline passes or the request is cancelled; checked once per MiB, since a pattern can be slow.
    pub(super) fn search(
        &mut self,
        text: &[u8],
        wanted: usize,
        deadline: &Deadline<'_>,
    ) -> Result<Matching, Error> {
        let line_by_line = self.must_search_line_by_line(text);
        let mut matching = Matching::default();
        let mut before = 0;
        for piece in pieces(text) {
            deadline.check()?;
            let mut add = |index| matching.add(before + index, wanted);
            match &mut self.test {
                LineTest::Regex {
                    regex, searcher, ..
                } if !line_by_line => {
                    let searched = self.searched;
                    let lines = Lines {
                        regex,
                        add: &mut add,
                        searched,
                    };
                    // The only errors are those of the sink, which has none.
                    let _ = searcher.search_slice(&*regex, piece, lines);
                }
                _ => self.search_line_by_line(piece, &mut add),
            }
            if piece.len() < text.len() {
                before += memchr::memchr_iter(b'\n', piece).count();
            }
        }
        Ok(matching)
    }

    fn search_line_by_line(&self, text: &[u8], add: &mut dyn FnMut(usize)) {
        for (index, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let (line, _) = LineEnding::split(line);
            if self.matches(line) {
                add(index);
            }
        }
    }

    fn matches(&self, line: &[u8]) -> bool {
        match &self.test {
            LineTest::LowerCased(text) => {
                let searched = &line[..line.len().min(self.searched)];
                let line = String::from_utf8_lossy(searched).to_lowercase();
                line.contains(text.as_str())
            }
            LineTest::Regex {
                regex, looks_ahead, ..
            } => {
                is_match(regex, line, self.searched)
                    && !(*looks_ahead && matches_the_cut(regex, line, self.searched))
            }
        }
    }

    /// Returns whether a line of this text could match by itself, but be missed by a search of the whole text.
    fn must_search_line_by_line(&self, text: &[u8]) -> bool {
        let LineTest::Regex { looks, .. } = &self.test else {
            return true;
        };
        let whole = looks.contains(Look::Start) || looks.contains(Look::End);
        // `$` stands before `\n`: a carriage return would come between it and the text.
        let ends = looks.contains(Look::EndLF);
        whole
            || (ends && memchr::memchr(b'\r', text).is_some())
            || has_longer_line(text, self.searched)
    }
}

/// Returns whether a long line matches only because it was cut: the cut must not count as the end of the line or of a word.
fn matches_the_cut(regex: &RegexMatcher, line: &[u8], searched: usize) -> bool {
    if line.len() <= searched {
        return false;
    }
    // With the character behind the cut, a match that needs an end there is gone, or moves to the end of that character.
    let more = &line[..line.len().min(searched + LONGEST_CHAR)];
    let found = regex.find(more).unwrap_or(None);
    found.is_none_or(|found| found.end() > searched)
}

/// Splits a text into pieces of whole lines, each at least [`PIECE`] bytes long, except the last.
fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let behind = rest.get(PIECE..).unwrap_or_default();
        let end = memchr::memchr(b'\n', behind).map_or(rest.len(), |end| PIECE + end + 1);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

impl Matching {
    fn add(&mut self, index: usize, wanted: usize) {
        if self.count <= wanted {
            self.first.push(index);
        }
        self.count += 1;
    }
}

/// Receives the lines in which ripgrep's searcher found the pattern, and keeps those that also match without their line ending.
struct Lines<'a> {
    regex: &'a RegexMatcher,
    add: &'a mut dyn FnMut(usize),
    searched: usize,
}

impl Sink for Lines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let (text, ending) = LineEnding::split(found.bytes());
        // What was found may have taken in the carriage return before the line feed.
        if ending != LineEnding::CrLf || is_match(self.regex, text, self.searched) {
            let index = found.line_number().unwrap_or(1).saturating_sub(1);
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            (self.add)(index);
        }
        Ok(true)
    }
}

fn is_match(regex: &RegexMatcher, text: &[u8], searched: usize) -> bool {
    let searched = &text[..text.len().min(searched)];
    regex.is_match(searched).unwrap_or(false)
}

fn regex_test(
    pattern: &Pattern,
    case: Case,
    extent: Extent,
    most: usize,
) -> Result<LineTest, PatternFault> {
    let looks = match pattern {
        Pattern::Fixed(_) => LookSet::empty(),
        Pattern::Regex(source) => looks(source)?,
    };
    let regex = compile(pattern, case, extent, most).map_err(|kind| match kind {
        ErrorKind::NotAllowed(_) | ErrorKind::Banned(_) => PatternFault::LineEnd,
        // It could be parsed, so what is left to go wrong is its size.
        _ => PatternFault::TooBig { most },
    })?;
    let searcher = SearcherBuilder::new()
        .line_number(true)
        .binary_detection(BinaryDetection::none())
        .bom_sniffing(false)
        .build();
    Ok(LineTest::Regex {
        regex,
        searcher,
        looks,
        looks_ahead: extent == Extent::Words || looks_ahead(looks),
    })
}

fn compile(
    pattern: &Pattern,
    case: Case,
    extent: Extent,
    most: usize,
) -> Result<RegexMatcher, ErrorKind> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .unicode(true)
        .case_insensitive(matches!(case, Case::Insensitive | Case::LowerCased))
        .case_smart(case == Case::Smart)
        .word(extent == Extent::Words)
        .fixed_strings(matches!(pattern, Pattern::Fixed(_)))
        .line_terminator(Some(LineTerminator::byte(b'\n').as_byte()))
        .size_limit(most)
        .dfa_size_limit(most);
    let built = builder.build(pattern.source());
    built.map_err(|error| error.kind().clone())
}

/// Returns whether one of the assertions depends on the text after a match.
fn looks_ahead(looks: LookSet) -> bool {
    let ends = [Look::End, Look::EndLF, Look::EndCRLF];
    looks.contains_word() || ends.into_iter().any(|end| looks.contains(end))
}

/// Returns the assertions of a regular expression, such as `^` and `\b`.
fn looks(source: &str) -> Result<LookSet, PatternFault> {
    let parsed = regex_syntax::ParserBuilder::new()
        .utf8(false)
        .multi_line(true)
        .build()
        .parse(source);
    let reason = match parsed {
        Ok(hir) => return Ok(hir.properties().look_set()),
        Err(regex_syntax::Error::Parse(error)) => error.kind().to_string(),
        Err(regex_syntax::Error::Translate(error)) => error.kind().to_string(),
        Err(error) => error.to_string(),
    };
    Err(PatternFault::Malformed { reason })
}
