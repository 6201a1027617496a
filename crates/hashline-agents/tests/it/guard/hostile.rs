//! Text that no shell would take: the guard always answers, and says so when it could not tell.

use std::path::Path;
use std::time::Duration;

use hashline_agents::guard::{Guard, LONGEST, Unsure, Verdict};
use proptest::prelude::*;

use super::recorded::{guard, within};

/// What command lines are made of, and what has broken parsers of them.
const SHELLISH: &[&str] = &[
    "<<",
    "<<-",
    "<<<",
    "$(",
    "$((",
    "${",
    "`",
    "(",
    ")",
    "{",
    "}",
    "[[",
    "]]",
    "((",
    "))",
    " ",
    "\t",
    "\n",
    "'",
    "\"",
    "\\",
    "$",
    "x",
    "EOF",
    "cat",
    "a.rs",
    "|",
    "|&",
    "&&",
    "||",
    ";",
    ";;",
    "&",
    ">",
    ">>",
    "<",
    "2>&1",
    "&>",
    "<(",
    ">(",
    "if",
    "then",
    "fi",
    "for",
    "in",
    "do",
    "done",
    "while",
    "case",
    "esac",
    "!",
    "~",
    "*",
    "?",
    "[",
    "]",
    "#",
    "=",
    "a=",
    "$x",
    "$'",
    "!(",
    "@(",
    "$[",
    "function",
    "f()",
    "coproc",
    "time",
    "0",
    "-c",
    "sh",
    "echo",
    "é",
    ",",
    "..",
    "sed -i",
    "python3 -c",
    "open('a','w')",
    "xargs",
    "find . -exec",
    "{}",
    "\\;",
    "+",
    "<<EOF\n",
    "EOF\n",
    "awk '{print > \"",
    "node -e",
    "ruby -e",
    "perl -e",
    "{a,b}",
    "99999999999999999999",
];

/// Random text may find a way to make the parser wait for ever, and then its thread goes on until the tests end: it is left soon, and
/// any answer will do.
fn impatient() -> Guard {
    let repo = Path::new("/repo");
    Guard::new(repo, repo).with_budget(within(Duration::from_secs(1)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_command_lines_are_answered(parts in prop::collection::vec(prop::sample::select(SHELLISH), 0..30)) {
        let _ = impatient().judge(&parts.join(" "));
        let _ = impatient().judge(&parts.concat());
    }

    #[test]
    fn random_text_is_answered(text in "\\PC{0,60}") {
        let _ = impatient().judge(&text);
    }

    #[test]
    fn a_quoted_word_is_never_a_write(text in "[^']{0,60}") {
        let verdict = guard().judge(&format!("echo '{text}'"));
        prop_assert!(matches!(verdict, Verdict::Allow(_)), "{verdict:?}");
    }

    #[test]
    fn a_write_stays_one_in_company(parts in prop::collection::vec("[a-z]{1,8}", 0..6)) {
        let before = parts.iter().map(|word| format!("echo {word}; ")).collect::<String>();
        let verdict = guard().judge(&format!("{before}sed -i s/a/b/ src/main.rs && true"));
        prop_assert_eq!(verdict.name(), "write-bypass");
    }
}

#[test]
fn text_that_is_too_long_is_not_parsed() {
    let longest = format!("cat {}", "a".repeat(LONGEST - 4));
    assert_eq!(guard().judge(&longest).name(), "read-bypass");
    assert_eq!(
        guard().judge(&format!("{longest}a")),
        Verdict::Allow(Some(Unsure::TooLong))
    );
}

/// The rough reading that leaves out data may be wrong about what is code; whatever it is, the parser's stack holds.
#[test]
fn what_looks_like_data_ends_no_process() {
    for before in [
        "echo '",
        "echo \"",
        "cat <<'E'\n",
        "bash -c '",
        "bash <<'E'\n",
        "",
    ] {
        for deep in ["(", "{ ", "[", "$(", "[[ ", "${x:-", "((", "<(", "a=("] {
            let deep = deep.repeat(3900 / deep.matches(['(', '{', '[']).count().max(1));
            for text in [format!("{before}{deep}"), format!("{before}{deep}'\nE\n")] {
                let _ = impatient().judge(&text);
            }
        }
    }
}

#[test]
fn text_that_is_too_deep_is_not_parsed() {
    for deep in ["(", "$(", "{ ", "if "] {
        let verdict = guard().judge(&deep.repeat(10_000));
        assert_eq!(verdict, Verdict::Allow(Some(Unsure::TooDeep)), "{deep}");
    }
}

#[test]
fn text_on_which_the_parser_would_wait_for_ever_is_answered() {
    for waiting in [
        "}<<\"\"|\\",
        "<<$( (r ",
        "$(<<-  ",
        "x\n<<\"\"(#{`({\t'",
        "cat <<-$[  a| ${ ",
    ] {
        let verdict = guard().judge(waiting);
        assert_eq!(verdict, Verdict::Allow(Some(Unsure::NotShell)), "{waiting}");
    }
}

#[test]
fn a_parser_that_panics_is_caught() {
    let verdict = guard().judge("a <<-$(( )");
    assert_eq!(verdict, Verdict::Allow(Some(Unsure::Crashed)));
}

#[test]
fn nesting_that_a_person_could_write_is_followed() {
    let nested = |open: &str, close: &str, times: usize| {
        format!("{}cat a.rs{}", open.repeat(times), close.repeat(times))
    };
    for text in [
        nested("{ ", "; }", 100),
        nested("( ", " )", 10),
        nested("if true; then ", "; fi", 400),
        nested("for x in a; do ", "; done", 400),
        nested("echo \"$(", ")\"", 10),
    ] {
        assert_eq!(guard().judge(&text).name(), "read-bypass", "{text}");
    }
}
