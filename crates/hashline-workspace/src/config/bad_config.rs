//! The errors of a configuration, as data. `hashline-session` turns them into messages.

use crate::error::DiskError;

/// A configuration that cannot be used. No request is served until it is corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadConfig {
    /// The file or command line that has the error.
    pub source: ConfigSource,
    /// The position of the error in the file, if it has one.
    pub spot: Option<Spot>,
    /// The kind of error.
    pub why: ConfigFault,
}

/// The source of a configuration value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigSource {
    /// The `hashline.toml` of a root; with its path as it would be written in a request.
    Root(String),
    /// The user's own `config.toml`. Its path is outside of every root, so no message shows it.
    User,
    /// The command line, or the program that started hashline.
    Start,
}

/// A position in a configuration file: line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The line number, from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
}

/// The kinds of errors in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigFault {
    /// The file cannot be read.
    Unreadable(Box<DiskError>),
    /// The file is not valid TOML; with the parser's message.
    NotToml(String),
    /// The configuration has a key that does not exist.
    UnknownKey {
        /// The key as it was written.
        key: String,
        /// The existing key that was most likely meant.
        nearest: Option<String>,
    },
    /// The value of a key has the wrong type or is out of range.
    BadValue {
        /// The name of the key.
        key: &'static str,
        /// The value as it was written.
        found: String,
        /// The values that the key accepts, described for the message.
        takes: String,
    },
    /// A root's `hashline.toml` allows more than the user's configuration does.
    Widens {
        /// The name of the key.
        key: &'static str,
        /// The value that the root's file sets.
        asked: String,
        /// The value that the user's configuration allows.
        allowed: String,
    },
    /// A root's `hashline.toml` sets this key, which only the user's configuration may set.
    NotForRoots(&'static str),
}
