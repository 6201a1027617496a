//! Tests of the shell parser: each case is a text and its syntax tree, written in one line.

use super::*;

/// Formats a syntax tree in one line: words in brackets, groups in braces, redirections by descriptor, substitutions after their word.
fn shown(script: &Script) -> String {
    let step = |step: &PipelineStep| {
        let command = match &step.command {
            ShellCommand::Simple { assigned, words } => {
                let assigned: String = assigned
                    .iter()
                    .map(|(_, w)| format!("={}", word(w)))
                    .collect();
                assigned + &words.iter().map(word).collect::<String>()
            }
            ShellCommand::Group { words, scripts, .. } => {
                let words: String = words.iter().map(word).collect();
                let scripts: Vec<String> = scripts.iter().map(shown).collect();
                format!("{words}{{{}}}", scripts.join("; "))
            }
            ShellCommand::Loop { condition, body } => {
                format!("while {} do {}", shown(condition), shown(body))
            }
        };
        command + &step.redirects.iter().map(redirect).collect::<String>()
    };
    let pipeline = |steps: &Vec<PipelineStep>| steps.iter().map(step).collect::<Vec<_>>().join("|");
    script
        .pipelines
        .iter()
        .map(pipeline)
        .collect::<Vec<_>>()
        .join("; ")
}

fn word(word: &Word) -> String {
    let pieces = word.pieces().iter().map(|piece| match piece {
        WordPiece::Text(text) => text.clone(),
        WordPiece::Glob(text) => format!("<{text}>"),
        WordPiece::Hole(
            Hole::Variable {
                name,
                is_beginning: true,
                ..
            },
            _,
        ) => format!("${name}"),
        WordPiece::Hole(Hole::Variable { .. }, _) => "$".to_owned(),
        WordPiece::Hole(Hole::Home, _) => "~".to_owned(),
        WordPiece::Hole(..) => "?".to_owned(),
    });
    let pieces: String = pieces.collect();
    let scripts: String = word
        .scripts()
        .map(|(_, s)| format!("({})", shown(s)))
        .collect();
    format!("[{pieces}]{scripts}")
}

fn redirect(Redirect { fd, target }: &Redirect) -> String {
    match target {
        RedirectTarget::Input(file) => format!(" {fd}<{}", word(file)),
        RedirectTarget::InputOutput(file) => format!(" {fd}<>{}", word(file)),
        RedirectTarget::Output(file) => format!(" {fd}>{}", word(file)),
        RedirectTarget::Both(file) => format!(" &>{}", word(file)),
        RedirectTarget::Duplicate(other) => format!(" {fd}&{other:?}"),
        RedirectTarget::Here(HereText::String(text)) => format!(" {fd}<<<{}", word(text)),
        RedirectTarget::Here(here @ HereText::Document { literal, .. }) => {
            let quote = if *literal { "'" } else { "" };
            format!(" {fd}<<{quote}{:?}", here.written())
        }
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let script = parse(text).map(|script| shown(&script));
        assert_eq!(script.as_deref(), Ok(*expected), "{text}");
    }
}

