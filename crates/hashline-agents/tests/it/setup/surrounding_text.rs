//! What stands around ours reads the same whatever comes and goes: other keys, other items, comments.

use hashline_agents::setup::{Agent, OnConflict, Scope, uninstall, words};
use hashline_wire::Refusal;
use serde_json::{Value, json};

use super::stage::Stage;

const CONFIG: &str = ".codex/config.toml";
const SETTINGS: &str = ".claude/settings.json";

fn forced(stage: &Stage) {
    stage.plan(OnConflict::Replace).unwrap().write().unwrap();
}

fn forced_uninstall(stage: &Stage) {
    let plan = uninstall(
        stage.options.clone(),
        stage.state.clone(),
        OnConflict::Replace,
    );
    plan.unwrap().write().unwrap();
}

/// Returns the words of a JSON text with comments: everything but blanks and commas, with a line feed behind a comment that needs one.
fn dense(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let end = if line.contains("//") { "\n" } else { "" };
        let line: String = line.split([',', ' ', '\t']).collect();
        format!("{line}{end}")
    });
    lines.collect()
}

#[test]
fn keys_with_dots_stay_what_they_are() {
    let cases = [
        "mcp_servers.hl.command = \"other\"\nmcp_servers.docs.command = \"docs\"\nmodel = \"gpt-5\"\n",
        "mcp_servers.hl.command = \"other\"\nmodel = \"gpt-5\"\nmcp_servers.hl.args = [\n  \"a\",\n]\nmcp_servers.docs.command = \"docs\"\n",
        "[mcp_servers]\nhl.command = \"other\" # mine\nhl.env.A = \"1\"\ndocs.command = \"docs\"\n\n[z]\nmodel = \"gpt-5\"\n",
        "mcp_servers.hl.env.A = \"1\"\nmcp_servers.docs.command = \"docs\"\nmodel = \"gpt-5\"\n",
        "[mcp_servers.hl]\ncommand = \"other\"\n\n[mcp_servers.docs]\ncommand = \"docs\"\n\n[[mcp_servers.hl.tools]]\na = 1\n\n[z]\nmodel = \"gpt-5\"\n",
        "[mcp_servers.hl.env]\nA = \"1\"\n\n[mcp_servers.docs]\ncommand = \"docs\"\n\n[z]\nmodel = \"gpt-5\"\n",
    ];
    for text in cases {
        let stage = Stage::new(Agent::Codex, Scope::Project);
        stage.write(CONFIG, text);
        forced(&stage);
        let with = stage.text(CONFIG);
        forced(&stage);
        assert_eq!(stage.text(CONFIG), with, "a second time");
        let read = toml_of(&with);
        assert_eq!(
            read["mcp_servers"]["docs"],
            json!({"command": "docs"}),
            "{with}"
        );
        let model = read.get("model").or_else(|| read.get("z")?.get("model"));
        assert_eq!(model, Some(&json!("gpt-5")), "{with}");
        assert_eq!(read["mcp_servers"]["hl"]["command"], "hashline", "{with}");
        assert!(read["mcp_servers"]["hl"].get("env").is_none(), "{with}");
        stage.uninstall();
        assert_eq!(stage.text(CONFIG), text);
        // The same when the file was touched.
        forced(&stage);
        stage.write(CONFIG, format!("# mine\n{}", stage.text(CONFIG)));
        stage.uninstall();
        let left = toml_of(&stage.text(CONFIG));
        assert_eq!(left, toml_of(text), "{}", stage.text(CONFIG));
    }
}

#[test]
fn ours_with_dots_is_brought_up_to_date_in_its_place() {
    let stage = Stage::new(Agent::Codex, Scope::Project);
    let text = "# a\nmcp_servers.hl.command = \"/old/hashline\"\nmcp_servers.hl.args = [\"mcp\"]\nmcp_servers.hl.startup_timeout_sec = 10\nmcp_servers.hl.tool_timeout_sec = 60\nmcp_servers.hl.default_tools_approval_mode = \"approve\"\nmodel = \"gpt-5\"\n";
    stage.write(CONFIG, text);
    stage.install();
    let expected = text.replace("/old/hashline", "hashline");
    let expected = expected.replace("approve", "writes");
    assert_eq!(stage.text(CONFIG), expected);
}

