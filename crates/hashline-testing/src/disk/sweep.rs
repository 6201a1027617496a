//! Requests on the simulated disk: cut, refused and meddled with at every call.

use std::ffi::OsStr;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_core::Policy;
use hashline_core::policy::Mode;
use hashline_wire::{ParseOptions, parse};
use hashline_workspace::DiskNote;
use hashline_workspace::ledger::MemoryLedger;
use hashline_workspace::{ApplyError, ApplyOptions, InPlace, Limits, Settings, Workspace};

use super::image::{Image, Tree};
use super::meddling::{Meddling, Refusal, Saving};
use super::moment::{Moment, Outcomes};
use super::system::{Disk, Offers};
use crate::faults::Scenario;
use crate::random::Random;

/// What somebody else adds to a file.
const THEIRS: &[u8] = b"theirs\n";

/// What is answered if the system refused, and only then.
const OF_THE_SYSTEM: [&str; 2] = ["io", "needs_recovery"];

/// What a sweep found.
#[derive(Clone, Debug, Default)]
pub struct Swept {
    /// How many states were looked at.
    pub states: usize,
    /// What went wrong, in words.
    pub violations: Vec<String>,
}

/// How far a sweep goes.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// How many states of the disk after a cut are tried for each moment.
    pub states: usize,
    /// How many of them are tried for each moment of a recovery.
    pub nested: usize,
    /// Every how many states is recovered under cuts, for each recovery of a recovery.
    pub every: &'static [usize],
}

impl Depth {
    /// Everything.
    pub const FULL: Self = Self {
        states: 4096,
        nested: 64,
        every: &[1, 40],
    };
    /// A part, in seconds.
    pub const SAMPLE: Self = Self {
        states: 48,
        nested: 4,
        every: &[17, 151],
    };
}

/// Cuts the power after every call of the request, and again after every call of the recovery: all of it is there, or nothing.
#[must_use]
pub fn power_cuts(scenario: &Scenario, offers: Offers, depth: Depth) -> Swept {
    cut_everywhere(&Case::new(scenario, offers), &Meddling::Nothing, depth)
}

/// The control: the same on a disk that says it has synced and has not.
#[must_use]
pub fn power_cuts_on_a_lying_disk(scenario: &Scenario) -> Swept {
    let case = Case::new(scenario, Offers::All);
    cut_everywhere(&case, &Meddling::ForgetsSyncs, Depth::SAMPLE)
}

fn cut_everywhere(case: &Case<'_>, meddling: &Meddling, depth: Depth) -> Swept {
    let mut cuts = Cuts {
        case,
        meddling,
        nested: depth.nested,
        random: Random::new(18),
        swept: Swept::default(),
    };
    let disk = case.disk(case.before.clone(), meddling.clone());
    cuts.swept.violations.extend(case.refused(&disk));
    let mut end = disk.now();
    end.call = "the answer";
    for moment in disk.moments().iter().chain([&end]) {
        let done = moment.holds(Path::new(".hashline/journal.done")) || moment.call == end.call;
        let allowed = if done {
            Allowed::NewWithOrphans
        } else {
            Allowed::OldOrNew
        };
        cuts.at(moment, depth.states, allowed, depth.every);
    }
    cuts.swept
}

/// Power cuts, and what they found.
struct Cuts<'a> {
    case: &'a Case<'a>,
    meddling: &'a Meddling,
    nested: usize,
    random: Random,
    swept: Swept,
}

impl Cuts<'_> {
    /// Looks at every state a cut can leave here, and cuts the recovery of some of them.
    fn at(&mut self, moment: &Moment, most: usize, allowed: Allowed, every: &[usize]) {
        for state in moment.outcomes(Outcomes::PowerCut { most }, &mut self.random) {
            self.case.look(&mut self.swept, moment, &state, allowed);
            if let [every, deeper @ ..] = every
                && self.swept.states.is_multiple_of(*every)
            {
                let disk = self.case.disk(state, self.meddling.clone());
                self.case.recover(&disk);
                for moment in disk.moments() {
                    self.at(&moment, self.nested, allowed, deeper);
                }
            }
        }
    }
}

