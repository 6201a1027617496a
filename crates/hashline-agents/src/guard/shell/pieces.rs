//! From a word as it is written to its pieces: quotes removed, globs told from text, substitutions parsed.

use brush_parser::ParserOptions;
use brush_parser::word::{
    self, Parameter, ParameterExpr, TildeExpr, WordPiece, WordPieceWithSource,
};

use super::lower::Lowering;
use super::{Hole, Piece, Word, braces, escapes, heredocs};
use crate::guard::verdict::Unsure;

/// Whether globs stand for file names.
#[derive(Clone, Copy)]
enum Quoting {
    Bare,
    Quoted,
}

/// The word cannot be taken apart.
struct Opaque;

impl Lowering {
    /// Lowers an argument, which may become several words by its braces.
    pub(super) fn words(&mut self, raw: &str) -> Vec<Word> {
        let expanded = braces::expanded(raw);
        expanded.iter().map(|raw| self.word(raw)).collect()
    }

    /// Lowers a word that stays one word.
    pub(super) fn word(&mut self, raw: &str) -> Word {
        match word::parse(raw, &ParserOptions::default()) {
            Ok(pieces) => self.assembled(&pieces, raw),
            Err(_) => self.opaque(raw),
        }
    }

    /// Lowers the text of a heredoc in which variables are replaced.
    pub(super) fn heredoc(&mut self, raw: &str) -> Word {
        match word::parse_heredoc(raw, &ParserOptions::default()) {
            Ok(pieces) => self.assembled(&pieces, raw),
            Err(_) => Word::known(raw),
        }
    }

    fn assembled(&mut self, pieces: &[WordPieceWithSource], raw: &str) -> Word {
        let mut word = Word::default();
        match self.pieces_into(&mut word, pieces, raw, Quoting::Bare) {
            Ok(()) => word,
            Err(Opaque) => self.opaque(raw),
        }
    }

    /// Where a substitution ends is guessed wrong now and then (a heredoc in it with lone quotes and brackets). Its text then is not
    /// shell, and what follows it may be read as commands that are none: the whole word is better left alone.
    fn opaque(&mut self, raw: &str) -> Word {
        self.note(Unsure::NotShell);
        Word::hole(Hole::Other, &heredocs::unmarked(raw))
    }

    fn pieces_into(
        &mut self,
        word: &mut Word,
        pieces: &[WordPieceWithSource],
        raw: &str,
        quoting: Quoting,
    ) -> Result<(), Opaque> {
        for piece in pieces {
            let source = raw
                .get(piece.start_index..piece.end_index)
                .unwrap_or_default();
            let source = heredocs::unmarked(source);
            self.piece_into(word, &piece.piece, &source, raw, quoting)?;
        }
        Ok(())
    }

    fn piece_into(
        &mut self,
        word: &mut Word,
        piece: &WordPiece,
        source: &str,
        raw: &str,
        quoting: Quoting,
    ) -> Result<(), Opaque> {
        match piece {
            WordPiece::Text(text) => match quoting {
                Quoting::Bare => push_globs(word, text),
                Quoting::Quoted => word.push_text(text),
            },
            WordPiece::SingleQuotedText(text) => word.push_text(text),
            WordPiece::AnsiCQuotedText(text) => word.push_text(&escapes::decoded(text)),
            WordPiece::DoubleQuotedSequence(inner)
            | WordPiece::GettextDoubleQuotedSequence(inner) => {
                self.pieces_into(word, inner, raw, Quoting::Quoted)?;
            }
            WordPiece::EscapeSequence(text) => {
                word.push_text(text.strip_prefix('\\').unwrap_or(text));
            }
            WordPiece::TildeExpansion(TildeExpr::WorkingDir) => word.push_text("."),
            WordPiece::TildeExpansion(_) => {
                word.push_hole(Hole::Home, source);
            }
            WordPiece::ParameterExpansion(expression) => {
                let hole = self.variable(expression);
                word.push_hole(hole, source);
            }
            WordPiece::CommandSubstitution(text)
            | WordPiece::BackquotedCommandSubstitution(text) => {
                let script = self.substituted(text).ok_or(Opaque)?;
                word.push_hole(Hole::Substitution(script), source);
            }
            WordPiece::ArithmeticExpression(_) => {
                word.push_hole(Hole::Other, source);
            }
        }
        Ok(())
    }

    fn variable(&mut self, expression: &ParameterExpr) -> Hole {
        let (parameter, default) = named(expression);
        let mut scripts = Vec::new();
        if let Some(default) = default {
            let default = self.word(default);
            scripts.extend(default.scripts().map(|(_, script)| script.clone()));
        }
        let name = match parameter {
            Some(Parameter::Named(name)) => name.clone(),
            _ => String::new(),
        };
        Hole::Variable(name, scripts)
    }
}

/// Returns the variable that the value of an expression begins with, if it does, and the text that may stand in for it.
fn named(expression: &ParameterExpr) -> (Option<&Parameter>, Option<&String>) {
    match expression {
        ParameterExpr::Parameter {
            parameter,
            indirect: false,
        }
        | ParameterExpr::RemoveSmallestSuffixPattern { parameter, .. }
        | ParameterExpr::RemoveLargestSuffixPattern { parameter, .. } => (Some(parameter), None),
        ParameterExpr::UseDefaultValues {
            parameter,
            default_value,
            ..
        }
        | ParameterExpr::AssignDefaultValues {
            parameter,
            default_value,
            ..
        } => (Some(parameter), default_value.as_ref()),
        ParameterExpr::IndicateErrorIfNullOrUnset { parameter, .. } => (Some(parameter), None),
        ParameterExpr::UseAlternativeValue {
            alternative_value, ..
        } => (None, alternative_value.as_ref()),
        _ => (None, None),
    }
}

/// Adds unquoted text, each glob in it as a piece of its own.
fn push_globs(word: &mut Word, text: &str) {
    let mut rest = text;
    while let Some(start) = rest.find(['*', '?', '[']) {
        let (before, from) = rest.split_at(start);
        word.push_text(before);
        let length = match from.find(']') {
            _ if !from.starts_with('[') => 1,
            Some(end) => end + 1,
            // A lone bracket is text: `[ -f x ]`.
            None => {
                word.push_text("[");
                rest = from.get(1..).unwrap_or_default();
                continue;
            }
        };
        let (glob, after) = from.split_at(length);
        word.push(Piece::Glob(glob.to_owned()));
        rest = after;
    }
    word.push_text(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(raw: &str) -> (String, bool) {
        let word = Lowering::default().word(raw);
        (word.source(), word.text().is_some())
    }

    #[test]
    fn quotes_are_removed() {
        assert_eq!(written(r#"c"a"'t'"#), ("cat".to_owned(), true));
        assert_eq!(written(r"\cat"), ("cat".to_owned(), true));
        assert_eq!(written(r"$'a\tb'"), ("a\tb".to_owned(), true));
    }

    #[test]
    fn what_the_shell_computes_is_a_hole() {
        assert_eq!(written(r#""$x/a""#), ("$x/a".to_owned(), false));
        assert_eq!(written("a$(b c)"), ("a$(b c)".to_owned(), false));
    }

    #[test]
    fn globs_are_told_from_text() {
        let globs = |raw: &str| {
            let word = Lowering::default().word(raw);
            let globs = word.pieces().iter().filter(|p| matches!(p, Piece::Glob(_)));
            globs.count()
        };
        assert_eq!(globs("src/[ab]*.rs"), 2);
        assert_eq!(globs("'src/*.rs'"), 0);
        assert_eq!(globs("["), 0);
    }
}
