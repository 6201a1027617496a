//! Text that no shell would take: the guard always answers, and says so when it could not tell.

use hashline_agents::guard::{LONGEST, Unsure, Verdict};
use proptest::prelude::*;

use super::recorded::guard;

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
    "$(( $(",
    "a[$(",
    "trap '",
    "env -S '",
    "git -c alias.x='!x' x",
    "python3 -c \"os.system('",
    "perl -e 'qx(",
    "qx(",
    "sed 'w",
    "sed -e 's/a/b/w x\n",
    "awk 'BEGIN{system(\"",
    "exec 3<>a",
    "<<<$(",
    "mapfile x <",
    "printf '%s%s' ",
    "> >(cat ",
    "<&$x",
    "cat /dev/fd/3 3<<<",
    "| tee x",
    "git -c alias.x='!",
    "GIT_EDITOR='",
    "vim -c '!",
    "make --eval='x:;",
    "python3 -c \"import a as b; b",
    "node -e \"{open:o}=",
    "eval('",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_command_lines_are_answered(parts in prop::collection::vec(prop::sample::select(SHELLISH), 0..30)) {
        let _ = guard().judge(&parts.join(" "));
        let _ = guard().judge(&parts.concat());
    }

    #[test]
    fn random_text_is_answered(text in "\\PC{0,60}") {
        let _ = guard().judge(&text);
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

/// Whatever is data and whatever is code, the stack holds.
#[test]
fn deep_text_ends_no_process() {
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
                let _ = guard().judge(&text);
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

/// Parsers have waited for ever on these, or panicked.
#[test]
fn text_that_has_broken_parsers_is_not_shell() {
    for waiting in [
        "}<<\"\"|\\",
        "<<$( (r ",
        "$(<<-  ",
        "x\n<<\"\"(#{`({\t'",
        "cat <<-$[  a| ${ ",
        "a <<-$(( )",
    ] {
        let verdict = guard().judge(waiting);
        assert_eq!(verdict, Verdict::Allow(Some(Unsure::NotShell)), "{waiting}");
    }
}

/// Whatever is repeated up to the limit, the guard comes to an end. A parser that starts over for each repetition would not in a lifetime.
#[test]
fn text_as_long_as_it_may_be_is_answered() {
    let filler = ["", " x ", "\n", "$("];
    for part in SHELLISH {
        for filler in filler {
            let part = format!("{part}{filler}");
            let text = part.repeat(LONGEST / part.len());
            assert!(!guard().judge(&text).name().is_empty(), "{part:?}");
        }
    }
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
