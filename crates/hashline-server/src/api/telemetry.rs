//! `POST /v1/telemetry`: what a task took, as whoever runs the agent reports it once at the task's end.

use std::collections::{HashSet, VecDeque};

use hashline_core::Code;
use hashline_core::scheme::sha256;
use hashline_wire::Refusal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::call::Call;
use crate::api::metrics::{
    Arm, TASK_REPORTS, TASK_RETRIES, TASK_ROUNDS, TASK_TIME, TASK_TOKENS_IN, TASK_TOKENS_OUT,
};
use crate::api::reply::Reply;
use crate::api::v1;

/// The most bytes of a task's name, as in the header.
const MOST_NAME: usize = 256;
/// The most rounds, retries, tokens or seconds that a task can have taken.
const MOST: u64 = 1_000_000_000;
/// How many tasks of a workspace are remembered, to count each once.
const REMEMBERED: usize = 4096;

/// What a task took. Numbers that are not known are left out.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskReport {
    /// The name of the task, as in the header `Hashline-Task`. It is not stored.
    #[schemars(length(min = 1, max = 256))]
    task: String,
    /// How the task ended.
    outcome: TaskOutcome,
    /// How many rounds the agent needed.
    #[schemars(range(max = 1_000_000_000))]
    rounds: Option<u64>,
    /// How many of its edits and writes were sent again because the one before was refused.
    #[schemars(range(max = 1_000_000_000))]
    retries: Option<u64>,
    /// How many tokens the model read.
    #[schemars(range(max = 1_000_000_000))]
    tokens_in: Option<u64>,
    /// How many tokens the model wrote.
    #[schemars(range(max = 1_000_000_000))]
    tokens_out: Option<u64>,
    /// How long the task took, in seconds.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    seconds: Option<f64>,
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskOutcome {
    /// It was done.
    Success,
    /// It was not done.
    Failure,
    /// It was given up, by a person or a limit.
    Abandoned,
}

/// The answer to a report.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct ReportTaken {
    /// Always true.
    ok: bool,
}

impl TaskOutcome {
    fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Abandoned => "abandoned",
        }
    }
}

/// Counts the report of a task, unless this task was reported already: a client may send a report again if it did not get the answer.
pub(crate) fn report(call: &Call, body: &[u8]) -> Reply {
    let body = match call.body(body) {
        Ok(body) => body,
        Err(problem) => return problem.reply(v1::unparsed),
    };
    let report: TaskReport = match serde_json::from_value(body) {
        Ok(report) => report,
        Err(error) => return refused(error.to_string()),
    };
    if let Err(message) = check(&report) {
        return refused(message);
    }
    let metrics = &call.workspace.metrics;
    if metrics.is_new_task(&report.task) {
        let options = &call.workspace.options;
        let is_on = options
            .edit_file
            .includes(&options.name, Some(&report.task));
        let labels = [Arm::of(is_on).name(), report.outcome.name()];
        metrics.add(&TASK_REPORTS, &labels, 1);
        for (metric, number) in [
            (&TASK_ROUNDS, report.rounds),
            (&TASK_RETRIES, report.retries),
            (&TASK_TOKENS_IN, report.tokens_in),
            (&TASK_TOKENS_OUT, report.tokens_out),
        ] {
            if let Some(number) = number {
                metrics.observe(metric, &labels, exact(number));
            }
        }
        if let Some(seconds) = report.seconds {
            metrics.observe(&TASK_TIME, &labels, seconds);
        }
    }
    Reply::done(&ReportTaken { ok: true })
}

