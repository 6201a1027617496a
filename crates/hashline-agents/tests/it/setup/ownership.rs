//! Whose something is: what a person has stays theirs through setup and uninstall, and what setup wrote goes wherever it stands.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use hashline_agents::setup::{
    Agent, EditRights, OnConflict, Scope, SetupLock, SetupOptions, install, uninstall, words,
};
use hashline_core::dialect::Dialect;
use serde_json::{Value, json};

use super::stage::Stage;

const SETTINGS: &str = ".claude/settings.json";

/// Puts a remark at the top, so that the file is not as setup left it.
fn touch(stage: &Stage, name: &str, remark: &str) {
    let text = stage.text(name);
    stage.write(name, format!("{remark}\n{text}"));
}

fn forced_uninstall(stage: &Stage) {
    let plan = uninstall(
        stage.options.clone(),
        stage.state.clone(),
        OnConflict::Replace,
    );
    plan.unwrap().write().unwrap();
}

fn value(stage: &Stage, name: &str) -> Value {
    serde_json::from_str(&stage.text(name)).unwrap()
}

#[test]
fn a_permission_that_was_there_before_stays() {
    let files = [
        "{\n  \"permissions\": {\"allow\": [\"Bash(hashline read:*)\"]}\n}\n",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"mcp__hl__*\",\n      \"Bash(ls:*)\"\n    ]\n  }\n}\n",
    ];
    for text in files {
        let stage = Stage::new(Agent::Claude, Scope::Project);
        stage.write(SETTINGS, text);
        stage.install();
        stage.uninstall();
        assert_eq!(stage.text(SETTINGS), text);
        assert!(stage.uninstall().changes.is_empty(), "a second time");
        stage.install();
        touch(&stage, SETTINGS, "// mine");
        stage.uninstall();
        let text = format!("// mine\n{text}");
        assert_eq!(stage.text(SETTINGS), text, "the file was touched");
        assert!(stage.uninstall().changes.is_empty(), "a second time");
    }
}

#[test]
fn what_setup_wrote_goes_though_it_would_write_elsewhere_now() {
    for is_touched in [false, true] {
        let stage = Stage::new(Agent::Gemini, Scope::Project);
        stage.install();
        let settings = stage.text(".gemini/settings.json");
        let named = settings.replacen('{', "{ \"context\": {\"fileName\": \"AGENTS.md\"},", 1);
        stage.write(".gemini/settings.json", named);
        if is_touched {
            touch(&stage, "GEMINI.md", "Mine.");
            // What was written elsewhere is not forgotten by another setup either.
            stage.install();
        }
        let plan = stage.uninstall();
        assert_eq!(plan.kept, []);
        assert!(!stage.path("AGENTS.md").exists());
        match is_touched {
            false => assert!(!stage.path("GEMINI.md").exists()),
            true => assert_eq!(stage.text("GEMINI.md"), "Mine.\n"),
        }
    }
}

#[test]
fn what_a_person_wrote_into_a_section_is_kept_and_named() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.write("CLAUDE.md", "# Mine\n");
    stage.install();
    let edited = stage.text("CLAUDE.md");
    let edited = edited.replace("\n<!-- /", "\nOur rule.\n<!-- /");
    stage.write("CLAUDE.md", &edited);
    for _ in 0..2 {
        let plan = stage.uninstall();
        assert_eq!(stage.text("CLAUDE.md"), edited);
        let told = words::summary(&plan);
        assert!(told.contains("the section for claude"), "{told}");
        assert!(told.contains("left") && told.contains("--force"), "{told}");
    }
    forced_uninstall(&stage);
    assert_eq!(stage.text("CLAUDE.md"), "# Mine\n");
    assert_eq!(stage.tree().len(), 1, "{:?}", stage.tree());
}

