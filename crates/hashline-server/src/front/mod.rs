//! The hardened HTTP/1.1 front on which hashline's servers are built.
//!
//! A server on this machine can be reached by every process and, through a browser, by every web page. A [`Front`] binds to loopback addresses or to
//! a Unix socket of the user, accepts only requests with one of its [`Tokens`], an allowed `Host` and no foreign `Origin`, limits memory and time per
//! client, and passes complete requests to the handlers of its [`Routes`].
//!
//! ```
//! use std::convert::Infallible;
//!
//! use bytes::Bytes;
//! use hashline_server::front::{
//!     AllowedOrigins, BearerToken, BindAddress, Front, HttpLimits, HttpRequest, Routes,
//! };
//! use http::{Method, Response};
//! use http_body_util::Full;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let token = BearerToken::random()?;
//! let address = BindAddress::Loopback(0);
//! let front = Front::bind(address, &token, HttpLimits::default(), AllowedOrigins::none())?;
//! let routes = Routes::new().at("/hello", &[Method::POST], async |_: HttpRequest| {
//!     Ok::<_, Infallible>(Response::new(Full::new(Bytes::from_static(b"{\"ok\":true}"))))
//! });
//!
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! runtime.block_on(front.serve(routes, async { /* ends when the server is to stop */ }))?;
//! # Ok(())
//! # }
//! ```
//!
//! A request passes through these files in order: `listen` accepts a connection; `gate` sits between the socket and hyper, reads one head at a time
//! (`head`) and runs the `checks` on it; `connection` reads the body of a request that passed and calls the handler (`routes`). A request that did
//! not pass the checks is answered with its `refusal`, and hyper never sees its bytes.
//!
//! Deliberately absent: encryption, CORS, cookies, redirects, compression, HTTP/2, file serving, logs, and any knowledge of what the handlers do.

mod address;
mod checks;
mod connection;
mod error;
mod gate;
mod head;
mod listen;
mod origins;
mod pending;
mod proxies;
mod refusal;
mod response;
mod routes;
mod secret_folder;
mod serve;
mod token;
mod tokens;
#[cfg(unix)]
mod unix_socket;

#[cfg(test)]
mod tests;

pub use address::{BindAddress, ExposedAddress, ListenAddress};
pub use error::FrontError;
pub use origins::{AllowedOrigins, BadOrigin};
pub use proxies::TrustedProxies;
pub use routes::{HttpRequest, Routes};
pub use serve::{Front, HttpLimits};
pub use token::{BearerToken, TokenFile};
pub use tokens::{Caller, TokenDigest, Tokens};
