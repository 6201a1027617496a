//! The table of editors: a guarded file that is opened in one will be written.

use super::{Call, Deed};
use crate::guard::options::Spec;
use crate::guard::places::Places;

/// A program that edits the files it is given.
#[derive(Debug)]
pub(crate) struct Editor {
    names: &'static [&'static str],
    spec: Spec,
}

/// All of them.
const EDITORS: &[Editor] = &[
    VIM,
    // Here `-s` says to be silent.
    row(&["ex"], "cuUSTtWwi", VI),
    row(
        &["nano", "pico"],
        "CQTYorsX",
        &[
            "backupdir",
            "tabsize",
            "syntax",
            "fill",
            "operatingdir",
            "speller",
        ],
    ),
    row(
        &["micro"],
        "",
        &[
            "config-dir",
            "-config-dir",
            "-filetype",
            "-colorscheme",
            "-tabsize",
            "-encoding",
            "-fileformat",
            "-ruler",
            "-syntax",
            "-softwrap",
        ],
    ),
    row(
        &["emacs"],
        "lfutL",
        &[
            "load",
            "funcall",
            "eval",
            "execute",
            "script",
            "directory",
            "user",
        ],
    ),
    row(&["ed"], "p", &["prompt"]),
];

/// It reads keys from the file after `-s`, but is silent with `-es`.
const VIM: Editor = Editor {
    names: &["vi", "vim", "nvim"],
    spec: Spec {
        valued: "cuUSTtWwis",
        attached: "eE",
        long: VI,
    },
};

/// The long options of vi and its relatives.
const VI: &[&str] = &["cmd", "listen", "server"];

const fn row(
    names: &'static [&'static str],
    valued: &'static str,
    long: &'static [&'static str],
) -> Editor {
    let spec = Spec {
        valued,
        attached: "",
        long,
    };
    Editor { names, spec }
}

/// Finds the editor of this name.
pub(crate) fn find(name: &str) -> Option<&'static Editor> {
    EDITORS.iter().find(|editor| editor.names.contains(&name))
}

impl Editor {
    /// Writes the guarded files among its operands. `+12` is a place in a file.
    pub(crate) fn judge(&self, call: &Call, places: &Places) -> Deed {
        let operands = self.spec.read(&call.args).operands;
        let files = operands
            .iter()
            .filter(|word| !word.head().0.starts_with('+'));
        Deed::writing(files, places)
    }
}
