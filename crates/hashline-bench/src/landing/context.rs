//! How far a line's context must be read before it is alone in its file: what the landing rule can do at best.
//!
//! Somebody else's change inside that context makes a line stale, however intact it is; a line whose context is not enough is stale
//! after any change.

use std::io::Write;

use anyhow::Result;

use super::rule::context_needed;
use crate::corpus::Files;
use crate::rng::Rng;
use crate::table::{Table, bar, count, percent};

/// The classes that are counted: up to so many lines each way.
const UP_TO: [usize; 4] = [3, 10, 30, 64];

/// Prints how much context random lines need.
pub(super) fn print(files: &Files, seed: u64, lines: u64, out: &mut dyn Write) -> Result<()> {
    let mut counts = [0; UP_TO.len() + 1];
    let mut rng = Rng::new(seed, &[u64::MAX]);
    for _ in 0..lines {
        let file = files.pick(&mut rng);
        let needed = context_needed(file, rng.below(file.line_count()));
        let class = needed.and_then(|needed| UP_TO.iter().position(|&most| needed <= most));
        counts[class.unwrap_or(UP_TO.len())] += 1;
    }
    let mut table = Table::new(1, ["lines each way", "lines", "%", ""]);
    let names = ["0 to 3", "4 to 10", "11 to 30", "31 to 64", "more than 64"];
    for (name, &part) in names.iter().zip(&counts) {
        let drawn = format!("{:<40}", bar(part as f64, lines as f64, 40));
        table.row(vec![
            (*name).to_owned(),
            count(part),
            percent(part, lines),
            drawn,
        ]);
    }
    table.print(out)
}
