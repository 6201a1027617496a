//! What is refused, kept or put back.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use hashline_agents::setup::{Agent, OnConflict, Scope, SetupError, uninstall, words};
use hashline_wire::Refusal;

use super::stage::Stage;

#[test]
fn a_file_that_cannot_be_understood_is_refused_with_its_place_and_nothing_is_written() {
    let cases = [
        (Agent::Claude, ".mcp.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n"),
        (Agent::Claude, ".mcp.json", "{\"mcpServers\": []}"),
        (
            Agent::Claude,
            ".claude/settings.json",
            "{\n  \"hooks\": {\n    \"PreToolUse\": {}\n  }\n}",
        ),
        (Agent::Claude, ".claude/settings.json", "[]"),
        (Agent::Gemini, ".gemini/settings.json", "{ 'a': 1 }"),
        (Agent::Codex, ".codex/config.toml", "a = 1\nb = \n"),
        (Agent::Codex, ".codex/config.toml", "mcp_servers = 3\n"),
        (
            Agent::Codex,
            "AGENTS.md",
            "# A\n<!-- hashline:codex 00000000 -->\ntext\n",
        ),
    ];
    let mut told = String::new();
    for (agent, name, text) in cases {
        let stage = Stage::new(agent, Scope::Project);
        stage.write(name, text);
        let before = stage.tree();
        let refused = stage.plan(OnConflict::Keep).unwrap_err();
        assert_eq!(refused.code().as_str(), "bad_agent_file", "{name}: {text}");
        assert_eq!(stage.tree(), before);
        told += &format!("{}\n", stage.told(&Refusal::from(&refused).to_string()));
    }
    let stage = Stage::new(Agent::Pi, Scope::Project);
    stage.write("AGENTS.md", b"\nab\xff");
    let refused = stage.plan(OnConflict::Keep).unwrap_err();
    told += &format!("{}\n", stage.told(&Refusal::from(&refused).to_string()));
    insta::assert_snapshot!(told);
}

#[test]
fn an_entry_of_the_same_name_is_replaced_only_by_force() {
    let theirs = [
        (
            Agent::Claude,
            ".mcp.json",
            "{\n  \"mcpServers\": {\n    \"hl\": { \"command\": \"highlight\" }\n  }\n}\n",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "[mcp_servers.hl]\ncommand = \"highlight\"\n\n[mcp_servers.hl.env]\nA = \"1\"\n",
        ),
    ];
    for (agent, name, text) in theirs {
        let stage = Stage::new(agent, Scope::Project);
        stage.write(name, text);
        let refused = stage.plan(OnConflict::Keep).unwrap_err();
        assert_eq!(refused.code().as_str(), "entry_taken");
        let told = Refusal::from(&refused).to_string();
        assert!(
            told.contains("runs something else") && told.contains("--force"),
            "{told}"
        );
        stage.plan(OnConflict::Replace).unwrap().write().unwrap();
        assert!(stage.text(name).contains("hashline") && !stage.text(name).contains("highlight"));
        stage.uninstall();
        assert_eq!(stage.text(name), text, "even that comes back");
    }
}

#[test]
fn what_a_person_made_of_our_entry_stays_unless_forced() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.install();
    let changed = stage
        .text(".mcp.json")
        .replace("[\"mcp\"]", "[\"mcp\", \"--root\", \"/src\"]");
    stage.write(".mcp.json", &changed);
    let memory = stage
        .text("CLAUDE.md")
        .replace("\n<!-- /", "\nMine too.\n<!-- /");
    stage.write("CLAUDE.md", &memory);
    let plan = stage.install();
    assert!(plan.changes.is_empty());
    let told = stage.told(&words::summary(&plan));
    insta::assert_snapshot!("kept", told);
    assert_eq!(stage.text(".mcp.json"), changed);
    stage.plan(OnConflict::Replace).unwrap().write().unwrap();
    assert!(!stage.text(".mcp.json").contains("--root"));
    assert!(!stage.text("CLAUDE.md").contains("Mine too."));
    stage.uninstall();
    assert!(stage.tree().is_empty(), "{:?}", stage.tree());
}

