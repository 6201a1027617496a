//! Splits the arguments of a shell command into options and operands, by a table of the options that take a value.
//!
//! The value of an option (`20` in `head -n 20`) must not be taken for a file name, nor a file name for a value. The tables of the guard
//! list, for each command, only the options that take a value.

use crate::guard::shell::Word;

/// The options of a shell command that take a value, with their hyphens and separated by blanks: `-n --lines`.
///
/// An entry `-n` or `--lines` takes its value from the rest of the word or from the next word: `-n20`, `-n 20`, `--lines=20`, `--lines 20`.
/// An entry `-i?` has an optional value, taken only from the rest of the word: `-i.bak`. An entry `-len` is a long option with a single
/// hyphen. Options without a value are not listed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueOptions(pub(crate) &'static str);

/// The arguments of a shell command, split into options and operands.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// The given options: the name without hyphens (a letter or a long name; only `-len` keeps its hyphen) and the value, if any.
    options: Vec<(String, Option<Word>)>,
    /// The arguments that are neither an option nor the value of an option, such as file names.
    pub(crate) operands: Vec<Word>,
}

/// Whether options may still follow the first operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Options may follow operands, as GNU programs allow.
    Mixed,
    /// The first operand ends the options: the words after it belong to another command, as in `sudo -u me ls -l`.
    Before,
}

impl ValueOptions {
    /// Splits arguments into options and operands; options may follow operands.
    pub(crate) fn read(self, words: &[Word]) -> Arguments {
        self.read_in(words, Order::Mixed)
    }

    /// Splits arguments into options and operands; the first operand and all words after it are operands.
    pub(crate) fn read_leading(self, words: &[Word]) -> Arguments {
        self.read_in(words, Order::Before)
    }

    fn read_in(self, words: &[Word], order: Order) -> Arguments {
        let mut arguments = Arguments::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (head, _) = word.head();
            if word.is("--") {
                break;
            } else if let Some(long) = head.strip_prefix("--") {
                arguments.options.push(self.long(long, word, &mut words));
            } else if head.len() > 2 && lists(self.0, &head) {
                arguments.options.push((head, words.next().cloned()));
            } else if head.starts_with('-') && !word.is("-") {
                self.cluster(word, &mut words, &mut arguments.options);
            } else {
                arguments.operands.push(word.clone());
                if order == Order::Before {
                    break;
                }
            }
        }
        arguments.operands.extend(words.cloned());
        arguments
    }

    fn long<'a>(
        self,
        head: &str,
        word: &Word,
        words: &mut impl Iterator<Item = &'a Word>,
    ) -> (String, Option<Word>) {
        if let Some((name, _)) = head.split_once('=') {
            let value = word.after("--".len() + name.len() + "=".len());
            return (name.to_owned(), Some(value));
        }
        let takes_next = lists(self.0, &format!("--{head}"));
        let value = takes_next.then(|| words.next().cloned()).flatten();
        (head.to_owned(), value)
    }

    fn cluster<'a>(
        self,
        word: &Word,
        words: &mut impl Iterator<Item = &'a Word>,
        options: &mut Vec<(String, Option<Word>)>,
    ) {
        let (head, rest) = word.head();
        for (at, letter) in head.char_indices().skip(1) {
            let end = at + letter.len_utf8();
            let is_last = end == head.len() && rest.is_empty();
            let name = letter.to_string();
            if lists(self.0, &format!("-{letter}")) {
                let value = if is_last {
                    words.next().cloned()
                } else {
                    Some(word.after(end))
                };
                options.push((name, value));
                return;
            }
            if lists(self.0, &format!("-{letter}?")) {
                options.push((name, (!is_last).then(|| word.after(end))));
                return;
            }
            options.push((name, None));
        }
    }
}

impl Arguments {
    /// Returns whether one of the options in `names` was given; `names` are separated by blanks, without hyphens.
    pub(crate) fn has(&self, names: &str) -> bool {
        self.options.iter().any(|(name, _)| lists(names, name))
    }

    /// Returns the values given to the options in `names`, which are separated by blanks, without hyphens.
    pub(crate) fn values<'a>(&'a self, names: &'a str) -> impl Iterator<Item = &'a Word> {
        let options = self.options.iter();
        let options = options.filter(|(name, _)| lists(names, name));
        options.filter_map(|(_, value)| value.as_ref())
    }
}

/// Returns whether `name` is one of `names`, which are separated by blanks. The guard writes its tables as such strings because they are
/// shorter than slices.
pub(crate) fn lists(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|own| own == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: ValueOptions = ValueOptions("-n -i? --lines -nth");

    fn read(words: &[&str]) -> (Vec<String>, Vec<String>) {
        let words: Vec<Word> = words.iter().map(|word| Word::known(word)).collect();
        let arguments = OPTIONS.read(&words);
        let options = arguments.options.iter().map(|option| match option {
            (name, Some(value)) => format!("{name}={}", value.source()),
            (name, None) => name.clone(),
        });
        let operands = arguments.operands.iter().map(Word::source);
        (options.collect(), operands.collect())
    }

    #[test]
    fn values_are_not_operands() {
        let (options, operands) =
            read(&["-n", "20", "-En5", "a", "--lines", "3", "--lines=4", "b"]);
        assert_eq!(options, ["n=20", "E", "n=5", "lines=3", "lines=4"]);
        assert_eq!(operands, ["a", "b"]);
    }

    #[test]
    fn an_attached_value_never_takes_the_next_word() {
        assert_eq!(read(&["-Ei", "a"]).0, ["E", "i"]);
        assert_eq!(read(&["-i.bak", "a"]).0, ["i=.bak"]);
    }

    #[test]
    fn a_long_option_may_have_one_hyphen() {
        let (options, operands) = read(&["-nth", "3", "a"]);
        assert_eq!(options, ["-nth=3"]);
        assert_eq!(operands, ["a"]);
    }

    #[test]
    fn two_hyphens_end_the_options() {
        assert_eq!(read(&["-", "--", "-n", "a"]).1, ["-", "-n", "a"]);
    }
}
