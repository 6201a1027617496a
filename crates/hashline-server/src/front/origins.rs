//! Which values of `Origin` are accepted.
//!
//! A browser sends `Origin` with what a page does; other programs seldom do. None is accepted unless it is listed. Listing one is for
//! programs that send it on their own: a page stays out, since the front answers no preflight and refuses `Sec-Fetch-Site: cross-site`.

use thiserror::Error;

/// The origins that are accepted.
#[derive(Clone, Debug, Default)]
pub struct AllowedOrigins(Vec<String>);

/// A text that is not an origin, or one that would let everybody in.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not an origin: write scheme://host or scheme://host:port")]
pub struct BadOrigin(pub String);

impl AllowedOrigins {
    /// Accepts none.
    pub fn none() -> Self {
        Self::default()
    }

    /// Accepts these, each as `scheme://host` or `scheme://host:port`, exactly as it is sent.
    ///
    /// # Errors
    /// A text that is not of that form; `null` and `*` are not.
    pub fn listed<I: IntoIterator<Item: Into<String>>>(origins: I) -> Result<Self, BadOrigin> {
        let origins: Vec<String> = origins.into_iter().map(Into::into).collect();
        match origins.iter().find(|origin| !is_origin(origin)) {
            Some(bad) => Err(BadOrigin(bad.clone())),
            None => Ok(Self(origins)),
        }
    }

    /// Returns whether an origin is accepted.
    pub(crate) fn contains(&self, sent: &[u8]) -> bool {
        self.0.iter().any(|listed| listed.as_bytes() == sent)
    }
}

fn is_origin(text: &str) -> bool {
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    text.split_once("://").is_some_and(|(scheme, host)| {
        !scheme.is_empty()
            && !host.is_empty()
            && scheme.bytes().all(is_scheme)
            && host.bytes().all(is_host)
    })
}
