//! Error codes: a stable name for every reason to refuse a request.
//!
//! One list for all crates, so that each surface maps codes to exit codes and statuses in one exhaustive `match`. The engine itself uses
//! only the first part; the others are for the crates above it. Codes follow semver.

use std::fmt;

/// Whether sending a request again helps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Retry {
    /// Yes, with the fresh anchors that the refusal shows.
    Fresh,
    /// Yes, a moment later.
    Later,
    /// No: something else must change first.
    No,
}

/// Declares the codes: variant, name in answers, whether a retry helps, meaning. One row per code.
macro_rules! codes {
    ($($variant:ident $name:literal $retry:ident $meaning:literal;)*) => {
        /// The stable name of a refusal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the name that is used in answers.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns what the code means, in one clause.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }

            const fn retry(self) -> Retry {
                match self { $(Self::$variant => Retry::$retry,)* }
            }
        }
    };
}

codes! {
    Stale "stale" Fresh "a line is not what it was";
    Ambiguous "ambiguous" Fresh "without a revision an anchor may mean several lines";
    UnknownRev "unknown_rev" Fresh "the revision was never shown and is not the current one";
    OutOfRange "out_of_range" Fresh "a line number is past the end of the file";
    BadAnchor "bad_anchor" No "a text is not an anchor of the dialect";
    BadRange "bad_range" No "a range ends before it starts";
    Overlap "overlap" No "two edits change the same lines";
    StaleFile "stale_file" Fresh "the bytes of the file are not those the request requires";
    TextNotFound "text_not_found" No "the text to replace is not in the file";
    TextNotUnique "text_not_unique" No "the text to replace is in the file more than once";
    EmptyInsert "empty_insert" No "an insertion has no text";
    NoChange "no_change" No "the request changes nothing, which its dialect calls an error";
    FileNotFound "file_not_found" No "there is no such file";
    FileExists "file_exists" No "the file already exists";
    ConflictingOperations "conflicting_operations" No "a file is edited and also created or deleted in one request";
    BadRequest "bad_request" No "the request is not well-formed";
    BadPattern "bad_pattern" No "a search pattern, glob or file type cannot be used";
    TooLarge "too_large" No "the request, a file, or all files of a request together have too many bytes, or a file has too many lines for its size";
    TooMany "too_many" No "the request has too many edits or files, or more files than can be open at once";
    BadPath "bad_path" No "the path cannot name a file here";
    OutsideRoot "outside_root" No "the path is outside the folders that may be touched";
    Protected "protected" No "edits may not write this file";
    NotAFile "not_a_file" No "it is a folder, a pipe or a device";
    Binary "binary" No "the file contains NUL bytes";
    Encoding "encoding" No "the file is text in an encoding other than UTF-8";
    LineTooLong "line_too_long" No "a line of the file has too many bytes";
    ReadOnly "read_only" No "the file is read-only";
    Hardlinked "hardlinked" No "the file has more than one name";
    CannotReplace "cannot_replace" No "replacing the file would lose something";
    Busy "busy" Later "another program holds a lock";
    Unstable "unstable" Later "the file kept changing while it was read";
    Timeout "timeout" Later "the request took longer than allowed";
    Cancelled "cancelled" No "the caller cancelled the request in time";
    NeedsRecovery "needs_recovery" No "a change was interrupted and could not be undone";
    Internal "internal" No "the program itself failed";
    RecoveryConflict "recovery_conflict" No "files of an interrupted request were changed since";
    BadConfig "bad_config" No "the configuration cannot be used";
    Io "io" No "the operating system reported an error";
    EntryTaken "entry_taken" No "setup: the agent's file has another entry under our name";
    BadAgentFile "bad_agent_file" No "setup: the agent's file cannot be parsed or has another shape";
    CannotBind "cannot_bind" No "server: the address cannot be listened on";
    NoCommonPort "no_common_port" No "server: no port is free on both loopback addresses";
    NoLoopback "no_loopback" No "server: the machine has no loopback address";
    AlreadyServed "already_served" No "server: another server listens on the socket";
    NotASocket "not_a_socket" No "server: the path of the socket names something else";
    NotAToken "not_a_token" No "server: the token file holds something else";
    NotPrivate "not_private" No "server: the folder of the token or socket can be written by others";
    NoSockets "no_sockets" No "server: the system has no Unix sockets";
    Runtime "runtime" No "server: the runtime cannot be started";
}

impl Code {
    /// Returns the code with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// Tells whether the file is not as the caller saw it, so that fresh anchors help.
    #[must_use]
    pub fn is_stale(self) -> bool {
        self.retry() == Retry::Fresh
    }

    /// Tells whether the same request can succeed when it is sent again, with fresh anchors or a moment later.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        self.retry() != Retry::No
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
