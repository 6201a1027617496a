//! The files that `awk` programs open, and the commands that they run.

use super::tokens::{CodeToken, assigned, computed, mark, name, path, shell_text, tokens};
use super::{MOST_CALLS, Syntax, syntax};
use crate::guard::options::lists;
use crate::guard::places::GuardPaths;
use crate::guard::shell::Word;

const AWK: Syntax = syntax("\"", false, "#", "", ("", ' '));

/// Returns the first guarded file that an `awk` program writes with `print > "file"`, and the first that it reads with `getline < "file"`.
pub(crate) fn opened_by_awk(program: &Word, places: &GuardPaths) -> (Option<Word>, Option<Word>) {
    let tokens = tokens(program, &AWK);
    let statements =
        tokens.split(|token| matches!(token, CodeToken::Name(name) if lists("print printf", name)));
    let mut written = statements.skip(1).filter_map(print_target);
    let reads = tokens.split(|token| matches!(token, CodeToken::Name(name) if name == "getline"));
    let mut read = reads.skip(1).filter_map(getline_source);
    (
        written.find(|file| places.guards(file)),
        read.find(|file| places.guards(file)),
    )
}

/// Returns the shell code that an `awk` program runs: `system("ls")`, `print | "sort"`, `"date" | getline`.
pub(crate) fn run_by_awk(program: &Word) -> Vec<String> {
    let tokens = tokens(program, &AWK);
    let is_run = |at: &usize| {
        let before = |distance: usize| at.checked_sub(distance).and_then(|at| tokens.get(at));
        let is_called = mark(before(1)) == Some('(') && name(before(2)) == Some("system");
        let is_piped_to = mark(before(1)) == Some('|') && mark(before(2)) != Some('|');
        let is_piped_from =
            mark(tokens.get(at + 1)) == Some('|') && name(tokens.get(at + 2)) == Some("getline");
        is_called || is_piped_to || is_piped_from
    };
    let codes = (0..tokens.len()).filter(is_run).take(MOST_CALLS);
    let codes = codes.filter_map(|at| match tokens.get(at)? {
        CodeToken::Name(variable) => assigned(&tokens, variable).map(joined),
        _ => Some(joined(&tokens[at..])),
    });
    codes.collect()
}

/// Returns the text of the strings at the beginning of the tokens, which `awk` joins, as shell code. What stands between them is unknown.
fn joined(tokens: &[CodeToken]) -> String {
    let mut code = String::new();
    for token in tokens {
        match token {
            CodeToken::Text(text) => code.push_str(&shell_text(text)),
            CodeToken::Mark(')' | ';' | '}' | '|' | '>') | CodeToken::Break => break,
            _ if code.ends_with("$_") => {}
            _ => code.push_str("$_"),
        }
    }
    code
}

/// Returns the file after `getline <` or `getline variable <`.
fn getline_source(after: &[CodeToken]) -> Option<Word> {
    match after {
        [CodeToken::Mark('<'), CodeToken::Text(file), ..]
        | [
            CodeToken::Name(_),
            CodeToken::Mark('<'),
            CodeToken::Text(file),
            ..,
        ] => Some(file.clone()),
        _ => None,
    }
}

/// Returns the file after the `>` of an `awk` print statement. A `>` inside brackets or before a number is a comparison and is ignored.
fn print_target(statement: &[CodeToken]) -> Option<Word> {
    let mut depth = 0_usize;
    for (at, token) in statement.iter().enumerate() {
        match token {
            CodeToken::Mark('(' | '[') => depth += 1,
            CodeToken::Mark(')' | ']') => depth = depth.saturating_sub(1),
            CodeToken::Mark(';' | '}' | '|') | CodeToken::Break if depth == 0 => return None,
            CodeToken::Mark('>') if depth == 0 => {
                let file = &statement[at + 1..];
                let file = match file {
                    [CodeToken::Mark('>'), file @ ..] => file,
                    file => file,
                };
                let end = file.iter().position(|token| {
                    matches!(token, CodeToken::Mark(';' | '}') | CodeToken::Break)
                });
                return match file.first()? {
                    CodeToken::Number => None,
                    CodeToken::Text(_) => path(&file[..end.unwrap_or(file.len())]),
                    _ => Some(computed()),
                };
            }
            _ => {}
        }
    }
    None
}
