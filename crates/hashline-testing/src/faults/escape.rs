//! T11: a folder and a link to the outside change places without pause, while files are read, edited and made by way of them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::exact;
use super::launch::Launch;
use super::machine::{Mount, why_no_mounts};
use super::trace::Run;
use super::{Bench, Extent, Row};

/// What stands in every file outside.
const CANARY: &str = "canary";
/// How many things are tried in one turn.
const LINES: usize = 8;
/// The control tries at most this many times as often as usual before it gives up.
const MORE_TRIES: usize = 100;

/// T11: whatever stands there at the moment, nothing outside is read, changed or made.
pub(super) fn swapped_meanwhile(bench: &Bench, extent: Extent) -> Row {
    let mut row = Row::new("T11 escape race");
    let tries = match extent {
        Extent::Sample => 8_000,
        Extent::Full => 100_000,
    };
    let at = bench.scratch.join("escape");
    // In memory, where there is more of a race; it is fair on any disk.
    let _memory = match why_no_mounts() {
        None => Some(Mount::memory(&at, "size=64m")),
        Some(_) => None,
    };
    let turns = tries / 2 / LINES;
    for folder in ["sub", "deep/er/sub"] {
        let scene = Scene::new(&at, folder);
        let before = exact::look(&scene.outside());
        let run = try_often(bench, &scene, turns);
        let touched = exact::differences(&before, &exact::look(&scene.outside()));
        row.cases += counted(&run.text);
        let wrong = wrong(&run).into_iter();
        let wrong = wrong.chain(
            touched
                .iter()
                .map(|name| format!("{name} was touched outside")),
        );
        row.violations
            .extend(wrong.map(|what| format!("{folder}: {what}")));
        let careless = || careless_reads_escape(&scene.root().join(folder), turns);
        row.control += scene.swapping(careless);
    }
    row
}

fn try_often(bench: &Bench, scene: &Scene, turns: usize) -> Run {
    let root = scene.root();
    let launch = Launch::new(bench, &root)
        .for_long()
        .with("HASHLINE_DURABILITY", "fast");
    scene.swapping(|| launch.run(["loop", &turns.to_string()], scene.tries()))
}

/// Reads how many answers there were.
fn counted(text: &str) -> usize {
    let count = |line: &str| line.split(' ').next()?.parse::<usize>().ok();
    text.lines().filter_map(count).sum()
}

/// Tells what is wrong with the answers. Both sides must have been met, or there was no race.
fn wrong(run: &Run) -> Vec<String> {
    let mut found: Vec<String> = run
        .text
        .lines()
        .filter(|line| !is_fine(line))
        .map(str::to_owned)
        .collect();
    let met = ["applied to", "outside_root:"];
    let unmet = met.into_iter().filter(|met| !run.text.contains(met));
    found.extend(unmet.map(|met| format!("never {met:?}")));
    if run.code != Some(0) {
        found.push(format!("it ended with {:?}", run.code));
    }
    found
}

/// Returns whether an answer, with its count before it, is one that may be given here.
fn is_fine(line: &str) -> bool {
    let refusals = [
        "outside_root:",
        "file_not_found:",
        "text_not_found:",
        "file_exists:",
        "not_a_file:",
        "bad_path:",
        "stale:",
        "unstable:",
        "io:",
    ];
    let (_, answer) = line.split_once(' ').unwrap_or_default();
    let shown = answer.contains("inside") || answer.starts_with("applied to");
    let known = shown || refusals.iter().any(|refusal| answer.starts_with(refusal));
    known && !answer.contains(CANARY)
}

/// A root with a folder that comes and goes, and the outside.
struct Scene {
    at: PathBuf,
    folder: &'static str,
}

impl Scene {
    fn new(at: &Path, folder: &'static str) -> Self {
        let fine = "the scratch folder can be written";
        let scene = Self {
            at: at.join(folder.replace('/', "-")),
            folder,
        };
        let root = scene.root();
        fs::create_dir_all(root.join(folder)).expect(fine);
        fs::write(root.join(folder).join("file"), "inside one\n").expect(fine);
        fs::create_dir_all(scene.outside()).expect(fine);
        fs::write(scene.outside().join("file"), format!("{CANARY} one two\n")).expect(fine);
        let up = "../".repeat(folder.matches('/').count() + 1);
        symlink(
            format!("{up}outside"),
            root.join(folder).with_extension("link"),
        )
        .expect(fine);
        scene
    }

    fn root(&self) -> PathBuf {
        self.at.join("root")
    }

    fn outside(&self) -> PathBuf {
        self.at.join("outside")
    }

    /// Lists what is tried in each turn, one a line.
    fn tries(&self) -> String {
        let path = |name: &str| format!("{}/{name}", self.folder);
        let edit =
            |name: &str, edit: &str| format!(r#"{{"path":"{}","edits":[{edit}]}}"#, path(name));
        let change = |old, new| format!(r#"{{"op":"substitute","old":"{old}","new":"{new}"}}"#);
        let lines: [String; LINES] = [
            format!("read {}", path("file")),
            edit("file", &change("one", "two")),
            edit("made", r#"{"op":"create","content":"inside\n"}"#),
            format!("read {}", path("file")),
            edit(
                "made",
                &format!(r#"{{"op":"move","to_path":"{}"}}"#, path("moved")),
            ),
            edit("moved", r#"{"op":"delete_file"}"#),
            edit("file", &change("two", "one")),
            edit("x/y/new-{turn}", r#"{"op":"create","content":"inside\n"}"#),
        ];
        lines.join("\n")
    }

    /// Does something while the folder and the link change places.
    fn swapping<T>(&self, work: impl FnOnce() -> T) -> T {
        let over = AtomicBool::new(false);
        let swaps = AtomicUsize::new(0);
        let folder = self.root().join(self.folder);
        let link = folder.with_extension("link");
        let done = thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) || swaps.load(Ordering::Relaxed) % 2 == 1 {
                    let swapped = renameat_with(CWD, &folder, CWD, &link, RenameFlags::EXCHANGE);
                    swaps.fetch_add(usize::from(swapped.is_ok()), Ordering::Relaxed);
                }
            });
            let done = work();
            over.store(true, Ordering::Relaxed);
            done
        });
        assert!(swaps.into_inner() > 0, "nothing was swapped");
        done
    }
}

/// The control: a tool that looks first, and then opens. Returns how often it was led outside.
///
/// On a busy machine the tool and the swapping thread may only ever run one after the other, and then nothing is swapped between the look
/// and the opening. So every other try lets others run in between, and the tool goes on until it was led outside once.
fn careless_reads_escape(folder: &Path, turns: usize) -> usize {
    let tries = turns * LINES * 10;
    let mut escaped = 0;
    for attempt in 0..tries * MORE_TRIES {
        if attempt >= tries && escaped > 0 {
            break;
        }
        let is_folder = fs::symlink_metadata(folder).is_ok_and(|facts| facts.is_dir());
        if attempt % 2 == 1 {
            thread::yield_now();
        }
        let text = is_folder.then(|| fs::read_to_string(folder.join("file")));
        if text.is_some_and(|text| text.is_ok_and(|text| text.contains(CANARY))) {
            escaped += 1;
        }
    }
    escaped
}
