//! The new text of an edit as the request sends it, before it is split into lines.

/// The new text of an edit as it was sent: one string, or a list of strings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Payload {
    /// One string, which may contain several lines.
    Text(String),
    /// A list of strings, each of which may contain several lines too.
    Lines(Vec<String>),
}

impl Payload {
    /// Splits the new text into lines.
    ///
    /// `\r\n` counts as `\n`; one `\n` at the end of the text is dropped, and one `\r` at the end of each line. So in new text `"x"` and
    /// `"x\n"` are one line, and `""` is one blank line. Each element of a list is split in the same way.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Text(text) => cut(text),
            Self::Lines(list) => list.iter().flat_map(|text| cut(text)).collect(),
        }
    }

    /// Returns the text exactly as it was sent; a list is joined with `\n`.
    #[must_use]
    pub fn verbatim(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Lines(list) => list.join("\n"),
        }
    }
}

impl From<&str> for Payload {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Payload {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<String>> for Payload {
    fn from(lines: Vec<String>) -> Self {
        Self::Lines(lines)
    }
}

impl<const N: usize> From<[&str; N]> for Payload {
    fn from(lines: [&str; N]) -> Self {
        Self::Lines(lines.map(str::to_owned).to_vec())
    }
}

fn cut(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let text = text.strip_suffix('\n').unwrap_or(&text);
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Payload;

    #[test]
    fn text_is_split_into_lines() {
        let cases: &[(&str, &[&str])] = &[
            ("x", &["x"]),
            ("x\n", &["x"]),
            ("x\r\n", &["x"]),
            ("", &[""]),
            ("\n", &[""]),
            ("\nx", &["", "x"]),
            ("x\n\n", &["x", ""]),
            ("a\r\nb\r", &["a", "b"]),
            ("a\r\r\nb", &["a", "b"]),
            ("a\r\r\r\nb", &["a\r", "b"]),
        ];
        for (text, lines) in cases {
            assert_eq!(Payload::from(*text).lines(), *lines, "{text:?}");
        }
    }

    #[test]
    fn elements_of_a_list_are_split_too() {
        assert_eq!(
            Payload::from(["a\nb\n", "", "c"]).lines(),
            ["a", "b", "", "c"]
        );
    }
}
