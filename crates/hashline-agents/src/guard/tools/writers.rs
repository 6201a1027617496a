//! Commands that write files: editors, download tools, `patch`, and tools such as `split` and `shuf -o`.

use super::readers::without_commands;
use super::{CommandCall, Effect, Piped, nested};
use crate::guard::options::{Arguments, lists};
use crate::guard::places::{GuardPaths, PathKind};
use crate::guard::shell::{Hole, Word};

/// Returns the effect of an editor such as `vim`, which writes the files among its operands.
pub(super) fn editor(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(&without_commands(arguments), places)
}

/// Returns the effect of `tee`, which writes its files and prints its input, and of `sponge`, which only writes.
pub(super) fn tee(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let mut files = arguments.operands.iter();
    let shows_it = files.any(|file| places.of(file) == PathKind::Terminal);
    let effect = Effect::writing(&arguments.operands, places);
    if call.name != "tee" {
        return effect;
    }
    Effect {
        shows: call.guarded_input(&[], places),
        piped: if shows_it {
            Piped::Shown
        } else {
            Piped::Passed
        },
        ..effect
    }
}

pub(super) fn yq(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    if !arguments.has("i inplace in-place") {
        return Effect::default();
    }
    // These commands take an expression and files, as it does without a command.
    let first = arguments.operands.first();
    let command = usize::from(first.is_some_and(|word| word.is_one_of("eval e eval-all ea")));
    let expression = usize::from(!arguments.has("from-file expression"));
    Effect::writing(arguments.operands.iter().skip(command + expression), places)
}

/// Returns the effect of `sd FIND REPLACE FILES`, which edits the files in place; without files it writes nothing.
pub(super) fn sd(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    if arguments.has("p preview") {
        return Effect::default();
    }
    Effect::writing(arguments.operands.iter().skip(2), places)
}

/// Returns the effect of `shuf`, which writes the file after `-o` and prints its file; with `-e` and `-i` it prints its arguments.
pub(super) fn shuf(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let written = Effect::writing(arguments.values("o output"), places);
    if arguments.has("o output e echo i input-range") {
        return written;
    }
    Effect::printing(call, &arguments.operands, places)
}

/// Returns the effect of a command such as `iconv`, which writes the file after its output option or else prints its files.
pub(super) fn converter(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    const OUTPUTS: &str = "o output output-file";
    if arguments.has(OUTPUTS) {
        return Effect::writing(arguments.values(OUTPUTS), places);
    }
    Effect::printing(call, &arguments.operands, places)
}

/// Returns the effect of `uniq [INPUT [OUTPUT]]`. It is a search tool, so what it prints is allowed.
pub(super) fn uniq(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(arguments.operands.get(1), places)
}

/// Returns the effect of `xxd [INPUT [OUTPUT]]`, which writes its second file or else prints the first.
pub(super) fn xxd(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    match arguments.operands.get(1) {
        Some(output) => Effect::writing([output], places),
        None => Effect::printing(call, &arguments.operands, places),
    }
}

/// Returns the effect of `split [INPUT [PREFIX]]` and `csplit -f PREFIX`, which write files whose names begin with a prefix.
pub(super) fn split(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    if arguments.has("filter") {
        // The filter is judged by itself. Without a reader in it nothing is printed.
        let filter = arguments.values("filter").last().and_then(Word::text);
        let prints = filter.is_some_and(|filter| filter.trim() == "cat");
        let files = arguments.operands.get(..1).unwrap_or_default();
        return if prints {
            Effect::printing(call, files, places)
        } else {
            Effect::default()
        };
    }
    // `-n K/N` prints one of the parts.
    let number = arguments.values("n number").last().and_then(Word::text);
    let is_printed =
        number.is_some_and(|number| number.trim_start_matches(['l', 'r', '/']).contains('/'));
    if is_printed && !call.name.ends_with("csplit") {
        return Effect::printing(
            call,
            arguments.operands.get(..1).unwrap_or_default(),
            places,
        );
    }
    let prefix = if call.name.ends_with("csplit") {
        arguments.values("f prefix").last()
    } else {
        arguments.operands.get(1)
    };
    let mut file = prefix.cloned().unwrap_or_else(|| Word::known("x"));
    file.push_hole(Hole::Other, "*");
    Effect::writing([&file], places)
}

/// Returns the effect of commands such as `sort -o F` and `gpg -o F`, which print no more than a search tool does.
pub(super) fn outputs(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(arguments.values("o output output-file"), places)
}

