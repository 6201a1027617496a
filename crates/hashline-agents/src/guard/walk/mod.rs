//! Visits every command that a command line may run, and tracks where its input comes from and whether its output reaches the terminal.

mod own;
mod streams;
mod variables;

use std::borrow::Cow;

use crate::guard::LONGEST;
use crate::guard::options::lists;
use crate::guard::places::GuardPaths;
use crate::guard::shell::{
    HereText, Hole, PipelineStep, ProcessDirection, Redirect, RedirectTarget, Script, ShellCommand,
    Word, parse,
};
use crate::guard::tools::nested::{NestedCommand, code_of_variable, nested_commands, piped_text};
use crate::guard::tools::wrappers::{UnwrappedCommand, unwrapped, unwrapped_logging};
use crate::guard::tools::{self, CommandCall, Effect, Input, Piped, WriteTarget};
use crate::guard::verdict::{Bypass, BypassFile, Unsure, Verdict};
use own::OwnCalls;
use streams::{Streams, Visibility};
use variables::FileVariables;

// Each level parses text again, so depth costs more than length.
/// The number of nested levels of shell code, such as `bash -c "bash -c .."`, that are parsed before the guard gives up.
const DEEPEST: usize = 8;

/// The name of our own program, which is always allowed.
const HASHLINE: &str = "hashline";

/// The maximum number of words of a command that are searched for assignments such as those of `env` and `export`.
const MOST_SETTINGS: usize = 16;

/// Commands that print their arguments to standard output.
const PRINTERS: &str = "echo printf";

/// Returns the verdict on a whole command line. A write takes precedence over a read, and a read over a part that could not be checked.
pub(crate) fn judge(text: &str, places: &GuardPaths) -> Verdict {
    let walk = ScriptWalk::over(text, places);
    match (walk.write, walk.read) {
        (Some(write), _) => Verdict::WriteBypass(write),
        (None, Some(read)) => Verdict::ReadBypass(bypass(&read.command, Some(&read.file))),
        (None, None) => Verdict::Allow(walk.unsure),
    }
}

/// Returns whether a command line may run a command of our own program that changes files; `Err` if a part of it could not be checked.
pub(crate) fn writes_by_hashline(text: &str, places: &GuardPaths) -> Result<bool, Unsure> {
    let walk = ScriptWalk::over(text, places);
    match walk.unsure {
        Some(unsure) if !walk.own.may_write() => Err(unsure),
        _ => Ok(walk.own.may_write()),
    }
}

/// A command that shows a guarded file.
struct ShownFile {
    command: String,
    file: Word,
}

/// The state of a walk through a command line: the first write, the first read and the first part that could not be checked.
struct ScriptWalk<'a> {
    places: &'a GuardPaths,
    write: Option<Bypass>,
    read: Option<ShownFile>,
    unsure: Option<Unsure>,
    /// The variables that hold text of a guarded file.
    variables: FileVariables,
    /// The calls of our own program.
    own: OwnCalls,
    /// The number of shells and commands such as `find -exec` around the command that is being visited.
    depth: usize,
}

impl<'a> ScriptWalk<'a> {
    /// Visits all commands that a command line may run.
    fn over(text: &str, places: &'a GuardPaths) -> Self {
        let mut walk = Self {
            places,
            write: None,
            read: None,
            unsure: None,
            variables: FileVariables::default(),
            own: OwnCalls::default(),
            depth: 0,
        };
        walk.code(text, &Streams::default());
        walk
    }
}

