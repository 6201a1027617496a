//! Restores the indentation of new text that was sent without it.
//!
//! Models often leave out the white space before a line by mistake. The dialects agree that a line lacks indentation if the old line has
//! some and the new line none. They differ in when the indentation is restored: omp line by line; openagent not where the text is
//! otherwise equal, because then the change is the indentation; pi for a block as a whole, so that its lines stay aligned.

use crate::text::whitespace::{leading, trim};

/// Indents each new line like the old line that it replaces, if there are as many new lines as old ones (dialect omp).
#[must_use]
pub fn restore_indentation(originals: &[&str], lines: &[String]) -> Option<Vec<String>> {
    paired(originals, lines, missing_indent)
}

/// Indents each new line like the old line that it replaces, except where the two differ only in white space around the text (dialect
/// openagent).
pub(crate) fn restore_paired_unless_dedent(
    originals: &[&str],
    lines: &[String],
) -> Option<Vec<String>> {
    paired(originals, lines, accidental_dedent)
}

/// Indents the first new line like the first old line, unless the two differ only in white space around the text (dialect openagent).
pub(crate) fn restore_first_line(originals: &[&str], lines: &[String]) -> Option<Vec<String>> {
    let indent = accidental_dedent(originals.first()?, lines.first()?)?;
    let mut restored = lines.to_vec();
    restored.first_mut()?.insert_str(0, indent);
    Some(restored)
}

/// Indents all new lines by the first old line's indentation if the first new line that is not blank has none (dialect pi).
pub(crate) fn restore_block(originals: &[&str], lines: &[String]) -> Option<Vec<String>> {
    let indent = spaces_and_tabs(originals.first()?);
    let first = lines.iter().find(|line| !trim(line).is_empty())?;
    if indent.is_empty()
        || !spaces_and_tabs(first).is_empty()
        || equal_when_trimmed(originals, lines)
    {
        return None;
    }
    let indented = lines.iter().map(|line| {
        if line.is_empty() {
            String::new()
        } else {
            format!("{indent}{line}")
        }
    });
    Some(indented.collect())
}

type Indent = for<'a> fn(&'a str, &str) -> Option<&'a str>;

fn paired(originals: &[&str], lines: &[String], indent: Indent) -> Option<Vec<String>> {
    if originals.len() != lines.len() {
        return None;
    }
    let indents: Vec<&str> = originals
        .iter()
        .zip(lines)
        .map(|(original, line)| indent(original, line).unwrap_or_default())
        .collect();
    if indents.iter().all(|indent| indent.is_empty()) {
        return None;
    }
    Some(
        indents
            .iter()
            .zip(lines)
            .map(|(indent, line)| format!("{indent}{line}"))
            .collect(),
    )
}

fn missing_indent<'a>(original: &'a str, line: &str) -> Option<&'a str> {
    let indent = leading(original);
    (!indent.is_empty() && !line.is_empty() && leading(line).is_empty()).then_some(indent)
}

fn accidental_dedent<'a>(original: &'a str, line: &str) -> Option<&'a str> {
    missing_indent(original, line).filter(|_| trim(original) != trim(line))
}

fn spaces_and_tabs(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn equal_when_trimmed(originals: &[&str], lines: &[String]) -> bool {
    originals.len() == lines.len()
        && originals
            .iter()
            .zip(lines)
            .all(|(original, line)| trim(original) == trim(line))
}

#[cfg(test)]
mod tests {
    use super::{
        restore_block, restore_first_line, restore_indentation, restore_paired_unless_dedent,
    };

    type Rule = fn(&[&str], &[String]) -> Option<Vec<String>>;

    fn check(rule: Rule, originals: &[&str], lines: &[&str], restored: Option<&[&str]>) {
        let owned = |lines: &[&str]| {
            lines
                .iter()
                .map(|&line| line.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            rule(originals, &owned(lines)),
            restored.map(owned),
            "{originals:?} {lines:?}"
        );
    }

    #[test]
    fn omp_indents_line_by_line() {
        check(
            restore_indentation,
            &["  a", "\tb", "c"],
            &["x", " y", "z"],
            Some(&["  x", " y", "z"]),
        );
        check(restore_indentation, &["  a"], &["a"], Some(&["  a"]));
        check(restore_indentation, &["  a"], &[""], None);
        check(restore_indentation, &["  a"], &["x", "y"], None);
        check(restore_indentation, &[], &[], None);
    }

    #[test]
    fn openagent_takes_a_pure_dedent_for_meant() {
        check(
            restore_paired_unless_dedent,
            &["  a", "  b"],
            &["a", "x"],
            Some(&["a", "  x"]),
        );
        check(restore_paired_unless_dedent, &["  a"], &["a "], None);
        check(
            restore_first_line,
            &["  a", "  b"],
            &["x", "y", "z"],
            Some(&["  x", "y", "z"]),
        );
        check(restore_first_line, &["  a"], &["a", "b"], None);
        check(restore_first_line, &["  a"], &[], None);
        check(restore_first_line, &[], &["a"], None);
    }

    #[test]
    fn pi_moves_a_block_as_a_whole() {
        check(
            restore_block,
            &["  a"],
            &["", "x", "  y", "z"],
            Some(&["", "  x", "    y", "  z"]),
        );
        check(restore_block, &["  a"], &[" x", "y"], None);
        check(restore_block, &["a"], &["x"], None);
        check(restore_block, &["  a"], &["a"], None);
        check(restore_block, &["\u{a0}a"], &["x"], None);
        check(restore_block, &["  a"], &["", " "], None);
    }
}
