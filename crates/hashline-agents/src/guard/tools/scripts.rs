//! Interpreters: programs in the command line, and the readers and editors in place that `perl` and `ruby` can be.

use super::{Call, Deed, Input, Object, Piped};
use crate::guard::inline::{self, Touched};
use crate::guard::options::{Arguments, Spec};
use crate::guard::places::Places;
use crate::guard::shell::Word;

/// A language whose programs are looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    JavaScript,
    Ruby,
    Perl,
}

const PYTHON: Spec = Spec {
    valued: "cmWXQ",
    attached: "",
    long: &["check-hash-based-pycs"],
};

const NODE: Spec = Spec {
    valued: "eprC",
    attached: "",
    long: &[
        "eval",
        "print",
        "require",
        "import",
        "loader",
        "conditions",
        "env-file",
        "input-type",
    ],
};

const RUBY: Spec = Spec {
    valued: "eIrCE",
    attached: "iFKTWx",
    long: &["encoding", "external-encoding", "internal-encoding"],
};

const PERL: Spec = Spec {
    valued: "eEI",
    attached: "iFMmdDVx",
    long: &[],
};

impl Language {
    /// Returns the language of an interpreter, whatever its version: `python3.11`.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        match name {
            "python" | "pypy" => Some(Self::Python),
            "node" | "nodejs" | "bun" => Some(Self::JavaScript),
            "ruby" | "jruby" => Some(Self::Ruby),
            "perl" => Some(Self::Perl),
            _ => None,
        }
    }

    const fn spec(self) -> Spec {
        match self {
            Self::Python => PYTHON,
            Self::JavaScript => NODE,
            Self::Ruby => RUBY,
            Self::Perl => PERL,
        }
    }

    /// Returns the options whose value is a program.
    const fn program_options(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["c"],
            Self::JavaScript => &["e", "p", "eval", "print"],
            Self::Ruby => &["e"],
            Self::Perl => &["e", "E"],
        }
    }
}

/// Looks into the programs of the command line, and at the files that a loop around them reads or edits.
pub(super) fn judge(language: Language, call: &Call, places: &Places) -> Deed {
    let args = with_parted_options(language, &call.args);
    // What follows the first operand belongs to the program.
    let arguments = language.spec().read_leading(&args);
    let mut programs: Vec<Word> = arguments
        .values(language.program_options())
        .cloned()
        .collect();
    if language == Language::Python {
        // So does what follows `-c`.
        programs.truncate(1);
    }
    let runs_module = language == Language::Python && arguments.has(&["m"]);
    if programs.is_empty() && !runs_module {
        programs.extend(input_program(call, &arguments));
    }
    let mut deed = looped(language, call, &arguments, places);
    for program in &programs {
        let Touched { written, read } = inline::touched(language, program, places);
        deed.writes = deed.writes.or(written.map(Object::File));
        deed.shows = deed.shows.or(read);
    }
    deed
}

/// Returns the program that an interpreter reads from its standard input because nothing else names one.
fn input_program(call: &Call, arguments: &Arguments) -> Option<Word> {
    let reads_input = match arguments.operands.first() {
        None => true,
        Some(first) => first.is("-"),
    };
    match &call.input {
        Input::Here(here) if reads_input => Some(here.word()),
        _ => None,
    }
}

/// With `-n` or `-p` the program runs for every line of the files; with `-i` they are edited.
fn looped(language: Language, call: &Call, arguments: &Arguments, places: &Places) -> Deed {
    if !matches!(language, Language::Ruby | Language::Perl) {
        return Deed::default();
    }
    let has_program = arguments.has(language.program_options());
    let skipped = usize::from(!has_program);
    let files = arguments.operands.get(skipped..).unwrap_or_default();
    if arguments.has(&["i"]) {
        return Deed::writing(files, places);
    }
    if !arguments.has(&["n", "p"]) {
        return Deed::default();
    }
    Deed {
        shows: call.guarded_input(files, places),
        piped: Piped::Passed,
        ..Deed::default()
    }
}

/// Node takes `-pe` for `-p -e`, though both letters want a value.
fn with_parted_options(language: Language, args: &[Word]) -> Vec<Word> {
    let is_both = |word: &Word| language == Language::JavaScript && word.is("-pe");
    let parted = args.iter().map(|word| {
        if is_both(word) {
            Word::known("-e")
        } else {
            word.clone()
        }
    });
    parted.collect()
}
