//! Writing a whole file: a new one, or one whose revision is known.

use std::time::Instant;

use hashline_core::dialect::Dialect;
use hashline_core::edit::EditNo;
use hashline_core::files::{FileAction, FilesError, Request, Step};
use hashline_core::policy::RepairPolicy;
use hashline_core::{CopiedAnchor, Evidence, Shown, copied_anchors};
use hashline_wire::request::{Anchors, Parsed, RevField, Shape, WriteRequest, parse_write};
use hashline_wire::response::{Refusal, Sent, There};
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
            .and_then(|write| self.refuse_copied(write, dialect))
            .map(|write| whole(write, asked, dialect))
            .map_err(|bad| BadRequest {
                dialect: Some(dialect),
                ..bad
            });
        // It is written as it was sent: there is nothing to correct.
        let sent = Sent::WholeFile { there: None };
        let mut answered = self.answer(parsed, RepairPolicy::Off, sent, asked, started);
        if let Err(Refusal::Files(FilesError::Exists(trouble))) = &answered.outcome {
            let there = self.service.workspace.read(&trouble.path).ok();
            let there = there.map(|read| There {
                rev: read.document.revision().short(),
                lines: read.document.line_count(),
            });
            answered.terms.sent = Sent::WholeFile { there };
        }
        answered
    }

    /// Refuses text whose lines carry anchors that are right: somebody copied what was shown, and would write it into the file.
    fn refuse_copied(
        &self,
        write: WriteRequest,
        dialect: Dialect,
    ) -> Result<WriteRequest, BadRequest> {
        let scheme = dialect.scheme;
        let looks_so = |line: &str| scheme.read_shown(line).is_some();
        if write.anchors == Anchors::Kept || !write.content.lines().any(looks_so) {
            return Ok(write);
        }
        // Whose path leads nowhere is told so when the file is looked for.
        let ledger = self.service.kept.ledger();
        let history = self.service.workspace.history(ledger, &write.path);
        let history = history.unwrap_or_default();
        let shown = Shown::to_anyone(&history);
        let copied = copied_anchors(&write.content, scheme, &shown, write.rev.as_ref());
        if copied.is_empty() {
            return Ok(write);
        }
        Err(BadRequest {
            fault: Fault::BadField,
            at: "content".to_owned(),
            edit: None,
            message: format!(
                "{}; send the text without them, or, if the file shall hold them, with \"keep_anchors\": true",
                carried(&copied)
            ),
            path: Some(write.path),
            dialect: None,
        })
    }
}

/// Says which anchors a text carries, and how that is known.
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
    let more = match copied.len() > NAMED {
        true => format!(" and {} more", copied.len() - NAMED),
        false => String::new(),
    };
    format!(
        "it carries anchors that {known}: {}{more}",
        named.join(", ")
    )
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
