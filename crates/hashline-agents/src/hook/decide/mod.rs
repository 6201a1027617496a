//! Decides whether a tool call is allowed, refused or given advice, by the same rules for all clients; clients differ only in what they support.

mod native;
mod read;
mod rights;
mod shell;

use std::path::Path;
use std::time::{Duration, Instant};

use hashline_core::dialect::Dialect;
use hashline_session::{Service, off_files};
use hashline_wire::Refusal;
use hashline_wire::page::{PageSize, within};
use hashline_workspace::ScanLimits;
use hashline_workspace::config::{HookAction, HookConfig};

use crate::hook::answer::{Decision, PassReason};
use crate::hook::clients::{AdviceTime, Client};
use crate::hook::event::{ChangeKind, EditMode, EventKind, HookEvent, ToolAction};
use crate::hook::location::{EventLocation, GuardedRoots};
use crate::hook::options::HookOptions;
use crate::hook::suggestion::Suggestion;
use crate::hook::words::{self, ToolNames};

/// The divisor of the hook's time limit that gives the time (a third) for finding files that a shell command changed. A changed file that is
/// not found in that time is recorded when it is next read or edited.
const PART: u32 = 3;
/// The maximum number of changed files that are recorded after a shell command.
const FILES: usize = 64;
/// The maximum number of file names that are checked for changes after a shell command.
const NAMES: usize = 20_000;
/// The maximum number of files of one tool call that are checked for changes.
const NAMED: usize = 64;

/// Decides how to answer an event, such as a tool call that an agent is about to make.
#[must_use]
pub fn decide(event: &HookEvent, options: &HookOptions) -> Decision {
    // These questions come before the workspace is opened, which reads the disk: most events do not concern us.
    if options.off || !concerns_us(&event.kind) {
        return Decision::Pass;
    }
    let Some(location) = EventLocation::of(event, options) else {
        return Decision::Pass;
    };
    let is_off = !off_files(&location.cwd, &location.root).is_empty();
    // A file in the project turns off what the hook does about other tools, but never what the client's mode forbids our own.
    if is_off && event.edits != EditMode::Refuses {
        return Decision::Pass;
    }
    match Decider::open(event, options, location) {
        Ok(decider) if is_off => decider.forbidden(&event.kind).unwrap_or(Decision::Pass),
        Ok(decider) => decider.decide(&event.kind),
        Err(_) if is_own_edit_while_planning(event) => Decision::Refuse(words::PLANNING.to_owned()),
        Err(refusal) => Decision::PassBecause(PassReason::NoWorkspace(refusal)),
    }
}

/// Returns whether an event is an edit by our own tool in a mode in which the client makes none.
fn is_own_edit_while_planning(event: &HookEvent) -> bool {
    let is_own = matches!(
        event.kind,
        EventKind::BeforeTool(ToolAction::OwnEdit { .. })
    );
    is_own && event.edits == EditMode::Refuses
}

/// Returns whether the hook handles this kind of event. A read tool is handled only after it ran, when its output is known.
fn concerns_us(kind: &EventKind) -> bool {
    !matches!(
        kind,
        EventKind::Other | EventKind::BeforeTool(ToolAction::Read { .. })
    )
}

/// Everything that the decision about one event depends on.
struct Decider<'a> {
    client: Client,
    service: Service,
    session: Option<&'a str>,
    location: EventLocation,
    edits: EditMode,
    roots: GuardedRoots,
    tools: ToolNames,
    /// The dialect (format of requests and anchors) that our MCP server uses.
    dialect: Dialect,
    time: Duration,
}

/// Whether a tool is about to run or has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToolPhase {
    Before,
    After,
}

impl<'a> Decider<'a> {
    fn open(
        event: &'a HookEvent,
        options: &'a HookOptions,
        location: EventLocation,
    ) -> Result<Self, Refusal> {
        let prefix = options.tool_prefix.as_deref();
        let (service, roots) = location.open(options)?;
        let given = options.dialect;
        let dialect = given.or(service.config().dialect).unwrap_or_default();
        Ok(Self {
            client: event.client,
            service,
            session: (options.session.as_deref()).or(event.session.as_deref()),
            location,
            edits: event.edits,
            roots,
            tools: ToolNames::new(event.client, prefix, dialect.scheme, given),
            dialect,
            time: options.time,
        })
    }

    fn decide(&self, kind: &EventKind) -> Decision {
        match kind {
            EventKind::SessionStart => self.start(),
            EventKind::BeforeTool(action) => self.before(action),
            EventKind::AfterTool(action) => self.after(action),
            EventKind::Other => Decision::Pass,
        }
    }

    fn start(&self) -> Decision {
        let HookConfig { native, shell, .. } = self.settings();
        match (native, shell) {
            (HookAction::Off, HookAction::Off) => Decision::Pass,
            _ => Decision::Tell(words::start(&self.tools)),
        }
    }

    /// Refuses an event that the client's mode forbids, even where the hook is turned off.
    fn forbidden(&self, kind: &EventKind) -> Option<Decision> {
        match kind {
            EventKind::BeforeTool(action) => self.refused_by_mode(action),
            EventKind::SessionStart | EventKind::AfterTool(_) | EventKind::Other => None,
        }
    }

