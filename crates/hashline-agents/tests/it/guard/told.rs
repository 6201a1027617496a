//! What a verdict says besides its name.

use std::path::Path;

use hashline_agents::guard::{Bypass, BypassFile, Guard, Unsure, Verdict};

use super::recorded::guard;

/// Says which command and which file the guard recognised.
fn told(command: &str) -> (String, Option<BypassFile>) {
    match guard().judge(command) {
        Verdict::ReadBypass(Bypass { command, file })
        | Verdict::WriteBypass(Bypass { command, file }) => (command, file),
        Verdict::Allow(unsure) => panic!("allowed ({unsure:?}): {command}"),
    }
}

fn named(path: &str) -> Option<BypassFile> {
    Some(BypassFile::Named(path.to_owned()))
}

fn computed(path: &str) -> Option<BypassFile> {
    Some(BypassFile::Computed(path.to_owned()))
}

fn listed(path: &str, by: &str) -> Option<BypassFile> {
    let (path, by) = (path.to_owned(), by.to_owned());
    Some(BypassFile::Listed { path, by })
}

#[test]
fn the_command_is_named_without_its_directory_and_wrappers() {
    assert_eq!(
        told("sudo /usr/bin/head -3 'src/my file.rs'"),
        ("head".to_owned(), named("src/my file.rs"))
    );
}

#[test]
fn the_first_guarded_file_is_named() {
    assert_eq!(
        told("cat /tmp/x src/a.rs src/b.rs"),
        ("cat".to_owned(), named("src/a.rs"))
    );
}

#[test]
fn what_is_computed_is_told_as_it_is_written() {
    assert_eq!(
        told("cat \"$dir\"/a.rs"),
        ("cat".to_owned(), computed("$dir/a.rs"))
    );
    assert_eq!(
        told("cat src/*.rs"),
        ("cat".to_owned(), computed("src/*.rs"))
    );
    assert_eq!(
        told("cat src/[ab].rs"),
        ("cat".to_owned(), computed("src/[ab].rs"))
    );
    assert_eq!(
        told("find src | xargs cat"),
        ("cat".to_owned(), listed("src/{}", "find"))
    );
    assert_eq!(
        told("git ls-files | xargs cat"),
        ("cat".to_owned(), listed("{}", "git"))
    );
    assert_eq!(
        told("echo x > $(head -1 <<E\na\nE\n)"),
        ("echo".to_owned(), computed("$(head -1 <<E\na\nE\n)"))
    );
}

#[test]
fn a_redirection_is_named_after_its_command_or_its_operator() {
    assert_eq!(told("echo x > a.txt"), ("echo".to_owned(), named("a.txt")));
    assert_eq!(told("> a.txt"), (">".to_owned(), named("a.txt")));
    assert_eq!(told("{ date; } > a.txt"), (">".to_owned(), named("a.txt")));
}

#[test]
fn a_return_at_the_end_of_a_line_is_no_part_of_a_name() {
    for command in [
        "cat README.md\r",
        "cat README.md\r\n",
        "ls\r\ncat README.md\r\nls\r\n",
    ] {
        assert_eq!(told(command), ("cat".to_owned(), named("README.md")));
    }
}

#[test]
fn escapes_are_decoded_in_names() {
    assert_eq!(
        told(r"cat $'src/\x6dain.rs'"),
        ("cat".to_owned(), named("src/main.rs"))
    );
}

#[test]
fn a_patch_names_no_file() {
    assert_eq!(told("git apply x.patch"), ("git".to_owned(), None));
}

#[test]
fn a_write_is_told_before_a_read() {
    assert_eq!(
        told("cat a.rs; sed -i s/a/b/ b.rs"),
        ("sed".to_owned(), named("b.rs"))
    );
}

#[test]
fn what_cannot_be_told_is_said() {
    assert_eq!(
        guard().judge("cat 'src/main.rs"),
        Verdict::Allow(Some(Unsure::NotShell))
    );
    assert_eq!(
        guard().judge("bash -c 'echo \"x'"),
        Verdict::Allow(Some(Unsure::NotShell))
    );
    assert_eq!(guard().judge("ls"), Verdict::ALLOW);
}

#[test]
fn paths_are_resolved_from_the_directory_in_which_commands_run() {
    let guard = Guard::new(Path::new("/w/repo"), Path::new("/w/repo/crates/a"));
    let name = |command: &str| guard.judge(command).name();
    assert_eq!(name("cat src/lib.rs"), "read-bypass");
    assert_eq!(name("cat ../../README.md"), "read-bypass");
    assert_eq!(name("cat ../../../other/README.md"), "allow");
    assert_eq!(name("cat ../../target/x.txt"), "allow");
    assert_eq!(name("cat target/x.txt"), "read-bypass");
    assert_eq!(name("cat /w/repo/a"), "read-bypass");
    assert_eq!(name("cat /repo/a"), "allow");
    assert_eq!(name("cat /w/$name/a"), "read-bypass");
    assert_eq!(name("cat /tmp/$name/a"), "allow");
}

#[test]
fn outside_the_workspace_only_paths_that_lead_into_it_are_guarded() {
    let guard = Guard::new(Path::new("/w/repo"), Path::new("/tmp"));
    let name = |command: &str| guard.judge(command).name();
    assert_eq!(name("cat notes.txt"), "allow");
    assert_eq!(name("cat *.rs"), "allow");
    assert_eq!(name("cat /w/repo/a.rs"), "read-bypass");
    assert_eq!(name("cat ../w/repo/a.rs"), "read-bypass");
    assert_eq!(name("cat $file"), "read-bypass");
}

#[test]
fn several_roots_are_one_workspace() {
    let roots = [Path::new("/w/p"), Path::new("/w/q")];
    let guard = Guard::over(&roots, Path::new("/w/p"));
    let name = |command: &str| guard.judge(command).name();
    assert_eq!(name("cat a.rs"), "read-bypass");
    assert_eq!(name("sed -i s/a/b/ ../q/b.rs"), "write-bypass");
    assert_eq!(name("cp a.rs ../q/b.rs"), "allow");
    assert_eq!(name("cp ../r/a.rs ../q/b.rs"), "write-bypass");
    assert_eq!(name("cat ../r/a.rs"), "allow");
    assert_eq!(name("cat ../q/target/x.txt"), "allow");
}
