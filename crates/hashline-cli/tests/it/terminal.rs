//! On a real terminal: colours, and a sign of life while something takes long.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::stage::{HASHLINE, Stage};

/// Opens a terminal: the end for people, and the one for the program.
pub(crate) fn terminal() -> (File, OwnedFd) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    (File::from(ours), open(name, flags, Mode::empty()).unwrap())
}

/// Reads on until `enough` says so or everybody is gone; a terminal then says that with an error.
pub(crate) fn seen(screen: &mut File, mut enough: impl FnMut(&str) -> bool) -> String {
    let (mut seen, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&seen).into_owned();
        if enough(&text) {
            return text;
        }
        match screen.read(&mut piece) {
            Ok(count) if count > 0 => seen.extend_from_slice(&piece[..count]),
            _ => return text,
        }
    }
}

/// Starts to read a file whose folder somebody has locked, so that it is waited for.
fn wait_for_a_file(stage: &Stage, err: impl Into<Stdio>) -> (Child, OwnedFd) {
    let lock = open(stage.root(), OFlags::RDONLY, Mode::empty()).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    let child = stage
        .command(HASHLINE)
        .args(["read", "a.txt"])
        .stdout(Stdio::piped())
        .stderr(err)
        .spawn()
        .unwrap();
    (child, lock)
}

#[test]
fn what_takes_long_shows_that_it_goes_on_and_leaves_nothing_behind() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let (mut screen, err) = terminal();
    let (child, lock) = wait_for_a_file(&stage, err);
    let begun = seen(&mut screen, |text| text.contains(" s"));
    assert!(begun.starts_with("\r\u{1b}[Kreading: "), "{begun:?}");
    drop(lock);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "1:60|one\n");
    let rest = seen(&mut screen, |_| false);
    assert!(rest.ends_with("\r\u{1b}[K"), "{rest:?}");
}

#[test]
fn without_a_terminal_nobody_is_told() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    // Nobody lets go of it: it is read all the same when it was waited for long enough.
    let (child, _lock) = wait_for_a_file(&stage, Stdio::piped());
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert!(
        !err.contains("reading: ") && !err.contains('\u{1b}'),
        "{err:?}"
    );
}

#[test]
fn anchors_are_coloured_unless_somebody_minds() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let shown = |no_color: &str| {
        let (mut screen, out) = terminal();
        let mut command = stage.command(HASHLINE);
        command
            .args(["read", "a.txt"])
            .env("TERM", "xterm")
            .env("NO_COLOR", no_color);
        let mut child = command.stdout(out).spawn().unwrap();
        // The program's end must be its own alone, or the screen is never done.
        drop(command);
        let text = seen(&mut screen, |_| false);
        child.wait().unwrap();
        text
    };
    assert_eq!(shown(""), "\u{1b}[2m1:60|\u{1b}[0mone\r\n");
    assert_eq!(shown("1"), "1:60|one\r\n");
}

/// Runs the program with both outputs on one terminal, and returns all that is seen there.
fn on_screen(stage: &Stage, args: &[&str]) -> String {
    let (mut screen, out) = terminal();
    let mut command = stage.command(HASHLINE);
    command
        .args(args)
        .env("TERM", "xterm")
        .env("NO_COLOR", "1")
        .stderr(out.try_clone().unwrap());
    let mut child = command.stdout(out).spawn().unwrap();
    drop(command);
    let text = seen(&mut screen, |_| false);
    child.wait().unwrap();
    text
}

#[test]
fn a_terminal_obeys_nothing_that_stands_in_a_file() {
    let text = "\u{1b}[31mred\u{7}\tcol\u{202e}rtl\u{9b}x\u{7f}\n";
    let safe = "\\x1b[31mred\\x07";
    let stage = Stage::new(&[("a.txt", text), ("b\u{1b}c", "x\n")]);
    let screens: [&[&str]; 8] = [
        &["read", "a.txt"],
        &["read", "--plain", "a.txt"],
        &["read", "--chunk-lines", "1", "a.txt"],
        &["search", "red"],
        &["verify", "a.txt", "1:00"],
        &["read", "--around", "1:00", "a.txt"],
        &["read", "b\u{1b}c", "a.txt"],
        &[
            "apply",
            "--dry-run",
            "--emit",
            "window",
            "--base64",
            "eyJwYXRoIjoiYS50eHQiLCJlZGl0cyI6W3sib3AiOiJhcHBlbmQiLCJsaW5lcyI6WyJ4Il19XX0=",
        ],
    ];
    for args in screens {
        let shown = on_screen(&stage, args);
        assert!(shown.contains(safe), "{args:?}: {shown:?}");
        let obeyed = |letter: char| {
            (letter.is_control() && !matches!(letter, '\r' | '\n' | '\t')) || letter == '\u{202e}'
        };
        assert!(!shown.contains(obeyed), "{args:?}: {shown:?}");
    }
    let shown = on_screen(&stage, &["read", "--json", "a.txt"]);
    let object: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert!(
        !shown.contains(['\u{9b}', '\u{7f}', '\u{202e}']),
        "{shown:?}"
    );
    assert!(
        object["lines"][0]
            .as_str()
            .unwrap()
            .ends_with(text.trim_end())
    );
    // In a pipe nothing changes.
    let piped = stage.run(&["read", "--plain", "a.txt"]).done();
    assert_eq!(piped, text);
}
