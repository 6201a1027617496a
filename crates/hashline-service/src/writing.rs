//! Writing a whole file: a new one, or one whose revision is known.

use std::time::Instant;

use hashline_core::copied_anchors;
use hashline_core::dialect::Dialect;
use hashline_core::edit::EditNo;
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::RepairPolicy;
use hashline_wire::request::{Anchors, Parsed, RevField, Shape, WriteRequest, parse_write};
use hashline_wire::{BadRequest, Fault};

use crate::apply::{Answered, Asked};
use crate::service::Session;

/// So many copied anchors are named; who copied one copied all.
const NAMED: usize = 5;

impl Session<'_> {
    /// Reads a request to write a whole file and carries it out: the file gets exactly these bytes, or nothing is written. Of what is
    /// said beside, only how it is told and taken back counts.
    #[must_use]
    pub fn write(&self, body: &[u8], asked: &Asked<'_>) -> Answered {
        let started = Instant::now();
        let dialect = asked.dialect.or(self.service.config.dialect);
        let dialect = dialect.unwrap_or_default();
        let read = parse_write(body, &self.service.request_limits());
        let parsed = read
            .and_then(|write| refuse_copied(write, dialect))
            .map(|write| whole(write, asked, dialect))
            .map_err(|bad| BadRequest {
                dialect: Some(dialect),
                ..bad
            });
        // It is written as it was sent: there is nothing to correct.
        self.answer(parsed, RepairPolicy::Off, asked, started)
    }
}

/// Refuses text whose lines carry anchors that are right: somebody copied what was shown, and would write it into the file.
fn refuse_copied(write: WriteRequest, dialect: Dialect) -> Result<WriteRequest, BadRequest> {
    let copied = match write.anchors {
        Anchors::Kept => Vec::new(),
        Anchors::Refused => copied_anchors(&write.content, dialect.scheme),
    };
    if copied.is_empty() {
        return Ok(write);
    }
    let named: Vec<String> = copied
        .iter()
        .take(NAMED)
        .map(|(line, anchor)| format!("`{anchor}` in line {line}"))
        .collect();
    let more = match copied.len() > NAMED {
        true => format!(" and {} more", copied.len() - NAMED),
        false => String::new(),
    };
    Err(BadRequest {
        fault: Fault::BadField,
        at: "content".to_owned(),
        edit: None,
        message: format!(
            "it carries anchors that were shown: {}{more}; send the text without them, or, if the file shall hold them, with \"keep_anchors\": true",
            named.join(", ")
        ),
        path: Some(write.path),
        dialect: None,
    })
}

/// Puts it as a request of one step.
fn whole(write: WriteRequest, asked: &Asked<'_>, dialect: Dialect) -> Parsed {
    let action = match &write.rev {
        None => FileAction::Create(write.content),
        Some(_) => FileAction::Rewrite(write.content),
    };
    let revs = write.rev.into_iter().map(|rev| (write.path.clone(), rev));
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
            steps: vec![step],
            ..Request::default()
        },
        mode: asked.mode,
        context: None,
        show: asked.show,
        rev_field: RevField::Own,
        notes: write.notes,
    }
}
