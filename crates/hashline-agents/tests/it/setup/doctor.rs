//! The doctor's simulation, against programs that do well and programs that do not.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use hashline_agents::doctor::{CheckDepth, DoctorOptions, Finding, Level, examine};
use hashline_agents::setup::{Agent, Programs, Scope};
use hashline_session::ServiceOptions;

use super::stage::Stage;

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

/// Puts a program into a project, which then is hashline.
fn with_program(agent: Agent, program: &str) -> (Stage, PathBuf) {
    let mut stage = Stage::new(agent, Scope::Project);
    let path = stage.path("hashline");
    write_program(&path, program);
    stage.options.command = path.to_str().unwrap().to_owned();
    (stage, path)
}

fn write_program(path: &Path, program: &str) {
    fs::write(path, program).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Returns what is found about an agent.
fn found(stage: &Stage, programs: &Path) -> Vec<Finding> {
    let agent = stage.options.agent;
    let options = DoctorOptions {
        agent: Some(agent),
        depth: CheckDepth::Simulate,
        places: stage.options.places.clone(),
        service: ServiceOptions {
            roots: vec![stage.options.places.project.clone()],
            ..ServiceOptions::in_memory()
        },
        programs: Programs::only(programs),
        version: "0",
    };
    let findings = examine(&options).into_iter();
    let findings = findings.filter(|finding| finding.about == agent.title());
    findings
        .map(|mut finding| {
            finding.text = stage.told(&finding.text);
            finding
        })
        .collect()
}

fn simulated(agent: Agent, program: &str) -> Vec<Finding> {
    let (stage, path) = with_program(agent, program);
    stage.install();
    tried(&stage, &path)
}

/// Returns what is found of what was started.
fn tried(stage: &Stage, program: &Path) -> Vec<Finding> {
    let started = |finding: &Finding| finding.text.starts_with("`/project/hashline ");
    found(stage, program).into_iter().filter(started).collect()
}

fn has(findings: &[Finding], level: Level, part: &str) -> bool {
    let mut findings = findings.iter();
    findings.any(|finding| finding.level == level && finding.text.contains(part))
}

#[test]
fn a_program_that_does_well_is_said_to() {
    for agent in Agent::ALL {
        let program = PROGRAM.replace("{edit}", EDIT).replace("{hook}", DENY);
        let findings = simulated(agent, &program);
        let expected = match agent {
            Agent::OpenCode | Agent::Pi => {
                vec!["`/project/hashline guard --json` recognizes a shell command that edits"]
            }
            _ => vec![
                "`/project/hashline mcp` works (read, edit); read and edited a scratch file",
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
            "the edit did not change the file",
        ),
        (
            PROGRAM
                .replace("{edit}", EDIT)
                .replace("{hook}", "echo oops"),
            "does not answer with JSON",
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

#[test]
fn what_files_of_a_project_name_is_started_only_if_it_is_hashline() {
    let server = r#"{"mcpServers":{"hl":{"command":"PROGRAM","args":["mcp"]}}}"#;
    for (agent, file, text) in [
        (Agent::Claude, ".mcp.json", server),
        (
            Agent::Codex,
            ".codex/config.toml",
            "[mcp_servers.hl]\ncommand = \"PROGRAM\"\nargs = [\"mcp\"]\n",
        ),
        (Agent::Gemini, ".gemini/settings.json", server),
        (
            Agent::OpenCode,
            ".opencode/plugins/hashline.js",
            "const HASHLINE = \"PROGRAM\";\n",
        ),
    ] {
        // One is called as we are, the other as nobody would be.
        for name in ["bin/hashline", "evil.sh"] {
            let (stage, ours) = with_program(agent, "#!/bin/sh\n");
            let (theirs, trace) = (stage.path(name), stage.path("started"));
            stage.write(name, "");
            write_program(
                &theirs,
                &format!("#!/bin/sh\ntouch '{}'\n", trace.display()),
            );
            stage.write(file, text.replace("PROGRAM", theirs.to_str().unwrap()));
            let findings = found(&stage, &ours);
            assert!(!trace.exists(), "{agent:?} {name}: {findings:?}");
            assert!(
                has(&findings, Level::Problem, "is not hashline"),
                "{findings:?}"
            );
            let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
            assert!(
                fixes.into_iter().all(|fix| !fix.contains(name)),
                "{findings:?}"
            );
        }
    }
}

#[test]
fn hashline_is_not_started_with_arguments_that_setup_does_not_write() {
    for (args, level) in [
        (r#""mcp", "--expose", "0.0.0.0:0""#, Level::Warning),
        (r#""apply", "--base64", "e30=""#, Level::Problem),
        ("", Level::Problem),
    ] {
        let trace = "touch \"$0.started\"";
        let (stage, ours) = with_program(Agent::Claude, &format!("#!/bin/sh\n{trace}\n"));
        let command = ours.to_str().unwrap();
        stage.write(
            ".mcp.json",
            format!(r#"{{"mcpServers":{{"hl":{{"command":"{command}","args":[{args}]}}}}}}"#),
        );
        let findings = found(&stage, &ours);
        assert!(has(&findings, level, "not started"), "{findings:?}");
        assert!(!stage.path("hashline.started").exists());
    }
}

#[test]
fn a_hook_that_is_not_set_up_is_not_tried() {
    let (stage, program) = with_program(
        Agent::Claude,
        &PROGRAM.replace("{edit}", EDIT).replace("{hook}", DENY),
    );
    stage.install();
    stage.write(".claude/settings.json", "{}");
    let findings = tried(&stage, &program);
    assert!(has(&findings, Level::Ok, "hashline mcp"), "{findings:?}");
    assert!(
        findings
            .iter()
            .all(|finding| !finding.text.contains("hashline hook")),
        "{findings:?}"
    );
}

#[test]
fn a_hook_is_judged_with_the_switches_in_force() {
    let silent = PROGRAM.replace("{edit}", EDIT).replace("{hook}", "true");
    let (stage, program) = with_program(Agent::Claude, &silent);
    stage.install();
    let passed = "allows the agent's own edit tool";
    let findings = tried(&stage, &program);
    assert!(
        has(&findings, Level::Problem, "no switch is set"),
        "{findings:?}"
    );
    for said in ["off", "advise"] {
        stage.write("hashline.toml", format!("[hook]\nnative = \"{said}\"\n"));
        let findings = tried(&stage, &program);
        let told = format!("`hook.native = \"{said}\"` {passed}");
        assert!(has(&findings, Level::Warning, &told), "{findings:?}");
    }
    stage.write("hashline.toml", "");
    stage.write(".hashline-off", "");
    let findings = tried(&stage, &program);
    let told = format!("/project/.hashline-off {passed}");
    assert!(has(&findings, Level::Warning, &told), "{findings:?}");
    fs::remove_file(stage.path(".hashline-off")).unwrap();
    stage.write("hashline.toml", "oops");
    let findings = tried(&stage, &program);
    assert!(
        has(&findings, Level::Problem, "is not tried"),
        "{findings:?}"
    );
}

#[test]
fn anchors_of_the_hook_have_to_be_those_of_the_server() {
    let shown = r"(rev 0123abcd, 2 lines)\n1:60|one\n2:f4|two";
    for (agent, answer) in [
        (
            Agent::Claude,
            r#"{"hookSpecificOutput":{"permissionDecision":"deny","updatedToolOutput":{"file":{"content":"60|one\nTAG|two\n"}}}}"#,
        ),
        (
            Agent::Gemini,
            r#"{"decision":"deny","reason":"No error:\n1:60|one\n2:TAG|two"}"#,
        ),
    ] {
        for (tag, agrees) in [("f4", true), ("zz", false)] {
            let hook = format!("printf '%s' '{}'", answer.replace("TAG", tag));
            let program = PROGRAM.replace("{edit}", EDIT).replace("{hook}", &hook);
            let program = program.replace("(rev 0123abcd, 2 lines)", shown);
            let (stage, path) = with_program(agent, &program);
            stage.install();
            let findings = found(&stage, &path);
            let part = "refuses the anchors that the hook shows";
            assert_eq!(
                !has(&findings, Level::Problem, part),
                agrees,
                "{findings:?}"
            );
            assert!(
                has(&findings, Level::Ok, "hashline hook` refuses"),
                "{findings:?}"
            );
        }
    }
}
