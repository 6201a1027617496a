//! Where answers go: data to standard output, everything else to standard error; colour on a terminal only.

use std::io::{self, BufWriter, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use hashline_core::dialect::Dialect;
use hashline_wire::Refusal;
use hashline_wire::answer::{AnswerOptions, Notice, common};
use hashline_wire::render::human;
use serde::Serialize;

use crate::escape::{self, Spelling};
use crate::exit::Exit;
use crate::refusals;
use crate::sink::Sink;

/// The size of the buffer before standard output.
const ROOM: usize = 64 << 10;
/// The largest pipe that an unprivileged process may ask for.
#[cfg(target_os = "linux")]
const WIDE: usize = 1 << 20;

/// An answer and the notices about the ledger and the counters.
#[derive(Serialize)]
struct AnswerWithState<'a, T: Serialize> {
    #[serde(flatten)]
    answer: &'a T,
    #[serde(skip_serializing_if = "<[Notice]>::is_empty")]
    state: &'a [Notice],
}

/// What a text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A command that is shown.
    Command,
    /// The name of a file, or a headline.
    Headline,
    /// What is less important.
    Quiet,
    /// What comes, or what is as it should be.
    Good,
    /// What should be looked at.
    Doubtful,
    /// What goes, or what is wrong.
    Bad,
    /// Anything else.
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

/// Where something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Medium {
    /// A pipe or a file: bytes are written unchanged.
    Plain,
    /// A terminal without colours. Control characters are escaped: a file must not be able to send commands to the terminal.
    Terminal,
    /// A terminal with colours.
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

/// Standard output and standard error.
///
/// Writing never fails half-way through a command: a failure is kept and reported in the end by [`Output::settle`], since by then files may
/// have been changed.
pub(crate) struct Output {
    out: BufWriter<Sink>,
    /// Whether answers are objects.
    pub(crate) json: bool,
    medium: Medium,
    medium_of_errors: Medium,
    /// Files that were changed, to be reported if the answer cannot be written.
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

    /// Returns a writer for unescaped bytes: not for a terminal, unless nothing came from a file.
    pub(crate) fn data(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Returns whether standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.medium != Medium::Plain
    }

    /// Returns whether standard output shows colours.
    pub(crate) fn is_coloured(&self) -> bool {
        self.medium == Medium::Coloured
    }

    /// Remembers that files were changed, to report them if the answer cannot be written.
    pub(crate) fn changed(&mut self, paths: impl IntoIterator<Item = String>) {
        self.changed.extend(paths);
    }

    /// Asks for a larger pipe, so that a long answer waits for its reader less often. If that fails, nothing is lost but time.
    pub(crate) fn widen(&self) {
        #[cfg(target_os = "linux")]
        if rustix::pipe::fcntl_getpipe_size(io::stdout()).is_ok_and(|size| size < WIDE) {
            let _ = rustix::pipe::fcntl_setpipe_size(io::stdout(), WIDE);
        }
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) {
        // The sink takes everything.
        let _ = match self.medium {
            Medium::Plain => self.out.write_all(text.as_bytes()),
            _ => Spelling(&mut self.out).write_all(text.as_bytes()),
        };
    }

    /// Writes a line of data.
    pub(crate) fn line(&mut self, text: &str) {
        self.text(text);
        self.text("\n");
    }

    /// Writes a line of parts, each in its colour.
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

    /// Writes an answer as an object, with what could not be recorded or counted.
    pub(crate) fn answer(&mut self, answer: &impl Serialize, state: &[Notice]) {
        self.object(&AnswerWithState { answer, state });
    }

    /// Prints an answer: as an object, or as text with the notices on standard error.
    pub(crate) fn report(&mut self, answer: &impl Serialize, text: &str, state: &[Notice]) {
        if self.json {
            return self.answer(answer, state);
        }
        self.line(text);
        self.tell_notices(state);
    }

    /// Writes an object on a line of its own.
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

    /// Writes what was gathered.
    pub(crate) fn finish(&mut self) {
        let _ = self.out.flush();
    }

    /// Ends the answer, and returns how the program ends. A closed pipe changes nothing; any other failed write is reported.
    pub(crate) fn settle(&mut self, exit: Exit) -> Exit {
        self.finish();
        match self.out.get_mut().take_failure() {
            None => exit,
            Some(error) => {
                // A caller that sees no answer might send the edits again, so the changed files are named.
                let message = refusals::answer_lost(&error, &self.changed);
                self.tell(&message);
                Exit::Failed
            }
        }
    }

    /// Prints something that is not data to standard error, and ignores failures.
    pub(crate) fn tell(&mut self, text: &str) {
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
    pub(crate) fn tell_notices(&mut self, notices: &[Notice]) {
        for notice in notices {
            self.tell(&format!("note: {}", notice.message));
        }
    }

    /// Says why something was not done: as an object on standard output, or in words on standard error.
    pub(crate) fn refuse(&mut self, refusal: &Refusal) -> Exit {
        if self.json {
            let options = AnswerOptions::new(Dialect::default());
            self.object(&common(&options, &Err(refusal.clone())));
        } else {
            self.tell(&human::refusal(refusal));
        }
        Exit::of_code(refusal.code())
    }
}
