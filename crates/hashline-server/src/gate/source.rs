//! Where the numbers of the gates come from.

use std::io;

use serde::Deserialize;

use crate::gate::fetch::{HttpUrl, in_query};
use crate::gate::{NEEDED, Needed};
use crate::sample::{Sample, samples};

/// The labels that tell samples apart which the gates do not add up.
const LABELS: &str = "route,result,arm,le";

/// Where the numbers come from.
#[derive(Clone, Debug)]
pub enum GateSource {
    /// The counters in the state directory, as series and their numbers.
    Saved(Vec<(String, u64)>),
    /// A server: of hashline, or a Prometheus server that scrapes it.
    Url(String),
}

/// What is read from a source.
#[derive(Clone, Debug, Default)]
pub struct GateOptions {
    /// The only workspace that counts; `None`: all of them.
    pub workspace: Option<String>,
    /// The token that the server wants.
    pub token: Option<String>,
    /// How far back Prometheus is to look, such as `7d`; `None`: since each server started.
    pub over: Option<String>,
}

/// Why the numbers cannot be read.
#[derive(Debug)]
pub enum GateError {
    /// The URL is not one of plain HTTP.
    BadUrl,
    /// The name of the workspace, or the time, is not one.
    BadOption(&'static str),
    /// An option does not go with the source.
    OnlyWith(&'static str, &'static str),
    /// The server could not be reached.
    Io(io::Error),
    /// The server answered with this status.
    Status(u16),
    /// The answer was not that of Prometheus.
    NotPrometheus(String),
}

/// The answer of Prometheus to a query.
#[derive(Deserialize)]
struct QueryAnswer {
    status: String,
    data: Option<QueryData>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct QueryData {
    result: Vec<Series>,
}

#[derive(Deserialize)]
struct Series {
    metric: std::collections::BTreeMap<String, String>,
    value: (f64, String),
}

impl GateSource {
    /// Reads the numbers.
    ///
    /// # Errors
    ///
    /// Why they cannot be read.
    pub fn read(&self, options: &GateOptions) -> Result<Vec<Sample>, GateError> {
        options.check()?;
        match self {
            Self::Saved(_) if options.workspace.is_some() => {
                Err(GateError::OnlyWith("--workspace", "--from"))
            }
            Self::Saved(_) if options.over.is_some() => {
                Err(GateError::OnlyWith("--over", "--from"))
            }
            Self::Saved(saved) => Ok(saved.iter().filter_map(saved_sample).collect()),
            Self::Url(url) => {
                let url = HttpUrl::parse(url).ok_or(GateError::BadUrl)?;
                match query(&url, &NEEDED[0], options)? {
                    // Every hashline server answers so to a path that it does not have.
                    None => scraped(&url, options),
                    Some(first) => queried(&url, first, options),
                }
            }
        }
    }
}

impl GateOptions {
    fn check(&self) -> Result<(), GateError> {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        if self
            .workspace
            .as_ref()
            .is_some_and(|name| !name.bytes().all(is_letter))
        {
            return Err(GateError::BadOption("--workspace"));
        }
        let is_time = |text: &String| {
            let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
            unit.len() < text.len() && ["s", "m", "h", "d", "w", "y"].contains(&unit)
        };
        if self.over.as_ref().is_some_and(|over| !is_time(over)) {
            return Err(GateError::BadOption("--over"));
        }
        Ok(())
    }

