//! Simulates an agent: starts the server and the hook that the agent's files name, in a temporary folder with its own state.
//!
//! A project's files may come from a stranger, so a program that they name is only started if it is hashline, and only with arguments that setup
//! writes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_workspace::config::ConfigKey;
use serde_json::{Value, json};

use super::agent_setup::{AgentSetup, HookEntry, ServerCall};
use super::fix_commands::forced_setup;
use super::process::{ProcessOutput, ServerTrial, Transport};
use super::switches::Switches;
use super::{DoctorOptions, Finding, process};
use crate::setup::Agent;
use crate::setup::read;

/// How long the doctor waits for a hook or the guard to end.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The file that the simulation reads and edits.
const SCRATCH: &str = "scratch.txt";
/// A line of the scratch file, by which the anchors of server and hook are compared.
const LINE: &str = "two";

/// One simulation: the hashline program that the agent's files name, and a temporary project to run it in.
struct Trial<'a> {
    agent: Agent,
    /// The absolute path of the program.
    program: PathBuf,
    /// The name or path of the program, as the agent's files call it.
    name: &'a str,
    folder: tempfile::TempDir,
    /// The command that repairs the agent's files if the simulation fails.
    fix: String,
}

/// Starts the server and the hook as the agent would, and edits a scratch file. Programs other than hashline are not started.
pub(super) fn simulate(
    options: &DoctorOptions,
    found: &AgentSetup,
    switches: &Switches,
    agree: bool,
) -> Vec<Finding> {
    let setup = &found.options;
    let Some(call) = &found.call else {
        return Vec::new();
    };
    let Some(program) = options.programs.find(&call.program) else {
        return vec![Finding::warning(
            "nothing is started: its files call no program that is known to be hashline",
        )];
    };
    let folder = match scratch(options, switches) {
        Ok(folder) => folder,
        Err(error) => {
            let text = format!("no temporary folder can be created: {error}");
            return vec![Finding::problem(text)];
        }
    };
    let trial = Trial {
        agent: setup.agent,
        program,
        name: &call.program,
        folder,
        fix: forced_setup(options, setup.agent, setup.scope),
    };
    let mut findings = Vec::new();
    let mut shown = None;
    if let Some(args) = &call.args {
        match trial.server(call, args) {
            Ok((tools, text)) => {
                findings.push(Finding::ok(tools));
                shown = Some(text);
            }
            Err(finding) => findings.push(finding),
        }
    }
    if let Agent::OpenCode | Agent::Pi = setup.agent {
        findings.push(trial.guard());
    }
    // One that calls something else than hashline was reported before.
    if let Some(hook) = found.hook()
        && let Some(program) = options.programs.find(&hook.call.program)
    {
        findings.push(trial.hook(hook, &program, switches));
        // A difference between the files was reported before.
        let shown = shown.filter(|_| agree);
        findings.extend(shown.and_then(|shown| trial.disagrees(hook, &program, &shown)));
    }
    findings
}

/// Creates a temporary project with the scratch file, a copy of the user's configuration, and the switches that are in force.
fn scratch(options: &DoctorOptions, switches: &Switches) -> io::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new()
        .prefix("hashline-doctor-")
        .tempdir()?;
    // So that no root is found above it.
    fs::create_dir(folder.path().join(".git"))?;
    fs::write(folder.path().join(SCRATCH), "one\ntwo\n")?;
    switches.copy_into(folder.path())?;
    let own = folder.path().join(process::CONFIG).join("hashline");
    fs::create_dir_all(&own)?;
    if let Some(text) = configuration(options) {
        fs::write(own.join("config.toml"), text)?;
    }
    Ok(folder)
}

/// Returns the user's configuration file without its `roots`, since the temporary project is in none of them.
fn configuration(options: &DoctorOptions) -> Option<String> {
    let text = read::text(options.service.user_file.as_ref()?)?;
    Some(match text.parse::<toml_edit::DocumentMut>() {
        Ok(mut document) => {
            document.remove(ConfigKey::ROOTS.name());
            document.to_string()
        }
        // It is as wrong there as it is here.
        Err(_) => text,
    })
}

