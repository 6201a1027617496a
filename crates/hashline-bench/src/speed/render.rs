//! Hashing and rendering a large file.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use hashline_core::Document;
use hashline_core::dialect::Dialect;
use hashline_core::render::render_with_tags;
use hashline_core::scheme::Scheme;
use hashline_core::text::LineSpan;
use xxhash_rust::xxh32::xxh32;

use super::{Sizes, baseline};
use crate::clock::{best, millis, ratio};
use crate::gates::Gates;
use crate::made_text;
use crate::table::Table;

/// Lines rendered into the buffer before it is used again, as a program that writes to a pipe does.
const BLOCK: usize = 4096;
/// Rendering is at least so many times as fast as the baseline.
const OVER_BASELINE: f64 = 4.0;
/// Rendering takes at most so many times as long as hashing the bytes alone.
const OVER_FLOOR: f64 = 3.0;

/// Measures rendering in omp against baseline and floor, then all schemes.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let text = made_text::code(sizes.render)?;
    let document = Document::new(text.as_str());
    check_result(&text, &document, gates);

    let ours = best(sizes.runs, || render(&document, Scheme::Omp));
    let with_index = best(sizes.runs, || {
        render(&Document::new(text.as_bytes()), Scheme::Omp)
    });
    let baseline = best(sizes.runs.div_ceil(2), || baseline::render(&text));
    let floor = best(sizes.runs, || xxh32(text.as_bytes(), 0));
    // What no way of doing it can leave out: a hash for each line, a copy of each line.
    let hashed = best(sizes.runs, || {
        let hashes = document.lines().map(|line| xxh32(line.text, 0));
        hashes.fold(0, |all, hash| all ^ hash)
    });
    let copied = best(sizes.runs, || copy(&document));
    let (lines, megabytes) = (document.line_count(), text.len() as f64 / 1e6);
    writeln!(
        out,
        "\n== hash and render {lines} lines, {megabytes:.1} MB, omp\n"
    )?;
    let mut table = Table::new(1, ["work", "ms", "x floor", "baseline is x slower"]);
    let rows = [
        ("ours: render_with_tags, blocks of 4096 lines", ours),
        ("ours, with building the document", with_index),
        ("baseline: a String for each line", baseline),
        ("XXH32 of each line, nothing removed or written", hashed),
        ("a copy of each line and six bytes, nothing hashed", copied),
        ("floor: XXH32 over the same bytes", floor),
    ];
    for (name, time) in rows {
        let figures = [ratio(time, floor), ratio(baseline, time)].map(|x| format!("{x:.2}"));
        table.row([vec![name.to_owned(), millis(time)], figures.to_vec()].concat());
    }
    table.print(out)?;
    let (gain, cost) = (ratio(baseline, ours), ratio(ours, floor));
    gates.check_bar(
        sizes.bars,
        "render: at least 4 x as fast as the baseline",
        format!("{gain:.2} x"),
        gain >= OVER_BASELINE,
    );
    gates.check_bar(
        sizes.bars,
        "render: at most 3 x the time of XXH32",
        format!("{cost:.2} x"),
        cost <= OVER_FLOOR,
    );
    all_schemes(sizes, &document, floor, out)
}

fn all_schemes(
    sizes: &Sizes,
    document: &Document,
    floor: Duration,
    out: &mut dyn Write,
) -> Result<()> {
    writeln!(out, "\n== the same in every scheme\n")?;
    let mut table = Table::new(1, ["scheme", "ms", "MB/s", "x XXH32"]);
    let megabytes = document.bytes().len() as f64 / 1e6;
    for dialect in Dialect::ALL {
        let time = best(sizes.runs, || render(document, dialect.scheme));
        let speed = format!("{:.0}", megabytes / time.as_secs_f64());
        let over = format!("{:.2}", ratio(time, floor));
        table.row(vec![dialect.name().to_owned(), millis(time), speed, over]);
    }
    table.print(out)
}

/// Renders the document block by block into one buffer.
fn render(document: &Document, scheme: Scheme) -> usize {
    let (mut buffer, mut tags) = (Vec::with_capacity(BLOCK * 64), Vec::new());
    let blocks = (0..document.line_count()).step_by(BLOCK);
    blocks
        .map(|start| {
            buffer.clear();
            tags.clear();
            let end = (start + BLOCK).min(document.line_count());
            let lines = document.slice(LineSpan::new(start..end));
            render_with_tags(lines, scheme, &mut buffer, &mut tags);
            buffer.len()
        })
        .sum()
}

/// Copies the document line by line into one buffer, as rendering does, with a stand-in for the anchor.
fn copy(document: &Document) -> usize {
    let mut buffer = Vec::with_capacity(BLOCK * 64);
    let mut copied = 0;
    for (index, line) in document.lines().enumerate() {
        if index % BLOCK == 0 {
            copied += buffer.len();
            buffer.clear();
        }
        buffer.extend_from_slice(b"12:a3|");
        buffer.extend_from_slice(line.text);
        buffer.push(b'\n');
    }
    copied + buffer.len()
}

fn check_result(text: &str, document: &Document, gates: &mut Gates) {
    let mut ours = Vec::new();
    let lines = document.slice(document.all());
    render_with_tags(lines, Scheme::Omp, &mut ours, &mut Vec::new());
    let expected = baseline::render(text) + "\n";
    let holds = ours == expected.as_bytes();
    gates.check(
        "render: the text is the baseline's",
        format!("{} bytes", ours.len()),
        holds,
    );
}
