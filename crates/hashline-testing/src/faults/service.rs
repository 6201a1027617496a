//! TS: the service is killed and started again while many clients read, edit and write the same files through it.
//!
//! Every change that was acknowledged is there afterwards, every file is whole, and nothing lies about but staged files.

use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use super::{Bench, Extent, Row, tree};
use crate::random::Random;
use crate::served::load::{Load, Mix, Scene, Tally};
use crate::served::{Server, ServerOptions};

/// The workspace that is served.
const WORKSPACE: &str = "main";
/// How long a server lives at least, and how much longer at most, in milliseconds.
const LIFE: (u64, usize) = (30, 250);

/// TS: after any number of kills under load, every acknowledged change is there, and only staged files are left over.
pub(super) fn killed_under_load(bench: &Bench, extent: Extent) -> Row {
    let mut row = Row::new("TS service");
    let kills = match extent {
        Extent::Sample => 8,
        Extent::Full => 50,
    };
    match Service::new(bench).killed(kills) {
        Ok((tallies, found)) => {
            let acknowledged: u64 = tallies.iter().map(Tally::acknowledged).sum();
            let broken: usize = tallies.iter().map(|tally| tally.broken).sum();
            row.cases = kills;
            let repeated: usize = tallies.iter().map(|tally| tally.repeated).sum();
            row.notes.push(format!(
                "{acknowledged} changes acknowledged, {broken} calls broken off, {repeated} edits repeated with a revision"
            ));
            row.violations.extend(found);
        }
        Err(error) => row.violations.push(format!("the service: {error}")),
    }
    match Service::new(bench).careless() {
        Ok(lost) => row.control = lost,
        Err(error) => row.violations.push(format!("the control: {error}")),
    }
    row
}

/// The service, which lies beside the driver, and the files that it serves.
struct Service {
    options: ServerOptions,
    scene: Scene,
}

impl Service {
    fn new(bench: &Bench) -> Self {
        let scratch = bench.scratch.join("service");
        let root: PathBuf = scratch.join("root");
        tree::make(&root, &[]);
        let program = bench.driver.with_file_name("hashline");
        let workspace = format!("{WORKSPACE}={}", root.display());
        let args = ["--workspace", &workspace, "--http", "0"];
        Self {
            options: ServerOptions::new(&program, &scratch.join("home"), &args),
            scene: Scene {
                root,
                files: 60,
                folders: 10,
                lines: 60,
                clients: 48,
            },
        }
    }

    fn load(&self, server: &Server, mix: Mix) -> io::Result<Load> {
        let token = server.token(WORKSPACE)?;
        Ok(Load::new(&self.scene, mix, server.address(), &token))
    }

    /// Kills the server so often under load; returns what the clients did and what is wrong with the files.
    fn killed(&self, kills: usize) -> io::Result<(Vec<Tally>, Vec<String>)> {
        self.scene.lay_out()?;
        let mix = Mix {
            edits: 60,
            writes: 20,
            careful: true,
        };
        let mut server = self.options.start()?;
        let load = self.load(&server, mix)?;
        let (tallies, last) = load.run(&[], || {
            let mut random = Random::new(kills as u64);
            for _ in 0..kills {
                let life = LIFE.0 + random.below(LIFE.1) as u64;
                thread::sleep(Duration::from_millis(life));
                server.kill();
                server = self.options.start()?;
                load.moved_to(server.address(), &server.token(WORKSPACE)?);
            }
            // The last one lives until every client has found out about its own changes.
            thread::sleep(Duration::from_millis(500));
            Ok::<_, io::Error>(server)
        });
        last?.end()?;
        let mut found = self.scene.audit(&tallies)?;
        found.extend(self.strays());
        found.extend(tallies.iter().flat_map(|tally| tally.errors.clone()));
        Ok((tallies, found))
    }

    /// Lists what is in the folder beside the files and orphans.
    fn strays(&self) -> Vec<String> {
        let files: Vec<String> = (0..self.scene.files)
            .map(|file| self.scene.path(file))
            .collect();
        let is_folder =
            |name: &str| name.len() == 3 && name.bytes().all(|byte| byte.is_ascii_digit());
        let left = tree::without_orphans(tree::read(&self.scene.root)).into_keys();
        let strays = left.filter(|name| !files.contains(name) && !is_folder(name));
        strays.map(|name| format!("{name} lies about")).collect()
    }

    /// The control: clients that overwrite each other lose changes that were acknowledged, and the audit sees it. Returns how many.
    fn careless(&self) -> io::Result<usize> {
        self.scene.lay_out()?;
        let mix = Mix {
            edits: 0,
            writes: 100,
            careful: false,
        };
        let server = self.options.start()?;
        let scene = Scene {
            files: 1,
            ..self.scene.clone()
        };
        let token = server.token(WORKSPACE)?;
        let load = Load::new(&scene, mix, server.address(), &token);
        let (tallies, ()) = load.run(&[], || thread::sleep(Duration::from_millis(500)));
        server.end()?;
        Ok(scene.audit(&tallies)?.len())
    }
}