/// Returns the effect of `shred`, which overwrites its files. With `-u` it deletes them, which is allowed.
pub(super) fn shred(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    if arguments.has("u remove") {
        return Effect::default();
    }
    Effect::writing(&arguments.operands, places)
}

/// Returns the effect of `openssl`, which writes the file after `-out`. `enc` and `base64` print the file after `-in`.
pub(super) fn openssl(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    if arguments.has("-out") {
        return Effect::writing(arguments.values("-out"), places);
    }
    let is_copy = |word: &Word| word.is_one_of("enc base64");
    if !arguments.operands.first().is_some_and(is_copy) {
        return Effect::default();
    }
    let files: Vec<Word> = arguments.values("-in").cloned().collect();
    Effect::printing(call, &files, places)
}

/// Returns the effect of `find`, which writes its list to the file after `-fprint`. The command after `-exec` is judged by itself.
pub(super) fn find(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    let is_output = |word: &Word| word.is_one_of("-fprint -fprint0 -fprintf -fls");
    let pairs = call.args.windows(2).filter(|pair| is_output(&pair[0]));
    Effect::writing(pairs.map(|pair| &pair[1]), places)
}

pub(super) fn truncate(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(&arguments.operands, places)
}

/// Options of `curl` besides `-o` whose value is a file that it writes.
const CURL_LOGS: &str =
    "D dump-header c cookie-jar trace trace-ascii stderr etag-save hsts alt-svc libcurl";

pub(super) fn curl(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let folder = arguments.values("output-dir").last();
    let within = |file: &Word| match folder {
        Some(folder) if !file.is("-") => {
            let mut path = folder.clone();
            path.push_text("/");
            path.append(file);
            path
        }
        _ => file.clone(),
    };
    let mut files: Vec<Word> = arguments.values("o output").map(within).collect();
    files.extend(arguments.values(CURL_LOGS).cloned());
    files.extend(configured(call, arguments));
    let effect = Effect::writing(&files, places);
    let mut outputs = arguments.values("o output");
    let is_kept = arguments.has("O remote-name") || outputs.any(|file| !is_shown(file, places));
    if is_kept {
        return effect;
    }
    // It prints files of this machine as it does those of others.
    let mut printed = arguments.operands.iter().chain(arguments.values("url"));
    let printed = printed.find_map(|word| {
        let path = local_file(word)?;
        places.guards(&path).then_some(path)
    });
    Effect {
        shows: printed,
        ..effect
    }
}

fn is_shown(file: &Word, places: &GuardPaths) -> bool {
    matches!(places.of(file), PathKind::None | PathKind::Terminal)
}

/// Returns the files that a configuration of `curl` in the command line makes it write: `curl -K - <<< output=F`.
fn configured(call: &CommandCall, arguments: &Arguments) -> Vec<Word> {
    let texts = arguments.values("K config");
    let texts = texts.filter_map(|file| nested::text_of_file(call, file)?.text());
    let texts: Vec<String> = texts.collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    let files = lines.filter_map(|line| {
        let (option, file) = line.trim().split_once(['=', ':', ' '])?;
        let option = option.trim().trim_start_matches('-');
        let is_output = lists("o output", option) || lists(CURL_LOGS, option);
        let file = file.trim_start_matches(['=', ' ']).trim_matches('"');
        is_output.then(|| Word::known(file))
    });
    files.collect()
}

/// Returns the path of a `file:` address: `file:/F`, `file:///F`, `file://localhost/F`.
fn local_file(address: &Word) -> Option<Word> {
    let path = address.strip_prefix("file:")?;
    match path.strip_prefix("//") {
        Some(rest) => {
            let host = rest.head().0.find('/').unwrap_or(0);
            Some(rest.after(host))
        }
        None => Some(path),
    }
}

pub(super) fn wget(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(arguments.values("O output-document"), places)
}

/// Returns the effect of `patch [FILE [DIFF]]`, which writes `FILE` or else the files that the diff names.
pub(super) fn patch(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    let mut folders = arguments.values("d directory");
    let is_elsewhere = folders.any(|folder| places.of(folder) == PathKind::Outside);
    if is_elsewhere || arguments.has("dry-run check C") {
        return Effect::default();
    }
    if arguments.has("o output") {
        return Effect::writing(arguments.values("o output"), places);
    }
    match arguments.operands.first() {
        Some(file) => Effect::writing([file], places),
        None => Effect::writing_unnamed(),
    }
}
