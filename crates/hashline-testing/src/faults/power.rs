//! T5, T6: the power is cut at every call that changes something; and the same with syncs that only say they were done.

use super::crash::Case;
use super::disk::{Disk, FileSystem};
use super::scenario::Scenario;
use super::trace::{self, Call, Run};
use super::{Bench, Extent, Row};

/// Calls that change what is, or will be, on the disk.
const CHANGING: [&str; 13] = [
    "fchmod",
    "fchown",
    "fsetxattr",
    "fremovexattr",
    "fsync",
    "ftruncate",
    "linkat",
    "mkdirat",
    "openat",
    "pwrite64",
    "renameat",
    "renameat2",
    "unlinkat",
];

/// T5: killed at a call, and the power is gone at once: the next command finds the old tree or the new one, and the new one if that was
/// acknowledged.
pub(super) fn cut_anywhere(bench: &Bench, scenarios: &[Scenario], extent: Extent) -> Row {
    let mut row = Row::new("T5 power cut");
    for system in [FileSystem::Ext4, FileSystem::Xfs, FileSystem::Btrfs] {
        if let Some(why) = system.why_not() {
            row.skipped.push(format!("{system:?}: {why}"));
            continue;
        }
        let mut disk = Disk::new(&bench.scratch, system);
        let on_disk = on(bench, &disk);
        for scenario in scenarios {
            let case = Case::new(&on_disk, scenario);
            let calls: Vec<Call> = changing(case.calls()).collect();
            let moments = calls.iter().step_by(extent.every(13)).map(Some);
            for moment in moments.chain([None]) {
                row.cases += 1;
                let run = cut_at(&mut disk, &case, moment, None);
                row.control += usize::from(case.judge(&run).is_err());
                row.violations.extend(
                    settled(&case, &run)
                        .map(|what| format!("{system:?}: {}", describe(&case, moment, &what))),
                );
            }
        }
    }
    // The control that is always there: nothing is synced at all, and it was acknowledged.
    row.control += count_of_careless(bench, scenarios);
    row
}

/// T6: each sync in turn is left out; one that makes bytes durable must be missed by somebody.
pub(super) fn unsynced(bench: &Bench, scenarios: &[Scenario], extent: Extent) -> Row {
    let mut row = Row::new("T6 fsync necessity");
    let mut disks = Vec::new();
    for system in [FileSystem::Ext4, FileSystem::Xfs] {
        match system.why_not() {
            None => disks.push(Disk::new(&bench.scratch, system)),
            Some(why) => row.skipped.push(format!("{system:?}: {why}")),
        }
    }
    let Some(first) = disks.first() else {
        return row;
    };
    let on_disk = on(bench, first);
    // The copies of what is overwritten in place are missed only where a disk wrote a part of a file and not the rest: no cut does that
    // here, the simulated disk does.
    let chosen = scenarios
        .iter()
        .filter(|scenario| scenario.without.is_empty() && !scenario.in_place);
    for scenario in chosen {
        let syncs: Vec<Call> = Case::new(&on_disk, scenario)
            .calls()
            .into_iter()
            .filter(|call| call.name == "fsync")
            .collect();
        for sync in &syncs {
            let missed = disks
                .iter_mut()
                .any(|disk| is_missed(bench, disk, scenario, sync, extent, &mut row.cases));
            let what = format!(
                "{}, fsync {}: {}",
                scenario.name,
                sync.nth,
                shortened(&sync.line)
            );
            match (missed, is_of_bytes(sync)) {
                (true, _) => row.control += 1,
                (false, true) => row.violations.push(format!("nobody missed {what}")),
                (false, false) => row.notes.push(format!("not missed: {what}")),
            }
        }
    }
    row
}

