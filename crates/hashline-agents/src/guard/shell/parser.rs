//! The parser of shell commands: a recursive-descent parser that builds the syntax tree directly from the text, without a lexer.
//!
//! The parser accepts some invalid syntax where that changes no verdict. A syntax error fails the whole text, since a parser that guessed the
//! rest could take quoted text for commands. Parsing time is linear in the length of the text, apart from bounded look-ahead; stack use is
//! bounded by [`DEEPEST`].

use std::rc::Rc;

use super::redirect_parser::OpenHeredoc;
use super::{Hole, PipelineStep, Redirect, RedirectTarget, Script, ShellCommand, Word};
use crate::guard::verdict::Unsure;

pub(super) type ShellResult<T> = Result<T, Unsure>;

// At this depth the parser needs less than 256 KiB of stack, so that any thread may call it (decision 0015).
/// The deepest nesting of compound commands. A double-quoted string, expansion or substitution counts as [`EXPANSION`] levels.
const DEEPEST: usize = 500;
/// The number of nesting levels that one quoted string, expansion or substitution counts as, because it takes more stack.
pub(super) const EXPANSION: usize = 10;

// `((` may also begin two subshells, and then the search was for nothing: the bound keeps the time linear.
/// The maximum number of bytes that are searched for the end of `((..))` or `$[..]`.
const LONGEST_ARITHMETIC: usize = 1024;

/// The maximum number of bytes of an assignment's subscript (`a[..]=`), or of the name in `{fd}>x`, that the parser reads.
pub(super) const LONGEST_NAME: usize = 256;

