//! `hashline search`: lines that match, with their anchors.

use std::sync::atomic::AtomicUsize;

use hashline_core::disk::DiskError;
use hashline_core::found::Found;
use hashline_wire::render::{human, model};
use hashline_wire::response;
use hashline_workspace::search::{
    Case, Extent, Hidden, IgnoreRules, Most, Pattern, Query, TypeChoice,
};

use super::{dialect_in, open, with_state_notes};
use crate::args::{Global, SearchArgs};
use crate::exit::Exit;
use crate::output::{Output, Part};
use crate::paths;
use crate::progress::while_working;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &SearchArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let (start, named) = paths::start(global, &args.paths)?;
    let service = open(&start)?;
    let config = service.config();
    let dialect = dialect_in(&service, args.dialect);
    let around = args.context.unwrap_or(config.search_context.lines());
    let mut query = query(args);
    query.before = args.before_context.unwrap_or(around);
    query.after = args.after_context.unwrap_or(around);
    query.most = most(args, config.search_matches);
    query.paths = named.into_iter().map(|named| named.path).collect();
    if query.paths.is_empty() && global.root.is_empty() {
        query.paths.push(".".to_owned());
    }
    let seen = AtomicUsize::new(0);
    let session = service.session(global.session());
    let found = while_working("searching", Some((&seen, "files")), || {
        session.search_watched(&query, dialect, &seen)
    })?;
    let exit = exit_of(&query, &found);
    if out.json {
        let mut object = response::found(&found);
        with_state_notes(&service, out, Some(&mut object));
        out.object(&object)?;
        return Ok(exit);
    }
    show(args, &found, out)?;
    out.finish()?;
    // Names and counts are all there is to say, unless there are none.
    if !(args.files_with_matches || args.count) || found.files.is_empty() {
        out.tell(&human::found_summary(&found));
    }
    with_state_notes(&service, out, None);
    Ok(exit)
}

/// Finding nothing is no error; that a file or folder that was named cannot be searched is one.
fn exit_of(query: &Query, found: &Found) -> Exit {
    let named = |error: &DiskError| {
        let path = error.path();
        path.is_some_and(|path| query.paths.iter().any(|named| named == path))
    };
    match found.skipped.iter().find(|error| named(error)) {
        Some(error) => Exit::of_code(error.code()),
        None => Exit::Done,
    }
}

fn query(args: &SearchArgs) -> Query {
    let pattern = match args.fixed_strings {
        true => Pattern::Fixed(args.pattern.clone()),
        false => Pattern::Regex(args.pattern.clone()),
    };
    let only = args.types.iter().cloned().map(TypeChoice::Only);
    let except = args.types_not.iter().cloned().map(TypeChoice::Except);
    Query {
        case: match (args.ignore_case, args.smart_case) {
            (true, _) => Case::Insensitive,
            (_, true) => Case::Smart,
            _ => Case::Sensitive,
        },
        extent: match args.word_regexp {
            true => Extent::Words,
            false => Extent::Anywhere,
        },
        globs: args.glob.clone(),
        types: only.chain(except).collect(),
        hidden: match args.hidden {
            true => Hidden::Searched,
            false => Hidden::LeftOut,
        },
        rules: match args.no_ignore {
            true => IgnoreRules::Disregarded,
            false => IgnoreRules::Obeyed,
        },
        threads: args.threads,
        ..Query::new(pattern)
    }
}

/// Returns how much is shown. Names and counts are short: of them there may be as many as there are.
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

fn show(args: &SearchArgs, found: &Found, out: &mut Output) -> Result<(), Trouble> {
    if args.files_with_matches || args.count {
        for file in &found.files {
            let path = out.painted(Part::Headline, &file.path);
            match args.count {
                true => out.line(&format!("{path}:{}", file.matches))?,
                false => out.line(&path)?,
            }
        }
        return Ok(());
    }
    let text = model::found_files(found);
    // The blank line that stands between files does not stand after the last.
    let text = text.strip_suffix("\n\n").unwrap_or(&text);
    match text {
        "" => Ok(()),
        text => out.line(text),
    }
}