/// Returns whether some moment shows that a sync was left out.
fn is_missed(
    bench: &Bench,
    disk: &mut Disk,
    scenario: &Scenario,
    sync: &Call,
    extent: Extent,
    cases: &mut usize,
) -> bool {
    let on_disk = on(bench, disk);
    let case = Case::new(&on_disk, scenario);
    let lie = format!("fsync:retval=0:when={}", sync.nth);
    let after: Vec<Call> = case
        .calls()
        .into_iter()
        .skip_while(|call| (&call.name, call.nth) != (&sync.name, sync.nth))
        .collect();
    let later: Vec<Call> = changing(after)
        .filter(|call| call.name != "fsync")
        .collect();
    // The end shows most of what can be seen; the moments before it the rest, the latest first.
    let moments = later.iter().rev().map(Some);
    let most = match extent {
        Extent::Sample => 6,
        Extent::Full => usize::MAX,
    };
    [None].into_iter().chain(moments).take(most).any(|moment| {
        *cases += 1;
        let run = cut_at(disk, &case, moment, Some(&lie));
        settled(&case, &run).is_some()
    })
}

/// Runs the request on a fresh tree that is on the disk for good, kills it at a call or lets it end, and cuts the power.
fn cut_at(disk: &mut Disk, case: &Case<'_>, moment: Option<&Call>, lie: Option<&str>) -> Run {
    case.scenario.set_up(&case.root);
    disk.sync();
    let mut injections: Vec<String> = lie.into_iter().map(str::to_owned).collect();
    match moment {
        None => injections.extend(case.without("")),
        Some(call) => {
            injections.extend(case.without(&call.name));
            injections.push(format!("{}:signal=SIGKILL:when={}", call.name, call.nth));
        }
    }
    let request = case.scenario.request;
    let run = trace::injected(
        case.bench,
        &case.root,
        case.scenario.words(),
        request,
        &injections,
    );
    disk.cut();
    run
}

/// Recovers and tells what is wrong with the tree then.
fn settled(case: &Case<'_>, run: &Run) -> Option<String> {
    case.recover();
    case.judge(run).err()
}

/// The control: an edit whose maker does without durability.
fn count_of_careless(bench: &Bench, scenarios: &[Scenario]) -> usize {
    if FileSystem::Ext4.why_not().is_some() {
        return 0;
    }
    let mut disk = Disk::new(&bench.scratch, FileSystem::Ext4);
    let on_disk = on(bench, &disk);
    let mut lost = 0;
    for scenario in scenarios
        .iter()
        .filter(|scenario| scenario.without.is_empty())
    {
        let case = Case::new(&on_disk, scenario);
        scenario.set_up(&case.root);
        disk.sync();
        let launch = super::launch::Launch::new(&on_disk, &case.root);
        let run = launch
            .with("HASHLINE_DURABILITY", "fast")
            .run(scenario.words(), scenario.request);
        disk.cut();
        lost += usize::from(settled(&case, &run).is_some());
    }
    lost
}

/// Returns a bench on a disk.
fn on(bench: &Bench, disk: &Disk) -> Bench {
    Bench {
        driver: bench.driver.clone(),
        scratch: disk.at().to_path_buf(),
    }
}

fn changing(calls: Vec<Call>) -> impl Iterator<Item = Call> {
    let changes = |call: &Call| {
        let opens = call.name != "openat"
            || call.line.contains("O_CREAT")
            || call.line.contains("O_TMPFILE");
        CHANGING.contains(&&*call.name) && opens
    };
    calls.into_iter().filter(changes)
}

/// Returns whether a sync is one of bytes, not of names.
fn is_of_bytes(sync: &Call) -> bool {
    // Files are synced before they have a name; directories have one.
    sync.line.contains("(deleted)")
        || sync.line.contains(".hl-")
        || sync.line.contains("journal.tmp")
}

fn describe(case: &Case<'_>, moment: Option<&Call>, what: &str) -> String {
    match moment {
        Some(call) => case.describe(call, what),
        None => format!("{}, at the end: {what}", case.scenario.name),
    }
}

fn shortened(line: &str) -> &str {
    line.rsplit_once("-disk/").map_or(line, |(_, rest)| rest)
}
