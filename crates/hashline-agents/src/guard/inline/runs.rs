//! The commands that inline programs run: `os.system("ls")`, `subprocess.run(["ls", "-l"])`, `` `ls` ``.

use super::tokens::{
    Argument, CodeToken, arguments, assigned, computed, is_method, mark, mentions, path, receiver,
    shell_text,
};
use super::{Language, MOST_CALLS, RunString, is_owned};
use crate::guard::options::lists;
use crate::guard::shell::Word;
use crate::guard::tools::nested::NestedCommand;

impl Language {
    /// Returns the commands that an inline program runs.
    pub(super) fn run_by(&self, program: &Word) -> Vec<NestedCommand> {
        let tokens = self.tokens(program);
        let may_run = |(_, token): &(usize, &CodeToken)| match token {
            CodeToken::Code(_) => true,
            CodeToken::Name(function) => self.may_run(function),
            _ => false,
        };
        let calls = tokens.iter().enumerate().filter(may_run);
        let commands = calls
            .take(MOST_CALLS)
            .filter_map(|(at, token)| match token {
                CodeToken::Code(code) => Some(NestedCommand::Code(shell_text(code))),
                CodeToken::Name(function) => self.run_by_call(&tokens, at, function),
                _ => None,
            });
        commands.collect()
    }

    /// Returns the call of the interpreter that runs a string as a program: `exec("..")`.
    fn interpreted(&self, code: &str) -> NestedCommand {
        let first = |names: &'static str| names.split_whitespace().next().unwrap_or_default();
        let option = format!("-{}", first(self.program));
        let words = [first(self.names), &option, code];
        NestedCommand::Words(words.map(Word::known).to_vec())
    }

    fn may_run(&self, function: &str) -> bool {
        let opens_pipe = self.syntax.is_perl && function == "open";
        opens_pipe || self.runs.iter().any(|run| lists(run.0, function))
    }

    /// Returns the command that the call of `function` at the token `at` runs.
    fn run_by_call(
        &self,
        tokens: &[CodeToken],
        at: usize,
        function: &str,
    ) -> Option<NestedCommand> {
        let receiver = receiver(&tokens[..at]);
        // A receiver that is not a name is something else.
        if receiver.is_none() && is_method(tokens, at) {
            return None;
        }
        let arguments = arguments(&tokens[at + 1..], self.ends)?;
        if self.syntax.is_perl && function == "open" {
            return piped_by_perl(&arguments, tokens.get(..at)?);
        }
        let mut runs = self.runs.iter();
        let (_, _, string) =
            runs.find(|run| lists(run.0, function) && is_owned(run.1, receiver))?;
        let command = started(&arguments, tokens.get(..at)?)?;
        let is_shell =
            |given: &Argument<'_>| given.name == Some("shell") || mentions(given.value, "shell");
        if let (RunString::Source, NestedCommand::Code(code)) = (string, &command) {
            return Some(self.interpreted(code));
        }
        let has_shell = *string == RunString::Code || arguments.iter().any(is_shell);
        match command {
            NestedCommand::Code(code) if !has_shell => {
                // Without a shell, no part of it is an operator.
                Some(NestedCommand::Words(
                    code.split_whitespace().map(Word::known).collect(),
                ))
            }
            command => Some(command),
        }
    }
}

/// Returns the command that a call starts: a list of words, a program and its arguments, or shell code. A command in a variable is that of the
/// last assignment in `before`.
fn started(arguments: &[Argument<'_>], before: &[CodeToken]) -> Option<NestedCommand> {
    let (first, rest) = arguments.split_first()?;
    let given = match first.value {
        [CodeToken::Name(variable)] | [CodeToken::Mark('$' | '@'), CodeToken::Name(variable)] => {
            assigned(before, variable)?
        }
        given => given,
    };
    // `os.spawnlp` has a mode before the program.
    if let [
        CodeToken::Name(_),
        CodeToken::Mark('.'),
        CodeToken::Name(mode),
    ] = first.value
        && mode.starts_with("P_")
    {
        return started(rest, before);
    }
    if let Some(words) = listed(given) {
        return Some(NestedCommand::Words(words));
    }
    let code = literal(given)?;
    let unnamed = rest.iter().take_while(|given| given.name.is_none());
    let words = match rest.first().and_then(|second| listed(second.value)) {
        Some(words) => words,
        None => unnamed.filter_map(|given| literal(given.value)).collect(),
    };
    if words.is_empty() {
        return Some(NestedCommand::Code(shell_text(&code)));
    }
    // Some want the name of the program again as the first argument.
    let is_repeated = words.first().and_then(Word::last_name) == code.last_name();
    let words = words.into_iter().skip(usize::from(is_repeated));
    Some(NestedCommand::Words(
        [code].into_iter().chain(words).collect(),
    ))
}

/// Returns the words of a list such as `["sed", "-i", path]`, with unknown words for what is computed; `None` if it is no list of strings.
fn listed(tokens: &[CodeToken]) -> Option<Vec<Word>> {
    let [
        CodeToken::Mark('[' | '('),
        inside @ ..,
        CodeToken::Mark(']' | ')'),
    ] = tokens
    else {
        return None;
    };
    let items = inside.split(|token| mark(Some(token)) == Some(','));
    let words = items.filter(|item| !item.is_empty());
    let words: Vec<Word> = words
        .map(|item| path(item).unwrap_or_else(computed))
        .collect();
    matches!(inside.first(), Some(CodeToken::Text(_))).then_some(words)
}

/// Returns a string, also one that is put together, as in `"ls " + folder`, or split into words: `"ls -l".split()`, `shlex.split("ls -l")`.
fn literal(tokens: &[CodeToken]) -> Option<Word> {
    match tokens {
        [CodeToken::Text(text)] => Some(text.clone()),
        [CodeToken::Text(_), CodeToken::Mark('+'), ..] => path(tokens),
        [
            CodeToken::Text(text),
            CodeToken::Mark('.'),
            CodeToken::Name(name),
            ..,
        ] if name == "split" => Some(text.clone()),
        [
            CodeToken::Name(name),
            CodeToken::Mark('.'),
            _,
            CodeToken::Mark('('),
            CodeToken::Text(text),
            ..,
        ] if name == "shlex" => Some(text.clone()),
        _ => None,
    }
}

/// Returns the command that Perl's `open(F, "|cmd")`, `open(F, "cmd|")` or `open(F, "-|", "cmd")` runs.
fn piped_by_perl(arguments: &[Argument<'_>], before: &[CodeToken]) -> Option<NestedCommand> {
    match arguments {
        [_, both] => {
            let text = shell_text(&literal(both.value)?);
            let text = text.trim();
            let code = text.strip_prefix('|').or_else(|| text.strip_suffix('|'))?;
            Some(NestedCommand::Code(code.to_owned()))
        }
        [_, mode, command @ ..] => {
            let mode = literal(mode.value)?.text()?;
            mode.contains('|')
                .then(|| started(command, before))
                .flatten()
        }
        _ => None,
    }
}
