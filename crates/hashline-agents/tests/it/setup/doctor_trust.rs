//! What the doctor says of what an agent trusts.

use std::fs;

use hashline_agents::doctor::{CheckDepth, DoctorOptions, Finding, Level, examine};
use hashline_agents::setup::{Agent, Programs, Scope};
use hashline_session::ServiceOptions;

use super::stage::Stage;

/// Sets an agent up in a project.
fn set_up(agent: Agent) -> Stage {
    let stage = Stage::new(agent, Scope::Project);
    stage.install();
    stage
}

/// Writes a file into the home; `PROJECT` in it is the project.
fn remember(stage: &Stage, name: &str, text: &str) {
    let places = &stage.options.places;
    let path = places.home.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let project = places.project.to_str().unwrap();
    fs::write(path, text.replace("PROJECT", project)).unwrap();
}

fn found(stage: &Stage) -> Vec<Finding> {
    let agent = stage.options.agent;
    let options = DoctorOptions {
        agent: Some(agent),
        depth: CheckDepth::Look,
        places: stage.options.places.clone(),
        service: ServiceOptions {
            roots: vec![stage.options.places.project.clone()],
            ..ServiceOptions::in_memory()
        },
        programs: Programs::from_env(),
        version: "0",
    };
    let findings = examine(&options).into_iter();
    findings
        .filter(|finding| finding.about == agent.title())
        .collect()
}

fn check(stage: &Stage, level: Level, part: &str) {
    let findings = found(stage);
    let is = |finding: &Finding| finding.level == level && finding.text.contains(part);
    assert!(findings.iter().any(is), "{part}: {findings:#?}");
}

#[test]
fn claude_approves_where_the_person_says_so_and_a_no_goes_before() {
    let approved = r#"{"enableAllProjectMcpServers":true}"#;
    let listed = r#"{"enabledMcpjsonServers":["x","hl"]}"#;
    let stage = set_up(Agent::Claude);
    check(&stage, Level::Warning, "not known to be approved");
    for text in [approved, listed] {
        let stage = set_up(Agent::Claude);
        remember(&stage, ".claude/settings.json", text);
        check(&stage, Level::Ok, "is approved");
        let stage = set_up(Agent::Claude);
        stage.write(".claude/settings.local.json", text);
        check(&stage, Level::Ok, "is approved");
        remember(
            &stage,
            ".claude.json",
            r#"{"projects":{"PROJECT":{"disabledMcpjsonServers":["hl"]}}}"#,
        );
        check(&stage, Level::Problem, "was rejected");
    }
}

#[test]
fn claude_runs_no_hook_where_all_are_turned_off() {
    let off = r#"{"disableAllHooks":true}"#;
    let stage = set_up(Agent::Claude);
    assert!(
        found(&stage)
            .iter()
            .all(|found| !found.text.contains("no hook runs"))
    );
    remember(&stage, ".claude/settings.json", off);
    check(&stage, Level::Problem, "no hook runs");
    let stage = set_up(Agent::Claude);
    stage.write(".claude/settings.local.json", off);
    check(&stage, Level::Problem, "no hook runs");
}

#[test]
fn codex_may_have_trusted_other_hooks_or_turned_them_off() {
    let state = |said: &str| {
        format!("[hooks.state.\"PROJECT/.codex/hooks.json:pre_tool_use:0:0\"]\n{said}\n")
    };
    let stage = set_up(Agent::Codex);
    check(&stage, Level::Warning, "the hooks are not trusted yet");
    let remember = |said: &str| remember(&stage, ".codex/config.toml", &state(said));
    remember("trusted_hash = \"sha256:0\"");
    check(&stage, Level::Ok, "trusted at some time");
    remember("enabled = true");
    check(&stage, Level::Warning, "the hooks are not trusted yet");
    remember("trusted_hash = \"sha256:0\"\nenabled = false");
    check(&stage, Level::Problem, "turned off");
}

#[test]
fn codex_with_hooks_of_its_own_has_none_of_ours() {
    let stage = Stage::new(Agent::Codex, Scope::Project);
    let group = |line: &str| {
        format!("[[hooks.PreToolUse]]\nhooks = [{{ type = \"command\", command = \"{line}\" }}]\n")
    };
    stage.write(".codex/config.toml", group("prettier"));
    stage.install();
    check(&stage, Level::Problem, "hashline's hooks are missing");
    let text = stage.text(".codex/config.toml");
    for line in ["hashline hook", "hashline hook --dialect omp"] {
        stage.write(".codex/config.toml", text.replace("prettier", line));
        check(&stage, Level::Warning, "the hooks are not trusted yet");
        let findings = found(&stage);
        let is_wrong = |found: &&Finding| found.level == Level::Problem;
        assert!(
            findings
                .iter()
                .all(|found| !is_wrong(&found) || found.text.contains("which does not exist")),
            "{findings:#?}"
        );
    }
    let state = "[hooks.state.\"PROJECT/.codex/config.toml:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:0\"\n";
    remember(&stage, ".codex/config.toml", state);
    check(&stage, Level::Ok, "trusted at some time");
}

