//! Commands that print the files they are given, and editors.

use super::{Call, Deed};
use crate::guard::options::Arguments;
use crate::guard::places::Places;
use crate::guard::shell::Word;

/// Prints its operands, or its standard input.
pub(super) fn reader(call: &Call, arguments: &Arguments, places: &Places) -> Deed {
    Deed::printing(call, &arguments.operands, places)
}

/// A reader that takes commands such as `+F` and `+12` among its operands.
pub(super) fn pager(call: &Call, arguments: &Arguments, places: &Places) -> Deed {
    Deed::printing(call, &without_plus(arguments), places)
}

/// Writes the guarded files among its operands.
pub(super) fn editor(_: &Call, arguments: &Arguments, places: &Places) -> Deed {
    Deed::writing(&without_plus(arguments), places)
}

fn without_plus(arguments: &Arguments) -> Vec<Word> {
    let mut operands = arguments.operands.clone();
    operands.retain(|word| !word.head().0.starts_with('+'));
    operands
}

/// Its operands are no files.
pub(super) fn tr(call: &Call, _: &Arguments, places: &Places) -> Deed {
    Deed::printing(call, &[], places)
}

/// Writes its `of=`, else prints its `if=` or its standard input.
pub(super) fn dd(call: &Call, _: &Arguments, places: &Places) -> Deed {
    let assigned = |name: &str| call.args.iter().find_map(|word| word.strip_prefix(name));
    match assigned("of=") {
        Some(output) => Deed::writing([&output], places),
        None => Deed::printing(call, assigned("if=").as_slice(), places),
    }
}
