//! `cross`: checks that what is shipped compiles for systems that we do not run on.
//!
//! The compiler that rustup brought has no standard library for them, and none can be fetched everywhere. Debian has a compiler with
//! the source of its library, so the library is checked along with the crates. Nothing is linked and nothing is run: this says that
//! the code compiles there, not that it works.

use std::path::Path;

use super::takes_nothing;
use crate::command::{Command, cargo};
use crate::failure::Failure;
use crate::screen;
use crate::tool;

/// The systems, each with the crates that must compile for it. A Mac with another processor has the same calls.
const TARGETS: [(&str, &[&str]); 3] = [
    ("x86_64-pc-windows-gnu", &PROGRAM),
    ("aarch64-apple-darwin", &PROGRAM),
    ("wasm32-unknown-unknown", &ENGINE),
];

/// The crates that are embedded without a disk, so also where there is no operating system.
const ENGINE: [&str; 3] = ["hashline-core", "hashline-reference", "hashline-wire"];

/// The program; the crates it depends on are checked with it.
const PROGRAM: [&str; 1] = ["hashline-cli"];

/// Debian's compiler and the source of its standard library.
const COMPILER: &str = "/usr/bin/rustc";
const LIBRARY: &str = "/usr/lib/rustlib/src/rust/library/Cargo.lock";

/// Compiles what crates have in C and assembly, for a Mac.
const CLANG: &str = "/usr/bin/clang";

/// The packages they come in; the last compiles C and assembly for Windows.
const PACKAGES: &str = "rustc-web rust-web-src clang llvm gcc-mingw-w64-x86-64";

/// The oldest compiler that can build this code, as `Cargo.toml` says.
const OLDEST: (u32, u32) = (1, 95);

/// Checks every crate for every system.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    takes_nothing(args)?;
    if !is_installed() {
        tool::install_newest(PACKAGES)?;
    }
    for (target, crates) in TARGETS {
        screen::heading(target);
        check(target, crates).run()?;
    }
    Ok(())
}

fn check(target: &str, crates: &[&str]) -> Command {
    let packages: String = crates.iter().map(|name| format!(" -p {name}")).collect();
    cargo(&format!(
        "check --locked{packages} --target {target} -Zbuild-std=std,panic_abort"
    ))
    .env("RUSTC", COMPILER)
    // A stable compiler accepts `-Z` only with this.
    .env("RUSTC_BOOTSTRAP", "1")
    .env("RUSTFLAGS", "-D warnings")
    .env(
        "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER",
        "x86_64-w64-mingw32-gcc",
    )
    .env("CC_aarch64_apple_darwin", CLANG)
    .env("AR_aarch64_apple_darwin", "llvm-ar")
}

/// Returns whether the compilers and the library are installed and new enough. Debian's first release of it was older, and a machine
/// whose list of packages is old still gets that one.
fn is_installed() -> bool {
    let printed = Command::new(COMPILER, "--version").read();
    let version = printed.ok().and_then(|line| version(&line));
    let is_there = |path: &&str| Path::new(path).exists();
    version.is_some_and(|version| version >= OLDEST) && [LIBRARY, CLANG].iter().all(is_there)
}

/// Finds the version in `rustc 1.96.0 (ac68faa20 2026-05-25)`.
fn version(line: &str) -> Option<(u32, u32)> {
    let mut numbers = line.strip_prefix("rustc ")?.split('.');
    let mut next = || numbers.next()?.parse().ok();
    Some((next()?, next()?))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn the_version_is_read_as_the_compiler_prints_it() {
        let line = "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)\n";
        assert_eq!(version(line), Some((1, 96)));
        assert!(version("rustc 1.85.0\n") < Some((1, 95)));
        assert_eq!(version("sh: not found"), None);
    }
}
