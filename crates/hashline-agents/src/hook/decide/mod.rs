//! What is decided about an event. No client is asked for by name here, but for what it is able to do.

mod native;
mod read;
mod shell;

use std::path::Path;
use std::time::{Duration, Instant};

use hashline_core::dialect::Dialect;
use hashline_session::{Service, off_files};
use hashline_wire::Refusal;
use hashline_workspace::config::{Hook, Objection};
use hashline_workspace::{DiskError, Effort};

use crate::hook::clients::{Advice, Client};
use crate::hook::decision::{Decision, Note};
use crate::hook::event::{Action, Event, How, Moment};
use crate::hook::location::{Roots, Scene};
use crate::hook::options::Surroundings;
use crate::hook::suggestion::Better;
use crate::hook::words::{self, Calls};

/// Which part of our time it is looked for files that a command changed: a third. What is not met then is noted when it is next read
/// or edited.
const PART: u32 = 3;
/// So many changed files are noted.
const FILES: usize = 64;
/// So many names are looked at.
const NAMES: usize = 20_000;
/// So many files of one call of a tool are looked at.
const NAMED: usize = 64;

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
        let Hook { native, shell, .. } = self.settings();
        match (native, shell) {
            (Objection::Off, Objection::Off) => Decision::Pass,
            _ => Decision::Tell(words::start(&self.calls)),
        }
    }

    fn before(&self, action: &Action) -> Decision {
        let objection = self.objection(action, When::Before);
        match (self.firmness(action), objection) {
            (_, None) => Decision::Pass,
            (_, Some(Objected::Unsure(note))) => Decision::PassNoting(note),
            (Objection::Refuse, Some(Objected::Because(better))) => {
                Decision::Refuse(better.refusal())
            }
            (Objection::Advise, Some(Objected::Because(better))) => {
                // One that takes advice only afterwards gets it then.
                match self.client.advice() {
                    Advice::After => Decision::Pass,
                    Advice::Before | Advice::Never => Decision::Advise(better.advice()),
                }
            }
            (Objection::Off, _) => Decision::Pass,
        }
    }

    fn after(&self, action: &Action) -> Decision {
        if let Action::Read { path, answer } = action {
            let shown = answer.as_ref();
            return shown.map_or(Decision::Pass, |answer| self.read(path, answer));
        }
        self.notice_changes(action);
        let advises =
            self.client.advice() == Advice::After && self.firmness(action) == Objection::Advise;
        match self.objection(action, When::After).filter(|_| advises) {
            Some(Objected::Because(better)) => Decision::Advise(better.advice()),
            _ => Decision::Pass,
        }
    }

    /// Says what there is to object to, if that is wanted.
    fn objection(&self, action: &Action, when: When) -> Option<Objected> {
        if self.firmness(action) == Objection::Off {
            return None;
        }
        match action {
            Action::Change { tool, files } => self.change(tool, files, when).map(Objected::Because),
            Action::Shell { command, cwd } => self.shell(command, cwd.as_deref()),
            Action::Read { .. } => None,
        }
    }

    fn firmness(&self, action: &Action) -> Objection {
        let Hook { native, shell, .. } = self.settings();
        match action {
            Action::Change { .. } => native,
            Action::Shell { .. } => shell,
            Action::Read { .. } => Objection::Off,
        }
    }

    fn settings(&self) -> Hook {
        self.service.config().hook
    }
}

impl Room<'_> {
    /// Notes what a tool changed.
    pub(super) fn notice_changes(&self, action: &Action) {
        match action {
            Action::Change { files, .. } => {
                let paths = files.iter().flat_map(|touch| match &touch.how {
                    How::MoveTo(to) => vec![&touch.path, to],
                    _ => vec![&touch.path],
                });
                paths.take(NAMED).for_each(|path| self.notice(path));
            }
            Action::Shell { .. } => {
                self.service.notice_changes(&Effort {
                    files: FILES,
                    names: NAMES,
                    until: Instant::now() + self.time / PART,
                });
            }
            Action::Read { .. } => {}
        }
    }

    fn notice(&self, path: &str) {
        if let Some(path) = self.scene.place(Path::new(path)).to_str() {
            // One that cannot be read is on nobody's record as it is now.
            let _ = self.service.noticed(path);
        }
    }
}

/// What there is to object to.
enum Objected {
    /// There is a better way.
    Because(Better),
    /// It could not be told.
    Unsure(Note),
}
