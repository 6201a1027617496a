//! The table of plain readers: commands that print the files they are given.

use super::{Call, Deed, Piped};
use crate::guard::options::{PLAIN, Spec};
use crate::guard::places::Places;
use crate::guard::shell::Word;

/// A command that prints its input.
#[derive(Debug)]
pub(crate) struct Reader {
    names: &'static [&'static str],
    spec: Spec,
    words: Words,
}

/// What the words are that are no options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    /// Files.
    Files,
    /// Files, and commands that begin with `+`: `+F`, `+12`.
    FilesAndPlus,
    /// No files: only the standard input is read.
    NoFiles,
}

/// All of them.
const READERS: &[Reader] = &[
    row(&["cat", "rev", "gcat"], PLAIN, Words::Files),
    row(&["most"], PLAIN, Words::FilesAndPlus),
    row(
        &["tac", "gtac"],
        spec("s", "", &["separator"]),
        Words::Files,
    ),
    row(
        &["head", "ghead"],
        spec("nc", "", &["lines", "bytes"]),
        Words::Files,
    ),
    row(
        &["tail", "gtail"],
        spec(
            "ncs",
            "",
            &[
                "lines",
                "bytes",
                "sleep-interval",
                "pid",
                "max-unchanged-stats",
            ],
        ),
        Words::FilesAndPlus,
    ),
    row(
        &["less"],
        spec(
            "bhjkoOpPtTxyzD#",
            "",
            &[
                "pattern",
                "prompt",
                "tag",
                "tag-file",
                "log-file",
                "LOG-FILE",
                "tabs",
                "window",
                "jump-target",
            ],
        ),
        Words::FilesAndPlus,
    ),
    row(&["more"], spec("n", "", &["lines"]), Words::FilesAndPlus),
    row(
        &["view"],
        spec("cuSTtWwi", "", &["cmd"]),
        Words::FilesAndPlus,
    ),
    row(
        &["nl"],
        spec(
            "bdfhilnsvw",
            "",
            &[
                "body-numbering",
                "section-delimiter",
                "footer-numbering",
                "header-numbering",
                "line-increment",
                "join-blank-lines",
                "number-format",
                "number-separator",
                "starting-line-number",
                "number-width",
            ],
        ),
        Words::Files,
    ),
    row(
        &["bat", "batcat"],
        spec(
            "lrHm",
            "",
            &[
                "language",
                "line-range",
                "highlight-line",
                "theme",
                "theme-dark",
                "theme-light",
                "style",
                "map-syntax",
                "file-name",
                "tabs",
                "wrap",
                "terminal-width",
                "color",
                "decorations",
                "paging",
                "pager",
                "italic-text",
                "diff-context",
                "nonprintable-notation",
                "binary",
                "squeeze-limit",
                "strip-ansi",
                "ignored-suffix",
            ],
        ),
        Words::Files,
    ),
    // It spells long options with one hyphen (`-plain`) and knows no clusters.
    row(
        &["xxd"],
        spec(
            "slcgonR",
            "pabiurCeEd",
            &["-seek", "-len", "-cols", "-groupsize", "-offset", "-name"],
        ),
        Words::Files,
    ),
    row(
        &["hexdump", "hd"],
        spec("nsef", "", &["length", "skip", "format", "format-file"]),
        Words::Files,
    ),
    row(
        &["od", "god"],
        spec(
            "AjNtS",
            "w",
            &[
                "address-radix",
                "skip-bytes",
                "read-bytes",
                "format",
                "strings",
                "endian",
            ],
        ),
        Words::Files,
    ),
    row(
        &["strings"],
        spec(
            "ntTesU",
            "",
            &[
                "bytes",
                "radix",
                "target",
                "encoding",
                "output-separator",
                "unicode",
            ],
        ),
        Words::Files,
    ),
    row(
        &["base64", "gbase64"],
        spec("wb", "", &["wrap", "break"]),
        Words::Files,
    ),
    row(&["fold", "gfold"], spec("w", "", &["width"]), Words::Files),
    row(
        &["fmt"],
        spec("wpg", "", &["width", "prefix", "goal"]),
        Words::Files,
    ),
    row(
        &["expand", "unexpand"],
        spec("t", "", &["tabs"]),
        Words::Files,
    ),
    row(
        &["pr"],
        spec(
            "DhlNoWw",
            "einsS",
            &[
                "date-format",
                "header",
                "length",
                "first-line-number",
                "indent",
                "page-width",
                "width",
                "columns",
            ],
        ),
        Words::FilesAndPlus,
    ),
    row(
        &["cut", "gcut"],
        spec(
            "dfcb",
            "",
            &[
                "delimiter",
                "fields",
                "characters",
                "bytes",
                "output-delimiter",
            ],
        ),
        Words::Files,
    ),
    row(&["paste"], spec("d", "", &["delimiters"]), Words::Files),
    row(
        &["column"],
        spec(
            "cEHilNnoOprRsTW",
            "",
            &[
                "output-width",
                "separator",
                "output-separator",
                "table-columns",
                "table-name",
                "table-order",
                "table-right",
                "table-truncate",
                "table-wrap",
                "table-hide",
                "table-noextreme",
                "table-columns-limit",
                "tree",
                "tree-id",
                "tree-parent",
            ],
        ),
        Words::Files,
    ),
    row(&["tr", "gtr"], PLAIN, Words::NoFiles),
];

const fn row(names: &'static [&'static str], spec: Spec, words: Words) -> Reader {
    Reader { names, spec, words }
}

const fn spec(valued: &'static str, attached: &'static str, long: &'static [&'static str]) -> Spec {
    Spec {
        valued,
        attached,
        long,
    }
}

/// Finds the reader of this name.
pub(crate) fn find(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.names.contains(&name))
}

impl Reader {
    /// Prints the first guarded file among its operands, or its standard input.
    pub(crate) fn judge(&self, call: &Call, places: &Places) -> Deed {
        let mut operands = self.spec.read(&call.args).operands;
        match self.words {
            Words::Files => {}
            Words::FilesAndPlus => operands.retain(|word| !begins_with_plus(word)),
            Words::NoFiles => operands.clear(),
        }
        Deed {
            shows: call.guarded_input(&operands, places),
            piped: Piped::Passed,
            ..Deed::default()
        }
    }
}

fn begins_with_plus(word: &Word) -> bool {
    word.head().0.starts_with('+')
}
