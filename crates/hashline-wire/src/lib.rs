//! Wire.

pub mod error;
pub mod render;
pub mod request;
pub mod response;
pub mod schema;

pub use error::{BadRequest, Fault};
pub use request::{ParseOptions, Parsed, Profile, parse, parse_value};
pub use response::{Outcome, Refusal, Terms, answer};
