//! Carrying out an edit request: from its JSON to its answer.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_core::edit::Operation;
use hashline_core::files::FileAction;
use hashline_core::policy::{Context, Mode, RepairPolicy};
use hashline_core::text::{LineNo, Payload};
use hashline_wire::answer::{self, AnswerForm, AnswerOptions, ExistingFile, Outcome, Sent, Whole};
use hashline_wire::page::PageSize;
use hashline_wire::request::{Body, Parsed, RevRule, Show, parse_write};
use hashline_wire::schema::Tool;
use hashline_wire::{BadRequest, Fault, ParseOptions, Refusal, parse};
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::counters::totals::Work;
use hashline_workspace::ledger::{self, ShownBy};
use hashline_workspace::{ApplyError, ApplyOptions, CancelToken};

use crate::service::Session;
use crate::words::{disk_notice, disk_refusal};

/// Options that the command line or a server adds to a request. A request that contradicts their path or revision is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides<'a> {
    /// The dialect of the request; `None`: as configured, or detected from the shape of the request.
    pub dialect: Option<Dialect>,
    /// The path of the file for edits that name no path.
    pub path: Option<&'a str>,
    /// The revision from which anchors were read, for a request over one file that names no revision.
    pub rev: Option<&'a str>,
    /// The SHA-256 that the file must have, for a request over one file.
    pub file_hash: Option<&'a str>,
    /// The encoding of files for which the request names none.
    pub encoding: Option<&'a str>,
    /// Whether the request is only a dry run; the request itself can also ask for one.
    pub mode: Mode,
    /// How many lines are shown around a changed line or a refused anchor; `None`: as the request says, or as configured.
    pub context: Option<Context>,
    /// How much of the new content the answer shows; a value other than the default replaces the request's own choice.
    pub show: Show,
    /// How much the answer shows of files whose whole content was sent.
    pub whole: Whole,
    /// In which form the answer is given.
    pub form: AnswerForm,
    /// How large the answer may be when it is rendered as text; `None`: no limit.
    pub page: Option<PageSize>,
    /// Whether every file in the request must come with the revision from which its anchors were read.
    pub rev_rule: RevRule,
    /// Cancels the request if nothing has been written yet.
    pub cancel: Option<&'a CancelToken>,
}

/// The outcome of a request, and the options for rendering its answer.
#[derive(Clone, Debug)]
pub struct EditAnswer {
    /// The options for rendering the answer.
    pub options: AnswerOptions,
    /// The edited files, or the refusal.
    pub outcome: Outcome,
}

