//! The smallest program that edits files, which the fault suite runs, kills and lets fail.
//!
//! `driver ROOT apply` takes a request on standard input, and with `json` after it answers in one line from which a client can try
//! again; `driver ROOT read PATH [FIRST COUNT]` prints a file or some lines; `driver ROOT recover [HOW]` settles what a dead process
//! left; `driver ROOT loop N` does each line of standard input N times and counts the answers; `driver ROOT search TEXT CONTEXT THREADS`
//! prints the lines that have a text. Exit codes: 0 done, 1 stale, 2 anything else.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hashline_core::dialect::Dialect;
use hashline_core::policy::Mode;
use hashline_core::scheme::Scheme;
use hashline_core::text::LineSpan;
use hashline_core::{Policy, render};
use hashline_session::words::{disk_notice, disk_refusal, found_text, read_refusal};
use hashline_wire::answer::{self, AnswerOptions, Outcome};
use hashline_wire::render::human;
use hashline_wire::{ParseOptions, Refusal, parse};
use hashline_workspace::error::{DiskError, DiskFault};
use hashline_workspace::ledger::{DiskLedger, Ledger, LedgerLimits, NoLedger, ShownBy, ShownLines};
use hashline_workspace::search::{Audience, Most, Pattern, Query};
use hashline_workspace::{
    ApplyError, ApplyOptions, ConflictChoice, Durability, InPlace, Settings, Workspace,
};

fn main() -> ExitCode {
    // What panics has written nothing that recovery cannot take back, and says so in one line.
    std::panic::set_hook(Box::new(|_| {}));
    let mut args = std::env::args_os().skip(1);
    let Some(root) = args.next() else {
        return say(2, "usage: driver ROOT apply|read PATH|recover [HOW]|loop N");
    };
    let words: Result<Vec<String>, _> = args.map(std::ffi::OsString::into_string).collect();
    let Ok(words) = words else {
        return say(2, "bad_request: an argument is no text");
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let root = Path::new(&root);
    let (exit, text) = match words.as_slice() {
        ["apply", "json"] => guarded(|| apply_in_json(root)),
        ["loop", times] => guarded(|| (0, many(root, times.parse().unwrap_or(1)))),
        words => answer(|| run(root, words, read_request)),
    };
    say(exit, &text)
}

fn read_request() -> Result<Vec<u8>, Refusal> {
    let mut request = Vec::new();
    let read = std::io::stdin().read_to_end(&mut request);
    read.map(|_| request)
        .map_err(|error| unreadable_input(&error))
}

/// Does something and returns the exit code and what is said about it.
fn answer(work: impl FnOnce() -> Result<String, Refusal>) -> (u8, String) {
    guarded(|| match work() {
        Ok(text) => (0, text),
        Err(refusal) => {
            let (code, text) = (refusal.code(), human::refusal(&refusal));
            (exit_of(&refusal), format!("{code}: {text}"))
        }
    })
}

/// Does something that may panic; that is answered too.
fn guarded(work: impl FnOnce() -> (u8, String)) -> (u8, String) {
    let done = std::panic::catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| (2, "internal: something went wrong".to_owned()))
}

fn exit_of(refusal: &Refusal) -> u8 {
    refusal.code().exit_code()
}

/// Does each line of standard input, so many times over: `read PATH`, or a request. Returns each different answer with its count.
fn many(root: &Path, times: usize) -> String {
    let lines: Vec<String> = std::io::stdin().lines().map_while(Result::ok).collect();
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    for turn in 0..times {
        for line in &lines {
            let line = line.replace("{turn}", &turn.to_string());
            let (_, text) = answer(|| match line.strip_prefix("read ") {
                Some(path) => run(root, &["read", path], || Ok(Vec::new())),
                None => run(root, &["apply"], || Ok(line.clone().into_bytes())),
            });
            let text = text.replace('\n', " ");
            *answers.entry(text).or_default() += 1;
        }
    }
    let counted = answers
        .iter()
        .map(|(text, count)| format!("{count} {text}"));
    counted.collect::<Vec<_>>().join("\n")
}

fn run(
    root: &Path,
    words: &[&str],
    request: impl FnOnce() -> Result<Vec<u8>, Refusal>,
) -> Result<String, Refusal> {
    let workspace = open(root, words)?;
    match words {
        ["read", path] => read(&workspace, path),
        ["read", path, first, count] => read_part(&workspace, path, first, count),
        ["recover", "trust"] => Ok(format!("{:?}", workspace.trust().map_err(unreadable)?)),
        ["recover", how @ ..] => {
            let settle = match how {
                ["keep-current"] => Some(ConflictChoice::KeepCurrent),
                ["restore-old"] => Some(ConflictChoice::RestoreOld),
                ["finish-new"] => Some(ConflictChoice::FinishNew),
                _ => None,
            };
            Ok(format!(
                "{:?}",
                workspace.recover(settle).map_err(unreadable)?
            ))
        }
        ["search", text, context, threads] => search(&workspace, text, context, threads),
        _ => apply(&workspace, &request()?),
    }
}

fn open(root: &Path, words: &[&str]) -> Result<Workspace, Refusal> {
    let settings = Settings {
        durability: match std::env::var("HASHLINE_DURABILITY").as_deref() {
            Ok("fast") => Durability::Fast,
            _ => Durability::Full,
        },
        in_place: match words {
            ["apply", "in-place"] => InPlace::Always,
            ["apply", "in-place-when-needed"] => InPlace::WhenNeeded,
            _ => InPlace::Never,
        },
        ..Settings::default()
    };
    Workspace::open(&[root.to_path_buf()], settings).map_err(unreadable)
}