#[test]
fn force_takes_nothing_that_is_somebody_elses() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.install();
    let mut settings = value(&stage, SETTINGS);
    let mine = json!({"type": "command", "command": "mine"});
    let hooks = &mut settings["hooks"]["PreToolUse"][0]["hooks"];
    hooks.as_array_mut().unwrap().push(mine.clone());
    stage.write(SETTINGS, settings.to_string());
    assert_eq!(stage.install().kept.len(), 1);
    stage.plan(OnConflict::Replace).unwrap().write().unwrap();
    let groups = value(&stage, SETTINGS)["hooks"]["PreToolUse"].clone();
    assert_eq!(groups[0]["hooks"], json!([mine]));
    assert_eq!(groups[1]["hooks"][0]["command"], "hashline");
    assert_eq!(groups.as_array().map(Vec::len), Some(2));
    assert!(stage.install().kept.is_empty());
    stage.uninstall();
    let left = value(&stage, SETTINGS);
    assert_eq!(left["hooks"]["PreToolUse"][0]["hooks"], json!([mine]));
    assert!(!left.to_string().contains("hashline"), "{left}");
}

#[test]
fn what_force_replaced_is_given_back_though_the_file_was_touched() {
    let theirs = [
        (
            Agent::Claude,
            ".mcp.json",
            "//",
            "{\n  \"mcpServers\": {\n    \"hl\": { \"command\": \"highlight\" } // mine\n  }\n}\n",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "#",
            "a = 1\n\n[mcp_servers.hl]\ncommand = \"highlight\" # mine\n\n[z]\nb = 1\n",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "#",
            "[mcp_servers]\nhl = { command = \"highlight\" }\n",
        ),
    ];
    for (agent, name, remark, text) in theirs {
        let stage = Stage::new(agent, Scope::Project);
        stage.write(name, text);
        stage.plan(OnConflict::Replace).unwrap().write().unwrap();
        assert!(!stage.text(name).contains("highlight"));
        touch(&stage, name, remark);
        stage.uninstall();
        assert_eq!(stage.text(name), format!("{remark}\n{text}"));
    }
}

#[test]
fn a_hook_line_with_something_around_it_is_ours_and_kept() {
    let lines = [
        "HASHLINE_HOOK_TIME=200 hashline hook",
        "hashline hook --session x",
        "exec hashline hook",
        "hashline hook 2>/dev/null || true",
        "command -v hashline >/dev/null && hashline hook || true",
    ];
    for line in lines {
        let mut stage = Stage::new(Agent::Codex, Scope::Project);
        stage.install();
        let hooks = stage.text(".codex/hooks.json");
        stage.write(".codex/hooks.json", hooks.replace("hashline hook", line));
        let plan = stage.install();
        assert!(plan.changes.is_empty(), "{line}: {:?}", plan.changes);
        assert_eq!(plan.kept.len(), 3, "{line}");
        // In a clone there is no receipt.
        let receipts = stage.state.take();
        assert!(stage.plan(OnConflict::Keep).unwrap().changes.is_empty());
        stage.state = receipts;
        assert_eq!(stage.uninstall().kept.len(), 3, "{line}");
        forced_uninstall(&stage);
        assert!(stage.tree().is_empty(), "{line}: {:?}", stage.tree());
    }
}

#[test]
fn a_hook_that_a_person_wrote_before_setup_stays_theirs() {
    let stage = Stage::new(Agent::Codex, Scope::Project);
    let mine = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "exec hashline hook"}]}]}}"#;
    stage.write(".codex/hooks.json", mine);
    assert_eq!(stage.install().kept.len(), 1);
    let plan = stage.uninstall();
    assert_eq!(plan.kept.len(), 1, "it still runs hashline");
    assert_eq!(stage.text(".codex/hooks.json"), mine);
    stage.install();
    forced_uninstall(&stage);
    assert!(!stage.text(".codex/hooks.json").contains("hashline"));
}

#[test]
fn lines_of_an_earlier_setup_are_brought_up_to_date_in_a_clone() {
    for agent in [Agent::Claude, Agent::Codex, Agent::Gemini] {
        let mut stage = Stage::new(agent, Scope::Project);
        stage.state = None;
        "/opt/a b/hashline".clone_into(&mut stage.options.command);
        stage.install();
        "hashline".clone_into(&mut stage.options.command);
        let plan = stage.install();
        assert_eq!(plan.kept, [], "{}", agent.name());
        for file in plan.changes {
            let text = String::from_utf8(file.after.unwrap()).unwrap();
            let path = file.path.display();
            assert!(!text.contains("'/opt/a b/hashline' hook"), "{path}: {text}");
            assert!(!text.contains("\"/opt/a b/hashline\""), "{path}: {text}");
        }
        let fresh = Stage::new(agent, Scope::Project);
        fresh.install();
        if agent != Agent::Claude {
            assert_eq!(stage.tree(), fresh.tree());
        }
    }
}

