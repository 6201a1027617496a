//! Writing a whole file: a new file, or one whose current revision the caller names.

use std::time::Instant;

use hashline_core::dialect::Dialect;
use hashline_core::edit::EditNo;
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::RepairPolicy;
use hashline_core::scheme::Scheme;
use hashline_core::text::RevPrefix;
use hashline_core::{CopiedAnchor, Evidence, Shown, copied_anchors};
use hashline_wire::answer::Sent;
use hashline_wire::request::{Anchors, Body, Parsed, RevField, Shape, WriteRequest, parse_write};
use hashline_wire::{BadRequest, Fault};

use crate::apply::{EditAnswer, Overrides};
use crate::service::Session;

/// How many copied anchors a refusal lists at most.
const NAMED: usize = 5;

impl Session<'_> {
    /// Parses a request to write a whole file and carries it out: the file gets exactly the bytes of the request, or nothing is written. The fields
    /// `path`, `rev` and `rev_rule` of the overrides are ignored.
    #[must_use]
    pub fn write<'b>(&self, body: impl Into<Body<'b>>, overrides: &Overrides<'_>) -> EditAnswer {
        let started = Instant::now();
        let dialect = overrides.dialect.or(self.service.config.dialect);
        let dialect = dialect.unwrap_or_default();
        let read = parse_write(body, &self.service.request_limits());
        let parsed = read
            .and_then(|write| self.refuse_copied(write, dialect))
            .map(|write| whole(write, overrides, dialect))
            .map_err(|bad| BadRequest {
                dialect: Some(dialect),
                ..bad
            });
        // It is written as it was sent: there is nothing to repair.
        let sent = Sent::WholeFile { existing: None };
        self.answer(parsed, RepairPolicy::Off, sent, overrides, started)
    }

    /// Refuses text in which lines begin with anchors that are valid for this file: they were copied from an answer by mistake and would end up in
    /// the file.
    fn refuse_copied(
        &self,
        write: WriteRequest,
        dialect: Dialect,
    ) -> Result<WriteRequest, BadRequest> {
        if write.anchors == Anchors::Refused {
            let (path, content) = (&write.path, &write.content);
            self.refuse_copied_into(path, content, dialect.scheme, write.rev.as_ref())?;
        }
        Ok(write)
    }

    /// Refuses the new content of a whole file in which lines begin with anchors that are valid for this file.
    pub(crate) fn refuse_copied_into(
        &self,
        path: &str,
        content: &str,
        scheme: Scheme,
        rev: Option<&RevPrefix>,
    ) -> Result<(), BadRequest> {
        let copied = self.copied_into(path, content, scheme, rev);
        if copied.is_empty() {
            return Ok(());
        }
        Err(BadRequest {
            fault: Fault::BadField,
            at: "content".to_owned(),
            edit: None,
            message: format!(
                "{}; send the text without them, or with \"keep_anchors\": true if they belong in the file",
                carried(&copied)
            ),
            path: Some(path.to_owned()),
            dialect: None,
        })
    }

    /// Refuses a request in which `rewrite` has a page of anchored lines as the new content of a file. One such line stays as it is, as in any
    /// content that is written byte for byte.
    pub(crate) fn refuse_pasted_pages(&self, parsed: Parsed) -> Result<Parsed, BadRequest> {
        for step in &parsed.request.steps {
            let FileAction::Rewrite(content) = &step.action else {
                continue;
            };
            let rev = parsed.request.revs.get(&step.path);
            let copied = self.copied_into(&step.path, content, parsed.dialect.scheme, rev);
            if copied.len() > 1 {
                let message = format!(
                    "{}; send the text without them, or write the whole file (`write`, `apply --whole`) with \"keep_anchors\": true if they belong in it",
                    carried(&copied)
                );
                return Err(BadRequest {
                    fault: Fault::BadField,
                    at: "content".to_owned(),
                    edit: Some(step.no.index()),
                    message,
                    path: Some(step.path.clone()),
                    dialect: Some(parsed.dialect),
                });
            }
        }
        Ok(parsed)
    }

    /// Returns the anchors in the new content of a whole file that were copied from an answer.
    fn copied_into(
        &self,
        path: &str,
        content: &str,
        scheme: Scheme,
        rev: Option<&RevPrefix>,
    ) -> Vec<CopiedAnchor> {
        let looks_so = |line: &str| scheme.read_copied(line).is_some();
        if !content.lines().any(looks_so) {
            return Vec::new();
        }
        // A path that cannot be used is not refused here: applying the request does that.
        let ledger = self.service.state.ledger();
        let history = self.service.workspace.history(ledger, path);
        let history = history.unwrap_or_default();
        copied_anchors(content, scheme, &Shown::new(&history, None), rev)
    }
}

/// Formats which anchors a text contains, and whether they were shown or match the text after them.
fn carried(copied: &[CopiedAnchor]) -> String {
    let any = |evidence| copied.iter().any(|one| one.evidence == evidence);
    let known = match (any(Evidence::Shown), any(Evidence::FitsText)) {
        (true, true) => "were shown or fit the text behind them",
        (true, false) => "were shown",
        _ => "fit the text behind them",
    };
    let named: Vec<String> = copied
        .iter()
        .take(NAMED)
        .map(|one| format!("`{}` in line {}", one.spelled, one.line))
        .collect();
    let more = match copied.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "it contains anchors that {known}: {}{more}",
        named.join(", ")
    )
}

/// Converts a write request into a parsed request with one step: create the file, or rewrite it if a revision is named.
fn whole(write: WriteRequest, overrides: &Overrides<'_>, dialect: Dialect) -> Parsed {
    let replaces_known = write.rev.is_some() || overrides.file_hash.is_some();
    let action = if replaces_known {
        FileAction::Rewrite(write.content)
    } else {
        FileAction::Create(write.content)
    };
    let revs = write.rev.into_iter().map(|rev| (write.path.clone(), rev));
    let encoding = write.encoding.into_iter();
    let encodings = encoding.map(|name| (write.path.clone(), name));
    let step = Step {
        no: EditNo::from_index(0),
        path: write.path.clone(),
        action,
    };
    Parsed {
        dialect,
        shape: Shape::Common,
        request: Request {
            revs: revs.collect(),
            encodings: encodings.collect(),
            steps: vec![step],
            ..Request::default()
        },
        mode: overrides.mode,
        context: None,
        show: overrides.show,
        rev_field: RevField::Own,
        notes: write.notes,
    }
}
