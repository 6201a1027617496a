//! Where answers go: data to standard output, everything else to standard error; colour on a terminal only.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use anstyle::{AnsiColor, Style};
use hashline_core::disk_note::DiskNote;
use hashline_core::state_note::StateNote;
use hashline_wire::render::{human, state};
use serde_json::Value;

use crate::exit::Exit;
use crate::trouble::Trouble;

/// So much is gathered before it is written.
const ROOM: usize = 64 << 10;
/// As much as a pipe may hold without special rights.
#[cfg(target_os = "linux")]
const WIDE: usize = 1 << 20;

/// What a text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A command that is shown.
    Command,
    /// The name of a file, or a headline.
    Headline,
    /// What is less important.
    Quiet,
}

/// The two ways out.
pub(crate) struct Output {
    out: BufWriter<StdoutLock<'static>>,
    /// Whether answers are objects.
    pub(crate) json: bool,
    colour_out: bool,
    colour_err: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self {
            out: BufWriter::with_capacity(ROOM, io::stdout().lock()),
            json,
            colour_out: wanted && io::stdout().is_terminal(),
            colour_err: wanted && io::stderr().is_terminal(),
        }
    }

    /// Returns the way out for data.
    pub(crate) fn data(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Makes room for much data: a pipe that takes more at once need not be waited for as often. Where that cannot be had it is as good
    /// without.
    pub(crate) fn widen(&self) {
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(io::stdout(), WIDE);
    }

    /// Writes a line of data.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Trouble> {
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Writes an object on a line of its own.
    pub(crate) fn object(&mut self, object: &Value) -> Result<(), Trouble> {
        serde_json::to_writer(&mut self.out, object)?;
        Ok(self.out.write_all(b"\n")?)
    }

    /// Colours a text for standard output, if that is a terminal.
    pub(crate) fn painted(&self, part: Part, text: &str) -> String {
        let style = match part {
            Part::Command => Style::new().bold().fg_color(Some(AnsiColor::Green.into())),
            Part::Headline => Style::new().bold(),
            Part::Quiet => Style::new().dimmed(),
        };
        match self.colour_out {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }

    /// Tells whether standard output is a terminal that shows colours.
    pub(crate) fn is_coloured(&self) -> bool {
        self.colour_out
    }

    /// Writes what was gathered.
    pub(crate) fn finish(&mut self) -> Result<(), Trouble> {
        Ok(self.out.flush()?)
    }

    /// Tells something that is no data. A reader that is gone changes nothing.
    pub(crate) fn tell(&mut self, text: &str) {
        // What was shown before stands before.
        let _ = self.out.flush();
        let mut err = io::stderr().lock();
        for line in text.lines() {
            let style = match line.split_once(": ") {
                Some(("error", _)) => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
                Some(("hint", _)) => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
                Some(("note", _)) => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
                _ => Style::new(),
            };
            let _ = match (self.colour_err, line.split_once(": ")) {
                (true, Some((head, rest))) if style != Style::new() => {
                    writeln!(err, "{style}{head}:{style:#} {rest}")
                }
                _ => writeln!(err, "{line}"),
            };
        }
    }

    /// Tells what there is to know about the disk.
    pub(crate) fn tell_disk(&mut self, notes: &[DiskNote]) {
        for note in notes {
            self.tell(&format!("note: {}", human::disk_note(note)));
        }
    }

    /// Tells what could not be remembered or counted.
    pub(crate) fn tell_state(&mut self, notes: &[StateNote]) {
        for note in notes {
            self.tell(&format!("note: {}", state::note(note)));
        }
    }

    /// Says why something was not done: as an object on standard output, or in words on standard error.
    pub(crate) fn refuse(&mut self, trouble: &Trouble) -> Exit {
        if matches!(trouble, Trouble::NobodyListens) {
            return Exit::Done;
        }
        let told = match self.json {
            true => self.object(&trouble.to_json()),
            false => {
                let flushed = self.finish();
                self.tell(&trouble.to_text());
                flushed
            }
        };
        let _ = told.and_then(|()| self.finish());
        Exit::of_code(trouble.code())
    }
}