impl ScriptWalk<'_> {
    fn code(&mut self, text: &str, streams: &Streams) {
        match parse(text) {
            Ok(script) => self.deeper(|walk| walk.script(&script, streams)),
            Err(unsure) => _ = self.unsure.get_or_insert(unsure),
        }
    }

    fn deeper(&mut self, run: impl FnOnce(&mut Self)) {
        if self.depth >= DEEPEST {
            self.unsure.get_or_insert(Unsure::TooDeep);
            return;
        }
        self.depth += 1;
        run(self);
        self.depth -= 1;
    }

    fn script(&mut self, script: &Script, streams: &Streams) {
        // All of them count, whatever their conditions: which branch runs is not known before it runs.
        let mut streams = Cow::Borrowed(streams);
        for pipeline in &script.pipelines {
            let flows = self.flows(pipeline, &streams);
            let mut feeding = Vec::new();
            for (step, flow) in pipeline.iter().zip(&flows) {
                self.redirects(step, flow);
                self.command(&step.command, flow, &feeding);
                if pipeline.len() > 1 {
                    feeding.extend(call_of(step, flow));
                }
            }
            // Redirections of `exec` without a command stay in force for the commands after it.
            if let ([step], [flow]) = (pipeline.as_slice(), flows.as_slice())
                && is_exec_alone(step)
            {
                streams = Cow::Owned(flow.clone());
            }
        }
    }

    /// Returns the input and outputs of each command of a pipeline, after its redirections. The pipeline is processed from its last command
    /// to its first, because a command's output is visible only if every later command passes it on.
    fn flows(&self, pipeline: &[PipelineStep], streams: &Streams) -> Vec<Streams> {
        let mut sink = streams.output();
        let mut flows = Vec::new();
        for (at, step) in pipeline.iter().enumerate().rev() {
            let mut flow = streams.clone().with_output(sink);
            if let Some(before) = at.checked_sub(1) {
                flow.input = Input::Pipe(piped_text(&pipeline[..=before]));
            }
            self.redirect(&mut flow, &step.redirects);
            if at > 0 {
                sink = self.through(step, &flow);
            }
            flows.push(flow);
        }
        flows.reverse();
        flows
    }

    /// Returns whether text that is piped into a command reaches the terminal.
    fn through(&self, step: &PipelineStep, flow: &Streams) -> Visibility {
        match &step.command {
            ShellCommand::Simple { .. } => match call_of(step, flow) {
                Some(call) => match tools::effect(&call, self.places).piped {
                    Piped::Consumed => Visibility::Hidden,
                    Piped::Passed => flow.output(),
                    Piped::Shown => Visibility::Visible,
                },
                None => Visibility::Hidden,
            },
            ShellCommand::Group { scripts, .. } => {
                let mut entries = scripts
                    .iter()
                    .map(|script| self.through_script(script, flow));
                entries
                    .find(|sink| *sink == Visibility::Visible)
                    .unwrap_or(Visibility::Hidden)
            }
            // What a loop prints of the lines that are piped into it is not followed.
            ShellCommand::Loop { .. } => Visibility::Hidden,
        }
    }

    /// Returns whether text that is piped into a script reaches the terminal: the first command of each pipeline in it reads the text.
    fn through_script(&self, script: &Script, flow: &Streams) -> Visibility {
        let mut entries = script.pipelines.iter().filter_map(|pipeline| {
            let flows = self.flows(pipeline, flow);
            Some(self.through(pipeline.first()?, flows.first()?))
        });
        entries
            .find(|sink| *sink == Visibility::Visible)
            .unwrap_or(Visibility::Hidden)
    }

    fn redirect(&self, flow: &mut Streams, redirects: &[Redirect]) {
        let process = |script: &Script, flow: &Streams| self.through_script(script, flow);
        flow.redirect(redirects, self.places, &process);
    }

    fn redirects(&mut self, step: &PipelineStep, flow: &Streams) {
        if step.redirects.is_empty() {
            return;
        }
        let call = call_of(step, flow);
        let is_request = call.as_ref().is_some_and(|call| call.name == HASHLINE);
        let reads = call.is_some_and(|call| self.is_reader(&call));
        let storing = self.storing(&step.command, flow);
        let mut stored = None;
        let leads_to_input = leads_to_input(step);
        for (at, redirect) in step.redirects.iter().enumerate() {
            let mut later = step.redirects.iter().skip(at + 1);
            let is_replaced = redirect.fd == 0 && later.any(|later| later.fd == 0);
            let sink = flow.output_if(reads && !is_replaced);
            match &redirect.target {
                RedirectTarget::Output(file) | RedirectTarget::Both(file) => {
                    self.opened_for_writing(step, file, flow);
                }
                // The standard input is opened for both to be read, unless an output leads to it; any other descriptor to be written.
                RedirectTarget::InputOutput(file) if redirect.fd != 0 || leads_to_input => {
                    self.opened_for_writing(step, file, flow);
                }
                RedirectTarget::Input(file) | RedirectTarget::InputOutput(file) => {
                    if storing.is_none() {
                        self.fed(step, file, flow, sink);
                    } else {
                        let printed = self.printed_by(|walk| {
                            walk.expanded(file, flow, Visibility::Visible);
                        });
                        stored = stored.or(printed);
                    }
                }
                // A request to our own program may mention anything.
                RedirectTarget::Here(HereText::Document { .. }) if is_request => {}
                // The body is parsed again, so it counts as one level deeper.
                RedirectTarget::Here(here) => {
                    let text = here.expanded_word();
                    self.deeper(|walk| walk.fed(step, &text, flow, sink));
                }
                RedirectTarget::Duplicate(_) => {}
            }
        }
        if let Some(call) = storing {
            self.variables.store(&call, stored.as_ref());
        }
    }

    /// Returns the call that stores the standard input of a command in variables: `mapfile`, or the `read` of a loop.
    fn storing(&self, command: &ShellCommand, flow: &Streams) -> Option<CommandCall> {
        match command {
            ShellCommand::Loop { condition, .. } => {
                let mut steps = condition.pipelines.iter().flatten();
                steps.find_map(|step| self.storing(&step.command, flow))
            }
            ShellCommand::Simple { words, .. } => {
                let call = simple_call(words, flow)?;
                variables::stores(&call).then_some(call)
            }
            ShellCommand::Group { .. } => None,
        }
    }

    fn opened_for_writing(&mut self, step: &PipelineStep, file: &Word, flow: &Streams) {
        if self.places.guards(file) {
            self.wrote(&name_of(step), Some(file));
        }
        self.expanded(file, flow, Visibility::Hidden);
    }

    /// Visits the scripts in a word that a command is fed with: a file name or the text itself. If the command is a reader, `sink` says whether
    /// its output is visible.
    fn fed(&mut self, step: &PipelineStep, word: &Word, flow: &Streams, sink: Visibility) {
        if let Some(file) = self.variables.file_in(word).cloned() {
            self.showed(&name_of(step), &file, sink);
        }
        self.expanded(word, flow, sink);
    }

    fn is_reader(&self, call: &CommandCall) -> bool {
        tools::effect(call, self.places).piped == Piped::Passed
    }

    fn command(&mut self, command: &ShellCommand, flow: &Streams, feeding: &[CommandCall]) {
        match command {
            ShellCommand::Simple { assigned, words } => {
                self.simple(assigned, words, flow, feeding);
            }
            ShellCommand::Group {
                variable,
                words,
                scripts,
            } => {
                let printed = self.printed_by(|walk| {
                    for word in words {
                        walk.expanded(word, flow, Visibility::Visible);
                    }
                });
                if let Some(name) = variable {
                    self.variables.copy(name, words, printed);
                    for word in words {
                        self.own.assign(name, word);
                    }
                }
                for script in scripts {
                    self.script(script, flow);
                }
            }
            ShellCommand::Loop { condition, body } => {
                self.script(condition, flow);
                let mut flow = flow.clone();
                if let Some(file) = self.lines_of(condition, &flow) {
                    flow.read_lines(file);
                }
                self.script(body, &flow);
            }
        }
    }

    fn simple(
        &mut self,
        assigned: &[(String, Word)],
        words: &[Word],
        flow: &Streams,
        feeding: &[CommandCall],
    ) {
        for (name, value) in assigned {
            self.expanded(value, flow, Visibility::Hidden);
            self.own.assign(name, value);
            self.variable_code(name, value, flow);
        }
        for word in words.iter().take(MOST_SETTINGS) {
            if let Some((name, value)) = assignment(word) {
                self.variable_code(&name, &value, flow);
            }
        }
        self.own.visit(words);
        let mut logs = Vec::new();
        let unwrapped = unwrapped_logging(&flow.opened(words), &flow.input, &mut logs);
        for log in logs.iter().filter(|log| self.places.guards(log)) {
            self.wrote(
                &words.first().and_then(Word::last_name).unwrap_or_default(),
                Some(log),
            );
        }
        let call = match &unwrapped {
            UnwrappedCommand::Call(call) => Some(call),
            UnwrappedCommand::Code(_) | UnwrappedCommand::Nothing => None,
        };
        let has_scripts = words.iter().any(|word| word.scripts().next().is_some());
        // A substitution is seen if the command prints its arguments, a process substitution if it is a reader.
        if has_scripts {
            let prints = call.is_some_and(prints_arguments);
            let reads = call.is_some_and(|call| self.is_reader(call));
            let (substituted, process) = (flow.output_if(prints), flow.output_if(reads));
            for word in words {
                self.expanded_into(word, flow, substituted, process);
            }
        }
        // Files in its arguments are what it is for.
        if call.is_none_or(|call| call.name != HASHLINE) {
            self.run(unwrapped, flow, feeding);
        }
    }

    /// Visits the code in a variable of the environment such as `GIT_EDITOR`, which a program runs.
    fn variable_code(&mut self, name: &str, value: &Word, flow: &Streams) {
        if let Some(code) = code_of_variable(name, value) {
            self.code(&code, flow);
        }
    }

    /// Visits the scripts that the shell runs to expand a word, such as `$(..)`; `sink` says whether their output is visible.
    fn expanded(&mut self, word: &Word, flow: &Streams, sink: Visibility) {
        self.expanded_into(word, flow, sink, sink);
    }

    /// Visits the scripts in a word; `substituted` is the visibility of the output of `$(..)`, `process` that of `<(..)`.
    fn expanded_into(
        &mut self,
        word: &Word,
        flow: &Streams,
        substituted: Visibility,
        process: Visibility,
    ) {
        for (hole, script) in word.scripts() {
            let (sink, input) = match hole {
                Hole::Process(ProcessDirection::From, _) => (process, Input::Elsewhere),
                // What is written to a process comes out of it where everything else does.
                Hole::Process(ProcessDirection::To, _) => (flow.output(), Input::Pipe(None)),
                // The redirections of the command are not those of the shell that expands its words.
                _ => (substituted, Input::Elsewhere),
            };
            let mut inner = flow.clone().with_output(sink);
            inner.input = input;
            let file = input_alone(script).filter(|_| matches!(hole, Hole::Substitution(_)));
            // `$(<F)` is `$(cat F)`.
            if let Some(file) = file.filter(|file| self.places.guards(file)) {
                self.showed("cat", file, sink);
            }
            self.script(script, &inner);
        }
    }

    fn run(&mut self, command: UnwrappedCommand, flow: &Streams, feeding: &[CommandCall]) {
        let call = match command {
            UnwrappedCommand::Call(call) => call,
            UnwrappedCommand::Code(code) => return self.code(&code, flow),
            UnwrappedCommand::Nothing => return,
        };
        let mut length = 0;
        for nested in nested_commands(&call, feeding) {
            match nested {
                NestedCommand::Code(code) => {
                    // A program may run the same long code again and again.
                    length += code.len();
                    if length > LONGEST {
                        self.unsure.get_or_insert(Unsure::TooLong);
                        break;
                    }
                    self.code(&code, flow);
                }
                // It counts as one level deeper: what is run may run something again.
                NestedCommand::Words(words) => {
                    self.own.visit(&words);
                    let command = unwrapped(&words, &Input::Elsewhere);
                    self.deeper(|walk| walk.run(command, flow, &[]));
                }
            }
        }
        let descriptor = variables::descriptor(&call);
        if let Input::File(file) = descriptor.map_or(&call.input, |fd| flow.input_of(fd))
            && self.places.guards(file)
        {
            self.variables.store(&call, Some(file));
        }
        self.judge(&call, flow);
    }

    fn judge(&mut self, call: &CommandCall, flow: &Streams) {
        let Effect { writes, shows, .. } = tools::effect(call, self.places);
        match &writes {
            Some(WriteTarget::File(file)) => self.wrote(&call.name, Some(file)),
            Some(WriteTarget::Unnamed) => self.wrote(&call.name, None),
            None => {}
        }
        if let Some(file) = shows {
            self.showed(&call.name, &file, flow.output());
        }
        for file in self.variables.printed_by(call) {
            self.showed(&call.name, &file, flow.output());
        }
        if !prints_arguments(call) {
            return;
        }
        let lines = flow.lines().filter(|file| self.places.guards(file));
        let held = call
            .args
            .iter()
            .find_map(|word| self.variables.file_in(word));
        if let Some(file) = lines.or(held).cloned() {
            self.showed(&call.name, &file, flow.output());
        }
    }

    fn wrote(&mut self, command: &str, file: Option<&Word>) {
        self.write.get_or_insert_with(|| bypass(command, file));
    }

    /// Returns the guarded file that the commands in `visit` print to an output that something else reads, so that it is not shown yet.
    fn printed_by(&mut self, visit: impl FnOnce(&mut Self)) -> Option<Word> {
        let before = self.read.take();
        visit(self);
        let printed = std::mem::replace(&mut self.read, before);
        printed.map(|read| read.file)
    }

    /// Records that a command prints a guarded file to an output with this visibility.
    fn showed(&mut self, command: &str, file: &Word, sink: Visibility) {
        match sink {
            Visibility::Visible => {
                self.read.get_or_insert_with(|| ShownFile {
                    command: command.to_owned(),
                    file: file.clone(),
                });
            }
            Visibility::Hidden => {}
        }
    }

    /// Returns the file that the condition of a `while` loop reads line by line with `read`.
    fn lines_of(&self, condition: &Script, flow: &Streams) -> Option<Word> {
        condition.pipelines.iter().flatten().find_map(|step| {
            let call = call_of(step, flow).filter(|call| call.name == "read")?;
            let mut flow = flow.clone();
            self.redirect(&mut flow, &step.redirects);
            let descriptor = variables::descriptor(&call).unwrap_or(0);
            match flow.input_of(descriptor) {
                Input::File(file) => Some(file.clone()),
                _ => None,
            }
        })
    }
}