/// Kills the request after every call, and the recovery after every call of its own.
#[must_use]
pub fn kills(scenario: &Scenario, offers: Offers) -> Swept {
    let case = Case::new(scenario, offers);
    let mut swept = Swept::default();
    let disk = case.disk(case.before.clone(), Meddling::Nothing);
    swept.violations.extend(case.refused(&disk));
    for moment in disk.moments() {
        case.look(&mut swept, &moment, moment.seen(), Allowed::OldOrNew);
        let recovery = case.disk(moment.seen().clone(), Meddling::Nothing);
        case.recover(&recovery);
        for moment in recovery.moments() {
            case.look(&mut swept, &moment, moment.seen(), Allowed::OldOrNew);
        }
    }
    swept
}

/// Refuses every call, alone, with the next one or with all after it, before or after it was done: an error means that nothing
/// changed.
#[must_use]
pub fn refusals(scenario: &Scenario, offers: Offers) -> Swept {
    let case = Case::new(scenario, offers);
    let mut swept = Swept::default();
    let calls = case.calls().len();
    for (how, count) in [
        (Refusal::Plainly, 1),
        (Refusal::Plainly, 2),
        (Refusal::Plainly, usize::MAX),
        (Refusal::Late, 1),
    ] {
        for call in 0..calls {
            case.refuse(&mut swept, Meddling::Refuse { call, count, how });
        }
    }
    swept
}

/// Refuses every call, and from then on all of its name.
#[must_use]
pub fn refusals_by_name(scenario: &Scenario, offers: Offers) -> Swept {
    let case = Case::new(scenario, offers);
    let mut swept = Swept::default();
    for (from, call) in case.calls().into_iter().enumerate() {
        case.refuse(&mut swept, Meddling::RefuseFrom { call, from });
    }
    swept
}

/// Refuses two calls of an edit of one file, however far apart: the second may be one of a second attempt.
#[must_use]
pub fn two_refusals(scenario: &Scenario, offers: Offers) -> Swept {
    let case = Case::new(scenario, offers);
    let mut swept = Swept::default();
    let calls = case.calls().len();
    let refuse = |call| Meddling::Refuse {
        call,
        count: 1,
        how: Refusal::Plainly,
    };
    for first in 0..calls {
        for second in first + 2..2 * calls {
            let both = vec![refuse(first), refuse(second)];
            case.refuse(&mut swept, Meddling::All(both));
        }
    }
    swept
}

/// The program fails at every call: it says so, and leaves all of the request or nothing.
#[must_use]
pub fn failures(scenario: &Scenario, offers: Offers) -> Swept {
    let case = Case::new(scenario, offers);
    let mut swept = Swept::default();
    for call in 0..case.calls().len() {
        let disk = case.disk(case.before.clone(), Meddling::Panic { call });
        let answer = std::panic::catch_unwind(AssertUnwindSafe(|| case.request(&disk)));
        swept.states += 1;
        let seen = disk.now().seen().clone();
        let wrong = match answer {
            // Opening a root is no request yet.
            Err(_) => Ok(()),
            Ok(Err(error)) if error.code().as_str() != "internal" => Err(error.to_string()),
            // What was staged stays beside the file until the next command, as after a kill.
            Ok(_) if scenario.one_file => {
                let tree = case.without_ours(without_staged(seen.tree()));
                let whole = tree == case.old || tree == case.new;
                whole.then_some(()).ok_or_else(|| describe(&tree))
            }
            Ok(_) => case.judge(&seen, Allowed::OldOrNew),
        };
        let at_call = |what| format!("{}, fails at call {call}: {what}", scenario.name);
        swept.violations.extend(wrong.err().map(at_call));
    }
    swept
}

