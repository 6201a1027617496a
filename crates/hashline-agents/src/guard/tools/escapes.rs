//! The commands of interactive programs (`vim`, `gdb`, `sqlite3`) that are given to them as arguments or as input.
//!
//! Such programs run shell code (`:!ls`, `.shell ls`) and write files (`:w F`, `.output F`). Each has its own spelling for it, which the table
//! lists; the rest of their languages is not known.

use super::nested::text_of_input;
use super::{CommandCall, is_standard_input};
use crate::guard::options::{Arguments, ValueOptions, lists};
use crate::guard::places::GuardPaths;
use crate::guard::shell::Word;

/// A program that takes commands of its own.
struct Interactive {
    names: &'static str,
    /// The options that take a value.
    options: &'static str,
    /// The options whose value is a command.
    commands: &'static str,
    /// The number of operands before those that are commands; operands such as `+command` always are.
    operands: usize,
    /// The characters that may stand before the word of a command: `:` and line numbers.
    before: &'static str,
    /// The beginnings of commands that run shell code.
    shell: &'static [&'static str],
    /// The beginnings of commands that write the file after them.
    writes: &'static [&'static str],
}

const PROGRAMS: &[Interactive] = &[
    Interactive {
        names: "vi vim nvim ex view ed",
        options: "-c -u -U -S -T -t -W -w -i -p --cmd --prompt --listen --server",
        commands: "c cmd",
        operands: usize::MAX,
        before: ":%0123456789,.$ ",
        shell: &[
            "!",
            "silent !",
            "sil !",
            "silent! !",
            "sil! !",
            "r !",
            "r!",
            "read !",
            "w !",
        ],
        writes: &[
            "w ",
            "w! ",
            "w>>",
            "w >>",
            "write ",
            "write! ",
            "wq ",
            "sav ",
            "sav! ",
            "saveas ",
            "saveas! ",
            "x ",
            "redir > ",
            "redir! > ",
            "redir >> ",
        ],
    },
    Interactive {
        names: "gdb lldb",
        options: "-ex -iex -eval-command --eval-command --init-eval-command --one-line -o -p -pid -cd -d --command",
        commands: "-ex -iex -eval-command eval-command init-eval-command one-line o",
        operands: usize::MAX,
        before: " ",
        shell: &["!", "shell ", "platform shell ", "pipe "],
        writes: &["set logging file "],
    },
    Interactive {
        names: "sqlite3 sqlite",
        options: "-cmd -init -separator -newline -nullvalue -maxsize -mmap -pagecache -lookaside -vfs -heap --cmd --init",
        commands: "-cmd cmd",
        operands: 1,
        before: " ",
        shell: &[".shell ", ".system ", ".output |", ".once |"],
        writes: &[".output ", ".once ", ".log ", ".trace "],
    },
];

/// Returns the shell code that the commands of an interactive program run.
pub(super) fn run(call: &CommandCall) -> Vec<String> {
    let run = |program: &'static Interactive| {
        let commands = program.given(call).into_iter();
        commands.filter_map(|command| program.after(&command, program.shell))
    };
    let codes = Interactive::of(call).into_iter().flat_map(run);
    codes.map(|code| code.source()).collect()
}

/// Returns the first guarded file that the commands of an interactive program write.
pub(super) fn written(call: &CommandCall, places: &GuardPaths) -> Option<Word> {
    let program = Interactive::of(call)?;
    let mut files = program.given(call).into_iter().filter_map(|command| {
        let is_code = program.after(&command, program.shell).is_some();
        program.after(&command, program.writes).filter(|_| !is_code)
    });
    files.find(|file| places.guards(file))
}

impl Interactive {
    fn of(call: &CommandCall) -> Option<&'static Self> {
        PROGRAMS.iter().find(|row| lists(row.names, &call.name))
    }

    /// Returns the commands in the arguments and the input of the program.
    fn given(&self, call: &CommandCall) -> Vec<Word> {
        let arguments: Arguments = ValueOptions(self.options).read(&call.args);
        let mut given: Vec<Word> = arguments.values(self.commands).cloned().collect();
        for (at, word) in arguments.operands.iter().enumerate() {
            match word.strip_prefix("+") {
                Some(command) => given.push(command),
                None if at >= self.operands && !is_standard_input(word) => given.push(word.clone()),
                None => {}
            }
        }
        let lines = text_of_input(call).map(|text| text.source());
        given.extend(lines.iter().flat_map(|text| text.lines()).map(Word::known));
        given
    }

    /// Returns what stands after one of `beginnings` in a command.
    fn after(&self, command: &Word, beginnings: &[&str]) -> Option<Word> {
        let (head, _) = command.head();
        let word = head.trim_start_matches(|c: char| self.before.contains(c));
        let command = command.after(head.len() - word.len());
        beginnings
            .iter()
            .find_map(|begin| command.strip_prefix(begin))
    }
}
