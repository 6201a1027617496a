//! `hashline hook`.

use clap::Args;
use hashline_core::dialect::Dialect;

use super::DialectArg;

/// Answer an agent that tells of a tool it is about to use, or has used
///
/// Agents run this with their JSON on standard input; `hashline setup` puts it into their settings. Native edit tools and shell
/// commands that go past hashline are turned back with the call to make instead; what a native read tool shows gets anchors where the
/// agent lets it be rewritten. Which agent asks is told by the shape of the JSON. Whatever is not understood, broken or slow passes.
#[derive(Clone, Copy, Debug, Args)]
#[command(after_long_help = include_str!("../../help/hook.txt"))]
pub(crate) struct HookArgs {
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

impl HookArgs {
    /// Understands the arguments that setup writes, without the help of every command being built for them.
    pub(crate) fn as_set_up(args: &[&str]) -> Option<Self> {
        let dialect = match args {
            ["hook"] => None,
            ["hook", "--dialect", name] => Some(Dialect::named(name)?),
            _ => return None,
        };
        let dialect = DialectArg { dialect };
        Some(Self { dialect })
    }
}
