//! Samples: one number with a name and labels, as Prometheus writes it: `hashline_calls_total{route="read-file"} 12`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// One number of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The name, such as `hashline_calls_total`.
    pub name: String,
    /// The labels and their values.
    pub labels: BTreeMap<String, String>,
    /// The number.
    pub value: f64,
}

impl Sample {
    /// Returns a sample.
    pub(crate) fn new<'l>(
        name: impl Into<String>,
        labels: impl IntoIterator<Item = (&'l str, &'l str)>,
        value: f64,
    ) -> Self {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self {
            name: name.into(),
            labels: labels.into_iter().map(owned).collect(),
            value,
        }
    }

    /// Returns the value of a label; the empty text if there is no such label, which is the same to Prometheus.
    pub(crate) fn label(&self, name: &str) -> &str {
        self.labels.get(name).map_or("", String::as_str)
    }

    /// Returns the name and the labels, without the number.
    pub(crate) fn series(&self) -> String {
        let mut labels = String::new();
        for (name, value) in &self.labels {
            let comma = if labels.is_empty() { "" } else { "," };
            labels.push_str(&format!("{comma}{name}=\"{}\"", escaped(value)));
        }
        if labels.is_empty() {
            self.name.clone()
        } else {
            format!("{}{{{labels}}}", self.name)
        }
    }
}

/// Writes the sample as a line of the text format.
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.series(), self.value)
    }
}

/// A line that is not a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASample;

/// Parses a line of the text format.
impl FromStr for Sample {
    type Err = NotASample;

    fn from_str(line: &str) -> Result<Self, NotASample> {
        let (name, mut rest) = line.split_at(line.find(['{', ' ']).ok_or(NotASample)?);
        let mut labels = BTreeMap::new();
        if let Some(inner) = rest.strip_prefix('{') {
            rest = inner;
            loop {
                rest = rest.trim_start_matches([',', ' ']);
                if let Some(after) = rest.strip_prefix('}') {
                    rest = after;
                    break;
                }
                let (name, after) = rest.split_once("=\"").ok_or(NotASample)?;
                let (value, after) = quoted(after).ok_or(NotASample)?;
                labels.insert(name.to_owned(), value);
                rest = after;
            }
        }
        // A time may follow the number.
        let number = rest.split_ascii_whitespace().next().ok_or(NotASample)?;
        Ok(Self {
            name: name.to_owned(),
            labels,
            value: number.parse().map_err(|_| NotASample)?,
        })
    }
}

/// Returns all samples of a text. Comments and lines that are not samples are left out.
#[must_use]
pub fn samples(text: &str) -> Vec<Sample> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.parse().ok()).collect()
}

/// Returns a text up to its closing quote, without escapes, and what follows the quote.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text.char_indices();
    while let Some((index, character)) = rest.next() {
        match character {
            '"' => return Some((value, &text[index + 1..])),
            '\\' => value.push(match rest.next()?.1 {
                'n' => '\n',
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}

fn escaped(value: &str) -> String {
    let value = value.replace('\\', r"\\").replace('"', "\\\"");
    value.replace('\n', r"\n")
}

#[cfg(test)]
mod tests {
    use super::{NotASample, Sample, samples};

    #[test]
    fn a_sample_is_parsed_as_it_is_written() {
        for sample in [
            Sample::new("a_total", [], 12.0),
            Sample::new("a", [("le", "+Inf"), ("route", "read-file")], 0.25),
            Sample::new("a", [("text", "a \"b\" \\ {c},\nd=\"e")], -1e-9),
        ] {
            assert_eq!(sample.to_string().parse(), Ok(sample.clone()), "{sample}");
        }
        let written = Sample::new("a_total", [("b", "1"), ("a", "2")], 3.0).to_string();
        assert_eq!(written, r#"a_total{a="2",b="1"} 3"#);
    }

    #[test]
    fn lines_that_are_not_samples_are_left_out() {
        for bad in ["", "a", "a{b=\"c\"", "a{b=\"c} 1", "a{b} 1", "a x"] {
            assert_eq!(bad.parse::<Sample>(), Err(NotASample), "{bad}");
        }
        let text = "# HELP a A.\n# TYPE a gauge\na 1 1700000000\n\na{b=\"c\",} 2\nnonsense\n";
        let values: Vec<f64> = samples(text).iter().map(|one| one.value).collect();
        assert_eq!(values, [1.0, 2.0]);
    }
}
