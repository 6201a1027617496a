//! What can be wrong with a configuration, as data. `hashline-session` puts it into words.

use crate::error::DiskError;

/// A configuration that cannot be used. No request is served before it is corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadConfig {
    /// Where it was set.
    pub source: ConfigSource,
    /// The place in the file, if it is about one.
    pub spot: Option<Spot>,
    /// What is wrong.
    pub why: ConfigFault,
}

/// Where something was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigSource {
    /// In the file of a root, by its path as a request would spell it.
    Root(String),
    /// In the user's own file. Its path is outside of every root, so no message shows it.
    User,
    /// On the command line or by the program that started this one.
    Start,
}

/// A place in a file, as people count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigFault {
    /// The file cannot be read.
    Unreadable(Box<DiskError>),
    /// The file is not TOML.
    NotToml(String),
    /// There is no such key.
    UnknownKey {
        /// The key as it was written.
        key: String,
        /// The key that was most likely meant.
        nearest: Option<String>,
    },
    /// The key does not take the value.
    BadValue {
        /// The key.
        key: &'static str,
        /// The value as it was written.
        found: String,
        /// What the key takes.
        takes: String,
    },
    /// The file of a root allows more than the user does.
    Widens {
        /// The key.
        key: &'static str,
        /// What the file sets.
        asked: String,
        /// What the user allows.
        allowed: String,
    },
    /// Only the user may set this key, not the file of a root.
    NotForRoots(&'static str),
}