    /// Refuses what hashline would do although the client's own edit tool may not do it now, whatever the hook is told to do about other tools.
    fn refused_by_mode(&self, action: &ToolAction) -> Option<Decision> {
        let is_edit = match action {
            ToolAction::OwnEdit { .. } => true,
            ToolAction::Shell { command, .. } => self.applies(command),
            _ => false,
        };
        let refuses = self.edits == EditMode::Refuses && is_edit;
        refuses.then(|| Decision::Refuse(words::PLANNING.to_owned()))
    }

    fn before(&self, action: &ToolAction) -> Decision {
        if let Some(refused) = self.refused_by_mode(action) {
            return refused;
        }
        match (self.edits, action) {
            (EditMode::Accepts, ToolAction::OwnEdit { tool, request })
                if self.may_edit_unasked(*tool, request) =>
            {
                return Decision::Allow(words::ACCEPTED.to_owned());
            }
            _ => {}
        }
        let suggestion = match self.objection(action, ToolPhase::Before) {
            None => return Decision::Pass,
            Some(HookObjection::Unsure(reason)) => return Decision::PassBecause(reason),
            Some(HookObjection::Suggest(suggestion)) => suggestion,
        };
        match self.strictness(action) {
            HookAction::Refuse => Decision::Refuse(self.within_page(&suggestion.refusal())),
            // A client that accepts advice only afterwards gets it then.
            HookAction::Advise if self.client.advice() != AdviceTime::After => {
                Decision::Advise(self.within_page(&suggestion.advice()))
            }
            HookAction::Advise | HookAction::Off => Decision::Pass,
        }
    }

    fn after(&self, action: &ToolAction) -> Decision {
        if let ToolAction::Read { path, output } = action {
            let shown = output.as_ref();
            return shown.map_or(Decision::Pass, |output| self.read(path, output));
        }
        // Also where objections are off: anchors have to find their lines after any change.
        self.notice_changes(action);
        let advises = self.client.advice() == AdviceTime::After
            && self.strictness(action) == HookAction::Advise;
        let objection = advises.then(|| self.objection(action, ToolPhase::After));
        match objection.flatten() {
            Some(HookObjection::Suggest(suggestion)) => {
                Decision::Advise(self.within_page(&suggestion.advice()))
            }
            _ => Decision::Pass,
        }
    }

    /// Returns the objection to a tool call; `None` if there is none or the configuration turns objections off.
    fn objection(&self, action: &ToolAction, when: ToolPhase) -> Option<HookObjection> {
        if self.strictness(action) == HookAction::Off {
            return None;
        }
        match action {
            ToolAction::Change { tool, files } => {
                self.change(tool, files, when).map(HookObjection::Suggest)
            }
            ToolAction::Shell { command, cwd } => self.shell(command, cwd.as_deref()),
            ToolAction::Read { .. } | ToolAction::OwnEdit { .. } => None,
        }
    }

    fn strictness(&self, action: &ToolAction) -> HookAction {
        let HookConfig { native, shell, .. } = self.settings();
        match action {
            ToolAction::Change { .. } => native,
            ToolAction::Shell { .. } => shell,
            ToolAction::Read { .. } | ToolAction::OwnEdit { .. } => HookAction::Off,
        }
    }

    /// Returns how large what the model reads may be.
    fn page(&self) -> PageSize {
        self.service.page(self.client.agent())
    }

    /// Cuts a text that names files or commands of any length to what the client hands on whole.
    fn within_page(&self, text: &str) -> String {
        within(text, self.page().of_refusal().bytes())
    }

    fn settings(&self) -> HookConfig {
        self.service.config().hook
    }
}

impl Decider<'_> {
    /// Records the files that a tool changed, so that anchors shown before the change still find their lines. The model is not told about the
    /// change: if the line of an anchor is gone, the edit that uses the anchor is refused.
    pub(super) fn notice_changes(&self, action: &ToolAction) {
        match action {
            ToolAction::Change { files, .. } => {
                let paths = files.iter().flat_map(|change| match &change.kind {
                    ChangeKind::MoveTo(to) => vec![&change.path, to],
                    _ => vec![&change.path],
                });
                paths.take(NAMED).for_each(|path| self.notice(path));
            }
            ToolAction::Shell { .. } => {
                self.service.notice_changes(&ScanLimits {
                    files: FILES,
                    names: NAMES,
                    until: Instant::now() + self.time / PART,
                });
            }
            ToolAction::Read { .. } | ToolAction::OwnEdit { .. } => {}
        }
    }

    fn notice(&self, path: &str) {
        if let Some(path) = self.location.place(Path::new(path)).to_str() {
            // A file that cannot be read has nothing to record.
            let _ = self.service.noticed(path);
        }
    }
}

/// The hook's objection to a tool call.
enum HookObjection {
    /// The tool call should be replaced by this suggested call.
    Suggest(Suggestion),
    /// The guard could not check the shell command.
    Unsure(PassReason),
}
