//! What turns hooks and plugins off here, wholly or in part.

use std::path::{Path, PathBuf};

use hashline_session::{OFF_FILE, OFF_VARIABLE, discover, is_off_by_variable, off_files};
use hashline_workspace::config::{Config, HookAction, HookConfig, ROOT_FILE, ReadRewrite};

use super::{Ask, Finding, remedy};
use crate::setup::disk;
use crate::setup::merge::toml;

/// The switches in force.
#[derive(Clone, Debug)]
pub(super) struct Switches {
    is_off: bool,
    files: Vec<PathBuf>,
    /// What the configuration says; nothing if it cannot be used.
    hook: Option<HookConfig>,
    /// The files that may say so, those that go before others first.
    configured_in: Vec<PathBuf>,
}

impl Switches {
    /// Looks at everything that an agent's hook would look at, if the agent worked here.
    pub(super) fn look(ask: &Ask, config: Option<&Config>) -> Self {
        let project = &ask.places.project;
        let base = ask.start.base.as_ref();
        let working = base.filter(|base| base.starts_with(project));
        let files = off_files(working.unwrap_or(project), &discover(project));
        let root_file = project.join(ROOT_FILE);
        let user_file = ask.start.user_file.clone();
        let there = [Some(root_file), user_file].into_iter().flatten();
        Self {
            is_off: is_off_by_variable(),
            files,
            hook: config.map(|config| config.hook),
            configured_in: there.collect(),
        }
    }

    /// Returns where a setting is said: in the first file that has it.
    fn place_of(&self, setting: &Setting) -> String {
        let keys: Vec<&str> = setting.key.split('.').collect();
        let says = |file: &&PathBuf| {
            let text = disk::text(file).unwrap_or_default();
            toml::look_below(&text, &keys).is_some()
        };
        match self.configured_in.iter().find(says) {
            Some(file) => file.display().to_string(),
            None => "the configuration".to_owned(),
        }
    }

    /// Says which are in force.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let about = "switches";
        let mut findings = Vec::new();
        if self.is_off {
            let text = format!("{OFF_VARIABLE}=off: hooks and plugins let everything pass");
            findings.push(Finding::warning(about, text).mended_by(format!("unset {OFF_VARIABLE}")));
        }
        for file in &self.files {
            let shown = file.display();
            let text = format!("{shown}: hooks and plugins let everything pass here");
            findings.push(Finding::warning(about, text).mended_by(remedy::on("rm", file)));
        }
        findings.extend(self.settings().into_iter().map(|setting| {
            let text = format!("{}: {}", setting.said(), setting.effect);
            let fix = format!(
                "set `{} = \"{}\"` in {}",
                setting.key,
                setting.usual,
                self.place_of(&setting)
            );
            Finding::warning(about, text).mended_by(fix)
        }));
        if self.hook.is_none() {
            let text = "hooks let everything pass until the configuration can be used";
            findings.push(Finding::warning(about, text));
        }
        if findings.is_empty() {
            findings.push(Finding::ok(about, "none is in force"));
        }
        findings
    }

    /// Says what lets an agent's own edit tool pass; nothing if that is refused.
    pub(super) fn letting_edits_pass(&self) -> Option<String> {
        if self.is_off {
            return Some(format!("{OFF_VARIABLE}=off"));
        }
        if let Some(file) = self.files.first() {
            return Some(file.display().to_string());
        }
        let native = Setting::native(self.hook?.native);
        native.map(|setting| setting.said())
    }

    /// Tells whether the configuration could be asked.
    pub(super) fn are_known(&self) -> bool {
        self.hook.is_some()
    }

    /// Makes the same switches hold in a folder in which the hook is tried.
    pub(super) fn repeat_in(&self, folder: &Path) -> std::io::Result<()> {
        if !self.files.is_empty() {
            std::fs::write(folder.join(OFF_FILE), "")?;
        }
        let HookConfig {
            native,
            read,
            shell,
        } = self.hook.unwrap_or_default();
        let text = format!(
            "[hook]\nnative = \"{}\"\nread = \"{}\"\nshell = \"{}\"\n",
            native.name(),
            read.name(),
            shell.name()
        );
        std::fs::write(folder.join(ROOT_FILE), text)
    }

    fn settings(&self) -> Vec<Setting> {
        let Some(hook) = self.hook else {
            return Vec::new();
        };
        let read = (hook.read == ReadRewrite::Off).then(|| Setting {
            key: "hook.read",
            value: hook.read.name(),
            usual: ReadRewrite::default().name(),
            effect: "what agents read with their own tools gets no anchors",
        });
        let all = [
            Setting::native(hook.native),
            read,
            Setting::shell(hook.shell),
        ];
        all.into_iter().flatten().collect()
    }
}

/// A setting that is less strict than usual.
#[derive(Clone, Copy, Debug)]
struct Setting {
    key: &'static str,
    value: &'static str,
    usual: &'static str,
    effect: &'static str,
}

impl Setting {
    fn native(said: HookAction) -> Option<Self> {
        let effect = match said {
            HookAction::Refuse => return None,
            HookAction::Advise => "agents' own edit tools pass, with advice",
            HookAction::Off => "agents' own edit tools pass",
        };
        Some(Self::objection("hook.native", said, effect))
    }

    fn shell(said: HookAction) -> Option<Self> {
        let effect = match said {
            HookAction::Refuse => return None,
            HookAction::Advise => "shell commands that show or change files pass, with advice",
            HookAction::Off => "shell commands that show or change files pass",
        };
        Some(Self::objection("hook.shell", said, effect))
    }

    fn objection(key: &'static str, said: HookAction, effect: &'static str) -> Self {
        Self {
            key,
            value: said.name(),
            usual: HookAction::Refuse.name(),
            effect,
        }
    }

    fn said(&self) -> String {
        format!("`{} = \"{}\"`", self.key, self.value)
    }
}
