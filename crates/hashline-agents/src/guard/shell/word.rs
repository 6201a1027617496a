//! A word after quote removal: what is known of it as text, and what a shell would have to compute as holes.

use std::rc::Rc;

use super::Script;
use crate::guard::options::lists;

/// One word of a command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word {
    /// Invariant: no two pieces of text are adjacent, and none is empty.
    pieces: Vec<WordPiece>,
}

/// A part of a word.
#[derive(Clone, Debug)]
pub(crate) enum WordPiece {
    /// Text that is known, quotes removed.
    Text(String),
    /// An unquoted `*`, `?` or `[..]`: known as written, unknown as a path.
    Glob(String),
    /// Something that the shell computes.
    Hole(Hole, String),
}

/// What the shell computes in a hole. The piece keeps its source.
#[derive(Clone, Debug)]
pub(crate) enum Hole {
    /// A variable, and the scripts in its default value.
    Variable(String, Vec<Rc<Script>>),
    /// `$(..)` or backquotes.
    Substitution(Rc<Script>),
    /// `<(..)` or `>(..)`.
    Process(ProcessDirection, Rc<Script>),
    /// `~` or `~user`.
    Home,
    /// The name of a file that another command lists, with the name of that command.
    Listed(String),
    /// Anything else: arithmetic, or a value that a program computes.
    Other,
}

/// Which way the text flows through a process substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessDirection {
    /// `<(..)`: the process is read from.
    From,
    /// `>(..)`: the process is written to.
    To,
}

impl Word {
    /// Makes a word of text that is known.
    pub(crate) fn known(text: &str) -> Self {
        let mut word = Self::default();
        word.push_text(text);
        word
    }

    /// Makes a word that is one hole, written as `source`.
    pub(crate) fn hole(hole: Hole, source: &str) -> Self {
        Self {
            pieces: vec![WordPiece::Hole(hole, source.to_owned())],
        }
    }

    pub(crate) fn push_text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(WordPiece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(WordPiece::Text(text.to_owned())),
        }
    }

    pub(crate) fn push(&mut self, piece: WordPiece) {
        match piece {
            WordPiece::Text(text) => self.push_text(&text),
            other => self.pieces.push(other),
        }
    }

    pub(crate) fn push_hole(&mut self, hole: Hole, source: &str) {
        self.push(WordPiece::Hole(hole, source.to_owned()));
    }

    pub(crate) fn append(&mut self, other: &Self) {
        other.pieces.iter().cloned().for_each(|p| self.push(p));
    }

    pub(crate) fn pieces(&self) -> &[WordPiece] {
        &self.pieces
    }

    /// Returns the text if nothing in it has to be computed. A glob counts as it is written.
    pub(crate) fn text(&self) -> Option<String> {
        let (text, rest) = self.head();
        rest.is_empty().then_some(text)
    }

    /// Returns the part after the last slash, if it is known. A glob counts as text.
    pub(crate) fn last_name(&self) -> Option<String> {
        let mut name = Some(String::new());
        for piece in &self.pieces {
            name = match (piece, piece.source().rsplit_once('/')) {
                (WordPiece::Hole(..), _) => None,
                (_, Some((_, last))) => Some(last.to_owned()),
                (_, None) => name.map(|name| name + piece.source()),
            };
        }
        name
    }

    /// Tells whether the shell would look for files whose names match.
    pub(crate) fn has_glob(&self) -> bool {
        let is_glob = |piece: &WordPiece| matches!(piece, WordPiece::Glob(_));
        self.pieces.iter().any(is_glob)
    }

    /// Returns the command that lists the files, if the word is one of a list.
    pub(crate) fn lister(&self) -> Option<&str> {
        self.pieces.iter().find_map(|piece| match piece {
            WordPiece::Hole(Hole::Listed(by), _) => Some(by.as_str()),
            _ => None,
        })
    }

    /// Tells whether the word is this text, to the letter.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self.pieces.as_slice() {
            [] => text.is_empty(),
            [WordPiece::Text(own)] => own == text,
            _ => self.text().as_deref() == Some(text),
        }
    }

    /// Tells whether the word is one of these names, which are separated by blanks.
    pub(crate) fn is_one_of(&self, names: &str) -> bool {
        self.text().is_some_and(|text| lists(names, &text))
    }

    /// Returns the known text that the word begins with, and the pieces after it.
    pub(crate) fn head(&self) -> (String, &[WordPiece]) {
        let known = |piece: &WordPiece| !matches!(piece, WordPiece::Hole(..));
        let end = self.pieces.iter().take_while(|p| known(p)).count();
        let (head, rest) = self.pieces.split_at(end);
        (head.iter().map(WordPiece::source).collect(), rest)
    }

    /// Returns what comes after `prefix`, if the word begins with it.
    pub(crate) fn strip_prefix(&self, prefix: &str) -> Option<Self> {
        let (head, _) = self.head();
        head.starts_with(prefix).then(|| self.after(prefix.len()))
    }

    /// Returns the word without its first `bytes` bytes of known text.
    pub(crate) fn after(&self, bytes: usize) -> Self {
        let mut left = bytes;
        let mut word = Self::default();
        for piece in &self.pieces {
            match piece {
                WordPiece::Text(text) if left > 0 => {
                    let cut = left.min(text.len());
                    left -= cut;
                    word.push_text(text.get(cut..).unwrap_or_default());
                }
                WordPiece::Glob(text) if left > 0 => left = left.saturating_sub(text.len()),
                other => word.push(other.clone()),
            }
        }
        word
    }

    /// Returns the word as it is written, quotes removed.
    pub(crate) fn source(&self) -> String {
        self.pieces.iter().map(WordPiece::source).collect()
    }

    /// Returns the scripts that run when the shell expands the word, each with its hole.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = (&Hole, &Rc<Script>)> {
        self.pieces.iter().flat_map(|piece| {
            let (hole, scripts) = match piece {
                WordPiece::Hole(hole @ Hole::Variable(_, scripts), _) => (hole, scripts.as_slice()),
                WordPiece::Hole(
                    hole @ (Hole::Substitution(script) | Hole::Process(_, script)),
                    _,
                ) => (hole, std::slice::from_ref(script)),
                _ => (&Hole::Other, [].as_slice()),
            };
            scripts.iter().map(move |script| (hole, script))
        })
    }
}

impl WordPiece {
    /// Returns the piece as it is written, quotes removed.
    pub(crate) fn source(&self) -> &str {
        match self {
            Self::Text(text) | Self::Glob(text) | Self::Hole(_, text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_a_prefix_keeps_its_holes() {
        let mut word = Word::known("of=src/");
        word.push(WordPiece::Hole(Hole::Other, "$x".to_owned()));
        word.push_text(".rs");
        let path = word.strip_prefix("of=").map(|word| word.source());
        assert_eq!(path.as_deref(), Some("src/$x.rs"));
        assert_eq!(word.text(), None);
        assert!(word.strip_prefix("if=").is_none());
    }

    #[test]
    fn the_last_name_is_known_if_nothing_in_it_is_computed() {
        let home = || Word::hole(Hole::Home, "~");
        let mut word = home();
        word.push_text("/bin/cat");
        assert_eq!(word.last_name().as_deref(), Some("cat"));
        word.append(&home());
        assert_eq!(word.last_name(), None);
        assert_eq!(Word::known("cat").last_name().as_deref(), Some("cat"));
    }
}
