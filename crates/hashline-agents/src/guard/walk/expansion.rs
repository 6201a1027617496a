//! What the shell runs to expand a word, and who sees what that prints.

use super::streams::{Sink, Streams};
use super::{PRINTERS, Walk};
use crate::guard::shell::{
    Command, Direction, Hole, Pipeline, Redirect, Script, Stage, Target, Word,
};
use crate::guard::tools::wrappers::Unwrapped;
use crate::guard::tools::{Call, Input};

/// Who sees what substitutions in the words of a command print.
#[derive(Clone, Copy)]
pub(super) struct Sinks {
    substituted: Sink,
    process: Sink,
}

impl Sinks {
    /// A substitution is seen if the command prints its arguments, a process substitution if it is a reader.
    pub(super) fn of(
        unwrapped: &Unwrapped,
        flow: &Streams,
        is_reader: impl Fn(&Call) -> bool,
    ) -> Self {
        let mut sinks = Self {
            substituted: Sink::Hidden,
            process: Sink::Hidden,
        };
        if let Unwrapped::Call(call) = unwrapped {
            if prints_arguments(call) {
                sinks.substituted = flow.output();
            }
            if is_reader(call) {
                sinks.process = flow.output();
            }
        }
        sinks
    }
}

fn prints_arguments(call: &Call) -> bool {
    let into_variable = call.name == "printf" && call.args.first().is_some_and(|w| w.is("-v"));
    PRINTERS.contains(&call.name.as_str()) && !into_variable
}

impl Walk<'_> {
    /// Runs what the shell runs to expand a word; `sink` is who sees what it prints.
    pub(super) fn expanded(&mut self, word: &Word, flow: &Streams, sink: Sink) {
        let sinks = Sinks {
            substituted: sink,
            process: sink,
        };
        self.expanded_into(word, flow, sinks);
    }

    /// The same, for the words of a command.
    pub(super) fn expanded_into(&mut self, word: &Word, flow: &Streams, sinks: Sinks) {
        for (hole, script) in word.scripts() {
            let sink = match hole {
                Hole::Process(Direction::From, _) => sinks.process,
                // What is written to a process comes out of it where everything else does.
                Hole::Process(Direction::To, _) => flow.output(),
                _ => sinks.substituted,
            };
            let mut inner = flow.clone().with_output(sink);
            inner.input = match hole {
                Hole::Process(Direction::To, _) => Input::Pipe,
                // The redirections of the command are not those of the shell that expands its words.
                _ => Input::Elsewhere,
            };
            if let (Hole::Substitution(_), Some(file), Sink::Visible) =
                (hole, input_alone(script), sink)
            {
                // `$(<F)` is `$(cat F)`.
                if self.places.guards(file) {
                    self.findings.read("cat", file);
                }
            }
            self.script(script, &inner);
        }
    }
}

/// Returns the file of a script that is nothing but `<F`.
fn input_alone(script: &Script) -> Option<&Word> {
    let [Pipeline { stages }] = script.pipelines.as_slice() else {
        return None;
    };
    let [Stage { command, redirects }] = stages.as_slice() else {
        return None;
    };
    let [Redirect { fd: 0, target }] = redirects.as_slice() else {
        return None;
    };
    match (command, target) {
        (Command::Simple(simple), Target::Input(file)) if simple.words.is_empty() => Some(file),
        _ => None,
    }
}
