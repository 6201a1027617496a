//! What is shown can be read back: the text from under the tags, and the anchor of each line.

use hashline_core::dialect::Dialect;
use hashline_core::render;
use hashline_core::text::LineSpan;
use hashline_testing::generate::file;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::TestCaseError;

use super::config;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rendering_then_stripping_is_the_text(
        file in file(),
        (start, length) in (0..12_usize, 0..12_usize),
    ) {
        let span = LineSpan::new(start..start + length).widened(0, file.0.line_count());
        let lines = file.0.lines_in(span);
        let text: String = lines.map(|line| format!("{}\n", render::display(line.text))).collect();
        for scheme in Dialect::ALL.map(|dialect| dialect.scheme) {
            let mut rendered = Vec::new();
            render::render_with_tags(file.0.slice(span), scheme, &mut rendered, &mut Vec::new());
            let rendered = String::from_utf8(rendered)?;
            prop_assert_eq!(render::strip(&rendered, scheme), text.as_str());
            let anchored = render::anchored(&file.0, span, scheme);
            prop_assert_eq!(rendered, anchored.map(|line| format!("{line}\n")).collect::<String>());
        }
    }

    #[test]
    fn rendering_then_parsing_is_the_anchor(file in file()) {
        for scheme in Dialect::ALL.map(|dialect| dialect.scheme) {
            for line in render::anchored(&file.0, file.0.all(), scheme) {
                let (number, shown) = (line.number.get() as u64, line.to_string());
                for text in [line.anchor(), shown.clone()] {
                    let read = scheme.parse(&text).map(|read| (read.line, read.tag));
                    prop_assert_eq!(read, Ok((number, line.tag)), "{:?}", text);
                }
                let (read, text) = scheme
                    .read_shown(&shown)
                    .ok_or_else(|| TestCaseError::fail(shown.clone()))?;
                prop_assert_eq!((read.line, read.tag, text), (number, line.tag, &*line.text));
                prop_assert!(scheme.fits(line.tag, shown_text(&file.0, &line), line.number));
            }
        }
    }
}

/// Returns the bytes a shown line stands for.
fn shown_text<'a>(
    document: &'a hashline_core::Document,
    line: &render::AnchoredLine<'_>,
) -> &'a [u8] {
    document
        .line(line.number)
        .map_or(&b""[..], |line| line.text)
}
