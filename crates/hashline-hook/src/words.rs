//! Every sentence the hook says, to a model or to a person. They name the tools of clients, which no other room knows.
//!
//! What a model reads says first that nothing was done, then the call to make instead, with the path filled in.

use std::path::Path;

use hashline_guard::Bypass;
use hashline_wire::render::shell;
use serde_json::json;

use crate::client::Client;
use crate::decision::{Note, Showing};
use crate::parse::{LONGEST, Unheard};

/// More files than this are not all named.
const NAMED: usize = 5;

/// How our tools are called at a client.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    prefix: String,
}

impl Calls {
    /// Returns the names at a client; a prefix that is given goes before the client's own.
    pub(crate) fn of(client: Client, prefix: Option<&str>) -> Self {
        let prefix = prefix.unwrap_or(client.tool_prefix());
        Self {
            prefix: prefix.to_owned(),
        }
    }

    /// Returns how a tool is called.
    pub(crate) fn tool(&self, name: &str) -> String {
        match self.prefix.as_str() {
            "" => format!("the hashline tool `{name}`"),
            prefix => format!("`{prefix}{name}`"),
        }
    }

    fn read(&self, path: &str) -> String {
        format!("{} {}", self.tool("read"), json!({ "path": path }))
    }
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

/// Says what to do instead of changing files.
pub(crate) fn edit(calls: &Calls, tool: &str, paths: &[String]) -> Better {
    let path = paths.first().map_or("", String::as_str);
    let (files, more) = match paths {
        [one] => (format!("{one} is"), ""),
        _ => (
            format!("{} are", listed(paths)),
            " All of them can go into one call, which does all or nothing.",
        ),
    };
    not_written(format!(
        "{files} edited with hashline here, not with {tool}. Call {}, then {} with that path, the `rev` it names and \
         the anchors of the lines to change. In a shell: `hashline read --header {}`, then `hashline apply`.{more}",
        calls.read(path),
        calls.tool("edit"),
        shell::path(Path::new(path))
    ))
}

/// Names files, but not too many.
fn listed(paths: &[String]) -> String {
    let shown = paths[..paths.len().min(NAMED)].join(", ");
    match paths.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Says what to do instead of making a file.
pub(crate) fn create(calls: &Calls, tool: &str, path: &str) -> Better {
    not_written(format!(
        "{path} is made with hashline here, not with {tool}. Call {} with {} and the same content. In a shell: \
         `hashline apply` with {}.",
        calls.tool("write"),
        json!({ "path": path }),
        json!({"path": path, "edits": [{"op": "create", "content": "..."}]})
    ))
}

/// Says what to do instead of giving a file other content.
pub(crate) fn overwrite(calls: &Calls, tool: &str, path: &str) -> Better {
    not_written(format!(
        "{path} is there already, and is changed with hashline here, not with {tool}. To change lines, call {}, then \
         {} with that path, its `rev` and anchors; to replace all of it, {} with that path, its `rev` and the content. In a shell: \
         `hashline read --header {}`, then `hashline apply`.",
        calls.read(path),
        calls.tool("edit"),
        calls.tool("write"),
        shell::path(Path::new(path))
    ))
}

fn not_written(why: String) -> Better {
    Better {
        refused: "Nothing was written",
        why,
    }
}

/// Says what to run instead of a command that shows a file.
pub(crate) fn shell_read(calls: &Calls, bypass: &Bypass, file: Option<&str>) -> Better {
    let command = &bypass.command;
    let why = match file {
        Some(path) => format!(
            "`{command}` would show {path} without anchors, and only lines with anchors can be edited. Run `hashline read \
             --header {}` (lines: `--start-line N --lines M`), or call {}.",
            shell::path(Path::new(path)),
            calls.read(path)
        ),
        None => format!(
            "`{command}` would show files of this project without anchors, and only lines with anchors can be edited. Run \
             `hashline read --header FILE...` or `hashline search PATTERN`, or call {} or {}.",
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
pub(crate) fn shell_write(calls: &Calls, bypass: &Bypass, file: Option<&str>) -> Better {
    let command = &bypass.command;
    let why = match file {
        Some(path) => format!(
            "`{command}` would change {path} past hashline. Run `hashline read --header {}`, then `hashline \
             apply <<'EOF'` with {} (a new file: {}), or call {} and {}.",
            shell::path(Path::new(path)),
            json!({"path": path, "rev": "...", "edits": ["..."]}),
            json!({"op": "create", "content": "..."}),
            calls.tool("read"),
            calls.tool("edit")
        ),
        None => format!(
            "`{command}` would change files of this project past hashline. Run `hashline read --header \
             FILE`, then `hashline apply <<'EOF'` with the edits, or call {} and {}.",
            calls.tool("read"),
            calls.tool("edit")
        ),
    };
    Better {
        refused: "Not run, nothing was written",
        why,
    }
}

/// Says at the beginning how files are read and edited here. Some clients spell angle brackets out, so there are none.
pub(crate) fn start(calls: &Calls) -> String {
    format!(
        "Files of this project are read and edited with hashline: {} shows lines with anchors and a `rev`; {} takes the path, that \
         `rev` and anchors; {} makes files; {} finds lines.\nIn a shell: `hashline read --header FILE`, `hashline search PATTERN`, \
         `hashline apply` with the request in a heredoc. Native edit tools, and `cat`, `sed -i` or a redirection on files of the \
         project, are turned back with the call to make instead. A refusal means that nothing was written.",
        calls.tool("read"),
        calls.tool("edit"),
        calls.tool("write"),
        calls.tool("search")
    )
}

/// Says what the lines are that a client numbers itself, and how to edit them.
pub(crate) fn shown_numbered(showing: &Showing) -> String {
    let separator = match showing.scheme.separator() {
        b'\t' => "<TAB>".to_owned(),
        other => char::from(other).to_string(),
    };
    let joint = char::from(showing.scheme.joint());
    let example = showing.lines.first();
    let example = example.map(|line| line.anchor.as_str()).unwrap_or_default();
    format!(
        "{} rev {}: each line reads NUMBER<TAB>TAG{separator}text, and its anchor is NUMBER{joint}TAG (the first: `{example}`). TAG is not \
         in the file. Edit with {}: path and rev as here, and these anchors.",
        showing.path, showing.rev, showing.edit_tool
    )
}

/// Says the same before lines that carry their whole anchors.
pub(crate) fn shown_whole(showing: &Showing) -> String {
    let number = |line: &crate::decision::AnchoredText| {
        let joint = char::from(showing.scheme.joint());
        line.anchor
            .split(joint)
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let first = showing.lines.first().map(number).unwrap_or_default();
    let last = showing.lines.last().map(number).unwrap_or_default();
    format!(
        "No error: {} rev {}, lines {first}-{last} of {}, each with its anchor before the text. Edit with {}: path and rev as here, and \
         these anchors.",
        showing.path, showing.rev, showing.line_count, showing.edit_tool
    )
}

/// Says why nothing was done although something might have been.
pub(crate) fn note(note: &Note) -> String {
    let why = match note {
        Note::TooSlow => "it took too long".to_owned(),
        Note::Broke => "it failed".to_owned(),
        Note::NoWorkspace(why) => format!("the workspace cannot be opened: {why}"),
        Note::Unsure(unsure) => format!("the command cannot be judged ({})", unsure.name()),
    };
    format!("hashline hook let this call pass: {why}")
}

/// Says why something is no event.
pub(crate) fn unheard(unheard: &Unheard) -> String {
    let why = match unheard {
        Unheard::Empty => {
            "nothing came on standard input; a client runs this with its JSON there".to_owned()
        }
        Unheard::TooLong => format!("the input is longer than {} MiB", LONGEST >> 20),
        Unheard::Unreadable => "standard input cannot be read".to_owned(),
        Unheard::NotJson => "the input is no JSON object".to_owned(),
        Unheard::UnknownClient => "no known client sends such an object".to_owned(),
        Unheard::UnknownEvent(name) => format!("the event `{}` is not known", name.escape_debug()),
    };
    format!("hashline hook let this pass: {why}")
}