#[test]
fn all_hooks_of_ours_in_an_event_go() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    let run = |line: &str| json!({"type": "command", "command": line});
    let settings = json!({"hooks": {"PreToolUse": [
        {"matcher": "Edit", "hooks": [{"type": "command", "command": "hashline", "args": ["hook"]}]},
        {"matcher": "Bash", "hooks": [run("mine"), run("hashline hook"), run("/x/hashline hook; exit 0")]},
    ]}});
    stage.write(SETTINGS, settings.to_string());
    assert_eq!(
        stage.uninstall().kept.len(),
        1,
        "no setup writes such hooks"
    );
    assert_eq!(value(&stage, SETTINGS), settings);
    forced_uninstall(&stage);
    let left = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [run("mine")]}]}});
    assert_eq!(value(&stage, SETTINGS), left);
}

#[test]
fn a_server_that_a_person_wrote_before_setup_stays_theirs() {
    let stage = Stage::new(Agent::Codex, Scope::Project);
    let mine = "[mcp_servers]\nhl.command = \"hashline\"\nhl.args = [\"mcp\"]\n";
    stage.write(".codex/config.toml", mine);
    assert_eq!(stage.install().kept.len(), 1);
    assert_eq!(stage.uninstall().kept.len(), 1);
    assert_eq!(stage.text(".codex/config.toml"), mine);
    assert_eq!(stage.tree().len(), 2, "{:?}", stage.tree());
    forced_uninstall(&stage);
    assert!(!stage.text(".codex/config.toml").contains("hashline"));
}

/// Returns all orders of three agents.
fn orders(agents: [Agent; 3]) -> Vec<[Agent; 3]> {
    let [a, b, c] = agents;
    vec![
        [a, b, c],
        [a, c, b],
        [b, a, c],
        [b, c, a],
        [c, a, b],
        [c, b, a],
    ]
}

fn shared(agents: [Agent; 3], before: Option<&str>, prepare: impl Fn(&Stage)) {
    for coming in orders(agents) {
        for going in orders(agents) {
            let mut stage = Stage::new(agents[0], Scope::Project);
            if let Some(text) = before {
                stage.write("AGENTS.md", text);
            }
            prepare(&stage);
            let tree = stage.tree();
            for agent in coming {
                stage.options.agent = agent;
                stage.install();
            }
            for agent in going {
                stage.options.agent = agent;
                assert!(stage.install().changes.is_empty());
                stage.uninstall();
            }
            assert_eq!(stage.tree(), tree, "{before:?} {coming:?} {going:?}");
        }
    }
}

#[test]
fn a_shared_file_comes_back_in_whatever_order_agents_come_and_go() {
    let texts = [
        None,
        Some(""),
        Some("# Mine"),
        Some("# M\r\nx\r\n"),
        Some("\u{feff}x"),
    ];
    for text in texts {
        shared([Agent::Codex, Agent::OpenCode, Agent::Pi], text, |_| {});
    }
    for text in ["", "# Mine"] {
        let agents = [Agent::Codex, Agent::Claude, Agent::Gemini];
        shared(agents, Some(text), |stage| {
            for name in ["CLAUDE.md", "GEMINI.md"] {
                symlink("AGENTS.md", stage.path(name)).unwrap();
            }
        });
    }
}

#[test]
fn each_folder_of_an_agent_has_a_receipt_of_its_own() {
    let mut stage = Stage::new(Agent::Claude, Scope::User);
    for name in ["a", "b"] {
        stage.write(&format!("{name}/settings.json"), "{\"hooks\":{}}\n");
    }
    let before = stage.tree();
    for name in ["a", "b"] {
        stage.options.places.claude = Some(stage.path(name));
        stage.install();
    }
    for name in ["a", "b"] {
        stage.options.places.claude = Some(stage.path(name));
        stage.uninstall();
    }
    assert_eq!(stage.tree(), before);
}