#[test]
fn the_nearest_folder_decides_what_gemini_trusts() {
    for (folders, level, part) in [
        ("{}", Level::Warning, "not known to be trusted"),
        (r#"{"/":"TRUST_FOLDER"}"#, Level::Ok, "is trusted"),
        (
            r#"{"/":"TRUST_FOLDER","PROJECT":"DO_NOT_TRUST"}"#,
            Level::Problem,
            "is marked as untrusted",
        ),
        (
            r#"{"/":"DO_NOT_TRUST","PROJECT":"TRUST_FOLDER"}"#,
            Level::Ok,
            "is trusted",
        ),
        (
            r#"{"PROJECT/below":"TRUST_PARENT"}"#,
            Level::Ok,
            "is trusted",
        ),
        (
            r#"{"PROJECT/below":"TRUST_FOLDER"}"#,
            Level::Warning,
            "not known to be trusted",
        ),
    ] {
        let stage = set_up(Agent::Gemini);
        remember(&stage, ".gemini/trustedFolders.json", folders);
        check(&stage, level, part);
    }
}

#[test]
fn what_an_agent_was_told_to_turn_off_is_a_problem() {
    for (agent, file, text, part) in [
        (
            Agent::Claude,
            ".claude/settings.json",
            r#"{"permissions":{"deny":["Edit","mcp__hl__*"]}}"#,
            "`permissions.deny` in HOME/.claude/settings.json has `mcp__hl__*`",
        ),
        (
            Agent::Claude,
            ".claude/settings.json",
            r#"{"permissions":{"deny":["mcp__hl"]}}"#,
            "has `mcp__hl`",
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            r#"{"mcp":{"excluded":["HL "]}}"#,
            "`mcp.excluded` in HOME/.gemini/settings.json has `hl`",
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            r#"{"mcp":{"allowed":["other"]}}"#,
            "`mcp.allowed` in HOME/.gemini/settings.json lacks `hl`",
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            r#"{"mcpServers":{"hl":{"excludeTools":["edit"]}}}"#,
            "the tool `edit` is turned off",
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            r#"{"hooksConfig":{"enabled":false}}"#,
            "`hooksConfig.enabled` is false in HOME/.gemini/settings.json",
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            r#"{"hooksConfig":{"disabled":["hashline"]}}"#,
            "the hook is turned off",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "[features]\nhooks = false\n",
            "`features.hooks` is false in HOME/.codex/config.toml",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "features.codex_hooks = false\n",
            "`features.codex_hooks` is false",
        ),
    ] {
        let stage = set_up(agent);
        remember(&stage, file, text);
        let home = stage.options.places.home.to_str().unwrap();
        check(&stage, Level::Problem, &part.replace("HOME", home));
        let findings = found(&stage);
        let mut fixed = findings.iter().filter(|found| found.text.contains("in "));
        assert!(fixed.all(|found| found.level != Level::Problem || found.fix.is_some()));
    }
    for (agent, file, text) in [
        (
            Agent::Claude,
            ".claude/settings.json",
            r#"{"permissions":{"deny":["mcp__hlx__*"]}}"#,
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            r#"{"mcp":{"allowed":["hl"],"excluded":["x"]},"hooksConfig":{"enabled":true}}"#,
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            "[features]\nhooks = true\n",
        ),
    ] {
        let stage = set_up(agent);
        remember(&stage, file, text);
        let findings = found(&stage);
        let is_off = |found: &Finding| {
            ["turned off", "forbidden", "no hook runs"]
                .iter()
                .any(|part| found.text.contains(part))
        };
        assert!(!findings.iter().any(is_off), "{findings:#?}");
    }
}

#[test]
fn a_file_that_is_no_text_is_said_to_be_none() {
    let stage = set_up(Agent::Claude);
    stage.write("CLAUDE.md", b"caf\xe9\n");
    check(
        &stage,
        Level::Problem,
        "CLAUDE.md is not UTF-8 (line 1, column 4)",
    );
    let findings = found(&stage);
    let wrong = findings
        .iter()
        .find(|found| found.text.contains("UTF-8"))
        .unwrap();
    assert!(
        wrong.fix.as_ref().unwrap().starts_with("save "),
        "{wrong:?}"
    );
    assert!(
        findings
            .iter()
            .all(|found| !found.text.contains("has no entries of hashline")),
        "{findings:#?}"
    );
}
