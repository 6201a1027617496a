//! Whether a page of another site asks through a browser.

use crate::front::door::Door;
use crate::front::head::Head;
use crate::front::refusal::Refusal;

/// Refuses every `Origin` that is not listed, `null` among them.
pub(super) fn origin_is_listed(door: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    let listed = head
        .values("origin")
        .all(|origin| door.origins.lets_in(origin));
    if listed { Ok(()) } else { Err(Refusal::Origin) }
}

/// Refuses what a browser says another site asks for, which it says of images and forms too, where it sends no `Origin`.
pub(super) fn site_is_the_same(_: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    let same = head
        .values("sec-fetch-site")
        .all(|site| matches!(site, b"none" | b"same-origin"));
    if same {
        Ok(())
    } else {
        Err(Refusal::FetchSite)
    }
}
