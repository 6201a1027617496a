//! How setup recognizes its own entries in a user's configuration file: an entry is ours if it runs the hashline program.

use std::path::Path;

use hashline_core::dialect::Dialect;
use hashline_wire::shell;
use serde_json::Value;

/// The name of the hashline program.
pub(crate) const NAME: &str = "hashline";
/// The end of a hook's command line for agents that block every tool call if the hook fails: with this end, calls are not blocked even if hashline was
/// removed. The same text works in Unix shells and in PowerShell.
pub(crate) const ALWAYS_SUCCEED: &str = "; exit 0";

/// The end of a matcher that names our own tools too; older versions of setup wrote it without.
pub(crate) const OWN_TOOLS: &str = "|mcp__hl__edit|mcp__hl__write";

/// Which of our commands an entry must run to count as ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// `hashline hook` only.
    Hook,
    /// `hashline hook` or `hashline mcp`.
    Anything,
}

/// A hook entry that runs `hashline hook`, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HookCommand {
    /// The name or path of the program, as the entry calls it.
    pub(crate) program: String,
    /// The value of `--dialect` in the hook's arguments, if there is one.
    pub(crate) dialect: Option<String>,
    /// Whether the command line has nothing but what setup writes: no other options, no other commands.
    pub(crate) is_plain: bool,
}

/// Whether a comparison of two command lines looks at the end `; exit 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    Any,
    Same,
}

/// Recognizes hashline's entries: by the program's name, by the command that setup writes, and by the values that an earlier setup wrote.
#[derive(Clone, Debug)]
pub(crate) struct Ownership {
    command: String,
    written: Vec<Value>,
}

impl Ownership {
    /// Creates the rule for entries that are ours: they run `command` or `hashline`, or equal one of the values `written` by an earlier setup.
    pub(crate) fn new(command: &str, written: &[Value]) -> Self {
        Self {
            command: command.to_owned(),
            written: written.to_vec(),
        }
    }

    /// Returns whether an entry runs hashline: an MCP server, a hook, or a group of hooks of which at least one runs hashline.
    pub(crate) fn runs_hashline(&self, value: &Value, calls: CallKind) -> bool {
        if self.wrote(value) {
            return true;
        }
        // Agents have three forms: a group of hooks, a program with `args`, a list that begins with the program.
        if let Some(hooks) = value.get("hooks").and_then(Value::as_array) {
            return hooks.iter().any(|hook| self.runs_hashline(hook, calls));
        }
        if let Some(command) = value.get("command").and_then(Value::as_str) {
            return self.is_call(command, &texts(value.get("args")), calls);
        }
        match texts(value.get("command")).split_first() {
            Some((program, args)) => self.is_call(program, args, calls),
            None => false,
        }
    }

