//! What an agent does with us, done without the agent: in a temporary folder, with its own
//! configuration.
//!
//! Files of a project may come from a stranger. What they name is started only if it is hashline, with arguments that setup writes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_workspace::config::ConfigKey;
use serde_json::{Value, json};

use super::configured::{Call, Configured, Hooked};
use super::remedy::setup_anew;
use super::server::{Link, Server};
use super::switches::Switches;
use super::{Ask, Finding, child};
use crate::setup::agent::Agent;
use crate::setup::disk;

/// So long a hook is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// The file that is edited.
const SCRATCH: &str = "scratch.txt";
/// A line of it.
const LINE: &str = "two";

/// One trial: our program, as the agent's files name it, in a folder made for it.
struct Trial<'a> {
    agent: Agent,
    /// Where the program lies.
    program: PathBuf,
    /// How the files name it.
    name: &'a str,
    folder: tempfile::TempDir,
    /// What mends an agent's files that do not work.
    fix: String,
}

/// Starts what the agent would start, and edits a scratch file. What is not ours is not started; that was said before.
pub(super) fn simulate(
    ask: &Ask,
    configured: &Configured,
    switches: &Switches,
    agree: bool,
) -> Vec<Finding> {
    let wish = &configured.wish;
    let about = wish.agent.title();
    let Some(call) = &configured.call else {
        return Vec::new();
    };
    let Some(program) = ask.programs.find(&call.program) else {
        return vec![Finding::warning(
            about,
            "nothing is started: its files call no program that is known to be hashline",
        )];
    };
    let folder = match scratch(ask, switches) {
        Ok(folder) => folder,
        Err(error) => {
            let text = format!("no temporary folder can be made: {error}");
            return vec![Finding::problem(about, text)];
        }
    };
    let trial = Trial {
        agent: wish.agent,
        program,
        name: &call.program,
        folder,
        fix: setup_anew(ask, wish.agent, wish.scope),
    };
    let mut findings = Vec::new();
    let mut shown = None;
    if let Some(args) = &call.args {
        let (finding, by_server) = trial.server(call, args);
        findings.push(finding);
        shown = by_server;
    }
    if let Agent::OpenCode | Agent::Pi = wish.agent {
        findings.push(trial.guard());
    }
    // One that calls something else than hashline was told of before.
    let hook = configured.hook();
    if let Some((hook, program)) =
        hook.and_then(|hook| Some((hook, ask.programs.find(&hook.call.program)?)))
    {
        findings.push(trial.hook(hook, &program, switches));
        // What the files say of it was told before.
        let shown = shown.filter(|_| agree);
        findings.extend(shown.and_then(|shown| trial.disagrees(hook, &program, &shown)));
    }
    findings
}

/// Makes a folder that is a project of its own, with the file to edit, the user's configuration and the switches that hold here.
fn scratch(ask: &Ask, switches: &Switches) -> io::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new()
        .prefix("hashline-doctor-")
        .tempdir()?;
    fs::create_dir(folder.path().join(".git"))?;
    fs::write(folder.path().join(SCRATCH), "one\ntwo\n")?;
    switches.repeat_in(folder.path())?;
    let own = folder.path().join(child::CONFIG).join("hashline");
    fs::create_dir_all(&own)?;
    if let Some(text) = configuration(ask) {
        fs::write(own.join("config.toml"), text)?;
    }
    Ok(folder)
}

