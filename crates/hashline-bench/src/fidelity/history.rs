//! Changes from the history of a git repository: every file that a commit modified, with git's own hunks.

use std::path::Path;

use anyhow::{Context, Result};
use hashline_core::scheme::sha256;

use super::case::{Case, Hunk};
use crate::git;

/// So many changes are enough.
const MOST_CASES: usize = 2_000;
/// Files and changes of ordinary size.
const MOST_LINES: usize = 1_200;
const MOST_HUNKS: usize = 40;

/// Collects changes, newest commit first.
pub(super) fn load(repository: &Path) -> Result<Vec<Case>> {
    let commits = text(repository, &["rev-list", "--no-merges", "HEAD"])?;
    let mut cases = Vec::new();
    for commit in commits.lines() {
        for change in modified(repository, commit)? {
            cases.extend(case(repository, commit, &change)?);
        }
        if cases.len() >= MOST_CASES {
            break;
        }
    }
    cases.truncate(MOST_CASES);
    Ok(cases)
}

/// A file that a commit modified: its content before and after, by the names git has for them.
struct Modified {
    path: String,
    before: String,
    after: String,
}

/// Lists the files that a commit modified. A commit without a parent modifies none.
fn modified(repository: &Path, commit: &str) -> Result<Vec<Modified>> {
    let args = [
        "diff-tree",
        "-r",
        "--no-commit-id",
        "--no-renames",
        "--diff-filter=M",
        "-z",
        commit,
    ];
    let listed = text(repository, &args)?;
    let mut fields = listed.split('\0');
    let mut found = Vec::new();
    // Each entry is `:mode mode blob blob M` and then the path.
    while let (Some(entry), Some(path)) = (fields.next(), fields.next()) {
        let words: Vec<&str> = entry.split(' ').collect();
        if let [_, _, before, after, _] = words[..] {
            found.push(Modified {
                path: path.to_owned(),
                before: before.to_owned(),
                after: after.to_owned(),
            });
        }
    }
    Ok(found)
}

/// Makes a case of a change, if it is one of plain text: UTF-8, LF, a final newline.
fn case(repository: &Path, commit: &str, change: &Modified) -> Result<Option<Case>> {
    let blob = |name: &str| git::run(repository, &["cat-file", "blob", name]);
    let (Ok(before), Ok(after)) = (
        String::from_utf8(blob(&change.before)?),
        String::from_utf8(blob(&change.after)?),
    ) else {
        return Ok(None);
    };
    let plain = |text: &str| {
        text.ends_with('\n')
            && !text.contains('\r')
            && !text.starts_with('\u{feff}')
            && text.lines().count() <= MOST_LINES
    };
    if !plain(&before) || !plain(&after) {
        return Ok(None);
    }
    let diff = text(
        repository,
        &[
            "diff",
            "--no-color",
            "--no-ext-diff",
            "-U0",
            &change.before,
            &change.after,
        ],
    )?;
    let new: Vec<&str> = after.lines().collect();
    let headers = diff.lines().filter(|line| line.starts_with("@@ "));
    let hunks = headers.map(|header| hunk(header, &new).with_context(|| header.to_owned()));
    let hunks: Vec<Hunk> = hunks.collect::<Result<_>>()?;
    let fits = (1..=MOST_HUNKS).contains(&hunks.len());
    Ok(fits.then(|| Case {
        name: format!("{} {}", &commit[..commit.len().min(10)], change.path),
        path: change.path.clone(),
        after_sha256: sha256(after.as_bytes()),
        before,
        hunks,
    }))
}

/// Reads a hunk's header, `@@ -12,3 +12,4 @@`, and takes its new lines from the new text.
fn hunk(header: &str, new: &[&str]) -> Option<Hunk> {
    let mut words = header.split(' ').skip(1);
    let old = range(words.next()?.strip_prefix('-')?)?;
    let came = range(words.next()?.strip_prefix('+')?)?;
    let lines = new.get(came)?.iter().map(|line| (*line).to_owned());
    Some(Hunk {
        start: old.start,
        end: old.end,
        lines: lines.collect(),
    })
}

/// Reads `12,3`, `12` for one line, `12,0` for the gap after line 12.
fn range(text: &str) -> Option<std::ops::Range<usize>> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
    let start = if count == 0 {
        start
    } else {
        start.checked_sub(1)?
    };
    Some(start..start + count)
}

fn text(repository: &Path, args: &[&str]) -> Result<String> {
    let printed = git::run(repository, args)?;
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{Hunk, hunk};

    #[test]
    fn headers_of_git_are_read() {
        let new = ["a", "b", "c"];
        let cases = [
            ("@@ -2 +2,2 @@ fn main", (1, 2, vec!["b", "c"])),
            ("@@ -0,0 +1 @@", (0, 0, vec!["a"])),
            ("@@ -3,2 +2,0 @@", (2, 4, vec![])),
        ];
        for (header, (start, end, lines)) in cases {
            let lines = lines.into_iter().map(str::to_owned).collect();
            assert_eq!(
                hunk(header, &new),
                Some(Hunk { start, end, lines }),
                "{header}"
            );
        }
    }
}