/// Reserved words that end a list of commands if they appear where a command could begin.
const CLOSERS: &[&str] = &["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// A parser of shell code: the text, the current position and the nesting.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) depth: usize,
    /// The number of command substitutions around the current position.
    pub(super) level: usize,
    /// The heredocs whose bodies begin after the next newline.
    pub(super) heredocs: Vec<OpenHeredoc>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            level: 0,
            heredocs: Vec::new(),
        }
    }

    /// Parses the whole text as shell code.
    pub(super) fn program(&mut self) -> ShellResult<Script> {
        let script = self.list()?;
        let is_whole = self.rest().is_empty() && self.heredocs.is_empty();
        is_whole.then_some(script).ok_or(Unsure::NotShell)
    }

    /// Parses the script of a substitution and its closing bracket; the parser is already past the opening bracket.
    pub(super) fn substitution(&mut self) -> ShellResult<Rc<Script>> {
        self.level += 1;
        let script = self.nested(EXPANSION, Self::list)?;
        self.level -= 1;
        self.expect(")")?;
        Ok(Rc::new(script))
    }

    pub(super) fn nested<T>(
        &mut self,
        weight: usize,
        parse: impl FnOnce(&mut Self) -> ShellResult<T>,
    ) -> ShellResult<T> {
        if self.depth + weight > DEEPEST {
            return Err(Unsure::TooDeep);
        }
        self.depth += weight;
        let parsed = parse(self);
        self.depth -= weight;
        parsed
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> ShellResult<()> {
        self.eat(sign).then_some(()).ok_or(Unsure::NotShell)
    }

    /// Skips blanks, line continuations and a comment. Callers must be between words, since `#` inside a word is no comment.
    pub(super) fn blanks(&mut self) {
        while self.eat(" ") || self.eat("\t") || self.eat("\\\n") {}
        if self.rest().starts_with('#') {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn newlines(&mut self) -> ShellResult<()> {
        self.blanks();
        while self.eat("\n") {
            self.heredoc_bodies()?;
            self.blanks();
        }
        Ok(())
    }

    /// Returns the word at the current position if it may be a reserved word; empty if a part of it is quoted or expanded.
    fn keyword(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || ";&|<>()'\"\\$`".contains(c));
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        // `\if` and `'if'` run a command of that name.
        if after.starts_with(['\'', '"', '\\', '$', '`']) {
            ""
        } else {
            word
        }
    }

    fn eat_keyword(&mut self, word: &str) -> bool {
        self.keyword() == word && self.eat(word)
    }

    fn expect_keyword(&mut self, word: &str) -> ShellResult<()> {
        self.eat_keyword(word).then_some(()).ok_or(Unsure::NotShell)
    }

    pub(super) fn begins_word(&self) -> bool {
        let rest = self.rest();
        match rest.chars().next() {
            None | Some(' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')') => false,
            Some('<' | '>') => rest[1..].starts_with('('),
            Some(_) => true,
        }
    }

    /// Parses a list of commands up to the `)`, `;` or reserved word that ends it, which the caller consumes.
    fn list(&mut self) -> ShellResult<Script> {
        let mut script = Script::default();
        loop {
            self.newlines()?;
            let rest = self.rest();
            let ends = rest.is_empty() || rest.starts_with([')', ';']);
            if ends || CLOSERS.contains(&self.keyword()) {
                return Ok(script);
            }
            script.pipelines.push(self.pipeline()?);
            while self.eat("&&") || self.eat("||") {
                self.newlines()?;
                script.pipelines.push(self.pipeline()?);
            }
            // These end a branch of `case`, which the caller expects.
            let is_branch_end = self.rest().starts_with(";;") || self.rest().starts_with(";&");
            let goes_on = !is_branch_end && (self.eat(";") || self.eat("&"));
            if !goes_on && !self.rest().starts_with('\n') {
                return Ok(script);
            }
        }
    }

    fn nested_list(&mut self) -> ShellResult<Script> {
        self.nested(1, Self::list)
    }

    fn pipeline(&mut self) -> ShellResult<Vec<PipelineStep>> {
        let mut steps = Vec::new();
        loop {
            self.prefixes();
            let mut step = self.command()?;
            self.blanks();
            let goes_on = if self.eat("|&") {
                let target = RedirectTarget::Duplicate(Some(1));
                step.redirects.push(Redirect { fd: 2, target });
                true
            } else {
                !self.rest().starts_with("||") && self.eat("|")
            };
            steps.push(step);
            if !goes_on {
                return Ok(steps);
            }
            self.newlines()?;
        }
    }

    /// Skips the reserved words `!` and `time` before a pipeline. With options other than `-p`, `time` is parsed as a program.
    fn prefixes(&mut self) {
        loop {
            self.blanks();
            let start = self.at;
            if self.eat_keyword("time") {
                self.blanks();
                if self.eat_keyword("-p") {
                    self.blanks();
                }
                if self.rest().starts_with('-')
                    || !(self.begins_word() || self.rest().starts_with('('))
                {
                    self.at = start;
                    return;
                }
            } else if !self.eat_keyword("!") {
                return;
            }
        }
    }

    fn command(&mut self) -> ShellResult<PipelineStep> {
        let keyword = self.keyword();
        let start = self.at;
        self.at += keyword.len();
        let command = match keyword {
            "{" => self.enclosed("}")?,
            "" if self.eat("(") => self.subshell()?,
            "if" => self.if_command()?,
            "while" | "until" => {
                let condition = self.nested_list()?;
                let body = self.body()?;
                ShellCommand::Loop { condition, body }
            }
            "for" | "select" => self.for_command()?,
            "case" => self.case_command()?,
            "[[" => self.test_command()?,
            "function" => {
                self.blanks();
                self.word()?;
                return self.function_body();
            }
            "coproc" => return self.coprocess(),
            _ => {
                self.at = start;
                return self.simple();
            }
        };
        let mut redirects = Vec::new();
        self.blanks();
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
            self.blanks();
        }
        Ok(PipelineStep { command, redirects })
    }

    fn enclosed(&mut self, end: &str) -> ShellResult<ShellCommand> {
        let script = self.nested_list()?;
        self.expect(end)?;
        Ok(group(Vec::new(), vec![script]))
    }

    /// Parses a subshell `( .. )`, or arithmetic `(( .. ))`, which runs only the substitutions in it; the parser is already past the first
    /// bracket.
    fn subshell(&mut self) -> ShellResult<ShellCommand> {
        let bracket = self.text.get(self.at - 1..).unwrap_or_default();
        let Some(length) = end_of_arithmetic(bracket) else {
            return self.enclosed(")");
        };
        self.at += length - 1;
        Ok(group(self.computed(&bracket[..length])?, Vec::new()))
    }

    /// Returns a word with the substitutions in text that is not split into words, such as arithmetic; nothing if there are none.
    fn computed(&mut self, text: &str) -> ShellResult<Vec<Word>> {
        let scripts = self.scripts_in(text)?;
        if scripts.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Word::hole(Hole::Arithmetic(scripts), text)])
    }

    fn if_command(&mut self) -> ShellResult<ShellCommand> {
        let mut scripts = vec![self.nested_list()?];
        self.expect_keyword("then")?;
        scripts.push(self.nested_list()?);
        loop {
            if self.eat_keyword("elif") {
                scripts.push(self.nested_list()?);
                self.expect_keyword("then")?;
            } else if !self.eat_keyword("else") {
                break;
            }
            scripts.push(self.nested_list()?);
        }
        self.expect_keyword("fi")?;
        Ok(group(Vec::new(), scripts))
    }

    fn for_command(&mut self) -> ShellResult<ShellCommand> {
        let (mut words, mut variable) = (Vec::new(), None);
        self.blanks();
        if self.rest().starts_with("((") {
            let rest = self.rest();
            let length = end_of_arithmetic(rest).ok_or(Unsure::NotShell)?;
            self.at += length;
            words = self.computed(&rest[..length])?;
        } else {
            variable = self.word()?.text();
            self.newlines()?;
            if self.eat_keyword("in") {
                self.blanks();
                while self.begins_word() {
                    words.extend(self.words()?);
                    self.blanks();
                }
            }
        }
        self.blanks();
        self.eat(";");
        self.newlines()?;
        let scripts = vec![self.body()?];
        Ok(ShellCommand::Group {
            variable,
            words,
            scripts,
        })
    }

    /// Parses the body of a loop: `do .. done` or `{ .. }`.
    fn body(&mut self) -> ShellResult<Script> {
        let end = if self.eat_keyword("{") {
            "}"
        } else {
            self.expect_keyword("do")?;
            "done"
        };
        let body = self.nested_list()?;
        self.expect_keyword(end)?;
        Ok(body)
    }

    fn case_command(&mut self) -> ShellResult<ShellCommand> {
        self.blanks();
        let mut words = vec![self.word()?];
        let mut scripts = Vec::new();
        self.newlines()?;
        self.expect_keyword("in")?;
        loop {
            self.newlines()?;
            if self.eat_keyword("esac") {
                return Ok(group(words, scripts));
            }
            self.eat("(");
            self.pattern(&mut words)?;
            scripts.push(self.nested_list()?);
            let goes_on = self.eat(";;&") || self.eat(";;") || self.eat(";&");
            if !goes_on {
                self.expect_keyword("esac")?;
                return Ok(group(words, scripts));
            }
        }
    }

    fn pattern(&mut self, words: &mut Vec<Word>) -> ShellResult<()> {
        loop {
            self.blanks();
            let word = self.word()?;
            if word.scripts().next().is_some() {
                words.push(word);
            }
            self.blanks();
            if !self.eat("|") {
                return self.expect(")");
            }
        }
    }

    /// Parses `[[ .. ]]` into its words; operators and brackets are skipped, since they run no command.
    fn test_command(&mut self) -> ShellResult<ShellCommand> {
        let mut words = Vec::new();
        loop {
            self.newlines()?;
            if self.eat_keyword("]]") {
                return Ok(group(words, Vec::new()));
            }
            if self.begins_word() {
                words.push(self.word()?);
            } else if !(["(", ")", "<", ">", "&", "|"]
                .iter()
                .any(|sign| self.eat(sign)))
            {
                return Err(Unsure::NotShell);
            }
        }
    }

    /// Parses the body of a function, after its name. The guard treats the body as if it ran where the function is defined.
    fn function_body(&mut self) -> ShellResult<PipelineStep> {
        self.blanks();
        if self.eat("(") {
            self.blanks();
            self.expect(")")?;
        }
        self.newlines()?;
        self.nested(1, Self::command)
    }

    fn coprocess(&mut self) -> ShellResult<PipelineStep> {
        self.blanks();
        let start = self.at;
        let name = self.keyword();
        self.at += name.len();
        self.blanks();
        let has_name = is_name(name) && self.rest().starts_with(['{', '(']);
        if !has_name {
            self.at = start;
        }
        self.nested(1, Self::command)
    }

    fn simple(&mut self) -> ShellResult<PipelineStep> {
        let start = self.at;
        let (mut assigned, mut words, mut redirects) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            if !self.begins_word() {
                break;
            }
            let written = self.rest();
            let name = assigned_name(written);
            let is_array = name.is_some_and(|end| written[end..].starts_with('('));
            match name {
                Some(end) if is_array => {
                    self.at += end + 1;
                    let mut values = Vec::new();
                    self.array(&mut values)?;
                    if words.is_empty() {
                        assigned.extend(values.into_iter().map(|value| (String::new(), value)));
                    } else {
                        words.append(&mut values);
                    }
                }
                Some(end) if words.is_empty() => {
                    self.at += end;
                    let subscript = self.computed(&written[..end])?.into_iter();
                    assigned.extend(subscript.map(|word| (String::new(), word)));
                    let name = written[..end].trim_end_matches(['+', '=']);
                    assigned.push((name.to_owned(), self.word()?));
                }
                _ => words.extend(self.words()?),
            }
        }
        if self.at == start {
            return Err(Unsure::NotShell);
        }
        if self.rest().starts_with('(') && words.len() == 1 {
            return self.function_body();
        }
        Ok(PipelineStep {
            command: ShellCommand::Simple { assigned, words },
            redirects,
        })
    }

    fn array(&mut self, values: &mut Vec<Word>) -> ShellResult<()> {
        loop {
            self.newlines()?;
            if self.eat(")") {
                return Ok(());
            }
            if !self.begins_word() {
                return Err(Unsure::NotShell);
            }
            values.push(self.word()?);
        }
    }
}

