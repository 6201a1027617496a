//! What to do instead of what is refused: the call to make, with the path in it, so that it works when it is copied.

use std::path::Path;

use crate::guard::Bypass;
use hashline_core::scheme::Scheme;
use hashline_wire::render::shell;
use serde_json::{Value, json};

use crate::hook::words::Calls;

/// More files than this are not all named.
const NAMED: usize = 5;

/// Stands for the revision that a reading names.
const REV: &str = "REV";
/// Stands for an anchor that a reading shows.
const ANCHOR: &str = "ANCHOR";
/// Stands for text.
const TEXT: &str = "TEXT";

/// A file as each of our doors can be asked for it. The server and a shell need not work in the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// For a tool of the server.
    pub(crate) tool: String,
    /// For the program, run where the shell is.
    pub(crate) shell: String,
    /// The root it lies in, if the program would not find it from there.
    pub(crate) root: Option<String>,
}

/// What a tool would do to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Changes some of it.
    Edit(Named),
    /// Makes it.
    Make(Named),
    /// Gives a file that is there other content.
    Replace(Named),
    /// One of the two; nobody knows any more.
    Write(Named),
    /// Deletes it.
    Delete(Named),
    /// Moves it.
    Move(Named, Named),
}

/// What there is to object to: what is better, and what a refusal says first.
#[derive(Clone, Debug)]
pub(crate) struct Better {
    refused: &'static str,
    why: String,
}

impl Better {
    /// Says it to somebody who is refused.
    pub(crate) fn refusal(&self) -> String {
        format!("{}: {}", self.refused, self.why)
    }

    /// Says it to somebody who is let pass.
    pub(crate) fn advice(&self) -> String {
        format!("This is let pass. Better next time: {}", self.why)
    }
}

impl Named {
    /// Returns the command that reads it.
    fn read(&self, calls: &Calls) -> String {
        format!(
            "`{} --header {}`",
            calls.command("read"),
            shell::path(Path::new(&self.shell))
        )
    }

    /// Returns the command that takes a request about it.
    fn apply(&self, calls: &Calls) -> String {
        let apply = calls.command("apply");
        match &self.root {
            Some(root) => format!("{apply} --root {}", shell::path(Path::new(root))),
            None => apply,
        }
    }

    /// Returns that command with a request, as lines to copy.
    fn applied(&self, calls: &Calls, request: &Value) -> String {
        format!("\n{} <<'EOF'\n{request}\nEOF\n", self.apply(calls))
    }
}

impl Step {
    fn file(&self) -> &Named {
        match self {
            Self::Edit(file)
            | Self::Make(file)
            | Self::Replace(file)
            | Self::Write(file)
            | Self::Delete(file)
            | Self::Move(file, _) => file,
        }
    }

    /// Says what is done to it, after "is" or "are".
    fn done(&self) -> &'static str {
        match self {
            Self::Edit(_) => "edited",
            Self::Make(_) => "made",
            Self::Replace(_) => "there already, and is changed",
            Self::Write(_) => "written",
            Self::Delete(_) => "deleted",
            Self::Move(..) => "moved",
        }
    }

    /// Says how it is done with us.
    fn how(&self, calls: &Calls) -> String {
        let file = self.file();
        let by_tool = calls.by_tool(self);
        let in_shell = match self {
            Self::Edit(_) | Self::Replace(_) | Self::Write(_) => {
                format!("{}, then `{}`", file.read(calls), file.apply(calls))
            }
            Self::Make(_) => with(calls, file, &create_request(&file.shell)),
            Self::Delete(_) => with(calls, file, &delete_request(&file.shell)),
            Self::Move(_, to) => {
                let request = move_request(&file.shell, &to.shell);
                with(calls, file, &request)
            }
        };
        format!("{by_tool} In a shell: {in_shell}.")
    }
}

fn with(calls: &Calls, file: &Named, request: &Value) -> String {
    format!("`{}` with {request}", file.apply(calls))
}

impl Calls {
    fn write(&self, path: &str) -> String {
        let call = json!({"path": path, "content": TEXT});
        format!("{} {call}", self.tool("write"))
    }

