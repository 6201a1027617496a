//! Commands that print the files they are given, and editors.

use super::{CommandCall, Effect};
use crate::guard::options::Arguments;
use crate::guard::places::GuardPaths;
use crate::guard::shell::Word;

/// Prints its operands, or its standard input.
pub(super) fn reader(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::printing(call, &arguments.operands, places)
}

/// A reader that takes commands such as `+F` and `+12` among its operands.
pub(super) fn pager(call: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::printing(call, &without_plus(arguments), places)
}

/// Writes the guarded files among its operands.
pub(super) fn editor(_: &CommandCall, arguments: &Arguments, places: &GuardPaths) -> Effect {
    Effect::writing(&without_plus(arguments), places)
}

fn without_plus(arguments: &Arguments) -> Vec<Word> {
    let mut operands = arguments.operands.clone();
    operands.retain(|word| !word.head().0.starts_with('+'));
    operands
}

/// Its operands are no files.
pub(super) fn tr(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    Effect::printing(call, &[], places)
}

/// Writes its `of=`, else prints its `if=` or its standard input.
pub(super) fn dd(call: &CommandCall, _: &Arguments, places: &GuardPaths) -> Effect {
    let assigned = |name: &str| call.args.iter().find_map(|word| word.strip_prefix(name));
    match assigned("of=") {
        Some(output) => Effect::writing([&output], places),
        None => Effect::printing(call, assigned("if=").as_slice(), places),
    }
}