fn read(workspace: &Workspace, path: &str) -> Result<String, Refusal> {
    let read = workspace.read(path).map_err(unreadable)?;
    let document = &read.document;
    let (all, mut lines, mut tags) = (document.all(), Vec::new(), Vec::new());
    render::render_with_tags(document.slice(all), Scheme::Omp, &mut lines, &mut tags);
    ledger().showed(
        &read.path,
        document,
        &shows(&[all], Some(&tags), ShownBy::Read),
    );
    let lines = String::from_utf8_lossy(lines.strip_suffix(b"\n").unwrap_or(&lines));
    Ok(format!("{}\n{lines}", document.revision().short()))
}

fn read_part(
    workspace: &Workspace,
    path: &str,
    first: &str,
    count: &str,
) -> Result<String, Refusal> {
    let first = first.parse::<usize>().unwrap_or(1).saturating_sub(1);
    let count: usize = count.parse().unwrap_or(1);
    let span = LineSpan::new(first..first.saturating_add(count));
    let part = workspace.read_part(path, span).map_err(unreadable)?;
    part.showed(
        &*ledger(),
        &shows(&[part.excerpt.span()], None, ShownBy::Read),
    );
    let lines = render::anchored_lines(part.excerpt.lines(), Scheme::Omp);
    let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
    let rev = part.excerpt.revision.short();
    Ok(format!("{rev}\n{}", lines.join("\n")))
}

/// Lines shown to a caller without a session.
fn shows<'a>(spans: &'a [LineSpan], tags: Option<&'a [u32]>, by: ShownBy) -> ShownLines<'a> {
    ShownLines {
        session: None,
        scheme: Scheme::Omp,
        spans,
        cut: &[],
        tags,
        by,
    }
}

fn unreadable(error: DiskError) -> Refusal {
    read_refusal(&error)
}

fn unreadable_input(error: &std::io::Error) -> Refusal {
    let fault = DiskFault::System {
        doing: "reading the request",
        reason: error.to_string(),
    };
    unreadable(fault.at("standard input"))
}

fn apply(workspace: &Workspace, request: &[u8]) -> Result<String, Refusal> {
    let (_, outcome) = carry_out(workspace, &*ledger(), request);
    outcome.map(|edited| format!("applied to {} files", edited.files.len()))
}

/// Carries out a request and answers with our own object. What the answer shows is written down, as it is by every surface.
fn apply_in_json(root: &Path) -> (u8, String) {
    let (workspace, request) = match (open(root, &[]), read_request()) {
        (Ok(workspace), Ok(request)) => (workspace, request),
        (Err(refusal), _) | (_, Err(refusal)) => return answer(|| Err(refusal)),
    };
    let ledger = ledger();
    let (options, outcome) = carry_out(&workspace, &*ledger, &request);
    for place in answer::shown(&options, &outcome) {
        let shows = shows(&place.spans, None, ShownBy::Edit);
        // A file that is gone again has nothing to be looked up.
        let _ = workspace.showed(&*ledger, &place.path, &place.document, &shows);
    }
    let exit = outcome.as_ref().err().map_or(0, exit_of);
    (
        exit,
        serde_json::to_string(&answer::common(&options, &outcome)).unwrap_or_default(),
    )
}

fn carry_out(
    workspace: &Workspace,
    ledger: &dyn Ledger,
    request: &[u8],
) -> (AnswerOptions, Outcome) {
    let parsed = match parse(request, &ParseOptions::default()) {
        Ok(parsed) => parsed,
        Err(bad) => return (AnswerOptions::new(Dialect::default()), Err(bad.into())),
    };
    let mut options = AnswerOptions::from(&parsed);
    let policy = Policy::new(parsed.dialect);
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    let applied = workspace.apply(parsed.request, ledger, &asking);
    options.disk = applied.notes.iter().map(disk_notice).collect();
    let outcome = applied.result.map_err(|error| match error {
        ApplyError::Disk(error) => disk_refusal(&error, parsed.dialect),
        ApplyError::Edits(error) => Refusal::of_files(error, &options),
    });
    (options, outcome)
}

/// Looks for a text; what is shown is written down only if there is a folder for it.
fn search(
    workspace: &Workspace,
    text: &str,
    context: &str,
    threads: &str,
) -> Result<String, Refusal> {
    let context = context.parse().unwrap_or(0);
    let query = Query {
        before: context,
        after: context,
        threads: threads.parse().ok(),
        most: Most::everything(),
        ..Query::new(Pattern::Fixed(text.to_owned()))
    };
    let ledger = std::env::var_os("HASHLINE_STATE").map(|_| ledger());
    let audience = Audience {
        scheme: Scheme::Omp,
        session: None,
        ledger: ledger.as_deref(),
        seen: None,
    };
    let found = workspace
        .search(&query, &audience, None)
        .map_err(unreadable)?;
    Ok(found_text(&found))
}

/// Returns the record of what was shown: on disk in the folder named by `HASHLINE_STATE`, of as many bytes as
/// `HASHLINE_LEDGER_BYTES` says, else none.
fn ledger() -> Box<dyn Ledger> {
    let Some(state) = std::env::var_os("HASHLINE_STATE") else {
        return Box::new(NoLedger);
    };
    let mut bounds = LedgerLimits::default();
    let bytes = std::env::var("HASHLINE_LEDGER_BYTES");
    if let Some(bytes) = bytes.ok().and_then(|bytes| bytes.parse().ok()) {
        bounds.bytes = bytes;
    }
    Box::new(DiskLedger::new(PathBuf::from(state), bounds))
}

/// Prints a line; a reader that is gone changes nothing.
fn say(code: u8, text: &str) -> ExitCode {
    let _ = writeln!(std::io::stdout(), "{text}");
    ExitCode::from(code)
}
