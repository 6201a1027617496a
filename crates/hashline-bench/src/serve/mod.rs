//! The sandbox service under load: nothing lost, no errors, memory flat; and what it costs beside the same calls in process and a bare commit.

mod commits;
mod reads;
mod under_load;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use hashline_testing::served::load::Scene;
use hashline_testing::served::{Server, ServerOptions};

use crate::args::Args;
use crate::gates::{Bars, Gates};
use crate::program::{hashline, install};

/// The workspace that is served.
const WORKSPACE: &str = "main";
/// Lines of every file.
const LINES: usize = 300;
/// How many clients work at once.
const CLIENTS: usize = 48;

/// How much work is done.
struct Sizes {
    files: usize,
    folders: usize,
    /// How long the load lasts.
    load: Duration,
    /// How often memory is measured meanwhile.
    interval: Duration,
    /// How often each read is made.
    reads: usize,
    /// How often durable edits and bare commits take turns, and for how long.
    turns: usize,
    turn: Duration,
    bars: Bars,
}

impl Sizes {
    fn full() -> Self {
        Self {
            files: 1000,
            folders: 100,
            load: Duration::from_secs(60),
            interval: Duration::from_secs(5),
            reads: 2000,
            turns: 5,
            turn: Duration::from_secs(3),
            bars: Bars::Decide,
        }
    }

    fn sample() -> Self {
        Self {
            files: 200,
            folders: 20,
            load: Duration::from_secs(4),
            interval: Duration::from_millis(500),
            reads: 300,
            turns: 2,
            turn: Duration::from_millis(700),
            bars: Bars::Inform,
        }
    }
}

/// Where everything lies: a folder of its own, with the program installed in it.
struct Stage {
    folder: tempfile::TempDir,
    program: PathBuf,
}

impl Stage {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let program = install(&hashline()?, folder.path())?;
        Ok(Self { folder, program })
    }

    /// Lays out the files of one measurement.
    fn scene(&self, name: &str, sizes: &Sizes) -> Result<Scene> {
        let root = self.folder.path().join(name);
        fs::create_dir_all(&root)?;
        let scene = Scene {
            root,
            files: sizes.files,
            folders: sizes.folders,
            lines: LINES,
            clients: CLIENTS,
        };
        scene.lay_out()?;
        Ok(scene)
    }

    /// Starts the service on a folder.
    fn serve(&self, root: &Path) -> Result<Server> {
        let workspace = format!("{WORKSPACE}={}", root.display());
        let home = self.folder.path().join("home");
        let args = ["--workspace", &workspace, "--http", "0"];
        Ok(ServerOptions::new(&self.program, &home, &args).start()?)
    }
}

/// What can be measured, by name.
type Part = fn(&Stage, &Sizes, &mut Gates, &mut dyn Write) -> Result<()>;
const PARTS: [(&str, Part); 3] = [
    ("reads", reads::measure),
    ("commits", commits::measure),
    ("load", under_load::measure),
];

/// Measures everything, or what `--only` names.
pub(crate) fn run(args: &mut Args, out: &mut dyn Write) -> Result<Gates> {
    let sample = args.flag("--sample");
    let only: Option<String> = args.value("--only")?;
    args.finish()?;
    let sizes = if sample {
        Sizes::sample()
    } else {
        Sizes::full()
    };
    let stage = Stage::new()?;
    let mut gates = Gates::default();
    for (name, measure) in PARTS {
        if only.as_deref().is_none_or(|only| only == name) {
            measure(&stage, &sizes, &mut gates, out)?;
        }
    }
    Ok(gates)
}

/// Returns the time that so many of a hundred calls took at most.
fn percentile(times: &[Duration], hundredths: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    let at = (times.len() * hundredths / 100).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::percentile;

    #[test]
    fn a_percentile_is_one_of_the_times() {
        let times: Vec<Duration> = (1..=200).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 50), Duration::from_millis(101));
        assert_eq!(percentile(&times, 99), Duration::from_millis(199));
        assert_eq!(percentile(&times, 100), Duration::from_millis(200));
        assert_eq!(percentile(&[], 99), Duration::ZERO);
    }
}
