//! The `>>>` block of seeds 000 and 003: changed lines with two lines around each, fresh anchors in front.

use std::collections::BTreeSet;

use hashline_core::dialect::Dialect;
use hashline_core::error::AnchorsRefused;
use hashline_core::render::anchored;

use super::{of_first_kind, spans};

/// Renders the block, one line each: `>>> ` before changed lines, four spaces before others, `    ...` between parts.
pub(super) fn block(refused: &AnchorsRefused, dialect: Dialect) -> Vec<String> {
    let changed: BTreeSet<usize> = of_first_kind(refused)
        .flat_map(|problem| problem.near.range().take(1))
        .collect();
    let mut block = Vec::new();
    for (part, span) in spans::marked(refused).into_iter().enumerate() {
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
