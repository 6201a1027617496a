//! Programs in the command line: which files they open, and for what.
//!
//! A program is read as a list of names, strings and marks, so that a call in a string or a comment is none. Only the calls that people
//! write in one line are known; a program that wants to hide what it opens can.

pub(crate) mod awk;
mod expression;
mod javascript;
mod lex;
mod paths;
mod perl;
mod program;
mod python;
mod ruby;

use crate::guard::places::Places;
use crate::guard::shell::Word;
use crate::guard::tools::Language;
use expression::Expressions;
use program::Program;

/// The guarded files that a program opens, the first of each kind.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    pub(crate) written: Option<Word>,
    pub(crate) read: Option<Word>,
}

/// A file that a program opens.
#[derive(Debug)]
struct Access {
    path: Word,
    way: Way,
}

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Read,
    Write,
}

/// More calls than this are not looked at: a command line that has them is generated.
const MOST: usize = 256;

/// Reads the call at one place of a program, if a file is opened there.
type Reading = fn(&Expressions<'_>, usize) -> Option<Access>;

/// Finds the guarded files that a program opens.
pub(crate) fn touched(language: Language, program: &Word, places: &Places) -> Touched {
    let program = Program::of(program);
    let (lexicon, access): (_, Reading) = match language {
        Language::Python => (python::PYTHON, python::access),
        Language::JavaScript => (javascript::JAVASCRIPT, javascript::access),
        Language::Ruby => (ruby::RUBY, ruby::access),
        Language::Perl => (perl::PERL, perl::access),
    };
    let code = Expressions::of(&program, lexicon);
    let accesses = (0..code.len()).filter_map(|at| access(&code, at));
    let mut touched = Touched::default();
    for Access { path, way } in accesses.take(MOST) {
        let slot = match way {
            Way::Read => &mut touched.read,
            Way::Write => &mut touched.written,
        };
        if slot.is_none() && !is_address(&path) && places.guards(&path) {
            *slot = Some(path);
        }
    }
    touched
}

/// Libraries open addresses as they open files.
fn is_address(path: &Word) -> bool {
    path.head().0.contains("://")
}

impl Way {
    /// Reads a mode such as `r`, `wb` or `r+`.
    fn of_mode(mode: &str) -> Self {
        if mode.contains(['w', 'a', 'x', '+']) {
            Self::Write
        } else {
            Self::Read
        }
    }
}
