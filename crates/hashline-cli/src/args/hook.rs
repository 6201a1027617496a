//! `hashline hook`.

use clap::Args;
use hashline_core::dialect::Dialect;

use super::DialectArg;

#[derive(Clone, Copy, Debug, Args)]
#[command(after_long_help = include_str!("../../help/hook.txt"))]
pub(crate) struct HookArgs {
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

impl HookArgs {
    /// Parses the arguments that setup writes, without clap: to build the help of all commands would take longer than the answer.
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
