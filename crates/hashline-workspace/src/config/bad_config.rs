//! What can be wrong with a configuration, as data: `hashline-workspace` finds it out, `hashline-wire` puts it into words.

use crate::error::DiskError;

/// A configuration that cannot be used. Nothing is done before it is mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadConfig {
    /// Where it was said.
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
    /// In the user's own file. Its path lies outside of every root and is not told.
    User,
    /// By whoever started the program.
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
    /// It is not written as TOML is.
    NotToml(String),
    /// There is no such key.
    UnknownKey(UnknownKey),
    /// The value is none that the key takes.
    BadValue(BadValue),
    /// The file of a root allows more than the person did.
    Widens(Widens),
    /// The file of a root has no say in this.
    NotForRoots(NotForRoots),
}

/// A key that there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The key as it was written.
    pub key: String,
    /// The key that was most likely meant.
    pub nearest: Option<String>,
}

/// A value that a key does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue {
    /// The key.
    pub key: &'static str,
    /// What was found.
    pub found: String,
    /// What the key takes.
    pub takes: String,
}

/// A key by which the file of a root allows more than the person did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widens {
    /// The key.
    pub key: &'static str,
    /// What the file asks for.
    pub asked: String,
    /// What the person allows.
    pub allowed: String,
}

/// A key that only the person may set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotForRoots {
    /// The key.
    pub key: &'static str,
}
