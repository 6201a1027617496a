//! The bearer tokens that a server accepts, and whose they are.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use hashline_core::scheme::sha256;

use crate::front::token::BearerToken;

/// The tokens that a server accepts, each with the caller it belongs to. Clones share one list, which can be replaced while the server runs.
///
/// The list holds only digests of tokens. A token is found by its digest, so the time of a lookup tells nothing about the tokens: nobody can choose
/// the digest of what they send.
#[derive(Clone, Default)]
pub struct Tokens(Arc<RwLock<HashMap<TokenDigest, Caller>>>);

/// The SHA-256 of a token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenDigest(
    // Invariant: 64 lower-case hexadecimal digits.
    String,
);

/// Who sent a request, as the list of tokens names the holder of its token. Handlers find it among the extensions of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller(pub Arc<str>);

impl TokenDigest {
    /// Returns the digest of a token, as it is sent.
    #[must_use]
    pub fn of(token: &[u8]) -> Self {
        Self(sha256(token))
    }

    /// Parses a digest of 64 hexadecimal digits.
    #[must_use]
    pub fn parse(digits: &str) -> Option<Self> {
        let is_digest = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_digest.then(|| Self(digits.to_ascii_lowercase()))
    }
}

impl Tokens {
    /// Replaces the whole list. Requests that were admitted already are finished.
    pub fn replace(&self, tokens: impl IntoIterator<Item = (TokenDigest, Caller)>) {
        let tokens = tokens.into_iter().collect();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = tokens;
    }

    /// Returns whose token was sent; `None` if nobody has it.
    pub(super) fn find(&self, sent: &[u8]) -> Option<Caller> {
        let tokens = self.0.read().unwrap_or_else(PoisonError::into_inner);
        tokens.get(&TokenDigest::of(sent)).cloned()
    }
}

/// A list of one token, whose holder has the empty name.
impl From<&BearerToken> for Tokens {
    fn from(token: &BearerToken) -> Self {
        let tokens = Self::default();
        let digest = TokenDigest::of(token.reveal().as_bytes());
        tokens.replace([(digest, Caller::default())]);
        tokens
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens(..)")
    }
}
