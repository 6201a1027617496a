//! The `>>>` block of seeds 000 and 003: changed lines with two lines around each, fresh anchors in front.

use std::collections::BTreeSet;

use hashline_core::dialect::Dialect;
use hashline_core::error::AnchorsRefused;
use hashline_core::render::anchored;
use hashline_core::text::LineSpan;

use super::of_first_kind;

/// How many lines stand around a changed one.
const AROUND: usize = 2;

/// Renders the block, one line each: `>>> ` before changed lines, four spaces before others, `    ...` between parts.
pub(super) fn block(refused: &AnchorsRefused, dialect: Dialect) -> Vec<String> {
    let changed: BTreeSet<usize> = of_first_kind(refused)
        .flat_map(|problem| problem.near.range().take(1))
        .collect();
    let lines = refused.document.line_count();
    let spans: Vec<LineSpan> = changed
        .iter()
        .map(|&i| LineSpan::new(i..i + 1).widened(AROUND, lines))
        .collect();
    let mut block = Vec::new();
    for (part, span) in LineSpan::merged(spans).into_iter().enumerate() {
        if part > 0 {
            block.push("    ...".to_owned());
        }
        for (line, index) in anchored(&refused.document, span, dialect.scheme).zip(span.range()) {
            let mark = if changed.contains(&index) {
                ">>> "
            } else {
                "    "
            };
            block.push(format!("{mark}{line}"));
        }
    }
    block
}
