//! Whether a text that was sent as an anchor names one line.
//!
//! One rule for all dialects: after the first anchor may follow the text of its line, as in a copied line, or words that cannot name a line;
//! before it only such words. (The dialect's own parser decides which words it accepts at all.) The original tools read the first anchor and
//! ignore the rest, so that `1:c8..3:6d` would change line 1 alone.

use super::{Scheme, number};
use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::text::LineNo;
use crate::text::whitespace::trim_start;

/// Signs that stand between the ends of a range.
const RANGE_SIGNS: &[char] = &[
    '-', '‐', '‑', '‒', '–', '—', '―', '−', '~', '…', '→', '⇒', '↔',
];

/// Words that stand between the ends of a range.
const RANGE_WORDS: &[&str] = &[
    "and", "bis", "thru", "through", "til", "till", "to", "until", "upto",
];

/// How a text that follows an anchor compares with that of the anchor's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopiedText {
    /// It is the text of the line, or its beginning.
    OfLine,
    /// It is not, although the line is as the anchor says.
    OfOther,
    /// It is not, but the line is not as the anchor says either: the text may be what it was.
    LineChanged,
}

/// The first anchor in a text, with what is around it.
struct FirstAnchor<'t> {
    before: &'t str,
    anchor: Anchor,
    behind: &'t str,
}

impl Scheme {
    /// Parses an anchor, as [`Scheme::parse`] does, but refuses a text that may name another line besides. `compare` says how a text compares with that
    /// of the anchor's line.
    ///
    /// # Errors
    ///
    /// The reason why the text is not an anchor of one line.
    pub(crate) fn parse_one(
        self,
        text: &str,
        compare: impl Fn(&Anchor, &str) -> CopiedText,
    ) -> Result<Anchor, BadAnchor> {
        match self.first_anchor(text) {
            Some(first) if !self.is_alone(&first, compare) => Err(BadAnchor::SeveralLines),
            Some(_) | None => self.parse(text),
        }
    }

    fn is_alone(
        self,
        first: &FirstAnchor<'_>,
        compare: impl Fn(&Anchor, &str) -> CopiedText,
    ) -> bool {
        let before = first.before.trim_start();
        // The marks of our refusals and of diffs, which some dialects accept.
        let mut marks = [">>>", "+", "-"].into_iter();
        let before = marks.find_map(|mark| before.strip_prefix(mark));
        let before = before.unwrap_or(first.before).trim_start();
        let behind = first.behind.trim_end_matches(['\r', '\n']);
        if self.may_name_line(before) {
            return false;
        }
        let copied = behind.trim_start_matches([' ', '\t']);
        // The text of a line is shown behind a bar; lean shows it behind a tab.
        let after_bar = copied
            .strip_prefix('|')
            .or_else(|| behind.strip_prefix('\t'));
        let copied = after_bar.unwrap_or(copied);
        let fits = || after_bar.is_some_and(|text| self.fits_copied(&first.anchor, text));
        let is_its_text = !copied.contains('\n')
            && match compare(&first.anchor, copied) {
                CopiedText::OfLine => true,
                CopiedText::OfOther => false,
                CopiedText::LineChanged => fits(),
            };
        is_its_text || !self.may_name_line(behind.trim_end())
    }

    /// Returns whether the tag fits the text of a copied line that is not there any more. One text in 256 fits by chance, so text does not count in which
    /// another anchor begins, or ends a range.
    fn fits_copied(self, anchor: &Anchor, text: &str) -> bool {
        let names_another = self
            .first_anchor(text)
            .is_some_and(|inner| ends_like_range(inner.before));
        let line = LineNo::new(anchor.line).filter(|_| !names_another);
        line.is_some_and(|line| self.fits(anchor.tag, text.as_bytes(), line))
    }

    /// Returns whether words around an anchor may name another line: by a number, a tag, a sign or word of a range, or in a line of their own.
    fn may_name_line(self, words: &str) -> bool {
        let is_tag = |word: &str| Tag::new(word).is_some_and(|tag| self.is_tag(tag));
        let is_range = |word: &str| RANGE_WORDS.iter().any(|to| word.eq_ignore_ascii_case(to));
        words.contains(['\n', '\r'])
            || words.contains(char::is_numeric)
            || words.contains(RANGE_SIGNS)
            || words.contains("..")
            || words
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| is_tag(word) || is_range(word))
    }

    /// Finds the first anchor in a text: a number that a tag follows.
    fn first_anchor(self, text: &str) -> Option<FirstAnchor<'_>> {
        let mut at = 0;
        while let Some(gap) = text[at..].find(|c: char| c.is_ascii_digit()) {
            let (before, found) = text.split_at(at + gap);
            let (line, rest) = number(found)?;
            if let Some((tag, behind)) = self.read_tag(rest) {
                let anchor = Anchor::new(line, tag);
                return Some(FirstAnchor {
                    before,
                    anchor,
                    behind,
                });
            }
            at = text.len() - rest.len();
        }
        None
    }

    /// Splits the tag of an anchor, whose number was read already, from what follows it; `None` if no tag follows.
    fn read_tag(self, rest: &str) -> Option<(Tag, &str)> {
        let rest = match self {
            Self::Lean => rest.strip_prefix([' ', ':']).unwrap_or(rest),
            Self::Openagent => trim_start(trim_start(rest).strip_prefix('#')?),
            Self::Omp => trim_start(trim_start(rest).strip_prefix(':')?),
            Self::Push | Self::Cowboy | Self::Pi => rest.strip_prefix(':')?,
        };
        let len = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        // These two read only the first two characters of a longer word, so `1:c8to3:6d` begins with an anchor too.
        let is_lenient = matches!(self, Self::Omp | Self::Openagent);
        let short = if is_lenient { len.min(2) } else { len };
        let mut split = [len, short].into_iter().map(|len| rest.split_at(len));
        split.find_map(|(tag, behind)| {
            let tag = Tag::new(tag).filter(|tag| self.is_tag(*tag))?;
            Some((tag, behind))
        })
    }
}

