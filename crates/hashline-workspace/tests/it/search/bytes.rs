//! Which lines match, and how lines of every kind are shown.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use hashline_workspace::error::{DiskFault, PatternFault, PatternPart};
use hashline_workspace::search::{Case, Extent, Pattern, Query, TypeChoice};

use super::{Tree, fixed, nobody, paths, regex, spelled};

#[test]
fn patterns_match_lines() {
    let text = "foo(bar)\nFoo\nfoobar\n\nüber straße\nÜBER\na.c\nabc\n";
    type Case_ = (Query, &'static str);
    let with = |mut query: Query, change: fn(&mut Query)| {
        change(&mut query);
        query
    };
    let insensitive = |q: &mut Query| q.case = Case::Insensitive;
    let smart = |q: &mut Query| q.case = Case::Smart;
    let words = |q: &mut Query| q.extent = Extent::Words;
    let cases: Vec<Case_> = vec![
        (fixed("foo(bar)"), "1"),
        (fixed("a.c"), "7"),
        (regex("a.c"), "7 8"),
        (regex("^foo"), "1 3"),
        (regex("o$"), "2"),
        (regex("^$"), "4"),
        (regex(""), "1 2 3 4 5 6 7 8"),
        (fixed(""), "1 2 3 4 5 6 7 8"),
        (regex(r"\Afoo"), "1 3"),
        (regex(r"bar\z"), "3"),
        (regex(r"foo\s"), ""),
        (regex("foo[^x]"), "1 3"),
        (fixed("foo"), "1 3"),
        (with(fixed("foo"), insensitive), "1 2 3"),
        (with(fixed("foo"), smart), "1 2 3"),
        (with(fixed("Foo"), smart), "2"),
        (with(regex("über"), insensitive), "5 6"),
        (with(fixed("foo"), words), "1"),
        (with(regex("fo+"), words), "1"),
        (fixed("nothing"), ""),
    ];
    let tree = Tree::new(&[("t", text)]);
    for (query, expected) in cases {
        let found = tree.search(&query);
        let numbers = found.files.iter().flat_map(|file| file.matching());
        let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
        assert_eq!(numbers.join(" "), expected, "{:?}", query.pattern);
    }
}

#[test]
fn lines_of_every_kind_are_matched_without_their_endings() {
    let tree = Tree::new(&[]);
    tree.write("bom", b"\xef\xbb\xbfword one\nno\n");
    tree.write("crlf", b"a word\r\nword\r\nwor\rd\r\nword\r");
    tree.write("last", b"no\nword");
    tree.write("latin", b"caf\xe9 word\nword\n");
    tree.write("mixed", b"caf\xc3\xa9\ncaf\xe9 word\n");
    tree.write("empty", b"");
    assert_eq!(
        spelled(&tree.search(&regex("^word|word$"))),
        "bom\n>1 word one\ncrlf\n>1 a word\n>2 word\n--\n>4 word\r\nlast\n>2 word\nlatin\n>1 café word\n>2 word\nmixed\n>2 caf\\xE9 word\n"
    );
    assert_eq!(spelled(&tree.search(&regex("wor.d"))), "crlf\n>3 wor\rd\n");
    assert_eq!(spelled(&tree.search(&regex("d\r"))), "crlf\n>4 word\r\n");
    assert_eq!(tree.search(&regex("")).totals.searched, 6);
}

#[test]
fn what_is_no_text_is_skipped_with_its_reason_and_stops_nothing() {
    let tree = Tree::new(&[("good", "word\n")]);
    tree.write("nul", b"word\n\0");
    tree.write("utf32", b"\xff\xfe\0\0w\0\0\0");
    tree.write("long", format!("word\n{}", "x".repeat((1 << 20) + 1)));
    tree.write("just", format!("word\n{}\r\n", "x".repeat(1 << 20)));
    let big = fs::File::create(tree.path("big")).expect("made");
    big.set_len((64 << 20) + 1).expect("grown");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        tree.path("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .expect("made");
    let found = tree.search(&fixed("word"));
    assert_eq!(paths(&found), ["good", "just"]);
    assert_eq!(found.totals.searched, 2);
    let skipped: Vec<_> = found
        .skipped
        .iter()
        .map(|error| (error.path.as_deref(), error.code().as_str()))
        .collect();
    let expected = [
        (Some("big"), "too_large"),
        (Some("long"), "line_too_long"),
        (Some("nul"), "binary"),
        (Some("utf32"), "encoding"),
    ];
    assert_eq!(skipped, expected);
}

#[test]
fn a_file_that_may_not_be_read_is_skipped() {
    let tree = Tree::new(&[("good", "word\n"), ("shut", "word\n")]);
    fs::set_permissions(tree.path("shut"), fs::Permissions::from_mode(0o0)).expect("set");
    let found = tree.search(&fixed("word"));
    // Whoever may read everything reads this, too.
    if fs::read(tree.path("shut")).is_err() {
        assert_eq!(paths(&found), ["good"]);
        assert_eq!(found.skipped[0].code().as_str(), "io");
    } else {
        assert_eq!(paths(&found), ["good", "shut"]);
    }
}

#[test]
fn a_line_is_looked_at_as_far_as_64_kib() {
    const MOST: usize = 64 << 10;
    let tree = Tree::new(&[]);
    let line = |before: usize| format!("first\n{}word and more\nword\n", "x".repeat(before));
    tree.write("bound", line(MOST - 4));
    tree.write("over", line(MOST - 3));
    let mut query = fixed("word");
    query.most.bytes = usize::MAX;
    query.most.bytes_a_file = usize::MAX;
    let numbers = |query: &Query, at: usize| {
        let found = tree.search(query);
        let numbers = found.files[at].matching().map(|number| number.get());
        numbers.collect::<Vec<_>>()
    };
    assert_eq!(numbers(&query, 0), [2, 3]);
    assert_eq!(numbers(&query, 1), [3]);
}

#[test]
fn what_cannot_be_searched_for_is_refused_with_the_reason() {
    let tree = Tree::new(&[("a", "word\n")]);
    let most = 4 << 10;
    let malformed = |reason: &str| PatternFault::Malformed {
        reason: reason.to_owned(),
    };
    let glob = |glob: &str| Query {
        globs: vec![glob.to_owned()],
        ..fixed("x")
    };
    let of_type = |name: &str| Query {
        types: vec![TypeChoice::Only(name.to_owned())],
        ..fixed("x")
    };
    let long = "x".repeat(most + 1);
    let cases = [
        (
            fixed(&long),
            PatternPart::Pattern,
            PatternFault::TooLong { most },
        ),
        (
            regex(&long),
            PatternPart::Pattern,
            PatternFault::TooLong { most },
        ),
        (
            regex(r"\w{800}"),
            PatternPart::Pattern,
            PatternFault::TooBig { most: 1 << 20 },
        ),
        (regex("a\nb"), PatternPart::Pattern, PatternFault::LineEnd),
        (regex(r"a\nb"), PatternPart::Pattern, PatternFault::LineEnd),
        (fixed("a\nb"), PatternPart::Pattern, PatternFault::LineEnd),
        (
            regex("a(b"),
            PatternPart::Pattern,
            malformed("unclosed group"),
        ),
        (
            glob("a[b"),
            PatternPart::Glob,
            malformed("unclosed character class; missing ']'"),
        ),
        (
            glob(&long),
            PatternPart::Glob,
            PatternFault::TooLong { most },
        ),
        (
            of_type("rusty"),
            PatternPart::FileType,
            PatternFault::Unknown,
        ),
    ];
    for (query, part, why) in cases {
        let refused = tree
            .workspace()
            .search(&query, &nobody(), None)
            .expect_err("refused");
        assert_eq!(refused.code().as_str(), "bad_pattern");
        let DiskFault::BadPattern(bad) = refused.why else {
            panic!("{refused:?}");
        };
        assert_eq!((bad.part, bad.why), (part, why), "{:?}", bad.text);
    }
    let at_bound = Query::new(Pattern::Fixed("x".repeat(most)));
    assert!(tree.workspace().search(&at_bound, &nobody(), None).is_ok());
}

#[test]
fn more_names_than_are_taken_are_refused() {
    let tree = Tree::new(&[("a", "word\n")]);
    let ask = |count: usize| {
        let query = Query {
            paths: vec!["a".to_owned(); count],
            ..fixed("word")
        };
        tree.workspace()
            .search(&query, &nobody(), None)
            .map(|found| found.totals.matches)
    };
    assert_eq!(ask(256), Ok(1));
    assert_eq!(
        ask(257).map_err(|error| error.code().as_str()),
        Err("too_many")
    );
}
