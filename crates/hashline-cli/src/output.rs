//! The output of the program: answers to standard output, errors and notes to standard error, colours on a terminal only.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use hashline_core::dialect::Dialect;
use hashline_wire::Refusal;
use hashline_wire::answer::{AnswerOptions, Notice, common};
use hashline_wire::render::human;
use serde::Serialize;

use crate::escape::{self, EscapingWriter};
use crate::exit::Exit;
use crate::refusals;
use crate::sink::Sink;

/// The size in bytes of the buffer before standard output.
const ROOM: usize = 64 << 10;
/// The largest pipe buffer, in bytes, that an unprivileged process may ask for.
#[cfg(target_os = "linux")]
const WIDE: usize = 1 << 20;

/// A JSON answer with notices about the ledger added to it.
#[derive(Serialize)]
struct AnswerWithState<'a, T: Serialize> {
    #[serde(flatten)]
    answer: &'a T,
    #[serde(skip_serializing_if = "<[Notice]>::is_empty")]
    state: &'a [Notice],
}

/// The role of a piece of text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A shell command that is shown as an example.
    Command,
    /// A file name, or a headline.
    Headline,
    /// Less important text.
    Quiet,
    /// An added line, or a check that passed.
    Good,
    /// A warning.
    Doubtful,
    /// A removed line, or an error.
    Bad,
    /// Any other text, without colour.
    Plain,
}

impl Part {
    fn style(self) -> Style {
        match self {
            Self::Command => Style::new().bold().fg_color(Some(AnsiColor::Green.into())),
            Self::Headline => Style::new().bold(),
            Self::Quiet => Style::new().dimmed(),
            Self::Good => Style::new().fg_color(Some(AnsiColor::Green.into())),
            Self::Doubtful => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
            Self::Bad => Style::new().fg_color(Some(AnsiColor::Red.into())),
            Self::Plain => Style::new(),
        }
    }
}

/// The kind of stream that is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Medium {
    /// A pipe or a file: bytes are written unchanged.
    Plain,
    /// A terminal without colours. Control characters are escaped, so that the content of a file cannot send commands to the terminal.
    Terminal,
    /// A terminal with colours, where control characters are escaped too.
    Coloured,
}

impl Medium {
    fn of(way: &impl IsTerminal) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        match (way.is_terminal(), wanted) {
            (false, _) => Self::Plain,
            (true, false) => Self::Terminal,
            (true, true) => Self::Coloured,
        }
    }
}

