//! Sessions on a real folder: what they read, and which lines count as shown afterwards.

use std::path::Path;

use hashline_core::dialect::Dialect;
use hashline_core::policy::{Context, Mode};
use hashline_core::render::anchored;
use hashline_core::{Code, Document};
use hashline_session::{Overrides, ReadLines, ReadSpec, Service, ServiceOptions, View};
use hashline_wire::Refusal;
use hashline_wire::render::model;
use hashline_wire::request::{LineRange, LineSearch, Show};
use hashline_workspace::search::{Pattern, Query};
use serde_json::json;

fn open(root: &Path) -> Service {
    let start = ServiceOptions {
        roots: vec![root.to_path_buf()],
        ..ServiceOptions::in_memory()
    };
    Service::open(&start).expect("the folder is there")
}

#[test]
fn a_page_pasted_into_rewrite_is_refused_in_every_dialect() {
    let text = "one\ntwo\nthree\n";
    for dialect in Dialect::ALL {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("a.txt");
        std::fs::write(&file, text).expect("it can be written");
        let service = open(folder.path());
        let session = service.session(None);
        let document = Document::new(text);
        let lines = anchored(&document, document.all(), dialect.scheme);
        let mut page: Vec<String> = lines.map(|line| line.to_string()).collect();
        page[1].push_str(" changed");
        let overrides = Overrides {
            dialect: Some(dialect),
            ..Overrides::default()
        };
        let rewrite = |content: &str| {
            let edits = json!([{"op": "rewrite", "content": content}]);
            let rev = document.revision().to_string();
            let request = json!({"path": "a.txt", "rev": rev, "edits": edits});
            session.apply(request, &overrides)
        };
        for content in [page.join("\n"), page.join("\r\n")] {
            let answer = rewrite(&content);
            let refused = answer.outcome.as_ref().expect_err("it is a page");
            assert_eq!(refused.code(), Code::BadRequest, "{}", dialect.name());
            let said = model::answer(&answer.options, &answer.outcome);
            assert!(said.contains("fit the text behind them"), "{said}");
            assert_eq!(std::fs::read(&file).expect("it is there"), text.as_bytes());
        }
        let one = format!("{}\nlast", page[0]);
        assert!(rewrite(&one).outcome.is_ok(), "{}", dialect.name());
        assert_eq!(std::fs::read(&file).expect("it is there"), one.as_bytes());
    }
}

fn plain(text: &str) -> LineSearch {
    LineSearch {
        text: text.to_owned(),
        regex: false,
        case_sensitive: false,
        before: 0,
        after: 0,
        max_matches: LineSearch::DEFAULT_MATCHES,
    }
}

fn matching(text: &[u8], search: LineSearch) -> Result<View, Refusal> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("a.txt"), text).expect("it can be written");
    let service = open(folder.path());
    let spec = ReadSpec {
        encoding: None,
        path: "a.txt".to_owned(),
        lines: ReadLines::Matching {
            search,
            within: LineRange::default(),
        },
    };
    let read = service
        .session(None)
        .read(&[spec], Default::default(), None)?;
    read.files.into_iter().next().expect("one file was named")
}

fn numbers(text: &str, search: LineSearch) -> Vec<usize> {
    let view = matching(text.as_bytes(), search).expect("it can be searched");
    view.matching.iter().map(|line| line.get()).collect()
}

#[test]
fn a_plain_search_compares_lower_case_by_the_full_rules_of_unicode() {
    let text = "İstanbul\nΟΔΟΣ\nStraße\nplain";
    for (search, expected) in [
        // `İ` becomes `i` and a combining dot; a sigma at the end of a word becomes `ς`.
        ("i\u{307}stan", vec![1]),
        ("οδος", vec![2]),
        ("οδοσ", vec![]),
        // What is searched for is lower-cased by the same rules.
        ("İSTAN", vec![1]),
        ("ΟΔΟΣ", vec![2]),
        ("STRASSE", vec![]),
        ("PLAIN", vec![4]),
        ("a.n", vec![]),
        ("", vec![1, 2, 3, 4]),
    ] {
        assert_eq!(numbers(text, plain(search)), expected, "{search}");
    }
    let sensitive = LineSearch {
        case_sensitive: true,
        ..plain("PLAIN")
    };
    assert_eq!(numbers(text, sensitive), Vec::<usize>::new());
    let regex = LineSearch {
        regex: true,
        ..plain("^PL.IN$")
    };
    assert_eq!(numbers(text, regex), [4]);
}

#[test]
fn a_search_in_a_file_looks_at_whole_lines_and_knows_whether_there_are_more() {
    let long = format!("{}needle\r\nneedle\r\nneedle", "x".repeat(100_000));
    for (most, more) in [(2, true), (3, false), (4, false)] {
        let search = LineSearch {
            max_matches: most,
            ..plain("needle")
        };
        let view = matching(long.as_bytes(), search).expect("it can be searched");
        assert_eq!((view.matching.len(), view.more), (most.min(3), more));
    }
}