/// Somebody writes each file before each call: what they wrote is never lost. (Not for files that are overwritten in place: what
/// is written between the last look at one and the first byte is.)
#[must_use]
pub fn outside_writes(scenario: &Scenario, offers: Offers, saving: Saving) -> Swept {
    let case = Case::new(scenario, offers);
    let mut swept = Swept::default();
    let calls = case.calls();
    // Where names cannot change places, a file that is put there between the last look and the next call is replaced.
    let last_look = match (offers, saving) {
        (Offers::Less, Saving::Anew) => &["rename", "unlink"][..],
        _ => &[],
    };
    let files = scenario.before.iter().chain(scenario.after);
    for (path, text) in files.filter(|_| !scenario.in_place) {
        let looked = |&(_, name): &(usize, &&str)| !last_look.contains(name);
        for (call, _) in calls.iter().enumerate().filter(looked) {
            let bytes = [text.as_bytes(), THEIRS].concat();
            let write = Meddling::Write {
                call,
                path: PathBuf::from(path),
                bytes,
                saving,
            };
            let disk = case.disk(case.before.clone(), write);
            let answer = case.request(&disk);
            swept.states += 1;
            let seen = disk.now().seen().clone();
            let wrong = case.judge_theirs(Path::new(path), &answer, seen);
            let describe = |what| format!("{}, {path} before call {call}: {what}", scenario.name);
            swept.violations.extend(wrong.err().map(describe));
        }
    }
    swept
}

/// What a request was answered: what there is to know beside, or why it was not done.
type Answer = Result<Vec<DiskNote>, ApplyError>;

/// What may be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    /// All of it or nothing.
    OldOrNew,
    /// All of it.
    New,
    /// All of it. What it displaced is removed without a sync: after a power cut it may be found again, as an orphan.
    NewWithOrphans,
}

/// A scenario on the simulated disk.
struct Case<'a> {
    scenario: &'a Scenario,
    offers: Offers,
    before: Image,
    old: Tree,
    new: Tree,
}

impl<'a> Case<'a> {
    fn new(scenario: &'a Scenario, offers: Offers) -> Self {
        let bytes = |files: &[(&'static str, &'static str)]| -> Vec<(&str, &[u8])> {
            files
                .iter()
                .map(|&(path, text)| (path, text.as_bytes()))
                .collect()
        };
        let before = Image::with(&bytes(scenario.before));
        let old = before.tree();
        let mut new = Image::with(&bytes(scenario.after)).tree();
        // Folders are never removed with the last file in them.
        let folders = old.iter().filter(|(_, file)| file.is_none());
        new.extend(folders.map(|(path, _)| (path.clone(), None)));
        Self {
            scenario,
            offers,
            before,
            old,
            new,
        }
    }

    fn disk(&self, image: Image, meddling: Meddling) -> Disk {
        Disk::new(image, self.offers, meddling)
    }

    /// Makes the request, which nothing hinders; tells if it was refused, or done with a note.
    fn refused(&self, disk: &Disk) -> Option<String> {
        let less: &[DiskNote] = match self.offers {
            Offers::All => &[],
            Offers::Less => &[DiskNote::AdvisoryLocks],
        };
        match self.request(disk) {
            Ok(notes) if notes == less => None,
            Ok(notes) => Some(format!("{}: noted: {notes:?}", self.scenario.name)),
            Err(error) => Some(format!("{}: refused: {error}", self.scenario.name)),
        }
    }

    fn workspace(&self, disk: &Disk) -> Result<Workspace<Disk>, ApplyError> {
        let limits = Limits {
            lock_wait: Duration::ZERO,
            reader_wait: Duration::ZERO,
            ..Limits::default()
        };
        let settings = Settings {
            limits,
            lock_files: Some(PathBuf::from("/locks")),
            in_place: if self.scenario.in_place {
                InPlace::Always
            } else {
                InPlace::Never
            },
            ..Settings::default()
        };
        Ok(Workspace::on(
            disk.clone(),
            &[PathBuf::from("/")],
            settings,
        )?)
    }