    /// Returns whether a sample counts.
    fn has(&self, sample: &Sample) -> bool {
        let mut workspace = self.workspace.iter();
        workspace.all(|name| sample.label("workspace") == name)
    }
}

fn saved_sample((series, count): &(String, u64)) -> Option<Sample> {
    format!("{series} {count}").parse().ok()
}

/// Reads the numbers from a running server of hashline.
fn scraped(url: &HttpUrl, options: &GateOptions) -> Result<Vec<Sample>, GateError> {
    if options.over.is_some() {
        return Err(GateError::OnlyWith(
            "--over",
            "the URL of a Prometheus server",
        ));
    }
    let (status, body) = url
        .get("/metrics", options.token.as_deref())
        .map_err(GateError::Io)?;
    if status != 200 {
        return Err(GateError::Status(status));
    }
    let all = samples(&String::from_utf8_lossy(&body));
    let needed = |sample: &Sample| NEEDED.iter().any(|needed| needed.has(sample));
    Ok(all
        .into_iter()
        .filter(|sample| needed(sample) && options.has(sample))
        .collect())
}

/// Reads the numbers from a Prometheus server that answered the first query.
fn queried(
    url: &HttpUrl,
    first: Vec<Sample>,
    options: &GateOptions,
) -> Result<Vec<Sample>, GateError> {
    let mut all = first;
    for needed in &NEEDED[1..] {
        all.extend(query(url, needed, options)?.ok_or(GateError::Status(404))?);
    }
    Ok(all)
}

/// Asks Prometheus for the sums of a metric; `None` if the server has no such path.
fn query(
    url: &HttpUrl,
    needed: &Needed,
    options: &GateOptions,
) -> Result<Option<Vec<Sample>>, GateError> {
    let path = format!(
        "/api/v1/query?query={}",
        in_query(&expression(needed, options))
    );
    let (status, body) = url
        .get(&path, options.token.as_deref())
        .map_err(GateError::Io)?;
    if status == 404 {
        return Ok(None);
    }
    let answer: QueryAnswer = match serde_json::from_slice(&body) {
        Ok(answer) => answer,
        Err(_) if status != 200 => return Err(GateError::Status(status)),
        Err(error) => return Err(GateError::NotPrometheus(error.to_string())),
    };
    let Some(data) = answer.data.filter(|_| answer.status == "success") else {
        return Err(GateError::NotPrometheus(
            answer.error.unwrap_or(answer.status),
        ));
    };
    let samples = data.result.into_iter().map(|series| {
        let number = series.value.1.parse();
        Ok(Sample {
            name: needed.name.to_owned(),
            labels: series.metric,
            value: number.map_err(|_| GateError::NotPrometheus(series.value.1))?,
        })
    });
    samples.collect::<Result<_, _>>().map(Some)
}

/// Returns the expression for the sums of a metric.
fn expression(needed: &Needed, options: &GateOptions) -> String {
    let mut labels = Vec::new();
    if !needed.routes.is_empty() {
        labels.push(format!("route=~\"{}\"", needed.routes.join("|")));
    }
    labels.extend(
        options
            .workspace
            .as_ref()
            .map(|name| format!("workspace=\"{name}\"")),
    );
    let series = format!("{}{{{}}}", needed.name, labels.join(","));
    match &options.over {
        None => format!("sum by ({LABELS}) ({series})"),
        Some(over) => format!("sum by ({LABELS}) (increase({series}[{over}]))"),
    }
}

#[cfg(test)]
mod tests {
    use super::{GateOptions, GateSource, expression};
    use crate::gate::NEEDED;

    #[test]
    fn prometheus_is_asked_for_the_sums_of_one_workspace_or_all() {
        let all = GateOptions::default();
        assert_eq!(
            expression(&NEEDED[0], &all),
            r#"sum by (route,result,arm,le) (hashline_calls_total{route=~"edit-file|write-file"})"#
        );
        let one = GateOptions {
            workspace: Some("a".to_owned()),
            over: Some("7d".to_owned()),
            token: None,
        };
        assert_eq!(
            expression(&NEEDED[2], &one),
            r#"sum by (route,result,arm,le) (increase(hashline_anchored_reads_total{workspace="a"}[7d]))"#
        );
    }

    #[test]
    fn nothing_else_can_be_put_into_the_expression() {
        let saved = GateSource::Saved(Vec::new());
        for (workspace, over) in [
            (Some("a\"} or vector(1)"), None),
            (None, Some("7")),
            (None, Some("d")),
            (None, Some("1h])) or vector(1")),
        ] {
            let options = GateOptions {
                workspace: workspace.map(str::to_owned),
                over: over.map(str::to_owned),
                token: None,
            };
            assert!(saved.read(&options).is_err(), "{options:?}");
        }
        let saved = GateSource::Saved(vec![(
            "hashline_calls_total{route=\"edit-file\"}".to_owned(),
            3,
        )]);
        let samples = saved.read(&GateOptions::default()).unwrap_or_default();
        assert_eq!(samples.iter().map(|one| one.value).sum::<f64>(), 3.0);
    }
}
