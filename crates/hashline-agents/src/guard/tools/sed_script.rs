//! The commands of a `sed` program that open files or run shell code: `w F`, `r F`, `s/a/b/w F`, `e ls`.

use crate::guard::shell::{Hole, Word};

/// A command of a `sed` program that does more than change the lines.
#[derive(Debug)]
pub(super) enum SedCommand {
    /// `w F` or `s/a/b/w F`, which write lines to a file.
    Write(Word),
    /// `r F`, which prints a file.
    Read(Word),
    /// `e CODE`, which runs shell code.
    Run(String),
}

/// Returns the commands of a `sed` program that open files or run shell code.
pub(super) fn commands(program: &Word) -> Vec<SedCommand> {
    let text = program.source();
    let mut script = SedScript { rest: &text };
    let mut commands = Vec::new();
    while let Some(name) = script.command_name() {
        match name {
            's' => {
                let delimiter = script.next();
                script.skip_part(delimiter);
                script.skip_part(delimiter);
                let flags = |c: char| c.is_ascii_digit() || "gpiImMe".contains(c);
                script.rest = script.rest.trim_start_matches(flags);
                if let Some(after) = script.rest.strip_prefix('w') {
                    script.rest = after;
                    commands.extend(script.file().map(SedCommand::Write));
                }
            }
            'y' => {
                let delimiter = script.next();
                script.skip_part(delimiter);
                script.skip_part(delimiter);
            }
            'w' | 'W' => commands.extend(script.file().map(SedCommand::Write)),
            'r' | 'R' => commands.extend(script.file().map(SedCommand::Read)),
            'e' => {
                let code = script.line().trim().to_owned();
                let code = Some(code).filter(|code| !code.is_empty());
                commands.extend(code.map(SedCommand::Run));
            }
            'a' | 'i' | 'c' => script.skip_text(),
            'b' | 't' | 'T' | ':' => {
                let end = script.rest.find([';', '\n', '}']);
                script.rest = &script.rest[end.unwrap_or(script.rest.len())..];
            }
            _ => {}
        }
    }
    commands
}

/// The part of a `sed` program that is not read yet.
struct SedScript<'a> {
    rest: &'a str,
}

impl<'a> SedScript<'a> {
    fn next(&mut self) -> char {
        let mut chars = self.rest.chars();
        let next = chars.next().unwrap_or('\n');
        self.rest = chars.as_str();
        next
    }

    /// Skips blanks, comments and addresses such as `1,$`, `/re/I` and `\,re,!`, and returns the name of the command after them.
    fn command_name(&mut self) -> Option<char> {
        while !self.rest.is_empty() {
            match self.next() {
                '#' => _ = self.line(),
                '/' => {
                    self.skip_part('/');
                    self.rest = self.rest.trim_start_matches(['I', 'M']);
                }
                '\\' => {
                    let delimiter = self.next();
                    self.skip_part(delimiter);
                    self.rest = self.rest.trim_start_matches(['I', 'M']);
                }
                c if c.is_whitespace() || c.is_ascii_digit() || ";{},$+~!".contains(c) => {}
                name => return Some(name),
            }
        }
        None
    }

    /// Skips text up to a delimiter that is not escaped.
    fn skip_part(&mut self, delimiter: char) {
        while !self.rest.is_empty() {
            match self.next() {
                '\\' => _ = self.next(),
                c if c == delimiter => return,
                _ => {}
            }
        }
    }

    fn line(&mut self) -> &'a str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        line
    }

    /// Reads the file name up to the end of the line. A name in which the shell computes a part is unknown.
    fn file(&mut self) -> Option<Word> {
        let name = self.line().trim();
        match name {
            "" => None,
            name if name.contains('$') => Some(Word::hole(Hole::Other, name)),
            name => Some(Word::known(name)),
        }
    }

    /// Skips the text of `a`, `i` or `c`, which goes on after a line that ends with a backslash.
    fn skip_text(&mut self) {
        while self.line().ends_with('\\') && !self.rest.is_empty() {
            self.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(program: &str) -> Vec<String> {
        let commands = commands(&Word::known(program)).into_iter();
        let told = commands.map(|command| match command {
            SedCommand::Write(file) => format!("w {}", file.source()),
            SedCommand::Read(file) => format!("r {}", file.source()),
            SedCommand::Run(code) => format!("e {code}"),
        });
        told.collect()
    }

    #[test]
    fn files_and_code_are_found_after_addresses_and_other_commands() {
        assert_eq!(found("w a.txt"), ["w a.txt"]);
        assert_eq!(found("1,/x/{s/a/b/;w a.txt\n}"), ["w a.txt"]);
        assert_eq!(found("s,a/w b,c,gw out"), ["w out"]);
        assert_eq!(found("$!N;\\,x w y,I r f"), ["r f"]);
        assert_eq!(found("1e cat a.txt"), ["e cat a.txt"]);
        assert_eq!(found("b end; :end\nr f"), ["r f"]);
    }

    #[test]
    fn text_and_patterns_are_not_commands() {
        let empty: [&str; 0] = [];
        for program in [
            "s/w a/r b/",
            "a w x.txt",
            "i\\\nw x\\\nr y",
            "/w x/p",
            "y/we/ew/",
            "# w x",
            "s/a/b/e",
            "s/a\\/w b/c/",
            "s/x",
        ] {
            assert_eq!(found(program), empty, "{program}");
        }
    }
}
