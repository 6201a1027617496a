//! Hashes, rendering and search: the parts of `dialects/*.jsonl` that change nothing.

use hashline_core::dialect::Dialect;
use hashline_core::render::anchored;
use hashline_core::render::shown_range;
use hashline_core::scheme::{Scheme, rolling_hash, sha256};
use hashline_core::text::{Document, LineNo};
use serde_json::Value;
#[cfg(feature = "files")]
use {
    hashline_session::line_matcher,
    hashline_wire::answer::pi_read,
    hashline_wire::request::{Limits, parse_read},
    hashline_workspace::{Deadline, Limits as WorkspaceLimits},
};

use super::{number, same, text, texts};

pub(super) fn push_crc32(record: &Value) -> Result<(), String> {
    tag_of(record, Scheme::Push, LineNo::FIRST)?;
    let line = text(record, "line")?.as_bytes();
    let Some(unreduced) = record.get("unreduced") else {
        return Ok(());
    };
    let tag =
        hashline_core::anchor::Tag::new(unreduced.as_str().unwrap_or_default()).ok_or("no tag")?;
    if Scheme::Push.fits(tag, line, LineNo::FIRST) {
        Ok(())
    } else {
        Err("the five digits do not fit".to_owned())
    }
}

pub(super) fn push_shipped_sha256(record: &Value) -> Result<(), String> {
    // The released tool hashes the trimmed text and shows 7 digits of it.
    let line = text(record, "line")?;
    let hash = sha256(
        line.trim_matches(hashline_core::text::is_whitespace)
            .as_bytes(),
    );
    same("hash", &record["hash"], &hash[..7].into())?;
    same("hash12", &record["hash12"], &hash[..12].into())
}

pub(super) fn cowboy_fnv(record: &Value) -> Result<(), String> {
    tag_of(record, Scheme::Cowboy, LineNo::FIRST)
}

pub(super) fn cowboy_rolling(record: &Value) -> Result<(), String> {
    let lines = texts(record, "lines")?;
    same(
        "rolling_hash",
        &record["rolling_hash"],
        &rolling_hash(lines.iter().map(|line| line.as_bytes())).into(),
    )
}

pub(super) fn openagent_lineid(record: &Value) -> Result<(), String> {
    let line = number(record, "line_number")
        .and_then(LineNo::new)
        .ok_or("no line number")?;
    tag_of(record, Scheme::Openagent, line)?;
    let Some(legacy) = record.get("legacy_hash") else {
        return Ok(());
    };
    let tag =
        hashline_core::anchor::Tag::new(legacy.as_str().unwrap_or_default()).ok_or("no tag")?;
    let fits = Scheme::Openagent.fits(tag, text(record, "line")?.as_bytes(), line);
    if fits {
        Ok(())
    } else {
        Err("the legacy hash does not fit".to_owned())
    }
}

pub(super) fn pi_prd(record: &Value) -> Result<(), String> {
    tag_of(record, Scheme::Pi, LineNo::FIRST)
}

fn tag_of(record: &Value, scheme: Scheme, line: LineNo) -> Result<(), String> {
    let tag = scheme
        .tag(text(record, "line")?.as_bytes(), line)
        .to_string();
    same("hash", &record["hash"], &tag.into())
}

pub(super) fn render(record: &Value) -> Result<(), String> {
    let dialect = Dialect::named(text(record, "dialect")?).ok_or("an unknown dialect")?;
    let document = Document::new(text(record, "content")?);
    let (first, last) = (number(record, "start_line"), number(record, "end_line"));
    let span = shown_range(
        first,
        last,
        number(record, "context").unwrap_or(0),
        document.line_count(),
    );
    let lines: Vec<String> = anchored(&document, span, dialect.scheme)
        .map(|line| line.to_string())
        .collect();
    same("rendered", &record["rendered"], &lines.into())
}

#[cfg(feature = "files")]
pub(super) fn pi_search(record: &Value) -> Result<(), String> {
    let mut request = record["request"].clone();
    request["path"] = "file.txt".into();
    let body = request.to_string();
    let mut asked = parse_read(body.as_bytes(), Dialect::PI, &Limits::default())
        .map_err(|error| error.to_string())?;
    let file = asked.files.pop().ok_or("no file")?;
    let document = Document::new(text(record, "content")?);
    let search = file.search.as_ref().ok_or("no search")?;
    let limits = WorkspaceLimits::default();
    let deadline = Deadline::after(limits.request_time);
    let mut matches = line_matcher(search, &limits)
        .and_then(|mut matcher| {
            matcher.lines_in(&document, document.all(), search.max_matches, &deadline)
        })
        .map_err(|error| format!("{error:?}"))?;
    matches.truncate(search.max_matches);
    let (text, _) = pi_read(&[(file, Ok((document, matches)))], Dialect::PI);
    let (header, rest) = text
        .split_once('\n')
        .map_or((text.as_str(), None), |(header, rest)| (header, Some(rest)));
    let matches: usize = header
        .rsplit(' ')
        .next()
        .and_then(|count| count.parse().ok())
        .ok_or("no count")?;
    let lines: Vec<&str> = rest
        .map(|rest| rest.split('\n').collect())
        .unwrap_or_default();
    same(
        "expect",
        &record["expect"],
        &serde_json::json!({"matches": matches, "lines": lines}),
    )
}
