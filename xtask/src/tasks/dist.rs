//! `dist`: the program as it is handed out: an archive with manual pages and completions, checksums, and the Homebrew formula.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::takes_nothing;
use crate::command::{Command, cargo};
use crate::failure::Failure;
use crate::screen;

/// Where it is put together.
const FOLDER: &str = "target/dist";
/// Files of the repository that go along.
const PAPERS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// Each shell, and what it calls its script.
const COMPLETIONS: [(&str, &str); 4] = [
    ("bash", "hashline.bash"),
    ("zsh", "_hashline"),
    ("fish", "hashline.fish"),
    ("powershell", "_hashline.ps1"),
];
/// The formula, with places for what is only known in the end.
const FORMULA: &str = "packaging/homebrew/hashline.rb";

/// Builds everything that is handed out.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    takes_nothing(args)?;
    cargo("build --release --locked -p hashline-cli --features redis").run()?;
    let version = version()?;
    let name = format!("hashline-{version}-{}", target()?);
    let folder = Path::new(FOLDER).join(&name);
    let _ = fs::remove_dir_all(FOLDER);
    fill(&folder).map_err(failed)?;
    let archive = format!("{name}.tar.gz");
    pack(&name, &archive)?;
    let checksum = checksum(&archive)?;
    fs::write(
        Path::new(FOLDER).join("SHA256SUMS"),
        format!("{checksum}  {archive}\n"),
    )
    .map_err(failed)?;
    let formula = fs::read_to_string(FORMULA).map_err(failed)?;
    let filled = formula
        .replace("@VERSION@", &version)
        .replace("@ARCHIVE@", &archive)
        .replace("@SHA256@", &checksum);
    fs::write(Path::new(FOLDER).join("hashline.rb"), filled).map_err(failed)?;
    screen::line(format!(
        "{FOLDER}/{archive}\n{FOLDER}/SHA256SUMS\n{FOLDER}/hashline.rb"
    ));
    Ok(())
}

/// Puts the program, its manual and its completions into a folder.
fn fill(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder.join("completions"))?;
    let program = PathBuf::from("target/release/hashline");
    fs::copy(&program, folder.join("hashline"))?;
    for paper in PAPERS {
        fs::copy(paper, folder.join(paper))?;
    }
    output_of(
        &program,
        &["man", &folder.join("man/man1").to_string_lossy()],
    )?;
    for (shell, script) in COMPLETIONS {
        let text = output_of(&program, &["completions", shell])?;
        fs::write(folder.join("completions").join(script), text)?;
    }
    Ok(())
}

/// Runs the program that was just built; returns its output.
fn output_of(program: &Path, args: &[&str]) -> io::Result<Vec<u8>> {
    let output = std::process::Command::new(program).args(args).output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(io::Error::other(
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ))
    }
}

/// Packs the folder: the same files give the same archive.
fn pack(name: &str, archive: &str) -> Result<(), Failure> {
    let when = Command::new("git", "log -1 --format=@%ct").read()?;
    let words = format!(
        "--sort=name --owner=0 --group=0 --numeric-owner --mtime={} --use-compress-program=gzip\u{a0}-n -C {FOLDER} -cf {FOLDER}/{archive} {name}",
        when.trim()
    );
    // A space that belongs to an argument.
    let words: Vec<String> = words
        .split(' ')
        .map(|word| word.replace('\u{a0}', " "))
        .collect();
    Command::new("tar", "").args(&words).run()
}

fn checksum(archive: &str) -> Result<String, Failure> {
    let printed = Command::new("sha256sum", &format!("{FOLDER}/{archive}")).read()?;
    Ok(printed
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned())
}

fn version() -> Result<String, Failure> {
    let printed = Command::new("target/release/hashline", "--version").read()?;
    Ok(printed.trim().trim_start_matches("hashline ").to_owned())
}

/// Returns what machine and system it was built for.
fn target() -> Result<String, Failure> {
    let printed = Command::new("rustc", "-vV").read()?;
    let host = printed.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.unwrap_or("unknown").to_owned())
}

fn failed(error: io::Error) -> Failure {
    Failure::Usage(format!("{FOLDER}: {error}"))
}
