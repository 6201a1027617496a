//! The lines around anchors that have no place, `>>>` before those they point at.

use std::collections::BTreeSet;

use hashline_core::dialect::Dialect;
use hashline_core::error::AnchorsRefused;
use hashline_core::policy::Context;
use hashline_core::render::anchored;

use crate::response::places;

/// Renders the lines, one each: `>>> ` before those the anchors point at, four spaces before others, `    ...` between parts.
pub(crate) fn block(refused: &AnchorsRefused, dialect: Dialect, context: Context) -> Vec<String> {
    let pointed: BTreeSet<usize> = refused
        .problems
        .iter()
        .flat_map(|problem| problem.near.range())
        .collect();
    let mut block = Vec::new();
    for (part, span) in places::around_all(refused, context).into_iter().enumerate() {
        if part > 0 {
            block.push("    ...".to_owned());
        }
        for (line, index) in anchored(&refused.document, span, dialect.scheme).zip(span.range()) {
            let mark = match pointed.contains(&index) {
                true => ">>> ",
                false => "    ",
            };
            block.push(format!("{mark}{line}"));
        }
    }
    block
}
