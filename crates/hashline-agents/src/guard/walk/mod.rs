//! The way through a command line: every command that may run, with what feeds it and who sees its output.

mod expansion;
mod findings;
mod flows;
mod streams;

use crate::guard::places::Places;
use crate::guard::shell::{
    Command, Group, Here, Loop, Pipeline, Redirect, Script, Simple, Source, Stage, Target, Word,
};
use crate::guard::tools::wrappers::{Unwrapped, unwrapped};
use crate::guard::tools::{self, Call, Deed, Input, Object, Piped, found, shells};
use crate::guard::verdict::{Unsure, Verdict};
use expansion::Sinks;
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
                if let Some(unsure) = trouble {
                    self.findings.doubt(unsure);
                }
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

    fn redirects(&mut self, redirects: &[Redirect], stage: &Stage, flow: &Streams) {
        for (at, redirect) in redirects.iter().enumerate() {
            let is_replaced = redirects.iter().skip(at + 1).any(|later| later.fd == 0);
            match &redirect.target {
                Target::Output(file) | Target::Both(file) => {
                    if self.places.guards(file) {
                        self.findings.write(&name_of(stage), Some(file));
                    }
                    self.expanded(file, flow, Sink::Hidden);
                }
                Target::Input(file) | Target::Here(Here::String(file)) => {
                    let sink = match redirect.fd == 0 && is_replaced {
                        true => Sink::Hidden,
                        false => self.sink_of_input(stage, flow),
                    };
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
        let prints = PRINTERS.contains(&call.name.as_str());
        let lines = flow.lines().filter(|file| self.places.guards(file));
        if let (true, Some(file)) = (prints, lines) {
            self.findings.read(&call.name, file);
        }
    }
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

/// Says whether the condition of a loop reads a line.
fn reads_lines(condition: &Script) -> bool {
    let stages = condition.pipelines.iter().flat_map(|p| &p.stages);
    let mut calls = stages.filter_map(|stage| call_of(stage, &Streams::default()));
    calls.any(|call| call.name == "read")
}