impl Session<'_> {
    /// Parses an edit request and carries out all of it or nothing. The ledger records the lines that the answer shows, so that their anchors can be
    /// used next.
    #[must_use]
    pub fn apply<'b>(&self, body: impl Into<Body<'b>>, overrides: &Overrides<'_>) -> EditAnswer {
        let started = Instant::now();
        let repair = self.service.config.repair;
        let parsed = self
            .parse(body.into(), overrides)
            .and_then(|parsed| self.refuse_contradiction(parsed, overrides))
            .and_then(|parsed| self.refuse_pasted_pages(parsed));
        self.answer(parsed, repair, Sent::Edits, overrides, started)
    }

    /// Carries out a parsed request, counts it, and records the lines that its answer shows.
    pub(crate) fn answer(
        &self,
        parsed: Result<Parsed, BadRequest>,
        repair: RepairPolicy,
        sent: Sent,
        overrides: &Overrides<'_>,
        started: Instant,
    ) -> EditAnswer {
        // Before anything is carried out: a file with a NUL byte counts as binary, and no later call could read it.
        let parsed = parsed.and_then(|parsed| refuse_nul(parsed, &sent));
        let (answer, event) = match parsed {
            Ok(parsed) => self.carry_out(parsed, repair, sent, overrides, started),
            Err(bad) => {
                let code = bad.fault.code();
                let options = AnswerOptions {
                    sent,
                    page: overrides.page,
                    form: overrides.form,
                    ..AnswerOptions::from(&bad)
                };
                let outcome = Err(bad.into());
                let event = CountedEvent::refused(work(overrides.mode), code, started.elapsed());
                (EditAnswer { options, outcome }, event)
            }
        };
        self.service.state.counters.record(&event);
        self.record_answer(&answer);
        answer
    }

    /// Returns the paths of all files that a request to edit or write files would change, create, move or delete; nothing is carried out.
    ///
    /// # Errors
    ///
    /// [`BadRequest`] if the request cannot be parsed.
    pub fn paths_to_change<'b>(
        &self,
        tool: Tool,
        body: impl Into<Body<'b>>,
        overrides: &Overrides<'_>,
    ) -> Result<Vec<String>, BadRequest> {
        if tool == Tool::Write {
            let write = parse_write(body, &self.service.request_limits())?;
            return Ok(vec![write.path]);
        }
        let parsed = self.parse(body.into(), overrides)?;
        let mut paths = Vec::new();
        for step in parsed.request.steps {
            paths.push(step.path);
            if let FileAction::Move(to) = step.action {
                paths.push(to);
            }
        }
        Ok(paths)
    }

    fn parse(&self, body: Body<'_>, overrides: &Overrides<'_>) -> Result<Parsed, BadRequest> {
        let config = &self.service.config;
        let options = ParseOptions {
            dialect: overrides.dialect.or(config.dialect),
            path: overrides.path,
            rev: overrides.rev,
            rev_rule: overrides.rev_rule,
            profile: config.profile,
            limits: self.service.request_limits(),
        };
        parse(body, &options)
    }

    /// Refuses a request that names another file or revision than the overrides do, because it is unclear which one is meant.
    fn refuse_contradiction(
        &self,
        parsed: Parsed,
        overrides: &Overrides<'_>,
    ) -> Result<Parsed, BadRequest> {
        let base = self.service.base.as_deref().unwrap_or(Path::new(""));
        let mut steps = parsed.request.steps.iter();
        if let Some(given) = overrides.path
            && let Some(other) = steps.find(|step| !is_same_file(base, &step.path, given))
        {
            let message = format!("the caller names {given}, the request {}", other.path);
            return Err(contradiction(&parsed, "path", message));
        }
        if let Some(given) = overrides.file_hash {
            let paths: BTreeSet<&String> =
                parsed.request.steps.iter().map(|step| &step.path).collect();
            if paths.len() > 1 {
                let message =
                    "the caller requires a version of one file, the request is over several";
                return Err(contradiction(&parsed, "path", message.to_owned()));
            }
            let mut hashes = parsed.request.file_hashes.values();
            if let Some(other) = hashes.find(|hash| !hash.eq_ignore_ascii_case(given)) {
                let message = format!("the caller requires version {given}, the request {other}");
                return Err(contradiction(&parsed, "file_hash", message));
            }
        }
        // Either may be a prefix of the other: a revision can be sent with 8 to 32 digits.
        if let Some(given) = overrides.rev.map(str::to_lowercase) {
            let agrees = |rev: &str| rev.starts_with(&given) || given.starts_with(rev);
            let mut revs = parsed.request.revs.values().map(ToString::to_string);
            if let Some(other) = revs.find(|rev| !agrees(rev)) {
                let message = format!("the caller names revision {given}, the request {other}");
                return Err(contradiction(&parsed, "rev", message));
            }
        }
        Ok(parsed)
    }

    fn carry_out(
        &self,
        mut parsed: Parsed,
        repair: RepairPolicy,
        sent: Sent,
        overrides: &Overrides<'_>,
        started: Instant,
    ) -> (EditAnswer, CountedEvent) {
        let config = &self.service.config;
        if let Some(hash) = overrides.file_hash
            && let Some(step) = parsed.request.steps.first()
        {
            let (path, hash) = (step.path.clone(), hash.to_owned());
            parsed.request.file_hashes.insert(path, hash);
        }
        if let Some(encoding) = overrides.encoding {
            let paths = parsed.request.steps.iter().map(|step| step.path.clone());
            for path in paths.collect::<Vec<_>>() {
                let encodings = &mut parsed.request.encodings;
                encodings.entry(path).or_insert_with(|| encoding.to_owned());
            }
        }
        if overrides.mode == Mode::DryRun {
            parsed.mode = Mode::DryRun;
        }
        if overrides.show != Show::default() {
            parsed.show = overrides.show;
        }
        let context = overrides.context.or(parsed.context);
        let mut options = AnswerOptions {
            context: context.unwrap_or(config.context),
            sent,
            whole: overrides.whole,
            page: overrides.page,
            form: overrides.form,
            ..AnswerOptions::from(&parsed)
        };
        let mut policy = config.policy(parsed.dialect);
        policy.context = options.context;
        policy.repair = repair;
        let apply = ApplyOptions {
            session: self.name,
            policy: &policy,
            mode: parsed.mode,
            cancel: overrides.cancel,
        };
        let Self { service, .. } = self;
        let applied = service
            .workspace
            .apply(parsed.request, service.state.ledger(), &apply);
        let event = CountedEvent::of_edit(work(parsed.mode), &applied.result, started.elapsed());
        options.disk = applied.notes.iter().map(disk_notice).collect();
        let outcome = applied
            .result
            .map_err(|error| self.refusal(error, &mut options));
        (EditAnswer { options, outcome }, event)
    }

    /// Builds the refusal of a request that could not be carried out.
    fn refusal(&self, error: ApplyError, options: &mut AnswerOptions) -> Refusal {
        let error = match error {
            ApplyError::Disk(error) => return disk_refusal(&error, options.dialect),
            ApplyError::Edits(error) => error,
        };
        if let (Code::FileExists, Sent::WholeFile { existing }) = (error.code(), &mut options.sent)
        {
            // Read again, only for the refusal: with the revision the caller can decide to replace the file.
            let read = self.service.workspace.read(error.path()).ok();
            *existing = read.map(|read| ExistingFile {
                rev: read.document.revision().short(),
                lines: read.document.line_count(),
            });
        }
        Refusal::of_files(error, options)
    }

    /// Records exactly the lines that an answer shows: lines that a page limit leaves out were never seen, so an edit of them must be refused. A
    /// successful dry run records nothing, because the new lines it shows do not exist in the file.
    fn record_answer(&self, answer: &EditAnswer) {
        let EditAnswer { options, outcome } = answer;
        if options.mode == Mode::DryRun && outcome.is_ok() {
            return;
        }
        let Self { service, .. } = self;
        for lines in answer::shown(options, outcome) {
            let shows = ledger::ShownLines {
                cut: &lines.cut,
                ..self.shows(options.dialect.scheme, &lines.spans, None, ShownBy::Edit)
            };
            let ledger = service.state.ledger();
            // Fails if the file was deleted meanwhile; then there is nothing to record.
            let _ = service
                .workspace
                .showed(ledger, &lines.path, &lines.document, &shows);
        }
    }
}

