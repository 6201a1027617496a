//! Whatever a file looks like: install and uninstall give it back.

use hashline_agents::setup::{Agent, OnConflict, Scope, uninstall};
use hashline_wire::Refusal;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, option};

use super::stage::Stage;

/// Blanks between things: on one line, or with comments and endings.
fn gap(ending: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        3 => Just(" ".to_owned()),
        6 => (0_usize..3, any::<bool>()).prop_map(move |(depth, tabs)| {
            let unit = if tabs { "\t" } else { "   " };
            format!("{ending}{}", unit.repeat(depth))
        }),
        1 => Just("/* a \"}, { comment */".to_owned()),
        1 => Just(format!(" // another, \"hl\": {{{ending}")),
    ]
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("true".to_owned()),
        Just("null".to_owned()),
        (-9_i32..999).prop_map(|number| number.to_string()),
        "[a-z{}\\[\\],:/é ]{0,6}".prop_map(|text| format!("\"{text}\"")),
        Just(r#""a\"b\\\u00e9""#.to_owned()),
    ]
}

/// Joins items as a careless hand would: with gaps everywhere, perhaps with a comma at the end.
fn joined(
    [open, close]: [char; 2],
    items: Vec<(String, String, String)>,
    inside: String,
    last_comma: bool,
) -> String {
    let comma_after = |index: usize| index + 1 < items.len() || last_comma;
    let items: Vec<String> = items
        .iter()
        .enumerate()
        .map(|(index, (before, item, after))| {
            let comma = if comma_after(index) { "," } else { "" };
            format!("{before}{item}{after}{comma}")
        })
        .collect();
    format!("{open}{}{inside}{close}", items.concat())
}

fn value(ending: &'static str) -> impl Strategy<Value = String> {
    scalar().prop_recursive(3, 12, 3, move |inner| {
        let element = (gap(ending), inner.clone(), gap(ending));
        let member = (gap(ending), "[a-z]{1,3}", gap(ending), inner, gap(ending)).prop_map(
            |(before, key, gap, value, after)| (before, format!("\"{key}\":{gap}{value}"), after),
        );
        let list = (collection::vec(element, 0..3), gap(ending), any::<bool>())
            .prop_map(|(items, inside, comma)| joined(['[', ']'], items, inside, comma));
        let object = (collection::vec(member, 0..3), gap(ending), any::<bool>())
            .prop_map(|(items, inside, comma)| joined(['{', '}'], items, inside, comma));
        prop_oneof![list, object]
    })
}