#[test]
fn a_bad_pattern_is_refused_in_the_same_words_by_read_and_search() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let service = open(folder.path());
    let session = service.session(None);
    for pattern in ["(", r"a\nb", &"x".repeat(5000), r"\w{9999}{9999}"] {
        let search = LineSearch {
            regex: true,
            ..plain(pattern)
        };
        let read = matching(b"", search).expect_err("the pattern cannot be used");
        let query = Query::new(Pattern::Regex(pattern.to_owned()));
        let searched = session.search(&query, Default::default(), &Default::default());
        let searched = searched.expect_err("the pattern cannot be used");
        assert_eq!(read.code(), Code::BadPattern);
        assert_eq!(read.to_string(), searched.to_string());
    }
}

/// An answer with a limit leaves lines out. They were never shown, so that no anchor of theirs counts.
#[test]
fn lines_that_a_limit_leaves_out_of_an_answer_are_not_recorded_as_shown() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let text: String = (1..=60).map(|n| format!("this is line {n}\n")).collect();
    let file = folder.path().join("a.txt");
    std::fs::write(&file, &text).expect("it can be written");
    let service = open(folder.path());
    let session = service.session(Some("one"));
    let first = ReadSpec {
        encoding: None,
        path: "a.txt".to_owned(),
        lines: ReadLines::Range(LineRange {
            first: Some(1),
            last: Some(1),
            context: 0,
        }),
    };
    let read = session.read(&[first], Default::default(), None);
    let read = read.expect("it can be read");
    let view = read.files[0].as_ref().expect("it can be read");
    let mut out = Vec::new();
    session
        .show(view, Default::default(), &mut out)
        .expect("a vector takes everything");
    let anchor = |line: &str| line.split('|').next().unwrap_or_default().to_owned();
    let first = anchor(&String::from_utf8_lossy(&out));
    let request = |rev: &str, anchor: &str| {
        format!(
            r#"{{"path":"a.txt","rev":"{rev}","edits":[{{"set_line":{{"anchor":"{anchor}","new_text":"new"}}}}]}}"#
        )
    };
    let limited = Overrides {
        show: Show::Everything,
        page: Some(hashline_wire::page::PageSize::new(900)),
        ..Overrides::default()
    };
    let answer = session.apply(request(&view.revision.short(), &first).as_bytes(), &limited);
    let shown = model::answer(&answer.options, &answer.outcome);
    let edited = answer.outcome.expect("the line was shown");
    let rev = edited.files[0].edited.document.revision().short();

    // The tags are right: only the record knows which lines the answer showed.
    let all = ReadSpec {
        encoding: None,
        path: "a.txt".to_owned(),
        lines: ReadLines::All,
    };
    let all = session.read(&[all], Default::default(), None);
    let all = all.expect("it can be read");
    let all = all.files[0].as_ref().expect("it can be read");
    let anchors: Vec<String> = all
        .anchored(Dialect::default().scheme)
        .map(|line| line.anchor())
        .collect();
    let is_shown = |anchor: &&String| {
        shown
            .lines()
            .any(|line| line.starts_with(&format!("{anchor}|")))
    };
    let (in_answer, left_out): (Vec<_>, Vec<_>) = anchors.iter().partition(is_shown);
    assert!(!in_answer.is_empty() && !left_out.is_empty(), "{shown}");
    let dry_run = Overrides {
        mode: Mode::DryRun,
        // A refusal shows the line it is about, and must not show the next.
        context: Some(Context::new(0)),
        ..Overrides::default()
    };
    for anchor in in_answer {
        let answer = session.apply(request(&rev, anchor).as_bytes(), &dry_run);
        assert!(answer.outcome.is_ok(), "{anchor}");
    }
    for anchor in left_out {
        let answer = session.apply(request(&rev, anchor).as_bytes(), &dry_run);
        let refusal = answer.outcome.expect_err("it was not shown");
        assert_eq!(refusal.code(), Code::Stale, "{anchor}");
        assert!(
            refusal
                .to_string()
                .contains("was not shown in the revision"),
            "{refusal}"
        );
    }
}

/// Lines that were pasted from a refusal have a mark or four blanks in front of their anchors.
#[test]
fn lines_of_a_refusal_are_not_written_as_a_whole_file() {
    let text = "one\ntwo\nthree\n";
    for dialect in Dialect::ALL {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join("a.txt"), text).expect("it can be written");
        let service = open(folder.path());
        let session = service.session(None);
        let overrides = Overrides {
            dialect: Some(dialect),
            ..Overrides::default()
        };
        let document = hashline_core::Document::new(text);
        let lines = hashline_core::render::anchored(&document, document.all(), dialect.scheme);
        let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
        for front in [">>> ", "    ", ""] {
            let copied = lines.iter().map(|line| format!("{front}{line}\n"));
            let content = copied.collect::<String>();
            for path in ["a.txt", "new.txt"] {
                let rev = (path == "a.txt").then(|| document.revision().short());
                let body = serde_json::json!({"path": path, "rev": rev, "content": content});
                let answer = session.write(body.clone(), &overrides);
                let refused = answer.outcome.expect_err("the anchors were copied");
                assert_eq!(refused.code(), Code::BadRequest, "{body}");
            }
        }
        let now = std::fs::read_to_string(folder.path().join("a.txt"));
        assert_eq!(now.expect("it is there"), text);
        assert!(!folder.path().join("new.txt").exists());
    }
}