    /// Makes the request, and returns what there is to know beside.
    fn request(&self, disk: &Disk) -> Answer {
        let parsed = parse(self.scenario.request.as_bytes(), &ParseOptions::default())
            .expect("the scenarios are well-formed");
        let policy = Policy::new(parsed.dialect);
        let asking = ApplyOptions {
            session: None,
            policy: &policy,
            mode: Mode::Write,
            cancel: None,
        };
        let workspace = self.workspace(disk)?;
        let applied = workspace.apply(parsed.request, &MemoryLedger::default(), &asking);
        applied.result.map(|_| applied.notes)
    }

    /// Makes the request while calls are refused, and judges what comes of it.
    fn refuse(&self, swept: &mut Swept, refusal: Meddling) {
        let disk = self.disk(self.before.clone(), refusal.clone());
        let answer = self.request(&disk);
        swept.states += 1;
        let seen = disk.now().seen().clone();
        let (refused, passes) = match refusal {
            Meddling::Refuse { count, how, .. } => (count, count == 1 && how == Refusal::Plainly),
            _ => (usize::MAX, false),
        };
        let wrong = self
            .judge_answer(&answer, &seen, refused)
            .and_then(|()| judge_reason(&answer, passes));
        let describe = |what| format!("{}, {refusal:?}: {what}", self.scenario.name);
        swept.violations.extend(wrong.err().map(describe));
    }

    /// Does what the next commands do: settle, and read every file.
    fn recover(&self, disk: &Disk) {
        let Ok(workspace) = self.workspace(disk) else {
            return;
        };
        let _ = workspace.recover(None);
        for (path, _) in self.scenario.before.iter().chain(self.scenario.after) {
            let _ = workspace.read(path);
        }
    }

