//! Some lines near the end of a large file, process against process: the driver against `sed`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Sizes;
use super::driver::driver;
use super::turns::best_times;
use crate::clock::{millis, ratio};
use crate::gates::Gates;
use crate::made_text;
use crate::table::Table;

/// How many lines are read, and where, in parts of the whole file.
const COUNT: usize = 25;
const AT: f64 = 0.9;
/// It takes at most so many times as long as `sed`.
const OVER_SED: f64 = 0.35;

/// Measures `sed`, ours without a ledger, and ours with one.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let lines = sizes.render;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("large.rs");
    fs::write(&file, made_text::code(lines)?)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a number of lines is far below what a float holds exactly"
    )]
    let first = (lines as f64 * AT) as usize;
    let driver = driver()?;
    let state = folder.path().join("state");
    let commands = [sed(&file, first), ours(&driver, folder.path(), first), {
        let mut remembered = ours(&driver, folder.path(), first);
        remembered.env("HASHLINE_STATE", &state);
        remembered
    }];
    writeln!(out, "\n== {COUNT} lines at line {first} of {lines}, warm\n")?;
    let mut commands = commands;
    gates.check(
        "part: the lines are those of sed".to_owned(),
        format!("{COUNT} lines"),
        same_lines(&mut commands)?,
    );
    let times = best_times(&mut commands, sizes.runs * 4)?;
    let mut table = Table::new(1, ["program", "ms", "x sed"]);
    let names = ["sed -n", "ours, ledger off", "ours, ledger on"];
    for (name, time) in names.iter().zip(&times) {
        let over = format!("{:.2}", ratio(*time, times[0]));
        table.row(vec![(*name).to_owned(), millis(*time), over]);
    }
    table.print(out)?;
    let over = ratio(times[1], times[0]);
    gates.check_bar(
        sizes.bars,
        "part: at most 0.35 x sed".to_owned(),
        format!("{over:.2} x"),
        over <= OVER_SED,
    );
    Ok(())
}

fn sed(file: &Path, first: usize) -> Command {
    let mut command = Command::new("sed");
    let range = format!("{first},{}p", first + COUNT - 1);
    command.args(["-n", &range]).arg(file);
    command
}

fn ours(driver: &Path, root: &Path, first: usize) -> Command {
    let mut command = Command::new(driver);
    let (first, count) = (first.to_string(), COUNT.to_string());
    command.arg(root).args(["read", "large.rs", &first, &count]);
    command.env_remove("HASHLINE_STATE");
    command
}

/// Returns whether the lines are the same, without our anchors and the revision above them.
fn same_lines(commands: &mut [Command; 3]) -> Result<bool> {
    let texts = commands
        .iter_mut()
        .map(|command| Ok(String::from_utf8(command.output()?.stdout)?))
        .collect::<Result<Vec<String>>>()?;
    let stripped = |text: &str| -> Vec<String> {
        let lines = text.lines().skip(1);
        let own = lines.filter_map(|line| line.split_once('|'));
        own.map(|(_, text)| text.to_owned()).collect()
    };
    let expected: Vec<String> = texts[0].lines().map(str::to_owned).collect();
    Ok(texts[1..].iter().all(|text| stripped(text) == expected))
}
