//! Bounds on requests, checked by one look at the bytes before anything is built from them.

use std::collections::HashSet;

use hashline_core::files::{FileAction, Request};

use crate::error::{BadRequest, Fault};

/// How much a request may bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes.
    pub bytes: usize,
    /// The deepest nesting of JSON.
    pub depth: usize,
    /// The most edits.
    pub edits: usize,
    /// The most files.
    pub files: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 8 << 20,
            depth: 64,
            edits: 1000,
            files: 256,
        }
    }
}

impl Limits {
    /// Checks the bytes of a request: their number, their nesting, and how many objects stand in lists.
    pub(crate) fn check(&self, body: &[u8]) -> Result<(), BadRequest> {
        if body.len() > self.bytes {
            let message = format!(
                "the request has {} bytes; at most {} are taken",
                body.len(),
                self.bytes
            );
            return Err(BadRequest::new(Fault::TooLarge, "", message));
        }
        let seen = survey(body, self.depth);
        if seen.depth > self.depth {
            let message = format!("the request is nested deeper than {} levels", self.depth);
            return Err(BadRequest::new(Fault::TooDeep, "", message));
        }
        if seen.listed_objects > self.edits.saturating_add(self.files) {
            return Err(self.too_many_edits(seen.listed_objects));
        }
        Ok(())
    }

    /// Checks what a request asks for.
    pub(crate) fn check_request(&self, request: &Request) -> Result<(), BadRequest> {
        if request.steps.len() > self.edits {
            return Err(self.too_many_edits(request.steps.len()));
        }
        let mut files: HashSet<&str> = request
            .steps
            .iter()
            .map(|step| step.path.as_str())
            .collect();
        files.extend(request.steps.iter().filter_map(|step| match &step.action {
            FileAction::Move(to) => Some(to.as_str()),
            _ => None,
        }));
        if files.len() > self.files {
            let message = format!(
                "the request names {} files; at most {} are taken",
                files.len(),
                self.files
            );
            return Err(BadRequest::new(Fault::TooMany, "", message));
        }
        Ok(())
    }

    fn too_many_edits(&self, edits: usize) -> BadRequest {
        let message = format!(
            "the request has {edits} edits; at most {} are taken",
            self.edits
        );
        BadRequest::new(Fault::TooMany, "", message)
    }
}

struct Survey {
    depth: usize,
    listed_objects: usize,
}

/// Looks over JSON without building it. Malformed text gives some answer; the parser refuses it afterwards.
fn survey(body: &[u8], deep_enough: usize) -> Survey {
    let mut seen = Survey {
        depth: 0,
        listed_objects: 0,
    };
    let mut open: Vec<u8> = Vec::new();
    let mut bytes = body.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'"' => skip_string(&mut bytes),
            b'{' | b'[' => {
                seen.listed_objects += usize::from(byte == b'{' && open.last() == Some(&b'['));
                open.push(byte);
                seen.depth = seen.depth.max(open.len());
                if open.len() > deep_enough {
                    return seen;
                }
            }
            b'}' | b']' => {
                open.pop();
            }
            _ => {}
        }
    }
    seen
}

fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'"' => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    fn code(body: &str) -> Option<&'static str> {
        Limits::default()
            .check(body.as_bytes())
            .err()
            .map(|error| error.fault.code())
    }

    #[test]
    fn each_bound_holds_at_the_bound_and_breaks_one_beyond() {
        let limits = Limits::default();
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(code(&nested(limits.depth)), None);
        assert_eq!(code(&nested(limits.depth + 1)), Some("bad_request"));
        let listed = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
        assert_eq!(code(&listed(limits.edits + limits.files)), None);
        assert_eq!(
            code(&listed(limits.edits + limits.files + 1)),
            Some("too_many")
        );
        let long = |bytes: usize| format!("\"{}\"", "x".repeat(bytes - 2));
        assert_eq!(code(&long(limits.bytes)), None);
        assert_eq!(code(&long(limits.bytes + 1)), Some("too_large"));
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert_eq!(
            code(&format!(
                "[\"{}\\\"{}\"]",
                "[".repeat(100),
                "{".repeat(2000)
            )),
            None
        );
    }
}