#[test]
fn what_cannot_be_told_apart_is_refused() {
    let cases = [
        ("[[mcp_servers.hl]]\ncommand = \"x\"\n", "is not a table"),
        (
            "mcp_servers = { hl.command = \"x\", docs.command = \"docs\" }\nmodel = 1\n",
            "cannot be changed without",
        ),
    ];
    for (text, why) in cases {
        let stage = Stage::new(Agent::Codex, Scope::Project);
        stage.write(CONFIG, text);
        let refused = stage.plan(OnConflict::Replace).unwrap_err();
        assert_eq!(refused.code().as_str(), "bad_agent_file", "{text}");
        let told = Refusal::from(&refused).to_string();
        assert!(told.contains(why), "{told}");
    }
}

#[test]
fn an_item_behind_ours_does_not_fall_into_a_comment() {
    let cases = [
        // In the middle, first, last.
        (
            "\"Bash(ls:*)\", // list files\n\"Bash(hashline:*)\", \"Bash(cargo:*)\"",
            "\"Bash(ls:*)\", // list files\n\"Bash(cargo:*)\"",
        ),
        (
            "// list files\n\"Bash(hashline:*)\", \"Bash(cargo:*)\"",
            "// list files\n\"Bash(cargo:*)\"",
        ),
        (
            "\"Bash(cargo:*)\", // list files\n\"Bash(hashline:*)\" // mine",
            "\"Bash(cargo:*)\" // list files\n// mine",
        ),
        // Comments before ours, behind it, and before its comma.
        (
            "\"Bash(ls:*)\", /* a */ \"Bash(hashline:*)\" /* b */, \"Bash(cargo:*)\"",
            "\"Bash(ls:*)\", /* a */ /* b */ \"Bash(cargo:*)\"",
        ),
        (
            "\"Bash(hashline:*)\" /* b */, /* c */\n\"Bash(cargo:*)\"",
            "/* b */ /* c */\n\"Bash(cargo:*)\"",
        ),
        (
            "\"Bash(ls:*)\" /* a */, \"Bash(hashline:*)\"",
            "\"Bash(ls:*)\" /* a */",
        ),
        ("/* a */ \"Bash(hashline:*)\" /* b */,", "/* a */ /* b */"),
        ("// a\n\"Bash(hashline:*)\"", "// a\n"),
    ];
    let server = r#""hooks": {"PreToolUse": [{"matcher": "Edit|Write|MultiEdit|Bash", "hooks": [{"type": "command", "command": "hashline", "args": ["hook"], "timeout": 10}]}]}"#;
    for (with, without) in cases {
        for ending in ["\n", "\r\n"] {
            let file = |list: &str, hooks: &str| {
                let list = list.replace('\n', ending);
                format!(
                    "{{\"permissions\": {{\"deny\": [1], \"allow\": [{list}{ending}]}}{hooks}}}{ending}"
                )
            };
            let stage = Stage::new(Agent::Claude, Scope::Project);
            stage.write(SETTINGS, file(with, &format!(", {server}")));
            stage.uninstall();
            let (left, expected) = (stage.text(SETTINGS), file(without, ""));
            assert_eq!(dense(&left), dense(&expected), "{left}");
        }
    }
}

#[test]
fn uninstall_reads_what_a_person_wrote_behind_our_group() {
    let before =
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      // my hooks go here\n    ]\n  }\n}\n";
    let theirs = "{\"matcher\": \"X\", \"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}";
    for behind in [format!(", {theirs}\n    ]"), "]".to_owned()] {
        let stage = Stage::new(Agent::Claude, Scope::Project);
        stage.write(SETTINGS, before);
        stage.install();
        let text = stage.text(SETTINGS);
        let changed = text.replacen("\n    ]", &behind, 1);
        assert_ne!(changed, text);
        stage.write(SETTINGS, changed);
        assert_eq!(stage.uninstall().kept, []);
        let left = stage.text(SETTINGS);
        assert!(left.contains("// my hooks go here\n"), "{left}");
        assert!(!left.contains("hashline"), "{left}");
        assert_eq!(left.contains(theirs), behind.contains(theirs), "{left}");
        assert!(stage.plan(OnConflict::Keep).is_ok(), "{left}");
    }
}

