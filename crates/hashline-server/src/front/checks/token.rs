//! Whether the caller has the token.

use crate::front::door::Door;
use crate::front::head::Head;
use crate::front::refusal::Refusal;
use crate::front::routes::Access;

/// Refuses what has not exactly one `Authorization: Bearer TOKEN`, unless the route is open to anyone.
pub(super) fn is_ours(door: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    let route = door.routes.find(head.path());
    if route.is_some_and(|route| route.access == Access::Anyone) {
        return Ok(());
    }
    let sent = head.only("authorization").and_then(bearer);
    if sent.is_some_and(|sent| door.token.is(sent)) {
        Ok(())
    } else {
        Err(Refusal::Token)
    }
}

/// Returns what follows the scheme, whose case means nothing.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = value.split_at_checked(b"bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(rest)
}