#[test]
fn what_an_earlier_setup_wrote_is_brought_up_to_date_in_its_place() {
    for agent in Agent::ALL {
        let mut stage = Stage::new(agent, Scope::Project);
        stage.write("AGENTS.md", "# Rules\n");
        stage.write(".mcp.json", "{\n\t\"mcpServers\": {\n\t\t\"a\": {}\n\t}\n}");
        stage.write(
            ".gemini/settings.json",
            "{\"context\": {\"fileName\": [\"AGENTS.md\"]}}\n",
        );
        let before = stage.tree();
        stage.install();
        let first = stage.tree();
        "/opt/bin/hashline".clone_into(&mut stage.options.command);
        stage.options.dialect = hashline_core::dialect::Dialect::named("lean");
        let plan = stage.install();
        assert!(plan.kept.is_empty(), "{:?}", plan.kept);
        assert_ne!(stage.tree(), first);
        assert!(stage.install().changes.is_empty());
        stage.uninstall();
        assert_eq!(stage.tree(), before, "{}", agent.name());
    }
}

#[test]
fn somebody_elses_hook_in_our_group_stays() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.install();
    let text = stage.text(".claude/settings.json");
    let mine = "{\n            \"type\": \"command\",\n            \"command\": \"mine\"\n          },\n          {";
    let at = text.find("\"hooks\": [").unwrap() + "\"hooks\": [".len();
    let at = at + text[at..].find('{').unwrap();
    let meddled = format!("{}{mine}{}", &text[..at], &text[at + 1..]);
    stage.write(".claude/settings.json", &meddled);
    stage.uninstall();
    let left: serde_json::Value =
        serde_json::from_str(&stage.text(".claude/settings.json")).unwrap();
    let expected = serde_json::json!({"hooks": {"PreToolUse": [
        {"matcher": "Edit|Write|MultiEdit|Bash|mcp__hl__edit|mcp__hl__write", "hooks": [{"type": "command", "command": "mine"}]}
    ]}});
    assert_eq!(left, expected);
}

#[test]
fn when_one_file_cannot_be_written_none_is() {
    // The last of the files lies where no folder can be made: a file has its name.
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.write(".claude/skills/hashline", "a file");
    stage.write(".mcp.json", "{}\n");
    let before = stage.tree();
    let planned = stage.plan(OnConflict::Keep);
    let refused = planned
        .and_then(|plan| plan.write().map(|_| ()))
        .unwrap_err();
    assert!(matches!(refused, SetupError::System(_)), "{refused:?}");
    assert_eq!(stage.tree(), before);
}

#[test]
fn a_file_that_changed_since_the_look_at_it_is_not_written() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    let plan = stage.plan(OnConflict::Keep).unwrap();
    stage.write("CLAUDE.md", "new\n");
    let before = stage.tree();
    let refused = plan.write().unwrap_err();
    assert_eq!(refused.code().as_str(), "unstable");
    assert_eq!(stage.tree(), before);
}

#[test]
fn a_link_of_a_project_does_not_lead_out_of_it() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    let outside = stage.options.places.home.join("notes.md");
    fs::write(&outside, "mine\n").unwrap();
    std::os::unix::fs::symlink(&outside, stage.path("CLAUDE.md")).unwrap();
    let refused = stage.plan(OnConflict::Keep).unwrap_err();
    assert_eq!(refused.code().as_str(), "outside_root");
    assert!(
        Refusal::from(&refused)
            .to_string()
            .contains("is a link out of the project")
    );
    assert_eq!(fs::read(&outside).unwrap(), b"mine\n");
}

#[test]
fn a_program_of_another_name_is_known_by_the_receipt() {
    let mut stage = Stage::new(Agent::Claude, Scope::Project);
    "/opt/hl-dev".clone_into(&mut stage.options.command);
    stage.install();
    let changed = stage.text(".mcp.json").replacen('{', "{ \"mine\": 1,", 1);
    stage.write(".mcp.json", &changed);
    "hashline".clone_into(&mut stage.options.command);
    stage.uninstall();
    let left: serde_json::Value = serde_json::from_str(&stage.text(".mcp.json")).unwrap();
    assert_eq!(left, serde_json::json!({"mine": 1}));
}

