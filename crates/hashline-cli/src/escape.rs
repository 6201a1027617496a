//! Escaping of control characters: everything printed to a terminal is escaped, and file names are escaped wherever they are printed.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Escapes characters that would control the terminal, except newlines and tabs.
pub(crate) fn for_terminal(text: &str) -> Cow<'_, str> {
    let is_hostile = |letter: char| acts_on_terminal(letter) && !matches!(letter, '\n' | '\t');
    escape_with(text, is_hostile, escaped)
}

/// Escapes all control characters in a file name, including newlines, so that the name stays on its line.
pub(crate) fn name(name: &str) -> Cow<'_, str> {
    escape_with(name, acts_on_terminal, escaped)
}

/// Escapes control characters in JSON text that `serde_json` leaves unescaped, such as DEL and bidirectional controls, as `\uXXXX`.
pub(crate) fn in_json(text: &str) -> Cow<'_, str> {
    let is_hostile = |letter: char| acts_on_terminal(letter) && letter != '\n';
    escape_with(text, is_hostile, |letter| {
        format!("\\u{:04x}", u32::from(letter))
    })
}

/// A writer that escapes control characters and bytes that are not UTF-8.
pub(crate) struct EscapingWriter<W>(pub(crate) W);

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for chunk in bytes.utf8_chunks() {
            self.0.write_all(for_terminal(chunk.valid()).as_bytes())?;
            for byte in chunk.invalid() {
                write!(self.0, "\\x{byte:02X}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns whether a terminal would act on a character instead of showing it: control characters, and those that change the direction of text.
fn acts_on_terminal(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(letter: char) -> String {
    match letter {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        letter if letter.is_ascii() => format!("\\x{:02x}", u32::from(letter)),
        letter => format!("\\u{{{:x}}}", u32::from(letter)),
    }
}

fn escape_with(
    text: &str,
    is_hostile: impl Fn(char) -> bool,
    spell: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.contains(&is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        // A string takes whatever is written to it.
        let _ = if is_hostile(letter) {
            shown.write_str(&spell(letter))
        } else {
            shown.write_char(letter)
        };
    }
    Cow::Owned(shown)
}
