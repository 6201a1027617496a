//! `hashline search`: prints lines that match a pattern, with their anchors.

use std::path::Path;
use std::sync::atomic::AtomicUsize;

use hashline_session::words::{found_answer, found_files, found_summary, read_refusal};
use hashline_session::{SearchOptions, Service, ServiceOptions};
use hashline_wire::render::human;
use hashline_workspace::DiskError;
use hashline_workspace::encoding::TextEncoding;
use hashline_workspace::search::found::Found;
use hashline_workspace::search::{Case, Extent, Most, Pattern, Query, TypeChoice};

use super::dialect_in;
use crate::args::{Global, SearchArgs};
use crate::escape;
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::paths;
use crate::progress::while_working;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &SearchArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let (mut options, named) = paths::options(global, &args.paths)?;
    let mut query = query(args);
    query.encoding = encoding(args)?;
    query.paths = named.into_iter().map(|named| named.path).collect();
    if query.paths.is_empty() && global.root.is_empty() {
        query.paths.push(".".to_owned());
        name_working(&mut options);
    }
    let service = Service::open(&options)?;
    let config = service.config();
    let dialect = dialect_in(&service, args.dialect);
    let around = args.context.unwrap_or(config.search_context.lines());
    query.before = args.before_context.unwrap_or(around);
    query.after = args.after_context.unwrap_or(around);
    query.most = most(args, config.search_matches);
    let seen = AtomicUsize::new(0);
    let session = service.session(global.session());
    let only_names = args.files_with_matches || args.count;
    let base = options.base;
    let options = SearchOptions {
        progress: Some(&seen),
        counts_only: only_names && !out.json,
        cancel: None,
    };
    let mut found = while_working("searching", Some((&seen, "files")), || {
        session.search(&query, dialect, &options)
    })?;
    let failed = failed(&query, base.as_deref(), &found).map(read_refusal);
    let exit = failed
        .as_ref()
        .map_or(Exit::Done, |refusal| Exit::of_code(refusal.code()));
    let state = service.take_notices();
    if out.json {
        out.answer(&found_answer(&found, failed.as_ref()), &state);
        return Ok(exit);
    }
    show(args, &mut found, out);
    // Names and counts need no summary, unless there are none.
    if !only_names || found.files.is_empty() {
        out.message(&found_summary(&found));
    }
    if let Some(refusal) = failed {
        out.message(&human::refusal(&refusal));
    }
    out.notices(&state);
    Ok(exit)
}

/// Makes the working directory a root if its path is not UTF-8, because a query names paths in UTF-8 and can search such a folder only as a root. The
/// directory is inside a root already, so no further files become accessible.
fn name_working(options: &mut ServiceOptions) {
    let Some(working) = options.base.clone().filter(|base| base.to_str().is_none()) else {
        return;
    };
    let mut real = options
        .roots
        .iter()
        .filter_map(|root| root.canonicalize().ok());
    if real.any(|root| working.starts_with(root)) {
        options.roots.insert(0, working);
    }
}

/// Returns the worst error of a path from the command line that could not be searched, if there is one. A search that finds no match is not an error.
fn failed<'f>(query: &Query, base: Option<&Path>, found: &'f Found) -> Option<&'f DiskError> {
    // The working directory is reported by its absolute path.
    let working = base.map(Path::to_string_lossy).unwrap_or_default();
    let named = |error: &&DiskError| {
        let is = |path: &str, named: &str| named == path || (named == "." && path == working);
        let path = error.path.as_deref();
        path.is_some_and(|path| query.paths.iter().any(|named| is(path, named)))
    };
    let failed = found.skipped.iter().filter(named);
    failed.max_by_key(|error| Exit::of_code(error.code()))
}

fn query(args: &SearchArgs) -> Query {
    let pattern = if args.fixed_strings {
        Pattern::Fixed(args.pattern.clone())
    } else {
        Pattern::Regex(args.pattern.clone())
    };
    let only = args.types.iter().cloned().map(TypeChoice::Only);
    let except = args.types_not.iter().cloned().map(TypeChoice::Except);
    Query {
        case: match (args.ignore_case, args.smart_case) {
            (true, _) => Case::Insensitive,
            (_, true) => Case::Smart,
            _ => Case::Sensitive,
        },
        extent: if args.word_regexp {
            Extent::Words
        } else {
            Extent::Anywhere
        },
        globs: args.glob.clone(),
        types: only.chain(except).collect(),
        hidden: args.hidden,
        ignore_rules: !args.no_ignore,
        threads: args.threads,
        ..Query::new(pattern)
    }
}

/// Returns the encoding that the arguments name, if any.
fn encoding(args: &SearchArgs) -> Result<Option<TextEncoding>, Refusal> {
    let named = args.encoding.as_deref().map(TextEncoding::parse);
    named.transpose().map_err(|why| read_refusal(&why.into()))
}

/// Returns how many matches are shown at most. File names and counts are short, so their number is not limited.
fn most(args: &SearchArgs, configured: usize) -> Most {
    let usual = Most::default();
    let most = match args.max_matches {
        Some(0) => Most::everything(),
        _ if args.files_with_matches || args.count => Most {
            matches_a_file: 1,
            ..Most::everything()
        },
        Some(matches) => Most {
            matches,
            files: matches,
            ..usual
        },
        None => Most {
            matches: configured,
            ..usual
        },
    };
    match args.max_count {
        Some(matches_a_file) if !args.count => Most {
            matches_a_file,
            ..most
        },
        _ => most,
    }
}

fn show(args: &SearchArgs, found: &mut Found, out: &mut Output) {
    if args.files_with_matches || args.count {
        for file in &found.files {
            let path = escape::name(&file.path);
            let count = if args.count {
                format!(":{}", file.matches)
            } else {
                String::new()
            };
            out.parts(&[(Part::Headline, &path), (Part::Plain, &count)]);
        }
        return;
    }
    for file in &mut found.files {
        file.path = escape::name(&file.path).into_owned();
    }
    let text = found_files(found);
    // The blank line that stands between files does not stand after the last.
    let text = text.strip_suffix("\n\n").unwrap_or(&text);
    if !text.is_empty() {
        out.line(text);
    }
}