/// A settings file: some members, among them perhaps those that setup adds to. None of those is empty: an empty one cannot be told from
/// one that setup made.
fn settings(ending: &'static str) -> impl Strategy<Value = String> {
    let hooks = Just(r#""hooks": {"PreToolUse": [{"matcher": "X", "hooks": [{"type": "command", "command": "x"}]}]}"#.to_owned());
    let other_hooks = Just(format!(
        "\"hooks\": {{{ending}\t\"Stop\": [ 1 ],{ending}\t\"PreToolUse\": [{ending}\t\t2 // x{ending}\t]{ending}\t}}"
    ));
    let allow = Just(r#""permissions": {"deny": [], "allow": ["Bash(ls)"]}"#.to_owned());
    let other_allow = Just(format!(
        "\"permissions\":{{\"allow\":[{ending}\"A\",{ending}\"B\",]}}"
    ));
    let plain = ("[a-z]{4}", value(ending)).prop_map(|(key, value)| format!("\"{key}\" : {value}"));
    let ours = (
        option::of(prop_oneof![hooks, other_hooks]),
        option::of(prop_oneof![allow, other_allow]),
        collection::vec(plain, 1..3),
    );
    let members = ours.prop_map(|(hooks, allow, rest)| {
        rest.into_iter()
            .chain(hooks)
            .chain(allow)
            .collect::<Vec<_>>()
    });
    let gaps = collection::vec((gap(ending), gap(ending)), 5);
    (
        members.prop_shuffle(),
        gaps,
        gap(ending),
        any::<bool>(),
        gap(ending),
    )
        .prop_map(|(members, gaps, inside, comma, after)| {
            let items = members
                .into_iter()
                .zip(gaps)
                .map(|(item, (before, after))| (before, item, after));
            format!(
                "{}{after}",
                joined(['{', '}'], items.collect(), inside, comma)
            )
        })
}

/// A line of TOML, or a table with a head.
fn toml(ending: &'static str) -> impl Strategy<Value = String> {
    let root = prop_oneof![
        Just("model = \"x\"  # with a remark"),
        Just("[[a.b]]"),
        Just("# only a comment"),
        Just(""),
        Just("   "),
        Just("[mcp_servers.other]"),
        Just("[projects.\"/a b\"]"),
        Just("list = [ 1,\n  2, # two\n]"),
        Just("text = '''\n[mcp_servers.hl]\n'''"),
    ];
    (collection::vec(root, 0..8), any::<bool>()).prop_map(move |(lines, last)| {
        let mut seen = Vec::new();
        let mut kept = Vec::new();
        for (index, line) in lines.into_iter().enumerate() {
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            let line = match line.contains(" = ") {
                true => format!("{name}{index} {rest}"),
                false => line.to_owned(),
            };
            if !line.starts_with('[') || line.starts_with("[[") || !seen.contains(&line) {
                seen.push(line.clone());
                kept.push(line.replace('\n', ending));
            }
        }
        let text = kept.join(ending);
        if last {
            format!("{text}{ending}")
        } else {
            text
        }
    })
}

fn round_trip(agent: Agent, name: &str, text: &str, exact_without_receipt: bool) {
    let mut stage = Stage::new(agent, Scope::Project);
    stage.write(name, text);
    stage.install();
    let installed = stage.text(name);
    assert_ne!(installed, text);
    assert!(stage.install().changes.is_empty(), "{installed}");
    stage.uninstall();
    assert_eq!(stage.text(name), text);
    // The same without a receipt: our entries are looked for.
    stage.state = None;
    stage.install();
    stage.uninstall();
    if text.trim().is_empty() {
        // One that was blank cannot be told from one that setup made.
        return;
    }
    let left = stage.text(name);
    if exact_without_receipt {
        assert_eq!(left, text, "{installed}");
    } else {
        assert_eq!(left.trim_end(), text.trim_end(), "{installed}");
    }
}

/// Puts a remark somewhere into a file that is set up; uninstall leaves it there, or refuses a file that it has spoiled.
fn remark_stays(text: &str, nth: usize, remark: &str) {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    let name = ".claude/settings.json";
    stage.write(name, text);
    stage.install();
    let installed = stage.text(name);
    let places: Vec<usize> = installed
        .match_indices([',', '{', '[', '}', ']', '\n'])
        .flat_map(|(at, sign)| [at, at + sign.len()])
        .collect();
    let (before, after) = installed.split_at(places[nth % places.len()]);
    let remarked = format!("{before}{remark}{after}");
    stage.write(name, &remarked);
    match uninstall(stage.options.clone(), stage.state.clone(), OnConflict::Keep) {
        Err(refused) => {
            let told = Refusal::from(&refused).to_string();
            assert!(told.contains("cannot be parsed"), "{told}\n{remarked}");
        }
        Ok(plan) => {
            plan.write().unwrap();
            let left = stage.text(name);
            assert!(left.contains(remark.trim()), "{remarked}\n{left}");
            stage.install();
        }
    }
}

proptest! {
    #[test]
    fn any_remark_stays(
        text in prop_oneof![settings("\n"), settings("\r\n")],
        nth in any::<usize>(),
        remark in prop_oneof![Just("/* m */"), Just(" // m\n"), Just(" // m\r\n")],
    ) {
        remark_stays(&text, nth, remark);
    }

    #[test]
    fn any_json_comes_back(text in prop_oneof![settings("\n"), settings("\r\n")]) {
        round_trip(Agent::Claude, ".claude/settings.json", &text, true);
    }

    #[test]
    fn any_toml_comes_back(text in prop_oneof![toml("\n"), toml("\r\n")]) {
        round_trip(Agent::Codex, ".codex/config.toml", &text, false);
    }

    #[test]
    fn any_text_comes_back(text in "[a-z#<!\\- \r\n]{0,40}") {
        let mut stage = Stage::new(Agent::Gemini, Scope::Project);
        stage.write("GEMINI.md", &text);
        stage.install();
        assert!(stage.install().changes.is_empty());
        stage.uninstall();
        assert_eq!(stage.text("GEMINI.md"), text);
        stage.state = None;
        stage.install();
        stage.uninstall();
        if !text.trim().is_empty() {
            assert_eq!(stage.text("GEMINI.md").trim_end_matches(['\r', '\n']), text.trim_end_matches(['\r', '\n']));
        }
    }
}
