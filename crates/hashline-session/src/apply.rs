//! Carrying out a request: from its bytes to what became of it.

use std::collections::BTreeSet;
use std::time::Instant;

use hashline_core::dialect::Dialect;
use hashline_core::edit::Operation;
use hashline_core::files::FileAction;
use hashline_core::policy::{Context, RepairPolicy};
use hashline_core::text::{LineNo, Payload, RevPrefix};
use hashline_core::totals::Work;
use hashline_wire::request::{Mode as Asks, Parsed, RevRule, Show};
use hashline_wire::response::{self, Outcome, Refusal, Sent, Terms, Whole};
use hashline_wire::{BadRequest, Fault, ParseOptions, parse};
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::ledger::ShownBy;
use hashline_workspace::{Applied, Asking, CancelToken, Mode, NotApplied, WhyNot};

use crate::service::Session;

/// What is said beside a request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The dialect; nothing: as configured, or as the shape of the request says.
    pub dialect: Option<Dialect>,
    /// The file that edits without a path are for.
    pub path: Option<&'a str>,
    /// The revision that anchors were read from, for a request over one file that names none.
    pub rev: Option<&'a str>,
    /// Whether it is only tried; a request can say so itself.
    pub mode: Asks,
    /// How many lines are shown around a place; nothing: as the request says, or as configured.
    pub context: Option<Context>,
    /// What is shown of the new content; a request can ask for more.
    pub show: Show,
    /// What is shown of files that are sent whole.
    pub whole: Whole,
    /// Whether every file must come with the revision its anchors were read from.
    pub rev_rule: RevRule,
    /// The word by which the caller may take it back.
    pub stop: Option<&'a CancelToken>,
}

/// What became of a request, and on what terms that is told.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The terms.
    pub terms: Terms,
    /// What became of it.
    pub outcome: Outcome,
}

/// What a request says for itself, whatever is said beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The files it names; none if it leaves that to its caller.
    pub paths: BTreeSet<String>,
    /// The revisions it names.
    pub revs: Vec<RevPrefix>,
}

impl Session<'_> {
    /// Returns what a request says for itself of what is said beside it, too, so that a caller who says something else is not passed
    /// over. One that cannot be read says nothing.
    #[must_use]
    pub fn said(&self, body: &[u8], asked: &Asked<'_>) -> Said {
        let mut said = Said::default();
        let without_rev = Asked {
            rev: None,
            ..*asked
        };
        let without_both = Asked {
            path: None,
            ..without_rev
        };
        if asked.path.is_some()
            && let Ok(parsed) = self.parse(body, &without_both)
        {
            let steps = parsed.request.steps.into_iter();
            said.paths = steps.map(|step| step.path).collect();
        }
        if asked.rev.is_some()
            && let Ok(parsed) = self.parse(body, &without_rev)
        {
            said.revs = parsed.request.revs.into_values().collect();
        }
        said
    }

    /// Reads a request and carries it out: all of it, or nothing. What the answer shows is written down.
    #[must_use]
    pub fn apply(&self, body: &[u8], asked: &Asked<'_>) -> Answered {
        let started = Instant::now();
        let repair = self.service.config.repair;
        let parsed = self.parse(body, asked);
        self.answer(parsed, repair, Sent::Edits, asked, started)
    }

    /// Carries out a request that was read, counts it, and writes down what its answer shows.
    pub(crate) fn answer(
        &self,
        parsed: Result<Parsed, BadRequest>,
        repair: RepairPolicy,
        sent: Sent,
        asked: &Asked<'_>,
        started: Instant,
    ) -> Answered {
        let parsed = parsed.and_then(|parsed| refuse_nul(parsed, &sent));
        let (mut answered, event) = match parsed {
            Ok(parsed) => self.carry_out(parsed, repair, asked, started),
            Err(bad) => {
                let code = bad.fault.code();
                let terms = Terms::from(&bad);
                let outcome = Err(bad.into());
                let event = CountedEvent::refused(work(asked.mode), code, started.elapsed());
                (Answered { terms, outcome }, event)
            }
        };
        answered.terms.sent = sent;
        answered.terms.whole = asked.whole;
        self.service.kept.counters.record(&event);
        self.write_down(&answered);
        answered
    }

    fn parse(&self, body: &[u8], asked: &Asked<'_>) -> Result<Parsed, BadRequest> {
        let config = &self.service.config;
        let options = ParseOptions {
            dialect: asked.dialect.or(config.dialect),
            path: asked.path,
            rev: asked.rev,
            rev_rule: asked.rev_rule,
            profile: config.profile,
            limits: self.service.request_limits(),
        };
        parse(body, &options)
    }

    fn carry_out(
        &self,
        mut parsed: Parsed,
        repair: RepairPolicy,
        asked: &Asked<'_>,
        started: Instant,
    ) -> (Answered, CountedEvent) {
        let config = &self.service.config;
        if asked.mode == Asks::DryRun {
            parsed.mode = Asks::DryRun;
        }
        if asked.show != Show::default() {
            parsed.show = asked.show;
        }
        let context = asked.context.or(parsed.context).unwrap_or(config.context);
        let mut terms = Terms {
            context,
            ..Terms::from(&parsed)
        };
        let mut policy = config.policy(parsed.dialect);
        policy.context = context;
        policy.repair = repair;
        let asking = Asking {
            session: self.name,
            policy: &policy,
            mode: match parsed.mode {
                Asks::Write => Mode::Commit,
                Asks::DryRun => Mode::DryRun,
            },
        };
        let ledger = self.service.kept.ledger();
        let applied =
            self.service
                .workspace
                .apply_unless(parsed.request, ledger, &asking, asked.stop);
        let event = CountedEvent::of_edit(work(parsed.mode), &applied, started.elapsed());
        let outcome = settled(applied, &mut terms);
        (Answered { terms, outcome }, event)
    }

    /// Writes down what an answer shows. Nothing was written by a dry run, so what it shows is nowhere.
    fn write_down(&self, answered: &Answered) {
        let Answered { terms, outcome } = answered;
        if terms.mode == Asks::DryRun && outcome.is_ok() {
            return;
        }
        let Self { service, .. } = self;
        for place in response::shown(terms, outcome) {
            let shows = self.shows(terms.dialect.scheme, &place.spans, None, ShownBy::Edit);
            let ledger = service.kept.ledger();
            // A file that is gone again has nothing to be looked up.
            let _ = service
                .workspace
                .showed(ledger, &place.path, &place.document, &shows);
        }
    }
}