/// Returns whether an anchor after these words would be the first thing named, or the end of a range. Words alone do not count: they are in text, too.
fn ends_like_range(words: &str) -> bool {
    let words = words.trim_end();
    words.is_empty()
        || words.ends_with(RANGE_SIGNS)
        || words.ends_with([',', ';', '&', '/'])
        || words.ends_with("..")
}

#[cfg(test)]
mod tests {
    use super::{CopiedText, Scheme};
    use crate::anchor::BadAnchor;

    fn is_alone(scheme: Scheme, text: &str) -> bool {
        let parsed = scheme.parse_one(text, |anchor, text| match anchor.line {
            1 if "see 3:f8|three".starts_with(text) => CopiedText::OfLine,
            1 => CopiedText::OfOther,
            _ => CopiedText::LineChanged,
        });
        parsed != Err(BadAnchor::SeveralLines)
    }

    #[test]
    fn the_text_of_the_line_and_words_may_follow() {
        for (scheme, text) in [
            (Scheme::Omp, "1:60"),
            (Scheme::Omp, " >>> 1:60| \n"),
            (Scheme::Omp, "1:60|see 3:f8|three"),
            (Scheme::Omp, "1:60|see 3:f8"),
            (Scheme::Omp, "1:60: x"),
            (Scheme::Omp, "9:60|one"),
            (Scheme::Omp, "9:60|eins"),
            (Scheme::Openagent, "- 1#ZP"),
            (Scheme::Openagent, "line 2#NK please"),
            (Scheme::Openagent, "[\"2#NK\"]"),
            (Scheme::Lean, "1 gm\tone\n"),
        ] {
            assert!(is_alone(scheme, text), "{text:?}");
        }
    }

    #[test]
    fn what_may_name_another_line_may_not() {
        for (scheme, text) in [
            (Scheme::Omp, "1:60|3:f8"),
            (Scheme::Omp, "1:60 | 3:f8"),
            (Scheme::Omp, "1:60\t3:f8"),
            (Scheme::Omp, "1:60:3"),
            (Scheme::Omp, "1:60/3"),
            (Scheme::Omp, "1:60..f8"),
            (Scheme::Omp, "1:60..ab"),
            (Scheme::Omp, "1:60 ab"),
            (Scheme::Omp, "1 : 60 to the end"),
            (Scheme::Omp, "1:60|one\ntwo"),
            (Scheme::Omp, "1:60\n|one"),
            (Scheme::Omp, "9:60|one..3"),
            (Scheme::Omp, "9:60|one, 3:f8|three"),
            // The tag of the first anchor fits all that follows it, by chance.
            (
                Scheme::Omp,
                "271:0f|let v270 = 72900;..273:52|let v272 = 73984;",
            ),
            (Scheme::Omp, "1:e2|let v14 = 196; to 17"),
            (Scheme::Openagent, "1-3#NK"),
            (Scheme::Openagent, "1..3#NK"),
            (Scheme::Openagent, "lines 1-3#NK"),
            (Scheme::Openagent, "..3#NK"),
            (Scheme::Openagent, "lines -3#NK"),
            (Scheme::Openagent, "1#NKWB"),
            (Scheme::Openagent, "1#NK\u{ff13}"),
            (Scheme::Push, "1:zemI|3:Ie9p"),
            (Scheme::Lean, "1 gm\t3 th"),
            // The tags of these fit what follows, by chance.
            (Scheme::Omp, "3:a0 to 5"),
            (Scheme::Omp, "1:fc/2:62|beta two"),
            (Scheme::Omp, "1:fc up to 3:a0|gamma three"),
            (Scheme::Openagent, "1#KS & line 3"),
            (Scheme::Openagent, "3#ZV..=5"),
            (Scheme::Openagent, "1#KS:+2"),
        ] {
            assert!(!is_alone(scheme, text), "{text:?}");
        }
    }
}