/// Returns the user's configuration without its roots: the folder lies in none of them.
fn configuration(ask: &Ask) -> Option<String> {
    let text = disk::text(ask.start.user_file.as_ref()?)?;
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
    /// Starts the server; returns what it shows of the scratch file, too.
    fn server(&self, call: &Call, args: &[String]) -> (Finding, Option<String>) {
        let about = self.agent.title();
        let line = format!("{} {}", self.name, args.join(" "));
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["mcp"] | ["mcp", "--dialect", _] => {}
            ["mcp", ..] => {
                let text =
                    format!("`{line}` is not started: it has arguments that setup does not write");
                let finding = Finding::warning(about, text).mended_by(self.fix.clone());
                return (finding, None);
            }
            _ => {
                let file = call.file.display();
                let text = format!("`{line}` in {file} is no server of hashline's: not started");
                let finding = Finding::problem(about, text).mended_by(self.fix.clone());
                return (finding, None);
            }
        }
        match self.talk(args) {
            Ok((tools, shown)) => {
                let text = format!("`{line}` answers ({tools}); read and edited a scratch file");
                (Finding::ok(about, text), Some(shown))
            }
            Err(why) => {
                let text = format!("`{line}` does not work: {why}");
                (Finding::problem(about, text), None)
            }
        }
    }

    /// Reads and edits the scratch file through the server; returns the names of its tools, and the file as it was shown.
    fn talk(&self, args: &[String]) -> Result<(String, String), String> {
        let link = match self.agent {
            Agent::Codex => Link::Pipes,
            Agent::Claude | Agent::Gemini | Agent::OpenCode | Agent::Pi => Link::Sockets,
        };
        let folder = self.folder.path();
        let mut server = Server::start(child::command(&self.program, args, folder), link)?;
        let tools = server.tools()?;
        let shown = server.call("read", &json!({"path": SCRATCH}))?;
        let rev =
            revision(&shown).ok_or_else(|| "the answer to read names no revision".to_owned())?;
        let edit =
            json!({"path": SCRATCH, "rev": rev, "edits": [{"op": "append", "lines": ["three"]}]});
        server.call("edit", &edit)?;
        let text = fs::read_to_string(folder.join(SCRATCH)).unwrap_or_default();
        match text.as_str() {
            "one\ntwo\nthree\n" => Ok((tools.join(", "), shown)),
            _ => Err("the edit did not land".to_owned()),
        }
    }

    /// Tells the hook of an edit with the agent's own tool.
    fn hook(&self, hook: &Hooked, program: &Path, switches: &Switches) -> Finding {
        let about = self.agent.title();
        let args = hook_args(hook);
        let line = format!("{} {}", hook.call.program, args.join(" "));
        if !switches.are_known() {
            let text = format!(
                "`{line}` is not tried: hooks let everything pass until the configuration can be used"
            );
            return Finding::problem(about, text);
        }
        let folder = self.folder.path();
        let command = child::command(program, &args, folder);
        let said = native_edit(self.agent, folder).to_string();
        match child::run(command, said.as_bytes(), PATIENCE) {
            Ok(ran) if ran.code == Some(0) => match answer(&ran.out) {
                Ok(answer) => judged(about, &line, &answer, switches),
                Err(_) => Finding::problem(about, format!("`{line}` answers no JSON")),
            },
            Ok(ran) => {
                let said = ran.err.lines().next().unwrap_or_default();
                Finding::problem(about, format!("`{line}` fails: {said}"))
            }
            Err(why) => Finding::problem(about, format!("`{line}` does not work: {why}")),
        }
    }

    /// Tells the hook of a reading with the agent's own tool, and compares its anchors with the server's. Where the hook shows none, there
    /// is nothing to compare.
    fn disagrees(&self, hook: &Hooked, program: &Path, shown: &str) -> Option<Finding> {
        let folder = self.folder.path();
        let text = fs::read_to_string(folder.join(SCRATCH)).ok()?;
        let said = native_read(self.agent, folder, &text)?.to_string();
        let command = child::command(program, &hook_args(hook), folder);
        let ran = child::run(command, said.as_bytes(), PATIENCE).ok()?;
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
                "the hook shows `{by_hook}` where the server shows `{by_server}`: what the one shows the other refuses"
            );
            Finding::problem(self.agent.title(), text).mended_by(self.fix.clone())
        })
    }

    /// Asks the guard, as the plugins do.
    fn guard(&self) -> Finding {
        let about = self.agent.title();
        let line = format!("{} guard --json", self.name);
        let args = ["guard", "--json", "sed -i s/one/uno/ scratch.txt"].map(str::to_owned);
        let command = child::command(&self.program, &args, self.folder.path());
        match child::run(command, b"", PATIENCE) {
            Ok(ran) if ran.out.contains("write-bypass") => {
                Finding::ok(about, format!("`{line}` tells a shell command that edits"))
            }
            Ok(ran) => {
                let said = ran.err.lines().next().unwrap_or_default();
                Finding::problem(about, format!("`{line}` does not work: {said}"))
            }
            Err(why) => Finding::problem(about, format!("`{line}` does not work: {why}")),
        }
    }
}

/// Finds a revision in an answer: the hexadecimal number behind `rev`.
fn revision(text: &str) -> Option<String> {
    let (_, after) = text.split_once("rev ")?;
    let rev: String = after.chars().take_while(char::is_ascii_hexdigit).collect();
    (rev.len() >= 8).then_some(rev)
}

/// Reads a hook's answer. To say nothing is an answer too.
fn answer(out: &str) -> serde_json::Result<Value> {
    match out.trim() {
        "" => Ok(Value::Null),
        out => serde_json::from_str(out),
    }
}

/// Says what a hook's answer means, with the switches that hold.
fn judged(about: &'static str, line: &str, answer: &Value, switches: &Switches) -> Finding {
    match (refuses(answer), switches.letting_edits_pass()) {
        (true, None) => Finding::ok(about, format!("`{line}` refuses the agent's own edit tool")),
        (false, Some(switch)) => {
            let text = format!("`{line}` answers; {switch} lets the agent's own edit tool pass");
            Finding::warning(about, text)
        }
        (true, Some(switch)) => {
            let text = format!("`{line}` refuses the agent's own edit tool in spite of {switch}");
            Finding::problem(about, text)
        }
        (false, None) => {
            let said = answer["systemMessage"].as_str().unwrap_or_default();
            let text = format!(
                "`{line}` lets the agent's own edit tool pass, and no switch says so: {said}"
            );
            Finding::problem(about, text.trim_end_matches(": "))
        }
    }
}

/// Returns what the agent tells a hook before it edits with its own tool.
fn native_edit(agent: Agent, folder: &Path) -> Value {
    let file = folder.join(SCRATCH);
    let common = json!({"session_id": "doctor", "transcript_path": "", "cwd": folder});
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
    let mut message = common;
    message["hook_event_name"] = event.into();
    message["tool_name"] = tool.into();
    message["tool_input"] = input;
    message
}

/// Returns what the agent tells a hook after it has read with its own tool; nothing of one whose lines cannot be replaced.
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
    Some(json!({
        "session_id": "doctor",
        "transcript_path": "",
        "cwd": folder,
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": {"file_path": file},
        "tool_response": response,
    }))
}

/// Returns the arguments that a hook of the agent's files is run with.
fn hook_args(hook: &Hooked) -> Vec<String> {
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
