//! Every sentence the hook says, to a model or to a person. They name the tools of clients, which no other room knows.
//!
//! What a model reads says first that nothing was done, then the call to make instead, with the path filled in.

use hashline_core::dialect::Dialect;
use hashline_core::scheme::Scheme;
use hashline_wire::render::human;
use hashline_wire::response::Terms;
use serde_json::json;

use crate::hook::clients::Client;
use crate::hook::decision::{Note, Showing};
use crate::hook::parse::{LONGEST, Unheard};

/// How our tools are called at a client, and how edits are written.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    prefix: String,
    pub(crate) scheme: Scheme,
    /// What a command has to be told so that it speaks as the server does.
    option: String,
}

impl Calls {
    /// Returns the names at a client; a prefix that is given goes before the client's own.
    pub(crate) fn of(client: Client, prefix: Option<&str>, scheme: Scheme) -> Self {
        let prefix = prefix.unwrap_or(client.tool_prefix()).to_owned();
        Self {
            prefix,
            scheme,
            option: String::new(),
        }
    }

    /// Has commands name the dialect that the server was told: they would not know it.
    pub(crate) fn told(self, dialect: Option<Dialect>) -> Self {
        let option = dialect.map(|dialect| format!(" --dialect {}", dialect.name()));
        Self {
            option: option.unwrap_or_default(),
            ..self
        }
    }

    /// Returns how a command of the program is run in a shell.
    pub(crate) fn command(&self, name: &str) -> String {
        format!("hashline {name}{}", self.option)
    }

    /// Returns how a tool is called.
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

/// Says at the beginning how files are read and edited here. Some clients spell angle brackets out, so there are none.
pub(crate) fn start(calls: &Calls) -> String {
    format!(
        "Files of this project are read and edited with hashline: {} shows lines with anchors and a `rev`; {} takes the path, that \
         `rev` and anchors; {} makes files; {} finds lines.\nIn a shell: `{} --header FILE`, `{} PATTERN`, \
         `{}` with the request in a heredoc. Native edit tools, and `cat`, `sed -i` or a redirection on files of the \
         project, are turned back with the call to make instead. A refusal means that nothing was written.",
        calls.tool("read"),
        calls.tool("edit"),
        calls.tool("write"),
        calls.tool("search"),
        calls.command("read"),
        calls.command("search"),
        calls.command("apply")
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
    let number = |line: &crate::hook::decision::AnchoredText| {
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
        Note::NoWorkspace(refusal) => {
            let told = human::trouble(&Terms::new(Dialect::default()), refusal);
            let why = told.lines().next().unwrap_or_default();
            let why = why.strip_prefix("error: ").unwrap_or(why);
            format!("the workspace cannot be opened: {why}")
        }
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