/// Checks what the types of the fields do not.
fn check(report: &TaskReport) -> Result<(), String> {
    let name = &report.task;
    if name.is_empty() || name.len() > MOST_NAME || name.chars().any(char::is_control) {
        return Err(format!(
            "`task` must have 1 to {MOST_NAME} bytes and no control characters"
        ));
    }
    let numbers = [
        ("rounds", report.rounds),
        ("retries", report.retries),
        ("tokens_in", report.tokens_in),
        ("tokens_out", report.tokens_out),
    ];
    let too_large = numbers
        .iter()
        .find(|(_, number)| number.is_some_and(|number| number > MOST));
    if let Some((name, _)) = too_large {
        return Err(format!("`{name}` must be at most {MOST}"));
    }
    let is_time = |seconds: f64| (0.0..=exact(MOST)).contains(&seconds);
    if !report.seconds.is_none_or(is_time) {
        return Err(format!("`seconds` must be from 0 to {MOST}"));
    }
    Ok(())
}

/// Returns a number that is at most [`MOST`] as a value of a histogram.
#[expect(clippy::cast_precision_loss, reason = "it has far less than 53 bits")]
fn exact(number: u64) -> f64 {
    number as f64
}

fn refused(message: String) -> Reply {
    v1::refused(Refusal::new(Code::BadRequest, message))
}

/// The tasks of a workspace that were reported last, as digests of their names.
#[derive(Debug, Default)]
pub(crate) struct ReportedTasks {
    digests: HashSet<String>,
    in_order: VecDeque<String>,
}

impl ReportedTasks {
    /// Remembers a task; returns whether it was not among those remembered.
    pub(crate) fn add(&mut self, task: &str) -> bool {
        let digest = sha256(task.as_bytes());
        if !self.digests.insert(digest.clone()) {
            return false;
        }
        self.in_order.push_back(digest);
        if self.in_order.len() > REMEMBERED
            && let Some(oldest) = self.in_order.pop_front()
        {
            self.digests.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{REMEMBERED, ReportedTasks, TaskReport, check};

    #[test]
    fn a_task_counts_once_as_long_as_it_is_remembered() {
        let mut tasks = ReportedTasks::default();
        assert!(tasks.add("first"));
        assert!(!tasks.add("first"));
        for number in 1..REMEMBERED {
            assert!(tasks.add(&format!("task-{number}")));
        }
        assert!(!tasks.add("first"));
        assert!(tasks.add("one more"), "which pushes out the first");
        assert!(tasks.add("first"));
        assert_eq!(tasks.digests.len(), REMEMBERED);
        assert_eq!(tasks.in_order.len(), REMEMBERED);
    }

    #[test]
    fn a_report_is_taken_only_as_it_is_documented() {
        let long = format!(r#"{{"task":"{}","outcome":"success"}}"#, "x".repeat(257));
        for (body, is_taken) in [
            (r#"{"task":"t","outcome":"success"}"#, true),
            (
                r#"{"task":"t","outcome":"abandoned","rounds":3,"retries":0,"tokens_in":1000,"tokens_out":20,"seconds":1.5}"#,
                true,
            ),
            (r#"{"task":"t","outcome":"failure","seconds":0}"#, true),
            (r#"{"task":"","outcome":"success"}"#, false),
            (r#"{"task":"a\nb","outcome":"success"}"#, false),
            (&long, false),
            (r#"{"task":7,"outcome":"success"}"#, false),
            (r#"{"outcome":"success"}"#, false),
            (r#"{"task":"t"}"#, false),
            (r#"{"task":"t","outcome":"done"}"#, false),
            (r#"{"task":"t","outcome":"success","rounds":-1}"#, false),
            (r#"{"task":"t","outcome":"success","rounds":1.5}"#, false),
            (
                r#"{"task":"t","outcome":"success","rounds":1000000001}"#,
                false,
            ),
            (r#"{"task":"t","outcome":"success","seconds":-0.1}"#, false),
            (r#"{"task":"t","outcome":"success","seconds":1e300}"#, false),
            (r#"{"task":"t","outcome":"success","model":"m"}"#, false),
            ("[]", false),
        ] {
            let report =
                serde_json::from_str::<TaskReport>(body).map_err(|error| error.to_string());
            let checked = report.and_then(|report| check(&report));
            assert_eq!(checked.is_ok(), is_taken, "{body}: {checked:?}");
        }
    }
}
