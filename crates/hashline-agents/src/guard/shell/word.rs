//! A word of a command line after quote removal: text where it is known, and a hole for each part that only a running shell could compute.

use std::rc::Rc;

use super::Script;
use crate::guard::options::lists;

/// One word of a command line: a sequence of known text, globs, and parts that the shell computes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word {
    /// Invariant: no two pieces of text are adjacent, and none is empty.
    pieces: Vec<WordPiece>,
}

/// A part of a word of a command line.
#[derive(Clone, Debug)]
pub(crate) enum WordPiece {
    /// Known text, with quotes removed.
    Text(String),
    /// An unquoted glob `*`, `?` or `[..]` as it is written; the file names that it matches are not known.
    Glob(String),
    /// A part that the shell computes, such as `$x`, and its source text.
    Hole(Hole, String),
}

/// The kind of a hole: a part of a word that only a running shell or program could compute.
#[derive(Clone, Debug)]
pub(crate) enum Hole {
    /// A variable.
    Variable {
        /// The name if the result has text of the value, as in `$x` and `${x[0]}`; empty for `$1`, `${#x}` and `${x:+a}`.
        name: String,
        /// Whether the result begins with the value, as in `$x` and `${x%.rs}`, but not in `${x#a}`.
        is_beginning: bool,
        /// The scripts in its subscript and in its default value.
        scripts: Vec<Rc<Script>>,
    },
    /// Arithmetic, `$((..))`, with the scripts of the substitutions in it.
    Arithmetic(Vec<Rc<Script>>),
    /// A command substitution: `$(..)` or backquotes.
    Substitution(Rc<Script>),
    /// A process substitution: `<(..)` or `>(..)`.
    Process(ProcessDirection, Rc<Script>),
    /// A home directory: `~` or `~user`.
    Home,
    /// A file name that another command prints, such as `find` before `xargs`; the value is the name of that command.
    Listed(String),
    /// A value that an inline program computes.
    Other,
}

/// Whether a process substitution is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessDirection {
    /// `<(..)`: the command reads the output of the process.
    From,
    /// `>(..)`: the command writes to the input of the process.
    To,
}

impl Hole {
    /// Creates the hole of the variable `$name`; an empty name stands for `$1` and other special parameters.
    pub(crate) fn variable(name: &str) -> Self {
        Self::Variable {
            name: name.to_owned(),
            is_beginning: true,
            scripts: Vec::new(),
        }
    }
}

impl Word {
    /// Creates a word from known text.
    pub(crate) fn known(text: &str) -> Self {
        let mut word = Self::default();
        word.push_text(text);
        word
    }

    /// Creates a word that consists of one computed part, written as `source`.
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

    /// Returns the text of the word; `None` if the shell computes a part of it. A glob counts as text.
    pub(crate) fn text(&self) -> Option<String> {
        let (text, rest) = self.head();
        rest.is_empty().then_some(text)
    }

    /// Returns the part after the last slash; `None` if the shell computes some of it. A glob counts as text.
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

    /// Returns whether the word contains an unquoted glob such as `*.rs`.
    pub(crate) fn has_glob(&self) -> bool {
        let is_glob = |piece: &WordPiece| matches!(piece, WordPiece::Glob(_));
        self.pieces.iter().any(is_glob)
    }

    /// Returns the name of the command that prints this file name, such as `find` before `xargs`; `None` for other words.
    pub(crate) fn lister(&self) -> Option<&str> {
        self.pieces.iter().find_map(|piece| match piece {
            WordPiece::Hole(Hole::Listed(by), _) => Some(by.as_str()),
            _ => None,
        })
    }

    /// Returns the names of the variables whose text is in the word.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            WordPiece::Hole(Hole::Variable { name, .. }, _) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns whether the word is exactly this text, with no part that the shell computes.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self.pieces.as_slice() {
            [] => text.is_empty(),
            [WordPiece::Text(own)] => own == text,
            _ => self.text().as_deref() == Some(text),
        }
    }

    /// Returns whether the word is one of `names`, which are separated by blanks.
    pub(crate) fn is_one_of(&self, names: &str) -> bool {
        self.text().is_some_and(|text| lists(names, &text))
    }

    /// Returns the text before the first part that the shell computes, and the remaining pieces.
    pub(crate) fn head(&self) -> (String, &[WordPiece]) {
        let known = |piece: &WordPiece| !matches!(piece, WordPiece::Hole(..));
        let end = self.pieces.iter().take_while(|p| known(p)).count();
        let (head, rest) = self.pieces.split_at(end);
        (head.iter().map(WordPiece::source).collect(), rest)
    }

    /// Returns the rest of the word after `prefix`; `None` if the word does not begin with it.
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

    /// Returns the scripts that the shell runs to expand the word, such as the code in `$(..)`, each with the part of the word that contains it.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = (&Hole, &Rc<Script>)> {
        self.pieces.iter().flat_map(|piece| {
            let (hole, scripts) = match piece {
                WordPiece::Hole(
                    hole @ (Hole::Variable { scripts, .. } | Hole::Arithmetic(scripts)),
                    _,
                ) => (hole, scripts.as_slice()),
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
