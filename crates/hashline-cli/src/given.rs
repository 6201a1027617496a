//! What is set on the command line, in the words of the configuration.

use hashline_workspace::config::ConfigOverrides;

use crate::args::Global;
use crate::trouble::Trouble;

/// Returns what `--set` says.
pub(crate) fn given(global: &Global) -> Result<ConfigOverrides, Trouble> {
    let mut given = ConfigOverrides::default();
    for pair in &global.set {
        given = given.with_pair(pair)?;
    }
    Ok(given)
}
