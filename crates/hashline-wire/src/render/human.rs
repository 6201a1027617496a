//! Refusals as text for a person at a terminal: what happened, the current lines, a hint. The command line adds colour.

use crate::refusal::{Failure, Refusal, Window, Written};

/// Renders a refusal: `error:` lines, the current lines with `>>>` before those that refused anchors point at, and a `hint:`.
#[must_use]
pub fn refusal(refusal: &Refusal) -> String {
    let written = match refusal.written {
        Written::Nothing => "; nothing was written",
        Written::Partly => "; some files were changed",
        Written::Unknown => "; it is not known whether anything was written",
        Written::NotAsked => "",
    };
    let mut out = failure(&refusal.failure, written);
    out.extend(refusal.also.iter().flat_map(|also| failure(also, "")));
    out.extend(refusal.next.iter().map(|next| format!("hint: {next}")));
    out.join("\n")
}

fn failure(failure: &Failure, written: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (index, what) in failure.what.iter().enumerate() {
        out.push(match index {
            0 => format!("error: {what}{written}"),
            _ => format!("note: {what}"),
        });
    }
    out.extend(failure.details.iter().cloned());
    out.extend(windows(&failure.windows));
    out
}

/// Renders the current lines of a file: `>>> ` before those that refused anchors point at, `    ...` between windows without a title.
#[must_use]
pub fn windows(windows: &[Window]) -> Vec<String> {
    let mut out = Vec::new();
    let mut parts = 0;
    for window in windows {
        match &window.title {
            Some(title) if title.is_empty() => {}
            Some(title) => out.push(title.clone()),
            None => {
                if parts > 0 {
                    out.push("    ...".to_owned());
                }
                parts += 1;
            }
        }
        out.extend(marked(window));
    }
    out
}

fn marked(window: &Window) -> impl Iterator<Item = String> {
    let lines = window.lines().into_iter().zip(window.span.range());
    lines.map(|(line, index)| {
        let mark = if window.marked.contains(&index) {
            ">>> "
        } else {
            "    "
        };
        format!("{mark}{line}")
    })
}
