//! The streams of a command: where its input comes from, and whether its output reaches the terminal.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::guard::places::{GuardPaths, PathKind};
use crate::guard::shell::{
    HereText, Hole, ProcessDirection, Redirect, RedirectTarget, Script, Word, WordPiece,
};
use crate::guard::tools::Input;

/// Whether text that is written to a stream reaches the terminal, where the agent sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    /// The text reaches the terminal.
    Visible,
    /// The text goes into a file, a variable, or a command that does not print it.
    Hidden,
}

/// The standard input and the output descriptors of a command.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    /// Where the standard input of the command comes from.
    pub(super) input: Input,
    /// Where the other input descriptors come from: `3<F`.
    inputs: BTreeMap<i32, Input>,
    /// Whether text written to each output descriptor reaches the terminal; a missing descriptor counts as hidden.
    outputs: BTreeMap<i32, Visibility>,
    /// The file that an enclosing `while read` loop reads line by line into a variable.
    lines: Option<Word>,
}

const OUTPUT: i32 = 1;
const ERROR: i32 = 2;

impl Default for Streams {
    /// Returns the streams of a command without pipes and redirections: both outputs go to the terminal.
    fn default() -> Self {
        Self {
            input: Input::Elsewhere,
            inputs: BTreeMap::new(),
            outputs: BTreeMap::from([(OUTPUT, Visibility::Visible), (ERROR, Visibility::Visible)]),
            lines: None,
        }
    }
}

impl Streams {
    /// Returns whether the standard output reaches the terminal.
    pub(super) fn output(&self) -> Visibility {
        self.seen(OUTPUT)
    }

    fn seen(&self, fd: i32) -> Visibility {
        let sink = self.outputs.get(&fd);
        sink.copied().unwrap_or(Visibility::Hidden)
    }

    /// Returns the visibility of the standard output if `goes_there` (the text is written to it), else `Hidden`.
    pub(super) fn output_if(&self, goes_there: bool) -> Visibility {
        if goes_there {
            self.output()
        } else {
            Visibility::Hidden
        }
    }

    /// Returns the same streams with another visibility of the standard output.
    pub(super) fn with_output(mut self, sink: Visibility) -> Self {
        self.outputs.insert(OUTPUT, sink);
        self
    }

    /// Applies redirections in the order in which they are written: `2>&1 >x` differs from `>x 2>&1`. `process` tells whether text that is
    /// written to a process substitution reaches the terminal.
    pub(super) fn redirect(
        &mut self,
        redirects: &[Redirect],
        places: &GuardPaths,
        process: &dyn Fn(&Script, &Self) -> Visibility,
    ) {
        for Redirect { fd, target } in redirects {
            match target {
                RedirectTarget::Input(file) | RedirectTarget::InputOutput(file) => {
                    self.take_input(*fd, Input::File(file.clone()));
                }
                RedirectTarget::Here(here) => self.take_input(*fd, Input::Here(here.clone())),
                RedirectTarget::Duplicate(other) if *fd == 0 => {
                    let input = other.map(|other| self.input_of(other).clone());
                    self.input = input.unwrap_or_default();
                }
                RedirectTarget::Output(file) => {
                    self.outputs
                        .insert(*fd, self.sink_of(file, places, process));
                }
                RedirectTarget::Both(file) => {
                    let sink = self.sink_of(file, places, process);
                    self.outputs.extend([(OUTPUT, sink), (ERROR, sink)]);
                }
                RedirectTarget::Duplicate(other) => {
                    let sink = other.map_or(Visibility::Hidden, |other| self.seen(other));
                    self.outputs.insert(*fd, sink);
                }
            }
        }
    }

    /// Returns where an input descriptor comes from.
    pub(super) fn input_of(&self, fd: i32) -> &Input {
        match self.inputs.get(&fd) {
            _ if fd == 0 => &self.input,
            Some(input) => input,
            None => &Input::Elsewhere,
        }
    }

    /// Returns the words of a command with the file that a descriptor reads in place of its name: `cat /dev/fd/3 3<F` is `cat F`. A text is a
    /// process that prints it.
    pub(super) fn opened<'a>(&self, words: &'a [Word]) -> Cow<'a, [Word]> {
        if self.inputs.is_empty() || !words.iter().any(|word| descriptor_named(word).is_some()) {
            return Cow::Borrowed(words);
        }
        let opened = |word: &Word| {
            let input = descriptor_named(word).map(|fd| self.input_of(fd));
            match input {
                Some(Input::File(file)) => file.clone(),
                Some(Input::Here(here)) => printed(here),
                _ => word.clone(),
            }
        };
        Cow::Owned(words.iter().map(opened).collect())
    }

    fn take_input(&mut self, fd: i32, input: Input) {
        if fd == 0 {
            self.input = input;
        } else {
            self.inputs.insert(fd, input);
        }
    }

    /// Records that the body of a `while read` loop sees the lines of `file`.
    pub(super) fn read_lines(&mut self, file: Word) {
        self.lines = Some(file);
    }

    /// Returns the file that an enclosing `while read` loop reads line by line.
    pub(super) fn lines(&self) -> Option<&Word> {
        self.lines.as_ref()
    }

    fn sink_of(
        &self,
        file: &Word,
        places: &GuardPaths,
        process: &dyn Fn(&Script, &Self) -> Visibility,
    ) -> Visibility {
        if let [WordPiece::Hole(Hole::Process(ProcessDirection::To, script), _)] = file.pieces() {
            return process(script, self);
        }
        // These are the command's own streams, wherever they lead by now.
        match file.text().as_deref() {
            Some("/dev/stdout" | "/dev/fd/1") => self.seen(OUTPUT),
            Some("/dev/stderr" | "/dev/fd/2") => self.seen(ERROR),
            _ if places.of(file) == PathKind::Terminal => Visibility::Visible,
            _ => Visibility::Hidden,
        }
    }
}

/// Returns the descriptor that a path such as `/dev/fd/3` names; `None` for the standard streams, which commands know by themselves.
fn descriptor_named(word: &Word) -> Option<i32> {
    let text = word.text()?;
    let mut folders = ["/dev/fd/", "/proc/self/fd/"].iter();
    let number = folders.find_map(|folder| text.strip_prefix(folder))?;
    number.parse().ok().filter(|fd| *fd > ERROR)
}

/// Returns the process substitution that prints a text of the command line.
fn printed(here: &HereText) -> Word {
    let script = Script::printing(here.word());
    let process = Hole::Process(ProcessDirection::From, Rc::new(script));
    Word::hole(process, "<<")
}