    /// Says which of our tools does a step, in whole sentences.
    fn by_tool(&self, step: &Step) -> String {
        let path = step.file().tool.as_str();
        let (read, edit, write) = (self.read(path), self.tool("edit"), self.tool("write"));
        let change = format!("call {read}, then {edit} with that path, its `rev` and anchors");
        match step {
            Step::Edit(_) => format!(
                "Call {read}, then {edit} with that path, the `rev` it names and the anchors of the lines to change."
            ),
            Step::Make(_) => format!("Call {} with the same content.", self.write(path)),
            Step::Replace(_) => format!(
                "To change lines, {change}; to replace all of it, {write} with that path, its `rev` and the content."
            ),
            Step::Write(_) => format!(
                "To make a file, call {}; to change lines of one, {change}; to replace all of it, {write} with its `rev`, too.",
                self.write(path)
            ),
            Step::Delete(_) => format!(
                "Call {read}, then {edit} {} with the `rev` it names.",
                with_rev(delete_request(path))
            ),
            Step::Move(_, to) => format!(
                "Call {read}, then {edit} {} with the `rev` it names; lines are changed with the anchors it shows.",
                with_rev(move_request(path, &to.tool)),
            ),
        }
    }
}

/// Says what to do instead of changing files; there is at least one.
pub(crate) fn change(calls: &Calls, tool: &str, steps: &[Step]) -> Better {
    let paths: Vec<&str> = (steps.iter().map(|step| step.file().shell.as_str())).collect();
    let why = match steps {
        [step] => format!(
            "{} is {} with hashline here, not with {tool}. {}",
            paths[0],
            step.done(),
            step.how(calls)
        ),
        _ => format!(
            "{} are changed with hashline here, not with {tool}. {} All of them can go into one call, which does all or nothing.",
            listed(&paths),
            one_of_each(calls, steps)
        ),
    };
    Better {
        refused: "Nothing was written",
        why,
    }
}

/// Says how each thing is done that is done at all, to the first file it is done to.
fn one_of_each(calls: &Calls, steps: &[Step]) -> String {
    let mut told: Vec<(&str, String)> = Vec::new();
    for step in steps {
        if !told.iter().any(|(done, _)| *done == step.done()) {
            let how = format!("{}: {}", step.file().shell, step.how(calls));
            told.push((step.done(), how));
        }
    }
    match told.as_slice() {
        // What is the same for all of them names only the first.
        [_] => steps
            .first()
            .map(|step| step.how(calls))
            .unwrap_or_default(),
        _ => {
            let told: Vec<String> = told.into_iter().map(|(_, how)| how).collect();
            told.join(" ")
        }
    }
}

/// Names files, but not too many.
fn listed(paths: &[&str]) -> String {
    let shown = paths[..paths.len().min(NAMED)].join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Says what to run instead of a command that shows a file.
pub(crate) fn shell_read(calls: &Calls, bypass: &Bypass, step: Option<&Step>) -> Better {
    let command = &bypass.command;
    let why = match step.map(Step::file) {
        Some(file) => format!(
            "`{command}` would show {} without anchors, and only lines with anchors can be edited. Run {} (lines: \
             `--start-line N --lines M`), or call {}.",
            file.shell,
            file.read(calls),
            calls.read(&file.tool)
        ),
        None => format!(
            "`{command}` would show files of this project without anchors, and only lines with anchors can be edited. Run \
             `{} --header FILE...` or `{} PATTERN`, or call {} or {}.",
            calls.command("read"),
            calls.command("search"),
            calls.tool("read"),
            calls.tool("search")
        ),
    };
    Better {
        refused: "Not run",
        why,
    }
}

/// Says what to run instead of a command that changes a file.
pub(crate) fn shell_write(calls: &Calls, bypass: &Bypass, step: Option<&Step>) -> Better {
    let command = &bypass.command;
    let why = match step {
        Some(Step::Make(file)) => format!(
            "`{command}` would make {} past hashline. Run{}or call {}.",
            file.shell,
            file.applied(calls, &create_request(&file.shell)),
            calls.write(&file.tool)
        ),
        Some(step) => {
            let file = step.file();
            format!(
                "`{command}` would change {} past hashline. Run {}, then{}or call {}, then {} with that path, its `rev` and anchors.",
                file.shell,
                file.read(calls),
                file.applied(calls, &edit_request(calls.scheme, &file.shell)),
                calls.read(&file.tool),
                calls.tool("edit")
            )
        }
        None => format!(
            "`{command}` would change files of this project past hashline. Run `{} --header \
             FILE`, then `{} <<'EOF'` with the edits, or call {} and {}.",
            calls.command("read"),
            calls.command("apply"),
            calls.tool("read"),
            calls.tool("edit")
        ),
    };
    Better {
        refused: "Not run, nothing was written",
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

/// Returns a request that makes a file. Requests over files are the same in every dialect.
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

/// Adds where the revision goes that a reading names: tools ask for it.
fn with_rev(mut request: Value) -> Value {
    request["files"][0]["rev"] = REV.into();
    request
}

fn file_request(path: &str, edit: &Value) -> Value {
    json!({"files": [{"path": path, "edits": [edit]}]})
}