#[test]
fn comments_in_an_empty_list_stay() {
    let cases = [
        "{\"hooks\": {\"PreToolUse\": [/* mine */]}}\n",
        "{\"hooks\": { /* a */ /* b */ }, \"permissions\": {/* c */}}\n",
        "{ /* a */ }\n",
    ];
    for text in cases {
        let mut stage = Stage::new(Agent::Claude, Scope::Project);
        stage.write(SETTINGS, text);
        stage.install();
        let with = stage.text(SETTINGS);
        for comment in text
            .split("/*")
            .skip(1)
            .filter_map(|part| part.split("*/").next())
        {
            assert!(with.contains(&format!("/*{comment}*/")), "{with}");
        }
        assert!(stage.install().changes.is_empty());
        stage.state = None;
        stage.uninstall();
        assert_eq!(dense(&stage.text(SETTINGS)), dense(text));
    }
}

#[test]
fn what_a_person_put_into_our_entry_stays_unless_forced() {
    let env = |text: &str| {
        text.replacen(
            "\"hl\": {",
            "\"hl\": {\n      \"env\": {\"TOKEN\": \"x\"},",
            1,
        )
    };
    let remark = |text: &str| text.replacen("\"hl\": {", "\"hl\": { // mine", 1);
    let behind_key = |text: &str| text.replacen("\"hl\": {", "\"hl\": /* mine */ {", 1);
    let more = |text: &str| format!("{text}\n[mcp_servers.hl.env]\nTOKEN = \"x\"\n");
    let fallen = |text: &str| format!("{text}model = \"gpt-5\"\n");
    let comment = |text: &str| text.replacen("args", "# mine\nargs", 1);
    type Edit<'a> = &'a dyn Fn(&str) -> String;
    let cases: [(Agent, &str, &str, Edit<'_>); 6] = [
        (Agent::Claude, ".mcp.json", "mcpServers.hl", &env),
        (Agent::Claude, ".mcp.json", "mcpServers.hl", &remark),
        (Agent::Claude, ".mcp.json", "mcpServers.hl", &behind_key),
        (Agent::Codex, CONFIG, "mcp_servers.hl", &more),
        (Agent::Codex, CONFIG, "mcp_servers.hl", &fallen),
        (Agent::Codex, CONFIG, "mcp_servers.hl", &comment),
    ];
    for (agent, name, entry, edit) in cases {
        for receipts in [true, false] {
            let mut stage = Stage::new(agent, Scope::Project);
            stage.install();
            let edited = edit(&stage.text(name));
            stage.write(name, &edited);
            // Another setup does not forget it.
            stage.install();
            assert_eq!(stage.text(name), edited);
            if !receipts {
                stage.state = None;
            }
            let plan = stage.uninstall();
            assert_eq!(stage.text(name), edited);
            let told = words::summary(&plan);
            assert!(told.contains(entry) && told.contains("--force"), "{told}");
            forced_uninstall(&stage);
            assert!(stage.tree().is_empty(), "{:?}", stage.tree());
        }
    }
}

#[test]
fn what_a_person_put_into_our_entry_outlives_a_newer_setup() {
    let mut stage = Stage::new(Agent::Gemini, Scope::Project);
    stage.install();
    let text = stage.text(".gemini/settings.json");
    let edited = text.replacen(
        "\"hl\": {",
        "\"hl\": {\n      \"env\": {\"TOKEN\": \"x\"},",
        1,
    );
    stage.write(".gemini/settings.json", edited);
    "/opt/bin/hashline".clone_into(&mut stage.options.command);
    assert!(!stage.install().changes.is_empty());
    assert_eq!(stage.uninstall().kept.len(), 1);
    let left: Value = serde_json::from_str(&stage.text(".gemini/settings.json")).unwrap();
    assert_eq!(left["mcpServers"]["hl"]["env"]["TOKEN"], "x");
    assert!(left.get("hooks").is_none(), "{left}");
}

/// Reads TOML as JSON.
fn toml_of(text: &str) -> Value {
    fn value(item: &toml_edit::Item) -> Value {
        if let Some(table) = item.as_table_like() {
            let pairs = table.iter();
            return pairs
                .map(|(key, item)| (key.to_owned(), value(item)))
                .collect();
        }
        if let Some(tables) = item.as_array_of_tables() {
            let tables = tables.iter().cloned();
            return tables
                .map(|table| value(&toml_edit::Item::Table(table)))
                .collect();
        }
        let plain = item.as_value().unwrap();
        plain
            .as_str()
            .map_or_else(|| json!(plain.to_string().trim()), Value::from)
    }
    let document: toml_edit::DocumentMut = text.parse().unwrap();
    value(document.as_item())
}