impl Trial<'_> {
    /// Tests the server; returns a line about what works, and the scratch file as the server shows it.
    fn server(&self, call: &ServerCall, args: &[String]) -> Result<(String, String), Finding> {
        let line = format!("{} {}", self.name, args.join(" "));
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        // Other arguments may come from a stranger, and could for instance open another folder.
        let refused = match words.as_slice() {
            ["mcp"] | ["mcp", "--dialect", _] => None,
            ["mcp", ..] => Some(Finding::warning(format!(
                "`{line}` is not started: it has arguments that setup does not write"
            ))),
            _ => {
                let file = call.file.display();
                let text = format!("`{line}` in {file} is not hashline's server: not started");
                Some(Finding::problem(text))
            }
        };
        if let Some(finding) = refused {
            return Err(finding.with_fix(self.fix.clone()));
        }
        match self.talk(args) {
            Ok((tools, shown)) => {
                let text = format!("`{line}` works ({tools}); read and edited a scratch file");
                Ok((text, shown))
            }
            Err(why) => Err(Finding::problem(format!("`{line}` does not work: {why}"))),
        }
    }

    /// Reads and edits the scratch file through the server; returns the names of the server's tools, and the file as the server showed it.
    fn talk(&self, args: &[String]) -> Result<(String, String), String> {
        // The server is connected as the agent does it: one that works with pipes need not work with sockets.
        let transport = match self.agent {
            Agent::Codex => Transport::Pipes,
            Agent::Claude | Agent::Gemini | Agent::OpenCode | Agent::Pi => Transport::Sockets,
        };
        let folder = self.folder.path();
        let mut server =
            ServerTrial::start(process::command(&self.program, args, folder), transport)?;
        let tools = server.tools()?;
        let shown = server.call("read", &json!({"path": SCRATCH}))?;
        let rev =
            revision(&shown).ok_or_else(|| "the answer to read has no revision".to_owned())?;
        let edit =
            json!({"path": SCRATCH, "rev": rev, "edits": [{"op": "append", "lines": ["three"]}]});
        server.call("edit", &edit)?;
        let text = fs::read_to_string(folder.join(SCRATCH)).unwrap_or_default();
        match text.as_str() {
            "one\ntwo\nthree\n" => Ok((tools.join(", "), shown)),
            _ => Err("the edit did not change the file".to_owned()),
        }
    }

    /// Sends the hook an edit with the agent's own edit tool, and reports whether the hook refuses it.
    fn hook(&self, hook: &HookEntry, program: &Path, switches: &Switches) -> Finding {
        let args = hook_args(hook);
        let line = format!("{} {}", hook.call.program, args.join(" "));
        if !switches.are_known() {
            let text = format!(
                "`{line}` is not tried: hooks allow everything until the configuration is fixed"
            );
            return Finding::problem(text);
        }
        let message = native_edit(self.agent, self.folder.path());
        let ran = self.run(program, &args, &message.to_string());
        match ran.map(|ran| (ran.code, answer(&ran.out), ran)) {
            Ok((Some(0), Ok(answer), _)) => judged(&line, &answer, switches),
            Ok((Some(0), Err(_), _)) => {
                Finding::problem(format!("`{line}` does not answer with JSON"))
            }
            Ok((_, _, ran)) => Finding::problem(format!("`{line}` fails: {}", ran.first_error())),
            Err(why) => Finding::problem(format!("`{line}` does not work: {why}")),
        }
    }

    /// Runs a program in the temporary project.
    fn run(&self, program: &Path, args: &[String], input: &str) -> Result<ProcessOutput, String> {
        let command = process::command(program, args, self.folder.path());
        process::run(command, input.as_bytes(), TIMEOUT)
    }

    /// Sends the hook a read with the agent's own tool, and reports if its anchors differ from the server's. `None` if they agree, or if the hook
    /// shows no anchors.
    fn disagrees(&self, hook: &HookEntry, program: &Path, shown: &str) -> Option<Finding> {
        let folder = self.folder.path();
        let text = fs::read_to_string(folder.join(SCRATCH)).ok()?;
        let message = native_read(self.agent, folder, &text)?.to_string();
        let ran = self.run(program, &hook_args(hook), &message).ok()?;
        let answer = answer(&ran.out).ok()?;
        let by_hook = answer["hookSpecificOutput"]["updatedToolOutput"]["file"]["content"].as_str();
        let by_hook = by_hook.or(answer["reason"].as_str())?;
        let line_of = |text: &str| {
            let mut lines = text.lines().rev();
            lines.find(|line| line.ends_with(LINE)).map(str::to_owned)
        };
        // An agent that numbers lines itself is given the rest of an anchor.
        let (by_hook, by_server) = (line_of(by_hook)?, line_of(shown)?);
        (!by_server.ends_with(&by_hook)).then(|| {
            let text = format!(
                "the hook shows `{by_hook}` where the server shows `{by_server}`: the server refuses the anchors that the hook shows"
            );
            Finding::problem(text).with_fix(self.fix.clone())
        })
    }

    /// Runs `hashline guard` on a shell command that edits a file, as the plugins do, and reports whether it is recognized.
    fn guard(&self) -> Finding {
        let line = format!("{} guard --json", self.name);
        let args = ["guard", "--json", "sed -i s/one/uno/ scratch.txt"].map(str::to_owned);
        let why = match self.run(&self.program, &args, "") {
            Ok(ran) if ran.out.contains("write-bypass") => {
                return Finding::ok(format!("`{line}` recognizes a shell command that edits"));
            }
            Ok(ran) => ran.first_error().to_owned(),
            Err(why) => why,
        };
        Finding::problem(format!("`{line}` does not work: {why}"))
    }
}