    /// Returns the names of the events for which at least one hook runs hashline.
    pub(crate) fn events_with_ours<'h>(&self, hooks: &'h Value) -> Vec<&'h str> {
        let runs_hashline = |groups: &Value| {
            let mut groups = groups.as_array().into_iter().flatten();
            groups.any(|group| self.runs_hashline(group, CallKind::Hook))
        };
        let events = hooks.as_object().into_iter().flatten();
        let ours = events.filter(|(_, groups)| runs_hashline(groups));
        ours.map(|(event, _)| event.as_str()).collect()
    }

    /// Returns the command of a hook entry, taken apart; `None` if the hook does not run hashline.
    pub(crate) fn hook_command(&self, hook: &Value) -> Option<HookCommand> {
        let command = hook.get("command")?.as_str()?;
        let args = texts(hook.get("args"));
        if !self.is_call(command, &args, CallKind::Hook) {
            return None;
        }
        if let [_, options @ ..] = args.as_slice() {
            return Some(HookCommand {
                program: command.to_owned(),
                dialect: dialect_in(options),
                is_plain: matches!(options, [] | ["--dialect", _]),
            });
        }
        let words = shell_words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut pairs = words.windows(2);
        let at = pairs.position(|pair| {
            self.is_program(behind_signs(pair[0])) && before_signs(pair[1]) == "hook"
        })?;
        let options: Vec<&str> = words[at + 2..]
            .iter()
            .map(|word| before_signs(word))
            .collect();
        Some(HookCommand {
            program: behind_signs(words[at]).to_owned(),
            dialect: dialect_in(&options),
            is_plain: self.plain_line(command, LineEnd::Any) == hook_line(NAME, None),
        })
    }

    /// Returns whether an entry equals one that an earlier setup wrote.
    pub(crate) fn wrote(&self, value: &Value) -> bool {
        self.written.contains(value)
    }

    /// Returns whether an entry is unchanged since a setup of any version wrote it. A single hook may also equal one inside a written group.
    pub(crate) fn is_unchanged(&self, found: &Value, ours: &Value) -> bool {
        let mut groups = self.written.iter().filter_map(|group| group.get("hooks"));
        let is_hook = |hooks: &Value| hooks.as_array().is_some_and(|all| all.contains(found));
        self.wrote(found) || groups.any(is_hook) || self.is_form_of(found, ours)
    }

    /// Returns whether an entry equals ours except for the program's path, the dialect and a final `; exit 0`, which differ between setups.
    pub(crate) fn is_form_of(&self, found: &Value, ours: &Value) -> bool {
        self.is_like(found, ours, LineEnd::Any)
    }

    /// Returns whether an entry equals ours except for the program's path and the dialect.
    pub(crate) fn is_current(&self, found: &Value, ours: &Value) -> bool {
        self.is_like(found, ours, LineEnd::Same)
    }

    fn is_like(&self, found: &Value, ours: &Value, ending: LineEnd) -> bool {
        self.runs_hashline(found, CallKind::Anything)
            && self.plain(found, ending) == self.plain(ours, ending)
    }

    fn is_call(&self, command: &str, args: &[&str], calls: CallKind) -> bool {
        let wanted = |word: &str| match calls {
            CallKind::Hook => word == "hook",
            CallKind::Anything => word == "hook" || word == "mcp",
        };
        if let Some(first) = args.first() {
            return self.is_program(command) && wanted(first);
        }
        // A command line for a shell: it counts if it calls our program at all.
        let words = shell_words(command);
        let calls_us = |pair: &[String]| {
            self.is_program(behind_signs(&pair[0])) && wanted(before_signs(&pair[1]))
        };
        words.windows(2).any(calls_us)
    }

    fn is_program(&self, command: &str) -> bool {
        // Any path and any extension will do: users move the program, and on Windows it is `hashline.exe`.
        let stem = Path::new(command).file_stem();
        command == self.command || stem.is_some_and(|stem| stem == NAME)
    }

    /// Returns an entry with everything normalized that may differ between two setups: the program's path, the dialect and, with `LineEnd::Any`, the
    /// end of the line and which edits ask.
    fn plain(&self, value: &Value, ending: LineEnd) -> Value {
        // Path and dialect differ between machines and teams although nobody edited the entry.
        let mut plain = value.clone();
        if let Some(hooks) = plain.get_mut("hooks").and_then(Value::as_array_mut) {
            for hook in hooks {
                *hook = self.plain(hook, ending);
            }
        }
        if let Some(args) = plain.get_mut("args").and_then(Value::as_array_mut)
            && let Some(at) = args.iter().position(|arg| arg == "--dialect")
        {
            args.drain(at..args.len().min(at + 2));
        }
        if let Some(Value::String(command)) = plain.get_mut("command") {
            *command = self.plain_line(command, ending);
        }
        if ending == LineEnd::Any {
            without_rights(&mut plain);
        }
        plain
    }

    /// Replaces the path by `hashline` in a program name or in a hook's command line that setup wrote; returns any other line unchanged.
    fn plain_line(&self, line: &str, ending: LineEnd) -> String {
        if self.is_program(line) {
            return NAME.to_owned();
        }
        let call = line.strip_suffix(ALWAYS_SUCCEED).unwrap_or(line);
        let end = match ending {
            LineEnd::Any => "",
            LineEnd::Same => &line[call.len()..],
        };
        let words = shlex::split(call).unwrap_or_default();
        let (program, dialect) = match words.as_slice() {
            [program, _] => (program, None),
            [program, _, _, name] if Dialect::named(name).is_some() => {
                (program, Some(name.as_str()))
            }
            _ => return line.to_owned(),
        };
        if self.is_program(program) && call == hook_line(program, dialect) {
            return format!("{}{end}", hook_line(NAME, None));
        }
        line.to_owned()
    }
}

/// Removes from an entry what says which edits ask: it differs between setups with and without `--allow-edits`, and from those of older versions.
fn without_rights(entry: &mut Value) {
    if let Some(Value::String(matcher)) = entry.get_mut("matcher") {
        *matcher = matcher.replace(OWN_TOOLS, "");
    }
    if let Value::Object(keys) = entry {
        keys.remove("trust");
        keys.remove("default_tools_approval_mode");
    }
}

/// Returns the shell command that runs our hook, with `--dialect` if a dialect is given.
pub(crate) fn hook_line(program: &str, dialect: Option<&str>) -> String {
    let program = shell::word(program);
    match dialect {
        Some(dialect) => format!("{program} hook --dialect {dialect}"),
        None => format!("{program} hook"),
    }
}

