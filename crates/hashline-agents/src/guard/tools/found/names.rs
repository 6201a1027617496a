//! Which files may be found.
//!
//! A found file may be any file of the workspace, unless what is searched says otherwise: `find /tmp -exec cat {} +` shows nothing of the
//! workspace, and neither does `find . -name '*.log' | xargs tail`.

use crate::guard::options::{PLAIN, Spec};
use crate::guard::shell::{Hole, Word};
use crate::guard::tools::Call;

/// More names than this are not tried one by one.
const MOST: usize = 16;

const FD: Spec = Spec {
    valued: "etdEcjSo",
    attached: "",
    long: &[
        "extension",
        "type",
        "max-depth",
        "min-depth",
        "exact-depth",
        "exclude",
        "color",
        "threads",
        "size",
        "owner",
        "changed-within",
        "changed-before",
        "max-results",
        "base-directory",
        "search-path",
        "path-separator",
        "ignore-file",
        "format",
        "and",
    ],
};

/// Stages of a pipeline that choose among names without changing them.
const CHOOSERS: &[&str] = &[
    "grep", "egrep", "rg", "sort", "uniq", "head", "tail", "tac", "shuf",
];

/// Returns the names that a pipeline prints.
pub(super) fn fed(feeding: &[Call]) -> Vec<Word> {
    let mut stages = feeding.iter().rev();
    let names = match stages.find(|call| !CHOOSERS.contains(&call.name.as_str())) {
        Some(call) => printed(call),
        None => Vec::new(),
    };
    if names.is_empty() || names.len() > MOST {
        return vec![Word::found()];
    }
    names
}

fn printed(call: &Call) -> Vec<Word> {
    match call.name.as_str() {
        "find" | "gfind" => found_by_find(&call.args),
        "fd" | "fdfind" => found_by_fd(&call.args),
        "ls" | "echo" => PLAIN.read(&call.args).operands,
        "printf" => call.args.iter().skip(1).cloned().collect(),
        _ => Vec::new(),
    }
}

/// Returns what `find` may come upon: below each starting point, with each name that is asked for.
pub(super) fn found_by_find(args: &[Word]) -> Vec<Word> {
    let is_flag = |word: &Word| ["-H", "-L", "-P"].iter().any(|flag| word.is(flag));
    let is_test = |word: &Word| {
        let (head, _) = word.head();
        head.starts_with('-') || ["(", ")", "!", ","].contains(&head.as_str())
    };
    let flags = args.iter().take_while(|word| is_flag(word)).count();
    let args = args.get(flags..).unwrap_or_default();
    let starts = args.iter().take_while(|word| !is_test(word)).count();
    let (starts, tests) = args.split_at(starts);
    below(starts, &asked_for(tests))
}

/// Returns the patterns after `-name`, if every found file must match one of them.
fn asked_for(tests: &[Word]) -> Vec<Word> {
    let count = |names: &[&str]| {
        let is_one = |word: &&Word| names.iter().any(|name| word.is(name));
        tests.iter().filter(is_one).count()
    };
    let (named, alternatives) = (count(&["-name", "-iname"]), count(&["-o", "-or"]));
    if named != alternatives + 1 || count(&["!", "-not", "-prune"]) > 0 {
        return Vec::new();
    }
    let named = tests.windows(2).filter_map(|pair| match pair {
        [test, name] if test.is("-name") || test.is("-iname") => Some(name.clone()),
        _ => None,
    });
    named.collect()
}

/// Returns what `fd` may come upon. Its first operand is a pattern, the others are where it searches.
pub(super) fn found_by_fd(args: &[Word]) -> Vec<Word> {
    let arguments = FD.read(args);
    let extensions = arguments.values(&["e", "extension"]).map(|extension| {
        let mut name = Word::known("*.");
        name.append(extension);
        name
    });
    let given = arguments.values(&["search-path", "base-directory"]);
    let starts = arguments.operands.iter().skip(1).chain(given);
    below(
        &starts.cloned().collect::<Vec<_>>(),
        &extensions.collect::<Vec<_>>(),
    )
}

/// Returns a path for every start and every name, with something unknown between them.
fn below(starts: &[Word], names: &[Word]) -> Vec<Word> {
    let (here, any) = ([Word::known(".")], [Word::default()]);
    let starts = if starts.is_empty() { &here } else { starts };
    let names = if names.is_empty() { &any } else { names };
    let mut paths = Vec::new();
    for start in starts {
        for name in names {
            let mut path = start.clone();
            path.push_text("/");
            path.push_hole(Hole::Found, "{}");
            path.append(name);
            paths.push(path);
        }
    }
    paths.truncate(MOST);
    paths
}