fn bypass(command: &str, file: Option<&Word>) -> Bypass {
    let named = |word: &Word| match (word.text(), word.lister()) {
        // A glob is known as written, but not as a path.
        (Some(text), _) if !word.has_glob() => BypassFile::Named(text),
        (_, Some(by)) => BypassFile::Listed {
            path: word.source(),
            by: by.to_owned(),
        },
        _ => BypassFile::Computed(word.source()),
    };
    Bypass {
        command: command.to_owned(),
        file: file.map(named),
    }
}

fn call_of(step: &PipelineStep, flow: &Streams) -> Option<CommandCall> {
    match &step.command {
        ShellCommand::Simple { words, .. } => simple_call(words, flow),
        ShellCommand::Group { .. } | ShellCommand::Loop { .. } => None,
    }
}

fn simple_call(words: &[Word], flow: &Streams) -> Option<CommandCall> {
    match unwrapped(&flow.opened(words), &flow.input) {
        UnwrappedCommand::Call(call) => Some(call),
        UnwrappedCommand::Code(_) | UnwrappedCommand::Nothing => None,
    }
}

/// Returns the name to report for a redirection that writes a file: that of its command, or `>` if it has none.
fn name_of(step: &PipelineStep) -> String {
    let name = match &step.command {
        ShellCommand::Simple { words, .. } => words.first().and_then(Word::last_name),
        ShellCommand::Group { .. } | ShellCommand::Loop { .. } => None,
    };
    name.unwrap_or_else(|| ">".to_owned())
}

