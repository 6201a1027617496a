//! Quoting of words and paths for a shell command line.

use std::borrow::Cow;
use std::path::Path;

/// Quotes a word, if necessary, so that a POSIX shell passes it on as one unchanged argument.
#[must_use]
pub fn word(word: &str) -> String {
    // Only a NUL cannot be quoted, which no program can be given anyway.
    let quoted = shlex::try_quote(word).unwrap_or(Cow::Borrowed("''"));
    quoted.into_owned()
}

/// Quotes a path as [`word`] does, with `./` before a leading `-` so that no program takes it for an option.
#[must_use]
pub fn path(path: &Path) -> String {
    let spelled = path.to_string_lossy();
    if spelled.starts_with('-') {
        word(&format!("./{spelled}"))
    } else {
        word(&spelled)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{path, word};

    #[test]
    fn a_word_is_one_word_in_a_shell() {
        for one in ["a b", "it's", "", "$HOME", "a\"b'c", "src/a-b_1.rs", "a;b"] {
            assert_eq!(shlex::split(&word(one)), Some(vec![one.to_owned()]));
        }
        assert_eq!(word("src/a-b_1.rs"), "src/a-b_1.rs");
        assert_eq!(word("a b"), "'a b'");
    }

    #[test]
    fn a_path_is_no_option() {
        assert_eq!(path(Path::new("-x")), "./-x");
        assert_eq!(path(Path::new("--a b")), "'./--a b'");
        assert_eq!(path(Path::new("/my state/x")), "'/my state/x'");
    }
}
