//! How much is shown, and that it is always the same.

use std::num::NonZeroUsize;

use hashline_workspace::search::found::Found;
use hashline_workspace::search::{Most, Query};

use super::{Tree, fixed, paths, spelled};

fn with(change: impl FnOnce(&mut Query)) -> Query {
    let mut query = fixed("word");
    change(&mut query);
    query
}

#[test]
fn lines_around_matches_are_shown_in_blocks() {
    let lines: String = (1..=20)
        .map(|n| {
            if [3, 6, 14].contains(&n) {
                format!("word {n}\n")
            } else {
                format!("line {n}\n")
            }
        })
        .collect();
    let tree = Tree::new(&[("a", &lines)]);
    let around = |before, after| {
        let found = tree.search(&with(|q| (q.before, q.after) = (before, after)));
        let numbers = found.files[0].blocks().map(|block| {
            let numbers = block.iter().map(|line| line.line.number.to_string());
            numbers.collect::<Vec<_>>().join(",")
        });
        numbers.collect::<Vec<_>>().join(" ")
    };
    let cases = [
        (0, 0, "3 6 14"),
        (1, 0, "2,3 5,6 13,14"),
        (0, 1, "3,4 6,7 14,15"),
        (1, 1, "2,3,4,5,6,7 13,14,15"),
        (2, 0, "1,2,3,4,5,6 12,13,14"),
        (0, 9, "3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20"),
        (3, 4, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18"),
        (3, 3, "1,2,3,4,5,6,7,8,9 11,12,13,14,15,16,17"),
        (
            usize::MAX,
            usize::MAX,
            "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20",
        ),
    ];
    for (before, after, expected) in cases {
        assert_eq!(around(before, after), expected, "{before} {after}");
    }
}

#[test]
fn limits_hold_at_the_bound_and_say_what_is_left() {
    let tree = Tree::new(&[
        ("a", "word\nword\nword\n"),
        ("b", "word\n"),
        ("c", "word\nx\nword\n"),
    ]);
    type Change = fn(&mut Most);
    let cases: [(Change, &str); 11] = [
        (|_| {}, "a3/3 b1/1 c2/2"),
        (|m| m.matches = 6, "a3/3 b1/1 c2/2"),
        (|m| m.matches = 5, "a3/3 b1/1 c1/2"),
        (|m| m.matches = 4, "a3/3 b1/1"),
        (|m| m.matches = 2, "a2/3"),
        (|m| m.matches = 0, ""),
        (|m| m.matches_a_file = 3, "a3/3 b1/1 c2/2"),
        (|m| m.matches_a_file = 2, "a2/3 b1/1 c2/2"),
        (|m| m.files = 3, "a3/3 b1/1 c2/2"),
        (|m| m.files = 2, "a3/3 b1/1"),
        (|m| (m.matches_a_file, m.matches) = (1, 2), "a1/3 b1/1"),
    ];
    for (change, expected) in cases {
        let found = tree.search(&with(|query| change(&mut query.most)));
        let shown = |found: &Found| {
            let files = found.files.iter();
            let each = files.map(|file| format!("{}{}/{}", file.path, file.shown(), file.matches));
            each.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(&found), expected);
        assert_eq!(
            (found.totals.files, found.totals.matches),
            (3, 6),
            "{expected}"
        );
    }
}

#[test]
fn what_is_shown_after_the_last_match_ends_before_the_next() {
    let tree = Tree::new(&[("a", "word 1\nx\nword 2\nx\nx\n"), ("b", "x\nword\n")]);
    let shown = |matches, a_file| {
        let query = with(|q| {
            (q.before, q.after) = (1, 2);
            (q.most.matches, q.most.matches_a_file) = (matches, a_file);
        });
        spelled(&tree.search(&query))
    };
    assert_eq!(shown(1, 9), "a\n>1 word 1\n 2 x\n");
    assert_eq!(shown(9, 1), "a\n>1 word 1\n 2 x\nb\n 1 x\n>2 word\n");
    assert_eq!(shown(2, 9), "a\n>1 word 1\n 2 x\n>3 word 2\n 4 x\n 5 x\n");
}

#[test]
fn the_context_of_a_match_that_is_cut_off_goes_with_it() {
    let tree = Tree::new(&[("a", "word\n1\n2\n3\n4\nword\n")]);
    let query = with(|q| {
        (q.before, q.after) = (2, 1);
        q.most.matches = 1;
    });
    assert_eq!(spelled(&tree.search(&query)), "a\n>1 word\n 2 1\n");
    // Two files, the second cut to its first match when all is put together.
    tree.write("b", "word\n1\n2\n3\n4\nword\n");
    let query = with(|q| {
        (q.before, q.after) = (2, 1);
        q.most.matches = 3;
    });
    assert_eq!(
        spelled(&tree.search(&query)),
        "a\n>1 word\n 2 1\n--\n 4 3\n 5 4\n>6 word\nb\n>1 word\n 2 1\n"
    );
}

#[test]
fn a_file_that_is_cut_when_all_is_put_together_ends_before_its_next_match() {
    let tree = Tree::new(&[("a", "word\n"), ("b", "word 1\nword 2\nx\n")]);
    let query = with(|q| {
        q.after = 2;
        q.most.matches = 2;
    });
    assert_eq!(spelled(&tree.search(&query)), "a\n>1 word\nb\n>1 word 1\n");
}

#[test]
fn bytes_are_bounded_in_all_and_for_a_file() {
    // A line costs its text, its anchor and its end: 96 bytes; a file costs 120 and its path.
    let line = format!("word{}\n", "x".repeat(86));
    let tree = Tree::new(&[("a", &line.repeat(5)), ("b", &line), ("c", &line)]);
    let shown = |bytes, a_file| {
        let found = tree.search(&with(|q| {
            (q.most.bytes, q.most.bytes_a_file) = (bytes, a_file);
        }));
        found
            .files
            .iter()
            .map(|file| file.shown().to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(shown(1100, 480), "5 1 1");
    assert_eq!(shown(1100, 479), "4 1 1");
    assert_eq!(shown(1100, 95), "0 0 0");
    assert_eq!(shown(1035, 480), "5 1 1");
    assert_eq!(shown(1034, 480), "5 1");
    assert_eq!(shown(410, 480), "3");
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let tree = Tree::new(&[]);
    for folder in 0..20 {
        for file in 0..30 {
            let text = if (folder * 30 + file) % 7 == 0 {
                "word\nx\nword\nx\n"
            } else {
                "x\n"
            };
            tree.write(&format!("d{folder}/s{}/f{file}.txt", file % 3), text);
        }
        tree.write(&format!("d{folder}.txt"), "word\n");
        tree.write(&format!("d{folder}/nul"), b"\0");
    }
    let ask = |threads, most| {
        tree.search(&with(|query| {
            query.threads = NonZeroUsize::new(threads);
            query.most = most;
            query.after = 1;
        }))
    };
    let small = Most {
        matches: 31,
        files: 17,
        ..Most::default()
    };
    let tiny = Most {
        matches: 3,
        matches_a_file: 1,
        ..Most::default()
    };
    for most in [Most::everything(), Most::default(), small, tiny] {
        let alone = ask(1, most);
        let mut sorted = paths(&alone);
        sorted.sort_unstable_by_key(|path| path.as_bytes());
        assert_eq!(paths(&alone), sorted);
        assert_eq!(alone.totals.searched, 620);
        assert_eq!(
            alone.totals.skipped.get(&hashline_core::Code::Binary),
            Some(&20)
        );
        for _ in 0..5 {
            assert_eq!(ask(8, most), alone);
        }
    }
}