fn group(words: Vec<Word>, scripts: Vec<Script>) -> ShellCommand {
    ShellCommand::Group {
        variable: None,
        words,
        scripts,
    }
}

/// Returns the length in bytes of `name=`, `name+=` or `name[..]=` if the text begins with one.
fn assigned_name(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, mut after) = text.split_at(end);
    if after.starts_with('[') {
        let mut bytes = after.bytes().take(LONGEST_NAME);
        after = &after[bytes.position(|byte| byte == b']')? + 1..];
    }
    after = after.strip_prefix('+').unwrap_or(after);
    let value = after.strip_prefix('=')?;
    is_name(name).then_some(text.len() - value.len())
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the length in bytes of the arithmetic expression `((..))` or `[..]` if the text begins with one.
pub(super) fn end_of_arithmetic(text: &str) -> Option<usize> {
    let bytes = || text.bytes().take(LONGEST_ARITHMETIC).enumerate();
    if text.starts_with('[') {
        return bytes()
            .find(|(_, byte)| *byte == b']')
            .map(|(at, _)| at + 1);
    }
    if !text.starts_with("((") {
        return None;
    }
    let mut depth = 0_usize;
    for (at, byte) in bytes() {
        match byte {
            b'(' => depth += 1,
            // The last two brackets of arithmetic touch.
            b')' if depth == 2 => return text[at..].starts_with("))").then_some(at + 2),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}
