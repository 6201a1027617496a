//! The hook's sentences for models and users, with our tools named as the client names them; sentences of refusals are in `suggestion`.

use hashline_core::dialect::Dialect;
use hashline_core::scheme::Scheme;
use serde_json::json;

use crate::hook::answer::{AnchoredRead, PassReason};
use crate::hook::clients::Client;

/// The refusal of an edit in a mode in which the client changes no file.
pub(crate) const PLANNING: &str = "Nothing was written: this is plan mode, in which no file is changed. Next: put the change into the plan; when the \
    user has left plan mode, send the same call again.";
/// Why one of our edits is made without a question.
pub(crate) const ACCEPTED: &str = "edits are accepted in this mode";

/// The names of our tools in a client, and the format of anchors and commands.
#[derive(Clone, Debug)]
pub(crate) struct ToolNames {
    prefix: String,
    pub(crate) scheme: Scheme,
    /// The option ` --dialect NAME` for `hashline` commands; empty if the server was started without a dialect.
    option: String,
}

impl ToolNames {
    /// Returns the names of our tools in a client; `prefix` overrides the client's usual one. Suggested commands name the dialect
    /// `started_with` because they would not know the server's.
    pub(crate) fn new(
        client: Client,
        prefix: Option<&str>,
        scheme: Scheme,
        started_with: Option<Dialect>,
    ) -> Self {
        let option = started_with.map(|dialect| format!(" --dialect {}", dialect.name()));
        Self {
            prefix: prefix.unwrap_or(client.tool_prefix()).to_owned(),
            scheme,
            option: option.unwrap_or_default(),
        }
    }

    /// Returns a `hashline` shell command, such as `hashline read --dialect lean`.
    pub(crate) fn command(&self, name: &str) -> String {
        format!("hashline {name}{}", self.option)
    }

    /// Returns the client's name for one of our tools, in backquotes for a sentence.
    pub(crate) fn tool(&self, name: &str) -> String {
        match self.prefix.as_str() {
            "" => format!("the hashline tool `{name}`"),
            prefix => format!("`{prefix}{name}`"),
        }
    }

    pub(crate) fn read(&self, path: &str) -> String {
        format!("{} {}", self.tool("read"), json!({ "path": path }))
    }
}

/// Returns the text for the start of a conversation: how to read and edit files with hashline. The text has no angle brackets, because some
/// clients escape them.
pub(crate) fn start(tools: &ToolNames) -> String {
    format!(
        "Read and edit the files of this project with hashline: {} shows lines with anchors and a `rev`; {} takes the path, that \
         `rev` and anchors; {} creates files; {} finds lines.\nIn a shell: `{} --header FILE`, `{} PATTERN`, \
         `{}` with the request in a heredoc. Native edit tools, and `cat`, `sed -i` or redirections on files of the \
         project, are refused; the refusal names the call to make instead. Refused means that nothing was written.",
        tools.tool("read"),
        tools.tool("edit"),
        tools.tool("write"),
        tools.tool("search"),
        tools.command("read"),
        tools.command("search"),
        tools.command("apply")
    )
}

/// Returns the note about lines with tags to which the client adds line numbers: how to read and edit them.
pub(crate) fn shown_numbered(showing: &AnchoredRead) -> String {
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

/// Returns the heading of lines that are shown with their whole anchors, and how to edit them.
pub(crate) fn shown_whole(showing: &AnchoredRead) -> String {
    let number = |line: &crate::hook::answer::AnchoredText| {
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

/// Returns a sentence that says why the hook allowed a tool call without checking it.
pub(crate) fn pass_reason(reason: &PassReason) -> String {
    let why = match reason {
        PassReason::TooSlow => "the hook took too long".to_owned(),
        PassReason::Failed => "the hook failed".to_owned(),
        PassReason::NoWorkspace(refusal) => {
            let why = refusal.failure.what.join("; ");
            format!("the workspace cannot be opened: {why}")
        }
        PassReason::Unsure(unsure) => {
            format!("the command could not be checked ({})", unsure.name())
        }
    };
    format!("hashline hook allowed this call: {why}")
}