/// Returns the strings in a JSON array, or nothing if the value is not an array.
pub(crate) fn texts(list: Option<&Value>) -> Vec<&str> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

/// Returns the value of `--dialect` in a list of arguments.
pub(crate) fn dialect_in(options: &[&str]) -> Option<String> {
    let at = options.iter().position(|option| *option == "--dialect")?;
    options.get(at + 1).map(|&name| name.to_owned())
}

/// Splits a command line into words as a shell does, or at whitespace if its quoting is invalid.
fn shell_words(line: &str) -> Vec<String> {
    let at_blanks = || line.split_whitespace().map(str::to_owned).collect();
    shlex::split(line).unwrap_or_else(at_blanks)
}

/// Shell operators that may touch a word without a space, as in `(hashline hook);`.
const SIGNS: [char; 7] = [';', '&', '|', '<', '>', '(', ')'];

/// Returns the part of a word after its last shell operator: `hashline` of `(hashline`.
fn behind_signs(word: &str) -> &str {
    word.rsplit(SIGNS).next().unwrap_or(word)
}

/// Returns the part of a word before its first shell operator: `hook` of `hook);`.
fn before_signs(word: &str) -> &str {
    word.split(SIGNS).next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{CallKind, Ownership};

    #[test]
    fn ours_runs_this_program() {
        let ownership = Ownership::new(
            "/opt/a b/hl-dev",
            &[json!({"command": "old-name", "args": ["mcp"]})],
        );
        let ours = [
            json!({"command": "old-name", "args": ["mcp"]}),
            json!({"command": "hashline", "args": ["mcp", "--dialect", "lean"]}),
            json!({"type": "local", "command": ["/usr/bin/hashline", "mcp"]}),
            json!({"type": "command", "command": "hashline hook", "timeout": 5}),
            json!({"type": "command", "command": "'/opt/a b/hl-dev' hook"}),
            json!({"type": "command", "command": "hashline hook; exit 0"}),
            json!({"command": "HASHLINE_HOOK_TIME=200 hashline hook"}),
            json!({"command": "hashline  hook --session x"}),
            json!({"command": "exec hashline hook 2>/dev/null || true"}),
            json!({"command": "command -v hashline >/dev/null && (hashline hook)|| true"}),
            json!({"command": "\"/opt/a b/hl-dev\" hook>/dev/null;exit 0"}),
            json!({"command": "hashline hook 'open"}),
            json!({"matcher": ".*", "hooks": [{"command": "x"}, {"command": "hashline", "args": ["hook"]}]}),
        ];
        for value in ours {
            assert!(
                ownership.runs_hashline(&value, CallKind::Anything),
                "{value}"
            );
        }
        let others = [
            json!({"command": "npx", "args": ["mcp"]}),
            json!({"command": "hashline"}),
            json!({"command": "hashline read"}),
            json!({"command": "hashline; hook"}),
            json!({"command": "echo 'hashline hook'"}),
            json!({"hooks": [{"command": "prettier --write"}]}),
            json!({"url": "http://127.0.0.1"}),
            json!("hashline mcp"),
        ];
        for value in others {
            assert!(
                !ownership.runs_hashline(&value, CallKind::Anything),
                "{value}"
            );
        }
        let server = json!({"command": "hashline", "args": ["mcp"]});
        assert!(!ownership.runs_hashline(&server, CallKind::Hook));
    }

    #[test]
    fn what_some_setup_wrote_is_known_by_its_form() {
        let ownership = Ownership::new("hashline", &[]);
        let hook = |line: &str| json!({"matcher": "x", "hooks": [{"command": line, "timeout": 1}]});
        let ours = hook("hashline hook; exit 0");
        for line in [
            "hashline hook",
            "/a/hashline hook; exit 0",
            "'/a b/hashline' hook",
            "hashline hook --dialect lean; exit 0",
            "'/a b/hashline' hook --dialect push",
        ] {
            assert!(ownership.is_form_of(&hook(line), &ours), "{line}");
        }
        for line in [
            "hashline hook --x",
            "hashline hook --session x",
            "hashline hook --dialect",
            "exec hashline hook",
            "\"/a b/hashline\" hook",
            "x hook",
        ] {
            assert!(!ownership.is_form_of(&hook(line), &ours), "{line}");
        }
        let server = json!({"command": "hashline", "args": ["mcp"]});
        let lean = json!({"command": "/b/hashline", "args": ["mcp", "--dialect", "lean"]});
        assert!(ownership.is_form_of(&lean, &server));
        let changed = json!({"command": "hashline", "args": ["mcp", "--root", "/"]});
        assert!(!ownership.is_form_of(&changed, &server));
    }
}