#[test]
fn quotes_are_removed_and_what_is_computed_is_a_hole() {
    check(&[
        (r#"c"a"'t' \a\ b"#, "[cat][a b]"),
        (r"echo $'a\tb' $'it\'s'", "[echo][a\tb][it's]"),
        (r#"echo "$x/a" "\$x \a \"""#, r#"[echo][$x/a][$x \a "]"#),
        (
            "echo a$(b c)d `e \\`f\\``",
            "[echo][a?d]([b][c])[?]([e][?]([f]))",
        ),
        ("echo $((1<<2)) $[3] $1 $ ", "[echo][?][?][$][$]"),
        (
            "cat ${x} ${x%.*} ${x:-$(a)} ${x#y} ${!x} ${#x}",
            "[cat][$x][$x][$x]([a])[$][$][$]",
        ),
        (
            "cat \"${x:-'}\" \"${x:-\"(\"}\" ${y//\\}/a}",
            "[cat][$x][$x][$]",
        ),
        ("cat ~ ~/a ~me/b a~ '~'", "[cat][~][~/a][~/b][a~][~]"),
        ("diff <(a) >(b)", "[diff][?]([a])[?]([b])"),
        ("cat a\\\nb \\\n c # d\n", "[cat][ab][c]"),
        ("echo a#b \"  c\nd\"", "[echo][a#b][  c\nd]"),
    ]);
}

#[test]
fn globs_are_told_from_text() {
    check(&[
        (
            "cat src/[ab]*.rs 'a*' \\*",
            "[cat][src/<[ab]><*>.rs][a*][*]",
        ),
        (
            "[ -f x ] && cat !(a|b).c",
            "[[][-f][x][]]; [cat][<!(a|b)>.c]",
        ),
    ]);
}

#[test]
fn a_list_in_braces_is_several_words() {
    check(&[
        ("cp a{.orig,}", "[cp][a.orig][a]"),
        (
            "ls {a,b}/{c,d} ../{a,b}",
            "[ls][a/c][a/d][b/c][b/d][../a][../b]",
        ),
        ("ls {a,{b,c}d}", "[ls][a][bd][cd]"),
        (
            "ls {} a{b}c '{a,b}' ${x} {1..3}, {a",
            "[ls][{}][a{b}c][{a,b}][$x][{1..3},][{a]",
        ),
    ]);
    let many = format!("ls {}", "{a,b}".repeat(8));
    check(&[(&many, &format!("[ls][{}]", "{a,b}".repeat(8)))]);
}

#[test]
fn compound_commands_are_their_scripts() {
    check(&[
        (
            "if a; then b; elif c; then d; else e; fi > f",
            "{[a]; [b]; [c]; [d]; [e]} 1>[f]",
        ),
        (
            "for x in a *.c; do b; done; for ((;;)); do c; done",
            "[a][<*>.c]{[b]}; {[c]}",
        ),
        (
            "for x; { a; }\nselect y in b; do c; done",
            "{[a]}; [b]{[c]}",
        ),
        (
            "while read x; do a; done < b",
            "while [read][x] do [a] 0<[b]",
        ),
        (
            "f() { a; } > b; function g { c; }; h() ( d )",
            "{[a]} 1>[b]; {[c]}; {[d]}",
        ),
        (
            "((a > b)) && ( (c) ) | { d; } |& e",
            "{}; {{[c]}}|{[d]} 2&Some(1)|[e]",
        ),
        (
            "[[ a > b && ( -f $(c) ) ]] |& d",
            "[a][b][-f][?]([c]){} 2&Some(1)|[d]",
        ),
        ("[[ $x =~ ^a(b|c)$ ]]", "[$x][=~][^a][b][c][$]{}"),
        (
            "! time -p a; time { b; }; time -f x c; coproc d; coproc e { f; }",
            "[a]; {[b]}; [time][-f][x][c]; [d]; {[f]}",
        ),
        (
            "a=1 b=(c $(d)) e=f g h=i j=(k)",
            "=[1]=[c]=[?]([d])=[f][g][h=i][k]",
        ),
        ("a;b&c\nd||e", "[a]; [b]; [c]; [d]; [e]"),
    ]);
}

#[test]
fn the_brackets_of_case_patterns_close_nothing() {
    check(&[
        ("echo $(case x in a) b;; esac)", "[echo][?]([x]{[b]})"),
        ("case x in a|b) c;; (d) e;& f) esac", "[x]{[c]; [e]; }"),
        ("case $x in @(a|b)) c;; esac", "[$x]{[c]}"),
        ("case x in # a)\n b) c ;; # d\n e) esac", "[x]{[c]; }"),
        ("a \"$(case x in 'a)') b;; esac)\"", "[a][?]([x]{[b]})"),
        ("case x in a) case y in b) c;; esac;; esac", "[x]{[y]{[c]}}"),
        ("(if case x in a) b;; esac then c; fi)", "{{[x]{[b]}; [c]}}"),
        ("echo case; echo esac", "[echo][case]; [echo][esac]"),
    ]);
}

#[test]
fn redirections_lead_descriptors() {
    check(&[
        (
            "a > b 2>&1 3<&- >&2 2>>c >| d <> e",
            "[a] 1>[b] 2&Some(1) 3&None 1&Some(2) 2>[c] 1>[d] 0<>[e]",
        ),
        (
            "a &> b &>> c >& d 2>& e >&$f",
            "[a] &>[b] &>[c] &>[d] 2>[e] 1&Some(10)",
        ),
        ("> a 2>b c", "[c] 1>[a] 2>[b]"),
        ("{fd}>a b {fd}> c", "[b] 10>[a] 10>[c]"),
        ("a {b} > c 2 >d", "[a][{b}][2] 1>[c] 1>[d]"),
        ("cat <<< \"a $(b)\"", "[cat] 0<<<[a ?]([b])"),
    ]);
}

#[test]
fn heredocs_are_read_after_the_line_of_their_operator() {
    check(&[
        (
            "cat <<E > \"${x}\"\na\nE\nls",
            "[cat] 0<<\"a\\n\" 1>[$x]; [ls]",
        ),
        ("cat <<'E'\n:(\nE", "[cat] 0<<'\":(\\n\""),
        ("cat <<\\E\n$(\nE\n", "[cat] 0<<'\"$(\\n\""),
        ("cat <<-\"E F\"\n\ta\n\tE F\n", "[cat] 0<<'\"a\\n\""),
        (
            "cat 3<<E'O'F<<B;ls\na\nEOF\nb\nB\n",
            "[cat] 3<<'\"a\\n\" 0<<\"b\\n\"; [ls]",
        ),
        (
            "a \"$(cat <<E\n)'\nE\n)\" b",
            "[a][?]([cat] 0<<\")'\\n\")[b]",
        ),
        ("(cat <<E) > a\nb\nE\n", "{[cat] 0<<\"b\\n\"} 1>[a]"),
        (
            "cat <<E \"\nx\" $(a\nb)\nc\nE\n",
            "[cat][\nx][?]([a]; [b]) 0<<\"c\\n\"",
        ),
        ("cat <<E $((1<<2)) # <<F\nc\nE\n", "[cat][?] 0<<\"c\\n\""),
        (
            "a $(case x in a) cat <<E;; esac)\nc\nE\n",
            "[a][?]([x]{[cat] 0<<\"c\\n\"})",
        ),
        ("a `cat <<E\na\nE\n`", "[a][?]([cat] 0<<\"a\\n\")"),
        ("cat <<E\na\\\nE\nE\n", "[cat] 0<<\"a\\\\\\nE\\n\""),
        (
            "cat <<E <<< \"it's\"\na\nE\n",
            "[cat] 0<<\"a\\n\" 0<<<[it's]",
        ),
        ("cat <<E \"${x:-'}\"\na\nE\n", "[cat][$x] 0<<\"a\\n\""),
        ("cat <<''\na\n\nls", "[cat] 0<<'\"a\\n\"; [ls]"),
        (
            "echo '<<E' \"<<E\" ${x:-<<E} # <<E\n",
            "[echo][<<E][<<E][$x]",
        ),
        ("(( a << b ))", "{}"),
    ]);
}

#[test]
fn what_is_not_whole_is_not_shell() {
    for text in [
        "cat 'a",
        "cat \"a",
        "cat $'a",
        "cat `a",
        "cat $(a",
        "cat ${a",
        "a |",
        "a &&",
        "( a",
        "{ a; ",
        "if a; then b",
        "fi",
        "}",
        "a )",
        "a;; b",
        "; a",
        "a (b)",
        "for x in a; b",
        "case x in a) b",
        "[[ a",
        "a >",
        "> >",
        "cat <<E",
        "cat <<E\na",
        "cat <<E 'a\nE\n",
        "cat <<\nE\n",
        "a $(cat <<E\na\nE)",
        "a=(b",
        "cat !(a",
        "\u{e9} <<",
    ] {
        assert_eq!(parse(text).err(), Some(Unsure::NotShell), "{text}");
    }
}

#[test]
fn notes_and_programs_in_quotes_and_heredocs_are_not_deep() {
    for line in [
        "if (a[0]) { b({ c: [1] }); }\n",
        ":(\n",
        "echo -e \\033[1mx\\033[0m\n",
        "[ => Open,\n",
        "if it is so $( \n",
    ] {
        for text in [
            format!("cat > a <<'E'\n{}E\n", line.repeat(500)),
            format!("echo '{}'", line.repeat(500)),
        ] {
            assert!(parse(&text).is_ok(), "{line}");
        }
    }
}

#[test]
fn a_thousand_open_brackets_are_too_deep() {
    for (open, times) in [
        ("(", 1000),
        ("$(", 60),
        ("if ", 5000),
        ("\"${x:-", 60),
        ("f() ", 600),
        ("{ ", 600),
    ] {
        assert_eq!(
            parse(&open.repeat(times)).err(),
            Some(Unsure::TooDeep),
            "{open}"
        );
    }
}
