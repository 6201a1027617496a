//! The way through a command line: every command that may run, with what feeds it and who sees its output.

mod findings;
mod streams;

use crate::places::Places;
use crate::shell::{
    Command, Direction, Group, Here, Hole, Loop, Pipeline, Redirect, Script, Simple, Source, Stage,
    Target, Word,
};
use crate::tools::wrappers::{Unwrapped, unwrapped};
use crate::tools::{self, Call, Deed, Input, Object, Piped, found, shells};
use crate::verdict::{Unsure, Verdict};
use findings::Findings;
use streams::{Sink, Streams};

/// Shells inside shells are followed so far.
const DEEPEST: usize = 8;

/// Our own program, which may be told anything.
const OURSELVES: &str = "hashline";

/// Commands that print their arguments.
const PRINTERS: &[&str] = &["echo", "printf"];

/// Judges a whole command line.
pub(crate) fn judge(source: &Source, places: &Places) -> Verdict {
    let mut walk = Walk {
        places,
        findings: Findings::default(),
        depth: 0,
    };
    walk.source(source, &Streams::default());
    walk.findings.verdict()
}

struct Walk<'a> {
    places: &'a Places,
    findings: Findings,
    /// So many shells inside shells.
    depth: usize,
}

impl Walk<'_> {
    fn source(&mut self, source: &Source, streams: &Streams) {
        if self.depth >= DEEPEST {
            self.findings.doubt(Unsure::TooDeep);
            return;
        }
        match source.parse() {
            Ok((script, trouble)) => {
                trouble
                    .into_iter()
                    .for_each(|unsure| self.findings.doubt(unsure));
                self.depth += 1;
                self.script(&script, streams);
                self.depth -= 1;
            }
            Err(unsure) => self.findings.doubt(unsure),
        }
    }

    fn script(&mut self, script: &Script, streams: &Streams) {
        for pipeline in &script.pipelines {
            self.pipeline(pipeline, streams);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, streams: &Streams) {
        let flows = self.flows(pipeline, streams);
        let mut feeding = Vec::new();
        for (stage, flow) in pipeline.stages.iter().zip(&flows) {
            self.redirects(&stage.redirects, stage, flow);
            self.command(&stage.command, flow, &feeding);
            feeding.extend(call_of(stage, flow));
        }
    }

    /// Returns the streams of each stage, its redirections applied. What a stage prints is seen if every stage after it lets it through.
    fn flows(&self, pipeline: &Pipeline, streams: &Streams) -> Vec<Streams> {
        let mut sink = streams.output();
        let mut flows = Vec::new();
        for (at, stage) in pipeline.stages.iter().enumerate().rev() {
            let mut flow = streams.clone().with_output(sink);
            if at > 0 {
                flow.input = Input::Pipe;
            }
            flow.redirect(&stage.redirects, self.places);
            sink = self.through(stage, &flow);
            flows.push(flow);
        }
        flows.reverse();
        flows
    }

    /// Returns where text ends that is piped into a stage.
    fn through(&self, stage: &Stage, flow: &Streams) -> Sink {
        match &stage.command {
            Command::Simple(_) => match call_of(stage, flow) {
                Some(call) => match tools::deed(&call, self.places).piped {
                    Piped::Consumed => Sink::Hidden,
                    Piped::Passed => flow.output(),
                    Piped::Shown => Sink::Visible,
                },
                None => Sink::Hidden,
            },
            // The first command of each pipeline in it reads what is piped into a group.
            Command::Group(group) => {
                let pipelines = group.scripts.iter().flat_map(|script| &script.pipelines);
                let mut entries = pipelines.filter_map(|pipeline| {
                    let flows = self.flows(pipeline, flow);
                    let (stage, flow) = (pipeline.stages.first()?, flows.first()?);
                    Some(self.through(stage, flow))
                });
                entries.find(|sink| *sink == Sink::Visible).unwrap_or(Sink::Hidden)
            }
            Command::Loop(_) => Sink::Hidden,
        }
    }

    fn redirects(&mut self, redirects: &[Redirect], stage: &Stage, flow: &Streams) {
        for redirect in redirects {
            match &redirect.target {
                Target::Output(file) | Target::Both(file) => {
                    if self.places.guards(file) {
                        self.findings.write(&name_of(stage), Some(file));
                    }
                    self.expanded(file, flow, Sink::Hidden);
                }
                Target::Input(file) | Target::Here(Here::String(file)) => {
                    let sink = self.sink_of_input(stage, flow);
                    self.expanded(file, flow, sink);
                }
                Target::Duplicate(_) | Target::Here(_) => {}
            }
        }
    }

    /// Returns who sees what a command is fed with: a reader prints it.
    fn sink_of_input(&self, stage: &Stage, flow: &Streams) -> Sink {
        match (&stage.command, call_of(stage, flow)) {
            (Command::Simple(_), Some(call)) if self.is_reader(&call) => flow.output(),
            _ => Sink::Hidden,
        }
    }

    fn is_reader(&self, call: &Call) -> bool {
        tools::deed(call, self.places).piped == Piped::Passed
    }

    fn command(&mut self, command: &Command, flow: &Streams, feeding: &[Call]) {
        match command {
            Command::Simple(simple) => self.simple(simple, flow, feeding),
            Command::Group(Group { words, scripts }) => {
                for word in words {
                    self.expanded(word, flow, Sink::Hidden);
                }
                for script in scripts {
                    self.script(script, flow);
                }
            }
            Command::Loop(Loop { condition, body }) => {
                self.script(condition, flow);
                let mut flow = flow.clone();
                if reads_lines(condition) {
                    flow.read_lines();
                }
                self.script(body, &flow);
            }
        }
    }

    fn simple(&mut self, simple: &Simple, flow: &Streams, feeding: &[Call]) {
        for value in &simple.assigned {
            self.expanded(value, flow, Sink::Hidden);
        }
        let unwrapped = unwrapped(&simple.words, &flow.input);
        if matches!(&unwrapped, Unwrapped::Call(call) if call.name == OURSELVES) {
            return;
        }
        let sinks = Sinks::of(&unwrapped, flow, |call| self.is_reader(call));
        for word in &simple.words {
            self.expanded_into(word, flow, sinks);
        }
        self.run(unwrapped, flow, feeding);
    }

    fn run(&mut self, unwrapped: Unwrapped, flow: &Streams, feeding: &[Call]) {
        let call = match unwrapped {
            Unwrapped::Call(call) => call,
            Unwrapped::Code(code) => return self.source(&code, flow),
            Unwrapped::Nothing => return,
        };
        if let Some(code) = shells::code(&call) {
            return self.source(&code, flow);
        }
        if let Some(commands) = found::commands(&call, feeding) {
            for words in commands {
                self.nested(&words, flow);
            }
            return;
        }
        self.judge(&call, flow);
    }

    /// Runs a command that another one runs on a found file.
    fn nested(&mut self, words: &[Word], flow: &Streams) {
        if self.depth >= DEEPEST {
            self.findings.doubt(Unsure::TooDeep);
            return;
        }
        self.depth += 1;
        self.run(unwrapped(words, &Input::Elsewhere), flow, &[]);
        self.depth -= 1;
    }

    fn judge(&mut self, call: &Call, flow: &Streams) {
        let Deed { writes, shows, .. } = tools::deed(call, self.places);
        match &writes {
            Some(Object::File(file)) => self.findings.write(&call.name, Some(file)),
            Some(Object::Unnamed) => self.findings.write(&call.name, None),
            None => {}
        }
        if flow.output() == Sink::Hidden {
            return;
        }
        if let Some(file) = shows {
            self.findings.read(&call.name, &file);
        }
        if let Some(file) = flow.lines().filter(|_| PRINTERS.contains(&call.name.as_str())) {
            if self.places.guards(file) {
                self.findings.read(&call.name, file);
            }
        }
    }

    /// Runs what the shell runs to expand a word; `sink` is who sees what it prints.
    fn expanded(&mut self, word: &Word, flow: &Streams, sink: Sink) {
        let sinks = Sinks {
            substituted: sink,
            process: sink,
        };
        self.expanded_into(word, flow, sinks);
    }

    fn expanded_into(&mut self, word: &Word, flow: &Streams, sinks: Sinks) {
        for (hole, script) in word.scripts() {
            let sink = match hole {
                Hole::Process(Direction::From, _) => sinks.process,
                // What is written to a process comes out of it where everything else does.
                Hole::Process(Direction::To, _) => flow.output(),
                _ => sinks.substituted,
            };
            let inner = flow.clone().with_output(sink);
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

/// Who sees what substitutions in the words of a command print.
#[derive(Clone, Copy)]
struct Sinks {
    substituted: Sink,
    process: Sink,
}

impl Sinks {
    /// A substitution is seen if the command prints its arguments, a process substitution if it is a reader.
    fn of(unwrapped: &Unwrapped, flow: &Streams, is_reader: impl Fn(&Call) -> bool) -> Self {
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

fn call_of(stage: &Stage, flow: &Streams) -> Option<Call> {
    let Command::Simple(simple) = &stage.command else {
        return None;
    };
    match unwrapped(&simple.words, &flow.input) {
        Unwrapped::Call(call) => Some(call),
        Unwrapped::Code(_) | Unwrapped::Nothing => None,
    }
}

/// Names a redirection after its command, or after its operator if it has none.
fn name_of(stage: &Stage) -> String {
    let name = match &stage.command {
        Command::Simple(simple) => Call::of(&simple.words, Input::Elsewhere),
        Command::Group(_) | Command::Loop(_) => None,
    };
    name.map_or_else(|| ">".to_owned(), |call| call.name)
}

/// Returns the file of a script that is nothing but `<F`.
fn input_alone(script: &Script) -> Option<&Word> {
    let [Pipeline { stages }] = script.pipelines.as_slice() else {
        return None;
    };
    let [Stage { command, redirects }] = stages.as_slice() else {
        return None;
    };
    match (command, redirects.as_slice()) {
        (Command::Simple(simple), [Redirect { fd: 0, target }]) if simple.words.is_empty() => {
            match target {
                Target::Input(file) => Some(file),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Says whether the condition of a loop reads a line.
fn reads_lines(condition: &Script) -> bool {
    let stages = condition.pipelines.iter().flat_map(|p| &p.stages);
    let mut calls = stages.filter_map(|stage| call_of(stage, &Streams::default()));
    calls.any(|call| call.name == "read")
}
