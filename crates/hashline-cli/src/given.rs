//! What is set on the command line, in the words of the configuration.

use hashline_workspace::config::ConfigOverrides;

use crate::args::Global;
use hashline_wire::Refusal;

/// Returns what `--set` says.
pub(crate) fn given(global: &Global) -> Result<ConfigOverrides, Refusal> {
    let mut given = ConfigOverrides::default();
    for pair in &global.set {
        given = given
            .with_pair(pair)
            .map_err(|error| hashline_session::words::read_refusal(&error))?;
    }
    Ok(given)
}
