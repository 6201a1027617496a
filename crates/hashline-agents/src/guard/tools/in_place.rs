//! Commands that write the files they are given: `tee`, `sponge`, `yq -i`, `sd`, `sort -o`, `truncate`.

use super::call::is_terminal;
use super::{Call, Deed, Piped};
use crate::guard::options::{PLAIN, Spec};
use crate::guard::places::Places;

const YQ: Spec = Spec {
    valued: "opIs",
    attached: "",
    long: &[
        "input-format",
        "output-format",
        "indent",
        "from-file",
        "expression",
        "split-exp",
        "front-matter",
        "xml-attribute-prefix",
        "xml-content-name",
    ],
};

/// The commands of `yq` that take an expression and files, as it does without a command.
const YQ_COMMANDS: &[&str] = &["eval", "e", "eval-all", "ea"];

const SD: Spec = Spec {
    valued: "fn",
    attached: "",
    long: &["flags", "max-replacements"],
};

const SORT: Spec = Spec {
    valued: "ktSTo",
    attached: "",
    long: &[
        "key",
        "field-separator",
        "buffer-size",
        "temporary-directory",
        "output",
        "parallel",
        "compress-program",
        "files0-from",
        "batch-size",
        "random-source",
        "sort",
    ],
};

const TRUNCATE: Spec = Spec {
    valued: "sr",
    attached: "",
    long: &["size", "reference"],
};

/// Also `sponge`, which prints nothing.
pub(super) fn tee(call: &Call, places: &Places) -> Deed {
    let files = PLAIN.read(&call.args).operands;
    let shows_it = files.iter().any(|file| is_terminal(file, places));
    let piped = match call.name.as_str() {
        "tee" if shows_it => Piped::Shown,
        "tee" => Piped::Passed,
        _ => Piped::Consumed,
    };
    let shows = match piped {
        Piped::Consumed => None,
        Piped::Passed | Piped::Shown => call.guarded_input(&[], places),
    };
    Deed {
        shows,
        piped,
        ..Deed::writing(&files, places)
    }
}

pub(super) fn yq(call: &Call, places: &Places) -> Deed {
    let arguments = YQ.read(&call.args);
    if !arguments.has(&["i", "inplace", "in-place"]) {
        return Deed::default();
    }
    let mut files = arguments.operands.as_slice();
    if files
        .first()
        .is_some_and(|word| YQ_COMMANDS.iter().any(|name| word.is(name)))
    {
        files = files.get(1..).unwrap_or_default();
    }
    if !arguments.has(&["from-file", "expression"]) {
        files = files.get(1..).unwrap_or_default();
    }
    Deed::writing(files, places)
}

/// `sd FIND REPLACE FILES`; without files it is a filter.
pub(super) fn sd(call: &Call, places: &Places) -> Deed {
    let arguments = SD.read(&call.args);
    if arguments.has(&["p", "preview"]) {
        return Deed::default();
    }
    Deed::writing(arguments.operands.get(2..).unwrap_or_default(), places)
}

pub(super) fn sort(call: &Call, places: &Places) -> Deed {
    let arguments = SORT.read(&call.args);
    Deed::writing(arguments.values(&["o", "output"]), places)
}

pub(super) fn truncate(call: &Call, places: &Places) -> Deed {
    Deed::writing(&TRUNCATE.read(&call.args).operands, places)
}
