//! `dd`, whose arguments are assignments.

use super::{Call, Deed, Piped};
use crate::guard::places::Places;
use crate::guard::shell::Word;

/// Writes its `of=`, else prints its `if=` or its standard input.
pub(super) fn judge(call: &Call, places: &Places) -> Deed {
    if let Some(output) = assigned(call, "of=") {
        return Deed::writing([&output], places);
    }
    let input: Vec<Word> = assigned(call, "if=").into_iter().collect();
    Deed {
        shows: call.guarded_input(&input, places),
        piped: Piped::Passed,
        ..Deed::default()
    }
}

fn assigned(call: &Call, name: &str) -> Option<Word> {
    call.args.iter().find_map(|word| word.strip_prefix(name))
}
