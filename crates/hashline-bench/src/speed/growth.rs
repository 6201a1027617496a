//! Growth: twice the file, twice the edits, and files made to be hard.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;

use super::Sizes;
use super::one_edit::Case;
use crate::clock::{best, millis, ratio};
use crate::gates::Gates;
use crate::made_text;
use crate::table::{Table, bar};

/// Twice the work may take so many times as long before it is flagged: twice, and some noise.
const FLAGGED: f64 = 2.2;
/// How many edits are sent to hard files.
const MANY: usize = 1000;

/// Lines of the file that is edited again and again, and how many anchors are then sent.
const REVISED_LINES: usize = 2000;
const REVISED_EDITS: usize = 400;

/// What somebody else puts on top of a file, so that every line of it has another number.
const ON_TOP: &str = "// somebody was here\n";
/// Lines left for what somebody puts on top, so that a file has the length it is listed with.
const ROOM: usize = 1;

/// Measures how time grows.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let longest = sizes.growth.last().copied().unwrap_or(0);
    let text = made_text::code(longest.max(sizes.edit))?;
    let mut growth = Growth { sizes, gates, out };
    growth.of_copying(&text)?;
    growth.by_file("as it was shown", &text, "")?;
    growth.by_file("changed elsewhere", &text, ON_TOP)?;
    growth.by_edits(&text)?;
    growth.by_substitutions(&text)?;
    growth.by_revisions(&text)?;
    for (name, period) in [
        ("all lines equal", 1),
        ("two lines in turn", 2),
        ("65 lines in turn", 65),
    ] {
        growth.on_hard_file(name, period, 1)?;
        growth.on_hard_file(name, period, MANY)?;
    }
    Ok(())
}

/// Sizes and the times they took, smallest first.
type Times = Vec<(usize, Duration)>;

struct Growth<'a> {
    sizes: &'a Sizes,
    gates: &'a mut Gates,
    out: &'a mut dyn Write,
}

impl Growth<'_> {
    /// What a plain copy does, for comparison: past the processor's caches it grows faster than its size, too.
    fn of_copying(&mut self, text: &str) -> Result<()> {
        let times = self.sizes.growth.iter().map(|&lines| {
            let bytes = first_lines(text, lines).as_bytes();
            (lines, best(self.sizes.runs, || bytes.to_vec()))
        });
        let times: Times = times.collect();
        writeln!(
            self.out,
            "\n== growth: a copy of the bytes, for comparison\n"
        )?;
        table("lines", &times).print(self.out)
    }

    fn by_file(&mut self, name: &str, text: &str, on_top: &str) -> Result<()> {
        let times = self.sizes.growth.iter().map(|&lines| {
            let shown = first_lines(text, lines - ROOM);
            let case = Case::new(shown, &format!("{on_top}{shown}"), 1);
            (lines, case.time(self.sizes.runs))
        });
        let times: Times = times.collect();
        self.print(&format!("one edit, file {name}"), "lines", &times)
    }

    fn by_edits(&mut self, text: &str) -> Result<()> {
        let shown = first_lines(text, self.sizes.edit);
        let now = format!("{ON_TOP}{shown}");
        let times = (0..=10).map(|power| {
            let edits = 1 << power;
            (edits, Case::new(shown, &now, edits).time(self.sizes.runs))
        });
        let times: Times = times.collect();
        let name = format!("edits of {} lines, file changed elsewhere", self.sizes.edit);
        self.print(&name, "edits", &times)
    }

    fn by_substitutions(&mut self, text: &str) -> Result<()> {
        let text = first_lines(text, self.sizes.edit);
        let times = (0..=10).map(|power| {
            let edits = 1 << power;
            let case = Case::of_substitutions(text, edits);
            (edits, case.time(self.sizes.runs.div_ceil(3)))
        });
        let times: Times = times.collect();
        let name = format!("substitutions in {} lines", self.sizes.edit);
        self.print(&name, "substitutions", &times)
    }

    /// Anchors without a revision, in a file that was edited and shown again and again: each revision is a candidate.
    fn by_revisions(&mut self, text: &str) -> Result<()> {
        let text = first_lines(text, REVISED_LINES);
        let mut times = Times::new();
        for power in 4..=9 {
            let revisions = 1 << power;
            let case = Case::over_revisions(text, revisions, REVISED_EDITS)?;
            times.push((revisions, case.time(self.sizes.runs.div_ceil(3))));
        }
        let name =
            format!("{REVISED_EDITS} edits without rev over revisions of {REVISED_LINES} lines");
        self.print(&name, "revisions", &times)
    }

    /// Files in which every context stands many times: what cannot be told apart is refused, in time that grows with the file.
    fn on_hard_file(&mut self, name: &str, period: usize, edits: usize) -> Result<()> {
        let mut answers = Vec::new();
        let times = self.sizes.growth.iter().map(|&lines| {
            let shown = made_text::periodic(lines - ROOM, period);
            let case = Case::new(&shown, &format!("{ON_TOP}{shown}"), edits);
            let answer = case.edit(&case.document());
            answers.push(answer.map_or_else(|error| error.code().as_str(), |_| "landed"));
            (lines, case.time(self.sizes.runs.div_ceil(3)))
        });
        let times: Times = times.collect();
        answers.dedup();
        let name = format!("{name}, edits: {edits}, answer: {}", answers.join(", "));
        self.print(&name, "lines", &times)
    }

    fn print(&mut self, name: &str, unit: &str, times: &[(usize, Duration)]) -> Result<()> {
        writeln!(self.out, "\n== growth: {name}\n")?;
        table(unit, times).print(self.out)?;
        let (Some((_, first)), Some((_, last))) = (times.first(), times.last()) else {
            return Ok(());
        };
        let doublings = times.len().saturating_sub(1).max(1);
        let mean = ratio(*last, *first).powf(1.0 / doublings as f64);
        let name = format!("growth, {name}: at most 2.2 x a doubling on average");
        let figure = format!("{mean:.2} x");
        self.gates
            .check_bar(self.sizes.bars, name, figure, mean <= FLAGGED);
        Ok(())
    }
}

fn table(unit: &str, times: &[(usize, Duration)]) -> Table {
    let mut table = Table::new(0, [unit, "ms", "x the one before", "above 2.2", ""]);
    let longest = times
        .iter()
        .map(|(_, time)| time.as_secs_f64())
        .fold(0.0, f64::max);
    for (index, &(size, time)) in times.iter().enumerate() {
        let grown = index
            .checked_sub(1)
            .map(|before| ratio(time, times[before].1));
        let flag = if grown.is_some_and(|grown| grown > FLAGGED) {
            "!"
        } else {
            ""
        };
        let grown = grown.map_or(String::new(), |grown| format!("{grown:.2}"));
        let drawn = format!("{:<30}", bar(time.as_secs_f64(), longest, 30));
        table.row(vec![
            size.to_string(),
            millis(time),
            grown,
            flag.to_owned(),
            drawn,
        ]);
    }
    table
}

fn first_lines(text: &str, lines: usize) -> &str {
    let end = text.split_inclusive('\n').take(lines).map(str::len).sum();
    &text[..end]
}
