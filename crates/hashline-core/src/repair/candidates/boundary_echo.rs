//! Removes the neighbours of a replaced range from new text that repeats them.
//!
//! Asked for the new text of lines 5 to 7, a model sometimes also sends lines 4 and 8, for orientation. Only new text with more lines
//! than the range is suspected, and only its first and its last line.

use crate::text::whitespace::squash;

/// When a line of the new text counts as equal to a neighbour of the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Two lines are equal if every character is equal.
    Exactly,
    /// Two lines are equal if they are equal after all white space is removed.
    IgnoringWhitespace,
}

/// The lines around a replaced range, and how many lines the range has.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The line before the replaced range, if there is one.
    pub above: Option<&'a str>,
    /// The line after the replaced range, if there is one.
    pub below: Option<&'a str>,
    /// How many lines the replaced range has.
    pub replaced: usize,
}

impl Alike {
    fn holds(self, one: &str, other: &str) -> bool {
        match self {
            Self::Exactly => one == other,
            Self::IgnoringWhitespace => squash(one) == squash(other),
        }
    }
}

/// Removes the first line if it repeats the line above the range, and the last line if it repeats the line below the range.
///
/// The lengths of text and range are compared once, before any line is removed. Returns the lines that are left (maybe none), or `None`
/// if none was removed.
#[must_use]
pub fn drop_boundary_echo(
    lines: &[String],
    around: Surroundings<'_>,
    alike: Alike,
) -> Option<Vec<String>> {
    if lines.len() < 2 || lines.len() <= around.replaced {
        return None;
    }
    let repeats = |line: Option<&String>, neighbour: Option<&str>| {
        line.zip(neighbour)
            .is_some_and(|(line, neighbour)| alike.holds(line, neighbour))
    };
    let above = repeats(lines.first(), around.above);
    let below = repeats(lines.last(), around.below);
    let kept = &lines[usize::from(above)..lines.len() - usize::from(below)];
    (above || below).then(|| kept.to_vec())
}

#[cfg(test)]
mod tests {
    use super::{Alike, Surroundings, drop_boundary_echo};

    fn kept(lines: &[&str], replaced: usize, alike: Alike) -> Option<Vec<String>> {
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let around = Surroundings {
            above: Some("above"),
            below: Some("below"),
            replaced,
        };
        drop_boundary_echo(&lines, around, alike)
    }

    #[test]
    fn either_end_goes_if_it_repeats_its_neighbour() {
        let x = || vec!["x".to_owned()];
        assert_eq!(kept(&["above", "x"], 1, Alike::Exactly), Some(x()));
        assert_eq!(kept(&["x", "below"], 1, Alike::Exactly), Some(x()));
        assert_eq!(kept(&["above", "x", "below"], 2, Alike::Exactly), Some(x()));
        assert_eq!(kept(&["above", "below"], 1, Alike::Exactly), Some(vec![]));
    }

    #[test]
    fn a_payload_no_longer_than_its_range_is_left_alone() {
        assert_eq!(kept(&["above"], 0, Alike::Exactly), None);
        assert_eq!(kept(&["above", "x"], 2, Alike::Exactly), None);
        assert_eq!(kept(&[], 0, Alike::Exactly), None);
    }

    #[test]
    fn white_space_matters_only_to_an_exact_comparison() {
        assert_eq!(kept(&[" ab ove", "x"], 1, Alike::Exactly), None);
        assert_eq!(
            kept(&[" ab ove", "x"], 1, Alike::IgnoringWhitespace),
            Some(vec!["x".to_owned()])
        );
    }

    #[test]
    fn a_missing_neighbour_echoes_nothing() {
        let around = Surroundings {
            above: None,
            below: None,
            replaced: 1,
        };
        assert_eq!(
            drop_boundary_echo(&[String::new(), String::new()], around, Alike::Exactly),
            None
        );
    }
}
