//! Which lines of a text match.
//!
//! A line matches if its text does, alone: without its ending, and no more of it than [`Limits::searched_line`]. The whole text is searched at
//! once, which finds at least every such line wherever no line is longer and nothing in the pattern asks where the text begins or
//! ends; the other texts are asked line by line.

use grep_matcher::{LineTerminator, Matcher as _};
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use hashline_core::text::LineEnding;
use regex_syntax::hir::{Look, LookSet};

use super::query::{Case, Extent, Pattern, Query};
use crate::deadline::Deadline;
use crate::error::{BadPattern, DiskFault, Error, PatternFault, PatternPart};
use crate::limits::Limits;

/// What a file may begin with before its first line.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// The longest letter, in bytes.
const LETTER: usize = 4;

/// So much of a text is searched between two looks at the time.
const PIECE: usize = 1 << 20;

/// A pattern, ready to be looked for. Each thread has its own.
#[derive(Clone)]
pub(super) struct Matcher {
    regex: RegexMatcher,
    searcher: Searcher,
    looks: LookSet,
    /// Whether it matters to the pattern what follows the text it matches.
    looks_ahead: bool,
    /// How much of a line is looked at.
    looked_at: usize,
}

/// The lines that match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Matching {
    /// How many they are.
    pub(super) count: usize,
    /// The first of them, by their index: one more than was asked for, if there are more.
    pub(super) first: Vec<usize>,
}

impl Matcher {
    /// Compiles the pattern of a search.
    ///
    /// # Errors
    ///
    /// `bad_pattern`.
    pub(super) fn new(query: &Query, limits: &Limits) -> Result<Self, Error> {
        let source = query.pattern.source();
        let bad = |why| {
            let text = source.to_owned();
            let part = PatternPart::Pattern;
            Error::from(DiskFault::BadPattern(BadPattern { part, text, why }))
        };
        if source.len() > limits.pattern {
            let most = limits.pattern;
            return Err(bad(PatternFault::TooLong { most }));
        }
        let looks = match &query.pattern {
            Pattern::Fixed(_) => LookSet::empty(),
            Pattern::Regex(source) => looks(source).map_err(bad)?,
        };
        let most = limits.compiled_pattern;
        let regex = compile(query, most).map_err(|kind| {
            bad(match kind {
                ErrorKind::NotAllowed(_) | ErrorKind::Banned(_) => PatternFault::LineEnd,
                // It could be parsed, so what is left to go wrong is its size.
                _ => PatternFault::TooBig { most },
            })
        })?;
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .binary_detection(BinaryDetection::none())
            .bom_sniffing(false)
            .build();
        Ok(Self {
            regex,
            searcher,
            looks,
            looks_ahead: query.extent == Extent::Words || looks_ahead(looks),
            looked_at: limits.searched_line,
        })
    }

    /// Finds the lines of a text that match, the first `wanted` of them and one more by their index.
    ///
    /// # Errors
    ///
    /// `timeout` and `cancelled`, soon after: a pattern can be slow and a text long.
    pub(super) fn search(
        &mut self,
        bytes: &[u8],
        wanted: usize,
        deadline: &Deadline<'_>,
    ) -> Result<Matching, Error> {
        let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
        let asks_each = self.must_ask_each_line(text);
        let mut matching = Matching::default();
        let mut before = 0;
        for piece in pieces(text) {
            deadline.check()?;
            let mut add = |index| matching.add(before + index, wanted);
            match asks_each {
                true => self.ask_each_line(piece, &mut add),
                false => self.ask_all(piece, &mut add),
            }
            if piece.len() < text.len() {
                before += memchr::memchr_iter(b'\n', piece).count();
            }
        }
        Ok(matching)
    }

    fn ask_each_line(&self, text: &[u8], add: &mut dyn FnMut(usize)) {
        for (index, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let (line, _) = LineEnding::split(line);
            if is_match(&self.regex, line, self.looked_at) && !self.matches_the_cut(line) {
                add(index);
            }
        }
    }

