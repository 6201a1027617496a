//! The refusal of an edit of lines that were never shown: every such line is on its page, or is named by its number.

use std::collections::{BTreeMap, BTreeSet};

use hashline_core::Policy;
use hashline_core::dialect::Dialect;
use hashline_core::files::{Files, edit_files};
use hashline_core::render::anchored;
use hashline_core::shown::{History, Shown};
use hashline_core::text::{Document, LineSpan};
use hashline_wire::answer::shown;
use hashline_wire::page::PageSize;
use hashline_wire::render::model;
use hashline_wire::{AnswerOptions, Outcome, Refusal, parse};
use serde_json::{Value, json};

/// Files and what was shown of them.
#[derive(Default)]
struct World(BTreeMap<String, (Document, History)>);

impl Files for World {
    fn document(&self, path: &str) -> Option<Document> {
        self.0.get(path).map(|(document, _)| document.clone())
    }

    fn shown(&self, path: &str) -> Shown<'_> {
        let file = self.0.get(path);
        file.map_or_else(Shown::nothing, |(_, history)| Shown::new(history, None))
    }
}

impl World {
    fn add(&mut self, path: &str, document: Document, shown: &[LineSpan]) {
        let mut history = History::default();
        history.showed(&document, None, Dialect::OMP.scheme, shown);
        self.0.insert(path.to_owned(), (document, history));
    }

    /// Replaces ranges of lines (numbers from 1) of files, with a page of so many bytes; returns the refusal and how it is to be answered.
    fn replace(&self, ranges: &[(&str, usize, usize)], page: usize) -> (AnswerOptions, Outcome) {
        let entry = |&(path, first, last): &(&str, usize, usize)| {
            let anchors = [first, last].map(|line| self.anchor(path, line));
            let edit = json!({"op": "replace", "at": anchors[0], "to": anchors[1], "lines": ["x"]});
            (path.to_owned(), edit)
        };
        let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (path, edit) in ranges.iter().map(entry) {
            files.entry(path).or_default().push(edit);
        }
        let files: Vec<Value> = files
            .into_iter()
            .map(|(path, edits)| json!({"path": path, "edits": edits}))
            .collect();
        let request = json!({ "files": files }).to_string();
        let parsed = parse(request.as_bytes(), &Default::default()).expect("it is understood");
        let options = AnswerOptions {
            page: Some(PageSize::new(page)),
            ..AnswerOptions::from(&parsed)
        };
        let outcome = edit_files(parsed.request, self, &Policy::new(Dialect::OMP));
        let outcome = outcome.map_err(|error| Refusal::of_files(error, &options));
        (options, outcome)
    }

    fn anchor(&self, path: &str, line: usize) -> String {
        let span = LineSpan::new(line - 1..line);
        let mut lines = anchored(&self.0[path].0, span, Dialect::OMP.scheme);
        lines.next().expect("there is such a line").anchor()
    }
}

/// Reads the ranges in what follows `before` in a text, up to the first word that is none: `3-7, 9 and 12-40`.
fn ranges_after(text: &str, before: &str) -> BTreeSet<usize> {
    let mut lines = BTreeSet::new();
    for (at, _) in text.match_indices(before) {
        for word in text[at + before.len()..].split([' ', ',', '.', '\n', ';', ')']) {
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            match (first.parse::<usize>(), last.parse::<usize>()) {
                (Ok(first), Ok(last)) => lines.extend(first..=last),
                _ if matches!(word, "" | "and" | "some" | "of" | "line" | "lines") => {}
                _ => break,
            }
        }
    }
    lines
}

