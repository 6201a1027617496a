//! The sentences that tell a model which hashline call to make instead of a refused tool call, with the path filled in.

use std::path::Path;

use crate::guard::Bypass;
use hashline_core::scheme::Scheme;
use hashline_wire::shell;
use serde_json::{Value, json};

use crate::hook::words::ToolNames;

/// The maximum number of files that a sentence names; further files are only counted.
const NAMED: usize = 5;

/// Placeholder in a suggested request for the revision that `read` returns.
const REV: &str = "REV";
/// Placeholder in a suggested request for an anchor that `read` shows.
const ANCHOR: &str = "ANCHOR";
/// Placeholder in a suggested request for the new text.
const TEXT: &str = "TEXT";

/// The paths of a file for our server and for a shell, which may run in different directories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileNames {
    /// The path for a tool of our MCP server.
    pub(crate) tool: String,
    /// The path for a `hashline` command, relative to the shell's working directory if the file is inside it.
    pub(crate) shell: String,
    /// The value of `--root` that a `hashline` command needs; `None` if the command finds the root itself.
    pub(crate) root: Option<String>,
}

/// A file, and how a tool would change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EditStep {
    pub(crate) file: FileNames,
    pub(crate) kind: StepKind,
}

/// How a tool would change a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// The tool changes part of the file.
    Edit,
    /// The tool creates the file.
    Create,
    /// The tool replaces the content of an existing file.
    Replace,
    /// The tool created or replaced the file; after it ran, it is not known which.
    Write,
    /// The tool deletes the file.
    Delete,
    /// The tool moves the file to this path.
    Move(FileNames),
}

/// The hashline calls to make instead of a tool call, and the first words of a refusal.
#[derive(Clone, Debug)]
pub(crate) struct Suggestion {
    refused: &'static str,
    why: String,
}

impl Suggestion {
    /// Returns the text that refuses a tool call and names the calls to make instead.
    pub(crate) fn refusal(&self) -> String {
        format!("{} {}", self.refused, self.why)
    }

    /// Returns the text of advice for a tool call that is allowed.
    pub(crate) fn advice(&self) -> String {
        format!("This call is allowed. Better next time: {}", self.why)
    }
}

impl FileNames {
    /// Returns the shell command that reads the file.
    fn read(&self, tools: &ToolNames) -> String {
        format!(
            "`{} --header {}`",
            tools.command("read"),
            shell::path(Path::new(&self.shell))
        )
    }

    /// Returns the shell command `hashline apply`, with `--root` if the file needs it.
    fn apply(&self, tools: &ToolNames) -> String {
        let apply = tools.command("apply");
        match &self.root {
            Some(root) => format!("{apply} --root {}", shell::path(Path::new(root))),
            None => apply,
        }
    }

    /// Returns `hashline apply` with a request in a heredoc, as lines to copy.
    fn applied(&self, tools: &ToolNames, request: &Value) -> String {
        format!("\n{} <<'EOF'\n{request}\nEOF\n", self.apply(tools))
    }
}

impl EditStep {
    /// Returns the verb of the sentence that suggests hashline for this change.
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

    /// Returns sentences that say how to make this change with our tools and in a shell.
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

    /// Returns sentences that say how to change a file with our MCP tools.
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

/// Returns what to do instead of changing files with `tool`; `steps` must not be empty.
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

/// Returns sentences that explain each kind of change once, for the first file of that kind.
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

/// Returns a list of paths for a sentence: the first few, and the number of the others.
fn listed(paths: &[&str]) -> String {
    let shown = paths[..paths.len().min(NAMED)].join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns what to run instead of a shell command that shows a file without anchors.
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

/// Returns what to run instead of a shell command that changes a file without hashline.
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

/// Returns an example request that replaces a line, in the dialect that uses the anchor format `scheme`.
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

/// Returns an example request that creates a file. Requests that create, move or delete files are the same in every dialect.
fn create_request(path: &str) -> Value {
    file_request(path, &json!({"op": "create", "content": TEXT}))
}

/// Returns an example request that deletes a file.
fn delete_request(path: &str) -> Value {
    file_request(path, &json!({"op": "delete_file"}))
}

/// Returns an example request that moves a file.
fn move_request(path: &str, to: &str) -> Value {
    file_request(path, &json!({"op": "move", "to_path": to}))
}

/// Adds a placeholder for the file's revision, which our MCP tools require, to a request.
fn with_rev(mut request: Value) -> Value {
    request["files"][0]["rev"] = REV.into();
    request
}

fn file_request(path: &str, edit: &Value) -> Value {
    json!({"files": [{"path": path, "edits": [edit]}]})
}
