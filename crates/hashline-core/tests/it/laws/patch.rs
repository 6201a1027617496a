//! A tiny patch applier, so that a unified diff can be taken at its word.
//!
//! It looks for nothing: a hunk applies where it says, every line of it must be there, and nothing is forgiven.

/// Which way a diff is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Direction {
    Forward,
    Backward,
}

/// Returns what a diff makes of `text`.
///
/// # Errors
///
/// Says what in the diff does not fit.
pub(super) fn apply(text: &str, diff: &str, direction: Direction) -> Result<String, String> {
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut new, mut at) = (String::new(), 0);
    for hunk in hunks(diff, direction)? {
        let start = hunk.start;
        let kept = old.get(at..start).ok_or("hunks are out of order")?;
        new.extend(kept.iter().copied());
        at = start;
        for (mark, line) in &hunk.lines {
            if *mark != '+' {
                if old.get(at) != Some(&line.as_str()) {
                    return Err(format!("{line:?} is not line {at}: {:?}", old.get(at)));
                }
                at += 1;
            }
            if *mark != '-' {
                new.push_str(line);
            }
        }
        if at != start + hunk.count {
            return Err(format!(
                "a hunk of {} lines says {}",
                at - start,
                hunk.count
            ));
        }
    }
    new.extend(old[at..].iter().copied());
    Ok(new)
}

/// A hunk: where it begins and how many lines it takes from there, then its lines with their marks and endings.
struct Hunk {
    start: usize,
    count: usize,
    lines: Vec<(char, String)>,
}

fn hunks(diff: &str, direction: Direction) -> Result<Vec<Hunk>, String> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for line in diff.split_inclusive('\n').skip(2) {
        if let Some(header) = line.strip_prefix("@@ ") {
            let mut ranges = header.split(' ');
            let (minus, plus) = (ranges.next(), ranges.next());
            let wanted = if direction == Direction::Forward {
                minus
            } else {
                plus
            };
            let (start, count) = wanted.and_then(range).ok_or_else(|| line.to_owned())?;
            hunks.push(Hunk {
                start,
                count,
                lines: Vec::new(),
            });
            continue;
        }
        let hunk = hunks.last_mut().ok_or("a line before the first hunk")?;
        let mark = line.chars().next().ok_or("an empty line")?;
        match (mark, direction) {
            ('\\', _) => {
                let (_, last) = hunk.lines.last_mut().ok_or("a mark before any line")?;
                last.pop();
            }
            ('-', Direction::Backward) => hunk.lines.push(('+', line[1..].to_owned())),
            ('+', Direction::Backward) => hunk.lines.push(('-', line[1..].to_owned())),
            (' ' | '-' | '+', _) => hunk.lines.push((mark, line[1..].to_owned())),
            _ => return Err(format!("{line:?} has no mark")),
        }
    }
    Ok(hunks)
}

/// Reads `-3,2` as two lines from index 2 on, `-3,0` as the gap after line 3.
fn range(text: &str) -> Option<(usize, usize)> {
    let text = text.strip_prefix(['-', '+'])?;
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
    Some((
        if count == 0 {
            start
        } else {
            start.checked_sub(1)?
        },
        count,
    ))
}
