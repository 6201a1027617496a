//! Finds the files that inline programs such as `python -c ".."` open for reading or writing.
//!
//! A table lists, for each language, the options whose value is a program and the function calls that open a file. Only calls that are common
//! in one-line programs are known; a program can still hide which files it opens.

mod tokens;

use Opens::{Mode, PerlMode, Read, Write};
use PathAt::{Nth, Receiver};

use crate::guard::options::{Arguments, ValueOptions, lists};
use crate::guard::places::GuardPaths;
use crate::guard::shell::Word;
use crate::guard::tools::{CommandCall, Effect, Input, WriteTarget};
use tokens::{
    Argument, CodeToken, arguments, computed, mark, mentions, name, path, receiver, string,
};

/// The maximum number of calls that are examined in one inline program; only generated programs have more.
const MOST_CALLS: usize = 256;

/// A language whose inline programs are searched for calls that open files.
#[derive(Debug)]
pub(crate) struct Language {
    /// The names of the language's interpreters, without a version.
    names: &'static str,
    options: ValueOptions,
    /// The interpreter options whose value is a program, such as `e` for `perl -e`.
    program: &'static str,
    syntax: Syntax,
    /// The keywords that end the arguments of a call without brackets, as in `open f or die`; `None` if calls always have brackets.
    ends: Option<&'static str>,
    calls: &'static [FileCall],
}

/// The syntax of strings and comments in a language.
#[derive(Debug)]
struct Syntax {
    /// The quote characters that begin and end a string.
    quotes: &'static str,
    has_triple_quotes: bool,
    /// The text that begins a comment, which ends with the line.
    comment: &'static str,
    /// The quotes of strings in which values are interpolated; `f` if such a string has that letter before it, as in Python.
    filled: &'static str,
    /// The text that begins an interpolated value and the character that ends it; a blank means that the value is a plain variable name.
    value: (&'static str, char),
}

/// Calls that open a file: function names; allowed receivers before the dot (`.` for none, `*` for any); where the path is; whether the file
/// is read or written.
type FileCall = (&'static str, &'static str, PathAt, Opens);

/// Where a call that opens a file has its path.
#[derive(Clone, Copy, Debug)]
enum PathAt {
    /// The path is the argument at this index (from 0) or with this name.
    Nth(usize, &'static str),
    /// The path is the receiver before the dot: `p` in `p.read_text()`.
    Receiver,
}

/// Whether a call opens a file for reading or for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opens {
    Read,
    Write,
    /// The call reads or writes according to a mode such as `"w"`, the argument at this index or with the name `mode`.
    Mode(usize),
    /// The call reads or writes according to Perl's mode, the argument before the path (`'>', $f`) or the beginning of the path (`">f"`).
    PerlMode,
}

const LANGUAGES: &[Language] = &[
    Language {
        names: "python pypy",
        options: ValueOptions("-c -m -W -X -Q --check-hash-based-pycs"),
        program: "c",
        syntax: syntax("'\"", true, "#", "f", ("{", '}')),
        ends: None,
        calls: &[
            (
                "open",
                ". io codecs os builtins gzip bz2 lzma tokenize",
                Nth(0, "file"),
                Mode(1),
            ),
            ("open", "*", Receiver, Mode(0)),
            ("read_text read_bytes", "*", Receiver, Read),
            ("write_text write_bytes", "*", Receiver, Write),
            ("copy copy2 copyfile move", "shutil", Nth(1, "dst"), Write),
        ],
    },
    Language {
        names: "node nodejs bun",
        options: ValueOptions(
            "-e -p -r -C --eval --print --require --import --loader --conditions --env-file --input-type",
        ),
        program: "e p eval print",
        syntax: syntax("'\"`", false, "//", "`", ("${", '}')),
        ends: None,
        calls: &[
            (
                "readFileSync readFile createReadStream readTextFileSync readTextFile",
                "*.",
                FIRST,
                Read,
            ),
            (
                "writeFileSync writeFile appendFileSync appendFile createWriteStream",
                "*.",
                FIRST,
                Write,
            ),
            ("writeTextFileSync writeTextFile", "*.", FIRST, Write),
            ("openSync", "*.", FIRST, Mode(1)),
        ],
    },
    Language {
        names: "ruby jruby",
        options: ValueOptions(
            "-e -I -r -C -E -i? -F? -K? -T? -W? -x? --encoding --external-encoding --internal-encoding",
        ),
        program: "e",
        syntax: syntax("'\"", false, "#", "\"", ("#{", '}')),
        ends: Some("do if unless or and rescue while until"),
        calls: &[
            ("read binread readlines foreach", "File IO", FIRST, Read),
            ("write binwrite", "File IO", FIRST, Write),
            ("open", ". File IO Kernel", FIRST, Mode(1)),
            ("new", "File", FIRST, Mode(1)),
        ],
    },
    Language {
        names: "perl",
        options: ValueOptions("-e -E -I -i? -F? -M? -m? -d? -D? -V? -x?"),
        program: "e E",
        syntax: syntax("'\"", false, "#", "\"", ("$", ' ')),
        ends: Some("or and if unless for foreach while"),
        calls: &[("open", "*.", FIRST, PerlMode)],
    },
];

const AWK: Syntax = syntax("\"", false, "#", "", ("", ' '));

const FIRST: PathAt = Nth(0, "");

/// Names in a Python expression that show that the expression is a path.
const PATHS: &str = "Path PurePath PosixPath pathlib";

/// Constants of Python and Ruby that open a file for writing.
const WRITING_FLAGS: &str =
    "O_WRONLY O_RDWR O_CREAT O_APPEND O_TRUNC WRONLY RDWR CREAT APPEND TRUNC";

const fn syntax(
    quotes: &'static str,
    has_triple_quotes: bool,
    comment: &'static str,
    filled: &'static str,
    value: (&'static str, char),
) -> Syntax {
    Syntax {
        quotes,
        has_triple_quotes,
        comment,
        filled,
        value,
    }
}

/// Returns the language of an interpreter; a version at the end of its name is ignored: `python3.11`.
pub(crate) fn language(interpreter: &str) -> Option<&'static Language> {
    let name = interpreter.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES
        .iter()
        .find(|language| lists(language.names, name))
}

impl Language {
    /// Returns which guarded files an interpreter call reads or writes: in its inline programs, or as input files of `perl -n`, `-p` and `-i`.
    pub(crate) fn judge(&self, call: &CommandCall, places: &GuardPaths) -> Effect {
        let is_python = lists(self.names, "python");
        let mut args = call.args.clone();
        if lists(self.names, "node") {
            // Node takes `-pe` for `-p -e`, though both letters want a value.
            let both = args.iter_mut().filter(|word| word.is("-pe"));
            both.for_each(|word| *word = Word::known("-e"));
        }
        // What follows the first operand belongs to the program, and so does what follows `-c` in Python.
        let arguments = self.options.read_leading(&args);
        let most = if is_python { 1 } else { usize::MAX };
        let given = arguments.values(self.program).take(most);
        let mut programs: Vec<Word> = given.cloned().collect();
        let runs_module = is_python && arguments.has("m");
        let reads_input = arguments.operands.first().is_none_or(|first| first.is("-"));
        if let (Input::Here(here), true) = (&call.input, reads_input)
            && programs.is_empty()
            && !runs_module
        {
            programs.push(here.word());
        }
        let mut effect = self.loop_effect(call, &arguments, places);
        for program in &programs {
            self.look_into(program, places, &mut effect);
        }
        effect
    }

