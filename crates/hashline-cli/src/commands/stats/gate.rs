//! `hashline stats --gate`: prints seed 001's four gates with their numbers.

use std::fs;

use hashline_core::Code;
use hashline_server::gate::{
    Gate, GateError, GateOptions, GateReport, GateSource, Unit, Verdict, judge,
};
use hashline_session::Service;
use hashline_wire::{Refusal, Written};
use serde::Serialize;

use crate::args::{Global, StatsArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::refusals;

const HEADS: [&str; 6] = [
    "gate",
    "edit-file",
    "write-file",
    "difference",
    "bar",
    "verdict",
];

/// The answer as JSON.
#[derive(Serialize)]
struct GateAnswer<'a> {
    ok: bool,
    #[serde(flatten)]
    report: &'a GateReport,
}

pub(super) fn run(global: &Global, args: &StatsArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let mut notices = Vec::new();
    let source = match &args.from {
        Some(url) => GateSource::Url(url.clone()),
        None => {
            let (options, _) = paths::options(global, &[])?;
            let service = Service::open(&options)?;
            let series = service.series();
            notices = service.take_counter_notices();
            GateSource::Saved(series)
        }
    };
    let token = args.token_file.as_ref().map(|path| {
        let text = fs::read_to_string(path);
        let named = path.to_string_lossy();
        text.map_err(|error| refusals::system(&named, "reading the token", &error))
    });
    let options = GateOptions {
        workspace: args.workspace.clone(),
        token: token.transpose()?.map(|text| text.trim().to_owned()),
        over: args.over.clone(),
    };
    let samples = source.read(&options);
    let report = judge(&samples.map_err(|error| refused(args, error))?);
    let answer = GateAnswer {
        ok: true,
        report: &report,
    };
    out.report(&answer, &table(&report), &notices);
    Ok(if report.pass {
        Exit::Done
    } else {
        Exit::FallsShort
    })
}

