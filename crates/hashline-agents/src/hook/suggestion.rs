//! What a model should do instead of a refused call: the call to make, with the path filled in, ready to be copied.

use std::path::Path;

use crate::guard::Bypass;
use hashline_core::scheme::Scheme;
use hashline_wire::shell;
use serde_json::{Value, json};

use crate::hook::words::ToolNames;

/// How many files are named at most.
const NAMED: usize = 5;

/// Placeholder for the revision that a read returns.
const REV: &str = "REV";
/// Placeholder for an anchor that a read shows.
const ANCHOR: &str = "ANCHOR";
/// Placeholder for text.
const TEXT: &str = "TEXT";

/// The names of a file. The server and a shell need not work in the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileNames {
    /// For a tool of the server.
    pub(crate) tool: String,
    /// For the program, run where the shell is.
    pub(crate) shell: String,
    /// The root it lies in, if the program would not find it from there.
    pub(crate) root: Option<String>,
}

/// A file, and what a tool would do to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EditStep {
    pub(crate) file: FileNames,
    pub(crate) kind: StepKind,
}

/// What a tool would do to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// Changes part of it.
    Edit,
    /// Creates it.
    Create,
    /// Replaces the content of an existing file.
    Replace,
    /// Creates or replaces it: after the tool ran, it is not known which.
    Write,
    /// Deletes it.
    Delete,
    /// Moves it.
    Move(FileNames),
}

/// What to do instead, and what a refusal says first.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    refused: &'static str,
    why: String,
}

impl Suggestion {
    /// Returns the text of a refusal.
    pub(crate) fn refusal(&self) -> String {
        format!("{} {}", self.refused, self.why)
    }

    /// Returns the text of advice for a call that passes.
    pub(crate) fn advice(&self) -> String {
        format!("This call is allowed. Better next time: {}", self.why)
    }
}

impl FileNames {
    /// Returns the command that reads it.
    fn read(&self, tools: &ToolNames) -> String {
        format!(
            "`{} --header {}`",
            tools.command("read"),
            shell::path(Path::new(&self.shell))
        )
    }

    /// Returns the command that takes a request about it.
    fn apply(&self, tools: &ToolNames) -> String {
        let apply = tools.command("apply");
        match &self.root {
            Some(root) => format!("{apply} --root {}", shell::path(Path::new(root))),
            None => apply,
        }
    }

    /// Returns that command with a request, as lines to copy.
    fn applied(&self, tools: &ToolNames, request: &Value) -> String {
        format!("\n{} <<'EOF'\n{request}\nEOF\n", self.apply(tools))
    }
}

impl EditStep {
    /// Says what to do with hashline, by a verb.
    fn verb(&self) -> &'static str {
        match self.kind {
            StepKind::Edit => "Edit",
            StepKind::Create => "Create",
            StepKind::Replace => "Change the existing file",
            StepKind::Write => "Write",
            StepKind::Delete => "Delete",
            StepKind::Move(_) => "Move",
        }
    }

    /// Says how it is done with us.
    fn how(&self, tools: &ToolNames) -> String {
        let file = &self.file;
        let (by_tool, apply) = (tools.by_tool(self), file.apply(tools));
        let with = |request: Value| format!("`{apply}` with {request}");
        let in_shell = match &self.kind {
            StepKind::Edit | StepKind::Replace | StepKind::Write => {
                format!("{}, then `{apply}`", file.read(tools))
            }
            StepKind::Create => with(create_request(&file.shell)),
            StepKind::Delete => with(delete_request(&file.shell)),
            StepKind::Move(to) => with(move_request(&file.shell, &to.shell)),
        };
        format!("{by_tool} In a shell: {in_shell}.")
    }
}

impl ToolNames {
    fn write(&self, path: &str) -> String {
        let call = json!({"path": path, "content": TEXT});
        format!("{} {call}", self.tool("write"))
    }

    /// Says which of our tools does a step, in whole sentences.
    fn by_tool(&self, step: &EditStep) -> String {
        let path = step.file.tool.as_str();
        let (read, edit, write) = (self.read(path), self.tool("edit"), self.tool("write"));
        let change = format!("call {read}, then {edit} with that path, its `rev` and anchors");
        match &step.kind {
            StepKind::Edit => format!(
                "Call {read}, then {edit} with that path, the `rev` it names and the anchors of the lines to change."
            ),
            StepKind::Create => format!("Call {} with the same content.", self.write(path)),
            StepKind::Replace => format!(
                "To change lines, {change}; to replace all of it, call {write} with that path, its `rev` and the content."
            ),
            StepKind::Write => format!(
                "To create a file, call {}; to change lines of an existing one, {change}; to replace it, call {write} with its `rev` as well.",
                self.write(path)
            ),
            StepKind::Delete => format!(
                "Call {read}, then {edit} {} with the `rev` it names.",
                with_rev(delete_request(path))
            ),
            StepKind::Move(to) => format!(
                "Call {read}, then {edit} {} with the `rev` it names; lines are changed with the anchors it shows.",
                with_rev(move_request(path, &to.tool)),
            ),
        }
    }
}

