//! Whether the body is of the kind and length that is taken.

use crate::front::door::Door;
use crate::front::framing::Framing;
use crate::front::head::Head;
use crate::front::refusal::Refusal;

/// Refuses a body that is not said to be JSON: a form of a page can send the other kinds without being asked first.
pub(super) fn is_json(_: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    let kind = head.only("content-type").unwrap_or_default();
    let essence = kind.split(|&byte| byte == b';').next().unwrap_or_default();
    if !head.carries_body()
        || essence
            .trim_ascii()
            .eq_ignore_ascii_case(b"application/json")
    {
        Ok(())
    } else {
        Err(Refusal::ContentType)
    }
}

/// Refuses a body without a length, one that is too long, and one where none belongs. Chunks are counted when they come.
pub(super) fn length_is_fine(door: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    let most = u64::try_from(door.bounds.body_bytes).unwrap_or(u64::MAX);
    match Framing::of(head) {
        Framing::Unsaid if head.carries_body() => Err(Refusal::LengthMissing),
        Framing::Unsaid | Framing::Length(0) => Ok(()),
        _ if !head.carries_body() => Err(Refusal::Malformed("This method takes no body.")),
        Framing::Length(length) if length > most => Err(Refusal::BodyTooLarge),
        Framing::Length(_) | Framing::Chunked => Ok(()),
    }
}
