//! What is set on the command line, in the words of the configuration.

use hashline_workspace::config::Given;

use crate::args::Global;
use crate::trouble::Trouble;

/// Returns what `--set` says.
pub(crate) fn given(global: &Global) -> Result<Given, Trouble> {
    let mut given = Given::default();
    for pair in &global.set {
        given = given.with_pair(pair)?;
    }
    Ok(given)
}
