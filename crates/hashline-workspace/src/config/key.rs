//! The keys: their names, what they take, and how far the file of a root may go.
//!
//! This table is what the documents list and what unknown keys are compared with.

use hashline_core::policy::Context;
use hashline_core::search::Search;

use super::narrow::RootRule::{self, Add, Choose, Lower, Nothing, Stricter, TurnOff};
use super::value::ValueType::{self, Names, OneOf, Paths, Size, Switch, Time, Unlockable};

/// A key of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    missing_docs,
    reason = "each is described by `ConfigKey::meaning`, once"
)]
pub enum ConfigKey {
    Dialect,
    Profile,
    Landing,
    Repair,
    Context,
    Durability,
    HardLinks,
    InPlace,
    Stats,
    Roots,
    ProtectedAdd,
    ProtectedUnlock,
    LedgerOn,
    LedgerBytes,
    LedgerDays,
    SearchMatches,
    SearchContext,
    HookNative,
    HookRead,
    HookShell,
    LimitFile,
    LimitTotal,
    LimitLine,
    LimitFiles,
    LimitEdits,
    LimitBody,
    LimitJsonDepth,
    LimitPattern,
    LimitCompiledPattern,
    LimitSearchedLine,
    LimitLockWait,
    LimitReaderWait,
    LimitRequestTime,
}

const DIALECTS: &[&str] = &["auto", "omp", "push", "cowboy", "openagent", "pi", "lean"];
const MANY: u64 = 1_000_000;

/// The words of these keys stand in the order from lax to strict.
const PROFILES: &[&str] = &["seed", "default"];
const LANDINGS: &[&str] = &["seed", "shown", "strict"];
const REPAIRS: &[&str] = &["seed", "proven", "off"];
const DURABILITIES: &[&str] = &["fast", "full"];
const HARD_LINKS: &[&str] = &["break", "refuse"];
const OBJECTIONS: &[&str] = &["off", "advise", "refuse"];
const READS: &[&str] = &["off", "anchors"];

const CONTEXT: ValueType = count(0, Context::MAX as u64);
const MATCHES: ValueType = count(1, Search::MAX_MATCHES as u64);

/// One row of the table.
#[derive(Clone, Copy, Debug)]
struct Row {
    key: ConfigKey,
    name: &'static str,
    meaning: &'static str,
    takes: ValueType,
    root_may: RootRule,
}

