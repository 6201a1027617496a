//! However few files the system lets us open: a request is done or refused with a reason, and a search says what it could not see.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const TEXT: &str = "text\n";

/// Runs the driver with so many descriptors; returns its exit code and what it says.
fn driver(descriptors: usize, root: &Path, words: &[&str], request: &str) -> (Option<i32>, String) {
    let mut child = Command::new("sh")
        .args(["-c", r#"ulimit -n "$0" && exec "$@""#])
        .arg(descriptors.to_string())
        .arg(env!("CARGO_BIN_EXE_driver"))
        .arg(root)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut input = child.stdin.take().expect("it was piped");
    // Who refuses early does not read to the end.
    let _ = input.write_all(request.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

/// Makes files, each in a folder of its own, and returns their paths.
fn files(root: &Path, count: usize) -> Vec<String> {
    let names = (0..count).map(|index| format!("folder-{index:03}/file"));
    names
        .inspect(|name| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("made");
            fs::write(path, TEXT).expect("written");
        })
        .collect()
}

/// A request that changes files that are there and makes some in new folders.
fn request(changed: &[String], made: &[&str]) -> String {
    let changed = changed.iter().map(|path| {
        format!(r#"{{"path":"{path}","edits":[{{"op":"substitute","old":"text","new":"TEXT"}}]}}"#)
    });
    let made = made.iter().map(|path| {
        format!(r#"{{"path":"{path}","edits":[{{"op":"create","content":"TEXT\n"}}]}}"#)
    });
    let files: Vec<String> = changed.chain(made).collect();
    format!(r#"{{"files":[{}]}}"#, files.join(","))
}

/// Tells whether all of a request was done, or none of it; anything between fails the test.
fn is_done(root: &Path, changed: &[String], made: &[&str], told: &str) -> bool {
    let texts = changed
        .iter()
        .map(|path| fs::read_to_string(root.join(path)).expect("it is there"));
    let mut done: Vec<bool> = texts.map(|text| text == "TEXT\n").collect();
    done.extend(made.iter().map(|path| root.join(path).exists()));
    let first_of = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    done.extend(made.iter().map(|path| root.join(first_of(path)).exists()));
    done.dedup();
    assert_eq!(done.len(), 1, "half of it was done: {told}");
    for left in ["journal", "journal.done", "journal.tmp"] {
        let left = root.join(".hashline").join(left);
        assert!(!left.exists(), "{}: {told}", left.display());
    }
    done[0]
}

#[test]
fn a_request_over_more_files_than_can_be_opened_is_refused_with_their_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let changed = files(folder.path(), 100);
    let request = request(&changed, &[]);
    let (exit, told) = driver(128, folder.path(), &["apply"], &request);
    assert_eq!(exit, Some(2), "{told}");
    assert!(told.starts_with("too_many: "), "{told}");
    assert!(told.contains("names 100 files"), "{told}");
    assert!(told.contains("nothing was written"), "{told}");
    assert!(!is_done(folder.path(), &changed, &[], &told));
    let (exit, told) = driver(256, folder.path(), &["apply"], &request);
    assert_eq!(exit, Some(0), "{told}");
    assert!(is_done(folder.path(), &changed, &[], &told));
}

#[test]
fn files_of_one_folder_share_its_descriptor() {
    let folder = tempfile::tempdir().expect("a folder");
    let names: Vec<String> = (0..100).map(|index| format!("file-{index}")).collect();
    for name in &names {
        fs::write(folder.path().join(name), TEXT).expect("written");
    }
    let (exit, told) = driver(128, folder.path(), &["apply"], &request(&names, &[]));
    assert_eq!(exit, Some(0), "{told}");
    assert!(is_done(folder.path(), &names, &[], &told));
}

#[test]
fn with_every_number_of_descriptors_a_request_is_done_or_refused() {
    let made = ["new/a/b", "other/c/d"];
    let (mut done, mut refused) = (0, 0);
    for descriptors in 5..64 {
        let folder = tempfile::tempdir().expect("a folder");
        let changed = files(folder.path(), 6);
        let request = request(&changed, &made);
        let (exit, told) = driver(descriptors, folder.path(), &["apply"], &request);
        let told = format!("{descriptors}: {told}");
        if is_done(folder.path(), &changed, &made, &told) {
            assert_eq!(exit, Some(0), "{told}");
            done += 1;
        } else {
            assert_eq!(exit, Some(2), "{told}");
            assert!(told.contains(": too_many: "), "{told}");
            refused += 1;
        }
    }
    assert!(
        done > 10 && refused > 10,
        "{done} done and {refused} refused"
    );
}

#[test]
fn a_search_finds_what_it_can_open_and_counts_what_it_cannot() {
    const FILES: usize = 40;
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path(), FILES);
    let deep = format!("{}file", "down/".repeat(20));
    let path = folder.path().join(&deep);
    fs::create_dir_all(path.parent().expect("it has one")).expect("made");
    fs::write(path, TEXT).expect("written");
    let (mut all, mut some) = (0, 0);
    for descriptors in 5..64 {
        let search = ["search", "text", "0", "2"];
        let (exit, told) = driver(descriptors, folder.path(), &search, "");
        let whole = told.contains(&format!("{0} matches in {0} of", FILES + 1));
        let refused = told.contains("too_many");
        assert_ne!(whole, refused, "{descriptors}: {told}");
        if whole {
            all += 1;
        } else {
            some += 1;
        }
        // What cannot even open the root is refused.
        let code = if told.starts_with("too_many") { 2 } else { 0 };
        assert_eq!(exit, Some(code), "{descriptors}: {told}");
    }
    assert!(all > 10 && some > 0, "{all} saw all, {some} some");
}