/// Renders the gates as a table for a person.
fn table(report: &GateReport) -> String {
    let mut rows = vec![HEADS.map(str::to_owned)];
    rows.extend(report.gates.iter().map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..HEADS.len()).filter_map(width).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            5 => cell.clone(),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn row(gate: &Gate) -> [String; HEADS.len()] {
    let name = match gate.unit {
        Unit::Percent => "applied",
        Unit::RetriesPerTask => "retries per task",
        Unit::Reads => "reads cut by anchors",
        Unit::Seconds => "p99 of the time",
    };
    let number =
        |number: Option<f64>| number.map_or("-".to_owned(), |number| value(gate.unit, number));
    let difference = gate.difference.map(|number| difference(gate.unit, number));
    let bar = difference_bar(gate);
    let verdict = match (gate.verdict, &gate.missing) {
        (Verdict::Pass, _) => "pass".to_owned(),
        (Verdict::FallsShort, _) => "falls short".to_owned(),
        (Verdict::TooFewData, None) => "too few data".to_owned(),
        (Verdict::TooFewData, Some(missing)) => format!("too few data: needs {missing}"),
    };
    [
        name.to_owned(),
        number(gate.edit),
        number(gate.write),
        difference.unwrap_or("-".to_owned()),
        bar,
        verdict,
    ]
}

fn value(unit: Unit, number: f64) -> String {
    match unit {
        Unit::Percent => format!("{number:.1} %"),
        Unit::RetriesPerTask => format!("{number:.2}"),
        Unit::Reads => format!("{number:.0}"),
        Unit::Seconds => format!("{:.2} ms", number * 1000.0),
    }
}

fn difference(unit: Unit, number: f64) -> String {
    match unit {
        Unit::Percent => format!("{number:+.1} points"),
        Unit::RetriesPerTask => format!("{number:+.1} %"),
        Unit::Reads => format!("{number:+.0}"),
        Unit::Seconds => format!("{number:.2} x"),
    }
}

fn difference_bar(gate: &Gate) -> String {
    let bar = gate.bar;
    match gate.unit {
        Unit::Percent => format!("at least {bar:+.0} points"),
        Unit::RetriesPerTask => format!("at most {bar:+.0} %"),
        Unit::Reads => format!("at most {bar:.0}"),
        Unit::Seconds => format!("below {bar:.0} x"),
    }
}

/// Builds the refusal for counts that cannot be read.
fn refused(args: &StatsArgs, error: GateError) -> Refusal {
    let from = args.from.as_deref().unwrap_or("the counters");
    let message = match error {
        GateError::Io(error) => return refusals::system(from, "reading the metrics", &error),
        GateError::BadUrl => {
            return refusals::usage(format!(
                "--from is a URL such as http://127.0.0.1:9090, not `{from}`; https is not supported"
            ));
        }
        GateError::BadOption("--over") => {
            return refusals::usage("--over is a time such as 12h or 7d");
        }
        GateError::BadOption(option) => {
            return refusals::usage(format!("{option} is not a name of a workspace"));
        }
        GateError::OnlyWith(option, other) => {
            return refusals::usage(format!("{option} needs {other}"));
        }
        GateError::Status(status) => format!("{from} answered with status {status}"),
        GateError::NotPrometheus(why) => format!("{from} did not answer the query: {why}"),
    };
    let next = "check the URL, and name the file with the server's token with --token-file";
    Refusal::new(Code::BadRequest, message)
        .with_written(Written::NotAsked)
        .with_next(next)
}

#[cfg(test)]
mod tests {
    use hashline_server::gate::judge;

    use super::table;

    #[test]
    fn gates_without_data_say_how_much_they_need() {
        insta::assert_snapshot!(table(&judge(&[])), @r"
        gate                  edit-file  write-file  difference                  bar  verdict
        applied                       -           -           -  at least +10 points  too few data: needs 200 more calls of edit-file and 200 of write-file
        retries per task              -           -           -        at most -20 %  too few data: needs 30 more tasks of edit-file and 30 of write-file
        reads cut by anchors          0           0          +0            at most 0  too few data: needs 200 more reads with anchors
        p99 of the time               -           -           -            below 2 x  too few data: needs 200 more calls of edit-file and 200 of write-file
        ");
    }

    #[test]
    fn the_table_has_the_numbers_and_the_verdicts() {
        let text = "hashline_calls_total{route=\"edit-file\",result=\"success\"} 291\n\
             hashline_calls_total{route=\"edit-file\",result=\"stale\"} 9\n\
             hashline_calls_total{route=\"write-file\",result=\"success\"} 250\n\
             hashline_calls_total{route=\"write-file\",result=\"error\"} 50\n\
             hashline_anchored_reads_total 400\n\
             hashline_reads_cut_by_anchors_total 2\n\
             hashline_task_retries_sum{arm=\"edit-file\"} 40\n\
             hashline_task_retries_count{arm=\"edit-file\"} 50\n\
             hashline_task_retries_sum{arm=\"write-file\"} 75\n\
             hashline_task_retries_count{arm=\"write-file\"} 50\n\
             hashline_call_seconds_bucket{route=\"edit-file\",le=\"0.004\"} 0\n\
             hashline_call_seconds_bucket{route=\"edit-file\",le=\"0.006\"} 300\n\
             hashline_call_seconds_bucket{route=\"edit-file\",le=\"+Inf\"} 300\n\
             hashline_call_seconds_bucket{route=\"write-file\",le=\"0.004\"} 300\n\
             hashline_call_seconds_bucket{route=\"write-file\",le=\"+Inf\"} 300\n";
        let samples = hashline_server::sample::samples(text);
        insta::assert_snapshot!(table(&judge(&samples)), @r"
        gate                  edit-file  write-file    difference                  bar  verdict
        applied                  97.0 %      83.3 %  +13.7 points  at least +10 points  pass
        retries per task           0.80        1.50       -46.7 %        at most -20 %  pass
        reads cut by anchors          2           0            +2            at most 0  falls short
        p99 of the time         5.98 ms     3.96 ms        1.51 x            below 2 x  pass
        ");
    }
}