#[test]
fn an_empty_folder_that_was_there_stays() {
    let stage = Stage::new(Agent::OpenCode, Scope::Project);
    fs::create_dir_all(stage.path(".opencode/plugins")).unwrap();
    let before = stage.tree();
    stage.install();
    stage.uninstall();
    assert_eq!(stage.tree(), before);
}

#[test]
fn a_file_of_tokens_is_made_for_its_owner_alone() {
    let stage = Stage::new(Agent::Claude, Scope::User);
    stage.install();
    let facts = fs::metadata(stage.path(".claude.json")).unwrap();
    assert_eq!(facts.permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_dialect_stays_until_another_is_asked_for() {
    for agent in Agent::ALL {
        let mut stage = Stage::new(agent, Scope::Project);
        stage.options.dialect = Dialect::named("lean");
        stage.install();
        stage.options.dialect = None;
        assert!(stage.install().changes.is_empty(), "{}", agent.name());
        // In a clone there is no receipt, but the files say it.
        let receipts = stage.state.take();
        assert!(stage.install().changes.is_empty(), "{}", agent.name());
        stage.state = receipts;
        stage.options.dialect = Some(Dialect::default());
        assert!(!stage.install().changes.is_empty(), "{}", agent.name());
    }
}

#[test]
fn a_table_is_brought_up_to_date_where_it_stands() {
    let mut stage = Stage::new(Agent::Codex, Scope::Project);
    stage.write(".codex/config.toml", "[a]\nb = 1\n");
    stage.install();
    let with_more = format!("{}\n[z]\nq = 1\n", stage.text(".codex/config.toml"));
    stage.write(".codex/config.toml", &with_more);
    stage.options.dialect = Dialect::named("lean");
    stage.install();
    let args = "args = [\"mcp\", \"--dialect\", \"lean\"]";
    let expected = with_more.replace("args = [\"mcp\"]", args);
    assert_eq!(stage.text(".codex/config.toml"), expected);
}

#[test]
fn where_a_path_is_called_the_path_may_be_called() {
    let mut stage = Stage::new(Agent::Claude, Scope::Project);
    for (rights, bare, with_path) in [
        (
            EditRights::Allow,
            json!(["mcp__hl__*", "Bash(hashline:*)"]),
            json!([
                "mcp__hl__*",
                "Bash(hashline:*)",
                "Bash(/opt/bin/hashline:*)"
            ]),
        ),
        (
            EditRights::Ask,
            json!([
                "mcp__hl__read",
                "mcp__hl__search",
                "Bash(hashline read:*)",
                "Bash(hashline search:*)"
            ]),
            json!([
                "mcp__hl__read",
                "mcp__hl__search",
                "Bash(hashline read:*)",
                "Bash(hashline search:*)",
                "Bash(/opt/bin/hashline read:*)",
                "Bash(/opt/bin/hashline search:*)"
            ]),
        ),
    ] {
        stage.options.edits = rights;
        for (command, rules) in [("/opt/bin/hashline", with_path), ("hashline", bare)] {
            command.clone_into(&mut stage.options.command);
            stage.install();
            let allowed = value(&stage, SETTINGS)["permissions"]["allow"].clone();
            assert_eq!(allowed, rules);
        }
    }
}

#[test]
fn a_mark_of_order_alone_keeps_the_lines_put_behind_it() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.write("CLAUDE.md", "\u{feff}");
    stage.install();
    let text = stage.text("CLAUDE.md");
    let text = text.replacen('\u{feff}', "\u{feff}Mine.\n\n", 1);
    stage.write("CLAUDE.md", text);
    stage.uninstall();
    assert_eq!(stage.text("CLAUDE.md"), "\u{feff}Mine.\n");
}

#[test]
fn a_long_line_is_shown_without_its_middle() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    let long = "é".repeat(1 << 20);
    stage.write(".mcp.json", format!("{{\"a\": \"{long}\"}}"));
    let plan = stage.plan(OnConflict::Keep).unwrap();
    let shown = words::diff(&plan.changes);
    assert!(shown.len() < 40_000, "{}", shown.len());
    assert!(shown.contains("bytes…]") && shown.contains("\"hl\""));
}

