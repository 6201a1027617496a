//! T10: somebody else writes the file while a commit hangs right before one of its swaps.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::scenario::Scenario;
use super::trace;
use super::{Bench, Row};

/// How long a swap hangs, in microseconds, and when somebody writes meanwhile.
const HANGS: u64 = 400_000;
const WRITES_AFTER: Duration = Duration::from_millis(200);
const MARK: &str = "somebody was here\n";

/// Ways in which other programs write.
const WAYS: [fn(&Path, &str); 2] = [over_it, in_its_place];

/// T10: what somebody else wrote is kept, whether the edit then lands over it or is refused.
pub(super) fn written_meanwhile(bench: &Bench, scenarios: &[Scenario]) -> Row {
    let mut row = Row::new("T10 outside writer");
    let root = bench.scratch.join("root");
    for scenario in scenarios
        .iter()
        // What is written over in place in the moment between the last look and the first byte is lost; the docs say so.
        .filter(|scenario| scenario.without.is_empty() && !scenario.in_place)
    {
        scenario.set_up(&root);
        let request = scenario.request;
        let calls = trace::record(bench, &root, &["apply"], request, scenario, &[]);
        let swaps = calls.iter().filter(|call| call.name == "renameat2").count();
        let (name, text) = scenario.before[0];
        for (nth, write) in (1..=swaps).flat_map(|nth| WAYS.map(|write| (nth, write))) {
            scenario.set_up(&root);
            let file = root.join(name);
            let written = format!("{text}{MARK}");
            let writer = {
                let file = file.clone();
                thread::spawn(move || {
                    thread::sleep(WRITES_AFTER);
                    write(&file, &written);
                })
            };
            let hang = format!("renameat2:delay_enter={HANGS}:when={nth}");
            let run = trace::injected(bench, &root, &["apply"], request, &[hang]);
            let _ = writer.join();
            row.cases += 1;
            if !is_kept(&root) {
                let text = run.text.trim();
                row.violations
                    .push(format!("{}, swap {nth}: it says {text:?}", scenario.name));
            }
        }
    }
    row.control = careless_tools_lose_it(&root);
    row
}

/// The control: read, think, write, as most tools do.
fn careless_tools_lose_it(root: &Path) -> usize {
    let lose = |write: fn(&Path, &str)| {
        let _ = fs::create_dir_all(root);
        let file = root.join("careless");
        let _ = fs::write(&file, "one\n");
        let read = fs::read_to_string(&file).unwrap_or_default();
        write(&file, &format!("{read}{MARK}"));
        in_its_place(&file, &read.replace("one", "two"));
        !fs::read_to_string(&file).is_ok_and(|text| text.contains(MARK))
    };
    WAYS.into_iter().filter(|&write| lose(write)).count()
}

/// Returns whether some file of the tree holds what somebody else wrote.
fn is_kept(root: &Path) -> bool {
    super::tree::read(root)
        .into_iter()
        .filter(|(name, _)| !name.contains(".hl-"))
        .any(|(_, bytes)| bytes.is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains(MARK)))
}

fn over_it(file: &Path, text: &str) {
    let _ = fs::write(file, text);
}

fn in_its_place(file: &Path, text: &str) {
    let beside = file.with_extension("beside");
    let _ = fs::write(&beside, text);
    let _ = fs::rename(&beside, file);
}