fn prints_arguments(call: &CommandCall) -> bool {
    let into_variable = call.name == "printf" && call.args.first().is_some_and(|w| w.is("-v"));
    lists(PRINTERS, &call.name) && !into_variable
}

/// Returns the file `F` if the whole script is the redirection `<F`, as in `$(<F)`.
fn input_alone(script: &Script) -> Option<&Word> {
    let step = script.only_step()?;
    let [Redirect { fd: 0, target }] = step.redirects.as_slice() else {
        return None;
    };
    match (&step.command, target) {
        (ShellCommand::Simple { words, .. }, RedirectTarget::Input(file)) if words.is_empty() => {
            Some(file)
        }
        _ => None,
    }
}

/// Returns whether a command is `exec` without a command to run, which redirects the streams of the shell itself.
fn is_exec_alone(step: &PipelineStep) -> bool {
    match &step.command {
        ShellCommand::Simple { words, .. } => matches!(words.as_slice(), [word] if word.is("exec")),
        ShellCommand::Group { .. } | ShellCommand::Loop { .. } => false,
    }
}

/// Returns whether a redirection such as `>&0` sends an output of the command to what its standard input has opened.
fn leads_to_input(step: &PipelineStep) -> bool {
    let leads = |redirect: &Redirect| {
        redirect.fd != 0 && matches!(redirect.target, RedirectTarget::Duplicate(Some(0)))
    };
    step.redirects.iter().any(leads)
}

/// Splits a word `NAME=value`.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let (head, _) = word.head();
    let (name, _) = head.split_once('=')?;
    Some((name.to_owned(), word.after(name.len() + 1)))
}
