//! Which values of the `Origin` header are accepted.
//!
//! Browsers send `Origin` with requests of a web page; other programs seldom do. No `Origin` is accepted unless the user lists it. Listing an origin
//! is for programs that send one on their own: web pages of others are refused even then, since the server answers no CORS preflight and refuses
//! `Sec-Fetch-Site: cross-site`.

use thiserror::Error;

/// The values of the `Origin` header that are accepted.
#[derive(Clone, Debug, Default)]
pub struct AllowedOrigins {
    listed: Vec<String>,
    own: bool,
}

/// A text that is not an origin, or one such as `*` that would allow every origin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not an origin: write scheme://host or scheme://host:port")]
pub struct BadOrigin(pub String);

impl AllowedOrigins {
    /// Returns an empty list: every request with an `Origin` header is refused.
    pub fn none() -> Self {
        Self::default()
    }

    /// Accepts these origins, each as `scheme://host` or `scheme://host:port`, exactly as clients send it.
    ///
    /// # Errors
    /// One of the texts is not of that form; `null` and `*` are refused too.
    pub fn listed<I: IntoIterator<Item: Into<String>>>(origins: I) -> Result<Self, BadOrigin> {
        let origins: Vec<String> = origins.into_iter().map(Into::into).collect();
        match origins.iter().find(|origin| !is_origin(origin)) {
            Some(bad) => Err(BadOrigin(bad.clone())),
            None => Ok(Self {
                listed: origins,
                own: false,
            }),
        }
    }

    /// Accepts also the origin of pages that the server itself shows.
    #[must_use]
    pub fn and_own(self) -> Self {
        Self { own: true, ..self }
    }

    /// Returns whether the value of an `Origin` header is accepted; `host` is the `Host` of the request, which must have been checked.
    pub(crate) fn contain(&self, sent: &[u8], host: &[u8]) -> bool {
        let schemes = [&b"http://"[..], b"https://"].into_iter();
        let mut rests = schemes.filter_map(|scheme| sent.strip_prefix(scheme));
        let is_own = self.own && rests.any(|rest| rest.eq_ignore_ascii_case(host));
        is_own || self.listed.iter().any(|listed| listed.as_bytes() == sent)
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
