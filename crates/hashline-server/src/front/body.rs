//! The whole body of a request that was let in.
//!
//! Handlers get requests that are complete: a body that is cut off, too long or too slow never reaches one.

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use tokio::time::timeout;

use crate::front::bounds::Bounds;
use crate::front::refusal::Refusal;

/// A request as handlers get it: whole, and without the token.
pub type Request = http::Request<Full<Bytes>>;

/// Reads the body of a request, within the bounds.
pub(crate) async fn whole(
    request: http::Request<Incoming>,
    bounds: &Bounds,
) -> Result<Request, Refusal> {
    let (mut parts, body) = request.into_parts();
    // What a handler cannot see it cannot write down.
    parts.headers.remove(AUTHORIZATION);
    let collect = Limited::new(body, bounds.body_bytes).collect();
    match timeout(bounds.body_time, collect).await {
        Ok(Ok(body)) => Ok(http::Request::from_parts(parts, Full::new(body.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Refusal::BodyTooLarge),
        Ok(Err(_)) => Err(Refusal::Malformed(
            "The body is cut off or its chunks are malformed.",
        )),
        Err(_) => Err(Refusal::BodyTooSlow),
    }
}
