//! How an entry in somebody's file is known to be ours: it runs this program.

use std::path::Path;

use hashline_wire::render::shell;
use serde_json::Value;

/// The name of the program.
pub(crate) const NAME: &str = "hashline";
/// Ends the line of a hook whose agent would stop every call if the program were gone. It is the same in Unix shells and PowerShell.
pub(crate) const GOES_ON: &str = "; exit 0";

/// What an entry is asked to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// Our hook.
    Hook,
    /// Our hook or our server.
    Anything,
}

/// Knows the program by its name, by the command that setup writes, and by what an earlier setup wrote.
#[derive(Clone, Debug)]
pub(crate) struct Owned {
    command: String,
    written: Vec<Value>,
}

impl Owned {
    /// Knows also this command for ours, and these values.
    pub(crate) fn new(command: &str, written: &[Value]) -> Self {
        Self {
            command: command.to_owned(),
            written: written.to_vec(),
        }
    }

    /// Tells whether an entry runs hashline: a server, a hook, or a group of hooks of which one does.
    pub(crate) fn runs_us(&self, value: &Value, calls: Calls) -> bool {
        if self.wrote(value) {
            return true;
        }
        if let Some(hooks) = value.get("hooks").and_then(Value::as_array) {
            return hooks.iter().any(|hook| self.runs_us(hook, calls));
        }
        let words: Vec<&str> = match value.get("command") {
            Some(Value::String(command)) => {
                let args = value.get("args").and_then(Value::as_array);
                let args = args.into_iter().flatten().filter_map(Value::as_str);
                return self.is_call(command, args.collect(), calls);
            }
            Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
            _ => return false,
        };
        let Some((program, args)) = words.split_first() else {
            return false;
        };
        self.is_call(program, args.to_vec(), calls)
    }

    /// Tells whether an entry is just as an earlier setup wrote it.
    pub(crate) fn wrote(&self, value: &Value) -> bool {
        self.written.contains(value)
    }

    /// Tells whether nobody has changed an entry since some setup wrote it. A hook of a group counts by itself.
    pub(crate) fn as_written(&self, found: &Value, ours: &Value) -> bool {
        let mut groups = self.written.iter().filter_map(|group| group.get("hooks"));
        let is_hook = |hooks: &Value| hooks.as_array().is_some_and(|all| all.contains(found));
        self.wrote(found) || groups.any(is_hook) || self.is_form_of(found, ours)
    }

    /// Tells whether an entry is as some setup writes it: like ours but for the program's path, the dialect, and what ends a line.
    pub(crate) fn is_form_of(&self, found: &Value, ours: &Value) -> bool {
        self.runs_us(found, Calls::Anything) && self.plain(found) == self.plain(ours)
    }

    fn is_call(&self, command: &str, args: Vec<&str>, calls: Calls) -> bool {
        let wanted = |word: &str| match calls {
            Calls::Hook => word == "hook",
            Calls::Anything => word == "hook" || word == "mcp",
        };
        if let Some(first) = args.first() {
            return self.is_program(command) && wanted(first);
        }
        // A line for a shell: whatever else stands around it, our program is called in it.
        let words = shell_words(command);
        let calls_us = |pair: &[String]| {
            self.is_program(behind_signs(&pair[0])) && wanted(before_signs(&pair[1]))
        };
        words.windows(2).any(calls_us)
    }

    fn is_program(&self, command: &str) -> bool {
        let stem = Path::new(command).file_stem();
        command == self.command || stem.is_some_and(|stem| stem == NAME)
    }

    /// Returns an entry without what may differ between two setups.
    fn plain(&self, value: &Value) -> Value {
        let mut plain = value.clone();
        if let Some(hooks) = plain.get_mut("hooks").and_then(Value::as_array_mut) {
            for hook in hooks {
                *hook = self.plain(hook);
            }
        }
        if let Some(args) = plain.get_mut("args").and_then(Value::as_array_mut)
            && let Some(at) = args.iter().position(|arg| arg == "--dialect")
        {
            args.drain(at..args.len().min(at + 2));
        }
        if let Some(Value::String(command)) = plain.get_mut("command") {
            *command = self.plain_line(command);
        }
        plain
    }

    /// Returns a program, or the line of a hook that setup writes, with the usual name in it; any other line as it is.
    fn plain_line(&self, line: &str) -> String {
        if self.is_program(line) {
            return NAME.to_owned();
        }
        let call = line.strip_suffix(GOES_ON).unwrap_or(line);
        let words = shlex::split(call).unwrap_or_default();
        match words.as_slice() {
            [program, word] if self.is_program(program) && call == hook_line(program) => {
                format!("{NAME} {word}")
            }
            _ => line.to_owned(),
        }
    }
}

/// Returns the command line that runs the hook of a program in a shell.
pub(crate) fn hook_line(program: &str) -> String {
    format!("{} hook", shell::word(program))
}

/// Splits a line as a shell would; one that no shell would take, at blanks.
fn shell_words(line: &str) -> Vec<String> {
    let at_blanks = || line.split_whitespace().map(str::to_owned).collect();
    shlex::split(line).unwrap_or_else(at_blanks)
}

/// The signs of a shell that may touch a word, as in `(hashline hook);`.
const SIGNS: [char; 7] = [';', '&', '|', '<', '>', '(', ')'];

/// Returns what of a word belongs to the word behind it.
fn behind_signs(word: &str) -> &str {
    word.rsplit(SIGNS).next().unwrap_or(word)
}

/// Returns what of a word belongs to the word before it.
fn before_signs(word: &str) -> &str {
    word.split(SIGNS).next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Calls, Owned};

    #[test]
    fn ours_runs_this_program() {
        let owned = Owned::new(
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
            assert!(owned.runs_us(&value, Calls::Anything), "{value}");
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
            assert!(!owned.runs_us(&value, Calls::Anything), "{value}");
        }
        let server = json!({"command": "hashline", "args": ["mcp"]});
        assert!(!owned.runs_us(&server, Calls::Hook));
    }

    #[test]
    fn what_some_setup_wrote_is_known_by_its_form() {
        let owned = Owned::new("hashline", &[]);
        let hook = |line: &str| json!({"matcher": "x", "hooks": [{"command": line, "timeout": 1}]});
        let ours = hook("hashline hook; exit 0");
        for line in [
            "hashline hook",
            "/a/hashline hook; exit 0",
            "'/a b/hashline' hook",
        ] {
            assert!(owned.is_form_of(&hook(line), &ours), "{line}");
        }
        for line in [
            "hashline hook --x",
            "exec hashline hook",
            "\"/a b/hashline\" hook",
            "x hook",
        ] {
            assert!(!owned.is_form_of(&hook(line), &ours), "{line}");
        }
        let server = json!({"command": "hashline", "args": ["mcp"]});
        let lean = json!({"command": "/b/hashline", "args": ["mcp", "--dialect", "lean"]});
        assert!(owned.is_form_of(&lean, &server));
        let changed = json!({"command": "hashline", "args": ["mcp", "--root", "/"]});
        assert!(!owned.is_form_of(&changed, &server));
    }
}
