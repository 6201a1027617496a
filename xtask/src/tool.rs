//! What a task needs beyond cargo, and how it gets there when it is missing.

use std::fs;
use std::path::Path;

use crate::command::{Command, cargo, root};
use crate::failure::Failure;

/// A cargo subcommand and the command that installs it.
pub(crate) struct Tool {
    subcommand: &'static str,
    program: &'static str,
    install: &'static str,
}

/// `cargo fmt`.
pub(crate) const FMT: Tool = Tool {
    subcommand: "fmt",
    program: "rustup",
    install: "component add rustfmt",
};

/// `cargo clippy`.
pub(crate) const CLIPPY: Tool = Tool {
    subcommand: "clippy",
    program: "rustup",
    install: "component add clippy",
};

/// `cargo fuzz`: libFuzzer.
pub(crate) const FUZZ: Tool = crate_tool("fuzz", "install cargo-fuzz --version 0.13.2 --locked");

/// `cargo insta`: writes accepted snapshots, those inside source files included.
pub(crate) const INSTA: Tool = crate_tool("insta", "install cargo-insta --version 1.49.0 --locked");

/// `cargo deny`: who may depend on what, and under which licence.
pub(crate) const DENY: Tool = crate_tool("deny", "install cargo-deny --version 0.20.2 --locked");

/// `cargo mutants`: changes the code and expects a test to notice.
pub(crate) const MUTANTS: Tool =
    crate_tool("mutants", "install cargo-mutants --version 27.1.0 --locked");

/// `cargo nextest`: runs each test in a process of its own, the quick ones first.
pub(crate) const NEXTEST: Tool = crate_tool(
    "nextest",
    "install cargo-nextest --version 0.9.143 --locked",
);

const fn crate_tool(subcommand: &'static str, install: &'static str) -> Tool {
    Tool {
        subcommand,
        program: "cargo",
        install,
    }
}

impl Tool {
    /// Installs the subcommand unless it is there, in whatever version.
    pub(crate) fn ensure(&self) -> Result<(), Failure> {
        if is_there(self.subcommand)? {
            Ok(())
        } else {
            Command::new(self.program, self.install).run()
        }
    }
}

/// Says whether cargo knows this subcommand.
pub(crate) fn is_there(subcommand: &str) -> Result<bool, Failure> {
    Ok(cargo(&format!("{subcommand} --version"))
        .capture()?
        .status
        .success())
}

/// Installs a program of the system unless it is there, if that can be done; what needs it must say so where it is missing.
pub(crate) fn offer_program(name: &'static str, package: &'static str) {
    let there = Command::new("which", name).capture();
    if !there.is_ok_and(|output| output.status.success()) {
        let _ = install(package);
    }
}

/// Installs packages of the system in their newest versions: the list of packages is fetched anew.
pub(crate) fn install_newest(packages: &str) -> Result<(), Failure> {
    Command::new("apt-get", "update").run()?;
    let words = format!("install --yes --no-install-recommends {packages}");
    Command::new("apt-get", &words).run()
}

/// Installs a package of the system; on a new machine the list of packages has to be fetched first.
fn install(package: &str) -> Result<(), Failure> {
    let wanted = Command::new("apt-get", &format!("install --yes {package}"));
    if wanted.capture().is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    Command::new("apt-get", "update").run()?;
    wanted.run()
}

/// Installs the packages that a folder's lock file names, unless they are there.
pub(crate) fn npm_packages(folder: &str) -> Result<(), Failure> {
    offer_program("npm", "npm");
    let folder = root().join(folder);
    let place = folder.join("node_modules");
    unless_there(&folder.join("package-lock.json"), &place, || {
        // No package needs its install script, and what is not run cannot surprise.
        Command::new(
            "npm",
            "ci --ignore-scripts --no-audit --no-fund --loglevel=error --prefix",
        )
        .args(&[folder.display().to_string()])
        .run()
    })
}

/// Makes a folder with a Python of its own that has the packages of a list, unless it is there.
pub(crate) fn python_packages(list: &str, place: &Path) -> Result<(), Failure> {
    offer_program("python3", "python3");
    let list = root().join(list);
    unless_there(&list, place, || {
        let make = Command::new("python3", "-m venv --clear").args(&[place.display().to_string()]);
        if !make.capture().is_ok_and(|output| output.status.success()) {
            install("python3-venv")?;
            make.run()?;
        }
        let python = place.join("bin/python").display().to_string();
        let words = "-m pip install --quiet --disable-pip-version-check --require-hashes -r";
        let words = words.split(' ').map(str::to_owned);
        let args: Vec<String> = [python].into_iter().chain(words).collect();
        Command::new("env", "")
            .args(&args)
            .args(&[list.display().to_string()])
            .run()
    })
}

/// Installs into a place what a list names. A copy of the list is kept there: if it is the same, nothing is done.
fn unless_there(
    list: &Path,
    place: &Path,
    install: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mark = place.join(".installed");
    let there = fs::read(&mark).ok();
    if there.is_some() && there == fs::read(list).ok() {
        return Ok(());
    }
    install()?;
    // Without the mark it is installed again next time, which is no harm.
    let _ = fs::copy(list, &mark);
    Ok(())
}