/// Checks that all lines inside the ranges of one file are shown or named; returns how many are only named.
fn check(world: &World, ranges: &[(&str, usize, usize)], page: usize, seen: &[LineSpan]) -> usize {
    let (options, outcome) = world.replace(ranges, page);
    let refusal = outcome.as_ref().expect_err("lines of it were never shown");
    assert_eq!(refusal.code().as_str(), "unseen");
    let text = model::answer(&options, &outcome);
    assert!(text.len() <= page, "{} bytes on {page}", text.len());
    let on_page: BTreeSet<usize> = shown(&options, &outcome)
        .iter()
        .flat_map(|lines| lines.spans.iter())
        .flat_map(|span| span.start() + 1..=span.end())
        .collect();
    // What counts as shown is there with its anchor.
    for line in &on_page {
        let anchor = world.anchor(ranges[0].0, *line);
        assert!(text.contains(&format!("{anchor}|")), "{anchor}\n{text}");
    }
    let mut named = ranges_after(&text, "Not shown: ");
    named.extend(ranges_after(&text, "there is no room here for "));
    let is_seen = |line: &usize| seen.iter().any(|span| span.range().contains(&(line - 1)));
    let lines: Vec<usize> = ranges
        .iter()
        .flat_map(|&(_, first, last)| first + 1..last)
        .filter(|line| !is_seen(line))
        .collect();
    for line in &lines {
        let is_told = on_page.contains(line) || named.contains(line);
        assert!(is_told, "line {line} on {page}\n{text}");
    }
    assert!(lines.iter().any(|line| on_page.contains(line)), "{text}");
    lines.iter().filter(|line| !on_page.contains(line)).count()
}

fn text(lines: usize, width: usize) -> Document {
    let line = |number| format!("line {number} {}\n", "x".repeat(width));
    Document::new((1..=lines).map(line).collect::<String>())
}

/// Every line at these numbers.
fn lines_at(numbers: impl Iterator<Item = usize>) -> Vec<LineSpan> {
    numbers.map(|line| LineSpan::new(line - 1..line)).collect()
}

const PAGES: [usize; 4] = [4096, 9000, 36_000, 100_000];

#[test]
fn unseen_lines_that_do_not_fit_on_the_page_are_named_by_number() {
    for page in PAGES {
        for (lines, width) in [
            (20, 10),
            (300, 60),
            (599, 30),
            (700, 5),
            (5000, 80),
            (90, 3000),
        ] {
            let mut world = World::default();
            let ends = lines_at([1, lines].into_iter());
            world.add("a.txt", text(lines, width), &ends);
            let named = check(&world, &[("a.txt", 1, lines)], page, &ends);
            assert!(lines > 20 || named == 0, "{page}");
            assert!(lines < 5000 || named > 0, "{page}");
        }
    }
}

#[test]
fn unseen_lines_in_many_places_are_named_by_ranges_that_hold_them() {
    for page in PAGES {
        let mut world = World::default();
        // Every third line was shown.
        let seen = lines_at((1..=4000).step_by(3));
        world.add("a.txt", text(4000, 20), &seen);
        assert!(check(&world, &[("a.txt", 1, 4000)], page, &seen) > 0);
        // Many edits, each with some of them, whose sentences do not all fit.
        let ranges: Vec<(&str, usize, usize)> = (0..100)
            .map(|edit| ("a.txt", 1 + 30 * edit, 28 + 30 * edit))
            .collect();
        assert!(check(&world, &ranges, page, &seen) > 0);
    }
}

#[test]
fn of_several_files_each_is_told_what_does_not_fit() {
    let mut world = World::default();
    for (path, lines) in [("a.txt", 900), ("b.txt", 800)] {
        let ends = lines_at([1, lines].into_iter());
        world.add(path, text(lines, 40), &ends);
    }
    let (options, outcome) = world.replace(&[("a.txt", 1, 900), ("b.txt", 1, 800)], 9000);
    let text = model::answer(&options, &outcome);
    let not_shown: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("Not shown: "))
        .collect();
    assert_eq!(not_shown.len(), 2, "{text}");
    assert!(not_shown[0].contains(" of a.txt."), "{text}");
    assert!(not_shown[1].contains(" of b.txt."), "{text}");
}

#[test]
fn nothing_is_named_if_everything_is_shown() {
    let mut world = World::default();
    let ends = lines_at([1, 50].into_iter());
    world.add("a.txt", text(50, 40), &ends);
    let (options, outcome) = world.replace(&[("a.txt", 1, 50)], 9000);
    let text = model::answer(&options, &outcome);
    assert!(
        !text.contains("Not shown") && !text.contains("no room"),
        "{text}"
    );
}
