//! Switches that turn hooks and plugins off for the project, wholly or in part: an environment variable, files, and settings.

use std::path::{Path, PathBuf};

use hashline_session::{OFF_FILE, OFF_VARIABLE, discover, is_off_by_variable, off_files};
use hashline_workspace::config::{Config, HookAction, HookConfig, ROOT_FILE, ReadRewrite};

use super::{DoctorOptions, Finding, fix_commands};
use crate::setup::merge::toml;
use crate::setup::read;

/// The switches that are in force for the project.
#[derive(Clone, Debug)]
pub(super) struct Switches {
    is_off: bool,
    files: Vec<PathBuf>,
    /// The `hook` settings of the configuration; `None` if the configuration cannot be read.
    hook: Option<HookConfig>,
    /// The configuration files that may have the settings, in order of precedence.
    configured_in: Vec<PathBuf>,
}

impl Switches {
    /// Finds all switches that a hook would obey if the agent worked in this project.
    pub(super) fn find(options: &DoctorOptions, config: Option<&Config>) -> Self {
        let project = &options.places.project;
        let base = options.service.base.as_ref();
        let working = base.filter(|base| base.starts_with(project));
        let files = off_files(working.unwrap_or(project), &discover(project));
        let root_file = project.join(ROOT_FILE);
        let user_file = options.service.user_file.clone();
        let there = [Some(root_file), user_file].into_iter().flatten();
        Self {
            is_off: is_off_by_variable(),
            files,
            hook: config.map(|config| config.hook),
            configured_in: there.collect(),
        }
    }

    /// Returns the first configuration file that has a setting, for the message.
    fn place_of(&self, setting: &LooseSetting) -> String {
        let keys: Vec<&str> = setting.key.split('.').collect();
        let says = |file: &&PathBuf| {
            let text = read::text(file).unwrap_or_default();
            toml::look_below(&text, &keys).is_some()
        };
        match self.configured_in.iter().find(says) {
            Some(file) => file.display().to_string(),
            None => "the configuration".to_owned(),
        }
    }

    /// Reports the switches that are in force.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.is_off {
            let text = format!("{OFF_VARIABLE}=off: hooks and plugins allow everything");
            findings.push(Finding::warning(text).with_fix(format!("unset {OFF_VARIABLE}")));
        }
        for file in &self.files {
            let shown = file.display();
            let text = format!("{shown}: hooks and plugins allow everything here");
            findings.push(Finding::warning(text).with_fix(fix_commands::on("rm", file)));
        }
        findings.extend(self.settings().into_iter().map(|setting| {
            let text = format!("{}: {}", setting.shown(), setting.effect);
            let fix = format!(
                "set `{} = \"{}\"` in {}",
                setting.key,
                setting.usual,
                self.place_of(&setting)
            );
            Finding::warning(text).with_fix(fix)
        }));
        if self.hook.is_none() {
            let text = "hooks allow everything until the configuration is fixed";
            findings.push(Finding::warning(text));
        }
        if findings.is_empty() {
            findings.push(Finding::ok("none are set"));
        }
        findings
    }

    /// Returns the switch that allows the agent's own edit tool; `None` if hooks refuse that tool.
    pub(super) fn allowing_edits(&self) -> Option<String> {
        if self.is_off {
            return Some(format!("{OFF_VARIABLE}=off"));
        }
        if let Some(file) = self.files.first() {
            return Some(file.display().to_string());
        }
        LooseSetting::native(self.hook?).map(|setting| setting.shown())
    }

    /// Returns whether the configuration could be read.
    pub(super) fn are_known(&self) -> bool {
        self.hook.is_some()
    }

    /// Sets the same switches in the temporary project in which the hook is tested.
    pub(super) fn copy_into(&self, folder: &Path) -> std::io::Result<()> {
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

    fn settings(&self) -> Vec<LooseSetting> {
        let Some(hook) = self.hook else {
            return Vec::new();
        };
        let read = (hook.read == ReadRewrite::Off).then(|| LooseSetting {
            key: "hook.read",
            value: hook.read.name(),
            usual: ReadRewrite::default().name(),
            effect: "files that agents read with their own tools get no anchors".to_owned(),
        });
        let commands = "shell commands that show or change files";
        let shell = LooseSetting::allowing("hook.shell", hook.shell, commands);
        let all = [LooseSetting::native(hook), read, shell];
        all.into_iter().flatten().collect()
    }
}

/// A setting that makes hooks less strict than the default.
#[derive(Clone, Debug)]
struct LooseSetting {
    key: &'static str,
    value: &'static str,
    usual: &'static str,
    effect: String,
}

impl LooseSetting {
    fn native(hook: HookConfig) -> Option<Self> {
        Self::allowing("hook.native", hook.native, "agents' own edit tools")
    }

    /// Returns the setting if its value allows tool calls that hooks refuse by default.
    fn allowing(key: &'static str, value: HookAction, what: &str) -> Option<Self> {
        let advice = match value {
            HookAction::Refuse => return None,
            HookAction::Advise => ", with advice",
            HookAction::Off => "",
        };
        Some(Self {
            key,
            value: value.name(),
            usual: HookAction::Refuse.name(),
            effect: format!("{what} are allowed{advice}"),
        })
    }

    fn shown(&self) -> String {
        format!("`{} = \"{}\"`", self.key, self.value)
    }
}