/// The keys in the order in which they take effect: `profile` comes before what it stands for.
const ROWS: [Row; 33] = [
    row(
        ConfigKey::Dialect,
        "dialect",
        "how anchors are written; `auto`: as the request's shape says, else omp",
        OneOf(DIALECTS),
        Choose,
    ),
    row(
        ConfigKey::Profile,
        "profile",
        "`seed` sets landing, repair and the text model as a dialect's own definition has them",
        OneOf(PROFILES),
        Nothing,
    ),
    row(
        ConfigKey::Landing,
        "landing",
        "how an anchor becomes a place",
        OneOf(LANDINGS),
        Stricter,
    ),
    row(
        ConfigKey::Repair,
        "repair",
        "when new text may be corrected",
        OneOf(REPAIRS),
        Stricter,
    ),
    row(
        ConfigKey::Context,
        "context",
        "lines shown around a place",
        CONTEXT,
        Choose,
    ),
    row(
        ConfigKey::Durability,
        "durability",
        "whether an answered commit survives a power cut",
        OneOf(DURABILITIES),
        Stricter,
    ),
    row(
        ConfigKey::HardLinks,
        "hard_links",
        "what is done to a file with more than one name",
        OneOf(HARD_LINKS),
        Stricter,
    ),
    row(
        ConfigKey::InPlace,
        "in_place",
        "whether a file that cannot be replaced may be overwritten",
        Switch,
        TurnOff,
    ),
    row(
        ConfigKey::Stats,
        "stats",
        "whether counters are kept",
        Switch,
        TurnOff,
    ),
    row(
        ConfigKey::Roots,
        "roots",
        "the folders that may be touched when the command line names none",
        Paths,
        Nothing,
    ),
    row(
        ConfigKey::ProtectedAdd,
        "protected.add",
        "further names that no edit may write",
        Names,
        Add,
    ),
    row(
        ConfigKey::ProtectedUnlock,
        "protected.unlock",
        "protected names that edits may write after all",
        Unlockable,
        Nothing,
    ),
    row(
        ConfigKey::LedgerOn,
        "ledger.on",
        "whether what was shown is remembered on disk",
        Switch,
        TurnOff,
    ),
    row(
        ConfigKey::LedgerBytes,
        "ledger.bytes",
        "the most the ledger takes",
        Size,
        Nothing,
    ),
    row(
        ConfigKey::LedgerDays,
        "ledger.days",
        "for how many days a showing counts",
        count(1, 3650),
        Nothing,
    ),
    row(
        ConfigKey::SearchMatches,
        "search.matches",
        "matching lines looked for, unless a search says otherwise",
        MATCHES,
        Choose,
    ),
    row(
        ConfigKey::SearchContext,
        "search.context",
        "lines shown around a match, unless a search says otherwise",
        CONTEXT,
        Choose,
    ),
    row(
        ConfigKey::HookNative,
        "hook.native",
        "what `hashline hook` does when an agent edits with its own tools",
        OneOf(OBJECTIONS),
        Choose,
    ),
    row(
        ConfigKey::HookRead,
        "hook.read",
        "whether `hashline hook` puts anchors into what an agent's own read tool shows",
        OneOf(READS),
        Choose,
    ),
    row(
        ConfigKey::HookShell,
        "hook.shell",
        "what `hashline hook` does when a shell command goes past the editor",
        OneOf(OBJECTIONS),
        Choose,
    ),
    row(
        ConfigKey::LimitFile,
        "limits.file",
        "the largest file",
        Size,
        Lower,
    ),
    row(
        ConfigKey::LimitTotal,
        "limits.total",
        "the most bytes of all files of a request",
        Size,
        Lower,
    ),
    row(
        ConfigKey::LimitLine,
        "limits.line",
        "the longest line",
        Size,
        Lower,
    ),
    row(
        ConfigKey::LimitFiles,
        "limits.files",
        "the most files in a request",
        count(1, MANY),
        Lower,
    ),
    row(
        ConfigKey::LimitEdits,
        "limits.edits",
        "the most edits in a request",
        count(1, MANY),
        Lower,
    ),
    row(
        ConfigKey::LimitBody,
        "limits.body",
        "the longest request",
        Size,
        Lower,
    ),
    // The JSON reader itself stops at 128.
    row(
        ConfigKey::LimitJsonDepth,
        "limits.json_depth",
        "the deepest nesting of a request",
        count(1, 127),
        Lower,
    ),
    row(
        ConfigKey::LimitPattern,
        "limits.pattern",
        "the longest regular expression",
        Size,
        Lower,
    ),
    row(
        ConfigKey::LimitCompiledPattern,
        "limits.compiled_pattern",
        "the most memory a regular expression may use",
        Size,
        Lower,
    ),
    row(
        ConfigKey::LimitSearchedLine,
        "limits.searched_line",
        "how much of a line a search looks at",
        Size,
        Lower,
    ),
    row(
        ConfigKey::LimitLockWait,
        "limits.lock_wait",
        "how long a lock is waited for",
        Time,
        Lower,
    ),
    row(
        ConfigKey::LimitReaderWait,
        "limits.reader_wait",
        "how long a read waits for one before it goes on without",
        Time,
        Lower,
    ),
    row(
        ConfigKey::LimitRequestTime,
        "limits.request_time",
        "how long a request may take",
        Time,
        Lower,
    ),
];

impl ConfigKey {
    /// Lists all keys, in the order in which they take effect.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.key)
    }

    /// Returns the key of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|key| key.name() == name)
    }

    /// Returns its name, with the table it stands in.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns what it decides, in a few words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// Returns what it takes.
    #[must_use]
    pub fn takes(self) -> ValueType {
        self.row().takes
    }

    /// Returns how far the file of a root may go.
    #[must_use]
    pub fn root_may(self) -> RootRule {
        self.row().root_may
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

const fn row(
    key: ConfigKey,
    name: &'static str,
    meaning: &'static str,
    takes: ValueType,
    root_may: RootRule,
) -> Row {
    Row {
        key,
        name,
        meaning,
        takes,
        root_may,
    }
}

const fn count(least: u64, most: u64) -> ValueType {
    ValueType::Count { least, most }
}

#[cfg(test)]
mod tests {
    use super::{ConfigKey, ROWS};

    #[test]
    fn every_key_finds_its_own_row() {
        for row in ROWS {
            assert_eq!(row.key.row().name, row.name);
            assert_eq!(ConfigKey::named(row.name), Some(row.key));
        }
    }
}
