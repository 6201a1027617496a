//! Error codes: a stable name for every reason to refuse a request.
//!
//! One list for all crates: each row has what a code means, whether a retry helps, and its HTTP status. `hashline-core` itself raises
//! only the first codes of the list; the other crates raise the rest. A code is never renamed without a new major version (semver).

use std::fmt;

/// Whether sending a refused request again helps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Retry {
    /// A retry helps if it uses the current anchors that the refusal shows.
    Fresh,
    /// The same request can succeed a moment later.
    Later,
    /// Retrying with new anchors does not help; something else must change first.
    No,
}

/// Declares the codes, one row each: variant, name in answers, whether a retry helps, HTTP status, meaning.
macro_rules! codes {
    ($($variant:ident $name:literal $retry:ident $status:literal $meaning:literal;)*) => {
        /// The reason why a request was refused, with a stable name for programs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// Every code, in the order in which the documentation lists them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the code's name in answers, such as `text_not_found`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns what the code means, in one clause, such as "two edits change the same lines".
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }

            /// Returns the HTTP status of a response with this code. 409: the file is not as the caller saw it; 412: the file has another
            /// revision than the request requires; 422: the request is well-formed but cannot be done to this file; 499: the caller has
            /// gone (not a registered status, but used by proxies).
            #[must_use]
            pub const fn http_status(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
            }

            const fn retry(self) -> Retry {
                match self { $(Self::$variant => Retry::$retry,)* }
            }
        }
    };
}

codes! {
    Stale "stale" Fresh 409 "a line is not what it was";
    Ambiguous "ambiguous" Fresh 409 "without a revision an anchor may mean several lines";
    UnknownRev "unknown_rev" Fresh 412 "the revision was never shown and is not the current one";
    Unseen "unseen" Fresh 409 "the lines between the anchors of a range were never shown";
    PartlyShown "partly_shown" Fresh 409 "only a part of a line was shown";
    OutOfRange "out_of_range" Fresh 409 "a line number is past the end of the file";
    BadAnchor "bad_anchor" No 422 "a text is not an anchor of the dialect";
    BadRange "bad_range" No 422 "a range ends before it starts";
    Overlap "overlap" No 422 "two edits change the same lines";
    StaleFile "stale_file" Fresh 412 "the bytes of the file are not those the request requires";
    TextNotFound "text_not_found" No 422 "the text to replace is not in the file";
    TextNotUnique "text_not_unique" No 422 "the text to replace is in the file more than once";
    EmptyInsert "empty_insert" No 422 "an insertion has no text";
    NotEncodable "not_encodable" No 422 "the encoding of the file does not have a character of the new text";
    EscapedBytes "escaped_bytes" No 422 "the new text repeats the escape of a byte that is not text";
    NoChange "no_change" No 422 "the request changes nothing, which its dialect calls an error";
    FileNotFound "file_not_found" No 404 "there is no such file";
    FileExists "file_exists" No 409 "the file already exists";
    ConflictingOperations "conflicting_operations" No 422 "a file is edited and also created or deleted in one request";
    BadRequest "bad_request" No 400 "the request is not well-formed";
    BadPattern "bad_pattern" No 400 "a search pattern, glob or file type cannot be used";
    TooLarge "too_large" No 413 "the request, a file, or all files of a request together have too many bytes, a file has too many lines for its size, or a substitution changes it at too many separate places";
    TooMany "too_many" No 413 "the request has too many edits or files, or more files than can be open at once";
    BadPath "bad_path" No 400 "the path cannot name a file here";
    OutsideRoot "outside_root" No 403 "the path is outside the folders that may be touched";
    Protected "protected" No 403 "edits may not write this file";
    NotAFile "not_a_file" No 422 "it is a folder, a pipe or a device";
    Binary "binary" No 422 "the file contains NUL bytes";
    Encoding "encoding" No 422 "the bytes of the file are not text in its encoding, or the encoding is not known";
    LineTooLong "line_too_long" No 422 "a line of the file has too many bytes";
    ReadOnly "read_only" No 403 "the file is read-only";
    Hardlinked "hardlinked" No 422 "the file has more than one name";
    CannotReplace "cannot_replace" No 422 "replacing the file would lose something";
    Busy "busy" Later 503 "another program holds a lock";
    Unstable "unstable" Later 503 "the file kept changing while it was read";
    Timeout "timeout" Later 503 "the request took longer than allowed";
    Cancelled "cancelled" No 499 "the caller cancelled the request in time";
    NeedsRecovery "needs_recovery" No 500 "a change was interrupted and could not be undone";
    Internal "internal" No 500 "the program itself failed";
    RecoveryConflict "recovery_conflict" No 409 "files of an interrupted request were changed since";
    BadConfig "bad_config" No 500 "the configuration cannot be used";
    Io "io" No 500 "the operating system reported an error";
    EntryTaken "entry_taken" No 409 "setup: the agent's file has another entry under our name";
    BadAgentFile "bad_agent_file" No 422 "setup: the agent's file cannot be parsed or has another shape";
    CannotBind "cannot_bind" No 500 "server: the address cannot be listened on";
    NoCommonPort "no_common_port" No 500 "server: no port is free on both loopback addresses";
    NoLoopback "no_loopback" No 500 "server: the machine has no loopback address";
    AlreadyServed "already_served" No 500 "server: another server listens on the socket";
    NotASocket "not_a_socket" No 500 "server: the path of the socket names something else";
    NotAToken "not_a_token" No 500 "server: the token file holds something else";
    NotPrivate "not_private" No 500 "server: the folder of the token or socket can be written by others";
    NoSockets "no_sockets" No 500 "server: the system has no Unix sockets";
    Runtime "runtime" No 500 "server: the runtime cannot be started";
    NoLocks "no_locks" No 500 "server: a folder is on a file system whose locks may not keep other servers out";
}

impl Code {
    /// Returns the code with this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }

    /// Returns whether the file is no longer as the caller saw it, so that a retry with current anchors helps.
    #[must_use]
    pub fn is_stale(self) -> bool {
        self.retry() == Retry::Fresh
    }

    /// Returns the exit code of a program that is refused with this code: 1 if a retry with current anchors helps, otherwise 2.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self.retry() {
            Retry::Fresh => 1,
            Retry::Later | Retry::No => 2,
        }
    }

    /// Returns whether the request can succeed when it is sent again, with current anchors or a moment later.
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
