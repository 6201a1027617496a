//! The guard on hostile command lines: four times the text takes about four times as long.
//!
//! A parser that starts over at every bracket or quote takes sixteen times as long, and an agent then waits for minutes.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use hashline_agents::guard::{Guard, LONGEST};

use super::Sizes;
use crate::clock::{best, millis, ratio};
use crate::gates::Gates;
use crate::table::Table;

/// How much shorter the short text is.
const TIMES: usize = 4;
/// How many times as long the long text may take: halfway, as a factor, between linear (4) and quadratic (16) time, so that noise does
/// not decide.
const MOST: f64 = 8.0;

/// How often a shape that seems too slow is measured again.
const RETRIES: usize = 5;

/// What is repeated to fill the text.
const SHAPES: [&str; 32] = [
    "x",
    "x ",
    "a.rs ",
    "cat a.rs\n",
    "cat a.rs; ",
    "cat a.rs | ",
    "true && ",
    "! ",
    "( ",
    "{ ",
    "$( ",
    "${x",
    "$((",
    "[[ ",
    "`",
    "'",
    "\"",
    "\\",
    "<<E\n",
    "cat <<E\nx\nE\n",
    "<<<x ",
    "<( ",
    "> a ",
    "2>&1 ",
    "if x; then ",
    "for x in y; do ",
    "case x in ",
    "a=$x ",
    "*?[",
    "{a,b}",
    "~/",
    "python3 -c 'open(\"a\")' ",
];

/// Measures each shape. The gate decides in a sample too: it is a ratio within one process, far from what noise does.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let guard = Guard::new(Path::new("/repo"), Path::new("/repo"));
    let time = |shape: &str, bytes: usize| {
        let text = shape.repeat(bytes / shape.len());
        best(sizes.runs, || guard.judge(&text))
    };
    writeln!(
        out,
        "\n== guard on {LONGEST} bytes of one shape, and on a quarter of them\n"
    )?;
    let mut table = Table::new(1, ["repeated", "quarter, ms", "whole, ms", "x quarter"]);
    let (mut worst, mut worst_shape) = (0.0, "");
    for shape in SHAPES {
        let (mut short, mut long) = (time(shape, LONGEST / TIMES), time(shape, LONGEST));
        // On a busy machine one of the two can be measured while another program runs; a parser that starts over is slow every time.
        for _ in 0..RETRIES {
            if ratio(long, short) <= MOST {
                break;
            }
            short = short.min(time(shape, LONGEST / TIMES));
            long = long.min(time(shape, LONGEST));
        }
        let over = ratio(long, short);
        let cells = [
            format!("{shape:?}"),
            millis(short),
            millis(long),
            format!("{over:.2}"),
        ];
        table.row(cells.to_vec());
        if over > worst {
            (worst, worst_shape) = (over, shape);
        }
    }
    table.print(out)?;
    let name = format!("guard: four times the text takes at most {MOST} x as long");
    gates.check(
        name,
        format!("{worst:.2} x for {worst_shape:?}"),
        worst <= MOST,
    );
    Ok(())
}
