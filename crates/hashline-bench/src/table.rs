//! Tables of text: the first columns to the left, figures to the right.

use std::io::Write;

use anyhow::Result;

/// A table being filled.
pub(crate) struct Table {
    /// How many columns hold words; the others hold figures.
    words: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Starts a table whose first `words` columns hold words.
    pub(crate) fn new<S: Into<String>>(words: usize, header: impl IntoIterator<Item = S>) -> Self {
        Self {
            words,
            rows: vec![header.into_iter().map(Into::into).collect()],
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Prints the table.
    pub(crate) fn print(&self, out: &mut dyn Write) -> Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(|column| self.width(column)).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate();
            let line: String = cells
                .map(|(column, (cell, &width))| {
                    if column < self.words {
                        format!("  {cell:<width$}")
                    } else {
                        format!("  {cell:>width$}")
                    }
                })
                .collect();
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

/// Spells a count with its thousands apart; none is a dot, so that the others stand out.
pub(crate) fn count(number: u64) -> String {
    if number == 0 {
        return "·".to_owned();
    }
    let digits = number.to_string();
    let mut spelled = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            spelled.push(',');
        }
        spelled.push(digit);
    }
    spelled
}

/// Spells a part of a whole in percent: exactly 100 and 0 only for all and none.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return "·".to_owned();
    }
    if part == whole {
        return "100".to_owned();
    }
    let share = 100.0 * part as f64 / whole as f64;
    format!("{:.2}", share.clamp(0.01, 99.99))
}

/// Draws a part of a whole as a bar of up to `width` blocks.
pub(crate) fn bar(part: f64, whole: f64, width: usize) -> String {
    let full = if whole > 0.0 { part / whole } else { 0.0 };
    let blocks = (0..width).filter(|&block| (block as f64 + 0.5) / width as f64 <= full);
    blocks.map(|_| '█').collect()
}

#[cfg(test)]
mod tests {
    use super::{bar, count, percent};

    #[test]
    fn figures_are_spelled_for_people() {
        assert_eq!(count(0), "·");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(percent(1, 3), "33.33");
        assert_eq!(percent(99_999, 100_000), "99.99");
        assert_eq!(percent(5, 5), "100");
        assert_eq!(bar(1.0, 2.0, 4), "██");
    }
}