/// Refuses text with a NUL byte in it: a file that holds one is no text, and could not be read again.
fn refuse_nul(parsed: Parsed, sent: &Sent) -> Result<Parsed, BadRequest> {
    let mut steps = parsed.request.steps.iter();
    let found = steps.find_map(|step| Some((step, line_with_nul(&step.action)?)));
    let Some((step, line)) = found else {
        return Ok(parsed);
    };
    let (at, edit) = match sent {
        Sent::Edits => (String::new(), Some(step.no.index())),
        Sent::WholeFile { .. } => ("content".to_owned(), None),
    };
    Err(BadRequest {
        fault: Fault::BadField,
        at,
        edit,
        message: format!(
            "line {line} of the text that was sent holds a NUL byte, which no file of text does; send it without"
        ),
        path: Some(step.path.clone()),
        dialect: Some(parsed.dialect),
    })
}

/// Returns the first line with a NUL byte in the text that a step brings.
fn line_with_nul(action: &FileAction) -> Option<LineNo> {
    let in_text = |text: &str| {
        let mut lines = text.split('\n').enumerate();
        let index = lines.find_map(|(index, line)| line.contains('\0').then_some(index));
        index.map(LineNo::from_index)
    };
    match action {
        FileAction::Create(text) | FileAction::Rewrite(text) => in_text(text),
        FileAction::Edit(Operation::Substitute { new, .. }) => in_text(new),
        FileAction::Edit(
            Operation::Replace { with: text, .. } | Operation::Insert { text, .. },
        ) => match text {
            Payload::Text(text) => in_text(text),
            Payload::Lines(lines) => in_text(&lines.join("\n")),
        },
        FileAction::Edit(Operation::Delete { .. }) | FileAction::Move(_) | FileAction::Delete => {
            None
        }
    }
}

fn work(mode: Asks) -> Work {
    match mode {
        Asks::Write => Work::Apply,
        Asks::DryRun => Work::DryRun,
    }
}

/// Turns what the workspace says into what an answer is made from.
fn settled(applied: Result<Applied, NotApplied>, terms: &mut Terms) -> Outcome {
    match applied {
        Ok(applied) => {
            terms.disk = applied.notes;
            Ok(applied.edited)
        }
        Err(not_applied) => {
            terms.disk = not_applied.notes;
            Err(match not_applied.why {
                WhyNot::Disk(error) => Refusal::from(error),
                WhyNot::Refused(error) => Refusal::from(error),
            })
        }
    }
}
