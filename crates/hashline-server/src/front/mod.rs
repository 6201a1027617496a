//! The hardened HTTP/1.1 front on which hashline's servers stand.
//!
//! A server on this machine is reached by every process and, through a browser, by every web page. A [`Front`] binds to loopback
//! addresses or to a socket of the user's own, lets nothing pass that has not the [`Token`], the right `Host` and no foreign `Origin`,
//! bounds what a caller can make it hold and wait for, and hands whole requests to the handlers of its [`Routes`].
//!
//! ```
//! use std::convert::Infallible;
//!
//! use bytes::Bytes;
//! use hashline_server::front::{Bounds, Front, Origins, Place, Request, Routes, Token, answering};
//! use http::{Method, Response};
//! use http_body_util::Full;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let front = Front::bind(Place::Loopback(0), Token::random()?, Bounds::default(), Origins::none())?;
//! let hello = answering(async |_: Request| {
//!     Ok::<_, Infallible>(Response::new(Full::new(Bytes::from_static(b"{\"ok\":true}"))))
//! });
//! let routes = Routes::new().at("/hello", &[Method::POST], hello);
//!
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! runtime.block_on(front.serve(routes, async { /* ends when the server is to stop */ }))?;
//! # Ok(())
//! # }
//! ```
//!
//! What arrives goes downhill: `listen` accepts; `gate` stands between the socket and the protocol library, reads one head at a time
//! and asks `checks` about it; `connection` reads the body of what was let in and calls the handler; what was not let in is answered
//! by its `refusal`, and the protocol library never sees it.
//!
//! Deliberately absent: encryption, CORS, cookies, redirects, compression, HTTP/2, files, logs, and any knowledge of what is served.

mod answer;
mod body;
mod bounds;
mod checks;
mod connection;
mod door;
mod error;
mod framing;
mod gate;
mod head;
mod listen;
mod origins;
mod place;
mod private_folder;
mod refusal;
mod routes;
mod serve;
mod token;
mod turns;

#[cfg(test)]
mod tests;

pub use body::Request;
pub use bounds::Bounds;
pub use error::FrontError;
pub use origins::{BadOrigin, Origins};
pub use place::{Address, Exposed, Place};
pub use routes::{Answering, Routes, answering};
pub use serve::Front;
pub use token::{BadToken, Token, TokenFile};
