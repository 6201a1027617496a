//! Finds the files that inline programs such as `python -c ".."` open for reading or writing.
//!
//! A table lists, for each language, the options whose value is a program, the function calls that open a file and those that run a command.
//! Only calls that are common in one-line programs are known; a program can still hide which files it opens.

mod aliases;
mod awk;
mod runs;
mod tokens;

use Opens::{InPlace, Mode, Move, PerlMode, Read, Write};
use PathAt::{Nth, Receiver};
use RunString::{Code, Program, Source};

use crate::guard::options::{Arguments, ValueOptions, lists};
use crate::guard::places::GuardPaths;
use crate::guard::shell::Word;
use crate::guard::tools::copies::moves_text_in;
use crate::guard::tools::nested::{NestedCommand, substituted_text};
use crate::guard::tools::{CommandCall, Effect, Input, WriteTarget, is_standard_input};
pub(crate) use awk::{opened_by_awk, run_by_awk};
use tokens::{
    Argument, CodeToken, arguments, assigned, computed, is_method, mark, mentions, name, path,
    receiver, string,
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
    runs: &'static [RunCall],
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
    /// The quotes of strings that are run as shell code.
    code: &'static str,
    /// Whether the language writes strings as `q(..)` and calls methods with `->`, as Perl does.
    is_perl: bool,
}

/// Calls that open a file: function names; allowed receivers before the dot (`.` for none, `*` for any, `*.` for any or none), by their first
/// name or all of them (`IO.File`); where the path is; whether the file is read or written.
type FileCall = (&'static str, &'static str, PathAt, Opens);

/// Calls that run a command: function names; allowed receivers as in [`FileCall`]; what a string means.
type RunCall = (&'static str, &'static str, RunString);