#[test]
fn receipts_are_for_their_owner_alone_and_hold_no_other_lines() {
    let stage = Stage::new(Agent::Claude, Scope::User);
    stage.write(
        ".claude.json",
        "{\n  \"token\": \"c2VjcmV0\",\n  \"a\": 1,\n  \"z\": 1\n}\n",
    );
    stage.install();
    let folder = stage.state.clone().unwrap().join("setup-1");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let receipt = fs::read_dir(&folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    assert_eq!(mode(&receipt), 0o600);
    let held = fs::read_to_string(&receipt).unwrap();
    assert!(
        !held.contains("token") && !held.contains("dG9rZW4"),
        "{held}"
    );
    // One that others could have written is not believed; our entries are found all the same.
    fs::set_permissions(&receipt, fs::Permissions::from_mode(0o666)).unwrap();
    stage.uninstall();
    assert_eq!(
        stage.text(".claude.json"),
        "{\n  \"token\": \"c2VjcmV0\",\n  \"a\": 1,\n  \"z\": 1\n}\n"
    );
}

#[test]
fn agents_that_share_a_file_do_not_get_in_each_others_way() {
    let mut stage = Stage::new(Agent::Codex, Scope::Project);
    for agent in [Agent::Codex, Agent::OpenCode, Agent::Pi] {
        stage.options.agent = agent;
        stage.install();
    }
    let text = stage.text("AGENTS.md");
    assert_eq!(text.matches("<!-- hashline:").count(), 3);
    for agent in [Agent::OpenCode, Agent::Codex, Agent::Pi] {
        stage.options.agent = agent;
        stage.uninstall();
    }
    assert!(stage.tree().is_empty(), "{:?}", stage.tree());
}

#[test]
fn a_project_whose_files_are_the_persons_own_is_refused() {
    for agent in Agent::ALL {
        let mut stage = Stage::new(agent, Scope::Project);
        stage.options.places.project = stage.options.places.home.clone();
        let refused = stage.plan(OnConflict::Keep).unwrap_err();
        assert_eq!(refused.code().as_str(), "bad_path");
        assert!(Refusal::from(&refused).to_string().contains("--user"));
        assert!(uninstall(stage.options.clone(), None, OnConflict::Keep).is_err());
        stage.options.scope = Scope::User;
        assert!(stage.plan(OnConflict::Keep).is_ok());
    }
    let mut stage = Stage::new(Agent::Codex, Scope::Project);
    stage.options.places.codex = Some(stage.path(".codex"));
    assert!(stage.plan(OnConflict::Keep).is_err());
}

#[test]
fn a_link_does_not_lead_to_what_nobody_is_to_write() {
    for leads_to in [".git/config", ".mcp.json", ".git/hooks/pre-commit"] {
        let stage = Stage::new(Agent::Claude, Scope::Project);
        stage.write(leads_to, "{}\n");
        std::os::unix::fs::symlink(leads_to, stage.path("CLAUDE.md")).unwrap();
        let refused = stage.plan(OnConflict::Keep).unwrap_err();
        assert_eq!(refused.code().as_str(), "protected", "{leads_to}");
        assert_eq!(stage.text(leads_to), "{}\n");
    }
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.write(".claude/shared.json", "{}\n");
    let link = stage.path(".claude/settings.json");
    std::os::unix::fs::symlink("shared.json", link).unwrap();
    stage.install();
    assert!(stage.text(".claude/shared.json").contains("hashline"));
}

#[test]
fn a_file_of_several_names_or_for_reading_only_is_refused_with_what_helps() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    stage.write("CLAUDE.md", "mine\n");
    fs::hard_link(stage.path("CLAUDE.md"), stage.path("other.md")).unwrap();
    let before = stage.tree();
    let refused = stage.plan(OnConflict::Keep).unwrap_err();
    assert_eq!(refused.code().as_str(), "hardlinked");
    assert!(Refusal::from(&refused).to_string().contains("mv "));
    assert_eq!(stage.tree(), before);
    fs::remove_file(stage.path("other.md")).unwrap();
    let path = stage.path("CLAUDE.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let refused = stage.plan(OnConflict::Keep).unwrap_err();
    assert_eq!(refused.code().as_str(), "read_only");
    let told = Refusal::from(&refused).to_string();
    assert!(told.contains("chmod u+w "), "{told}");
}

#[test]
fn a_receipt_that_cannot_be_used_is_reported() {
    let stage = Stage::new(Agent::Claude, Scope::Project);
    let folder = stage.state.clone().unwrap().join("setup-1");
    for is_damaged in [true, false] {
        assert_eq!(stage.install().unusable_receipt, None);
        let entry = fs::read_dir(&folder).unwrap().next().unwrap();
        let receipt = entry.unwrap().path();
        if is_damaged {
            fs::write(&receipt, "{").unwrap();
        } else {
            fs::set_permissions(&receipt, fs::Permissions::from_mode(0o660)).unwrap();
        }
        let plan = stage.uninstall();
        let told = words::summary(&plan);
        let name = receipt.display().to_string();
        assert!(
            told.contains(&name) && told.contains("is ignored"),
            "{told}"
        );
        assert!(stage.tree().is_empty());
        assert_eq!(stage.uninstall().unusable_receipt, None, "it is gone");
    }
}
