//! Two lists of changes folded into one say the same as one after the other.

use hashline_core::text::{Changes, LineSpan};
use proptest::collection::vec;
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};

use super::config;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn folded_changes_carry_as_the_steps_do(
        first in replacements(),
        second in replacements(),
        (start, length) in (0..30_usize, 1..4_usize),
    ) {
        let (first, second) = (changes(&first), changes(&second));
        let folded = first.then(&second);
        let stepwise = |span| first.carry(span).and_then(|span| second.carry(span));
        for index in 0..60 {
            prop_assert_eq!(folded.carry(line(index)), stepwise(line(index)), "line {}", index);
        }

        // What the steps carry as one block stays one. What only the steps lose had lines in it that came and went again.
        let span = LineSpan::new(start..start + length);
        if let Some(place) = stepwise(span) {
            prop_assert_eq!(folded.carry(span), Some(place));
        }
        if let Some(place) = folded.carry(span) {
            for (was, is) in span.range().zip(place.range()) {
                prop_assert_eq!(stepwise(line(was)), Some(line(is)));
            }
        }
        for (above, below) in folded.iter().zip(folded.iter().skip(1)) {
            prop_assert!(above.old.end() < below.old.start());
            prop_assert_eq!(
                below.new.start() - above.new.end(),
                below.old.start() - above.old.end()
            );
        }
    }
}

fn line(index: usize) -> LineSpan {
    LineSpan::new(index..index + 1)
}

/// Replacements of lines: so many lines below the one before, so many lines by so many.
fn replacements() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    vec((0..5_usize, 0..4_usize, 0..4_usize), 0..6)
}

fn changes(replacements: &[(usize, usize, usize)]) -> Changes {
    let mut at = 0;
    Changes::from_replacements(replacements.iter().map(|&(skip, went, came)| {
        let start = at + skip;
        at = start + went;
        (LineSpan::new(start..at), came)
    }))
}
