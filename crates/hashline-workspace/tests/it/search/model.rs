//! The same search done slowly: every file read, cut into lines, and each line asked.

use std::collections::BTreeMap;

use hashline_workspace::encoding::decode;
use hashline_workspace::search::{Case, Extent, Most, Pattern, Query};
use proptest::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

use super::Tree;

/// Files of words, blanks and endings of every kind.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["ab", "aB", "b", "a b", "é", "x", " "]).prop_map(|s| s.as_bytes().to_vec()),
        2 => Just(b"\n".to_vec()),
        1 => Just(b"\r\n".to_vec()),
        1 => Just(b"\r".to_vec()),
        1 => Just(b"\xe9".to_vec()),
    ];
    let bom = prop_oneof![3 => Just(Vec::new()), 1 => Just(b"\xef\xbb\xbf".to_vec())];
    (bom, prop::collection::vec(piece, 0..24))
        .prop_map(|(bom, pieces)| [bom, pieces.concat()].concat())
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let sources = [
        "ab",
        "a.b",
        "^a",
        "b$",
        "^$",
        "",
        "^",
        "$",
        r"\bab\b",
        r"\B",
        r"a\s?b",
        "[^a]",
        r"\Aa",
        r"b\z",
        "é",
        ".",
        r"^\s*$",
        "x|b$",
        r"(?-u:\xe9)",
        r"\r",
        r"(?R)^b",
        "(?s).",
        "(?i)AB",
    ];
    let texts = ["ab", "a b", "", "B", "é", "."];
    prop_oneof![
        prop::sample::select(sources.to_vec()).prop_map(|s| Pattern::Regex(s.to_owned())),
        prop::sample::select(texts.to_vec()).prop_map(|s| Pattern::Fixed(s.to_owned())),
    ]
}

fn query() -> impl Strategy<Value = Query> {
    let case = prop::sample::select(vec![
        Case::Sensitive,
        Case::Insensitive,
        Case::Smart,
        Case::LowerCased,
    ]);
    let extent = prop::sample::select(vec![Extent::Anywhere, Extent::Anywhere, Extent::Words]);
    (pattern(), case, extent, 0..3_usize, 0..3_usize).prop_map(
        |(pattern, case, extent, before, after)| Query {
            case,
            extent,
            before,
            after,
            most: Most::everything(),
            ..Query::new(pattern)
        },
    )
}

fn slow_regex(query: &Query) -> Regex {
    let source = match &query.pattern {
        Pattern::Fixed(text) => regex::escape(text),
        Pattern::Regex(source) => source.clone(),
    };
    let has_upper = query.pattern.source().chars().any(char::is_uppercase);
    let has_letter = query.pattern.source().chars().any(char::is_alphanumeric);
    let insensitive = match query.case {
        Case::Sensitive => false,
        Case::Insensitive | Case::LowerCased => true,
        // `\B` and the like are no letters; none of the sources above has both.
        Case::Smart => has_letter && (!has_upper || query.pattern.source().starts_with('\\')),
    };
    let source = match query.extent {
        Extent::Anywhere => source,
        Extent::Words => format!(r"\b{{start-half}}(?:{source})\b{{end-half}}"),
    };
    RegexBuilder::new(&source)
        .multi_line(true)
        .case_insensitive(insensitive)
        .build()
        .expect("a pattern")
}

/// Cuts bytes into lines as the specification says, without any code of ours.
fn slow_lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    // How bytes are decoded is tested elsewhere.
    let document = decode(bytes.to_vec(), None).expect("it is text");
    let text = document.bytes();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines: Vec<Vec<u8>> = text
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let last = lines.pop().unwrap_or_default();
    for line in &mut lines {
        if line.ends_with(b"\r") {
            line.pop();
        }
    }
    if !last.is_empty() {
        lines.push(last);
    }
    lines
}

/// Lists the numbers of the lines that match and of all lines that are shown.
fn slow_search(bytes: &[u8], query: &Query) -> (Vec<usize>, Vec<usize>) {
    let regex = slow_regex(query);
    let lines = slow_lines(bytes);
    let lower_case = |text: &[u8]| String::from_utf8_lossy(text).to_lowercase();
    let matches = |line: &[u8]| match (&query.pattern, query.case, query.extent) {
        (Pattern::Fixed(text), Case::LowerCased, Extent::Anywhere) => {
            lower_case(line).contains(&lower_case(text.as_bytes()))
        }
        _ => regex.is_match(line),
    };
    let matching: Vec<usize> = (1..=lines.len())
        .filter(|&n| matches(&lines[n - 1]))
        .collect();
    let near = |n: usize| {
        matching
            .iter()
            .any(|&m| n + query.before >= m && n <= m + query.after)
    };
    let shown = (1..=lines.len()).filter(|&n| near(n)).collect();
    (matching, shown)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_search_finds_what_a_slow_one_finds(
        files in prop::collection::btree_map("[a-c]{1,2}(/[a-c])?", text(), 1..5),
        query in query(),
    ) {
        let tree = Tree::new(&[]);
        let mut kept: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for (name, bytes) in files {
            // A name may be a file or a folder, not both.
            let clash = kept.keys().any(|other| other.starts_with(&format!("{name}/")) || name.starts_with(&format!("{other}/")));
            if !clash {
                tree.write(&name, &bytes);
                kept.insert(name, bytes);
            }
        }
        let found = tree.search(&query);
        prop_assert_eq!(found.totals.searched, kept.len());
        let mut files = found.files.iter();
        for (name, bytes) in &kept {
            let (matching, shown) = slow_search(bytes, &query);
            if matching.is_empty() {
                continue;
            }
            let file = files.next().expect("a file that matches is shown");
            prop_assert_eq!(&file.path, name);
            prop_assert_eq!(file.matches, matching.len());
            let found: Vec<usize> = file.matching().map(|number| number.get()).collect();
            prop_assert_eq!(found, matching, "{:?} in {:?}", query, bytes);
            let lines: Vec<usize> = file.lines.iter().map(|line| line.line.number.get()).collect();
            prop_assert_eq!(lines, shown);
            let slow = slow_lines(bytes);
            for line in &file.lines {
                let text = hashline_core::render::display(&slow[line.line.number.index()]);
                prop_assert_eq!(&line.line.text, &text);
            }
        }
        prop_assert!(files.next().is_none(), "{:?}", query);
    }
}