#[test]
fn pi_is_told_in_the_words_that_its_extension_speaks() {
    let told = |agent: Agent, dialect: Option<Dialect>| {
        let mut stage = Stage::new(agent, Scope::Project);
        stage.options.dialect = dialect;
        stage.install();
        stage.text("AGENTS.md")
    };
    assert_eq!(told(Agent::Pi, None), told(Agent::Pi, Some(Dialect::PI)));
    assert_ne!(
        told(Agent::Pi, None),
        told(Agent::Pi, Dialect::named("lean"))
    );
}

#[test]
fn a_file_that_came_in_the_place_of_the_one_setup_knew_is_all_its_owners() {
    let theirs = "{\n  \"permissions\": {\"allow\": [\"Bash(hashline read:*)\"]}\n}\n";
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.write(SETTINGS, "{}\n");
    stage.install();
    stage.write(SETTINGS, theirs);
    stage.install();
    stage.uninstall();
    assert_eq!(stage.text(SETTINGS), theirs);
    // The same without another setup: it could be setup's, so it is named.
    stage.write(SETTINGS, "{}\n");
    stage.install();
    stage.write(SETTINGS, theirs);
    let plan = stage.uninstall();
    assert_eq!(stage.text(SETTINGS), theirs);
    assert!(words::summary(&plan).contains("Bash(hashline read:*)"));
    forced_uninstall(&stage);
    assert!(!stage.text(SETTINGS).contains("hashline"));
}

#[test]
fn an_empty_file_that_came_in_the_place_of_one_setup_made_stays() {
    for (agent, name, text) in [
        (Agent::Claude, SETTINGS, "{}\n"),
        (Agent::Codex, ".codex/config.toml", "\n"),
        (Agent::Claude, "CLAUDE.md", ""),
    ] {
        let stage = Stage::new(agent, Scope::Project);
        stage.install();
        stage.write(name, text);
        stage.install();
        stage.uninstall();
        assert_eq!(stage.text(name), text);
    }
}

#[test]
fn setups_that_run_at_once_all_land() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.write("AGENTS.md", "# Mine\n");
    symlink("AGENTS.md", stage.path("CLAUDE.md")).unwrap();
    let named = "{\"context\": {\"fileName\": \"AGENTS.md\"}}\n";
    stage.write(".gemini/settings.json", named);
    let before = stage.tree();
    let each = |run: &(dyn Fn(SetupOptions) + Sync)| {
        std::thread::scope(|scope| {
            for agent in Agent::ALL {
                let options = SetupOptions {
                    agent,
                    ..stage.options.clone()
                };
                scope.spawn(move || run(options));
            }
        });
    };
    for _ in 0..5 {
        each(&|options| {
            let lock = SetupLock::acquire(stage.state.as_deref()).unwrap();
            let plan = install(options, stage.state.clone(), OnConflict::Keep).unwrap();
            plan.write_locked(&lock).unwrap();
        });
        let text = stage.text("AGENTS.md");
        for agent in Agent::ALL {
            let mark = format!("<!-- /hashline:{} -->", agent.name());
            assert_eq!(text.matches(&mark).count(), 1, "{text}");
        }
        each(&|options| {
            let lock = SetupLock::acquire(stage.state.as_deref()).unwrap();
            let plan = uninstall(options, stage.state.clone(), OnConflict::Keep).unwrap();
            plan.write_locked(&lock).unwrap();
        });
        assert_eq!(stage.tree(), before);
    }
}

#[test]
fn a_whole_file_that_force_replaced_comes_back_though_it_was_touched() {
    let name = ".claude/skills/hashline/SKILL.md";
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.write(name, "Mine.\n\nAll of it.\n");
    let before = stage.tree();
    stage.plan(OnConflict::Replace).unwrap().write().unwrap();
    stage.write(name, format!("{}\nOne more line.\n", stage.text(name)));
    assert_eq!(stage.uninstall().kept.len(), 1);
    forced_uninstall(&stage);
    assert_eq!(stage.tree(), before);
    // One that setup has never written is not its to take.
    stage.install();
    stage.write(name, "Mine, and more.\n");
    forced_uninstall(&stage);
    assert_eq!(stage.text(name), "Mine, and more.\n");
}
