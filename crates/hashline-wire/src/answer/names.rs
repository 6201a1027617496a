//! The names that each dialect has for our error codes.

use hashline_core::Code;
use hashline_core::dialect::Dialect;

use crate::error::Fault;
use crate::refusal::{Cause, Refusal};

/// The name of seeds 001, 002 and 004 for a body that is not a request at all.
const NOT_A_REQUEST: &str = "invalid_request";

/// Returns the dialect's own name for an error code, or our name if the dialect has none.
#[must_use]
pub fn dialect_code(dialect: Dialect, code: Code) -> &'static str {
    let own = match dialect {
        Dialect::PUSH => push(code),
        Dialect::COWBOY => cowboy(code),
        Dialect::OPENAGENT => openagent(code),
        Dialect::PI => pi(code),
        _ => None,
    };
    own.unwrap_or(code.as_str())
}

/// Returns the dialect's own name for the error of a refusal. For requests that cannot be parsed some dialects have more names than we do.
pub(super) fn refusal_code(dialect: Dialect, refusal: &Refusal) -> &'static str {
    let fault = match &refusal.failure.cause {
        Cause::Request(bad) => Some(bad.fault),
        _ => None,
    };
    match (dialect, fault) {
        (Dialect::PUSH, Some(Fault::NotARequest | Fault::RepeatedKey))
        | (
            Dialect::COWBOY | Dialect::PI,
            Some(Fault::NotARequest | Fault::RepeatedKey | Fault::NoEdits),
        ) => NOT_A_REQUEST,
        (Dialect::OPENAGENT, Some(Fault::NoEdits)) => "empty-edits",
        (Dialect::OPENAGENT, Some(Fault::UnknownOperation)) => "bad-op",
        (Dialect::OPENAGENT, Some(Fault::MissingAnchor)) => "missing-anchor",
        (Dialect::OPENAGENT, Some(Fault::MissingText)) => "missing-lines",
        (Dialect::OPENAGENT, Some(Fault::DeleteWithEdits)) => "delete-with-edits",
        (Dialect::OPENAGENT, Some(Fault::DeleteAndRename)) => "delete-and-rename",
        _ => dialect_code(dialect, refusal.code()),
    }
}

/// Returns the name of every error code, for schemas.
pub(super) fn code_names() -> Vec<&'static str> {
    Code::ALL.iter().map(|code| code.as_str()).collect()
}

/// Returns every name that seed 001's answers have for an error, for schemas.
pub(super) fn push_names() -> Vec<&'static str> {
    let mut names = vec![NOT_A_REQUEST];
    for code in Code::ALL {
        let name = dialect_code(Dialect::PUSH, *code);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn push(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::Stale | Code::OutOfRange => "stale_ref",
        Code::BadAnchor => "invalid_ref",
        Code::BadRange => "invalid_range",
        Code::Overlap => "overlapping_edits",
        Code::EmptyInsert | Code::BadRequest => "invalid_edit",
        Code::FileNotFound => "not_found",
        _ => return None,
    })
}

fn cowboy(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::Stale => "hash_mismatch",
        Code::BadAnchor => "invalid_ref",
        Code::BadRange => "invalid_range",
        Code::Overlap => "overlapping_edits",
        Code::EmptyInsert | Code::BadRequest => "invalid_operation",
        Code::FileNotFound => "not_found",
        _ => return None,
    })
}

fn openagent(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::Stale => "hash-mismatch",
        Code::OutOfRange => "out-of-bounds",
        Code::BadAnchor => "bad-ref",
        Code::BadRange => "bad-range",
        Code::EmptyInsert => "empty-insert",
        Code::NoChange => "no-op",
        Code::FileNotFound => "not-found",
        Code::FileExists => "file-exists",
        Code::ConflictingOperations => "conflicting-operations",
        Code::BadRequest => "bad-request",
        _ => return None,
    })
}

fn pi(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::Stale | Code::OutOfRange => "hash_mismatch",
        Code::BadAnchor => "invalid_anchor",
        Code::BadRange => "invalid_range",
        Code::Overlap => "overlapping_edits",
        Code::EmptyInsert | Code::BadRequest => "invalid_operation",
        _ => return None,
    })
}
