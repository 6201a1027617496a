//! Who may edit without being asked: nobody, unless the person says so (M2 in `docs/setup.md`).

use hashline_agents::setup::{Agent, EditRights, Scope};

use super::stage::Stage;

/// The file in which the rights of an agent are, what allows every edit, and what allows reading.
const RIGHTS: &[(Agent, &str, &str, &str)] = &[
    (
        Agent::Claude,
        ".claude/settings.json",
        "\"mcp__hl__*\", \"Bash(hashline:*)\"",
        "\"mcp__hl__read\", \"mcp__hl__search\", \"Bash(hashline read:*)\", \"Bash(hashline search:*)\"",
    ),
    (
        Agent::Codex,
        ".codex/config.toml",
        "default_tools_approval_mode = \"approve\"",
        "default_tools_approval_mode = \"writes\"",
    ),
    (
        Agent::Gemini,
        ".gemini/settings.json",
        "\"trust\": true",
        "\"allowed\": [\"mcp_hl_read\", \"mcp_hl_search\"]",
    ),
];

#[test]
fn edits_ask_unless_the_person_allows_them_and_setting_up_again_takes_that_back() {
    for &(agent, file, all, reading) in RIGHTS {
        let mut stage = Stage::new(agent, Scope::Project);
        let before = stage.tree();
        for (rights, has, lacks) in [
            (EditRights::Ask, reading, all),
            (EditRights::Allow, all, reading),
            (EditRights::Ask, reading, all),
        ] {
            stage.options.edits = rights;
            stage.install();
            let text = stage.text(file);
            assert!(text.contains(has), "{rights:?}: {text}");
            assert!(!text.contains(lacks), "{rights:?}: {text}");
            assert!(stage.install().changes.is_empty(), "{rights:?}");
        }
        stage.options.edits = EditRights::Allow;
        stage.install();
        // Uninstall does not ask how it was set up.
        stage.options.edits = EditRights::Ask;
        stage.uninstall();
        assert_eq!(stage.tree(), before);
    }
}
