//! Durable edits of many clients, beside the same number of threads that only replace files: temporary file, sync, rename, sync of the folder.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use hashline_testing::random::Random;
use hashline_testing::served::load::{Load, Mix, Scene, Tally};

use super::{CLIENTS, Sizes, Stage, WORKSPACE};
use crate::gates::Gates;
use crate::table::Table;

/// The service makes at least so many durable edits for each bare commit.
const BAR: f64 = 0.5;
const EDITS: Mix = Mix {
    edits: 100,
    writes: 0,
    careful: true,
};

pub(super) fn measure(
    stage: &Stage,
    sizes: &Sizes,
    gates: &mut Gates,
    out: &mut dyn Write,
) -> Result<()> {
    let scene = stage.scene("commits", sizes)?;
    let bare = stage.scene("bare", sizes)?;
    let server = stage.serve(&scene.root)?;
    let token = server.token(WORKSPACE)?;
    let (mut edits, mut commits) = (Rate::default(), Rate::default());
    let mut tallies: Vec<Tally> = Vec::new();
    // By turns, so that whatever else the machine and its disk do slows both alike.
    for _ in 0..sizes.turns {
        let before: u64 = tallies.iter().map(Tally::acknowledged).sum();
        let load = Load::new(&scene, EDITS, server.address(), &token);
        let started = Instant::now();
        (tallies, ()) = load.run(&tallies, || thread::sleep(sizes.turn));
        let after: u64 = tallies.iter().map(Tally::acknowledged).sum();
        edits.add(after - before, started.elapsed());
        let started = Instant::now();
        commits.add(replaced(&bare, sizes.turn), started.elapsed());
        let errors: Vec<&String> = tallies.iter().flat_map(|tally| &tally.errors).collect();
        ensure!(errors.is_empty(), "edits were refused: {errors:?}");
    }
    server.end()?;
    let lost = scene.audit(&tallies)?;
    let part = edits.per_second() / commits.per_second();
    writeln!(out, "\n== Durable edits of {CLIENTS} clients, a second\n")?;
    let mut table = Table::new(0, ["edits served", "bare commits", "ratio"]);
    table.row(vec![
        format!("{:.0}", edits.per_second()),
        format!("{:.0}", commits.per_second()),
        format!("{part:.2} x"),
    ]);
    table.print(out)?;
    gates.check(
        "durable edits: none lost",
        lost.len().to_string(),
        lost.is_empty(),
    );
    let gate = format!("durable edits: at least {BAR} x bare commits");
    gates.check_bar(sizes.bars, gate, format!("{part:.2} x"), part >= BAR);
    Ok(())
}

/// How often something was done in how long.
#[derive(Default)]
struct Rate {
    count: u64,
    time: Duration,
}

impl Rate {
    fn add(&mut self, count: u64, time: Duration) {
        self.count += count;
        self.time += time;
    }

    fn per_second(&self) -> f64 {
        self.count as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Replaces files with as many threads as there are clients; returns how often.
fn replaced(scene: &Scene, time: Duration) -> u64 {
    let (stop, count) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for client in 0..scene.clients {
            let (stop, count) = (&stop, &count);
            scope.spawn(move || {
                let mut random = Random::new(client as u64);
                while !stop.load(Ordering::Relaxed) {
                    let path = scene.root.join(scene.path(random.below(scene.files)));
                    if replace(&path, client).is_ok() {
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        thread::sleep(time);
        stop.store(true, Ordering::Relaxed);
    });
    count.into_inner()
}

/// Replaces a file with one of the same bytes, durably.
fn replace(path: &Path, client: usize) -> std::io::Result<()> {
    let bytes = fs::read(path)?;
    let staged = path.with_extension(format!("{client}.new"));
    let mut file = File::create(&staged)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(&staged, path)?;
    File::open(path.parent().unwrap_or(path))?.sync_all()
}
