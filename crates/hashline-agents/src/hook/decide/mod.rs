//! What is decided about an event. No client is asked for by name here, but for what it is able to do.

mod changed;
mod native;
mod ours;
mod read;
mod shell;

use std::time::Duration;

use hashline_core::dialect::Dialect;
use hashline_session::{Service, off_files};
use hashline_wire::Refusal;
use hashline_workspace::DiskError;
use hashline_workspace::config::{HookAction, HookConfig};

use crate::hook::client::{Advice, Client};
use crate::hook::decision::{Decision, Note};
use crate::hook::event::{Action, Event, Moment};
use crate::hook::surroundings::{Roots, Scene, Surroundings};
use crate::hook::words::{self, Better, Calls};

/// Decides about an event.
#[must_use]
pub fn decide(event: &Event, surroundings: &Surroundings) -> Decision {
    if surroundings.off || !concerns_us(&event.moment) {
        return Decision::Pass;
    }
    let Some(scene) = Scene::of(event, surroundings) else {
        return Decision::Pass;
    };
    if !off_files(&scene.cwd, &scene.root).is_empty() {
        return Decision::Pass;
    }
    match Room::open(event, surroundings, scene) {
        Ok(room) => room.decide(&event.moment),
        Err(error) => Decision::PassNoting(Note::NoWorkspace(Refusal::from(error))),
    }
}

/// Tells whether there can be anything to decide. A tool that only reads is met when it has read.
fn concerns_us(moment: &Moment) -> bool {
    !matches!(moment, Moment::Other | Moment::Before(Action::Read { .. }))
}

/// Where it is decided: the workspace, what is set, who asks.
struct Room<'a> {
    client: Client,
    service: Service,
    session: Option<&'a str>,
    scene: Scene,
    roots: Roots,
    calls: Calls,
    /// What the server speaks.
    dialect: Dialect,
    time: Duration,
}

/// Whether a tool is about to run, or has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    After,
}

impl<'a> Room<'a> {
    fn open(
        event: &'a Event,
        surroundings: &'a Surroundings,
        scene: Scene,
    ) -> Result<Self, DiskError> {
        let prefix = surroundings.tool_prefix.as_deref();
        let (service, roots) = scene.open(surroundings)?;
        let told = surroundings.dialect;
        let dialect = told.or(service.config().dialect).unwrap_or_default();
        Ok(Self {
            client: event.client,
            service,
            session: (surroundings.session.as_deref()).or(event.session.as_deref()),
            scene,
            roots,
            calls: Calls::of(event.client, prefix, dialect.scheme).told(told),
            dialect,
            time: surroundings.time,
        })
    }

    fn decide(&self, moment: &Moment) -> Decision {
        match moment {
            Moment::Start => self.start(),
            Moment::Before(action) => self.before(action),
            Moment::After(action) => self.after(action),
            Moment::Other => Decision::Pass,
        }
    }

    fn start(&self) -> Decision {
        let HookConfig { native, shell, .. } = self.settings();
        match (native, shell) {
            (HookAction::Off, HookAction::Off) => Decision::Pass,
            _ => Decision::Tell(words::start(&self.calls)),
        }
    }

    fn before(&self, action: &Action) -> Decision {
        let objection = self.objection(action, When::Before);
        match (self.firmness(action), objection) {
            (_, None) => Decision::Pass,
            (_, Some(Objected::Unsure(note))) => Decision::PassNoting(note),
            (HookAction::Refuse, Some(Objected::Because(better))) => {
                Decision::Refuse(better.refusal())
            }
            (HookAction::Advise, Some(Objected::Because(better))) => {
                // One that takes advice only afterwards gets it then.
                match self.client.advice() {
                    Advice::After => Decision::Pass,
                    Advice::Before | Advice::Never => Decision::Advise(better.advice()),
                }
            }
            (HookAction::Off, _) => Decision::Pass,
        }
    }

    fn after(&self, action: &Action) -> Decision {
        if let Action::Read { path, answer } = action {
            let shown = answer.as_ref();
            return shown.map_or(Decision::Pass, |answer| self.read(path, answer));
        }
        self.notice_changes(action);
        let advises =
            self.client.advice() == Advice::After && self.firmness(action) == HookAction::Advise;
        match self.objection(action, When::After).filter(|_| advises) {
            Some(Objected::Because(better)) => Decision::Advise(better.advice()),
            _ => Decision::Pass,
        }
    }

    /// Says what there is to object to, if that is wanted.
    fn objection(&self, action: &Action, when: When) -> Option<Objected> {
        if self.firmness(action) == HookAction::Off {
            return None;
        }
        match action {
            Action::Change { tool, files } => self.change(tool, files, when).map(Objected::Because),
            Action::Shell { command, cwd } => self.shell(command, cwd.as_deref()),
            Action::Read { .. } => None,
        }
    }

    fn firmness(&self, action: &Action) -> HookAction {
        let HookConfig { native, shell, .. } = self.settings();
        match action {
            Action::Change { .. } => native,
            Action::Shell { .. } => shell,
            Action::Read { .. } => HookAction::Off,
        }
    }

    fn settings(&self) -> HookConfig {
        self.service.config().hook
    }
}

/// What there is to object to.
enum Objected {
    /// There is a better way.
    Because(Better),
    /// It could not be told.
    Unsure(Note),
}