/// What a call that runs a command takes a single string for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunString {
    /// Shell code.
    Code,
    /// The name of a program, unless the call has an argument `shell`.
    Program,
    /// A program in the same language.
    Source,
}

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
    /// The call moves or copies the file in the argument before the path, or the receiver, to the path.
    Move,
    /// The call edits the file in place if it has an argument `inplace`, else it reads it.
    InPlace,
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
                ". io codecs os builtins __builtins__ gzip bz2 lzma tokenize aiofiles",
                Nth(0, "file"),
                Mode(1),
            ),
            ("FileIO", ". io", Nth(0, "file"), Mode(1)),
            ("open", "*", Receiver, Mode(0)),
            ("read_text read_bytes", "*", Receiver, Read),
            ("write_text write_bytes", "*", Receiver, Write),
            (
                "copy copy2 copyfile move copytree",
                "shutil",
                Nth(1, "dst"),
                Write,
            ),
            ("rename replace renames", "os .", Nth(1, "dst"), Move),
            (
                "rename replace",
                "Path pathlib PosixPath",
                Nth(0, "target"),
                Move,
            ),
            ("truncate", "os", Nth(0, "path"), Write),
            ("urlretrieve", "*.", Nth(1, "filename"), Write),
            ("getline getlines", "linecache", Nth(0, "filename"), Read),
            ("input FileInput", "*. fileinput", Nth(0, "files"), InPlace),
        ],
        runs: &[
            (
                "system popen getoutput getstatusoutput create_subprocess_shell",
                "*.",
                Code,
            ),
            ("run call check_call check_output Popen", "*.", Program),
            (
                "spawn create_subprocess_exec posix_spawn posix_spawnp",
                "*.",
                Program,
            ),
            ("exec eval", ". builtins __builtins__", Source),
            (
                "execl execlp execv execvp execvpe spawnl spawnlp spawnv spawnvp",
                "*.",
                Program,
            ),
        ],
    },
    Language {
        names: "node nodejs bun deno tsx",
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
            ("ReadStream", "*.", FIRST, Read),
            ("WriteStream", "*.", FIRST, Write),
            ("truncateSync", "*.", FIRST, Write),
            ("truncate", "fs fsp", FIRST, Write),
            ("renameSync copyFileSync cpSync", "*.", Nth(1, ""), Move),
            (
                "rename copyFile cp",
                ". fs fsp promises require",
                Nth(1, ""),
                Move,
            ),
            ("write", "Bun", FIRST, Write),
        ],
        runs: &[
            ("execSync", "*.", Code),
            // Regular expressions have a method of that name.
            ("exec", ". child_process cp require", Code),
            ("eval", ".", Source),
            ("spawnSync spawn execFileSync execFile", "*.", Program),
        ],
    },
    Language {
        names: "ruby jruby",
        options: ValueOptions(
            "-e -I -r -C -E -i? -F? -K? -T? -W? -x? --encoding --external-encoding --internal-encoding",
        ),
        program: "e",
        syntax: RUBY,
        ends: Some("do if unless or and rescue while until"),
        calls: &[
            ("read binread readlines foreach", "File IO", FIRST, Read),
            ("write binwrite", "File IO", FIRST, Write),
            ("open", ". File IO Kernel", FIRST, Mode(1)),
            ("new", "File", FIRST, Mode(1)),
            ("rename", "File", Nth(1, ""), Move),
            ("cp mv copy move copy_file", "FileUtils", Nth(1, ""), Move),
        ],
        runs: &[
            ("system exec spawn", ". Kernel Process", Code),
            ("eval instance_eval class_eval", ". Kernel", Source),
            ("popen capture2 capture2e capture3", "IO Open3", Code),
        ],
    },
    Language {
        names: "perl",
        options: ValueOptions("-e -E -I -i? -F? -M? -m? -d? -D? -V? -x?"),
        program: "e E",
        syntax: PERL,
        ends: Some("or and if unless for foreach while"),
        calls: &[
            ("open", ".", FIRST, PerlMode),
            ("open", "POSIX", FIRST, Mode(1)),
            ("new", "IO.File", FIRST, Mode(1)),
            ("sysopen", ".", Nth(1, ""), Mode(2)),
            ("truncate", ".", FIRST, Write),
            ("rename copy move cp mv", ". File.Copy", Nth(1, ""), Move),
            ("write_file append_file", ".", FIRST, Write),
            ("read_file", ".", FIRST, Read),
            (
                "spew spew_utf8 spew_raw append append_utf8",
                "path",
                Receiver,
                Write,
            ),
            ("slurp slurp_utf8 slurp_raw", "path", Receiver, Read),
        ],
        runs: &[("system exec", ".", Code), ("eval", ".", Source)],
    },
    Language {
        names: "php",
        options: ValueOptions(
            "-r -B -R -F -E -c -d -f -t -z --run --process-begin --process-code --process-end",
        ),
        program: "r run B R E",
        syntax: PHP,
        ends: None,
        calls: &[
            ("file_put_contents", ".", FIRST, Write),
            ("fopen", ".", FIRST, Mode(1)),
            (
                "file_get_contents readfile file highlight_file show_source",
                ".",
                FIRST,
                Read,
            ),
            ("rename copy", ".", Nth(1, ""), Move),
        ],
        runs: &[
            ("system exec shell_exec passthru popen proc_open", ".", Code),
            ("eval", ".", Source),
        ],
    },
    Language {
        names: "lua luajit",
        options: ValueOptions("-e -l"),
        program: "e",
        syntax: syntax("'\"", false, "--", "", ("", ' ')),
        ends: None,
        calls: &[
            ("open", "io", FIRST, Mode(1)),
            ("lines input", "io", FIRST, Read),
            ("output", "io", FIRST, Write),
            ("rename", "os", Nth(1, ""), Move),
        ],
        runs: &[("execute", "os", Code), ("popen", "io", Code)],
    },
];

const PERL: Syntax = Syntax {
    code: "`",
    is_perl: true,
    ..syntax("'\"`", false, "#", "\"`", ("$", ' '))
};

const RUBY: Syntax = Syntax {
    code: "`",
    ..syntax("'\"`", false, "#", "\"`", ("#{", '}'))
};

