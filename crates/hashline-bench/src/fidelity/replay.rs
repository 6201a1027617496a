//! Changes from a file: one JSON object a line, compressed with gzip or plain.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use serde_json::Value;

use super::case::{Case, Hunk};

/// Reads all changes of a file.
pub(super) fn load(path: &Path) -> Result<Vec<Case>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let reader: Box<dyn Read> = if path.extension().is_some_and(|end| end == "gz") {
        Box::new(GzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let lines = BufReader::new(reader).lines().enumerate();
    lines
        .map(|(index, line)| {
            let value: Value = serde_json::from_str(&line?)?;
            read(&value).with_context(|| format!("line {} of the replay file", index + 1))
        })
        .collect()
}

fn read(value: &Value) -> Result<Case> {
    let text = |name: &str| {
        value[name]
            .as_str()
            .map(str::to_owned)
            .with_context(|| format!("no {name}"))
    };
    let hunks = value["hunks"].as_array().context("no hunks")?;
    let path = text("path")?;
    Ok(Case {
        name: format!("{} {} {path}", text("repo")?, text("commit")?),
        path,
        before: text("before")?,
        hunks: hunks
            .iter()
            .map(|hunk| read_hunk(hunk).context("a hunk"))
            .collect::<Result<_>>()?,
        after_sha256: text("after_sha256")?,
    })
}

fn read_hunk(value: &Value) -> Option<Hunk> {
    let number = |index: usize| usize::try_from(value[index].as_u64()?).ok();
    let lines = value[2].as_array()?.iter();
    Some(Hunk {
        start: number(0)?,
        end: number(1)?,
        lines: lines
            .map(|line| line.as_str().map(str::to_owned))
            .collect::<Option<_>>()?,
    })
}