/// Suggests what to do instead of changing files, of which there is at least one.
pub(crate) fn change(tools: &ToolNames, tool: &str, steps: &[EditStep]) -> Suggestion {
    let paths: Vec<&str> = (steps.iter().map(|step| step.file.shell.as_str())).collect();
    let why = match steps {
        [step] => format!(
            "{} {} with hashline, not with {tool}. {}",
            step.verb(),
            paths[0],
            step.how(tools)
        ),
        _ => format!(
            "Change {} with hashline, not with {tool}. {} One call can change all of them, all or nothing.",
            listed(&paths),
            one_of_each(tools, steps)
        ),
    };
    Suggestion {
        refused: "Nothing was written.",
        why,
    }
}

/// Explains each kind of step once, for the first file of that kind.
fn one_of_each(tools: &ToolNames, steps: &[EditStep]) -> String {
    let mut kinds: Vec<&EditStep> = Vec::new();
    for step in steps {
        if !kinds.iter().any(|known| known.verb() == step.verb()) {
            kinds.push(step);
        }
    }
    match kinds.as_slice() {
        // If all steps are of one kind, the explanation holds for every file.
        [only] => only.how(tools),
        kinds => {
            let each = kinds.iter();
            let each = each.map(|step| format!("{}: {}", step.file.shell, step.how(tools)));
            each.collect::<Vec<_>>().join(" ")
        }
    }
}

/// Lists files, the first few by name.
fn listed(paths: &[&str]) -> String {
    let shown = paths[..paths.len().min(NAMED)].join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Suggests what to run instead of a command that shows a file.
pub(crate) fn shell_read(
    tools: &ToolNames,
    bypass: &Bypass,
    step: Option<&EditStep>,
) -> Suggestion {
    let command = &bypass.command;
    let why = match step.map(|step| &step.file) {
        Some(file) => format!(
            "`{command}` would show {} without anchors, and only lines with anchors can be edited. Run {} (lines: \
             `--start-line N --lines M`), or call {}.",
            file.shell,
            file.read(tools),
            tools.read(&file.tool)
        ),
        None => format!(
            "`{command}` would show files of this project without anchors, and only lines with anchors can be edited. Run \
             `{} --header FILE...` or `{} PATTERN`, or call {} or {}.",
            tools.command("read"),
            tools.command("search"),
            tools.tool("read"),
            tools.tool("search")
        ),
    };
    Suggestion {
        refused: "Not run:",
        why,
    }
}

/// Suggests what to run instead of a command that changes a file.
pub(crate) fn shell_write(
    tools: &ToolNames,
    bypass: &Bypass,
    step: Option<&EditStep>,
) -> Suggestion {
    let command = &bypass.command;
    let why = match step {
        Some(EditStep {
            file,
            kind: StepKind::Create,
        }) => format!(
            "`{command}` would create {} without hashline. Run{}or call {}.",
            file.shell,
            file.applied(tools, &create_request(&file.shell)),
            tools.write(&file.tool)
        ),
        Some(EditStep { file, .. }) => format!(
            "`{command}` would change {} without hashline. Run {}, then{}or call {}, then {} with that path, its `rev` and anchors.",
            file.shell,
            file.read(tools),
            file.applied(tools, &edit_request(tools.scheme, &file.shell)),
            tools.read(&file.tool),
            tools.tool("edit")
        ),
        None => format!(
            "`{command}` would change files of this project without hashline. Run `{} --header \
             FILE`, then `{} <<'EOF'` with the edits, or call {} and {}.",
            tools.command("read"),
            tools.command("apply"),
            tools.tool("read"),
            tools.tool("edit")
        ),
    };
    Suggestion {
        refused: "Not run, nothing was written:",
        why,
    }
}

/// Returns a request that replaces a line, as a dialect writes it.
fn edit_request(scheme: Scheme, path: &str) -> Value {
    match scheme {
        Scheme::Omp => {
            json!({"path": path, "rev": REV, "edits": [{"set_line": {"anchor": ANCHOR, "new_text": TEXT}}]})
        }
        Scheme::Push => {
            json!({"path": path, "rev": REV, "edits": [{"type": "replace_line", "ref": ANCHOR, "new_content": TEXT}]})
        }
        Scheme::Cowboy => {
            json!({"path": path, "rev": REV, "operations": [{"action": "replace", "start": ANCHOR, "content": TEXT}]})
        }
        Scheme::Openagent => {
            json!({"filePath": path, "rev": REV, "edits": [{"op": "replace", "pos": ANCHOR, "lines": [TEXT]}]})
        }
        Scheme::Pi => {
            json!({"patch": [{"op": "set_line", "path": path, "anchor": ANCHOR, "text": TEXT}], "revs": {path: REV}})
        }
        Scheme::Lean => {
            json!({"path": path, "rev": REV, "edits": [{"op": "replace", "at": ANCHOR, "lines": [TEXT]}]})
        }
    }
}

/// Returns a request that creates a file. Requests over files are the same in every dialect.
fn create_request(path: &str) -> Value {
    file_request(path, &json!({"op": "create", "content": TEXT}))
}

/// Returns a request that deletes a file.
fn delete_request(path: &str) -> Value {
    file_request(path, &json!({"op": "delete_file"}))
}

/// Returns a request that moves a file.
fn move_request(path: &str, to: &str) -> Value {
    file_request(path, &json!({"op": "move", "to_path": to}))
}

/// Adds the placeholder of the revision, which tools require.
fn with_rev(mut request: Value) -> Value {
    request["files"][0]["rev"] = REV.into();
    request
}

fn file_request(path: &str, edit: &Value) -> Value {
    json!({"files": [{"path": path, "edits": [edit]}]})
}
