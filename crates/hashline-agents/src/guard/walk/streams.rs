//! The streams of a command: where its input comes from, and whether its output is shown.

use std::collections::BTreeMap;

use crate::guard::places::{GuardPaths, PathKind};
use crate::guard::shell::{Redirect, RedirectTarget, Word};
use crate::guard::tools::Input;

/// Whether text that is written there is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    /// It reaches the terminal.
    Visible,
    /// It goes into a file, a variable, or a command that does not let it through.
    Hidden,
}

/// The streams of a command.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    /// Its standard input.
    pub(super) input: Input,
    /// Its other descriptors. One that is not here leads nowhere that is known.
    outputs: BTreeMap<i32, Visibility>,
    /// The file whose lines a loop around it reads into a variable.
    lines: Option<Word>,
}

const OUTPUT: i32 = 1;
const ERROR: i32 = 2;

impl Default for Streams {
    /// Everything leads to the terminal.
    fn default() -> Self {
        Self {
            input: Input::Elsewhere,
            outputs: BTreeMap::from([(OUTPUT, Visibility::Visible), (ERROR, Visibility::Visible)]),
            lines: None,
        }
    }
}

impl Streams {
    /// Returns where the standard output leads.
    pub(super) fn output(&self) -> Visibility {
        self.seen(OUTPUT)
    }

    fn seen(&self, fd: i32) -> Visibility {
        let sink = self.outputs.get(&fd);
        sink.copied().unwrap_or(Visibility::Hidden)
    }

    /// Returns the visibility of the standard output if the text goes there, else `Hidden`.
    pub(super) fn output_if(&self, goes_there: bool) -> Visibility {
        if goes_there {
            self.output()
        } else {
            Visibility::Hidden
        }
    }

    /// Leads the standard output elsewhere.
    pub(super) fn with_output(mut self, sink: Visibility) -> Self {
        self.outputs.insert(OUTPUT, sink);
        self
    }

    /// Applies redirections, one after the other: `2>&1 >x` is not `>x 2>&1`.
    pub(super) fn redirect(&mut self, redirects: &[Redirect], places: &GuardPaths) {
        for Redirect { fd, target } in redirects {
            match target {
                RedirectTarget::Input(file) if *fd == 0 => self.input = Input::File(file.clone()),
                RedirectTarget::Here(here) if *fd == 0 => self.input = Input::Here(here.clone()),
                RedirectTarget::Duplicate(_) if *fd == 0 => self.input = Input::Elsewhere,
                RedirectTarget::Input(_) | RedirectTarget::Here(_) => {}
                RedirectTarget::Output(file) => {
                    self.outputs.insert(*fd, self.sink_of(file, places));
                }
                RedirectTarget::Both(file) => {
                    let sink = self.sink_of(file, places);
                    self.outputs.extend([(OUTPUT, sink), (ERROR, sink)]);
                }
                RedirectTarget::Duplicate(other) => {
                    let sink = other.map_or(Visibility::Hidden, |other| self.seen(other));
                    self.outputs.insert(*fd, sink);
                }
            }
        }
    }

    /// Marks what is inside as reading the standard input line by line.
    pub(super) fn read_lines(&mut self) {
        if let Input::File(file) = &self.input {
            self.lines = Some(file.clone());
        }
    }

    /// Returns the file whose lines are read.
    pub(super) fn lines(&self) -> Option<&Word> {
        self.lines.as_ref()
    }

    fn sink_of(&self, file: &Word, places: &GuardPaths) -> Visibility {
        // These are the command's own streams, wherever they lead by now.
        match file.text().as_deref() {
            Some("/dev/stdout" | "/dev/fd/1") => self.seen(OUTPUT),
            Some("/dev/stderr" | "/dev/fd/2") => self.seen(ERROR),
            _ if places.of(file) == PathKind::Terminal => Visibility::Visible,
            _ => Visibility::Hidden,
        }
    }
}
