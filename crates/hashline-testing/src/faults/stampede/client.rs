//! A client as agents are: it knows what it was shown, and learns from answers.

use std::collections::BTreeMap;
use std::fmt;
use std::process::Command;

use serde_json::{Value, json};

use super::Stampede;
use crate::faults::trace::finish;

/// Starts the program for every request.
pub(super) struct Client<'a> {
    stampede: &'a Stampede,
    pub(super) tally: Tally,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// Requests that were sent.
    sent: usize,
    /// Requests that were sent again with what a refusal handed out.
    retried: usize,
    /// Refusals by their code.
    refused: BTreeMap<String, usize>,
    pub(super) violations: Vec<String>,
}

/// A line as it was shown.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub(super) rev: String,
    pub(super) anchor: String,
    pub(super) text: String,
}

/// An answer to a request.
#[derive(Clone, Debug)]
pub(super) struct Answer(Value);

impl<'a> Client<'a> {
    pub(super) fn new(stampede: &'a Stampede) -> Self {
        Self {
            stampede,
            tally: Tally::default(),
        }
    }

    /// Reads the whole file: what every client is shown at the start.
    pub(super) fn read(&self) -> Vec<Sight> {
        let text = self.start(&["read", "--header", "file"], "");
        let (head, lines) = text.split_once('\n').unwrap_or_default();
        let rev = head.split_once("(rev ").and_then(|(_, rev)| rev.get(..8));
        let rev = rev.unwrap_or_default();
        lines.lines().filter_map(|line| sight(rev, line)).collect()
    }

    /// Asks for a line to be replaced by others.
    pub(super) fn replace(&mut self, at: &Sight, rev: Option<&str>, lines: &[String]) -> Answer {
        let edit = json!({"op": "replace", "at": at.anchor, "lines": lines});
        let mut request = json!({"path": "file", "edits": [edit]});
        if let Some(rev) = rev {
            request["rev"] = rev.into();
        }
        self.tally.sent += 1;
        let text = self.start(&["apply", "--json"], &request.to_string());
        let answer = Answer(serde_json::from_str(&text).unwrap_or_else(|_| json!({"code": text})));
        if !answer.is_ok() {
            *self.tally.refused.entry(answer.code()).or_default() += 1;
        }
        answer
    }

    pub(super) fn retries(&mut self) {
        self.tally.retried += 1;
    }

    pub(super) fn went_wrong(&mut self, what: impl Into<String>) {
        self.tally.violations.push(what.into());
    }

    fn start(&self, words: &[&str], input: &str) -> String {
        let mut command = Command::new(&self.stampede.program);
        command
            .env("XDG_STATE_HOME", &self.stampede.state)
            .env_remove("HASHLINE_SESSION")
            .current_dir(&self.stampede.root)
            .args(words);
        finish(command, input).text
    }
}

impl Answer {
    pub(super) fn is_ok(&self) -> bool {
        self.0["ok"] == true
    }

    pub(super) fn code(&self) -> String {
        self.0["code"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns every line that the answer hands out fresh.
    pub(super) fn handed(&self) -> Vec<Sight> {
        let file = &self.0["files"][0];
        let rev = [&self.0["rev"], &file["rev"]];
        let rev = rev.iter().find_map(|rev| rev.as_str()).unwrap_or_default();
        let windows = listed(&file["windows"]).flat_map(listed);
        let problems = listed(&self.0["problems"]).flat_map(|problem| listed(&problem["now"]));
        let lines = windows.chain(problems).chain(listed(&self.0["now"]));
        lines
            .filter_map(|line| sight(rev, line.as_str()?))
            .collect()
    }

    /// Returns the revision that an ambiguous anchor is offered for, by the text of the line that is meant.
    pub(super) fn offered(&self, text: &str) -> Option<String> {
        let problems = listed(&self.0["problems"]);
        let mut candidates = problems.flat_map(|problem| listed(&problem["candidates"]));
        let meant = candidates.find(|candidate| {
            let first = candidate["lines"][0].as_str();
            let reads = first.and_then(|line| line.split_once('|'));
            candidate["lands"] == true && reads.is_some_and(|(_, reads)| reads == text)
        })?;
        meant["rev"].as_str().map(str::to_owned)
    }
}

impl Tally {
    pub(super) fn wrong(what: impl Into<String>) -> Self {
        Self {
            violations: vec![what.into()],
            ..Self::default()
        }
    }

    pub(super) fn and(mut self, other: Self) -> Self {
        self.sent += other.sent;
        self.retried += other.retried;
        for (code, count) in other.refused {
            *self.refused.entry(code).or_default() += count;
        }
        self.violations.extend(other.violations);
        self
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} requests, {} of them retries",
            self.sent, self.retried
        )?;
        for (code, count) in &self.refused {
            write!(f, ", {count} {code}")?;
        }
        Ok(())
    }
}

fn listed(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn sight(rev: &str, line: &str) -> Option<Sight> {
    let (anchor, text) = line.split_once('|')?;
    Some(Sight {
        rev: rev.to_owned(),
        anchor: anchor.to_owned(),
        text: text.to_owned(),
    })
}
