//! Commands that run another command on the files they find or are given: `xargs`, `find -exec`, `fd -x`.
//!
//! A found file may be any file of the workspace, unless the searched folder or pattern excludes that: `find /tmp -exec cat {} +` shows no
//! file of the workspace, and `find . -name '*.log' | xargs tail` shows only logs, which are not guarded.

use super::{CommandCall, Effect, Input};
use crate::guard::options::{Arguments, ValueOptions, lists};
use crate::guard::places::GuardPaths;
use crate::guard::shell::{Hole, Word, WordPiece};

const XARGS: ValueOptions = ValueOptions(
    "-n -P -L -d -s -E -a -I -R -i? -l? -e? --max-args --max-procs --max-lines --delimiter --max-chars --arg-file \
     --process-slot-var",
);
const FD: ValueOptions = ValueOptions(
    "-e -t -d -E -c -j -S -o --extension --type --max-depth --min-depth --exact-depth --exclude --color --threads --size \
     --owner --changed-within --changed-before --max-results --base-directory --search-path --path-separator --ignore-file \
     --format --and",
);

/// The options of `find` that run a command on each file found.
const FIND_ACTIONS: &str = "-exec -execdir -ok -okdir";
const FD_ACTIONS: &str = "-x -X --exec --exec-batch";

/// Placeholders for the found path in a command that `fd` runs.
const FD_MARKS: &[&str] = &["{//}", "{/.}", "{/}", "{.}", "{}"];

/// Commands that select or sort the file names piped into them without changing them.
const NAME_FILTERS: &str = "grep egrep rg sort uniq head tail tac shuf";

/// The maximum number of file names that are checked one by one for a command such as `xargs cat`.
const MOST: usize = 16;

/// Returns the commands, as words, that `xargs`, `find` or `fd` runs on files; `None` for any other command. `feeding` holds the commands
/// before it in the pipeline.
pub(crate) fn commands(call: &CommandCall, feeding: &[CommandCall]) -> Option<Vec<Vec<Word>>> {
    match call.name.as_str() {
        "xargs" | "gxargs" => Some(xargs(call, feeding)),
        "find" | "gfind" => {
            let found = found_by_find(call, &call.args);
            let each = |run| replaced(run, &["{}"], &found);
            Some(actions(&call.args, FIND_ACTIONS).flat_map(each).collect())
        }
        "fd" | "fdfind" => {
            let mut parts = call.args.split(|word| word.is_one_of(FD_ACTIONS));
            let found = found_by_fd(call, parts.next().unwrap_or_default());
            let has_mark = |word: &Word| FD_MARKS.iter().any(|mark| word.source().contains(mark));
            let each = |run: &[Word]| {
                if run.iter().any(has_mark) {
                    replaced(run, FD_MARKS, &found)
                } else {
                    appended(run, &found)
                }
            };
            Some(actions(&call.args, FD_ACTIONS).flat_map(each).collect())
        }
        _ => None,
    }
}

fn xargs(call: &CommandCall, feeding: &[CommandCall]) -> Vec<Vec<Word>> {
    const REPLACE: &str = "I i replace";
    let arguments = XARGS.read_leading(&call.args);
    let run = &arguments.operands;
    let mut found = match &call.input {
        Input::Pipe(_) => printed(feeding),
        Input::Here(here) if arguments.has(REPLACE) => lines(&here.word()),
        _ => Vec::new(),
    };
    if found.is_empty() || found.len() > MOST {
        let lister = lister(feeding).or(feeding.first());
        let lister = lister.map_or("xargs", |call| &call.name);
        found = vec![Word::hole(Hole::Listed(lister.to_owned()), "{}")];
    }
    if run.is_empty() {
        // Without a command it prints the names.
        return Vec::new();
    }
    if !arguments.has(REPLACE) {
        return appended(run, &found);
    }
    let mark = arguments.values(REPLACE).last().and_then(Word::text);
    replaced(run, &[mark.as_deref().unwrap_or("{}")], &found)
}

/// Returns the lines of a text that is known.
fn lines(text: &Word) -> Vec<Word> {
    let text = text.text().unwrap_or_default();
    text.lines().take(MOST + 1).map(Word::known).collect()
}

/// Returns the effect of `xargs` itself: without a command, or with `echo` or `printf`, it prints the file that it reads.
pub(super) fn xargs_effect(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    let arguments = XARGS.read_leading(&call.args);
    let prints = |word: &Word| word.is_one_of("echo printf");
    if !arguments.operands.first().is_none_or(prints) {
        return Effect::default();
    }
    let files: Vec<Word> = arguments.values("a arg-file").cloned().collect();
    Effect {
        shows: call.guarded_input(&files, places),
        ..Effect::default()
    }
}

