//! Codes: every stable name of an error, and what each dialect calls it.

use hashline_core::dialect::Dialect;

/// One row of the table of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// Our name.
    pub code: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Seed 001's name.
    pub push: &'static str,
    /// Seed 002's name.
    pub cowboy: &'static str,
    /// Seed 003's name.
    pub openagent: &'static str,
    /// Seed 004's name.
    pub pi: &'static str,
}

const fn row(code: &'static str, meaning: &'static str, names: [&'static str; 4]) -> CodeRow {
    let [push, cowboy, openagent, pi] = names;
    CodeRow {
        code,
        meaning,
        push,
        cowboy,
        openagent,
        pi,
    }
}

/// Every code this crate and the engine can answer with. Codes are stable.
pub const CODES: &[CodeRow] = &[
    row(
        "stale",
        "a line is not what it was",
        [
            "stale_ref",
            "hash_mismatch",
            "hash-mismatch",
            "hash_mismatch",
        ],
    ),
    row(
        "ambiguous",
        "without a revision an anchor may mean several lines",
        ["ambiguous"; 4],
    ),
    row(
        "unknown_rev",
        "the revision was never shown and is not the current one",
        ["unknown_rev"; 4],
    ),
    row(
        "out_of_range",
        "a line number lies past the end",
        [
            "stale_ref",
            "out_of_range",
            "out-of-bounds",
            "hash_mismatch",
        ],
    ),
    row(
        "bad_anchor",
        "a text is no anchor of the dialect",
        ["invalid_ref", "invalid_ref", "bad-ref", "invalid_anchor"],
    ),
    row(
        "bad_range",
        "a range ends before it starts",
        [
            "invalid_range",
            "invalid_range",
            "bad-range",
            "invalid_range",
        ],
    ),
    row(
        "overlap",
        "two edits get in each other's way",
        [
            "overlapping_edits",
            "overlapping_edits",
            "overlap",
            "overlapping_edits",
        ],
    ),
    row(
        "stale_file",
        "the file's bytes are not those asked for",
        ["stale_file"; 4],
    ),
    row(
        "text_not_found",
        "the text to replace is not in the file",
        ["text_not_found"; 4],
    ),
    row(
        "text_not_unique",
        "the text to replace is in the file more than once",
        ["text_not_unique"; 4],
    ),
    row(
        "empty_insert",
        "an insertion has no text",
        [
            "invalid_edit",
            "invalid_operation",
            "empty-insert",
            "invalid_operation",
        ],
    ),
    row(
        "no_change",
        "the request changes nothing, which its dialect refuses",
        ["no_change", "no_change", "no-op", "no_change"],
    ),
    row(
        "file_not_found",
        "there is no such file",
        ["not_found", "not_found", "not-found", "file_not_found"],
    ),
    row(
        "file_exists",
        "there is such a file already",
        ["file_exists", "file_exists", "file-exists", "file_exists"],
    ),
    row(
        "conflicting_operations",
        "a file is edited and made or deleted in one request",
        [
            "conflicting_operations",
            "conflicting_operations",
            "conflicting-operations",
            "conflicting_operations",
        ],
    ),
    row(
        "bad_request",
        "the request cannot be read",
        [
            "invalid_edit",
            "invalid_operation",
            "bad-request",
            "invalid_operation",
        ],
    ),
    row(
        "bad_pattern",
        "what a search looks for, or its glob or file type, cannot be used",
        ["bad_pattern"; 4],
    ),
    row(
        "too_large",
        "the request, a file, or all files of a request together have too many bytes, or a file has too many lines for its size",
        ["too_large"; 4],
    ),
    row(
        "too_many",
        "the request has too many edits or files, or more files than can be open at once",
        ["too_many"; 4],
    ),
    row(
        "bad_path",
        "a path cannot name a file here",
        ["bad_path"; 4],
    ),
    row(
        "outside_root",
        "a path leads out of the folders that may be touched",
        ["outside_root"; 4],
    ),
    row(
        "protected",
        "an edit may not write this file",
        ["protected"; 4],
    ),
    row(
        "not_a_file",
        "it is a folder, a pipe, a device",
        ["not_a_file"; 4],
    ),
    row("binary", "the file holds NUL bytes", ["binary"; 4]),
    row(
        "encoding",
        "the file is text of another encoding than UTF-8",
        ["encoding"; 4],
    ),
    row(
        "line_too_long",
        "a line of the file has too many bytes",
        ["line_too_long"; 4],
    ),
    row("read_only", "nobody may write the file", ["read_only"; 4]),
    row(
        "hardlinked",
        "the file has more than one name",
        ["hardlinked"; 4],
    ),
    row(
        "cannot_replace",
        "something of the file would be lost",
        ["cannot_replace"; 4],
    ),
    row("busy", "another program keeps a lock", ["busy"; 4]),
    row(
        "unstable",
        "the file kept changing while it was read",
        ["unstable"; 4],
    ),
    row(
        "timeout",
        "the request took longer than is allowed",
        ["timeout"; 4],
    ),
    row(
        "cancelled",
        "the caller took the request back in time",
        ["cancelled"; 4],
    ),
    row(
        "needs_recovery",
        "a change was broken off and could not be taken back",
        ["needs_recovery"; 4],
    ),
    row("internal", "the program itself failed", ["internal"; 4]),
    row(
        "recovery_conflict",
        "files of a broken request were changed since",
        ["recovery_conflict"; 4],
    ),
    row(
        "bad_config",
        "the configuration cannot be used",
        ["bad_config"; 4],
    ),
    row("io", "the system refuses", ["io"; 4]),
];

/// Returns what a dialect calls a code; ours where it has no name of its own.
#[must_use]
pub fn dialect_code(dialect: Dialect, code: &'static str) -> &'static str {
    let Some(row) = CODES.iter().find(|row| row.code == code) else {
        return code;
    };
    match dialect {
        Dialect::PUSH => row.push,
        Dialect::COWBOY => row.cowboy,
        Dialect::OPENAGENT => row.openagent,
        Dialect::PI => row.pi,
        _ => row.code,
    }
}