    /// Returns what Perl and Ruby do to their operands: with `-n` or `-p` the files are read line by line, with `-i` they are edited in place.
    fn loop_effect(
        &self,
        call: &CommandCall,
        arguments: &Arguments,
        places: &GuardPaths,
    ) -> Effect {
        let skipped = usize::from(!arguments.has(self.program));
        let files = arguments.operands.get(skipped..).unwrap_or_default();
        if self.ends.is_none() {
            Effect::default()
        } else if arguments.has("i") {
            Effect::writing(files, places)
        } else if arguments.has("n p") {
            Effect::printing(call, files, places)
        } else {
            Effect::default()
        }
    }

    /// Adds the first guarded file that an inline program reads, and the first that it writes, to `effect`.
    fn look_into(&self, program: &Word, places: &GuardPaths, effect: &mut Effect) {
        let tokens = tokens::tokens(program, &self.syntax);
        let is_known = |at: &usize| {
            let name = name(tokens.get(*at));
            name.is_some_and(|name| self.calls.iter().any(|call| lists(call.0, name)))
        };
        for at in (0..tokens.len()).filter(is_known).take(MOST_CALLS) {
            let Some((path, opens)) = self.opened(&tokens, at) else {
                continue;
            };
            // Libraries open addresses as they open files.
            if path.head().0.contains("://") || !places.guards(&path) {
                continue;
            }
            if opens == Write {
                effect.writes.get_or_insert(WriteTarget::File(path));
            } else {
                effect.shows.get_or_insert(path);
            }
        }
    }

