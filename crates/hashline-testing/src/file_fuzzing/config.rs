//! The target for configurations: whatever the file of a root says, it allows nothing that the person did not.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hashline_core::policy::{Landing, RepairPolicy};
use hashline_workspace::config::{Config, ConfigKey, ConfigOverrides, ROOT_FILE, UserConfig};
use hashline_workspace::{Durability, HardLinks, InPlace, Limits, Root};

use crate::disk::{Disk, Image, Meddling, Offers};
use crate::input::Input;

/// What persons allow: nothing of their own, more than usual, less than usual.
const PERSONS: [&[&str]; 3] = [
    &[],
    &[
        "landing=seed",
        "repair=seed",
        "durability=fast",
        "hard_links=break",
        "in_place=true",
        "protected.unlock=.claude,.vscode",
        "limits.file=1 GiB",
    ],
    &[
        "landing=strict",
        "repair=off",
        "stats=false",
        "ledger.on=false",
        "protected.add=secret",
        "limits.file=1 KiB",
        "limits.edits=3",
        "limits.lock_wait=1 s",
        "dialect=lean",
    ],
];

/// Values worth trying for any key.
const VALUES: [&str; 20] = [
    "true",
    "false",
    "0",
    "1",
    "3",
    "2000",
    "9223372036854775807",
    "-1",
    "\"1 KiB\"",
    "\"9 GiB\"",
    "\"10 s\"",
    "\"24 min\"",
    "\"seed\"",
    "\"strict\"",
    "\"off\"",
    "\"fast\"",
    "\"break\"",
    "[\".git\", \".claude\"]",
    "[]",
    "{ a = 1 }",
];

/// Names that a configuration may or may not protect.
const NAMES: [&str; 9] = [
    ".git",
    ".hashline",
    ".claude",
    ".vscode",
    "hashline.toml",
    "secret",
    "SECRET ",
    "a",
    "src",
];

/// Takes the bytes as the file of a root, for each of some persons.
///
/// # Panics
///
/// If what holds then is wider than what the person allowed.
pub fn config(data: &[u8]) {
    let mut input = Input(data);
    let text = match input.below(3) {
        0 => input.0.to_vec(),
        _ => pairs(&mut input).into_bytes(),
    };
    let disk = Disk::new(
        Image::with(&[(ROOT_FILE, &text)]),
        Offers::All,
        Meddling::Nothing,
    );
    let root = Root::open(&disk, Path::new("/")).expect("a disk in memory can be opened");
    let roots = [root];
    for allowed in persons() {
        let person = allowed.narrowed(&disk, &[]).expect("nobody narrows it");
        match allowed.narrowed(&disk, &roots) {
            Ok(config) => assert_narrower(&person, &config, &text),
            Err(error) => assert_eq!(error.code().as_str(), "bad_config"),
        }
    }
    let pair = String::from_utf8_lossy(&text);
    if let Err(error) = ConfigOverrides::default().with_pair(&pair) {
        assert_eq!(error.code().as_str(), "bad_config");
    }
}

/// Writes down keys and values, mostly such as there are.
fn pairs(input: &mut Input<'_>) -> String {
    let keys: Vec<ConfigKey> = ConfigKey::all().collect();
    let line = |input: &mut Input<'_>| {
        let key = match input.below(16) {
            0 => input.text(),
            _ => keys[input.below(keys.len())].name().to_owned(),
        };
        let value = match input.below(8) {
            0 => input.text(),
            _ => input.pick(&VALUES).to_owned(),
        };
        format!("{key} = {value}\n")
    };
    (0..=input.below(4)).map(|_| line(input)).collect()
}

fn persons() -> &'static [UserConfig] {
    static ALLOWED: OnceLock<Vec<UserConfig>> = OnceLock::new();
    ALLOWED.get_or_init(|| {
        let allowed = |pairs: &&[&str]| {
            let mut given = pairs.iter();
            let given = given.try_fold(ConfigOverrides::default(), |given, pair| {
                given.with_pair(pair)
            });
            given.and_then(|given| UserConfig::read(None, &given))
        };
        let all: Result<Vec<UserConfig>, _> = PERSONS.iter().map(allowed).collect();
        all.expect("what the persons say is understood")
    })
}

/// Compares field by field, by rules written down here anew.
fn assert_narrower(person: &Config, config: &Config, text: &[u8]) {
    let text_shown = String::from_utf8_lossy(text);
    let (theirs, ours) = (&person.settings, &config.settings);
    let within = [
        landing_rank(config.landing) >= landing_rank(person.landing),
        repair_rank(config.repair) >= repair_rank(person.repair),
        config.profile == person.profile,
        ours.durability == Durability::Full || theirs.durability == Durability::Fast,
        ours.hard_links == HardLinks::Refuse || theirs.hard_links == HardLinks::Break,
        person.settings.in_place != InPlace::Never || config.settings.in_place == InPlace::Never,
        person.stats || !config.stats,
        person.ledger_on || !config.ledger_on,
        config.ledger_bounds == person.ledger_bounds,
        config.roots == person.roots,
        ours.lock_files == theirs.lock_files,
        limits_within(&theirs.limits, &ours.limits),
    ];
    let wider = within.iter().position(|&within| !within);
    assert_eq!(wider, None, "{text_shown}");
    for name in NAMES {
        let path = PathBuf::from(name).join("file");
        let covered = ours.protection.covers(&path) || !theirs.protection.covers(&path);
        assert!(covered, "{name} is no longer protected: {text_shown}");
    }
    assert_eq!(ours.protection.unlocked, theirs.protection.unlocked);
    assert_eq!(ours.protection.paths, theirs.protection.paths);
}

fn limits_within(theirs: &Limits, ours: &Limits) -> bool {
    let amounts = |limits: &Limits| {
        [
            u128::from(limits.file),
            u128::from(limits.total),
            limits.line as u128,
            limits.files as u128,
            limits.edits as u128,
            limits.body as u128,
            limits.json_depth as u128,
            limits.pattern as u128,
            limits.compiled_pattern as u128,
            limits.searched_line as u128,
            limits.lock_wait.as_nanos(),
            limits.reader_wait.as_nanos(),
            limits.request_time.as_nanos(),
        ]
    };
    amounts(ours)
        .iter()
        .zip(amounts(theirs))
        .all(|(ours, theirs)| *ours <= theirs)
}

fn landing_rank(landing: Landing) -> usize {
    match landing {
        Landing::Seed => 0,
        Landing::Shown => 1,
        Landing::Strict => 2,
    }
}

fn repair_rank(repair: RepairPolicy) -> usize {
    match repair {
        RepairPolicy::Seed => 0,
        RepairPolicy::Proven => 1,
        RepairPolicy::Off => 2,
    }
}
