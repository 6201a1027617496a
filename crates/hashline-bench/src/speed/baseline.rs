//! The straightforward implementation that rendering is measured against: a `String` for each line.

use hashline_core::text::is_whitespace;
use xxhash_rust::xxh32::xxh32;

/// Renders text as omp shows it.
pub(super) fn render(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(index, line)| {
            let squashed: String = line.chars().filter(|&c| !is_whitespace(c)).collect();
            let hash = xxh32(squashed.as_bytes(), 0) & 0xff;
            format!("{}:{hash:02x}|{line}", index + 1)
        })
        .collect();
    lines.join("\n")
}