    /// Returns the file that the call at the token `at` opens, and whether it is read or written.
    fn opened(&self, tokens: &[CodeToken], at: usize) -> Option<(Word, Opens)> {
        let function = name(tokens.get(at))?;
        let receiver = receiver(&tokens[..at]);
        let owner = receiver.and_then(|receiver| name(receiver.first()));
        let (_, _, path_at, opens) = *self.calls.iter().find(|(names, owners, ..)| {
            let is_owned = match receiver {
                None => owners.contains('.'),
                Some(_) => {
                    owners.starts_with('*') || owner.is_some_and(|owner| lists(owners, owner))
                }
            };
            is_owned && lists(names, function)
        })?;
        let arguments = arguments(&tokens[at + 1..], self.ends)?;
        let opens = match opens {
            // `$x->open(..)` is a method of something else.
            PerlMode if mark(tokens.get(at.wrapping_sub(1))) == Some('>') => return None,
            PerlMode => return perl_open(&arguments),
            Mode(place) => match (path_at, receiver) {
                (Receiver, Some(receiver)) => opened_by_method(receiver, &arguments)?,
                _ => mode(value(&arguments, place, "mode")),
            },
            opens => opens,
        };
        let written = match path_at {
            Receiver => receiver?,
            Nth(place, name) => value(&arguments, place, name)?,
        };
        Some((path(written)?, opens))
    }
}

/// Returns the value of the argument with this name, or else of the unnamed argument at index `place`.
fn value<'a>(arguments: &[Argument<'a>], place: usize, name: &str) -> Option<&'a [CodeToken]> {
    let named = arguments.iter().find(|given| given.name == Some(name));
    let placed = || arguments.get(place).filter(|given| given.name.is_none());
    named.or_else(placed).map(|given| given.value)
}

fn mode(mode: Option<&[CodeToken]>) -> Opens {
    let writes = mode.is_some_and(|mode| {
        let is_writing = |mode: String| mode.contains(['w', 'a', 'x', '+']);
        mentions(mode, WRITING_FLAGS) || string(mode).is_some_and(is_writing)
    });
    if writes { Write } else { Read }
}

/// Returns whether Python's `receiver.open(mode)` reads or writes; `None` if the receiver is probably not a path, but an archive, image or database.
fn opened_by_method(receiver: &[CodeToken], arguments: &[Argument<'_>]) -> Option<Opens> {
    // A lone `x` is rather a name than a mode.
    let is_mode = |mode: &String| {
        !mode.is_empty() && mode != "x" && mode.chars().all(|c| "rwaxbt+U".contains(c))
    };
    let given = value(arguments, 0, "mode");
    let given = given.filter(|given| string(given).as_ref().is_some_and(is_mode));
    (given.is_some() || mentions(receiver, PATHS)).then(|| mode(given))
}

/// Returns the file that Perl's `open(F, '>', path)` or `open(F, ">path")` opens, and whether it is read or written.
fn perl_open(arguments: &[Argument<'_>]) -> Option<(Word, Opens)> {
    match arguments {
        [_, both] => {
            let word = path(both.value)?;
            let (head, _) = word.head();
            let begin =
                head.trim_start_matches(|c: char| c.is_whitespace() || "+<>|&=-".contains(c));
            let (mode, _) = head.split_at(head.len() - begin.len());
            let text = word.text().unwrap_or_default();
            let is_pipe = text.trim_end().ends_with('|');
            let opens = perl_mode(mode).filter(|_| !is_pipe)?;
            Some((word.after(mode.len()), opens))
        }
        [_, mode, file, ..] => {
            let opens = match string(mode.value) {
                Some(mode) => perl_mode(&mode)?,
                None => Read,
            };
            // A reference is a string in memory.
            let is_reference = mark(file.value.first()) == Some('\\');
            Some((path(file.value).filter(|_| !is_reference)?, opens))
        }
        _ => None,
    }
}

/// Returns whether a mode of Perl's `open` reads or writes; `None` if it opens a pipe or duplicates a descriptor.
fn perl_mode(mode: &str) -> Option<Opens> {
    let opens = if mode.contains(['>', '+']) {
        Write
    } else {
        Read
    };
    (!mode.contains(['|', '&'])).then_some(opens)
}

/// Returns the first guarded file that an `awk` program writes with `print > "file"`.
pub(crate) fn written_by_awk(program: &Word, places: &GuardPaths) -> Option<Word> {
    let tokens = tokens::tokens(program, &AWK);
    let statements =
        tokens.split(|token| matches!(token, CodeToken::Name(name) if lists("print printf", name)));
    let mut files = statements.skip(1).filter_map(print_target);
    files.find(|file| places.guards(file))
}

/// Returns the file after the `>` of an `awk` print statement. A `>` inside brackets or before a number is a comparison and is ignored.
fn print_target(statement: &[CodeToken]) -> Option<Word> {
    let mut depth = 0_usize;
    for (at, token) in statement.iter().enumerate() {
        match token {
            CodeToken::Mark('(' | '[') => depth += 1,
            CodeToken::Mark(')' | ']') => depth = depth.saturating_sub(1),
            CodeToken::Mark(';' | '}' | '|') | CodeToken::Break if depth == 0 => return None,
            CodeToken::Mark('>') if depth == 0 => {
                let file = &statement[at + 1..];
                let file = match file {
                    [CodeToken::Mark('>'), file @ ..] => file,
                    file => file,
                };
                let end = file.iter().position(|token| {
                    matches!(token, CodeToken::Mark(';' | '}') | CodeToken::Break)
                });
                return match file.first()? {
                    CodeToken::Number => None,
                    CodeToken::Text(_) => path(&file[..end.unwrap_or(file.len())]),
                    _ => Some(computed()),
                };
            }
            _ => {}
        }
    }
    None
}
