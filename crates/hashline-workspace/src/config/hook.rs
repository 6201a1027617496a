//! What is done when an agent uses its own tools or its shell instead of us. Who does it is no matter of this room.

/// What is done when an agent goes past us, for each way to do so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookConfig {
    /// The agent edits a file with a tool of its own.
    pub native: HookAction,
    /// The agent reads a file with a tool of its own.
    pub read: ReadRewrite,
    /// The agent runs a shell command that shows or changes a file.
    pub shell: HookAction,
}

/// How firmly something is objected to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HookAction {
    /// It is let pass.
    Off,
    /// It is let pass, and the agent is told of the better way.
    Advise,
    /// It is refused, and the agent is told of the better way.
    #[default]
    Refuse,
}

/// What becomes of lines that an agent's own tool shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadRewrite {
    /// They stay as they are.
    Off,
    /// They get anchors, where the agent lets its answer be rewritten.
    #[default]
    Anchors,
}

impl HookAction {
    /// Returns its word in a configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Advise => "advise",
            Self::Refuse => "refuse",
        }
    }

    /// Returns the one a word stands for; the strictest for a word that stands for none.
    pub(super) fn named(word: &str) -> Self {
        let all = [Self::Off, Self::Advise, Self::Refuse];
        all.into_iter()
            .find(|one| one.name() == word)
            .unwrap_or_default()
    }
}

impl ReadRewrite {
    /// Returns its word in a configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Anchors => "anchors",
        }
    }

    /// Returns the one a word stands for.
    pub(super) fn named(word: &str) -> Self {
        match word {
            "off" => Self::Off,
            _ => Self::Anchors,
        }
    }
}