    /// Returns the calls of a request that nothing happens to.
    fn calls(&self) -> Vec<&'static str> {
        let disk = self.disk(self.before.clone(), Meddling::Nothing);
        let _ = self.request(&disk);
        disk.calls()
    }

    /// Recovers a state, twice, and looks at what is there.
    fn look(&self, swept: &mut Swept, moment: &Moment, state: &Image, allowed: Allowed) {
        swept.states += 1;
        let disk = self.disk(state.clone(), Meddling::Nothing);
        self.recover(&disk);
        let found = disk.now().seen().clone();
        let again = self.disk(found.clone(), Meddling::Nothing);
        self.recover(&again);
        let wrong = if again.now().seen().tree() == found.tree() {
            self.judge(&found, allowed)
        } else {
            Err("the second recovery changed something".to_owned())
        };
        let describe = |what| format!("{}, cut after {}: {what}", self.scenario.name, moment.call);
        swept.violations.extend(wrong.err().map(describe));
    }

    fn judge(&self, found: &Image, allowed: Allowed) -> Result<(), String> {
        let mut tree = self.without_ours(found.tree());
        if allowed == Allowed::NewWithOrphans {
            tree.retain(|path, _| !path.starts_with(".hashline/orphans"));
        }
        match (tree == self.old, tree == self.new) {
            (_, true) => Ok(()),
            (true, _) if allowed == Allowed::OldOrNew => Ok(()),
            (true, _) => Err("it was acknowledged and is lost".to_owned()),
            (false, false) => Err(format!("neither old nor new: {}", describe(&tree))),
        }
    }

    /// Judges an answer to a request of which so many calls were refused.
    fn judge_answer(&self, answer: &Answer, seen: &Image, refused: usize) -> Result<(), String> {
        let recovered = || {
            let disk = self.disk(seen.clone(), Meddling::Nothing);
            self.recover(&disk);
            disk.now().seen().clone()
        };
        match answer {
            Ok(notes) if notes.iter().any(is_about_leftovers) => {
                self.judge(&recovered(), Allowed::New)
            }
            Ok(_) => self.judge(seen, Allowed::New),
            Err(error) if error.code().as_str() == "needs_recovery" => {
                self.judge(&recovered(), Allowed::OldOrNew)
            }
            Err(_) if self.without_ours(seen.tree()) == self.old => Ok(()),
            // Where more does not work, what was staged stays until the next command.
            Err(_) if self.scenario.one_file && left_alone(seen.tree(), refused) == self.old => {
                self.judge(&recovered(), Allowed::OldOrNew)
            }
            Err(error) => Err(format!(
                "it says {:?}, and something changed: {}",
                error.code().as_str(),
                describe(&seen.tree())
            )),
        }
    }

    /// Judges what became of somebody else's bytes in a file.
    fn judge_theirs(&self, path: &Path, answer: &Answer, seen: Image) -> Result<(), String> {
        if let Err(error) = answer
            && OF_THE_SYSTEM.contains(&error.code().as_str())
        {
            return Err(format!("nothing failed, and it says {error}"));
        }
        let disk = self.disk(seen, Meddling::Nothing);
        self.recover(&disk);
        let tree = disk.now().seen().tree();
        let holds = |bytes: &[u8]| bytes.ends_with(THEIRS);
        match tree.get(path).and_then(Option::as_ref) {
            Some(bytes) if holds(bytes) => Ok(()),
            // They wrote before the file was read, and the request was to remove or move it.
            None if answer.is_ok() && !self.new.contains_key(path) => Ok(()),
            found => Err(format!(
                "answered {answer:?}, and what they wrote is gone: {found:?}"
            )),
        }
    }

    /// Leaves out the journal's folder, when it holds nothing, and what a killed edit of one file may leave there.
    fn without_ours(&self, mut tree: Tree) -> Tree {
        tree.retain(|path, _| {
            let orphan = self.scenario.one_file && path.starts_with(".hashline/orphans");
            let own = [".hashline", ".hashline/.gitignore"].contains(&&*path.to_string_lossy());
            !orphan && !own
        });
        tree
    }
}

/// Judges the reason of a refusal where the system refused a call: that it did, and not that there is something left to do if it did
/// so only once, before anything was done.
fn judge_reason(answer: &Answer, passes: bool) -> Result<(), String> {
    match answer {
        Ok(_) => Ok(()),
        Err(error) if error.code().as_str() == "needs_recovery" && passes => {
            Err("it says that something is left to do".to_owned())
        }
        Err(error) if OF_THE_SYSTEM.contains(&error.code().as_str()) => Ok(()),
        Err(error) => Err(format!("the system refused, and it says {error}")),
    }
}

fn is_about_leftovers(note: &DiskNote) -> bool {
    matches!(note, DiskNote::NotCleanedUp(_))
}

/// Leaves out what may stay after so many refused calls: what was staged, or after a single one no more than a file that was made
/// although the system said that it was not, which is empty.
fn left_alone(mut tree: Tree, refused: usize) -> Tree {
    if refused > 1 {
        return without_staged(tree);
    }
    let partial = |path: &Path| path.extension().is_some_and(|end| end == "tmp");
    tree.retain(|path, file| !(partial(path) && file.as_ref().is_some_and(Vec::is_empty)));
    tree
}

fn without_staged(mut tree: Tree) -> Tree {
    let staged = |name: &OsStr| name.as_encoded_bytes().starts_with(b".hl-");
    tree.retain(|path, _| !path.file_name().is_some_and(staged));
    tree
}

fn describe(tree: &Tree) -> String {
    let files = tree
        .iter()
        .filter(|(path, _)| !path.starts_with(".hashline/journal"));
    let names = files.map(|(path, file)| {
        let bytes = file.as_ref().map(|bytes| String::from_utf8_lossy(bytes));
        format!("{}={bytes:?}", path.display())
    });
    names.collect::<Vec<_>>().join(" ")
}
