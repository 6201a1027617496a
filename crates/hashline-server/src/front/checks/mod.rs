//! The checks that a head must pass before a byte of its body is read, in their order.

mod browser;
mod content;
mod framing;
mod host;
mod target;
mod token;

use std::sync::Arc;

use crate::front::door::Door;
use crate::front::framing::Framing;
use crate::front::head::Head;
use crate::front::refusal::Refusal;
use crate::front::routes::Handler;

/// One check. The name is for the tests, which leave each out in turn to see that it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    Framing,
    Path,
    Method,
    Host,
    Origin,
    FetchSite,
    Token,
    ContentType,
    Length,
}

/// A request that may be read to its end and handed on.
pub(crate) struct Admitted {
    pub(crate) handler: Arc<dyn Handler>,
    pub(crate) framing: Framing,
}

type Passes = fn(&Door, &Head<'_, '_>) -> Result<(), Refusal>;

/// Every check, in its order. What tells a caller without the token anything about the handlers comes after the token.
pub(crate) const ORDER: [(Check, Passes); 9] = [
    (Check::Framing, framing::is_plain),
    (Check::Path, target::path_is_served),
    (Check::Method, target::method_is_taken),
    (Check::Host, host::is_ours),
    (Check::Origin, browser::origin_is_listed),
    (Check::FetchSite, browser::site_is_the_same),
    (Check::Token, token::is_ours),
    (Check::ContentType, content::is_json),
    (Check::Length, content::length_is_fine),
];

/// Lets a request in, or says why not.
pub(crate) fn admit(door: &Door, head: &Head<'_, '_>) -> Result<Admitted, Refusal> {
    for (check, passes) in ORDER {
        if !door.leaves_out(check) {
            passes(door, head)?;
        }
    }
    let route = door.routes.find(head.path()).ok_or(Refusal::NoRoute)?;
    Ok(Admitted {
        handler: Arc::clone(&route.handler),
        framing: Framing::of(head),
    })
}