    /// Tells whether the beginning of a long line matches only because it is cut: the cut is no end, neither of the line nor of a word.
    fn matches_the_cut(&self, line: &[u8]) -> bool {
        if !self.looks_ahead || line.len() <= self.looked_at {
            return false;
        }
        // With the letter behind the cut, a match that needs an end there is none, or moves to the end of that letter.
        let more = &line[..line.len().min(self.looked_at + LETTER)];
        let found = self.regex.find(more).unwrap_or(None);
        found.is_none_or(|found| found.end() > self.looked_at)
    }

    fn ask_all(&mut self, text: &[u8], add: &mut dyn FnMut(usize)) {
        let lines = Lines {
            regex: &self.regex,
            add,
            looked_at: self.looked_at,
        };
        // The only errors are those of the sink, which has none.
        let _ = self.searcher.search_slice(&self.regex, text, lines);
    }

    /// Tells whether a line of this text could match alone without being found in the text as a whole.
    fn must_ask_each_line(&self, text: &[u8]) -> bool {
        let whole = self.looks.contains(Look::Start) || self.looks.contains(Look::End);
        // `$` stands before `\n`: a carriage return would come between it and the text.
        let ends = self.looks.contains(Look::EndLF);
        whole
            || (ends && memchr::memchr(b'\r', text).is_some())
            || longer_line(text, self.looked_at).is_some()
    }
}

/// Cuts a text into pieces of whole lines, after each of which somebody can be heard.
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

/// Returns the length of a line that is longer than `most`, if there is one. Leaps over the text: lines are rarely long.
pub(super) fn longer_line(text: &[u8], most: usize) -> Option<usize> {
    let mut start = 0;
    while text.len() - start > most {
        let ahead = &text[start..text.len().min(start + most + 1)];
        match memchr::memrchr(b'\n', ahead) {
            Some(end) => start += end + 1,
            None => {
                let rest = &text[start..];
                let line = memchr::memchr(b'\n', rest).map_or(rest, |end| &rest[..=end]);
                let (line, _) = LineEnding::split(line);
                // A line of just this length may still end in a carriage return that is not its own.
                if line.len() > most {
                    return Some(line.len());
                }
                start += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            }
        }
    }
    None
}

/// Takes the lines in which the pattern was found, as far as their text matches.
struct Lines<'a> {
    regex: &'a RegexMatcher,
    add: &'a mut dyn FnMut(usize),
    looked_at: usize,
}

impl Sink for Lines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let (text, ending) = LineEnding::split(found.bytes());
        // What was found may have taken in the carriage return before the line feed.
        if ending != LineEnding::CrLf || is_match(self.regex, text, self.looked_at) {
            let index = found.line_number().unwrap_or(1).saturating_sub(1);
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            (self.add)(index);
        }
        Ok(true)
    }
}

fn is_match(regex: &RegexMatcher, text: &[u8], looked_at: usize) -> bool {
    let looked_at = &text[..text.len().min(looked_at)];
    regex.is_match(looked_at).unwrap_or(false)
}

fn compile(query: &Query, most: usize) -> Result<RegexMatcher, ErrorKind> {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .unicode(true)
        .case_insensitive(query.case == Case::Insensitive)
        .case_smart(query.case == Case::Smart)
        .word(query.extent == Extent::Words)
        .fixed_strings(matches!(query.pattern, Pattern::Fixed(_)))
        .line_terminator(Some(LineTerminator::byte(b'\n').as_byte()))
        .size_limit(most)
        .dfa_size_limit(most);
    let built = builder.build(query.pattern.source());
    built.map_err(|error| error.kind().clone())
}

/// Tells whether one of these asks for what comes next.
fn looks_ahead(looks: LookSet) -> bool {
    let ends = [Look::End, Look::EndLF, Look::EndCRLF];
    looks.contains_word() || ends.into_iter().any(|end| looks.contains(end))
}

/// Returns what a regular expression asks about the place it stands at.
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
