//! The doctor's simulation, against programs that do well and programs that do not.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use hashline_service::Start;
use hashline_setup::doctor::{Ask, Depth, Finding, Level, examine};
use hashline_setup::{Agent, Scope};

use crate::stage::Stage;

/// A server and hook of few words: it takes every message to be the one that comes next. `{edit}` is what it does to the file.
const PROGRAM: &str = r#"#!/bin/sh
case "$1" in
hook)
  cat > /dev/null
  {hook}
  exit 0 ;;
guard)
  echo '{"verdict":"write-bypass"}'
  exit 1 ;;
esac
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
read -r line; answer 1 '{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"0"}}'
read -r line
read -r line; answer 2 '{"tools":[{"name":"read"},{"name":"edit"}]}'
read -r line; answer 3 '{"content":[{"type":"text","text":"scratch.txt (rev 0123abcd, 2 lines)"}]}'
read -r line; case "$line" in *0123abcd*) {edit} ;; esac; answer 4 '{"content":[{"type":"text","text":"done"}]}'
cat > /dev/null
"#;

const EDIT: &str = "echo three >> scratch.txt";
const DENY: &str =
    r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'"#;

fn simulated(agent: Agent, program: &str) -> Vec<Finding> {
    let mut stage = Stage::new(agent, Scope::Project);
    let path = stage.path("hashline");
    fs::write(&path, program).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    stage.wish.command = path.to_str().unwrap().to_owned();
    stage.install();
    let ask = Ask {
        agent: Some(agent),
        depth: Depth::Simulate,
        places: stage.wish.places.clone(),
        start: Start {
            roots: vec![stage.wish.places.project.clone()],
            ..Start::alone()
        },
        version: "0",
    };
    let findings = examine(&ask).into_iter();
    let about = |finding: &Finding| finding.about == agent.title() && finding.text.starts_with('`');
    let told = findings.filter(about).map(|mut finding| {
        finding.text = stage.told(&finding.text);
        finding
    });
    // The first of them tells that the agent is not installed.
    told.filter(|finding| finding.text.contains("hashline"))
        .collect()
}

#[test]
fn a_program_that_does_well_is_said_to() {
    for agent in Agent::ALL {
        let program = PROGRAM.replace("{edit}", EDIT).replace("{hook}", DENY);
        let findings = simulated(agent, &program);
        let expected = match agent {
            Agent::OpenCode | Agent::Pi => {
                vec!["`/project/hashline guard --json` tells a shell command that edits"]
            }
            _ => vec![
                "`/project/hashline mcp` answers (read, edit); read and edited a scratch file",
                "`/project/hashline hook` refuses the agent's own edit tool",
            ],
        };
        let told: Vec<&str> = findings
            .iter()
            .map(|finding| finding.text.as_str())
            .collect();
        assert_eq!(told, expected);
        assert!(
            findings.iter().all(|finding| finding.level == Level::Ok),
            "{findings:?}"
        );
    }
}

#[test]
fn a_program_that_does_not_do_well_is_a_problem() {
    let cases = [
        (
            PROGRAM.replace("{edit}", "true").replace("{hook}", DENY),
            "the edit did not land",
        ),
        (
            PROGRAM
                .replace("{edit}", EDIT)
                .replace("{hook}", "echo oops"),
            "answers no JSON",
        ),
        (
            PROGRAM.replace("{edit}", EDIT).replace("{hook}", "exit 3"),
            "fails",
        ),
        ("#!/bin/sh\nexit 1\n".to_owned(), "does not work"),
    ];
    for (program, expected) in cases {
        let findings = simulated(Agent::Claude, &program);
        let mut problems = findings
            .iter()
            .filter(|finding| finding.level == Level::Problem);
        assert!(
            problems.any(|finding| finding.text.contains(expected)),
            "{expected}: {findings:?}"
        );
    }
}
