//! All that a check may ask about the front.

use crate::front::bounds::Bounds;
use crate::front::checks::Check;
use crate::front::listen::Hosts;
use crate::front::origins::Origins;
use crate::front::routes::Routes;
use crate::front::token::Token;

/// What the connections of one front share.
pub(crate) struct Door {
    pub(crate) hosts: Hosts,
    pub(crate) token: Token,
    pub(crate) origins: Origins,
    pub(crate) bounds: Bounds,
    pub(crate) routes: Routes,
    #[cfg(test)]
    pub(crate) left_out: Option<Check>,
}

impl Door {
    /// Returns whether a check is left out, which only a test can ask for: to see that without it the handler would be reached.
    #[cfg(test)]
    pub(crate) fn leaves_out(&self, check: Check) -> bool {
        self.left_out == Some(check)
    }

    /// Leaves no check out.
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "the tests ask the door")]
    pub(crate) fn leaves_out(&self, _: Check) -> bool {
        false
    }
}
