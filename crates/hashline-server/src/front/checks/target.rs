//! Whether the path is served, and takes the method.

use crate::front::door::Door;
use crate::front::head::Head;
use crate::front::refusal::Refusal;

/// Refuses a path that no route has, letter by letter.
pub(super) fn path_is_served(door: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    door.routes
        .find(head.path())
        .map(|_| ())
        .ok_or(Refusal::NoRoute)
}

/// Refuses a method that the route does not name. `OPTIONS` is never named, so no preflight succeeds.
pub(super) fn method_is_taken(door: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    match door.routes.find(head.path()) {
        Some(route) if !route.takes(head.method()) => Err(Refusal::Method(route.methods.clone())),
        _ => Ok(()),
    }
}
