//! Whether there is only one way to read where the body ends.

use crate::front::door::Door;
use crate::front::framing::number;
use crate::front::head::Head;
use crate::front::refusal::Refusal;

/// Refuses both headers together, either of them twice, a length that is no number, and any coding but `chunked`.
pub(super) fn is_plain(_: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    let lengths = head.values("content-length").count();
    let codings = head.values("transfer-encoding").count();
    let plain = match (lengths, codings) {
        (0, 0) => true,
        (1, 0) => head.only("content-length").and_then(number).is_some(),
        (0, 1) => head
            .only("transfer-encoding")
            .is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked")),
        _ => false,
    };
    if plain {
        Ok(())
    } else {
        Err(Refusal::Malformed(
            "Send either one Content-Length or Transfer-Encoding: chunked.",
        ))
    }
}
