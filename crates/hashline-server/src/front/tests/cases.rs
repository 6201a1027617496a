//! The cases of `cases.toml`: what is sent, and exactly what must come of it.

use std::time::Duration;

use serde::Deserialize;

use super::server::{LISTED, Server};
use crate::front::HttpLimits;
use crate::front::checks::Check;

/// The test data file `cases.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// One request as test data, with the expected response.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) name: String,
    #[serde(default)]
    head: Vec<String>,
    #[serde(default)]
    body: String,
    #[serde(default)]
    raw: String,
    #[serde(default = "once")]
    times: usize,
    answers: Vec<u16>,
    code: Option<String>,
    after: After,
    #[serde(default)]
    pub(super) reached: usize,
    #[serde(default)]
    pub(super) bounds: Preset,
    pub(super) check: Option<CheckName>,
    pub(super) also_refused_by: Option<String>,
}

/// The expected state of the connection after the response.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum After {
    Open,
    Closed,
}

/// The limits that the server uses for a case. One bound is tight at a time, so that a slow machine does not meet another one.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Preset {
    #[default]
    Default,
    HastyHeader,
    HastyBody,
    SmallBody,
    Idle,
}

/// The names of the checks.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum CheckName {
    Framing,
    Path,
    Method,
    Host,
    Origin,
    FetchSite,
    Token,
    ContentType,
    Length,
}

impl From<CheckName> for Check {
    fn from(name: CheckName) -> Self {
        match name {
            CheckName::Framing => Self::Framing,
            CheckName::Path => Self::Path,
            CheckName::Method => Self::Method,
            CheckName::Host => Self::Host,
            CheckName::Origin => Self::Origin,
            CheckName::FetchSite => Self::FetchSite,
            CheckName::Token => Self::Token,
            CheckName::ContentType => Self::ContentType,
            CheckName::Length => Self::Length,
        }
    }
}

impl Preset {
    /// All presets.
    pub(super) const ALL: [Self; 5] = [
        Self::Default,
        Self::HastyHeader,
        Self::HastyBody,
        Self::SmallBody,
        Self::Idle,
    ];

    /// Returns the HTTP limits of this preset.
    pub(super) fn bounds(self) -> HttpLimits {
        let (bounds, soon) = (HttpLimits::default(), Duration::from_millis(50));
        // Long enough that a head which is sent at once is never late.
        let later = Duration::from_secs(1);
        match self {
            Self::Default => bounds,
            Self::HastyHeader => HttpLimits {
                header_time: later,
                ..bounds
            },
            Self::HastyBody => HttpLimits {
                body_time: soon,
                ..bounds
            },
            Self::SmallBody => HttpLimits {
                body_bytes: 16,
                ..bounds
            },
            Self::Idle => HttpLimits {
                idle_time: soon,
                ..bounds
            },
        }
    }
}

impl Case {
    /// Runs the case and returns a description of the first mismatch, if any.
    pub(super) fn fails(&self, server: &Server) -> Option<String> {
        let before = server.reached.count();
        let mut wire = server.connect();
        wire.send(self.bytes(server));
        for &expected in &self.answers {
            let Some(answer) = wire.answer() else {
                return Some(format!("closed instead of {expected}"));
            };
            if answer.status != expected {
                return Some(format!("{} instead of {expected}", answer.status));
            }
            if let Some(fault) = self.fault(&answer) {
                return Some(fault);
            }
        }
        if self.after == After::Open {
            wire.send(server.health());
            if wire.answer().map(|answer| answer.status) != Some(200) {
                return Some("closed instead of open".to_owned());
            }
        } else {
            let more = wire.rest();
            if !more.is_empty() {
                return Some(format!("more: {}", String::from_utf8_lossy(&more)));
            }
        }
        let reached = server.reached.count() - before;
        (reached != self.reached).then(|| format!("the handler was reached {reached} times"))
    }

    /// Returns what is wrong with an answer apart from its status.
    fn fault(&self, answer: &super::wire::Answer) -> Option<String> {
        let told = |(name, _): &(String, String)| {
            let never = ["server", "set-cookie", "location"];
            never.contains(&name.as_str()) || name.starts_with("access-control-")
        };
        if let Some((name, _)) = answer.headers.iter().find(|header| told(header)) {
            return Some(format!("the answer has {name}"));
        }
        if answer.status < 400 {
            return None;
        }
        if answer.header("connection") != Some("close") {
            return Some("a refusal does not say that it closes".to_owned());
        }
        let body = answer.json();
        let words = body["message"]
            .as_str()
            .is_some_and(|message| message.ends_with('.'));
        let code = self.code.as_deref().is_none_or(|code| body["code"] == code);
        (body["ok"] != false || !words || !code).then(|| format!("the body is {body}"))
    }

    /// Returns the bytes that the client sends.
    fn bytes(&self, server: &Server) -> Vec<u8> {
        let head = match self.head.as_slice() {
            [] => String::new(),
            lines => lines.join("\r\n") + "\r\n\r\n",
        };
        let raw = self.raw.repeat(self.times);
        let text = format!("{head}{}{raw}", self.body);
        let token = server.token.reveal();
        let text = text
            .replace("{auth}", "Authorization: Bearer {token}")
            .replace("{json}", "Content-Type: application/json")
            .replace("{host}", "127.0.0.1:{port}")
            .replace("{port}", &server.tcp().port().to_string())
            .replace("{token}", token)
            .replace("{TOKEN}", &token.to_uppercase())
            .replace("{short}", &token[..63])
            .replace("{listed}", LISTED);
        filled(&text)
    }
}

fn once() -> usize {
    1
}

/// Reads all cases from `cases.toml`.
pub(super) fn all() -> Vec<Case> {
    let file: File = toml::from_str(include_str!("cases.toml")).expect("the cases are well-formed");
    file.case
}

/// Expands `{fill:N}` to N letters and `{byte:HH}` to that byte.
fn filled(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = split_at_mark(rest) {
        bytes.extend_from_slice(before.as_bytes());
        let (mark, after) = after.split_once('}').expect("a mark ends");
        match mark.split_once(':') {
            Some(("{fill", count)) => bytes.extend(vec![b'a'; count.parse().expect("a number")]),
            Some((_, digits)) => bytes.push(u8::from_str_radix(digits, 16).expect("two digits")),
            None => panic!("an unknown mark"),
        }
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

fn split_at_mark(text: &str) -> Option<(&str, &str)> {
    let at = ["{fill:", "{byte:"]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min()?;
    Some(text.split_at(at))
}
