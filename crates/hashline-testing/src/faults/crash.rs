//! T1, T2: killed at every call, and killed again while recovering.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::scenario::Scenario;
use super::trace::{self, Call, Run};
use super::tree::{self, Tree};
use super::{Bench, Extent, Row};

/// T1: killed at every call of every scenario; any command afterwards, twice, finds the old tree or the new one.
pub(super) fn killed_anywhere(bench: &Bench, scenarios: &[Scenario], extent: Extent) -> Row {
    let mut row = Row::new("T1 crash matrix");
    for scenario in scenarios {
        let case = Case::new(bench, scenario);
        for call in case.calls().iter().step_by(extent.every(5)) {
            let Some(run) = case.kill_at(call) else {
                continue;
            };
            row.cases += 1;
            // The control: what is there before anything was recovered.
            row.control += usize::from(case.judge(&run).is_err());
            case.recover();
            let first = case.judge(&run);
            let found = tree::read(&case.root);
            case.recover();
            let again = if found == tree::read(&case.root) {
                Ok(())
            } else {
                Err("the second recovery changed something".to_owned())
            };
            row.violations.extend(
                first
                    .and(again)
                    .err()
                    .map(|what| case.describe(call, &what)),
            );
        }
    }
    row
}

/// T2: killed, then killed again at every call of the recovery, then recovered. Kills that leave the same are tried once.
pub(super) fn killed_in_recovery(bench: &Bench, scenarios: &[Scenario], extent: Extent) -> Row {
    let mut row = Row::new("T2 nested crash");
    for scenario in scenarios.iter().filter(|scenario| !scenario.one_file) {
        let case = Case::new(bench, scenario);
        let mut seen = BTreeSet::new();
        for call in case.calls().iter().step_by(extent.every(11)) {
            if case.kill_at(call).is_none() || !seen.insert(tree::state(&case.root)) {
                continue;
            }
            let recovery = trace::record(bench, &case.root, &["recover"], "", scenario, &[]);
            for second in recovery.iter().step_by(extent.every(13)) {
                let Some(run) = case.kill_at(call) else {
                    continue;
                };
                let mut injections = case.without(&second.name);
                injections.push(kill(second));
                trace::injected(bench, &case.root, &["recover"], "", &injections);
                row.cases += 1;
                row.control += usize::from(case.judge(&run).is_err());
                case.recover();
                row.violations.extend(case.judge(&run).err().map(|what| {
                    case.describe(
                        call,
                        &format!("then {} {}: {what}", second.name, second.nth),
                    )
                }));
            }
        }
    }
    row
}

fn kill(call: &Call) -> String {
    format!("{}:signal=SIGKILL:when={}", call.name, call.nth)
}

/// A scenario in a folder of its own.
pub(super) struct Case<'a> {
    pub(super) bench: &'a Bench,
    pub(super) scenario: &'a Scenario,
    pub(super) root: PathBuf,
    old: Tree,
    new: Tree,
}

impl<'a> Case<'a> {
    pub(super) fn new(bench: &'a Bench, scenario: &'a Scenario) -> Self {
        let (old, new) = scenario.allowed(&bench.scratch);
        Self {
            bench,
            scenario,
            root: bench.scratch.join("root"),
            old,
            new,
        }
    }

    /// Records every call of the request, on a fresh tree.
    pub(super) fn calls(&self) -> Vec<Call> {
        self.scenario.set_up(&self.root);
        let request = self.scenario.request;
        let calls = trace::record(
            self.bench,
            &self.root,
            self.scenario.words(),
            request,
            self.scenario,
            &[],
        );
        assert_eq!(
            self.found(),
            self.new,
            "{}: it works when nothing goes wrong",
            self.scenario.name
        );
        calls
    }

    /// Lists what does not work in this scenario, except for one call that something else is done to.
    pub(super) fn without(&self, name: &str) -> Vec<String> {
        let other = |without: &&&str| !without.starts_with(&format!("{name}:"));
        let list = self.scenario.without.iter().filter(other);
        list.map(|&without| without.to_owned()).collect()
    }

    /// Runs the request on a fresh tree and kills it at one call; nothing if it ended before.
    pub(super) fn kill_at(&self, call: &Call) -> Option<Run> {
        self.scenario.set_up(&self.root);
        let mut injections = self.without(&call.name);
        if injections.len() < self.scenario.without.len() {
            // One call cannot be made to fail and be the moment of death.
            return None;
        }
        injections.push(kill(call));
        let request = self.scenario.request;
        let run = trace::injected(
            self.bench,
            &self.root,
            self.scenario.words(),
            request,
            &injections,
        );
        run.code.is_none().then_some(run)
    }

    /// Does what the next command does.
    pub(super) fn recover(&self) {
        for (name, _) in self.scenario.before.iter().chain(self.scenario.after) {
            trace::plain(self.bench, &self.root, &["read", name], "");
        }
        trace::plain(self.bench, &self.root, &["recover"], "");
    }

    fn found(&self) -> Tree {
        let found = tree::read(&self.root);
        if self.scenario.one_file {
            tree::without_orphans(found)
        } else {
            found
        }
    }

    /// Tells what is wrong with the tree after a run.
    pub(super) fn judge(&self, run: &Run) -> Result<(), String> {
        let found = self.found();
        if run.panicked() {
            return Err(format!("it panicked: {}", run.text));
        }
        match (found == self.old, found == self.new) {
            (_, true) => Ok(()),
            (true, _) if run.text.contains("applied to") => {
                Err("it was acknowledged and is lost".to_owned())
            }
            (true, _) => Ok(()),
            (false, false) => Err(format!("neither old nor new: {:?}", names(&found))),
        }
    }

    pub(super) fn is_old(&self) -> bool {
        self.found() == self.old
    }

    pub(super) fn is_new(&self) -> bool {
        self.found() == self.new
    }

    pub(super) fn describe(&self, call: &Call, what: &str) -> String {
        let (name, nth) = (&call.name, call.nth);
        format!("{}, {name} {nth}: {what}", self.scenario.name)
    }
}

fn names(tree: &Tree) -> Vec<String> {
    let file = |(name, bytes): (&String, &Option<Vec<u8>>)| {
        let len = bytes.as_ref().map(Vec::len);
        format!("{name}={len:?}")
    };
    tree.iter().map(file).collect()
}