/// Returns the command after each of the options `names` (such as `-exec`), up to its terminator `;` or `+`.
fn actions<'a>(args: &'a [Word], names: &'a str) -> impl Iterator<Item = &'a [Word]> {
    let mut rest = args;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|word| word.is_one_of(names))?;
        let words = rest.get(start + 1..)?;
        let end = words.iter().position(|word| word.is(";") || word.is("+"));
        let (run, after) = words.split_at(end.unwrap_or(words.len()));
        rest = after;
        Some(run)
    })
}

/// Returns the command of a pipeline whose output names the files for the next command, such as `find` before `xargs`.
fn lister(feeding: &[CommandCall]) -> Option<&CommandCall> {
    let mut calls = feeding.iter().rev();
    calls.find(|call| !lists(NAME_FILTERS, &call.name))
}

/// Returns the file names that a pipeline prints; empty if they are not known.
fn printed(feeding: &[CommandCall]) -> Vec<Word> {
    let Some(call) = lister(feeding) else {
        return Vec::new();
    };
    match call.name.as_str() {
        "find" | "gfind" => found_by_find(call, &call.args),
        "fd" | "fdfind" => found_by_fd(call, &call.args),
        "ls" | "echo" => ValueOptions("").read(&call.args).operands,
        "printf" => call.args.iter().skip(1).cloned().collect(),
        _ => Vec::new(),
    }
}

/// Returns the paths that `find` may find: one for each combination of starting folder and `-name` pattern.
fn found_by_find(call: &CommandCall, args: &[Word]) -> Vec<Word> {
    let is_test = |word: &Word| {
        let (head, _) = word.head();
        head.starts_with('-') || ["(", ")", "!", ","].contains(&head.as_str())
    };
    let flags = args.iter().take_while(|word| word.is_one_of("-H -L -P"));
    let args = args.get(flags.count()..).unwrap_or_default();
    let starts = args.iter().take_while(|word| !is_test(word)).count();
    let (starts, tests) = args.split_at(starts);
    below(&call.name, starts, &asked_for(tests))
}

/// Returns the patterns after `-name` and `-iname` if every file that `find` finds must match one of them, else nothing.
fn asked_for(tests: &[Word]) -> Vec<Word> {
    const NAMES: &str = "-name -iname";
    let count = |names: &str| tests.iter().filter(|word| word.is_one_of(names)).count();
    if count(NAMES) != count("-o -or") + 1 || count("! -not -prune") > 0 {
        return Vec::new();
    }
    let named = tests.windows(2).filter(|pair| pair[0].is_one_of(NAMES));
    named.map(|pair| pair[1].clone()).collect()
}

/// Returns the paths that `fd` may find. The first operand of `fd` is a pattern, the others are the folders to search.
fn found_by_fd(call: &CommandCall, args: &[Word]) -> Vec<Word> {
    let arguments = FD.read(args);
    let extensions = arguments.values("e extension").map(|extension| {
        let mut name = Word::known("*.");
        name.append(extension);
        name
    });
    let given = arguments.values("search-path base-directory");
    let starts = arguments.operands.iter().skip(1).chain(given).cloned();
    let starts: Vec<Word> = starts.collect();
    below(&call.name, &starts, &extensions.collect::<Vec<_>>())
}

/// Returns a path `start/{}name` for every combination of start and name, where `{}` is unknown; at most `MOST` paths.
fn below(lister: &str, starts: &[Word], names: &[Word]) -> Vec<Word> {
    let (here, any) = ([Word::known(".")], [Word::default()]);
    let starts = if starts.is_empty() { &here } else { starts };
    let names = if names.is_empty() { &any } else { names };
    let mut paths = Vec::new();
    for start in starts {
        for name in names {
            let mut path = start.clone();
            path.push_text("/");
            path.push_hole(Hole::Listed(lister.to_owned()), "{}");
            path.append(name);
            paths.push(path);
        }
    }
    paths.truncate(MOST);
    paths
}

/// Returns the command `run` once for every found path, with the path as its last argument.
fn appended(run: &[Word], found: &[Word]) -> Vec<Vec<Word>> {
    let with = |name: &Word| run.iter().chain([name]).cloned().collect();
    found.iter().map(with).collect()
}

/// Returns the command `run` once for every found path, with the path in place of each placeholder of `marks`.
fn replaced(run: &[Word], marks: &[&str], found: &[Word]) -> Vec<Vec<Word>> {
    let with = |name: &Word| {
        let words = run.iter().map(|word| with_name(word, marks, name));
        words.collect()
    };
    found.iter().map(with).collect()
}

fn with_name(word: &Word, marks: &[&str], name: &Word) -> Word {
    let mut out = Word::default();
    for piece in word.pieces() {
        let WordPiece::Text(text) = piece else {
            out.push(piece.clone());
            continue;
        };
        let mut rest = text.as_str();
        while let Some((before, after)) = marks
            .iter()
            .filter(|mark| !mark.is_empty())
            .filter_map(|mark| rest.split_once(*mark))
            .min_by_key(|(before, _)| before.len())
        {
            out.push_text(before);
            out.append(name);
            rest = after;
        }
        out.push_text(rest);
    }
    out
}
