//! The server from outside.
