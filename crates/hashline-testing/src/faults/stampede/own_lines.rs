//! The other forms: every process replaces lines of its own, by two lines each, so that everybody else's move. Nobody reads again.

use std::fs;
use std::thread;

use super::client::{Client, Sight, Tally};
use super::{PROCESSES, Stampede};

/// With the revision of the first reading every edit lands at once.
pub(super) fn with_rev(stampede: &Stampede) -> Tally {
    run(stampede, |client, sight, line| {
        let answer = client.replace(sight, Some(&sight.rev), &written(line));
        if !answer.is_ok() {
            client.went_wrong(format!("line {line}: {answer:?}"));
        }
    })
}

/// Without it an anchor may mean a line that somebody was shown later: then the refusal says which, and one of them is meant.
pub(super) fn without_rev(stampede: &Stampede) -> Tally {
    run(stampede, |client, sight, line| {
        let answer = client.replace(sight, None, &written(line));
        if answer.is_ok() {
            return;
        }
        let Some(rev) = answer
            .offered(&sight.text)
            .filter(|_| answer.code() == "ambiguous")
        else {
            return client.went_wrong(format!("line {line}: {answer:?}"));
        };
        client.retries();
        let again = client.replace(sight, Some(&rev), &written(line));
        if !again.is_ok() {
            client.went_wrong(format!("line {line} with rev {rev}: {again:?}"));
        }
    })
}

fn run(stampede: &Stampede, edit: impl Fn(&mut Client<'_>, &Sight, usize) + Sync) -> Tally {
    set_up(stampede);
    let shown = Client::new(stampede).read();
    let mut tally = stampede.run(|worker, client| {
        let first = worker * stampede.edits;
        for (line, sight) in shown.iter().enumerate().skip(first).take(stampede.edits) {
            edit(client, sight, line);
        }
    });
    let lost = count_lost(stampede);
    if lost > 0 {
        tally.violations.push(format!("{lost} lines are wrong"));
    }
    tally
}

/// Makes a file with one line for each edit.
fn set_up(stampede: &Stampede) {
    let lines = (0..PROCESSES * stampede.edits).map(|line| format!("line {line}\n"));
    stampede.set_up(&lines.collect::<String>());
}

fn written(line: usize) -> [String; 2] {
    [
        format!("edit of line {line} is here"),
        format!("and more of {line}"),
    ]
}

/// Counts the lines of the file that are not what all edits together make of it.
fn count_lost(stampede: &Stampede) -> usize {
    let found = stampede.lines();
    let expected: Vec<String> = (0..PROCESSES * stampede.edits).flat_map(written).collect();
    let differ = |&(at, line): &(usize, &String)| found.get(at) != Some(line);
    expected.iter().enumerate().filter(differ).count() + found.len().saturating_sub(expected.len())
}

/// The control: the same edits by read, change, write.
pub(super) fn careless_writers_lose(stampede: &Stampede) -> usize {
    set_up(stampede);
    let file = stampede.root.join("file");
    thread::scope(|scope| {
        for worker in 0..PROCESSES {
            let file = &file;
            scope.spawn(move || {
                for line in (0..stampede.edits).map(|turn| worker * stampede.edits + turn) {
                    let text = fs::read_to_string(file).unwrap_or_default();
                    let old = format!("line {line}\n");
                    let new = format!("{}\n", written(line).join("\n"));
                    let _ = fs::write(file, text.replacen(&old, &new, 1));
                }
            });
        }
    });
    count_lost(stampede)
}
