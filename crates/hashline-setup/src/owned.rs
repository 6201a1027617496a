//! How an entry in somebody's file is known to be ours: it runs this program.

use std::path::Path;

use serde_json::Value;

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

    fn is_call(&self, command: &str, args: Vec<&str>, calls: Calls) -> bool {
        let wanted = |word: &str| match calls {
            Calls::Hook => word == "hook",
            Calls::Anything => word == "hook" || word == "mcp",
        };
        if let Some(first) = args.first() {
            return self.is_program(command) && wanted(first);
        }
        // A line for a shell: the program, perhaps quoted, and its first word.
        let line = command.trim();
        let line = line.strip_suffix(GOES_ON).unwrap_or(line);
        let mut words = line.rsplitn(2, [' ', '\t']);
        let (last, program) = (words.next().unwrap_or_default(), words.next());
        program.is_some_and(|program| self.is_program(unquoted(program)) && wanted(last))
    }

    fn is_program(&self, command: &str) -> bool {
        let stem = Path::new(command).file_stem();
        command == self.command || stem.is_some_and(|stem| stem == "hashline")
    }
}

fn unquoted(word: &str) -> &str {
    let word = word.trim();
    let quoted = |mark| word.strip_prefix(mark)?.strip_suffix(mark);
    quoted('\'').or_else(|| quoted('"')).unwrap_or(word)
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
            json!({"matcher": ".*", "hooks": [{"command": "x"}, {"command": "hashline", "args": ["hook"]}]}),
        ];
        for value in ours {
            assert!(owned.runs_us(&value, Calls::Anything), "{value}");
        }
        let others = [
            json!({"command": "npx", "args": ["mcp"]}),
            json!({"command": "hashline"}),
            json!({"command": "hashline read"}),
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
}
