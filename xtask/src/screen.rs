//! What a person sees: notes on standard error, where cargo's own go, and results on standard output.
//!
//! A reader who hung up is no reason to stop the work, so a failed write is let go.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// Writes one line to standard output.
pub(crate) fn line(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Writes one line to standard error.
pub(crate) fn note(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes the heading of a step to standard error.
pub(crate) fn heading(title: impl Display) {
    note(format_args!("\n== {title}"));
}

/// Writes rows with aligned columns to standard output.
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) {
    let _ = write!(io::stdout(), "{}", aligned(rows));
}

/// Returns a time as people read it: `4.2 s`, `12 min 05 s`.
pub(crate) fn elapsed(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let widths: [usize; N] = std::array::from_fn(|column| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    });
    rows.iter()
        .map(|row| {
            let line: String = row
                .iter()
                .zip(widths)
                .map(|(cell, width)| format!("{cell:width$}  "))
                .collect();
            format!("  {}\n", line.trim_end())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{aligned, elapsed};

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [
            ["a".to_owned(), "x".to_owned()],
            ["long".to_owned(), String::new()],
        ];
        assert_eq!(aligned(&rows), "  a     x\n  long\n");
    }

    #[test]
    fn a_time_is_said_in_seconds_until_it_fills_a_minute() {
        assert_eq!(elapsed(Duration::from_millis(4_230)), "4.2 s");
        assert_eq!(elapsed(Duration::from_secs(725)), "12 min 05 s");
    }
}