fn contradiction(parsed: &Parsed, at: &str, message: String) -> BadRequest {
    BadRequest {
        fault: Fault::BadField,
        at: at.to_owned(),
        edit: None,
        message,
        path: None,
        dialect: Some(parsed.dialect),
    }
}

/// Returns whether two paths, relative to `base`, name the same file.
fn is_same_file(base: &Path, one: &str, other: &str) -> bool {
    let real = |path: &str| {
        let whole = base.join(path);
        // A file that is to be created has no real path yet; its folder has one.
        std::fs::canonicalize(&whole).unwrap_or_else(|_| {
            match (whole.parent(), whole.file_name()) {
                (Some(folder), Some(name)) => std::fs::canonicalize(folder)
                    .map_or_else(|_| whole.clone(), |folder| folder.join(name)),
                _ => whole.clone(),
            }
        })
    };
    one == other || real(one) == real(other)
}

/// Refuses a request whose new text contains a NUL byte, because the file would count as binary afterwards.
fn refuse_nul(parsed: Parsed, sent: &Sent) -> Result<Parsed, BadRequest> {
    let mut steps = parsed.request.steps.iter();
    let found = steps.find_map(|step| Some((step, line_with_nul(&step.action)?)));
    let Some((step, line)) = found else {
        return Ok(parsed);
    };
    let (at, edit) = match sent {
        Sent::Edits | Sent::Anchors => (String::new(), Some(step.no.index())),
        Sent::WholeFile { .. } => ("content".to_owned(), None),
    };
    Err(BadRequest {
        fault: Fault::BadField,
        at,
        edit,
        message: format!("line {line} of the new text contains a NUL byte; send it without"),
        path: Some(step.path.clone()),
        dialect: Some(parsed.dialect),
    })
}

/// Returns the number of the first line with a NUL byte in the new text of a step, counted within that text.
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
        FileAction::Edit(Operation::Delete { .. })
        | FileAction::Overwrite(..)
        | FileAction::Move(_)
        | FileAction::Delete => None,
    }
}

fn work(mode: Mode) -> Work {
    match mode {
        Mode::Write => Work::Apply,
        Mode::DryRun => Work::DryRun,
    }
}