/// The standard output and standard error of the program.
///
/// A failed write does not stop a command half-way: the error is kept and reported at the end by [`Output::settle`], since by then files may have
/// been changed.
pub(crate) struct Output {
    out: BufWriter<Sink>,
    /// Whether answers are printed as JSON.
    pub(crate) json: bool,
    medium: Medium,
    medium_of_errors: Medium,
    /// The paths of changed files, which are reported if the answer cannot be written.
    changed: Vec<String>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self {
            out: BufWriter::with_capacity(ROOM, Sink::new()),
            json,
            medium: Medium::of(&io::stdout()),
            medium_of_errors: Medium::of(&io::stderr()),
            changed: Vec::new(),
        }
    }

    /// Returns a writer for unescaped bytes. If standard output is a terminal, content of files must not be written to it.
    pub(crate) fn data(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Returns whether standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.medium != Medium::Plain
    }

    /// Returns whether standard output is a terminal with colours.
    pub(crate) fn is_coloured(&self) -> bool {
        self.medium == Medium::Coloured
    }

    /// Remembers the paths of changed files, to report them if the answer cannot be written.
    pub(crate) fn changed(&mut self, paths: impl IntoIterator<Item = String>) {
        self.changed.extend(paths);
    }

    /// Asks the system for a larger pipe buffer, so that a long answer waits for its reader less often. A failure is ignored.
    pub(crate) fn widen(&self) {
        #[cfg(target_os = "linux")]
        if rustix::pipe::fcntl_getpipe_size(io::stdout()).is_ok_and(|size| size < WIDE) {
            let _ = rustix::pipe::fcntl_setpipe_size(io::stdout(), WIDE);
        }
    }

    /// Writes text to standard output, with control characters escaped if it is a terminal.
    pub(crate) fn text(&mut self, text: &str) {
        // The sink takes everything.
        let _ = match self.medium {
            Medium::Plain => self.out.write_all(text.as_bytes()),
            _ => EscapingWriter(&mut self.out).write_all(text.as_bytes()),
        };
    }

    /// Writes text and a newline to standard output.
    pub(crate) fn line(&mut self, text: &str) {
        self.text(text);
        self.text("\n");
    }

    /// Writes a line that consists of several pieces of text, each in the colour of its role.
    pub(crate) fn parts(&mut self, parts: &[(Part, &str)]) {
        for (part, text) in parts {
            let style = part.style();
            let coloured = self.medium == Medium::Coloured && style != Style::new();
            if coloured {
                let _ = write!(self.out, "{style}");
            }
            self.text(text);
            if coloured {
                let _ = write!(self.out, "{style:#}");
            }
        }
        self.text("\n");
    }

    /// Writes an answer as JSON, with notices about what could not be written to the ledger or the counters.
    pub(crate) fn answer(&mut self, answer: &impl Serialize, state: &[Notice]) {
        self.object(&AnswerWithState { answer, state });
    }

    /// Prints an answer: as JSON, or as text with the notices on standard error.
    pub(crate) fn report(&mut self, answer: &impl Serialize, text: &str, state: &[Notice]) {
        if self.json {
            return self.answer(answer, state);
        }
        self.line(text);
        self.notices(state);
    }

    /// Writes a value as JSON on a line of its own.
    pub(crate) fn object(&mut self, object: &impl Serialize) {
        // The sink takes everything, and our objects have only names for keys.
        let _ = match self.medium {
            Medium::Plain => serde_json::to_writer(&mut self.out, object),
            _ => serde_json::to_string(object).map(|text| {
                let _ = self.out.write_all(escape::in_json(&text).as_bytes());
            }),
        };
        self.text("\n");
    }

    /// Flushes the buffer of standard output.
    pub(crate) fn finish(&mut self) {
        let _ = self.out.flush();
    }

    /// Flushes standard output and returns how the program ends. A closed pipe is not an error; any other failed write is reported.
    pub(crate) fn settle(&mut self, exit: Exit) -> Exit {
        self.finish();
        match self.out.get_mut().take_failure() {
            None => exit,
            Some(error) => {
                // A caller that sees no answer might send the edits again, so the changed files are named.
                let message = refusals::answer_lost(&error, &self.changed);
                self.message(&message);
                Exit::Failed
            }
        }
    }

    /// Prints a message to standard error, and ignores failures.
    pub(crate) fn message(&mut self, text: &str) {
        // On a terminal both streams are one: the data before this must come first.
        let _ = self.out.flush();
        let mut err = io::stderr().lock();
        let text = match self.medium_of_errors {
            Medium::Plain => text.into(),
            _ => escape::for_terminal(text),
        };
        for line in text.lines() {
            let style = match line.split_once(": ") {
                Some(("error", _)) => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
                Some(("hint", _)) => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
                Some(("note", _)) => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
                _ => Style::new(),
            };
            let _ = match (self.medium_of_errors, line.split_once(": ")) {
                (Medium::Coloured, Some((head, rest))) if style != Style::new() => {
                    writeln!(err, "{style}{head}:{style:#} {rest}")
                }
                _ => writeln!(err, "{line}"),
            };
        }
    }

    /// Prints notices to standard error.
    pub(crate) fn notices(&mut self, notices: &[Notice]) {
        for notice in notices {
            self.message(&format!("note: {}", notice.message));
        }
    }

    /// Prints a refusal, as JSON on standard output or as text on standard error, and returns how the program ends.
    pub(crate) fn refuse(&mut self, refusal: &Refusal) -> Exit {
        if self.json {
            let options = AnswerOptions::new(Dialect::default());
            self.object(&common(&options, &Err(refusal.clone())));
        } else {
            self.message(&human::refusal(refusal));
        }
        Exit::of_code(refusal.code())
    }
}