const PHP: Syntax = Syntax {
    code: "`",
    ..syntax("'\"`", false, "//", "\"`", ("$", ' '))
};

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
        code: "",
        is_perl: false,
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
        let arguments = self.arguments(call);
        let programs = self.programs(call, &arguments);
        let mut effect = self.loop_effect(call, &arguments, &programs, places);
        for program in &programs {
            self.look_into(program, &arguments.operands, places, &mut effect);
        }
        effect
    }

    /// Returns the commands that the inline programs of an interpreter call run.
    pub(crate) fn commands(&self, call: &CommandCall) -> Vec<NestedCommand> {
        let programs = self.programs(call, &self.arguments(call));
        let commands = programs.iter().flat_map(|program| self.run_by(program));
        commands.take(MOST_CALLS).collect()
    }

    /// Splits an inline program into tokens, in which functions have the names that the tables know.
    fn tokens(&self, program: &Word) -> Vec<CodeToken> {
        let knows = |name: &str| {
            let mut calls = self.calls.iter().map(|call| (call.0, call.1));
            let mut runs = self.runs.iter().map(|run| (run.0, run.1));
            let is_listed = |row: (&str, &str)| lists(row.0, name) || lists(row.1, name);
            calls.any(is_listed) || runs.any(is_listed)
        };
        aliases::resolved(tokens::tokens(program, &self.syntax), &knows)
    }

    /// Returns the arguments of the interpreter. What follows the first operand belongs to the program.
    fn arguments(&self, call: &CommandCall) -> Arguments {
        let mut args = call.args.clone();
        if lists(self.names, "node") {
            // Node takes `-pe` for `-p -e`, though both letters want a value.
            let both = args.iter_mut().filter(|word| word.is("-pe"));
            both.for_each(|word| *word = Word::known("-e"));
            // Deno has a subcommand for it.
            if args.first().is_some_and(|word| word.is("eval")) {
                args[0] = Word::known("-e");
            }
        }
        self.options.read_leading(&args)
    }

    /// Returns the inline programs of an interpreter call: the values of options such as `-c`, or else its standard input.
    fn programs(&self, call: &CommandCall, arguments: &Arguments) -> Vec<Word> {
        let is_python = lists(self.names, "python");
        // What follows `-c` in Python belongs to the program.
        let most = if is_python { 1 } else { usize::MAX };
        let given = arguments.values(self.program).take(most);
        let programs: Vec<Word> = given.cloned().collect();
        if !programs.is_empty() || (is_python && arguments.has("m")) {
            return programs;
        }
        let file = arguments.operands.first();
        let substituted = file.and_then(substituted_text);
        let input = match &call.input {
            _ if !file.is_none_or(is_standard_input) => None,
            Input::Here(here) => Some(here.word()),
            Input::Pipe(text) => text.clone(),
            Input::File(file) => substituted_text(file),
            Input::Elsewhere => None,
        };
        substituted.or(input).into_iter().collect()
    }

    /// Returns what Perl and Ruby do to their operands: with `-n` or `-p` the files are read line by line, with `-i` they are edited in place.
    fn loop_effect(
        &self,
        call: &CommandCall,
        arguments: &Arguments,
        programs: &[Word],
        places: &GuardPaths,
    ) -> Effect {
        let skipped = usize::from(!arguments.has(self.program));
        let files = arguments.operands.get(skipped..).unwrap_or_default();
        let has =
            |text: &str| self.syntax.is_perl && programs.iter().any(|p| p.source().contains(text));
        // The program may set the list of files itself.
        let unknown = [computed()];
        let files = if has("@ARGV=(") || has("@ARGV = (") {
            &unknown
        } else {
            files
        };
        let loops = has("<>") || has("<<>>") || has("<ARGV>");
        if self.ends.is_none() {
            Effect::default()
        } else if arguments.has("i") || (loops && has("$^I")) {
            Effect::writing(files, places)
        } else if arguments.has("n p") || (loops && !files.is_empty()) {
            Effect::printing(call, files, places)
        } else {
            Effect::default()
        }
    }

    /// Adds the first guarded file that an inline program reads, and the first that it writes, to `effect`.
    /// `files` are the arguments of the program.
    fn look_into(&self, program: &Word, files: &[Word], places: &GuardPaths, effect: &mut Effect) {
        let tokens = self.tokens(program);
        let is_known = |at: &usize| {
            let name = name(tokens.get(*at));
            name.is_some_and(|name| self.calls.iter().any(|call| lists(call.0, name)))
        };
        for at in (0..tokens.len()).filter(is_known).take(MOST_CALLS) {
            let Some((path, opens)) = self.opened(&tokens, at, files, places) else {
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
    fn opened(
        &self,
        tokens: &[CodeToken],
        at: usize,
        files: &[Word],
        places: &GuardPaths,
    ) -> Option<(Word, Opens)> {
        let function = name(tokens.get(at))?;
        let receiver = receiver(&tokens[..at]);
        let (_, _, path_at, opens) = *self
            .calls
            .iter()
            .find(|(names, owners, ..)| is_owned(owners, receiver) && lists(names, function))?;
        let arguments = arguments(&tokens[at + 1..], self.ends)?;
        let is_edited = opens == InPlace;
        let opens = match opens {
            // `$x->open(..)` is a method of something else.
            PerlMode if is_method(tokens, at) => return None,
            PerlMode => return perl_open(&arguments),
            Mode(place) => match (path_at, receiver) {
                (Receiver, Some(receiver)) => opened_by_method(receiver, &arguments)?,
                _ => mode(value(&arguments, place, "mode")),
            },
            InPlace if arguments.iter().any(|given| given.name == Some("inplace")) => Write,
            // The built-in `input` has the same name.
            InPlace if receiver.is_none_or(|owner| name(owner.first()) != Some("fileinput")) => {
                return None;
            }
            InPlace => Read,
            opens => opens,
        };
        let written = match path_at {
            Receiver => receiver?,
            Nth(place, name) => match value(&arguments, place, name) {
                // The files are the arguments of the program.
                None if is_edited && opens == Write => return Some((computed(), Write)),
                None if is_edited => {
                    let file = files.iter().find(|file| places.guards(file))?;
                    return Some((file.clone(), Read));
                }
                written => written?,
            },
        };
        if opens != Move {
            return Some((path(written)?, opens));
        }
        let from = match path_at {
            Nth(0, _) => receiver?,
            _ => value(&arguments, 0, "src")?,
        };
        let from = behind(from, &tokens[..at]);
        // What has no path is a temporary file or the standard input.
        let to = path(written)?;
        let moves = path(from).is_none_or(|from| moves_text_in(&from, &to, places));
        moves.then_some((to, Write))
    }
}

/// Returns whether a call with this receiver is one of those that a table means by `owners`.
fn is_owned(owners: &str, receiver: Option<&[CodeToken]>) -> bool {
    let mut owners = owners.split_ascii_whitespace();
    let Some(receiver) = receiver else {
        return owners.any(|owner| owner == "." || owner == "*.");
    };
    let first = name(receiver.first()).unwrap_or_default();
    let names = receiver.iter().filter_map(|token| name(Some(token)));
    let dotted = names.collect::<Vec<_>>().join(".");
    owners.any(|owner| owner.starts_with('*') || owner == first || owner == dotted)
}

/// Returns the value of the argument with this name, or else of the unnamed argument at index `place`.
fn value<'a>(arguments: &[Argument<'a>], place: usize, name: &str) -> Option<&'a [CodeToken]> {
    let named = arguments.iter().find(|given| given.name == Some(name));
    let placed = || arguments.get(place).filter(|given| given.name.is_none());
    named.or_else(placed).map(|given| given.value)
}

/// Returns the value that a variable has before a call, if the expression is one.
fn behind<'a>(expression: &'a [CodeToken], before: &'a [CodeToken]) -> &'a [CodeToken] {
    match expression {
        [CodeToken::Name(variable)] => assigned(before, variable).unwrap_or(expression),
        expression => expression,
    }
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