/// Returns the revision in a server's answer: the hexadecimal number after `rev`.
fn revision(text: &str) -> Option<String> {
    let (_, after) = text.split_once("rev ")?;
    let rev: String = after.chars().take_while(char::is_ascii_hexdigit).collect();
    (rev.len() >= 8).then_some(rev)
}

/// Parses a hook's answer as JSON; an empty answer is null.
fn answer(out: &str) -> serde_json::Result<Value> {
    match out.trim() {
        "" => Ok(Value::Null),
        out => serde_json::from_str(out),
    }
}

/// Reports whether a hook's answer (refused or allowed) is right for the switches that are in force.
fn judged(line: &str, answer: &Value, switches: &Switches) -> Finding {
    match (refuses(answer), switches.allowing_edits()) {
        (true, None) => Finding::ok(format!("`{line}` refuses the agent's own edit tool")),
        (false, Some(switch)) => {
            let text = format!("`{line}` works; {switch} allows the agent's own edit tool");
            Finding::warning(text)
        }
        (true, Some(switch)) => {
            let text =
                format!("`{line}` refuses the agent's own edit tool, although {switch} allows it");
            Finding::problem(text)
        }
        (false, None) => {
            let message = answer["systemMessage"].as_str().unwrap_or_default();
            let text = format!(
                "`{line}` allows the agent's own edit tool, and no switch is set: {message}"
            );
            Finding::problem(text.trim_end_matches(": "))
        }
    }
}

/// Returns the message that the agent sends a hook before it edits a file with its own tool.
fn native_edit(agent: Agent, folder: &Path) -> Value {
    let file = folder.join(SCRATCH);
    let (event, tool, input) = match agent {
        Agent::Gemini => (
            "BeforeTool",
            "replace",
            json!({"file_path": file, "old_string": "one", "new_string": "uno"}),
        ),
        Agent::Codex => (
            "PreToolUse",
            "apply_patch",
            json!({"command": format!("*** Begin Patch\n*** Update File: {SCRATCH}\n@@\n-one\n+uno\n*** End Patch\n")}),
        ),
        Agent::Claude | Agent::OpenCode | Agent::Pi => (
            "PreToolUse",
            "Edit",
            json!({"file_path": file, "old_string": "one", "new_string": "uno"}),
        ),
    };
    hook_message(folder, event, tool, &input)
}

/// Returns the message that the agent sends a hook after it has read a file with its own tool; `None` if hooks of this agent cannot replace the
/// output.
fn native_read(agent: Agent, folder: &Path, text: &str) -> Option<Value> {
    let file = folder.join(SCRATCH);
    let lines = text.lines().count() + 1;
    let (event, tool, response) = match agent {
        Agent::Claude => (
            "PostToolUse",
            "Read",
            json!({"type": "text", "file": {
                "filePath": file, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines,
            }}),
        ),
        Agent::Gemini => ("AfterTool", "read_file", json!({"llmContent": text})),
        Agent::Codex | Agent::OpenCode | Agent::Pi => return None,
    };
    let mut message = hook_message(folder, event, tool, &json!({"file_path": file}));
    message["tool_response"] = response;
    Some(message)
}

fn hook_message(folder: &Path, event: &str, tool: &str, input: &Value) -> Value {
    json!({
        "session_id": "doctor",
        "transcript_path": "",
        "cwd": folder,
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": input,
    })
}

/// Returns the arguments with which the agent's files run the hook.
fn hook_args(hook: &HookEntry) -> Vec<String> {
    let mut args = vec!["hook".to_owned()];
    if let Some(dialect) = &hook.call.dialect {
        args.extend(["--dialect".to_owned(), dialect.clone()]);
    }
    args
}

fn refuses(answer: &Value) -> bool {
    answer["hookSpecificOutput"]["permissionDecision"] == "deny"
        || answer["decision"] == "deny"
        || answer["decision"] == "block"
}
