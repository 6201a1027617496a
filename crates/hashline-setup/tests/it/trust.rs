//! What the doctor says of what an agent trusts.

use std::fs;

use hashline_service::Start;
use hashline_setup::doctor::{Ask, Depth, Finding, Level, examine};
use hashline_setup::{Agent, Programs, Scope};

use crate::stage::Stage;

/// Sets an agent up in a project.
fn set_up(agent: Agent) -> Stage {
    let stage = Stage::new(agent, Scope::Project);
    stage.install();
    stage
}

/// Writes a file into the home; `PROJECT` in it is the project.
fn remember(stage: &Stage, name: &str, text: &str) {
    let places = &stage.wish.places;
    let path = places.home.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let project = places.project.to_str().unwrap();
    fs::write(path, text.replace("PROJECT", project)).unwrap();
}

fn found(stage: &Stage) -> Vec<Finding> {
    let agent = stage.wish.agent;
    let ask = Ask {
        agent: Some(agent),
        depth: Depth::Look,
        places: stage.wish.places.clone(),
        start: Start {
            roots: vec![stage.wish.places.project.clone()],
            ..Start::alone()
        },
        programs: Programs::of_user(),
        version: "0",
    };
    let findings = examine(&ask).into_iter();
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
        check(&stage, Level::Problem, "was turned down");
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
    check(&stage, Level::Problem, "hashline's hooks are not there");
    let text = stage.text(".codex/config.toml");
    for line in ["hashline hook", "hashline hook --dialect omp"] {
        stage.write(".codex/config.toml", text.replace("prettier", line));
        check(&stage, Level::Warning, "the hooks are not trusted yet");
        let findings = found(&stage);
        let is_wrong = |found: &&Finding| found.level == Level::Problem;
        assert!(
            findings
                .iter()
                .all(|found| !is_wrong(&found) || found.text.contains("which is not there")),
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
            "not to be trusted",
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
