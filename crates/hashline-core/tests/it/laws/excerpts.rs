//! An excerpt read piece by piece is the one that is cut out of the whole document.

use hashline_core::dialect::Dialect;
use hashline_core::render;
use hashline_core::shown::Showing;
use hashline_core::text::{Excerpt, Excerpting, FingerprintKey, LineSpan};
use hashline_testing::generate::file;
use proptest::prelude::{any, prop_assert_eq, proptest};

use super::config;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn pieces_make_the_same_excerpt(
        file in file(),
        size in 3_usize..40,
        (start, len) in (0_usize..12, 0_usize..12),
        scheme in any::<proptest::sample::Index>(),
    ) {
        let span = LineSpan::new(start..start + len);
        let mut pieces = Excerpting::new(span);
        file.0.bytes().chunks(size).for_each(|piece| pieces.take(piece));
        // A line is measured when it reaches from one piece into another.
        let longest = file.0.lines().map(|line| line.text.len()).filter(|&len| len > size).max();
        if let Some(longest) = longest {
            prop_assert_eq!(pieces.longest(), longest);
        }
        let found = pieces.finish();
        let expected = Excerpt::of(&file.0, span);
        prop_assert_eq!(found.revision, expected.revision);
        prop_assert_eq!(found.line_count, expected.line_count);
        let scheme = scheme.get(&Dialect::ALL).scheme;
        let lines = |excerpt: &Excerpt| -> Vec<String> {
            render::anchored_lines(excerpt.lines(), scheme).map(|line| line.to_string()).collect()
        };
        prop_assert_eq!(lines(&found), lines(&expected));
        let whole: Vec<String> = render::anchored(&file.0, found.span(), scheme)
            .map(|line| line.to_string())
            .collect();
        prop_assert_eq!(lines(&found), whole);
        let of_excerpt = Showing::of_excerpt(&found, None, scheme, FingerprintKey::default());
        let of_file = Showing::of(&file.0, None, scheme, &[span]);
        prop_assert_eq!(of_excerpt.spans(), of_file.spans());
        prop_assert_eq!(of_excerpt.tags(), of_file.tags());
    }
}
